"""Causality: strokes, priorities, conflicts and what they mean, cost."""

from __future__ import annotations

import numpy as np
import pytest

from pliant.bonds import (
    BondGraph,
    Compliance,
    Gyrator,
    Inertia,
    Resistance,
    Source,
    Transformer,
    assign,
    diagnose,
)
from pliant.bonds.dependence import Dependence, components
from pliant.errors import InputError, ModelError
from pliant.formulations.multibond.extract import equations
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.model import Model
from pliant.spatial.symbolic import SYMBOLIC


def said(graph: BondGraph) -> list[str]:
    return [str(finding) for finding in diagnose(assign(graph))]


def junction(kind: str, *elements: tuple[str, str]) -> BondGraph:
    """One junction with plain elements on it."""
    laws = {
        "Se": Source(1.0), "Sf": Source(1.0), "R": Resistance(1.0), "I": Inertia(1.0),
        "C": Compliance.capacity(1.0), "CN": None,
    }  # fmt: skip
    g = BondGraph("test")
    g.add(kind, "n")  # type: ignore[arg-type]
    for own, name in elements:
        g.add(own, name, laws[own], on="n")  # type: ignore[arg-type]
    return g


def test_two_flow_sources_on_a_common_flow_are_a_conflict() -> None:
    g = junction("1", ("Sf", "a"), ("Sf", "b"), ("R", "R"))
    assert said(g) == ["Sf a and Sf b both fix the flow of 1-junction n"]
    with pytest.raises(ModelError, match="Sf a and Sf b both fix the flow of 1-junction n"):
        equations(g, SYMBOLIC, SymbolicValues(Model(), SYMBOLIC))


def test_two_effort_sources_on_a_common_effort_are_a_conflict() -> None:
    g = junction("0", ("Se", "a"), ("Se", "b"), ("R", "R"))
    assert said(g) == ["Se a and Se b both fix the effort of 0-junction n"]


def test_sources_are_named_across_junctions_and_transformers() -> None:
    g = BondGraph()
    g.one("a")
    g.one("b")
    g.transformer("gear", "a", "b", Transformer(3.0))
    g.add("Sf", "drive", Source(1.0), on="a")
    g.add("Sf", "brake", Source(0.0), on="b")
    (text,) = said(g)
    assert "Sf drive" in text
    assert "Sf brake" in text


def test_nobody_gives_the_effort() -> None:
    (text,) = said(junction("0", ("Sf", "a"), ("Sf", "b")))
    assert text == "nothing fixes the effort of 0-junction n; bonded there: Sf a and Sf b"


