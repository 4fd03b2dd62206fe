"""What the page knows of flexible bodies: numbers that give the deformed shape, drawings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.web.flexible import pendulum, plate
from tests.web.test_report import data_of, drawn, unpacked

import pliant as pl
from pliant.errors import InputError
from pliant.model.files import loads
from pliant.results.result import Result
from pliant.show.page import pose_names
from pliant.show.page.drawing import neighbours

STEEL = pl.Material("steel", E=210e9, nu=0.3, density=7850)
SECTIONS = {
    "circle": ({"radius": 0.02}, [0.02, 0.02]),
    "tube": ({"outer": 0.03, "inner": 0.02}, [0.03, 0.03]),
    "rectangle": ({"width": 0.02, "height": 0.06}, [0.01, 0.03]),
    "i": ({"height": 0.1, "width": 0.06, "web": 0.01, "flange": 0.01}, [0.03, 0.05]),
    "properties": (
        {"A": 12e-4, "Iy": 12e-4 * 0.06**2 / 12, "Iz": 12e-4 * 0.02**2 / 12, "J": 1e-8},
        [0.01, 0.03],
    ),
}


@pytest.fixture(scope="module")
def result() -> Result:
    return pendulum(params={"l": 1.2})


def body_of(result: Result, name: str) -> dict:
    (body,) = (b for b in data_of(result)["scene"]["bodies"] if b["name"] == name)
    return body


def poses(body: dict, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions and small rotations of all places, as the page computes them."""
    elastic, n = body["elastic"], len(q)
    table = unpacked(elastic["numbers"], 3 + 7 * n + len(elastic["pairs"])).astype(float)
    p = table[:3] + np.einsum("iap,a->ip", table[3 : 3 + 3 * n].reshape(3, n, -1), q)
    for (i, a, b), row in zip(elastic["pairs"], table[3 + 7 * n :], strict=True):
        p[i] -= 0.5 * row * q[a] * q[b]
    turned = np.einsum("iap,a->ip", table[3 + 3 * n : 3 + 6 * n].reshape(3, n, -1), q)
    return p.T, turned.T


def in_world(result: Result, body: str, p: np.ndarray, k: int) -> np.ndarray:
    w, x, y, z = result.values(f"{body}.orientation")[k]
    v = np.array([x, y, z])
    turned = p + 2 * np.cross(v, np.cross(v, p) + w * p)
    return result.values(f"{body}.position")[k] + turned


def test_places_of_a_beam_are_where_its_frames_are_observed(result):
    rod = body_of(result, "rod")
    frames = {f["name"]: f for f in rod["frames"]}
    for k in (3, 40, 100):
        q = np.array([result.values(name)[k] for name in rod["elastic"]["coordinates"]])
        p, _ = poses(rod, q)
        for name in ("root", "mid", "tip"):
            there = in_world(result, "rod", p[frames[name]["place"]], k)
            np.testing.assert_allclose(there, result.values(f"rod.{name}.position")[k], atol=2e-7)


def test_moments_of_coordinates_are_the_observed_elastic_moments(result):
    rod = body_of(result, "rod")
    moments = unpacked(rod["elastic"]["moments"], 4).astype(float)
    x = rod["parts"][0]["x"]
    q = np.array([result.values(name)[40] for name in ("rod.v1", "rod.v2")])
    along = np.interp([0, 0.6], x, q @ moments[2:])
    observed = [result.values(f"rod.{f}.elastic_moment.z")[40] for f in ("root", "mid")]
    assert along == pytest.approx(observed, rel=1e-5)


def test_colours_are_the_observed_internal_forces_and_stresses(result):
    rod = body_of(result, "rod")
    x = rod["parts"][0]["x"]
    told = {
        k: unpacked(text, len(x)).astype(float) for k, text in rod["elastic"]["carried"].items()
    }
    assert set(told) == {"moment", "force", "stress"}
    mid = x.index(pytest.approx(0.6))
    for load, name in (("moment", "internal_moment.z"), ("force", "internal_force.x")):
        expected = result.values(f"rod.mid.{name}")
        expected = np.abs(expected) if load == "moment" else expected
        assert told[load][mid] == pytest.approx(expected, rel=1e-4, abs=1e-4)
    largest = np.abs(result.values("rod.mid.stress")).max(axis=1)
    assert told["stress"][mid] == pytest.approx(largest, rel=1e-4, abs=1.0)


