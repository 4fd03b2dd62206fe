"""Pictures of linear graphs: what is in them, and that it can be read."""

from itertools import pairwise, product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import pliant as pl
from pliant.errors import FileError, InputError
from pliant.graphs import LinearGraph, spanning_tree
from pliant.show.graphs.curves import Curve, Ends, curves
from pliant.show.graphs.labels import text_half
from pliant.show.graphs.linear_drawing import NODE, hull, label_of
from pliant.show.graphs.linear_places import GAP, Net, _folded, placed, seen_from
from pliant.show.graphs.shapes import Blob, Dot, Stroke, Text

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("planar_slider_crank", "pendulating_rotor", "spatial_slider_crank", "crank_rocker",
         "manipulator", "bricard", "four_bars_2", "rotating_beam", "pendulum")  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"
Z = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module", params=NAMES)
def view(request):
    return pl.load(EXAMPLES / f"{request.param}.yaml").graph()


def shapes(view, kind):
    return [s for s in view.scene.shapes if isinstance(s, kind)]


def test_svg_is_well_formed_and_names_every_element_once(view):
    root = ElementTree.fromstring(view.svg())
    named = [t.get("data-name") for t in root.iter(f"{SVG}text") if t.get("data-name")]
    drawn = [e for e in view.graph.edges if e.kind != "virtual work"]
    assert sorted(named) == sorted(["ground", *(e.name for e in drawn)])
    texts = {t.get("data-name"): t.text for t in root.iter(f"{SVG}text")}
    assert all(texts[e.name] == label_of(e) for e in drawn)
    nodes = [c.get("data-name") for c in root.iter(f"{SVG}circle")]
    assert sorted(nodes) == sorted(view.graph.nodes)
    assert root.find(f"{SVG}title").text == view.system.model.name


def test_bold_edges_are_the_spanning_tree(view):
    edges = {p.get("data-name"): p for p in ElementTree.fromstring(view.svg()).iter(f"{SVG}path")
             if "edge" in (p.get("class") or "")}  # fmt: skip
    width = {name: float(p.get("stroke-width")) for name, p in edges.items()}
    bold = {name for name, w in width.items() if w == max(width.values())}
    assert bold == {e.name for e in view.graph.branches}
    assert len(bold) == len(view.graph.nodes) - 1


def test_nodes_keep_apart_and_names_keep_off_nodes(view):
    x = np.array([d.centre for d in shapes(view, Dot)])
    distance = np.linalg.norm(x[:, None] - x[None], axis=2) + 1e9 * np.eye(len(x))
    assert distance.min() > 0.98 * GAP > 4 * NODE
    for name in shapes(view, Text):
        if name.owner:
            half = text_half(name.text, name.size)
            outside = np.maximum(np.abs(x - name.centre) - half, 0)
            assert np.linalg.norm(outside, axis=1).min() > NODE, name.text


def test_names_do_not_overlap_each_other(view):
    names = [t for t in shapes(view, Text) if t.owner]
    for k, a in enumerate(names):
        for b in names[k + 1 :]:
            room = text_half(a.text, a.size) + text_half(b.text, b.size)
            assert (np.abs(a.centre - b.centre) >= room).any(), (a.text, b.text)


def test_everything_is_inside_the_picture(view):
    scene = view.scene
    for stroke in shapes(view, Stroke):
        points = stroke.curve.at(np.linspace(0, 1, 30))
        assert (points > 0).all()
        assert (points < [scene.width, scene.height]).all()


def test_edges_keep_off_nodes_they_do_not_end_at(view):
    x = {d.name: d.centre for d in shapes(view, Dot)}
    ends = {e.name: (e.tail, e.head) for e in view.graph.edges}
    for stroke in shapes(view, Stroke):
        if stroke.name and stroke.kind != "body":
            others = np.array([p for n, p in x.items() if n not in ends[stroke.name]])
            points = stroke.curve.at(np.linspace(0, 1, 200))
            d = np.linalg.norm(points[:, None] - others[None], axis=2) if len(others) else GAP
            assert np.min(d) > NODE, stroke.name


