"""Pictures of multibond graphs: what is in them, and that it can be read."""

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import pliant as pl
from pliant.bonds import BondGraph, Inertia, Resistance, Source, assign
from pliant.formulations import FORMULATIONS
from pliant.graphs import spanning_tree
from pliant.show.bonds.arranged import Arranged
from pliant.show.bonds.groups import SIZE, Grid
from pliant.show.bonds.lines import Ends, bond_lines, trimmed
from pliant.show.bonds.places import paged
from pliant.show.graphs.labels import text_half
from pliant.show.graphs.shapes import Blob, Line, Text, extent

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("pendulum", "planar_slider_crank", "rotating_beam", "crank_rocker", "manipulator",
         "bricard", "spatial_slider_crank", "pendulating_rotor", "column", "four_bars_2",
         "hydraulic_crane", "spinning_blade", "two_link_chain", "haug_slider_crank",
         "stewart_platform")  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"


def load(name):
    return pl.load(EXAMPLES / f"{name}.yaml")


@pytest.fixture(scope="module", params=NAMES)
def view(request):
    return load(request.param).graph("bond", full=True)


def shapes(view, kind):
    return [s for s in view.scene.shapes if isinstance(s, kind)]


def symbols(view):
    """Texts of elements, by name."""
    known = view.bonds.graph.nodes
    return {t.owner: t for t in shapes(view, Text) if t.owner in known and t.size == SIZE
            and t.title.startswith(known[t.owner].title)}  # fmt: skip


def segments(way):
    return list(pairwise(way))


def test_svg_names_every_element_and_every_bond_once(view):
    root = ElementTree.fromstring(view.svg())
    bonds = [p.get("data-name") for p in root.iter(f"{SVG}polyline") if p.get("class") == "bond"]
    assert sorted(bonds) == sorted(b.name for b in view.bonds.graph.bonds)
    assert sorted(symbols(view)) == sorted(view.bonds.graph.nodes)
    titles = [t.text for t in root.iter(f"{SVG}title")]
    for bond in view.bonds.graph.bonds:
        assert any(t.startswith(f"{bond.name}: {bond.tail} → {bond.head}") for t in titles)


def test_picture_has_its_own_background_and_colours(view):
    """So that it looks the same in dark and light viewers."""
    first = next(e for e in ElementTree.fromstring(view.svg()) if e.tag != f"{SVG}title")
    assert first.tag == f"{SVG}rect"
    assert [first.get(k) for k in ("width", "height", "fill")] == ["100%", "100%", "#ffffff"]
    assert "currentColor" not in view.svg()
    for shape in view.scene.shapes:
        assert shape.colour.startswith("#"), shape


def test_everything_is_inside_the_picture(view):
    scene = view.scene
    points = np.vstack([extent(s) for s in scene.shapes if not isinstance(s, Text)])
    assert (points >= 0).all()
    assert (points <= [scene.width, scene.height]).all()


def test_no_two_texts_overlap(view):
    """Symbols, titles of groups and parts, names of frames, dimensions."""
    texts = [t for t in shapes(view, Text) if not t.from_left]
    centres = np.array([t.centre for t in texts])
    halves = np.array([text_half(t.text, t.size) for t in texts])
    room = 0.98 * (halves[:, None] + halves[None])
    apart = (np.abs(centres[:, None] - centres[None]) >= room).any(axis=2)
    upon = [(texts[i].text, texts[j].text) for i, j in np.argwhere(~apart) if i < j]
    assert not upon


def test_no_text_stands_on_a_bond_that_is_not_its_own(view):
    """Only symbols touch bonds, those that end at them."""
    ends = {b.name: (b.tail, b.head) for b in view.bonds.graph.bonds}
    own = {id(t): name for name, t in symbols(view).items()}
    texts = [t for t in shapes(view, Text) if not t.from_left]
    centres = np.array([t.centre for t in texts])
    halves = np.array([text_half(t.text, t.size) for t in texts]) - [0.5, 1.5]
    for line in (s for s in shapes(view, Line) if s.kind == "bond"):
        for a, b in segments(line.points):
            points = a + np.linspace(0, 1, 2 + int(np.linalg.norm(b - a) / 2))[:, None] * (b - a)
            inside = (np.abs(points[:, None] - centres[None]) < halves).all(axis=2).any(axis=0)
            upon = [t for t, hit in zip(texts, inside, strict=True) if hit]
            assert all(own.get(id(t)) in ends[line.name] for t in upon), (
                line.name, [t.text for t in upon])  # fmt: skip