def test_internal_forces_can_be_plotted_although_nobody_asked_for_them_before(result):
    name = "rod.mid.internal_moment.z"
    data = data_of(result, plots=[name])
    assert data["plots"] == [name]
    assert "rod.mid.internal_moment" in [s["name"] for s in data["series"]]


def test_frames_are_placed_relative_to_their_section(result):
    frames = {f["name"]: f for f in body_of(result, "rod")["frames"]}
    half = np.sqrt(0.5)
    assert frames["F"]["p"] == [0, 0.003, 0.01]
    assert frames["F"]["q"] == pytest.approx([half, half, 0, 0])
    assert frames["G"]["place"] == frames["F"]["place"]
    assert frames["G"]["p"] == pytest.approx([0, 0.003, 0.03])


def test_mass_of_a_beam_is_that_of_the_undeformed_bar(result):
    rod = body_of(result, "rod")
    m = 1200 * 12e-4 * 1.2
    assert rod["mass"] == pytest.approx(m)
    assert rod["com"] == pytest.approx([0.6, 0, 0])
    assert rod["inertia"][1:3] == pytest.approx([m * 1.2**2 / 12] * 2)
    assert rod["inertia"][0] == pytest.approx(m * (0.03**2 + 0.04**2) / 12)
    assert rod["inertia"][3:] == [0, 0, 0]


def test_a_page_begins_with_deflections_not_with_elastic_coordinates(result):
    plots = data_of(result)["plots"]
    assert "rod.mid.deflection.y" in plots
    assert "A.angle" in plots
    assert not [name for name in plots if name.startswith("rod.v")]


def test_a_flexible_page_stays_small(result, tmp_path):
    assert len(body_of(result, "rod")["elastic"]["numbers"]) < 5000
    assert result.report(tmp_path / "a.html").stat().st_size < 1e6


def test_observables_of_a_picture_include_elastic_coordinates(result, tmp_path):
    names = pose_names(loads(result.model).bodies)
    assert names == ["rod.position", "rod.orientation", "rod.v1", "rod.v2"]
    few = pendulum(t_end=0.1, outputs=names[:2])
    assert few.report(tmp_path / "few.html").is_file()
    with pytest.raises(InputError, match=r"rod\.v1.*elastic coordinates"):
        replace(few, recorded=None).report(tmp_path / "none.html")


def beam(**options) -> pl.Beam:
    given = {"length": 2, "section": {"circle": {"radius": 0.02}}, "material": "steel"}
    return pl.Beam("b", **{**given, **options})


def part_of(body: pl.Beam) -> dict:
    (part,) = drawn(bodies=[body], materials=[STEEL])["bodies"][0]["parts"]
    return part


@pytest.mark.parametrize("kind", SECTIONS)
def test_beams_are_drawn_from_their_section(kind):
    sizes, half = SECTIONS[kind]
    part = part_of(beam(section={kind: sizes}))
    assert part["kind"] == "sweep"
    assert part["x"][0] == 0
    assert part["x"][-1] == 2
    outer = np.array(part["loops"][0][0]).reshape(-1, 2)
    assert np.abs(outer).max(axis=0) == pytest.approx(half, rel=1e-6)
    assert area(outer) > 0
    assert len(part["loops"]) == (2 if kind == "tube" else 1)
    if kind == "tube":
        assert area(np.array(part["loops"][1][0]).reshape(-1, 2)) < 0


def area(loop: np.ndarray) -> float:
    (y, z), (y1, z1) = loop.T, np.roll(loop, -1, axis=0).T
    return float((y * z1 - y1 * z).sum() / 2)


