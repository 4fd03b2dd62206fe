"""Source S0, section 8.4.2: two flexible links on spherical joints, in both forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
import pytest
from tests.unit.formulations.multibond_bodies import Configuration, Link, spherical_chain

from pliant.bonds import assign, diagnose
from pliant.bonds.elements import WITHOUT_POWER
from pliant.bonds.rows import BondEquations, extract
from pliant.formulations.multibond.extract import balance
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.model import Model
from pliant.spatial.symbolic import SYMBOLIC

DEPENDENT = [f"link{k}.m.{c}" for k in (1, 2) for c in (1, 2, 3)]


@dataclass
class Chain:
    """Rows of a form as functions of coordinates and speeds by name."""

    rows: BondEquations
    places: list[Configuration]
    names: list[str]

    @classmethod
    def of(cls, joint: str, multipliers: bool = False) -> Chain:
        graph, links = spherical_chain(joint)
        places = [c for link in links for c in link.configurations()]
        values = SymbolicValues(Model(), SYMBOLIC)
        rows = extract(graph, assign(graph), SYMBOLIC, values, multipliers=multipliers)
        return cls(rows, places, [s.name for s in rows.speeds])

    @property
    def q(self) -> Any:
        return ca.vertcat(*(c.q for c in self.places))

    @property
    def qdot(self) -> Any:
        return ca.vertcat(*(c.rate(self.rows) for c in self.places))

    @property
    def constraints(self) -> Any:
        """G u + b: dependent rows, then those of CN."""
        return self.rows.column(r.expression for r in (*self.rows.dependent, *self.rows.held))

    @property
    def M(self) -> Any:
        return ca.jacobian(self.rows.residual, self.rows.a)

    @property
    def G(self) -> Any:
        return ca.jacobian(self.constraints, self.rows.u)

    def function(self, *outputs: Any) -> Any:
        return ca.Function("f", [self.q, self.rows.u, self.rows.a, self.rows.lam], list(outputs))

    def order(self, names: list[str]) -> list[int]:
        return [self.names.index(n) for n in names]

    @cached_property
    def system(self) -> Any:
        """M, W, h, G, γ at a state."""
        r = self.rows
        gamma = ca.jtimes(self.constraints, self.q, self.qdot)
        W = -ca.jacobian(r.residual, r.lam)
        solved = ca.vertcat(r.a, r.lam)
        h = -ca.substitute(r.residual, solved, ca.SX.zeros(solved.numel()))
        M, G = ca.densify(self.M), ca.densify(self.G)
        return self.function(M, W, h, G, gamma, self.constraints)

    def at(self, q: Any, u: dict[str, float]) -> list[np.ndarray]:
        speeds = [u[n] for n in self.names]
        a, lam = np.zeros(len(self.names)), np.zeros(self.rows.lam.numel())
        return [np.array(y) for y in self.system(q, speeds, a, lam)]

    def solved(self, q: Any, u: dict[str, float]) -> tuple[dict[str, float], np.ndarray]:
        M, W, h, G, gamma, _ = self.at(q, u)
        K = np.block([[M, -W], [G, np.zeros((G.shape[0], W.shape[1]))]])
        found = np.linalg.solve(K, np.concatenate([h, -gamma])).ravel()
        n = len(self.names)
        return dict(zip(self.names, found[:n], strict=True)), found[n:]


@pytest.fixture(scope="module")
def mixed() -> Chain:
    return Chain.of("Sf")


@pytest.fixture(scope="module")
def held() -> Chain:
    return Chain.of("CN")


def state(chain: Chain, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, float]]:
    n = chain.q.numel()
    q = np.concatenate([rng.normal(size=3), 0.1 * rng.normal(size=n // 2 - 3)] * 2)
    q[n // 2 : n // 2 + 3] = rng.normal(size=3)
    return q, dict(zip(chain.names, rng.normal(size=len(chain.names)), strict=True))


def consistent(mixed: Chain, q: np.ndarray, u: dict[str, float]) -> dict[str, float]:
    """The same independent speeds; the others follow from u_d = L u_i."""
    *_, G, _, cv = mixed.at(q, {**u, **dict.fromkeys(DEPENDENT, 0.0)})
    own = G[:, mixed.order(DEPENDENT)]
    found = np.linalg.solve(own, -cv).ravel()
    return {**u, **dict(zip(DEPENDENT, found, strict=True))}


def test_translation_of_both_links_is_dependent_and_nothing_else(mixed: Chain, held: Chain) -> None:
    causality = mixed.rows.causality
    assert causality.derivative == {(f"link{k}.m", c) for k in (1, 2) for c in range(3)}
    texts = [str(f) for f in diagnose(causality)]
    assert len(texts) == 1
    assert texts[0].startswith("link1 and link2: translation is dependent")
    assert texts[0].endswith("6 states fewer")
    assert held.rows.causality.derivative == frozenset()


def test_the_mixed_form_has_the_sizes_of_the_source(mixed: Chain) -> None:
    assert mixed.M.shape == (14, 20)
    assert mixed.G.shape == (6, 20)
    assert mixed.rows.lam.numel() == 0


def test_levers_decide_whatever_the_priority_of_the_mass_centre(mixed: Chain) -> None:
    graph, _ = spherical_chain("Sf", centre=3)
    assert assign(graph).derivative == mixed.rows.causality.derivative


def test_eliminating_the_multipliers_gives_the_mixed_form(mixed: Chain, held: Chain) -> None:
    """(8.62): with L* = -L_d⁻¹ L_i, M = [L*ᵀ M_d, M_i], h = h_i + L*ᵀ h_d; W = Gᵀ."""
    rng = np.random.default_rng(2)
    independent = [n for n in mixed.names if n not in DEPENDENT]
    for _ in range(20):
        q, u = state(mixed, rng)
        M, _, h, G, _, _ = mixed.at(q, u)
        Mc, W, hc, Gc, _, _ = held.at(q, u)
        d, i = held.order(DEPENDENT), held.order(independent)
        L = -np.linalg.solve(Gc[:, d], Gc[:, i])
        size = max(1.0, np.abs(h).max())
        eliminated = np.hstack([L.T @ Mc[np.ix_(d, d)], Mc[np.ix_(i, i)]])
        columns = mixed.order(DEPENDENT + independent)
        assert np.abs(M[:, columns] - eliminated).max() < 1e-14 * size
        assert np.abs(h - hc[i] - L.T @ hc[d]).max() < 1e-14 * size
        assert np.abs(G[:, columns] - np.hstack([np.eye(6), -L])).max() < 1e-14 * size
        assert np.abs(W - Gc.T).max() < 1e-14


def test_all_forms_give_the_same_accelerations_and_balance_power(mixed: Chain, held: Chain) -> None:
    rng = np.random.default_rng(3)
    forms = (mixed, held, Chain.of("Sf", multipliers=True))
    audits = [_audit(form) for form in forms]
    for _ in range(5):
        q, u = state(mixed, rng)
        u = consistent(mixed, q, u)
        found = [form.solved(q, u) for form in forms]
        size = max(map(abs, found[0][0].values()))
        for rates, _ in found[1:]:
            assert max(abs(rates[n] - found[0][0][n]) for n in mixed.names) < 1e-11 * size
        for form, audit, (rates, lam) in zip(forms, audits, found, strict=True):
            speeds, a = ([v[n] for n in form.names] for v in (u, rates))
            residuals, powers = (np.array(y) for y in audit(q, speeds, a, lam))
            assert np.abs(residuals).max() < 1e-13 * np.abs(powers).max()


def _audit(form: Chain) -> Any:
    """Residual of every element without power, and the powers of all bonds."""
    evaluation, graph = form.rows.evaluation, form.rows.graph
    free = [n.name for n in graph.nodes.values() if n.kind in WITHOUT_POWER]
    powers = [
        sum(evaluation.effort(b, k) * evaluation.flow(b, k) for k in range(bond.dim))
        for b, bond in enumerate(graph.bonds)
    ]
    residuals = [balance(evaluation, name) for name in free]
    return form.function(ca.vertcat(*residuals), ca.vertcat(*powers))


def test_configurations_give_the_rates_of_positions(mixed: Chain) -> None:
    """The velocity of each mass centre is the derivative of its position along q'."""
    _, links = spherical_chain("Sf")
    rng = np.random.default_rng(5)
    q, u = state(mixed, rng)
    u = consistent(mixed, q, u)
    positions = _centres(links, mixed.q)
    rates = mixed.function(ca.jtimes(positions, mixed.q, mixed.qdot))
    speeds = [u[n] for n in mixed.names]
    found = np.array(rates(q, speeds, np.zeros(len(speeds)), [])).ravel()
    assert np.abs(found - [u[n] for n in DEPENDENT]).max() < 1e-13


def _centres(links: list[Link], q: Any) -> Any:
    """World positions of both mass centres, with the same coordinates as ``q``."""
    tip, found = ca.SX.zeros(3), []
    for link in links:
        M = link.beam.inertia(link.eta)
        c = ca.vertcat(M[1, 5], M[2, 3], M[0, 4]) / link.beam.mass
        found.append(tip + link.A @ c)
        tip = tip + link.A @ link.beam.fields(link.beam.length, link.eta)[0]
    own = ca.vertcat(*(part for link in links for part in (link.angles, link.eta)))
    return ca.substitute(ca.vertcat(*found), own, q)
