"""What the page is made of: data in numbers, drawings, messages."""

from __future__ import annotations

import json
import re
import struct
import zlib
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main
from pliant.errors import FileError, InputError, UnknownName
from pliant.model.bodies.meshes import read_mesh
from pliant.results.result import Result, Series
from pliant.show.page import page_of
from pliant.show.page.geometry import Geometry
from pliant.show.page.packing import packed
from pliant.show.page.page import MOST_NUMBERS, columns_of, page_data
from pliant.show.page.scene import scene_data

EXAMPLES = Path(__file__).parents[2] / "examples"
CRANK = EXAMPLES / "planar_slider_crank.yaml"


@pytest.fixture(scope="module")
def crank() -> Result:
    return pl.load(CRANK).simulate(t_end=0.1, every=0.01, rtol=1e-6, params={"l2": "60 cm"})


def data_of(result: Result, **options):
    return page_data(result, **{"title": "", "plots": None, "meshes": {}, **options})


def drawn(**sections) -> dict:
    """The scene of a model that never moved."""
    model = pl.System(**sections).model
    return scene_data(Geometry(model, model.parameter_values()), {}, {}, 1.0)


def unpacked(text: str, count: int) -> np.ndarray:
    """The inverse of ``packed``."""
    planes = np.frombuffer(zlib.decompress(b64decode(text)), np.uint8).reshape(4, -1)
    steps = np.ascontiguousarray(planes.T).view("<i4").reshape(count, -1)
    return np.cumsum(steps, axis=1, dtype="<i4").view("<f4")


def test_numbers_survive_packing_to_single_precision():
    table = np.random.default_rng(1).normal(size=(3, 50)) * 10.0 ** np.arange(-20, 30)
    table[1, 7] = np.nan
    assert np.array_equal(unpacked(packed(list(table)), 3), table.astype("f4"), equal_nan=True)


def test_page_holds_series_frames_and_parameters_of_the_run(crank):
    data = data_of(crank)
    (place,) = (s["column"] for s in data["series"] if s["name"] == "rod.position")
    count = sum(max(1, len(s["labels"])) for s in data["series"])
    held = unpacked(data["numbers"], count)[place : place + 3].T
    np.testing.assert_allclose(held, crank.values("rod.position"), rtol=1e-6)
    bodies = {b["name"]: b for b in data["scene"]["bodies"]}
    assert bodies["rod"]["frames"][0]["p"] == [0.6, 0, 0]
    told = {"name": "l2", "value": "0.6", "unit": "m", "changed": True}
    assert told in data["summary"]["parameters"]
    assert data["title"] == "planar slider-crank"


def test_parameters_of_networks_are_told_by_their_full_names():
    elements = {"s": {"Se": "k*V", "on": "a"}, "a": {"junction": 1}, "i": {"I": "L", "on": "a"}}
    network = {"domain": "electrical", "parameters": {"k": 4, "L": "2 mH"}, "elements": elements}
    text = json.dumps({"pliant": 1, "parameters": {"V": "3 V"}, "networks": {"n": network}})
    told = data_of(pl.loads(text).simulate(t_end=0.01))["summary"]["parameters"]
    assert [(p["name"], p["value"], p["unit"]) for p in told] == [
        ("V", "3", "V"),
        ("n.k", "4", ""),
        ("n.L", "0.002", "H"),
    ]


def test_page_is_one_file_that_asks_for_nothing_else(crank):
    text = page_of(crank, title="<i>mine</i>")
    assert "<title>&lt;i&gt;mine&lt;/i&gt;</title>" in text
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=(?!.data:)", text)
    assert text.count("<script") == text.count("</script>") == 2
    assert "default-src 'none'" in text


def test_page_of_a_saved_result_is_the_same(crank, tmp_path):
    crank.save(tmp_path / "run.nc")
    assert data_of(Result.load(tmp_path / "run.nc")) == data_of(crank)


def test_degrees_of_freedom_are_told_if_known(crank):
    told = replace(crank, info={**crank.info, "degrees_of_freedom": 1})
    assert ("Degrees of freedom", "1") in data_of(told)["summary"]["model"]