def test_a_tapered_beam_is_drawn_tapered():
    ends = {0: {"circle": {"radius": 0.06}}, 0.3: {"circle": {"radius": 0.04}},
            1: {"circle": {"radius": 0.02}}}  # fmt: skip
    part = part_of(beam(section=None, sections=ends))
    assert pytest.approx(0.6) in part["x"]
    radii = [np.linalg.norm(loop[:2]) for loop in part["loops"][0]]
    assert len(radii) == len(part["x"])
    assert np.interp([0, 0.3, 0.6, 2], part["x"], radii) == pytest.approx([0.06, 0.05, 0.04, 0.02])


def test_beams_without_a_section_and_very_thin_ones_can_be_seen():
    stiffness = {"EA": 1e6, "EIy": 1e6 * 0.06**2 / 12, "EIz": 1e6 * 0.02**2 / 12}
    rotary = {"rhoIy": 1e-4, "rhoIz": 1e-4}
    bare = {"section": None, "material": "", "mass_per_length": 1.0, "rotary": rotary}
    box = part_of(beam(**bare, stiffness=stiffness))["loops"][0][0]
    assert np.abs(box).max() == pytest.approx(0.03)
    unknown = part_of(beam(**bare, stiffness={"EIy": 1, "EIz": 1}))["loops"][0][0]
    assert np.abs(unknown).max() == pytest.approx(0.02)
    thin = part_of(beam(section={"circle": {"radius": 1e-5}}))["loops"][0][0]
    assert np.abs(thin).max() == pytest.approx(0.01)


def test_a_beam_can_be_drawn_with_a_shape_of_its_own():
    part = part_of(beam(shape={"box": {"size": [2, 0.1, 0.2]}}))
    assert np.abs(np.array(part["loops"][0][0]).reshape(-1, 2)).max(axis=0).tolist() == [0.05, 0.1]


def test_a_rigid_beam_has_no_elastic_coordinates():
    (body,) = drawn(bodies=[beam(theory="rigid")], materials=[STEEL])["bodies"]
    assert body["elastic"]["coordinates"] == []
    assert body["parts"][0]["x"] == [0, 2]
    assert body["mass"] == pytest.approx(7850 * np.pi * 0.02**2 * 2)


def test_beams_between_joints_are_magnified_about_their_chord():
    ground = pl.Ground(frames={"b": {"at": [2, 0, 0]}})
    joints = [pl.Revolute("A", "ground", "b.root"), pl.Revolute("B", "ground.b", "b.tip")]
    for count, held in ((1, False), (2, True)):
        scene = drawn(ground=ground, bodies=[beam()], joints=joints[:count], materials=[STEEL])
        assert scene["bodies"][0]["elastic"]["held"] is held


def test_given_modes_are_drawn_as_nodes_and_bars(tmp_path):
    result = plate(tmp_path)
    body = body_of(result, "plate")
    (part,) = body["parts"]
    assert part["kind"] == "lattice"
    assert len(part["points"]) == 27
    assert set(part["bars"]) == set(range(9))
    assert body["mass"] == pytest.approx(1.8)
    assert body["com"] == pytest.approx([0.5, 0.5, 0])
    p, turned = poses(body, np.array([0.2, 0.1]))
    tip = next(f for f in body["frames"] if f["name"] == "tip")
    assert p[tip["place"]] == pytest.approx([1, 1, 0.3], abs=1e-6)
    assert turned[tip["place"]] == pytest.approx([0.1, -0.5, 0], abs=1e-6)
    assert tip["p"] == [0, 0, 0.1]


def test_given_modes_in_another_frame_stay_where_they_are(tmp_path):
    body = body_of(plate(tmp_path, frame="mass-centre"), "plate")
    p, _ = poses(body, np.zeros(2))
    assert p[0] == pytest.approx([0, 0, 0], abs=1e-6)
    assert body["com"] == pytest.approx([0.5, 0.5, 0])


def test_bars_connect_all_nodes():
    points = np.array([[0, 0, 0], [1, 0, 0], [10, 0, 0], [11, 0, 0]], dtype=float)
    assert neighbours(points) == [(0, 1), (1, 2), (2, 3)]
    assert neighbours(points[:1]) == []
