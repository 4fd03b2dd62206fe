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
from pliant.backends.blocks import independent
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


MOTOR = """
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 60, on: mesh}
      motor: {part: dc-motor, with: {R: 0.4, L: 0.05, k: 0.7, d: 0.2, J: 0.6}, \
ports: {terminals: mesh, shaft: axle}}
      axle: {joint: A0, coordinate: angle}
"""
DRIVER = """
drivers:
  d: {joint: A0, angle: "0.7 + 4*t"}
"""


def chain(bases: tuple[float, ...], rate: float, drive: str = "") -> pl.System:
    """Parallelograms side by side on bases in these directions: all bars turn by the same angle,
    and loop k has a change point where that is its base's, or half a turn more."""
    at, frames, bodies, joints = np.zeros(2), [], [], []
    for k, base in enumerate((0.0, *bases)):
        at = at + 0.2 * (k > 0) * np.array([np.cos(base), np.sin(base)])
        frames.append(f"A{k}: [{float(at[0])!r}, {float(at[1])!r}, 0]")
        bodies.append(f"a{k}: {{rod: {{length: 0.5, mass: 1}}, frames: {{B: [0.5, 0, 0]}}}}")
        given = f"initial: {{angle: 0.7, angle_rate: {rate}}}" if rate or drive == MOTOR else ""
        given = given if k == 0 and given else "guess: {angle: 0.7}"
        joints.append(f"A{k}: {{revolute: {{axis: z}}, between: [ground.A{k}, a{k}], {given}}}")
        if k:
            bodies.append(f"c{k}: {{rod: {{length: 0.2, mass: 1}}, frames: {{C: [0.2, 0, 0]}}}}")
            joints.append(f"B{k}: {{revolute: {{axis: z}}, between: [a{k - 1}.B, c{k}], "
                          f"guess: {{angle: {base - 0.7!r}}}}}")  # fmt: skip
            joints.append(f"C{k}: {{revolute: {{axis: z}}, between: [c{k}.C, a{k}.B], cut: true}}")
    lines = ["pliant: 1", "gravity: [0, -9.81, 0]", "ground:", "  frames:"]
    lines += [f"    {frame}" for frame in frames]
    for title, items in (("bodies:", bodies), ("joints:", joints)):
        lines += [title, *(f"  {item}" for item in items)]
    return pl.loads("\n".join(lines) + drive)


def chain_angle(n: int, rate: float, t: float, motor: bool) -> Any:
    """Angles of n parallelograms at 2000 times until t, by Runge-Kutta of order 4:
    I a = k i - d w - G cos(angle), L i' = V - R i - k w."""
    inertia, weight = (n + 1) / 12 + n / 4 + 0.6 * motor, 9.81 * ((n + 1) / 4 + n / 2)
    k, d = 0.7 * motor, 0.2 * motor
    y, h, found = np.array([0.7, rate, 0.0]), t / 2000, [0.7]

    def rates(y: Any) -> Any:
        a = (k * y[2] - d * y[1] - weight * np.cos(y[0])) / inertia
        return np.array([y[1], a, (60 - 0.4 * y[2] - k * y[1]) / 0.05 if motor else 0.0])

    for _ in range(2000):
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(y + h * k3))
        found.append(y[0])
    return np.array(found)


def poses_told(r: pl.Result) -> int:
    """How many change points a result says it has passed."""
    remark = next((w for w in r.warnings if "change point" in w), "").partition(":")[0]
    more = remark.partition(" and ")[2].partition(" more")[0]
    return remark.count(" s,") + remark.count(" s and") + remark.endswith(" s") + int(more or 0)


SEVERAL: list[dict[str, Any]] = [
    {}, {"formulation": "natural"}, {"formulation": "multibond"}, {"formulation": "kane"},
    {"tree": "absolute"}, {"method": "radau"}, {"constraints": "partitioning"},
]  # fmt: skip


@pytest.mark.parametrize("way", SEVERAL, ids=lambda w: "-".join(w.values()) or "auto")
@pytest.mark.parametrize("motor", [False, True], ids=["free", "motor"])
def test_poses_of_several_loops_are_passed_and_told(way: dict[str, Any], motor: bool) -> None:
    """0.3 rad apart: the first of two hides the second until it is near."""
    bases, rate = (0.0, 0.3), 0.0 if motor else 8.0
    r = chain(bases, rate, MOTOR * motor).simulate(
        0.8, every=0.1, rtol=1e-8, outputs=["A*.angle"], **way
    )
    exact = chain_angle(2, rate, 0.8, motor)
    turns = [np.floor((exact - base) / np.pi) for base in bases]
    assert r.completed
    assert abs(r.values("A0.angle")[-1] - exact[-1]) < 1e-6
    assert np.abs(np.exp(1j * (r.values("A2.angle") - r.values("A0.angle"))) - 1).max() < 1e-11
    assert poses_told(r) == sum(int(np.abs(np.diff(t)).sum()) for t in turns)