def test_an_arm_points_where_it_points_in_the_mechanism():
    """Directions of long arms in the picture are those in the plane of motion."""
    view = pl.load(EXAMPLES / "planar_slider_crank.yaml").graph()
    x = {d.name: d.centre for d in shapes(view, Dot)}
    crank = 0.2 * np.array([np.cos(np.pi / 4), np.sin(np.pi / 4)])
    slider = crank[0] + np.sqrt(0.5**2 - crank[1] ** 2)
    for tail, head, true in (
        ("crank", "crank.A", crank),
        ("rod", "rod.B", [slider - crank[0], -crank[1]]),
    ):
        drawn = (x[head] - x[tail]) * [1, -1]
        cosine = drawn @ true / np.linalg.norm(drawn) / np.linalg.norm(true)
        assert cosine > np.cos(np.radians(5)), tail


def test_virtual_work_is_dashed_and_drawn_only_on_request():
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    added = {e.name for e in system.graph().graph.edges if e.kind == "virtual work"}
    assert len(added) == 7
    plain, full = system.graph(), system.graph(virtual_work=True)
    assert not added & {s.name for s in shapes(plain, Stroke)}
    assert "without 7 dependent virtual-work elements" in plain.svg()
    assert {s.name for s in shapes(full, Stroke) if s.dashed and s.name} == added
    assert '"W.A.rod"' not in plain.dot()
    assert '"W.A.rod"' in full.dot()


def test_parallel_edges_do_not_run_upon_each_other():
    nodes = np.array([[0.0, 0.0], [100.0, 0.0]])
    ways = curves(nodes, [Ends(0, 1), Ends(0, 1), Ends(1, 0), Ends(0, 1, arc=True)])
    middles = sorted(float(w.at(0.5)[1]) for w in ways)
    assert min(b - a for a, b in pairwise(middles)) > 15
    assert ways[0].at(0.5)[1] == 0  # the first one is straight


def test_curve_is_a_quadratic_bezier():
    a, c, b = np.array([0.0, 0.0]), np.array([1.0, 2.0]), np.array([3.0, 0.0])
    curve = Curve(a, c, b)
    assert curve.at(0.5) == pytest.approx(a / 4 + c / 2 + b / 4)
    difference = curve.at(0.3 + 1e-6) - curve.at(0.3 - 1e-6)
    assert curve.direction(0.3) == pytest.approx(difference / np.linalg.norm(difference), abs=1e-6)


@pytest.mark.parametrize("normal", [[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 2, 3]])
def test_plane_mechanism_is_seen_in_true_size(normal):
    rng = np.random.default_rng(1)
    n = np.array(normal) / np.linalg.norm(normal)
    points = rng.normal(size=(9, 3))
    points -= np.outer(points @ n, n)
    seen = seen_from(points, Z)
    for i, j in product(range(9), repeat=2):
        true = np.linalg.norm(points[i] - points[j])
        assert np.linalg.norm(seen[i] - seen[j]) == pytest.approx(true, abs=1e-12)


def test_up_is_up_and_x_is_to_the_right():
    corners = np.array(list(product((0, 3), (0,), (0, 2))), dtype=float)
    seen = seen_from(corners, Z)
    assert seen - seen[0] == pytest.approx(corners[:, [0, 2]] - corners[0, [0, 2]])
    flat = corners[:, [0, 2, 1]]  # in the plane x, y: no z to be seen, so y is up
    assert seen_from(flat, Z) == pytest.approx(flat[:, :2])
    line = np.array([[0.0, 0, 0], [0, 0, 1]])
    assert seen_from(line, Z)[1] - seen_from(line, Z)[0] == pytest.approx([0, 1])


