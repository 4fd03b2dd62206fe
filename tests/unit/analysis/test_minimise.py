"""Optima against closed forms, with bounds and constraints."""

import numpy as np
import pytest

import pliant as pl

COMPOUND = """
pliant: 1
parameters: {d: 0.4 m, m: 2 kg, J: 0.05 kg*m^2}
gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: m, com: [0, -d, 0], inertia: [J, J, J]}}}
joints: {O: {revolute: {axis: z}, between: [ground, bob], initial: {angle: 1 rad}}}
simulate: {t_end: 0.3 s, every: 10 ms, rtol: 1e-10}
"""
THROWN = """
pliant: 1
parameters: {a: 50 deg, V: 10 m/s}
gravity: [0, -9.81, 0]
bodies:
  ball: {rigid: {mass: 1, inertia: [1, 1, 1]}, initial: {velocity: [V*cos(a), V*sin(a), 0]}}
simulate: {t_end: 1 s, every: 50 ms, rtol: 1e-10}
"""


def test_a_compound_pendulum_falls_fastest_from_its_radius_of_gyration():
    """a = m g d / (J + m d^2) is largest where d^2 = J / m, whatever the amplitude."""
    system, seen = pl.System.loads(COMPOUND), []
    best = system.minimise("last O.angle", ["d"], {"d": "0.05..1"}, progress=seen.append)
    assert best.completed
    assert best.params["d"] == pytest.approx(np.sqrt(0.05 / 2), rel=1e-4)
    run = system.simulate(params=best.params, outputs=["O.angle"])
    assert best.value == pytest.approx(run.values("O.angle")[-1])
    assert seen[-1].params == best.params
    assert best.units == {"d": "m"}
    assert "last O.angle: " in str(best)
    assert best.as_dict()["params"] == dict(best.params)


def test_a_bound_and_a_constraint_hold_the_optimum():
    """Farthest in 1 s without being below the ground: sin a = g t / (2 v), cos a the rest."""
    system = pl.System.loads(THROWN)
    best = system.minimise("-last ball.position.x", {"a": "50 deg"}, {"a": "1 deg..89 deg"},
                           ["last ball.position.y >= 0 m"])  # fmt: skip
    wanted = np.arcsin(9.81 / 20)
    assert best.params["a"] == pytest.approx(wanted, rel=1e-6)
    assert best.value == pytest.approx(-10 * np.cos(wanted), rel=1e-6)
    assert best.remarks[0] == "held by last ball.position.y >= 0 m"
    free = system.minimise("-last ball.position.x", ["a"], {"a": "30 deg..80 deg"})
    assert free.params["a"] == pytest.approx(np.pi / 6)
    assert free.remarks[0] == "a stands at its lower bound"


def test_two_numbers_and_an_equality():
    """Least speed that reaches x = 5 m, y = 0 after 1 s."""
    best = pl.System.loads(THROWN).minimise(
        "max ball speed", {"a": "50 deg", "V": 8}, {"a": "5 deg..85 deg", "V": (1, 20)},
        ["last ball.position.x = 5", "last ball.position.y = 0"],
    )  # fmt: skip
    vx, vy = 5.0, 9.81 / 2
    assert best.params["a"] == pytest.approx(np.arctan2(vy, vx), rel=1e-6)
    assert best.params["V"] == pytest.approx(np.hypot(vx, vy), rel=1e-6)


def test_constraints_that_cannot_be_kept_are_said():
    best = pl.System.loads(THROWN).minimise(
        "max ball speed", ["a"], {"a": "5 deg..85 deg"}, ["last ball.position.x > 50"]
    )
    assert not best.completed
    assert "no numbers were found that keep last ball.position.x > 50" in best.failure


def test_a_span_of_time_that_moves_is_refused():
    text = COMPOUND.replace("t_end: 0.3 s", "t_end: 2*T").replace("{d: 0.4 m,", "{T: d/4, d: 0.4,")
    with pytest.raises(pl.PliantError, match=r"t_end = 2\*T moves with d, which is looked for"):
        pl.System.loads(text).minimise("last O.angle", ["d"])
    found = pl.System.loads(text).minimise("last O.angle", ["d"], {"d": "0.05..1"}, t_end=0.3)
    assert found.params["d"] == pytest.approx(np.sqrt(0.05 / 2), rel=1e-4)


@pytest.mark.parametrize("score", ["max", "min", "mean", "rms", "span", "abs", "last"])
def test_slopes_of_scores(score):
    """Against differences of scores."""
    from pliant.results.sweeps.criterion import Criterion
    from pliant.results.sweeps.runs import Observations

    rng = np.random.default_rng(3)
    values, slopes = rng.normal(size=(20, 3)), rng.normal(size=(20, 3, 2))
    known = {"a.velocity": Observations(values[None], values[None, -1], "m/s", ("x", "y", "z"))}
    for name in ("a speed", "a.velocity.y"):
        one = Criterion.of(f"{score} {name}", known)

        def scored(p, one=one):
            moved = values + slopes @ p
            return one.scored(moved[None], moved[None, -1])[0]

        h = 1e-6
        wanted = [(scored(h * e) - scored(-h * e)) / (2 * h) for e in np.eye(2)]
        assert one.slope(values, slopes) == pytest.approx(wanted, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    ("objective", "how", "message"),
    [
        ("max last O.angle", {}, "write '-last O.angle'"),
        ("max O.angel", {}, "nothing is named 'O.angel'|no observable"),
        ("", {}, "objective: '' is no score"),
        ("last O.angle", {"constraints": ["O.angle"]}, "'O.angle' is no relation"),
        ("last O.angle", {"constraints": "O.angle > x"}, "'x' is no number"),
        ("last O.angle", {"constraints": ["last O.angle > 3 m"]}, "3 m is no rad"),
        ("last O.angle", {"parameters": ["dd"]}, "nothing is named 'dd'"),
        ("last O.angle", {"parameters": {"d": -1e400}}, "begins|finite"),
    ],
)
def test_bad_wishes_get_one_message(objective, how, message):
    system = pl.System.loads(COMPOUND)
    with pytest.raises(pl.PliantError, match=message):
        system.minimise(objective, how.pop("parameters", ["d"]), **how)
