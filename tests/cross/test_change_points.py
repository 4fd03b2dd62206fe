"""Change points: poses in which two ways of assembly meet are passed smoothly, or the run says so.

A slider-crank with equal links straightens its branch at 90 degrees: the energy of the crank alone
then gives its motion. Links that differ turn a corner there: speeds keep the energy on the other
branch, where the slider stands still at O or the rod swings back.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions import embedded_run
from pliant.errors import CapabilityError

CRANK = """
pliant: 1
name: equal slider-crank
bodies:
  crank: {{rod: {{length: 0.3, mass: 1}}, frames: {{A: [0.3, 0, 0]}}}}
  rod: {{rod: {{length: {rod:.12g}, mass: 1.5}}, frames: {{B: [{rod:.12g}, 0, 0]}}}}
  slider: {{point: 0.7}}
joints:
  O: {{revolute: {{axis: z}}, between: [ground, crank], initial: {{angle: 0.3, angle_rate: 5}}}}
  A: {{revolute: {{axis: z}}, between: [crank.A, rod], guess: {{angle: -0.6}}}}
  B: {{revolute: {{axis: z}}, between: [rod.B, slider], cut: true}}
  S: {{prismatic: {{axis: x}}, between: [ground, slider], guess: {{displacement: 0.57}}}}