def test_groups_hold_their_elements_and_keep_apart(view):
    boxes = {b.name: (b.corners.min(axis=0) - b.width / 2, b.corners.max(axis=0) + b.width / 2)
             for b in shapes(view, Blob)}  # fmt: skip
    grid = Grid.of(view.bonds.graph, view.tree)
    for one, other in combinations(grid.groups, 2):
        (low, high), (low2, high2) = boxes[one], boxes[other]
        assert ((low >= high2) | (low2 >= high)).any()
    for name, text in symbols(view).items():
        low, high = boxes[grid.owner[name]]
        assert (text.centre > low).all()
        assert (text.centre < high).all()


def test_bonds_end_at_their_elements(view):
    texts = symbols(view)
    ends = {b.name: (b.tail, b.head) for b in view.bonds.graph.bonds}
    for line in shapes(view, Line):
        if line.kind == "bond":
            for point, name in zip(line.points[[0, -1]], ends[line.name], strict=True):
                off = np.abs(point - texts[name].centre)
                room = text_half(texts[name].text, SIZE) + 12
                assert (off < room).all(), (line.name, name)


def test_bonds_between_groups_do_not_run_upon_each_other(view):
    """Level and upright parts of two bonds never share more than a crossing."""
    grid = Grid.of(view.bonds.graph, view.tree)
    outside = {bond.name for bond, _, _ in grid.outside()}
    lines = [s for s in shapes(view, Line) if s.kind == "bond" and s.name in outside]
    for one, other in combinations(lines, 2):
        for (a, b), (c, d) in [
            (p, q) for p in segments(one.points) for q in segments(other.points)
        ]:
            for along in (0, 1):
                across = 1 - along
                flat = np.ptp([a[across], b[across], c[across], d[across]]) < 3
                shared = min(max(a[along], b[along]), max(c[along], d[along])) - max(
                    min(a[along], b[along]), min(c[along], d[along]))  # fmt: skip
                assert not (flat and shared > 3), (one.name, other.name)


def test_strokes_stand_where_effort_is_received():
    """R - 1 - I with a source: the inertia is integral, so it receives the effort."""
    graph = BondGraph()
    graph.one("n")
    graph.add("Se", "push", Source(1.0), on="n")
    graph.add("I", "mass", Inertia(2.0), on="n")
    graph.add("R", "drag", Resistance(3.0), on="n")
    causality = assign(graph)
    at = {b.name: Ends.of(causality, i) for i, b in enumerate(graph.bonds)}
    assert at["mass"] == Ends(0, 1)  # to the head, the inertia
    assert at["push"] == Ends(0, 1)  # to the junction
    assert at["drag"] == Ends(1, 0)  # the resistance gives the effort
    way = np.array([[0.0, 0.0], [100.0, 0.0]])
    for bond in graph.bonds:
        (stroke,) = [s for s in bond_lines(bond, way, at[bond.name]) if s.kind == "stroke"]
        assert stroke.points[:, 0] == pytest.approx(100.0 if at[bond.name].head else 0.0)
        assert not stroke.dashed


def test_strokes_of_mixed_causality_are_dashed_at_both_ends():
    view = load("rotating_beam").graph("bond")
    causality, graph = view.bonds.causality, view.bonds.graph
    mixed = [b.name for i, b in enumerate(graph.bonds)
             if len({causality.stroke(i, k) for k in range(b.dim)}) == 2]  # fmt: skip
    assert sorted(mixed) == ["blade.SUM_blade.xi", "blade.xi.M"]
    dashed = [s for s in shapes(view, Line) if s.kind == "stroke" and s.dashed]
    assert len(dashed) == 2 * len(mixed)
    assert "effort given to the head in 3 components, to the tail in 3" in view.svg()


def test_dependent_stores_are_red_and_explained(view):
    texts = symbols(view)
    dependent = {name for name, _ in view.bonds.causality.derivative}
    stores = [n.name for n in view.bonds.graph.nodes.values() if n.kind in "IC"]
    inks = {name: texts[name].colour for name in stores}
    assert {name for name in stores if "derivative causality" in texts[name].title} == dependent
    assert len({inks[n] for n in dependent}) == 1
    assert not {inks[n] for n in dependent} & {inks[n] for n in stores if n not in dependent}


