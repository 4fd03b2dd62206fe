"""Building bond graphs: faults all at once, sub-graphs with ports."""

from __future__ import annotations

import pytest

from pliant.errors import ModelError
from pliant.graphs.bonds import (
    BondGraph,
    Compliance,
    Gyrator,
    Inertia,
    Resistance,
    Source,
    State,
    Transformer,
    assign,
)
from pliant.graphs.bonds.state import Scope


def test_every_fault_is_reported_at_once_by_name() -> None:
    g = BondGraph("faulty")
    g.one("n", 2)
    g.add("Se", "E", Source(1.0), on="n")
    g.add("R", "R", Source(1.0), 2, on="n")
    g.add("R", "R", Resistance(1.0))
    g.add("I", "alone", Inertia(1.0))
    g.bond("n", "nowhere")
    g.add("TF", "lever", Transformer(2.0))
    g.bond("n", "lever")
    g.bond("n", "lever", name="second")
    g.add("X", "odd")  # type: ignore[arg-type]
    with pytest.raises(ModelError) as caught:
        assign(g)
    text = str(caught.value)
    for said in (
        "R R: the name is taken by R R",
        "bond 'E': has 1 components; 1-junction n has 2",
        "R R: needs a law of type Resistance",
        "I alone: is not connected",
        "bond 'n_nowhere': there is no element 'nowhere'",
        "TF lever: no half arrow leaves it: two arrows enter",
        "element 'odd': unknown kind 'X'",
    ):
        assert said in text, text


def test_a_matrix_of_the_wrong_shape_is_named() -> None:
    g = BondGraph()
    g.one("a", 3)
    g.one("b", 2)
    g.transformer("lever", "a", "b", Transformer([[1.0, 0.0], [0.0, 1.0]]), (2, 3))
    g.add("Sf", "s", Source([0.0] * 3), 3, on="a")
    with pytest.raises(ModelError, match="TF lever: a matrix of 2 x 2, not 2 x 3"):
        assign(g)


def motor() -> BondGraph:
    g = BondGraph("motor")
    g.one("armature", domain="electrical")
    g.add("R", "R", Resistance(lambda ops, s: s["R"]), on="armature")
    g.add("I", "L", Inertia(lambda ops, s: s["L"]), on="armature")
    g.add("GY", "k", Gyrator(lambda ops, s: s["k"] + 0 * s.u["L"][0]))
    g.bond("armature", "k")
    g.one("shaft", domain="rotation")
    g.bond("k", "shaft")
    g.port("supply", "armature")
    g.port("shaft", "shaft", outward=True)
    return g


def test_sub_graphs_are_joined_by_named_ports() -> None:
    g = BondGraph("two motors")
    g.zero("mains", domain="electrical")
    g.add("Se", "V", Source(10.0), on="mains")
    g.one("axle", domain="rotation")
    g.add("I", "J", Inertia(1.0), on="axle")
    for k in (1, 2):
        ports = {"supply": "mains", "shaft": "axle"}
        g.include(motor(), f"m{k}", ports, parameters={"R": 2.0, "k": f"k{k}"})
    g.check()
    assert "m2.L" in g.nodes
    supply = g.bonds[g.index("m1.supply")]
    assert (supply.tail, supply.head, supply.domain) == ("mains", "m1.armature", "electrical")
    shaft = g.bonds[g.index("m2.shaft")]
    assert (shaft.tail, shaft.head) == ("m2.shaft", "axle")
    assert g.nodes["m1.R"].owner == "m1"
    assert assign(g).conflicts == ()


def test_ports_that_are_left_open_or_do_not_exist_are_faults() -> None:
    g = BondGraph()
    g.one("axle")
    g.include(motor(), "m", {"axis": "axle", "shaft": "axle"})
    with pytest.raises(ModelError) as caught:
        g.check()
    assert "m: port 'supply' is not connected" in str(caught.value)
    assert "m: there is no port 'axis'; its ports: supply, shaft" in str(caught.value)


class _Numbers:
    t = 0.0

    def look_up(self, name: str) -> str:
        return f"outer {name}"


def test_laws_of_nested_parts_see_their_own_names() -> None:
    inner, outer = BondGraph(), BondGraph()
    inner.one("j")
    inner.add("C", "c", Compliance.capacity(1.0), on="j")
    inner.port("p", "j")
    outer.one("k")
    outer.include(inner, "in", {"p": "k"}, parameters={"a": "b"})
    outer.port("p", "k")
    whole = BondGraph()
    whole.one("top")
    whole.include(outer, "out", {"p": "top"}, parameters={"b": 7.0, "c": "d"})
    scope = whole.nodes["out.in.c"].scope
    assert isinstance(scope, Scope)
    state = State(None, _Numbers(), x={"out.in.c": 3.0}).within(scope)  # type: ignore[arg-type]
    assert state["a"] == 7.0
    assert state["c"] == "outer d"
    assert state["e"] == "outer e"
    assert state.x["c"] == 3.0
    assert list(state.x) == ["c"]