def test_spatial_mechanism_is_seen_along_a_world_axis_only_if_little_is_hidden():
    flat_box = np.array(list(product((0, 3), (0, 1), (0, 2))), dtype=float)
    seen = seen_from(flat_box, Z)
    assert seen - seen[0] == pytest.approx(flat_box[:, [0, 2]])
    cube = np.array(list(product((0, 1), repeat=3)), dtype=float)
    hexagon = cube[[k for k in range(8) if k not in (0, 7)]]  # seen along the missing diagonal
    radii = np.linalg.norm(seen_from(hexagon, Z) - seen_from(hexagon, Z).mean(axis=0), axis=1)
    assert radii == pytest.approx(np.full(6, np.sqrt(2 / 3)))


def test_nodes_at_one_point_part_and_far_datum_comes_near():
    net = Net(["ground", "a", "b", "c"], 0, [(0, 1), (1, 2)], {})
    x = placed(np.zeros((4, 2)), net)
    distance = np.linalg.norm(x[:, None] - x[None], axis=2)[np.triu_indices(4, 1)]
    assert distance.min() > 0.98 * GAP
    places = np.array([[1e4, 0], [0, 0], [1, 0], [0, 1]], dtype=float)
    x = placed(places, Net(["ground", "a", "a", "a"], 0, [], {}))
    bodies = np.ptp(x[1:], axis=0).max()
    assert np.linalg.norm(x[0] - x[1:].mean(axis=0)) < 3 * bodies


def test_hull_holds_all_points_and_turns_one_way():
    points = np.random.default_rng(0).normal(size=(40, 2))
    corners = hull(points)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (b - a)[0] * (points - a)[:, 1] - (b - a)[1] * (points - a)[:, 0]
        assert side.min() > -1e-12


def test_bodies_are_outlined_around_their_nodes():
    view = pl.load(EXAMPLES / "bricard.yaml").graph()
    x = {d.name: d.centre for d in shapes(view, Dot)}
    for blob in shapes(view, Blob):
        own = {n for n in x if n.partition(".")[0] == blob.name}
        assert {tuple(c) for c in blob.corners} == {tuple(x[n]) for n in own}


def test_matrices_are_labelled_and_orthogonal():
    """Fundamental cutsets and circuits are orthogonal: A_f B_fᵀ = 0 (Tellegen)."""
    view = pl.load(EXAMPLES / "spatial_slider_crank.yaml").graph()
    m = view.matrices
    assert not (m["cutsets"].values @ m["circuits"].values.T).any()
    assert m["incidence"].sel(node="rod", edge="arm.rod.tip") == 1
    assert m["incidence"].sel(node="rod.tip", edge="arm.rod.tip") == -1
    assert m["circuits"].sel(chord="rod", edge="arm.rod.root") == 1
    assert (m["incidence"].sum("node") == 0).all()


def test_branch_transformations_of_the_source():
    """S1 (5), (7): the rod through crank and pin; against an arm it is minus and transposed."""
    planar = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    text = planar.graph().summary()
    assert "r_rod = r_O + r_arm(crank.A) + r_A\n" in text
    assert "R_rod = R_O R_arm(crank.A) R_A\n" in text
    assert "3 coordinates: O.angle, S.displacement, A.angle" in text
    other = str(planar.graph(tree=["O", "B", "S"]))
    assert "r_rod = r_S.t + r_S.r - r_B - r_arm(rod.B)\n" in other
    assert "R_rod = R_S.t R_S.r R_Bᵀ R_arm(rod.B)ᵀ\n" in other


def test_source_tree_of_the_spatial_slider_crank():
    """S1, section 5.3: the spherical joint in the cotree gives three constraint equations."""
    view = pl.load(EXAMPLES / "spatial_slider_crank.yaml").graph(tree=["O", "B", "S"])
    assert view.cost.constraints - 1 == 3  # the driver in the cotree is the other one
    assert len(view.cost.coordinates) == 4
    assert "A" in {e.name for e in view.graph.chords}


def test_picture_follows_tree_and_parameters():
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    absolute = system.graph(tree="absolute")
    bold = {s.name for s in shapes(absolute, Stroke) if s.in_tree}
    assert {"crank", "rod", "slider"} <= bold
    assert bold == {e.name for e in LinearGraph.of(
        spanning_tree(system.model, "absolute")).branches}  # fmt: skip
    longer = {d.name: d.centre for d in shapes(system.graph(params={"l1": 0.4}), Dot)}
    usual = {d.name: d.centre for d in shapes(system.graph(), Dot)}

    def ratio(x):
        return np.linalg.norm(x["crank.A"] - x["crank"]) / np.linalg.norm(x["rod.B"] - x["rod"])

    assert ratio(longer) > 1.5 * ratio(usual)