def test_tree_joints_show_what_they_hold(view):
    """Sf:0 on the constraint side: 6 - nu components of every tree joint, none of cut ones; that of
    a spherical joint is an element of the graph."""
    held = {}
    for line in shapes(view, Line):
        if line.kind == "held":
            joint, count = line.name.rpartition(".")[0], int(line.title.split(" holds ")[1][0])
            held[joint] = held.get(joint, 0) + count
            assert line.dashed
    joints = [e.joint for e in view.tree.edges]
    assert held == {j.name: 6 - j.nu for j in joints if j.nu < 6 and j.kind != "spherical"}
    assert all(f"{j.name}.Sf" in view.bonds.graph.nodes for j in joints if j.kind == "spherical")


def test_chains_run_from_the_ground_to_the_right():
    view = load("manipulator").graph("bond")
    x = {b.name: b.corners[:, 0].mean() for b in shapes(view, Blob)}
    chain = ["ground", "J1", "link1", "J2", "link2", "J3", "link3", "J4", "payload"]
    assert [x[n] for n in chain] == sorted(x[n] for n in chain)
    at = {name: text.centre for name, text in symbols(view).items()}
    for k in range(1, 5):  # a motor stands straight above the speed that it drives
        assert at[f"motor{k}.TF"][0] == pytest.approx(at[f"J{k}.u"][0])
        assert at[f"motor{k}.TF"][1] < at[f"J{k}.u"][1]
    for one, other in (("J2.0v", "link2.root.v"), ("J2.0w", "link2.root.w")):  # level bonds
        assert at[one][1] == pytest.approx(at[other][1])


@pytest.mark.parametrize("name", ["pendulum", "planar_slider_crank", "rotating_beam", "bricard"])
@pytest.mark.parametrize("tree", ["joint", "absolute"])
def test_size_of_mass_matrix_is_that_of_the_equations(name, tree):
    system = load(name)
    data = system.graph("bond", tree=tree).as_dict()
    e = FORMULATIONS["multibond"].derive(spanning_tree(system.model, tree), observe=False)
    assert data["mass_matrix"] == [e.residual.numel(), e.u.numel()]
    assert data["multipliers"] == (e.lam.numel() if e.written.form != "mixed" else 0)
    assert data["coordinates"] == [s.name for s in e.layout.q]


def test_summary_of_the_two_link_chain_names_bodies_and_states():
    """S0 8.4.2: translation of both links follows from the joints, 3 + 3 states fewer."""
    links = [pl.RigidBody.rod(f"link{k}", 1.0, mass=1.0, frames={"end": [1, 0, 0]}) for k in (1, 2)]
    joints = [pl.Spherical("S1", "ground", "link1"), pl.Spherical("S2", "link1.end", "link2")]
    text = pl.System(bodies=links, joints=joints).graph("bond").summary()
    assert "bodies link1, link2: translation derivative, rotation integral\n" in text
    given = "(given by link1.xi.M and link2.xi.M)"
    assert f"link1 and link2: translation is dependent {given}: 6 states fewer" in text
    assert "M 6 x 12, mixed form without multipliers" in text
    assert "no algebraic loop, no conflict" in text


def test_incidence_balances_every_bond():
    m = load("planar_slider_crank").graph("bond").matrices["incidence"]
    assert (m.sum("element") == 0).all()
    assert (abs(m).sum("element") == 2).all()
    assert m.sel(element="crank.m", bond="crank.m") == 1


def test_dot_has_clusters_half_arrows_and_strokes():
    view = load("pendulum").graph("bond")
    text = view.dot()
    assert text.count("subgraph cluster_") == 3
    assert text.count(" -> ") == len(view.bonds.graph.bonds)
    (mass,) = [line for line in text.splitlines() if '"bob.Pc" -> "bob.m"' in line]
    assert "arrowhead=lvee" in mass  # derivative: the mass gives the effort
    assert "arrowtail=tee" in mass
    assert 'label="3"' in mass


def test_large_graphs_are_collapsed_unless_asked_for_in_full():
    system = load("stewart_platform")
    small, large = system.graph("bond"), system.graph("bond", full=True)
    assert small.is_collapsed
    assert not large.is_collapsed
    grid = Grid.of(small.bonds.graph, small.tree)
    ports = {n for bond, _, _ in grid.outside() for n in (bond.tail, bond.head)}
    assert set(symbols(small)) == ports
    assert set(symbols(large)) == set(large.bonds.graph.nodes)
    assert {b.name for b in shapes(small, Blob)} == {b.name for b in shapes(large, Blob)}
    assert "only elements with bonds to others" in small.svg()
    test_no_two_texts_overlap(small)
    test_no_text_stands_on_a_bond_that_is_not_its_own(small)
    test_bonds_between_groups_do_not_run_upon_each_other(small)


