"""Laws for every registered integrator, and references certified elsewhere."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.models import small
from tests.models.running import end_outputs, outputs, run, violation
from tests.models.small import SmallModel

import pliant as pl
from pliant.errors import CapabilityError
from pliant.solve import INTEGRATORS, dense_dynamics, integrate

ADAPTIVE = [n for n, i in INTEGRATORS.items() if i.adaptive]
FIXED = [n for n, i in INTEGRATORS.items() if not i.adaptive]
# Steps of the coarse run of an order measurement: errors well above rounding, small enough to be
# in the asymptotic range (halved once).
COARSE = {"auto": 8, "dop853": 8, "radau": 32}


@cache
def model(name: str) -> SmallModel:
    return getattr(small, name)()


@cache
def loops(n: int) -> SmallModel:
    return small.parallelograms(n)


@cache
def exact(name: str) -> np.ndarray:
    m = model(name)
    return m.reference if m.reference is not None else end_outputs(m, "dop853", rtol=1e-13)


def settings(method: str, model: SmallModel, tight: bool = False) -> dict[str, float]:
    if INTEGRATORS[method].adaptive:
        return {"rtol": 1e-9 if tight else 1e-7}
    return {"step": model.t_end / (4000 if tight else 1000)}


@pytest.mark.parametrize("method", INTEGRATORS)
@pytest.mark.parametrize("name", ["spherical_pendulum", "knife_edge", "motor"])
def test_measured_order_is_the_stated_one(method: str, name: str) -> None:
    m, order = model(name), INTEGRATORS[method].order
    steps = COARSE.get(method, 400)
    errors = [
        np.abs(end_outputs(m, method, step=m.t_end / k) - exact(name)).max()
        for k in (steps, 2 * steps)
    ]
    assert errors[0] < 0.1
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("method", INTEGRATORS)
@pytest.mark.parametrize(
    "name", ["slider_crank", "euler_top", "spherical_pendulum", "knife_edge", "motor"]
)
def test_tighter_settings_come_closer_to_the_exact_motion(method: str, name: str) -> None:
    m = model(name)
    loose, tight = (
        np.abs(end_outputs(m, method, **settings(method, m, t)) - exact(name)).max()
        for t in (False, True)
    )
    size = 1 + np.abs(exact(name)).max()
    assert tight < 0.2 * loose or tight < 1e-9
    assert tight / size < (3e-7 if INTEGRATORS[method].adaptive else 3e-5)


@pytest.mark.parametrize("method", INTEGRATORS)
@pytest.mark.parametrize("name", ["slider_crank", "spherical_pendulum", "euler_top"])
def test_energy_is_conserved_to_the_accuracy_of_the_method(method: str, name: str) -> None:
    m = model(name)
    d, chunks = run(m, method, **settings(method, m, tight=True))
    start, end = d.consistent(m.start), chunks[-1].x_end
    assert abs(m.energy(end) - m.energy(start)) < (1e-6 if INTEGRATORS[method].adaptive else 2e-4)


@pytest.mark.parametrize("method", [n for n, i in INTEGRATORS.items() if i.reversible])
def test_running_back_returns_to_the_start(method: str) -> None:
    m = model("euler_top")
    d, chunks = run(m, method, step=0.02)
    turned = chunks[-1].x_end.copy()
    turned[1 + d.nq : 1 + d.nq + d.nu] *= -1
    *_, last = integrate(d, d.consistent(np.r_[0.0, turned[1:]]), m.t_end, method=method, step=0.02)
    back = last.x_end
    assert back[1 : 1 + d.nq] == pytest.approx(m.q0, abs=1e-8)
    assert back[1 + d.nq : 1 + d.nq + d.nu] == pytest.approx(-m.u0, abs=1e-8)


@pytest.mark.parametrize("method", INTEGRATORS)
@pytest.mark.parametrize("name", ["slider_crank", "spherical_pendulum", "bricard", "knife_edge"])
def test_constraints_hold_at_every_output(method: str, name: str) -> None:
    m = model(name)
    end = min(m.t_end, 2.0)
    step = {} if INTEGRATORS[method].adaptive else {"step": 1e-3}
    d, chunks = run(m, method, t_end=end, rtol=1e-6, **step)
    for chunk in chunks:
        X = d.completed_states(chunk.evaluate(np.linspace(chunk.t0, chunk.t1, 23)), chunk.p)
        worst = np.array([violation(m, x) for x in X]).max(axis=0)
        assert worst[0] < 1e-9
        assert worst[1] < 1e-9


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("name", ["slider_crank", "spherical_pendulum", "motor"])
def test_dense_output_is_as_accurate_as_the_steps(method: str, name: str) -> None:
    m = model(name)
    d, chunks = run(m, method, rtol=1e-7, chunk=10_000)
    fine_d, fine = run(m, "dop853", rtol=1e-12, chunk=10_000)
    times = np.linspace(0, m.t_end, 301)
    coarse_y = outputs(m, d, chunks[0], times)
    fine_y = outputs(m, fine_d, fine[0], times)
    scale = 1 + np.abs(fine_y).max()
    at_end = np.abs(coarse_y[-1] - fine_y[-1]).max()
    assert np.abs(coarse_y - fine_y).max() < 20 * at_end + 3e-6 * scale


@pytest.mark.parametrize(("method", "steps"), [("dop853", 8), ("radau", 32)])
def test_drift_before_projection_falls_with_the_order(method: str, steps: int) -> None:
    m = model("spherical_pendulum")
    sizes = [
        run(m, method, step=m.t_end / k)[1][-1].stats["largest_projection"]
        for k in (steps, 2 * steps)
    ]
    assert sizes[0] > 1e-12
    assert np.log2(sizes[0] / sizes[1]) == pytest.approx(INTEGRATORS[method].order + 1, abs=0.2)


def test_slider_crank_reference_to_nine_digits() -> None:
    m = model("slider_crank")
    assert np.abs(end_outputs(m, "dop853", rtol=1e-11) - m.reference).max() < 1e-9
    assert np.abs(end_outputs(m, "radau", rtol=1e-12) - m.reference).max() < 1e-9


@pytest.mark.parametrize("name", ["pendulum", "embedded_pendulum"])
def test_pendulum_reference_to_ten_digits(name: str) -> None:
    m = model(name)
    assert np.abs(end_outputs(m, "auto", rtol=1e-12) - m.reference).max() < 1e-10


def test_bricard_reference_and_rank() -> None:
    m = model("bricard")
    d, chunks = run(m, "auto", rtol=1e-10)
    last = chunks[-1]
    assert np.abs(outputs(m, d, last, last.t1)[0] - m.reference).max() < 1e-8
    assert abs(m.energy(last.x_end) - m.energy(d.consistent(m.start))) < 1e-8
    assert (last.stats["min_rank"], last.stats["max_rank"]) == (4, 4)
    assert last.stats["rank_changes"] == 0


@pytest.mark.parametrize("method", ["radau", "auto"])
def test_parallelogram_stays_on_the_smooth_branch(method: str) -> None:
    m = loops(2)
    assert np.abs(end_outputs(m, method, rtol=1e-10) - m.reference).max() < 1e-6


@pytest.mark.parametrize("method", ["radau", "auto"])
@pytest.mark.parametrize("rtol", [1e-5, 1e-8])
def test_singular_poses_are_passed_whatever_the_speed(method: str, rtol: float) -> None:
    m = loops(2)
    d = dense_dynamics(m.compiled)
    for factor in np.random.default_rng(3).uniform(0.8, 1.5, 6):
        start = m.start
        start[1 + d.nq : 1 + d.nq + d.nu] *= factor
        x0 = d.consistent(start)
        *_, last = integrate(d, x0, 10.0, method=method, rtol=rtol)
        assert last.status == "ok"
        assert abs(last.x_end[4]) < 1e-5, "the coupler left the smooth branch"
        assert abs(m.energy(last.x_end) - m.energy(x0)) < 1e4 * rtol


@pytest.mark.parametrize("method", INTEGRATORS)
def test_a_driven_crank_that_is_too_long_locks_up(method: str) -> None:
    m = model("locking_crank")
    step = {} if INTEGRATORS[method].adaptive else {"step": 1e-3}
    _, chunks = run(m, method, rtol=1e-7, **step)
    failure = chunks[-1].status
    assert failure.code == "lock-up"
    assert failure.time == pytest.approx(np.arcsin(0.6) - 0.2, abs=2e-3)
    assert failure.row in failure.rows
    assert set(failure.rows) == {1, 2}
    assert sum(c.n_steps for c in chunks) > 10


def test_wrong_requests_are_refused_before_the_first_step() -> None:
    m = model("pendulum")
    d = dense_dynamics(m.compiled)
    x0 = d.consistent(m.start)
    for request in (
        {"method": "euler"},
        {"method": "hht"},
        {"method": "dop853", "options": {"rho": 0.5}},
    ):
        with pytest.raises(CapabilityError):
            integrate(d, x0, 1.0, **request)
    with pytest.raises(CapabilityError):
        integrate(d, x0, -1.0)
    with pytest.raises(CapabilityError, match="methods that work here: auto, radau"):
        integrate(dense_dynamics(m.compiled, "direct"), x0, 1.0, method="dop853")


def beside_slow_ones(count: int) -> pl.System:
    """A mass on a spring, 100 rad/s, beside heavy pendulums."""
    slow = [pl.RigidBody.rod(f"s{k}", length=1, mass=1000) for k in range(count)]
    pins = [
        pl.Revolute(f"j{k}", "ground", f"s{k}",
                    initial={"angle": 0.3 + 0.1 * k, "angle_rate": 1 + 0.2 * k})
        for k in range(count)
    ]  # fmt: skip
    slide = pl.Prismatic("S", "ground", "m", initial={"displacement": 0.1})
    spring = pl.JointSpring("k", "S", stiffness=1e4)
    return pl.System(gravity=[0, -9.81, 0], bodies=[*slow, pl.RigidBody.point("m", mass=1)],
                     joints=[*pins, slide], forces=[spring])  # fmt: skip


@pytest.mark.parametrize("rtol", [1e-4, 1e-8])
def test_a_fast_motion_is_as_exact_beside_slow_ones_as_alone(rtol: float) -> None:
    """The worst state decides: neither steps nor errors depend on who else is there. Errors of
    undamped steps add up: no more than one tolerance each."""
    steps, errors = [], []
    for count in (0, 20):
        r = beside_slow_ones(count).simulate(
            1, every=0.1, rtol=rtol, method="dop853", outputs=["S.*"], formulation="recursive"
        )
        n = r.info["statistics"]["steps"]
        x, v = r.values("S.displacement"), r.values("S.displacement_rate")
        error = max(
            (np.abs(x - 0.1 * np.cos(100 * r.time)) / 1.1).max(),
            (np.abs(v + 10 * np.sin(100 * r.time)) / 11).max(),
        )
        assert error < n * rtol
        steps.append(n)
        errors.append(error)
    assert abs(steps[1] - steps[0]) <= 3  # the first steps are guesses
    assert errors[1] < 1.5 * errors[0]


@pytest.mark.parametrize("rtol", [1e-4, 1e-5, 1e-6, 1e-8])
def test_samples_between_long_steps_hold_no_more_than_the_mechanism(rtol: float) -> None:
    """Bricard's mechanism takes a few long steps. Between them it is off its constraints a little,
    and dependent ones seem independent. Errors: a tolerance for each step."""
    bricard, names = pl.load("examples/bricard.yaml"), [f"rod{k}.velocity" for k in range(1, 6)]
    r, exact = (
        bricard.simulate(1, every=0.02, rtol=tol, method="dop853", outputs=names)
        for tol in (rtol, 1e-12)
    )
    for name in names:
        error = np.abs(r.values(name) - exact.values(name)) / (1 + np.abs(exact.values(name)))
        assert error.max() < r.info["statistics"]["steps"] * rtol


def test_a_first_step_that_is_refused_often_is_no_reason_for_an_implicit_method() -> None:
    """From rest nothing tells of 10 000 rad/s, and the first step is guessed far too long."""
    spring = pl.JointSpring("k", "S", stiffness=1e8)
    push = pl.Force("F", "m", ["1e5", 0, 0])
    s = pl.System(bodies=[pl.RigidBody.point("m", mass=1)], forces=[spring, push],
                  joints=[pl.Prismatic("S", "ground", "m", axis="x")])  # fmt: skip
    r = s.simulate(0.01, every=1e-3, rtol=1e-8, method="auto", outputs=["S.displacement"],
                   formulation="recursive")  # fmt: skip
    counts = r.info["statistics"]
    assert counts["rejected"] >= 3
    assert counts["handovers"] == 0
    exact = 1e-3 * (1 - np.cos(1e4 * r.time))
    assert np.abs(r.values("S.displacement") - exact).max() < counts["steps"] * 1e-8