def test_same_picture_every_time():
    first, second = (pl.load(EXAMPLES / "crank_rocker.yaml").graph().svg() for _ in range(2))
    assert first == second


def test_save_by_ending_and_refuse_others(tmp_path):
    view = pl.load(EXAMPLES / "pendulum.yaml").graph()
    for ending in ("svg", "png", "dot"):
        view.save(tmp_path / f"g.{ending}")
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "g.dot").read_text().startswith("digraph")
    with pytest.raises(FileError, match="unknown kind of file"):
        view.save(tmp_path / "g.xls")
    with pytest.raises(InputError, match="known: linear"):
        pl.load(EXAMPLES / "pendulum.yaml").graph("petri")


@pytest.mark.slow
def test_a_large_graph_is_drawn():
    view = pl.load(EXAMPLES / "four_bars_40.yaml").graph()
    x = np.array([d.centre for d in shapes(view, Dot)])
    distance = np.linalg.norm(x[:, None] - x[None], axis=2) + 1e9 * np.eye(len(x))
    assert distance.min() > 4 * NODE
    ElementTree.fromstring(view.svg())


def test_the_graph_of_many_bodies_is_folded_to_a_page():
    """41 pendulums in a row: each body is one node, in rows; every joint is an edge of its own."""
    bodies = [pl.RigidBody(f"b{k}", 1, frames={"end": [0, 0, -1], "low": [0, 0, -2]})
              for k in range(41)]  # fmt: skip
    frames = {f"f{k}": [2.0 * k, 0, 0] for k in range(41)}
    joints = [pl.Revolute(f"j{k}", f"ground.f{k}", f"b{k}", axis="y") for k in range(41)]
    system = pl.System(
        ground=pl.Ground(frames), bodies=bodies, joints=joints, gravity=[0, 0, -9.81]
    )
    view, whole = system.graph(), system.graph(full=True)
    assert {*view.drawing.nodes} == {"ground", *(b.name for b in bodies)}
    assert sorted(e.edge.name for e in view.drawing.edges) == sorted(j.name for j in joints)
    assert {(e.edge.tail, e.edge.head) for e in view.drawing.edges} == {
        ("ground", b.name) for b in bodies}  # fmt: skip
    assert "each body is one node" in view.caption
    assert len(whole.drawing.nodes) == 1 + 41 + 41
    places = np.array([p for n, p in view.drawing.nodes.items() if n != "ground"])
    wide, high = np.ptp(places, axis=0)
    assert 0.5 < wide / high < 4
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(len(places))
    assert apart.min() > 60


def test_long_stretches_are_shortened_to_a_page():
    """A tower with three blades at its top: nodes keep their order, near ones their distances."""
    tower = np.array([[0, 0], [0, 2000], [100, 2100], [-100, 2100], [0, 2200.0]])
    found = _folded(tower)
    gaps = np.diff(np.sort(found[:, 1]))
    assert gaps[0] == pytest.approx(150 * (1 + np.log(2000 / 150)))
    assert gaps[1:] == pytest.approx([100, 0, 100])
    assert (found[:, 0] == tower[:, 0]).all()
    near = tower / 20  # a small one stays as it is
    assert (_folded(near) == near).all()


def test_beams_in_pieces_are_one_node_of_a_large_graph():
    """Two legs of 25 bodies each: two nodes beside the ground, joints of the file between them."""
    system = pl.load(EXAMPLES / "right_angle_frame.yaml")
    view = system.graph()
    assert {*view.drawing.nodes} == {"ground", "leg1", "leg2"}
    told = system.described
    assert {e.edge.name for e in view.drawing.edges} == {*told.joints, *told.forces}
    assert "each body is one node" in view.caption