def test_poses_need_not_be_asked_for():
    system = pl.load(CRANK)
    few, all_of_it = (system.simulate(t_end=0.01, outputs=wanted) for wanted in (["O.angle"], None))
    assert data_of(few)["scene"]["bodies"] == data_of(all_of_it)["scene"]["bodies"]


def test_missing_poses_model_and_names_are_reported_with_a_cure(crank, tmp_path):
    system = pl.load(CRANK)
    few = system.simulate(t_end=0.01, rtol=1e-6, outputs=["O.angle"])
    with pytest.raises(InputError, match=r"not observed .crank\.position.*leave out outputs"):
        replace(few, recorded=None).report(tmp_path / "out.html")
    with pytest.raises(InputError, match="does not hold its model"):
        replace(crank, model="").report(tmp_path / "out.html")
    with pytest.raises(FileError, match=r"use \.html"):
        crank.report(tmp_path / "out.txt")
    with pytest.raises(FileError, match="no folder"):
        crank.report(tmp_path / "nowhere" / "out.html")
    with pytest.raises(UnknownName, match=r"O\.angel"):
        crank.report(tmp_path / "out.html", plots=["O.angel"])
    with pytest.raises(UnknownName, match="no body 'crnak'"):
        crank.report(tmp_path / "out.html", meshes={"crnak": "a.stl"})
    assert list(tmp_path.iterdir()) == []


def test_command_line_observes_what_the_page_needs(tmp_path, capsys):
    path = tmp_path / "out.html"
    code = main(["run", str(CRANK), "--t-end", "0.02", "--rtol", "1e-6", "--observe", "O.angle",
                 "-o", str(path)])  # fmt: skip
    assert code == 0
    assert f"wrote {path}" in capsys.readouterr().out
    (text,) = re.findall(r'type="application/json">(.*?)</script>', path.read_text())
    data = json.loads(text)
    assert data["plots"] == ["O.angle"]
    assert {"crank.orientation", "O.angle"} <= {s["name"] for s in data["series"]}


def test_a_large_result_gives_a_small_page():
    rng = np.random.default_rng(0)
    moving = {
        f"b{k}.{quantity}": Series(rng.normal(size=(1001, n)), "1", tuple("wxyz"[-n:]), kind)
        for k in range(80)
        for quantity, kind, n in (("position", "position", 3), ("orientation", "rotation", 4),
                                  ("velocity", "velocity", 3), ("acceleration", "acceleration", 3))
    }  # fmt: skip
    angle = {"j.angle": Series(rng.normal(size=1001), "rad", (), "coordinate")}
    result = Result(np.linspace(0, 1, 1001), {**moving, **angle})
    poses = [n for n in moving if n.endswith(("position", "orientation"))]
    columns = columns_of(result, poses, ())
    assert set(poses) | {"j.angle"} <= set(columns.names)
    assert columns.left_out == len(result.series) - len(columns.names) > 0
    assert len(columns.samples) == 1001
    assert len(columns.as_data(result)["numbers"]) < 5.4 * MOST_NUMBERS


def test_a_long_result_is_thinned_evenly():
    count = 400_000
    wave = np.sin(np.linspace(0, 9, count))
    series = {"b.position": Series(np.stack([wave] * 3, 1), "m", ("x", "y", "z"), "position")}
    columns = columns_of(Result(np.linspace(0, 9, count), series), ["b.position"], ())
    assert columns.samples[0] == 0
    assert columns.samples[-1] == count - 1
    assert len(columns.samples) <= MOST_NUMBERS // 3