simulate: {{t_end: 0.6, every: 0.01, rtol: 1e-8}}
"""
PARALLELOGRAM = """
pliant: 1
name: parallelogram
gravity: [0, -9.81, 0]
ground: {frames: {D: [0.2, 0, 0]}}
bodies:
  a: {rod: {length: 0.5, mass: 1}, frames: {B: [0.5, 0, 0]}}
  c: {rod: {length: 0.2, mass: 3}, frames: {C: [0.2, 0, 0]}}
  b: {rod: {length: 0.5, mass: 1}, frames: {C: [0.5, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, a], initial: {angle: 0.7, angle_rate: 12}}
  B: {revolute: {axis: z}, between: [a.B, c], guess: {angle: -0.7}}
  C: {revolute: {axis: z}, between: [c.C, b.C], cut: true}
  D: {revolute: {axis: z}, between: [ground.D, b], guess: {angle: 0.7}}
simulate: {t_end: 1, every: 0.01, rtol: 1e-8}
"""
WAYS: list[dict[str, Any]] = [
    {"formulation": "recursive"},
    {"formulation": "kane"},
    {"formulation": "linear-graph"},
    {"formulation": "multibond"},
    {"formulation": "natural"},
    {"tree": "absolute"},
    {"form": "embedding"},
    {"method": "dop853"},
    {"method": "radau"},
    {"constraints": "augmented"},
    {"constraints": "baumgarte"},
    {"constraints": "complement"},
    {"constraints": "direct"},
    {"constraints": "elimination"},
    {"constraints": "partitioning"},
]


def inertia(angle: float) -> float:
    """Of the equal slider-crank about O on its first branch, rod mirrored to the crank: 2T/w^2."""
    s, c = np.sin(angle) ** 2, np.cos(angle) ** 2
    return float(0.09 * (1 / 3 + 1.5 / 12 + 1.5 * (2.25 * s + 0.25 * c) + 0.7 * 4 * s))


def crank_rate(angle: float) -> float:
    """Rate of the crank with the energy of the start."""
    return float(5 * np.sqrt(inertia(0.3) / inertia(angle)))


def crank_angle(t: float) -> float:
    """Angle of the crank at t by Runge-Kutta of order 4 on its first integral."""
    angle, n = 0.3, 4000
    h = t / n
    for _ in range(n):
        k1 = crank_rate(angle)
        k2 = crank_rate(angle + h / 2 * k1)
        k3 = crank_rate(angle + h / 2 * k2)
        angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + crank_rate(angle + h * k3))
    return angle


def parallelogram_angle(t: float) -> float:
    """Angle of the crank at t: I a = -m g r cos(angle)."""
    return pendulum_angle(0.7, 12.0, t, 9.81 * (0.5 + 1.5) / (0.5 / 3 + 0.75), 8000)


def pendulum_angle(angle: float, rate: float, t: float, stiff: float, n: int) -> float:
    """Angle at t of a = -stiff cos(angle), by n steps of Runge-Kutta of order 4."""
    h, y = t / n, np.array([angle, rate])

    def rates(y: Any) -> Any:
        return np.array([y[1], -stiff * np.cos(y[0])])

    for _ in range(n):
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(y + h * k3))
    return float(y[0])


def crank(rod: float = 0.3) -> pl.System:
    return pl.loads(CRANK.format(rod=rod))


@pytest.mark.parametrize("way", WAYS, ids=lambda w: "-".join(w.values()))
def test_equal_links_pass_the_change_point_at_their_speed(way: dict[str, Any]) -> None:
    r = crank().simulate(outputs=["O.angle", "O.angle_rate", "energy"], **way)
    assert r.completed
    end = crank_angle(0.6)
    assert abs(r.values("O.angle")[-1] - end) < 1e-6
    assert abs(r.values("O.angle_rate")[-1] - crank_rate(end)) < 1e-5
    remark = next(w for w in r.warnings if "change point" in w)
    assert "t = 0.4489 s" in remark


@pytest.mark.parametrize("way", [{}, {"tree": "absolute"}, {"method": "radau"}])
@pytest.mark.parametrize("longer", [1e-10, 1e-8, 1e-6, 1e-4, -1e-10, -1e-6])
def test_links_that_differ_turn_the_corner(way: dict[str, Any], longer: float) -> None:
    """Behind the corner only the crank and the rod turn about O, or the crank swings back."""
    r = crank(0.3 + longer).simulate(outputs=["O.angle_rate", "energy"], **way)
    about_O = 0.09 * (1 / 3 + 1.5 / 3)  # slider at rest in O, rod along the crank
    expected = 5 * np.sqrt(inertia(0.3) / about_O) * np.sign(longer)
    assert r.completed
    assert r.values("O.angle_rate")[-1] == pytest.approx(expected, rel=3e-4)
    assert np.ptp(r.values("energy")) < 1e-5
    assert not any("change point" in w for w in r.warnings)


@pytest.mark.parametrize(
    "way",
    [{}, {"tree": "absolute"}, {"formulation": "multibond"}, {"formulation": "natural"},
     {"method": "radau"}, {"method": "hht", "step": 1e-3}, {"constraints": "penalty"}],
    ids=lambda w: "-".join(str(v) for v in w.values()) or "auto",
)  # fmt: skip
def test_a_parallelogram_stays_one(way: dict[str, Any]) -> None:
    """It is a pendulum that turns over: four change points in a second."""
    r = pl.loads(PARALLELOGRAM).simulate(outputs=["A.angle", "B.angle"], **way)
    assert r.completed
    drift = 1e-12 if way.get("constraints") != "penalty" else 1e-5
    apart = np.exp(1j * (r.values("A.angle") + r.values("B.angle")))
    assert np.abs(apart - 1).max() < drift
    error = 1e-6 if way.keys() <= {"tree", "formulation", "method"} else 1e-4
    assert abs(r.values("A.angle")[-1] - parallelogram_angle(1)) < error
    assert any("passed change points" in w for w in r.warnings)


@pytest.mark.parametrize(
    "way",
    [{"tree": "absolute"}, {"constraints": "penalty"},
     {"formulation": "natural", "constraints": "augmented"}],
    ids=lambda w: "-".join(w.values()),
)  # fmt: skip
def test_two_four_bars_keep_their_branch(way: dict[str, Any]) -> None:
    s = pl.load("examples/four_bars_2.yaml")
    name = "bar2.B.position"
    reference = s.simulate(2, every=0.05, rtol=1e-10, outputs=[name])
    r = s.simulate(2, every=0.05, rtol=1e-8, outputs=[name], **way)
    assert r.completed
    assert np.abs(r.values(name) - reference.values(name)).max() < 2e-5


def test_regular_redundant_mechanism_has_no_change_point() -> None:
    """Bricard's mechanism keeps its rank though some of its rows become dependent."""
    s = pl.load("examples/bricard.yaml")
    for way in ({}, {"tree": "absolute"}, {"constraints": "penalty"}):
        r = s.simulate(3, every=0.1, rtol=1e-8, outputs=["energy"], **way)
        assert r.completed
        assert not any("change point" in w for w in r.warnings)


def test_embedding_returns_what_it_has_when_no_other_split_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: Any) -> None:
        raise CapabilityError("the constraints do not determine the other speeds")

    monkeypatch.setattr(embedded_run.EmbeddedRun, "_next", fails)
    r = crank().simulate(form="embedding", outputs=["O.angle"])
    assert not r.completed
    assert len(r.time) > 10
    assert "do not determine the other speeds" in r.failure