@pytest.mark.parametrize("way", SEVERAL, ids=lambda w: "-".join(w.values()) or "auto")
def test_a_driven_chain_tells_its_poses(way: dict[str, Any]) -> None:
    r = chain((0.0, 0.3), 0.0, DRIVER).simulate(
        1.2, every=0.1, rtol=1e-8, outputs=["A*.angle"], **way
    )
    assert r.completed
    assert np.abs(np.exp(1j * (r.values("A2.angle") - 0.7 - 4 * r.time)) - 1).max() < 1e-11
    remark = next(w for w in r.warnings if "change point" in w)
    assert "t = 0.6104 s, 0.6854 s:" in remark  # (pi - 0.7)/4, and 0.3/4 later


def test_poses_beside_each_other_are_seen_within_long_steps() -> None:
    """Between two poses the smallest singular value hardly rises, however steep it is elsewhere."""
    for start in (0.7, 0.75, 0.85, 1.45):
        driver = DRIVER.replace("0.7", f"{start}")
        r = chain((0.0, 0.3), 0.0, driver).simulate(1.2, every=0.1, rtol=1e-8, outputs=["A0.angle"])
        assert poses_told(r) == 2
        assert f"t = {(np.pi - start) / 4:.4f} s, {(np.pi + 0.3 - start) / 4:.4f} s" in str(
            r.warnings
        )


@pytest.mark.parametrize("way", SEVERAL[:5], ids=lambda w: "-".join(w.values()) or "auto")
@pytest.mark.parametrize("apart", [1e-2, 1e-5, 1e-9])
def test_poses_at_nearly_the_same_time_are_passed(way: dict[str, Any], apart: float) -> None:
    """Told as one or two: a hop may lead over both."""
    r = chain((0.0, apart), 8.0).simulate(0.8, every=0.1, rtol=1e-8, outputs=["A*.angle"], **way)
    assert r.completed
    assert abs(r.values("A0.angle")[-1] - chain_angle(2, 8.0, 0.8, False)[-1]) < 1e-6
    assert np.abs(np.exp(1j * (r.values("A2.angle") - r.values("A0.angle"))) - 1).max() < 1e-11
    assert poses_told(r) >= 2


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


@pytest.mark.parametrize("longer", [0.0, 1e-9])
def test_blocks_say_where_two_ways_meet_or_nearly_do(longer: float) -> None:
    """Their long steps cannot tell one from the other, and the result says so."""
    r = crank(0.3 + longer).simulate(method="sparse-alpha", rtol=1e-3, outputs=["O.angle_rate"])
    assert r.completed
    assert r.values("O.angle_rate")[-1] == pytest.approx(crank_rate(crank_angle(0.6)), rel=1e-3)
    remark = next(w for w in r.warnings if "change point" in w)
    assert "near t = 0.4488 s ('O', 'A', 'B', 'S')" in remark
    assert "or nearly" in remark


@pytest.mark.parametrize("way", [{"method": "sparse-alpha"},
                                 {"method": "sparse-conserving", "step": 1e-3}],
                         ids=lambda w: w["method"])  # fmt: skip
def test_blocks_that_stop_before_a_pose_name_it(way: dict[str, Any]) -> None:
    r = chain((0.0, 0.3), 8.0).simulate(0.8, every=0.1, rtol=1e-8, outputs=["A0.angle"], **way)
    exact = chain_angle(2, 8.0, 0.8, False)
    when = 0.8 * np.argmax(exact > np.pi) / 2000
    assert not r.completed
    assert r.info["failure_code"] == "change-point"
    assert "two ways of assembly meet near" in r.failure
    told = float(r.failure.partition("meet near t = ")[2].partition(" s")[0])
    assert told == pytest.approx(when, abs=2e-3)
    assert all(f"'{joint}'" in r.failure for joint in ("A0", "A1", "B1", "C1"))


def test_blocks_pass_the_poses_of_two_loops() -> None:
    """The same poses as other back ends tell, and the same motion."""
    r = chain((0.0, 0.3), 8.0).simulate(
        0.8, every=0.1, rtol=1e-4, outputs=["A0.angle"], method="sparse-alpha"
    )
    exact = chain_angle(2, 8.0, 0.8, False)
    assert r.completed
    assert abs(r.values("A0.angle")[-1] - exact[-1]) < 1e-3
    assert "and 1 more times" in next(w for w in r.warnings if "change points" in w)


def test_blocks_say_when_they_no_longer_look_for_poses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(independent, "_MOST", 500)
    r = crank(0.3).simulate(method="sparse-alpha", rtol=1e-3, outputs=["O.angle_rate"])
    assert any("were not looked for" in w for w in r.warnings)


@pytest.mark.parametrize("file", ["planar_slider_crank", "bricard"])
def test_blocks_of_regular_loops_tell_of_none(file: str) -> None:
    s = pl.load(f"examples/{file}.yaml")
    r = s.simulate(1, every=0.1, rtol=1e-3, outputs=["energy"], method="sparse-alpha")
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
