"""Joints of multibond graphs as zero flow and as constraintors: one set of equations in two forms.

Source S0: mixed causality (8.42), (8.45); constraintors (8.38)-(8.39); they are equal (8.62).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np
import pytest
from tests.models.random_systems import (
    CUT_KINDS,
    TREE_KINDS,
    random_flexible_tree,
    random_tree,
    with_loop,
)
from tests.models.spherical_chain import flexible_chain, rigid_chain
from tests.unit.formulations.multibond_bodies import junction_flow

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import initial_state, parameters, same_motion_in
from pliant.bonds.rows import extract
from pliant.formulations import FORMULATIONS
from pliant.formulations.multibond.formulation import _Derivation
from pliant.graphs import spanning_tree
from pliant.reading.algebra.evaluate import Evaluation
from pliant.solve.start.random_state import random_state
from pliant.spatial.ops import NUMERIC
from pliant.spatial.symbolic import SYMBOLIC

FUNCTIONS = ("explicit", "constraints", "initial", "tangent", "bodies", "start_states")
CHAINS = {"rigid": rigid_chain, "flexible": flexible_chain}


@dataclass
class Form:
    """Blocks of one form at states that the joint tree gives."""

    first: Program
    own: Program
    p_first: np.ndarray
    p_own: np.ndarray

    @classmethod
    def of(cls, system: pl.System, tree: str) -> Form:
        first = prepare(system, functions=FUNCTIONS, interpret=True)
        own = prepare(system, Choice("multibond", tree), functions=FUNCTIONS, interpret=True)
        return cls(first, own, parameters(system, first, None), parameters(system, own, None))

    @property
    def names(self) -> list[str]:
        return [s.name for s in self.own.compiled.layout.u]

    def order(self, names: list[str]) -> list[int]:
        return [self.names.index(n) for n in names]

    def blocks(self, x: np.ndarray) -> list[np.ndarray]:
        """M, h, G, γ."""
        x = same_motion_in(self.first, x, self.p_first, self.own, self.p_own)
        y = self.own.compiled.call("explicit", x, self.p_own)
        return [self.own.compiled.block("explicit", k, y) for k in ("M", "h", "G", "gamma")]


def states(system: pl.System, count: int) -> list[np.ndarray]:
    first = prepare(system, functions=FUNCTIONS, interpret=True)
    c, start = first.compiled, initial_state(system, first, None, 0.0)
    size = np.ones(c.nu)
    for _, u, n in c.layout.elastic.values():
        size[u : u + n] = 0.03
    rng = np.random.default_rng(4)
    return [random_state(c, start.p, start.x, rng, size) for _ in range(count)]


@pytest.fixture(params=CHAINS)
def chain(request) -> pl.System:
    return CHAINS[request.param]()


def test_translation_of_the_links_is_dependent_and_nothing_else(chain):
    """Derivative causality at link1.m and link2.m only (fig. 8-5); none with constraintors."""
    causality = chain.graph("bond").bonds.causality
    assert causality.derivative == {(f"link{k}.m", c) for k in (1, 2) for c in range(3)}
    held = chain.graph("bond", tree="absolute").bonds.causality
    assert held.derivative == frozenset()
    assert "link1 and link2: translation is dependent" in chain.graph("bond").summary()


def test_eliminating_the_multipliers_gives_the_mixed_form(chain):
    """(8.62): with L* = -L_d⁻¹ L_i, M = [L*ᵀ M_d, M_i] and h = h_i + L*ᵀ h_d, at random states."""
    mixed, held = Form.of(chain, "joint"), Form.of(chain, "absolute")
    dependent = [f"link{k}.v{c}" for k in (1, 2) for c in "xyz"]
    independent = [n for n in mixed.names if n not in dependent]
    assert sorted(mixed.names) == sorted(held.names)
    columns, d, i = mixed.order(dependent + independent), *map(held.order, (dependent, independent))
    for x in states(chain, 20):
        (M, h, G, _), (Mc, hc, Gc, _) = mixed.blocks(x), held.blocks(x)
        assert M.shape == (len(independent), len(mixed.names))
        assert Mc.shape == (len(held.names), len(held.names))
        assert not np.abs(Mc[np.ix_(d, i)]).any()  # M is block diagonal: (8.61)
        L = -np.linalg.solve(Gc[:, d], Gc[:, i])
        eliminated = np.hstack([L.T @ Mc[np.ix_(d, d)], Mc[np.ix_(i, i)]])
        rows = [independent.index(n) for n in mixed.names if n in independent]
        assert np.abs(M[:, columns] - eliminated[rows]).max() < 1e-12 * np.abs(M).max()
        size = np.abs(hc).max()
        assert np.abs(h - (hc[i] + L.T @ hc[d])[rows]).max() < 1e-12 * size
        assert np.abs(G[:, columns] - np.hstack([np.eye(6), -L])).max() < 1e-12 * np.abs(L).max()


def test_both_forms_can_be_read():
    """Rows of rotation with the forces of both mass centres; velocities of these as constraints;
    in the other form one row for each flow, and multipliers only of joints."""
    mixed = rigid_chain().equations("multibond")
    assert mixed.mass_matrix.shape == (6, 12)
    assert mixed.rows == tuple(f"link{k}.w{c}" for k in (1, 2) for c in "xyz")
    text = mixed.text()
    assert "mixed form" in text
    assert "+ J1*link1.wy' - 2*m2*l1*(S1.e0*S1.e2 + S1.e1*S1.e3)*link2.vx'" in text
    assert "link1.vx:  0 = l1*S1.e0*S1.e2*link1.wy + l1*S1.e0*S1.e3*link1.wz" in text
    held = rigid_chain().equations("multibond", tree="absolute")
    assert held.mass_matrix.shape == (12, 12)
    assert held.multipliers.shape == (6, 1)
    assert "link1.vz:  0 = m1*link1.vz' + m1*g" in held.text()
    assert "- l1*lambda_S1_x*(link1.e0*link1.e2 + link1.e1*link1.e3)" in held.text()
    assert len(text.splitlines()) < 130
    assert len(held.text().splitlines()) < 160


@pytest.mark.parametrize("tree", ["joint", "absolute"])
def test_what_is_printed_has_the_values_of_what_is_computed(tree):
    """Residual and velocities of constraints at unit quaternions, entry by entry."""
    system = rigid_chain()
    readable = system.equations("multibond", tree=tree)
    e = derive(system, Choice("multibond", tree))
    rng = np.random.default_rng(7)
    state = {k: rng.normal(size=getattr(e, k).numel()) for k in ("q", "u", "a", "lam")}
    for start in e.layout.quaternions:
        own = slice(start, start + 4)
        state["q"][own] /= np.linalg.norm(state["q"][own])
    values = {s.name(): v for s, v in zip(ca.vertsplit(e.p), e.inputs.values, strict=True)}
    for k, numbers in state.items():
        for symbol, value in zip(getattr(readable.equations, k), numbers, strict=True):
            values[readable.space.symbols[symbol.symbol].name] = float(value)
    evaluation = Evaluation(readable.space, NUMERIC, values)
    compiled = ca.Function("f", [*(getattr(e, k) for k in state), e.p], [e.residual, e.cv])
    pairs = zip(compiled(*state.values(), e.inputs.values),
                (readable.equations.residual, readable.equations.cv), strict=True)  # fmt: skip
    for expected, column in pairs:
        wanted = np.array(expected).ravel()
        found = np.array([float(evaluation.of(v)) for v in column])
        assert np.abs(found - wanted).max() < 1e-13 * np.abs(wanted).max()


@pytest.mark.parametrize("name", CHAINS)
def test_the_chain_agrees_with_the_other_formulations(name):
    report = CHAINS[name]().verify(pointwise=True, states=5)
    assert report.agree, str(report)


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow),
                                  pytest.param(3, marks=pytest.mark.slow)])  # fmt: skip
def test_bodies_of_a_tree_may_be_free_in_part(seed, monkeypatch):
    """Trees of joints and bodies: stores of free bodies are integral, joints that are left out are
    constraintors; the same answers as recursive in joint coordinates."""
    rng = np.random.default_rng(40 + seed)
    system = random_flexible_tree(rng, 4) if seed % 2 else random_tree(rng, 5)
    free = [f"b{k}" for k in range(len(system.model.bodies)) if rng.random() < 0.5] or ["b0"]
    joints = [f"j{b[1:]}" for b in system.model.bodies if b not in free]
    tree = (*joints, *free)
    own = replace(FORMULATIONS["multibond"], trees=(tree,))
    monkeypatch.setitem(FORMULATIONS, "multibond", own)
    report = system.verify(pointwise=True, states=3, seed=seed)
    assert report.agree, str(report)
    causality = system.graph("bond", tree=tree).bonds.causality
    roots = {e.outer for e in spanning_tree(system.model, tree).edges if not e.joint.m}
    assert {f"{b}.m" for b in roots}.isdisjoint(name for name, _ in causality.derivative)


@pytest.mark.parametrize("kind", TREE_KINDS)
def test_every_joint_on_flexible_bodies_in_both_forms(kind):
    rng = np.random.default_rng(3 + len(kind))
    report = random_flexible_tree(rng, 2, kinds=(kind,)).verify(pointwise=True, states=3)
    assert report.agree, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("kind", CUT_KINDS)
def test_every_joint_closes_a_loop_of_flexible_bodies(kind):
    rng = np.random.default_rng(19 + len(kind))
    free = ("spherical", "universal", "cylindrical", "planar")
    system = with_loop(rng, random_flexible_tree(rng, 3, kinds=free), kind)
    report = system.verify(pointwise=True, states=3)
    assert report.agree, str(report)


def test_flows_of_the_graph_are_rates_of_positions():
    """q' = N f(R, W), S0 (8.46): what the graph says of the velocity of a free beam's origin is the
    derivative of its position along q'."""
    system = flexible_chain()
    tree = spanning_tree(system.model, "absolute")
    built = _Derivation(tree, SYMBOLIC)
    rows = extract(built.graph, built.causality, SYMBOLIC, built.skeleton.values,
                   symbols=built.symbols)  # fmt: skip
    e = derive(system, Choice("multibond", "absolute"))
    rng = np.random.default_rng(2)
    unknowns = built.skeleton.unknowns
    for body in ("link1", "link2"):
        X = built.motion.bodies[body].X_WB
        q, qdot = unknowns.column(unknowns.q), unknowns.column(unknowns.qdot)
        rate = X.R.T @ SYMBOLIC.jtimes(X.p, q, qdot)
        flow = junction_flow(rows, f"{body}.R")
        f = ca.Function("f", [q, rows.u, built.skeleton.values.p], [rate - flow, flow])
        at = rng.normal(size=q.numel())
        for start in e.layout.quaternions:
            own = slice(start, start + 4)
            at[own] /= np.linalg.norm(at[own])
        gap, size = (np.array(y) for y in f(at, rng.normal(size=rows.u.numel()), e.inputs.values))
        assert np.abs(gap).max() < 1e-13 * np.abs(size).max()
