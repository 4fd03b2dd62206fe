"""Pictures of networks: parts in their boxes, every element named, bonds that can be followed."""

import sys
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.bonds import BondGraph, Compliance, Inertia, Resistance, assign
from pliant.graphs import spanning_tree
from pliant.show.bonds.drawing import Strokes, drawing
from pliant.show.bonds.groups import SIZE, Grid
from pliant.show.bonds.network import arranged, part_paths
from pliant.show.bonds.places import whole
from pliant.show.bonds.scene import bond_scene
from pliant.show.graphs.labels import text_half
from pliant.show.graphs.shapes import Blob, Line, Text

EXAMPLES = Path(__file__).parents[3] / "examples"
MOTOR = {"R": 1, "L": 0.1, "k": 0.5, "d": 0.1, "J": 0.1}
FILTER = pl.Subgraph(
    "filter",
    domain="electrical",
    parameters={"R": None},
    elements={
        "series": {"junction": 1},
        "node": {"junction": 0},
        "r": {"R": "R", "on": "series"},
        "c": {"C": 1e-6, "on": "node"},
    },
    bonds={"through": {"from": "series", "to": "node"}},
    ports={"in": "series", "out": {"junction": "node", "outward": True}},
)


def ladder(stages):
    """Filters in a row, each a part."""
    elements = {"supply": {"Se": 1, "on": "n0"}, "n0": {"junction": 0}}
    for k in range(stages):
        ports = {"in": f"n{k}", "out": f"n{k + 1}"}
        elements[f"f{k}"] = {"part": "filter", "with": {"R": 1000}, "ports": ports}
        elements[f"n{k + 1}"] = {"junction": 0}
    network = pl.Network("ladder", elements, domain="electrical")
    return pl.System(networks=[network], subgraphs=[FILTER])


def motors():
    """One supply for two motors on joints, drag at a frame."""
    arms = [pl.RigidBody.rod(f"arm{k}", 1.0, mass=1.0, frames={"tip": [1, 0, 0]}) for k in (1, 2)]
    joints = [pl.Revolute(f"J{k}", "ground", f"arm{k}", axis="z") for k in (1, 2)]
    elements = {"bus": {"junction": 0}, "supply": {"Se": 10, "on": "bus"},
                "bleed": {"R": 100, "on": "bus"}, "l1": {"junction": 1}, "l2": {"junction": 1},
                "x": {"junction": 0}, "ra": {"R": 1, "on": "l1"}, "rb": {"R": 2, "on": "l2"},
                "cx": {"C": 0.1, "on": "x"}}  # fmt: skip
    for k in (1, 2):
        ports = {"terminals": "bus", "shaft": f"s{k}"}
        elements[f"m{k}"] = {"part": "dc-motor", "with": MOTOR, "ports": ports}
        elements[f"s{k}"] = {"joint": f"J{k}"}
    bonds = {f"{a}_{b}": {"from": a, "to": b}
             for a, b in (("bus", "l1"), ("bus", "l2"), ("l1", "x"), ("l2", "x"))}  # fmt: skip
    drag = {"at": {"frame": "arm1.tip"}, "drag": {"R": np.eye(3).tolist(), "on": "at"}}
    networks = [pl.Network("net", elements, bonds=bonds, domain="electrical"),
                pl.Network("air", drag, domain="translation")]  # fmt: skip
    return pl.System(bodies=arms, joints=joints, networks=networks)


def crane():
    return pl.load(EXAMPLES / "hydraulic_crane.yaml")


@pytest.fixture(scope="module", params=[lambda: ladder(4), motors, crane], ids="lmc")
def view(request):
    return request.param().graph("bond", full=True)


def shapes(view, kind):
    return [s for s in view.scene.shapes if isinstance(s, kind)]


def boxes(view):
    return {b.name: (b.corners.min(axis=0) - b.width / 2, b.corners.max(axis=0) + b.width / 2)
            for b in shapes(view, Blob)}  # fmt: skip


def symbols(view):
    known = view.bonds.graph.nodes
    return {t.owner: t for t in shapes(view, Text) if t.owner in known and t.size == SIZE
            and t.title.startswith(known[t.owner].title)}  # fmt: skip


def parts_of(view):
    """Full names of parts with the elements in them."""
    found = {}
    graph = view.bonds.graph
    for network in view.tree.model.networks:
        nodes = [n for n in graph.nodes if n.startswith(f"{network}.")]
        for node, path in part_paths(graph, network, nodes).items():
            for k in range(1, len(path) + 1):
                found.setdefault(".".join([network, *path[:k]]), set()).add(node)
    return found