def test_bodies_are_drawn_from_shapes_frames_and_inertia():
    scene = drawn(
        bodies=[
            pl.RigidBody.box("box", [1, 0.2, 0.1], mass=1, com=[0.5, 0, 0]),
            pl.RigidBody.sphere("bob", 0.1, mass=1, com=[0, 0, -1]),
            pl.RigidBody.cylinder("roll", 0.2, 0.5, mass=1, axis="y"),
            pl.RigidBody("bar", 1, com=[0.5, 0, 0], frames={"end": [1, 0, 0]}),
            pl.RigidBody("disc", 2, inertia=[0.01, 0.01, 0.02]),
            pl.RigidBody("slider", 0),
        ],
        joints=[
            pl.Revolute("J0", "ground", "box"), pl.Spherical("J1", "box", "bob"),
            pl.Revolute("J2", "bob", "roll"), pl.Revolute("J3", "roll", "bar"),
            pl.Spherical("J4", "bar.end", "disc"), pl.Prismatic("J5", "ground", "slider", axis="x"),
        ],
    )  # fmt: skip
    parts = {b["name"]: [p["kind"] for p in b["parts"]] for b in scene["bodies"]}
    assert parts == {
        "box": ["box"], "bob": ["sphere", "link"], "roll": ["cylinder"], "bar": ["link", "link"],
        "disc": ["ellipsoid"], "slider": ["block"],
    }  # fmt: skip
    disc = scene["bodies"][4]["parts"][0]["size"]
    assert disc[0] == pytest.approx(np.sqrt(2.5 * 0.02 / 2))
    assert disc[2] < 0.3 * disc[0]
    assert scene["bodies"][5]["parts"][0]["axis"] == [1, 0, 0]


MOST = ["x", "y", "z", "rx", "rz"]


@pytest.mark.parametrize(("joint", "pins", "ball", "rail", "foot"), [
    (pl.Revolute("J", "ground", "b"), [[0, 0, 1]], False, None, True),
    (pl.Cylindrical("J", "ground", "b"), [], False, ([0, 0, 1], "round"), False),
    (pl.Prismatic("J", "ground", "b", axis="x"), [], False, ([1, 0, 0], "square"), False),
    (pl.Screw("J", "ground", "b", pitch=0.01), [], False, ([0, 0, 1], "thread"), False),
    (pl.Planar("J", "ground", "b"), [], False, None, False),
    (pl.Universal("J", "ground", "b"), [[1, 0, 0], [0, 1, 0]], False, None, False),
    (pl.PinSlot("J", "ground", "b"), [[0, 0, 1]], False, ([1, 0, 0], "square"), False),
    (pl.Locks("J", "ground", "b", locked=["x", "z"]), [], True, ([0, 1, 0], "square"), False),
    (pl.Locks("J", "ground", "b", locked=MOST), [[0, 1, 0]], False, None, True),
    (pl.Free("J", "ground", "b"), [], False, None, False),
    (pl.Distance("J", "ground", "b", length=1), [], True, None, False),
])  # fmt: skip
def test_joints_are_drawn_by_what_they_declare(joint, pins, ball, rail, foot):
    model = pl.Model(bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])], joints=[joint])
    (drawn,) = scene_data(Geometry(model, {}), {}, {}, 1.0)["joints"]
    assert [axis["direction"] for axis in drawn["pins"]] == pins
    assert (drawn["ball"], drawn["foot"]) == (ball, foot)
    found = drawn["rail"] and (drawn["rail"]["direction"], drawn["rail"]["form"])
    assert found == rail


def test_arrows_know_where_they_act_and_along_what():
    model = pl.System(
        ground=pl.Ground(frames={"P": [1, 0, 0]}),
        bodies=[pl.RigidBody("arm", 1, inertia=[1, 1, 1], frames={"tip": [1, 0, 0]})],
        joints=[pl.Universal("U", "ground", "arm")],
        forces=[
            pl.Spring("coil", "ground.P", "arm.tip", stiffness=1),
            pl.Actuator("motor", "U", coordinate="angle2", effort=1),
        ],
    ).model  # fmt: skip
    observed = dict.fromkeys(["coil.force", "motor.torque", "U.force"])
    scene = scene_data(Geometry(model, {}), observed, {}, 1.0)
    arrows = [(a["name"], a["at"]) for a in scene["arrows"]]
    assert arrows == [("U", "arm"), ("coil", "ground.P"), ("coil", "arm.tip"), ("motor", "arm")]
    assert scene["arrows"][3]["along"] == {"frame": "arm", "direction": [0, 1, 0]}
    coil, motor = scene["symbols"]
    assert coil == {"name": "coil", "kind": "spring", "a": "ground.P", "b": "arm.tip"}
    assert (motor["kind"], motor["a"], motor["direction"]) == ("motor", "arm", [0, 1, 0])


