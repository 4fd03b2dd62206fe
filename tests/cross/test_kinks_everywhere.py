"""Conditions wherever a model may have them, against closed forms; together with events, restarts,
the energy balance and equal bits."""

from __future__ import annotations

import numpy as np
import pytest
from tests.cross.test_network_loops import bisected, circuit
from tests.unit.analysis.test_kinks import BILINEAR, LAWS, METHODS, slider

import pliant as pl
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.run import event_rules
from pliant.backends.expressions.start import initial_state
from pliant.formulations import FORMULATIONS
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.motion.run import run

RECTIFIER = """
pliant: 1
networks:
  n:
    domain: electrical
    elements:
      source: {Se: 10*sin(2*pi*50*t), on: a}
      a: {junction: 1}
      diode: {R: {flow: "piecewise(e > 0, e/ON, e/1e5)"}, on: a}
      SERIES
      out: {junction: 0}
      smooth: {C: 1 mF, on: out}
      load: {R: 1000 ohm, on: out}
    bonds: {ab: {from: a, to: out}}
simulate: {t_end: 0.1 s, every: 5 ms}
"""


def charged() -> np.ndarray:
    """The capacitor every 5 ms by Runge's classical method with steps of h = 5 µs: i(V - u) has no
    jump but in its slope, so that a kink costs h² di/dt / C, some 1e-6 V each."""

    def rate(t: float, u: float) -> float:
        e = 10 * np.sin(100 * np.pi * t) - u
        return 1e3 * (e / 2 if e > 0 else e / (1e5 + 1.5)) - u

    u, found, per, step = 0.0, [0.0], 1000, 5e-6
    for k in range(20 * per):
        t = k * step
        a = rate(t, u)
        b = rate(t + step / 2, u + step / 2 * a)
        c = rate(t + step / 2, u + step / 2 * b)
        d = rate(t + step, u + step * c)
        u += step / 6 * (a + 2 * b + 2 * c + d)
        if (k + 1) % per == 0:
            found.append(u)
    return np.array(found)


@pytest.fixture(scope="module")
def voltage() -> np.ndarray:
    return charged()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("on", "series"), [("2", ""), ("0.5", "r: {R: 1.5, on: a}")])