def test_parts_are_the_sub_graphs_of_the_model():
    assert set(parts_of(ladder(2).graph("bond"))) == {"ladder.f0", "ladder.f1"}
    found = parts_of(crane().graph("bond", full=True))
    assert {"oil.valve", "oil.valve.PA", "oil.cylinder", "oil.tank"} < set(found)
    assert found["oil.valve.PA"] == {"oil.valve.PA.gap", "oil.valve.PA.edge"}


def test_a_part_is_a_box_around_its_elements_and_no_others(view):
    drawn, texts = boxes(view), symbols(view)
    for part, nodes in parts_of(view).items():
        low, high = drawn[part]
        for name, text in texts.items():
            half = text_half(text.text, text.size)
            if name in nodes:
                assert (text.centre - half >= low).all(), (part, name)
                assert (text.centre + half <= high).all(), (part, name)
            else:
                beside = (text.centre + half <= low) | (text.centre - half >= high)
                assert beside.any(), (part, name)


def test_parts_are_named_once_and_stand_within_or_apart(view):
    drawn, parts = boxes(view), parts_of(view)
    names = [t.owner for t in shapes(view, Text)]
    for part in parts:
        (title,) = [t for t in shapes(view, Text) if t.owner == part]
        assert title.text == part.rpartition(".")[2]
        assert (title.centre > drawn[part][0]).all()
        assert (title.centre < drawn[part][1]).all()
        assert names.count(part) == 1
    for one, other in combinations(parts, 2):
        (low, high), (low2, high2) = drawn[one], drawn[other]
        if other.startswith(one + "."):
            assert (low2 > low).all()
            assert (high2 < high).all()
        elif not one.startswith(other + "."):
            assert ((low >= high2) | (low2 >= high)).any()


def test_every_element_of_a_network_has_its_name(view):
    for name, text in symbols(view).items():
        network = name.partition(".")[0]
        if network in view.tree.model.networks and not name.endswith(".TF"):
            kind = view.bonds.graph.nodes[name].kind
            assert text.text == f"{kind}:{name.rpartition('.')[2]}"


def test_attachments_are_named_by_what_they_are_attached_to():
    texts = symbols(motors().graph("bond"))
    assert texts["net.s1.TF"].text == "TF:J1"
    assert texts["net.s2.TF"].text == "TF:J2"
    assert texts["air.at.TF"].text == "TF:arm1.tip"


def test_every_bond_has_a_stroke_at_the_end_that_receives_effort(view):
    causality, graph = view.bonds.causality, view.bonds.graph
    strokes = [s.points.mean(axis=0) for s in shapes(view, Line) if s.kind == "stroke"]
    ways = {s.name: s.points for s in shapes(view, Line) if s.kind == "bond"}
    expected = []
    for i, bond in enumerate(graph.bonds):
        ends = {causality.stroke(i, k) for k in range(bond.dim)}
        expected += [ways[bond.name][-1 if end == "head" else 0] for end in ends]
    assert len(strokes) == len(expected)
    apart = np.linalg.norm(np.array(strokes)[:, None] - np.array(expected)[None], axis=2)
    assert (apart.min(axis=0) < 0.1).all()


def test_bonds_in_networks_do_not_run_upon_each_other(view):
    networks = tuple(f"{n}." for n in view.tree.model.networks)
    lines = [s for s in shapes(view, Line) if s.kind == "bond" and s.name.startswith(networks)]
    assert len(lines) > 5
    for one, other in combinations(lines, 2):
        for a, b in pairwise(one.points):
            for c, d in pairwise(other.points):
                for along in (0, 1):
                    values = [p[1 - along] for p in (a, b, c, d)]
                    shared = min(max(a[along], b[along]), max(c[along], d[along])) - max(
                        min(a[along], b[along]), min(c[along], d[along]))  # fmt: skip
                    assert not (np.ptp(values) < 3 and shared > 3), (one.name, other.name)


def test_power_of_a_ladder_goes_from_left_to_right_in_one_line():
    view = ladder(4).graph("bond")
    at = {name: t.centre for name, t in symbols(view).items()}
    chain = ["ladder.supply", "ladder.n0"]
    for k in range(4):
        chain += [f"ladder.f{k}.series", f"ladder.f{k}.node", f"ladder.n{k + 1}"]
    places = np.array([at[n] for n in chain])
    assert (np.diff(places[:, 0]) > 20).all()
    assert np.ptp(places[:, 1]) < 0.5