def test_a_lever_cannot_be_driven_backwards() -> None:
    """The cross product with an arm is square, and singular."""
    arm = np.array([[0.0, -3.0, 2.0], [3.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    g = BondGraph()
    g.one("w", 3)
    g.one("v", 3)
    g.transformer("arm", "w", "v", Transformer(arm), (3, 3))
    g.add("Sf", "slide", Source([0.0] * 3), 3, on="v")
    g.add("I", "J", Inertia(1.0), 3, on="w")
    assert said(g)[0].startswith("Sf slide would drive arm backwards, which has no inverse")


def four_bar(close: str) -> BondGraph:
    """Three bars in the plane with rotational inertia and mass; ``close`` holds the last tip."""
    g, angles = BondGraph(), SYMBOLIC.symbols([f"th{i}" for i in range(3)])
    g.one("O", 2)
    g.add("Sf", "ground", Source([0.0, 0.0]), 2, on="O")
    tip = "O"
    for i, length in enumerate((0.4, 1.1, 0.8)):
        g.one(f"w{i}")
        g.add("I", f"J{i}", Inertia(0.1), on=f"w{i}", priority=5)
        for end, part in (("c", 0.5), ("t", 1.0)):

            def arm(ops, state, r=part * length, th=angles[i]):
                return ops.vec(-r * ops.sin(th), r * ops.cos(th))

            g.zero(f"0{end}{i}", 2)
            g.one(f"{end}{i}", 2)
            g.bond(tip, f"0{end}{i}")
            g.bond(f"0{end}{i}", f"{end}{i}")
            g.transformer(f"arm{end}{i}", f"w{i}", f"0{end}{i}", Transformer(arm), (2, 1))
        g.add("I", f"m{i}", Inertia(1.0), 2, on=f"c{i}", priority=1)
        tip = f"t{i}"
    law = Source([0.0, 0.0]) if close == "Sf" else None
    g.add(close, "close", law, 2, on=tip)  # type: ignore[arg-type]
    return g


def test_a_loop_closed_by_a_flow_source_asks_for_a_constraintor() -> None:
    """The dependent rates of a four-bar need a linear solution that no stroke expresses."""
    causality = assign(four_bar("Sf"))
    texts = [str(f) for f in diagnose(causality)]
    assert len(texts) == 2
    for text in texts:
        assert text.startswith("Sf ground and Sf close both fix the flow of 1-junction t2")
        assert text.endswith("a closed loop of flows needs a constraintor CN in place of one Sf")
    causality = assign(four_bar("CN"))
    assert causality.conflicts == ()
    assert causality.derivative == {(f"m{i}", k) for i in range(3) for k in range(2)}


def test_all_conflicts_are_reported() -> None:
    g = junction("1", ("Sf", "a"), ("Sf", "b"), ("R", "R"))
    g.zero("m")
    for name in ("c", "d"):
        g.add("Se", name, Source(1.0), on="m")
    assert len(said(g)) == 2


def test_a_healthy_graph_says_so() -> None:
    g = junction("1", ("Se", "E"), ("R", "R"), ("I", "L"), ("C", "C"))
    assert said(g) == ["all stores are independent; no algebraic loop"]


def test_dependent_stores_are_named_with_what_determines_them() -> None:
    assert said(junction("0", ("Sf", "J"), ("C", "C1"), ("C", "C2"))) == [
        "C C2: dependent (given by C1): 1 state fewer"
    ]
    g = BondGraph()
    g.one("v", 3, domain="translation")
    for k in (1, 2):
        g.add("I", f"link{k}.m", Inertia(1.0), 3, on="v", owner=f"link{k}", domain="translation")
    g.add("Sf", "motion", Source([0.0] * 3), 3, on="v")
    assert said(g)[0].startswith("I link1.m: its flow is fixed by motion (3 states fewer)")
    g = BondGraph()
    g.one("v", 3, domain="translation")
    for name in ("cart", "link1", "link2"):
        g.add("I", f"{name}.m", Inertia(1.0), 3, on="v", owner=name, domain="translation")
    assert said(g) == [
        "link1 and link2: translation is dependent (given by cart.m): 6 states fewer"
    ]


def test_a_source_across_a_store_needs_its_derivative() -> None:
    assert said(junction("0", ("Se", "E"), ("C", "C"))) == [
        "C C: its effort is fixed by E (1 state fewer); "
        "the time derivative of the source enters the equations"
    ]


def test_algebraic_loops_are_named_by_their_resistances() -> None:
    g = junction("1", ("Se", "E"), ("R", "R1"))
    g.zero("c")
    g.bond("n", "c")
    g.add("R", "R2", Resistance(1.0), on="c")
    assert said(g) == ["R1 and R2 form an algebraic loop of 1 unknown"]
    g = junction("0", ("C", "C"))
    g.add("R", "valve", Resistance(effort_of_flow=lambda ops, s, f: f * f * f), on="n")
    assert said(g) == ["valve is asked for what its law does not give: 1 unknown"]


def test_priority_decides_which_store_is_independent() -> None:
    for first in ("a", "b"):
        g = BondGraph()
        g.one("n")
        for name in ("a", "b"):
            g.add("I", name, Inertia(1.0), on="n", priority=int(name == first))
        assert assign(g).derivative == {({"a": "b", "b": "a"}[first], 0)}


def test_forced_strokes_are_obeyed() -> None:
    g = junction("1", ("Se", "E"), ("R", "R"), ("I", "L"))
    assert assign(g).stroke("R") == "tail"
    free = assign(g, forced={"R": "head"})
    assert free.stroke("R") == "head"
    assert free.derivative == {("L", 0)}
    with pytest.raises(InputError, match="no bond 'Q'"):
        assign(g, forced={"Q": "head"})


def test_a_forced_stroke_against_a_source_is_a_conflict() -> None:
    g = junction("1", ("Se", "E"), ("R", "R"), ("I", "L"))
    (text,) = [str(f) for f in diagnose(assign(g, forced={"E": "tail"}))]
    assert text == "Se E and the forced stroke of E contradict each other at Se E"


def test_components_of_a_selection_are_independent() -> None:
    """A matrix that only selects falls apart: one component runs back, the other stays free."""
    g = BondGraph()
    g.one("a", 2)
    g.one("b", 1)
    g.transformer("pick", "a", "b", Transformer([[0.0, 1.0]]), (1, 2))
    g.add("I", "m", Inertia(1.0), 2, on="a")
    g.add("Sf", "s", Source(0.0), on="b")
    causality = assign(g)
    assert causality.conflicts == ()
    assert causality.derivative == {("m", 1)}


def test_gyrators_turn_effort_into_flow() -> None:
    """Behind a gyrator an inertia acts as a compliance: two of them are independent."""
    g = BondGraph()
    g.one("a")
    g.one("b")
    g.add("GY", "k", Gyrator(2.0))
    g.bond("a", "k")
    g.bond("k", "b")
    g.add("I", "L", Inertia(1.0), on="a")
    g.add("I", "J", Inertia(1.0), on="b")
    assert assign(g).derivative == frozenset()
    g.add("C", "c", Compliance.capacity(1.0), on="b")
    assert assign(g).derivative == frozenset()


def test_state_dependent_ratios_are_not_inverted() -> None:
    def graph(ratio: object) -> BondGraph:
        g = BondGraph()
        g.one("a")
        g.one("b")
        g.transformer("cam", "a", "b", Transformer(ratio))  # type: ignore[arg-type]
        g.add("I", "m", Inertia(1.0), on="a")
        g.add("I", "M", Inertia(1.0), on="b", priority=1)
        return g

    assert assign(graph(lambda ops, s: s["n"])).derivative == {("m", 0)}
    cam = graph(lambda ops, s: ops.sin(s.t))
    assert assign(cam).derivative == {("M", 0)}
    angle = SYMBOLIC.symbol("angle")
    assert assign(graph(lambda ops, s: angle)).derivative == {("M", 0)}


def ladder(n: int) -> BondGraph:
    """n sections of L in series and C to ground, closed by a resistance."""
    g = BondGraph()
    g.zero("node0")
    g.add("Se", "E", Source(1.0), on="node0")
    for k in range(1, n + 1):
        g.one(f"mesh{k}")
        g.zero(f"node{k}")
        g.bond(f"node{k - 1}", f"mesh{k}")
        g.bond(f"mesh{k}", f"node{k}")
        g.add("I", f"L{k}", Inertia(1.0), on=f"mesh{k}")
        g.add("C", f"C{k}", Compliance.capacity(1.0), on=f"node{k}")
    g.add("R", "R", Resistance(1.0), on=f"node{n}")
    return g


def star(n: int) -> BondGraph:
    """n inertias on one junction: all but one refused."""
    g = BondGraph()
    g.one("n")
    for k in range(n):
        g.add("I", f"m{k}", Inertia(1.0), on="n")
    return g


@pytest.mark.parametrize("make", [ladder, star])
def test_assignment_costs_operations_linear_in_the_number_of_bonds(make: object) -> None:
    small, large = (make(n) for n in (100, 500))  # type: ignore[operator]
    a, b = assign(small), assign(large)
    assert large.scalars >= 500
    ratio = (b.work / large.scalars) / (a.work / small.scalars)
    assert ratio == pytest.approx(1.0, abs=0.05)
    assert b.conflicts == ()


def test_long_chains_do_not_exhaust_the_stack() -> None:
    """2000 bonds of rigid gears in a row: the variables depend on each other 2000 deep."""
    g = BondGraph()
    g.one("j0")
    g.add("I", "J", Inertia(1.0), on="j0")
    for k in range(1, 1000):
        g.one(f"j{k}")
        g.transformer(f"gear{k}", f"j{k - 1}", f"j{k}", Transformer(2.0 if k % 2 else 0.5))
    g.add("R", "R", Resistance(3.0), on="j999")
    assert len(g.bonds) == 2000
    e = equations(g, SYMBOLIC, SymbolicValues(Model(), SYMBOLIC), form="mixed", observe=False)
    assert str(e.residual) == "(J.flow'+(12*J.flow))"


def test_components_come_in_the_order_of_computation() -> None:
    needs = {0: [1], 1: [2], 2: [1, 3], 3: [], 4: [4]}
    assert components(needs, needs.__getitem__) == [[3], [1, 2], [0], [4]]


def test_tears_are_few() -> None:
    """A ladder of resistances: one loop per section, each torn once."""
    n = 6
    g = BondGraph()
    g.zero("node0")
    g.add("Se", "E", Source(1.0), on="node0")
    for k in range(1, n + 1):
        g.one(f"mesh{k}")
        g.zero(f"node{k}")
        g.bond(f"node{k - 1}", f"mesh{k}")
        g.bond(f"mesh{k}", f"node{k}")
        g.add("R", f"Rs{k}", Resistance(1.0), on=f"mesh{k}")
        g.add("R", f"Rp{k}", Resistance(1.0), on=f"node{k}")
    tears = sum(len(stage.tears) for stage in Dependence(g, assign(g)).loops)
    assert tears <= n