def test_diode_charges_in_short_pulses(
    on: str, series: str, method: str, voltage: np.ndarray
) -> None:
    """With a resistance of its own; and in series with one, which makes it an algebraic loop whose
    unknown decides the branch."""
    model = pl.loads(RECTIFIER.replace("ON", on).replace("SERIES", series))
    result = model.simulate(method=method, rtol=1e-7)
    assert result.values("n.smooth.effort") == pytest.approx(voltage, abs=1e-3)
    assert result.info["statistics"]["switches"] == 9
    tight = model.simulate(method=method, rtol=1e-10)
    assert tight.values("n.smooth.effort") == pytest.approx(voltage, abs=2e-5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_loop_is_solved_anew_where_its_source_jumps(formulation: str, method: str) -> None:
    """3.5 f + f³ = V, V switched on at 0.5 s: the current jumps with it."""
    text = circuit(["mesh: {junction: 1}", "source: {Se: 'piecewise(t < 0.5, 1, 2)', on: mesh}",
                    "lamp: {R: {effort: 2*f + 0.7*f**3}, on: mesh}",
                    "wire: {R: {effort: 1.5*f + 0.3*f**3}, on: mesh}"])  # fmt: skip
    result = pl.loads(text).simulate(
        t_end=1, method=method, formulation=formulation, times=[0, 0.4, 0.6, 1.0]
    )
    assert result.completed
    f = bisected(lambda f: 3.5 * f + f**3 - np.array([1, 1, 2, 2]), 0, 10)
    assert result.values("n.lamp.flow") == pytest.approx(f, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_kinked_laws_in_a_loop_share_the_current(method: str) -> None:
    text = circuit(["mesh: {junction: 1}", "source: {Se: 3*sin(7*t + 0.1), on: mesh}",
                    "lamp: {R: {effort: '2*f + 0.7*abs(f)*f + max(0, f - 0.5)'}, on: mesh}",
                    "wire: {R: {effort: 1.5*f + 0.3*f**3}, on: mesh}"])  # fmt: skip
    result = pl.loads(text).simulate(t_end=2, every=0.05, method=method, rtol=1e-8)
    V = 3 * np.sin(7 * result.time + 0.1)

    def law(f: np.ndarray) -> np.ndarray:
        return 3.5 * f + 0.7 * np.abs(f) * f + np.maximum(0, f - 0.5) + 0.3 * f**3 - V

    assert result.values("n.lamp.flow") == pytest.approx(bisected(law, -10, 10), abs=1e-9)
    assert result.info["statistics"]["switches"] == 9


def curved_rail() -> pl.System:
    """b' = max(0, a - 1) a': straight, then a parabola, at unit speed."""
    held = "b1.displacement_rate - max(0, a1.displacement - 1)*a1.displacement_rate"
    start = {"displacement_rate": 1.0}
    return pl.System(
        bodies=[pl.RigidBody(n, 1, inertia=[1, 1, 1]) for n in "ab"],
        joints=[pl.Prismatic("a1", "ground", "a", axis="x", initial=start),
                pl.Prismatic("b1", "ground", "b", axis="y")],
        constraints=[pl.VelocityConstraint("rail", held)],
    )  # fmt: skip


@pytest.mark.parametrize("form", ["augmented", "embedding"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_constraint_with_a_kink_is_followed_in_every_form(formulation: str, form: str) -> None:
    """Length of the parabola: (s √(1 + s²) + asinh s)/2 = t - 1 with s = a - 1."""
    s = bisected(lambda s: (s * np.sqrt(1 + s * s) + np.arcsinh(s)) / 2 - 2.0, 0, 3)
    for method in METHODS:
        result = curved_rail().simulate(
            t_end=3, every=1, method=method, formulation=formulation, form=form, rtol=1e-8
        )
        assert result.values("a1.displacement")[-1] == pytest.approx(1 + float(s), abs=1e-7)
        assert result.values("b1.displacement")[-1] == pytest.approx(float(s) ** 2 / 2, abs=1e-7)
        assert result.info["statistics"]["switches"] == 1


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_driver_with_a_kink_in_its_velocity_is_passed(formulation: str) -> None:
    """b" + 9 b = 9 τ², τ = t - 1/2 > 0: b = τ² - 2/9 + 2/9 cos 3τ; the driver's force is 2 N."""
    system = pl.System(
        bodies=[pl.RigidBody(n, 1, inertia=[1, 1, 1]) for n in "ab"],
        joints=[pl.Prismatic(f"{n}1", "ground", n, axis="x") for n in "ab"],
        drivers=[pl.JointDriver("d", "a1", motion="max(0, t - 0.5)**2")],
        forces=[pl.Actuator("f", "b1", effort="9*(a1.displacement - b1.displacement)")],
    )
    for method in METHODS:
        result = system.simulate(t_end=1.5, times=[0, 0.4, 1, 1.5], method=method, rtol=1e-8,
                                 formulation=formulation)  # fmt: skip
        expected = 1 - 2 / 9 + 2 / 9 * np.cos(3.0)
        assert result.values("b1.displacement")[-1] == pytest.approx(expected, abs=1e-7)
        assert result.values("d.force") == pytest.approx([0, 0, 2, 2], abs=1e-7)
        assert result.info["statistics"]["switches"] == 1


def test_condition_in_an_output_alone_costs_nothing() -> None:
    plain = slider("-4*j.displacement", 1.0).simulate(t_end=5).info["statistics"]
    system = pl.System(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("j", "ground", "b", axis="x", initial={"displacement": 1.0})],
        forces=[pl.Actuator("f", "j", effort="-4*j.displacement")],
        outputs={"shown": "abs(j.displacement) + sign(j.displacement_rate)"},
    )
    seen = system.simulate(t_end=5).info["statistics"]
    assert seen["switches"] == 0
    assert (seen["steps"], seen["evaluations"]) == (plain["steps"], plain["evaluations"])


@pytest.mark.parametrize("method", METHODS)
def test_restart_and_start_exactly_at_a_kink(method: str) -> None:
    system = slider(*LAWS["max and min"][:2])
    first = system.simulate(t_end=np.pi / 4, method=method, rtol=1e-9)
    second = system.simulate(t_end=BILINEAR, start=first, method=method, rtol=1e-9)
    assert second.values("j.displacement")[-1] == pytest.approx(1.0, abs=1e-7)
    assert second.info["statistics"]["switches"] in (1, 2)
    for v in (1.0, -1.0):
        at = slider(LAWS["max and min"][0], 0.0, v)
        end = at.simulate(t_end=BILINEAR, method=method, rtol=1e-9)
        assert end.values("j.displacement")[-1] == pytest.approx(0.0, abs=1e-7)
        assert end.info["statistics"]["switches"] in (1, 2)


@pytest.mark.parametrize("method", METHODS)
def test_two_conditions_change_at_one_instant(method: str) -> None:
    """x" = -10 x - 1 from x = 0 on: two guards, one switch."""
    law = "-10*max(0, j.displacement) - piecewise(2*j.displacement > 0, 1, 0)"
    result = slider(law, -1.0, 1.0).simulate(t_end=1.2, method=method, rtol=1e-9)
    w = np.sqrt(10)
    expected = -0.1 + 0.1 * np.cos(0.2 * w) + np.sin(0.2 * w) / w
    assert result.values("j.displacement")[-1] == pytest.approx(expected, abs=1e-8)
    assert result.info["statistics"]["switches"] == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_ball_bounces_at_any_scale(size: float, method: str) -> None:
    """From a height of ``size`` on a one-sided spring, ten times, with the tolerance of the size:
    T = 2 √(2 h/g) in the air and (2/ω)(π - atan(v ω/g)) on the spring."""
    g, k = 9.81, 1e3 * 9.81 / size
    w, v = np.sqrt(k), np.sqrt(2 * g * size)
    period = 2 * v / g + 2 / w * (np.pi - np.arctan(v * w / g))
    system = slider(f"-{g!r} + {k!r}*max(0, -j.displacement)", size)
    end = system.simulate(
        t_end=10 * period, method=method, rtol=1e-8, atol=1e-8 * min(size, v), every=period
    )
    assert end.values("j.displacement") == pytest.approx(size, rel=1e-4)
    assert end.info["statistics"]["switches"] == 20


BALL = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {ball: {sphere: {radius: 50 mm, mass: 2 kg}}}
joints: {guide: {prismatic: {axis: z}, between: [ground, ball], initial: {displacement: 1 mm}}}
forces: {floor: {joint_spring: {effort: "2e6*max(0, -x)"}, joint: guide}}
EVENTS
simulate: {t_end: 30 s, every: 1 s}
"""
HIT = "{when: guide.displacement, direction: falling}"
LEFT = "{when: guide.displacement, direction: rising}"


def period_of_ball() -> tuple[float, float]:
    """Time to the first hit, and from hit to hit."""
    g, w = 9.81, 1e3
    v = np.sqrt(2 * g * 1e-3)
    return v / g, 2 * v / g + 2 / w * (np.pi - np.arctan(v * w / g))


@pytest.mark.parametrize("method", METHODS)
def test_a_thousand_cut_steps_do_not_touch_the_energy_balance(method: str) -> None:
    """The floor is a source to the book (a law, no potential): what it gives back it has taken. A
    step that was dropped must leave nothing; local errors leave rtol √N of the energy exchanged."""
    result = pl.loads(BALL.replace("EVENTS", "")).simulate(method=method, rtol=1e-8)
    statistics, energy = result.info["statistics"], result.info["energy"]
    assert statistics["switches"] == 2 * int(30 / period_of_ball()[1])
    bound = 1e-8 * np.sqrt(statistics["steps"]) * energy.exchanged
    assert energy.worst < 10 * bound
    assert not result.warnings


@pytest.mark.parametrize("method", METHODS)
def test_events_and_guards_at_one_instant_are_counted_once(method: str) -> None:
    """Steps end just where the events are zero, and here every step is a chunk of its own: none is
    missed, none seen twice."""
    system = pl.loads(BALL.replace("EVENTS", f"events: {{hit: {HIT}, left: {LEFT}}}"))
    prepared = prepare(system)
    state = initial_state(system, prepared, None, 0.0)
    dynamics = dense_dynamics(prepared.compiled, p=state.p)
    x0 = dynamics.consistent(state.x, state.p)
    first, period = period_of_ball()
    times = np.array([0.0, first + 15.9 * period])
    data = run(prepared.compiled, dynamics, x0, state.p, times, rules=event_rules(system),
               method=method, rtol=1e-9, chunk_size=1)  # fmt: skip
    hits, left = ([e.time for e in data.events if e.rule.name == n] for n in ("hit", "left"))
    assert len(hits) == len(left) == 16
    assert np.diff(hits) == pytest.approx(period, rel=1e-4)
    assert np.diff(left) == pytest.approx(period, rel=1e-4)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_and_method_agrees_on_the_time_of_an_event(formulation: str) -> None:
    text = BALL.replace("EVENTS", f"events: {{hit: {HIT}}}")
    first, period = period_of_ball()
    for method in METHODS:
        result = pl.loads(text).simulate(
            t_end=5 * period, rtol=1e-10, method=method, formulation=formulation
        )
        hits = [e.time for e in result.events]
        assert hits == pytest.approx(list(first + period * np.arange(5)), abs=1e-8)


def test_runs_with_many_guards_are_equal_to_the_last_bit() -> None:
    """Sixty guards of state and time; arrays stand between fences, which every test checks."""
    slab = "piecewise(abs(j.displacement - {:.2f}) < 0.002, 5, -1)"
    law = " + ".join(slab.format(0.1 * (k + 1)) for k in range(20))
    law += " + table(t, [0, 0.3, 0.6, 1], [20, 25, 15, 20]) - 2*max(0, sin(40*t))"
    for method in METHODS:
        runs = [slider(law, v=2.0).simulate(t_end=1, method=method) for _ in range(2)]
        runs.append(slider(law, v=2.0).simulate(t_end=1, method=method, every=0.1))
        ends = [r.values("j.displacement")[-1] for r in runs]
        assert ends[0] == ends[1] == ends[2]
        assert runs[0].info["statistics"]["switches"] > 40


def test_blocks_and_large_trees_say_that_they_take_laws_as_written() -> None:
    names = [f"b{k}" for k in range(45)]
    stop = pl.JointSpring("stop", "j0", effort="-10*max(0, x - 0.1)")

    def chain(n: int) -> pl.System:
        return pl.System(
            bodies=[pl.RigidBody(b, 1, inertia=[1, 1, 1]) for b in names[:n]],
            joints=[pl.Revolute(f"j{k}", names[k - 1] if k else "ground", b, axis="z")
                    for k, b in enumerate(names[:n])],
            forces=[stop],
        )  # fmt: skip

    tree = chain(45).simulate(t_end=0.01, every=0.01)
    blocks = chain(2).simulate(t_end=0.01, every=0.01, method="sparse-alpha", step=1e-3)
    for result in (tree, blocks):
        assert any("'stop'" in w and "does not end steps" in w for w in result.warnings)


def test_fixed_steps_say_so_for_a_network_too() -> None:
    model = pl.loads(RECTIFIER.replace("ON", "2").replace("SERIES", ""))
    result = model.simulate(t_end=0.01, method="generalized-alpha", step=1e-5)
    assert any("does not end steps" in w for w in result.warnings)