def calls(function):
    """How many calls of functions (Python's and others) a function needs."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def flat_ladder(stages):
    """A graph of 4 elements per stage."""
    graph = BondGraph()
    for k in range(stages):
        graph.add("1", f"s{k}")
        graph.add("I", f"i{k}", Inertia(1.0), on=f"s{k}")
        graph.add("0", f"p{k}")
        graph.add("C", f"c{k}", Compliance(1.0), on=f"p{k}")
        graph.bond(f"s{k}", f"p{k}")
        if k:
            graph.bond(f"p{k - 1}", f"s{k}")
    return graph


def test_work_of_drawing_grows_with_the_size_of_the_graph():
    """300 elements: less than 700 calls each; half as many: about half of the work."""
    tree = spanning_tree(ladder(1).model)

    def picture(causality):
        grid = Grid.of(causality.graph, tree)
        places = whole(grid, {}, grid.groups)
        return drawing(grid, places, Strokes.of(causality), {}, grid.groups)

    def work(stages):
        causality = assign(flat_ladder(stages))
        return calls(lambda: bond_scene(picture(causality), title="", caption=""))

    half, full = work(38), work(75)
    assert full < 300 * 700
    assert full < 2.3 * half


def test_work_for_many_loops_grows_with_their_number():
    """Two graphs of four-bars, one twice as long: half of the picture's work is in one."""

    def work(loops):
        view = _four_bars(loops).graph("bond")
        assert len(view.bonds.graph.nodes) > 30 * loops
        return calls(lambda: view.scene)

    assert work(12) < 2.6 * work(6)


def _four_bars(loops):
    bars = [pl.RigidBody.rod(f"bar{k}", 1.0, mass=1, frames={"B": [1, 0, 0]})
            for k in range(loops + 1)]  # fmt: skip
    rods = [pl.RigidBody.rod(f"rod{k}", 1.0, mass=1, frames={"B": [1, 0, 0]})
            for k in range(loops)]  # fmt: skip
    ground = pl.Ground(frames={f"A{k}": [k, 0, 0] for k in range(loops + 1)})
    joints = [pl.Revolute(f"A{k}", f"ground.A{k}", f"bar{k}", axis="y") for k in range(loops + 1)]
    for k in range(loops):
        joints.append(pl.Revolute(f"B{k}", f"bar{k}.B", f"rod{k}", axis="y"))
        joints.append(pl.Revolute(f"C{k}", f"rod{k}.B", f"bar{k + 1}.B", axis="y", cut=True))
    return pl.System(ground=ground, bodies=[*bars, *rods], joints=joints)


def test_a_ring_is_drawn_without_a_line_upon_a_symbol():
    """Six junctions in a ring, each with a resistance: no source, no port, a circle."""
    graph = BondGraph()
    for k in range(6):
        graph.add("0" if k % 2 else "1", f"n{k}")
        graph.add("R", f"r{k}", Resistance(1.0), on=f"n{k}")
    for k in range(6):
        graph.bond(f"n{k}", f"n{(k + 1) % 6}")
    halves = {n: text_half(f"{node.kind}:{n}", SIZE) for n, node in graph.nodes.items()}
    found = arranged(graph, "", halves, {})
    assert set(found.nodes) == set(graph.nodes)
    assert set(found.ways) == {b.name for b in graph.bonds}
    for bond in graph.bonds:
        way = found.ways[bond.name]
        assert way[0] == pytest.approx(found.nodes[bond.tail])
        assert way[-1] == pytest.approx(found.nodes[bond.head])
        for a, b in pairwise(way):
            points = a + np.linspace(0, 1, 200)[:, None] * (b - a)
            for name, at in found.nodes.items():
                if name not in (bond.tail, bond.head):
                    assert not (np.abs(points - at) < halves[name]).all(axis=1).any()


def test_dot_has_the_same_parts():
    lines = crane().graph("bond").dot().splitlines()
    depth, labels = 0, {}
    for line in lines:
        if "subgraph" in line:
            labels[line.split('label="')[1].split('"')[0]] = depth
        depth += line.count("{") - line.count("}")
    assert labels["oil"] == 1
    assert labels["valve"] == labels["cylinder"] == 2
    assert labels["PA"] == 3
    assert depth == 0