def test_a_flexible_body_with_many_frames_is_drawn_in_columns():
    """Four frames of a beam, three of them at its right: more than its figure has room for."""
    frames = {"a": [0.4, 0, 0], "b": [1.2, 0, 0]}
    beam = pl.Beam("boom", 2.0, stiffness={"EIz": 100.0}, mass_per_length=1.0, frames=frames,
                   shapes={"bending_y": 2})  # fmt: skip
    loads = [pl.RigidBody.point(f"load{k}", 1.0) for k in range(3)]
    joints = [pl.Revolute("pivot", "ground", "boom.root", axis="z")]
    joints += [pl.Fixed(f"hook{k}", f"boom.{frame}", f"load{k}")
               for k, frame in enumerate(("a", "b", "tip"))]  # fmt: skip
    view = pl.System(bodies=[beam, *loads], joints=joints).graph("bond")
    test_no_two_texts_overlap(view)
    test_no_text_stands_on_a_bond_that_is_not_its_own(view)
    test_bonds_between_groups_do_not_run_upon_each_other(view)
    test_bonds_end_at_their_elements(view)
    at = {name: text.centre for name, text in symbols(view).items()}
    for frame in ("a", "b", "tip", "root"):
        (name,) = [t for t in shapes(view, Text) if t.text == frame]
        assert np.linalg.norm(name.centre - at[f"boom.{frame}.v"]) < 30


def test_forces_on_frames_and_joints_are_groups_of_their_own():
    arm = pl.RigidBody.rod("arm", 0.5, mass=2, frames={"tip": [0.5, 0, 0]})
    forces = [pl.Actuator("motor", "pin", effort="1"), pl.Force("push", "arm.tip", [1, 0, 0]),
              pl.Spring("spring", "ground", "arm.tip", stiffness=9)]  # fmt: skip
    system = pl.System(bodies=[arm], joints=[pl.Revolute("pin", "ground", "arm", axis="y")],
                       forces=forces)  # fmt: skip
    view = system.graph("bond")
    boxes = {b.name: b.corners.max(axis=0)[1] for b in shapes(view, Blob)}
    tops = {b.name: b.corners.min(axis=0)[1] for b in shapes(view, Blob)}
    assert boxes["motor"] < tops["pin"]
    assert boxes["push"] < tops["arm"]
    assert boxes["spring"] < tops["arm"]


def test_way_is_trimmed_at_boxes_around_its_ends():
    way = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 80.0]])
    cut = trimmed(way, np.array([10.0, 5.0]), np.array([8.0, 6.0]))
    assert cut[0][1] == 0
    assert 10 < cut[0][0] < 20
    assert cut[-1][0] == 100
    assert 65 < cut[-1][1] < 74
    assert cut[1] == pytest.approx([100, 0])


def test_same_picture_every_time():
    first, second = (load("crank_rocker").graph("bond").svg() for _ in range(2))
    assert first == second


def test_save_by_ending(tmp_path):
    view = load("pendulum").graph("bond")
    for ending in ("svg", "png", "dot"):
        view.save(tmp_path / f"g.{ending}")
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "g.dot").read_text().startswith("digraph")


@pytest.mark.parametrize(("name", "tree"), [("space_robot", None), ("skate", "absolute")])
def test_mechanisms_that_nothing_holds_to_the_ground_are_drawn(name, tree):
    """Columns between the ground and the first bodies are empty then."""
    view = load(name).graph("bond", tree=tree, full=True)
    assert sorted(symbols(view)) == sorted(view.bonds.graph.nodes)


def test_a_column_much_higher_than_a_page_is_parted():
    """Twelve boxes of 100 x 50 in one column beside one: their order is kept, nobody stands before
    what was before him, and the picture is at most twice as high as wide."""
    box = Arranged(low=np.zeros(2), high=np.array([100.0, 50.0]))
    names = ["first", *(f"b{k}" for k in range(12)), "last"]
    columns = {"first": 0, **{f"b{k}": 1 for k in range(12)}, "last": 2}
    found = paged(dict.fromkeys(names, box), columns)
    assert list(found.values()) == sorted(found.values())
    assert found["first"] == 0 < found["b0"] <= found["b11"] < found["last"]
    heights = Counter(found.values())
    assert max(heights.values()) * 72 <= 2 * len(heights) * 122
    assert paged(dict.fromkeys(names[:4], box), columns) == {n: columns[n] for n in names[:4]}


def test_the_graph_of_a_beam_in_pieces_has_the_proportions_of_a_page():
    drawn = ElementTree.fromstring(load("spin_up").graph("bond").svg())
    assert float(drawn.get("height")) < 2.2 * float(drawn.get("width"))