def test_an_effort_along_the_spin_of_a_ball_is_drawn_along_its_axis():
    ball = pl.Spherical("B", "ground", "b", coordinates="euler313")
    motor = pl.Actuator("motor", "B", "angle3", effort=1)
    model = pl.Model(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])], joints=[ball], forces=[motor]
    )
    (arrow,) = scene_data(Geometry(model, {}), {"motor.torque": None}, {}, 1.0)["arrows"]
    assert arrow["along"] == {"frame": "b", "direction": [0, 0, 1]}


TETRAHEDRON = [[(0, 0, 0), (0, 1, 0), (1, 0, 0)], [(0, 0, 0), (1, 0, 0), (0, 0, 1)],
               [(0, 0, 0), (0, 0, 1), (0, 1, 0)], [(1, 0, 0), (0, 1, 0), (0, 0, 1)]]  # fmt: skip


def test_meshes_of_all_kinds_give_the_same_triangles(tmp_path):
    binary = bytes(80) + struct.pack("<I", 4)
    words = ["solid t"]
    for face in TETRAHEDRON:
        binary += struct.pack("<12fH", 0, 0, 0, *(v for corner in face for v in corner), 0)
        words += [f"vertex {x} {y} {z}" for x, y, z in face]
    (tmp_path / "a.stl").write_bytes(binary)
    (tmp_path / "b.stl").write_text("\n".join([*words, "endsolid"]))
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    faces = "f 1/1 3/1 2/1\nf 1 2 4\nf -4 -1 -2\nf 2 3 4\n"
    (tmp_path / "c.obj").write_text(f"# comment\n\n{corners}{faces}")
    for name in ("a.stl", "b.stl", "c.obj"):
        points, triangles = read_mesh(tmp_path / name)
        assert len(points) == 4
        assert points[triangles] == pytest.approx(np.array(TETRAHEDRON, dtype=float))


def test_meshes_scaled_to_metres_replace_the_drawing(crank, tmp_path):
    (tmp_path / "rod.obj").write_text("v 0 0 0\nv 500 0 0\nv 500 20 0\nv 0 20 0\nf 1 2 3 4\n")
    data = data_of(crank, meshes={"rod": (tmp_path / "rod.obj", 0.001)})
    (part,) = data["scene"]["bodies"][1]["parts"]
    assert unpacked(part["corners"], 3).T.max(axis=0) == pytest.approx([0.5, 0.02, 0])
    assert len(zlib.decompress(b64decode(part["faces"]))) == 2 * 3 * 4


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.stl", "nothing"), ("b.obj", "v 1 2\nf 1 2 3"), ("c.obj", "v 0 0 0\nf 1 2 3"),
     ("d.step", "x")],
)  # fmt: skip
def test_broken_meshes_are_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError, match=name):
        read_mesh(tmp_path / name)


def test_meshes_of_the_model_are_placed_on_their_body(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 500 0 0\nv 500 20 0\nf 1 2 3\n")
    turned = {"axis": "z", "angle": "90 deg"}
    mesh = {"file": tmp_path / "a.obj", "scale": "k", "at": [0, 0, 1], "orientation": turned}
    ball = pl.RigidBody("ball", 1, inertia=[1, 1, 1], shape={"mesh": mesh})
    system = pl.System(parameters={"k": 1}, bodies=[ball])
    result = system.simulate(t_end=0.1, every=0.1, params={"k": 0.001})
    (part,) = data_of(result)["scene"]["bodies"][0]["parts"]
    corners = unpacked(part["corners"], 3).T
    assert corners == pytest.approx(np.array([[0, 0, 1], [0, 0.5, 1], [-0.02, 0.5, 1]]), abs=1e-7)
    (tmp_path / "a.obj").unlink()
    with pytest.raises(FileError, match="body 'ball': cannot read"):
        data_of(result)


def test_a_missing_mesh_is_refused(tmp_path):
    with pytest.raises(FileError, match="check the path"):
        read_mesh(tmp_path / "none.stl")
