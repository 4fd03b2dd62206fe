"""Fits against what is known: linear problems with their covariance, oscillators, what cannot be
told apart, and every kind of data."""

import sys

import numpy as np
import pandas
import pytest
import xarray

import pliant as pl

OSCILLATOR = """
pliant: 1
name: oscillator
parameters: {m: 2 kg, k: 50 N/m, c: 0.8 N*s/m, x0: 0.1 m, v0: 0.2 m/s}
bodies: {block: {rigid: {mass: m}}}
joints:
  S: {prismatic: {axis: x}, between: [ground, block],
      initial: {displacement: x0, displacement_rate: v0}}
forces:
  near: {joint_spring: {stiffness: k, damping: c}, joint: S}
  far: {joint_spring: {stiffness: 5}, joint: S}
simulate: {t_end: 4 s, every: 10 ms, rtol: 1e-9}
"""
X = "S.displacement"
NOISE = 1e-3
t = np.linspace(0.05, 4, 80)


def closed(m=2.0, k=50.0, c=0.8, x0=0.1, v0=0.2, far=5.0):
    """x = exp(-d t) (x0 cos w t + (v0 + d x0) / w sin w t)."""
    d = c / (2 * m)
    w = np.sqrt((k + far) / m - d**2)
    return np.exp(-d * t) * (x0 * np.cos(w * t) + (v0 + d * x0) / w * np.sin(w * t))


def slopes(*names):
    """By complex steps."""
    values = dict(m=2.0, k=50.0, c=0.8, x0=0.1, v0=0.2, far=5.0)
    step = 1e-30
    found = [closed(**{**values, n: complex(values[n], step)}).imag / step for n in names]
    return np.array(found).T


@pytest.fixture(scope="module")
def system():
    return pl.System.loads(OSCILLATOR)


@pytest.fixture(scope="module")
def noisy():
    return closed() + NOISE * np.random.default_rng(1).normal(size=len(t))


def data(values):
    return {"time": t, X: values}


def test_a_linear_problem_has_its_solution_and_covariance(system, noisy):
    """x0 and v0 are in x linearly: p = (A^T A)^-1 A^T x, cov = s^2 (A^T A)^-1."""
    A = slopes("x0", "v0")
    fit = system.fit(data(noisy), {"x0": 0.3, "v0": -1}, deviations={X: NOISE})
    wanted = np.linalg.lstsq(A, noisy, rcond=None)[0]
    covariance = NOISE**2 * np.linalg.inv(A.T @ A)
    assert [fit.params["x0"], fit.params["v0"]] == pytest.approx(wanted, rel=1e-6)
    assert fit.covariance == pytest.approx(covariance, rel=1e-5)
    assert fit.deviations["v0"] == pytest.approx(np.sqrt(covariance[1, 1]), rel=1e-5)
    own = covariance / np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert fit.correlation == pytest.approx(own, rel=1e-5)
    assert fit.remarks == ()


def test_deviations_that_are_not_given_are_those_of_residuals(system, noisy):
    """s^2 = sum of squares / (n - p); intervals by Student's distribution, 1.9908 for 78."""
    fit = system.fit(data(noisy), ["k", "c"], {"k": "10..200", "c": "1e-2..10 log"})
    A = slopes("k", "c")
    rest = fit.residuals[X]
    s2 = rest @ rest / (len(t) - 2)
    A = A / NOISE  # slopes at the truth, near those at the minimum
    own = np.sqrt(s2) / NOISE * np.sqrt(np.diag(np.linalg.inv(A.T @ A)))
    assert [fit.deviations["k"], fit.deviations["c"]] == pytest.approx(own, rel=0.02)
    for name, true in (("k", 50), ("c", 0.8)):
        assert abs(fit.params[name] - true) < 3 * fit.deviations[name]
        low, high = fit.intervals[name]
        assert (high - low) / 2 / fit.deviations[name] == pytest.approx(1.9908, rel=1e-4)
    assert fit.completed
    assert fit.units["k"] == "N/m"
    assert "k  " in str(fit)
    assert fit.as_dict()["params"] == dict(fit.params)


def test_slopes_are_exact_and_differences_are_told(system, noisy):
    """An initial value, a parameter and a number without a name need no second run; a block that
    sticks until t = mu / F, then x = F (t - mu / F)^3 / (6 m), is differentiated by runs."""
    fit = system.fit(data(noisy), {"k": 48, "v0": 0.3, "forces.far.stiffness": 4},
                     {"forces.far.stiffness": "4..6"})  # fmt: skip
    assert fit.differences == {}
    sticking = pl.System.loads("""
pliant: 1
parameters: {mu: 2 N, F: 4}
bodies: {block: {rigid: {mass: 1}}}
joints: {S: {prismatic: {axis: x}, between: [ground, block]}}
forces: {push: {actuator: {effort: "F*t - mu*sign(S.displacement_rate)"}, joint: S}}
""")
    times = np.linspace(0.7, 1.2, 6)
    measured = {"time": times, X: 4 * (times - 0.5) ** 3 / 6}
    fit = sticking.fit(measured, {"mu": 2.1}, rtol=1e-7)
    assert "changed back at once from both sides" in fit.differences["mu"]
    assert fit.params["mu"] == pytest.approx(2, rel=1e-5)


def test_true_values_lie_within_three_standard_errors(system):
    """Of k and c in 12 repetitions; one beyond has a chance of 3 %."""
    beyond = 0
    for seed in range(12):
        values = closed() + NOISE * np.random.default_rng(100 + seed).normal(size=len(t))
        fit = system.fit(data(values), {"k": 47, "c": 1}, deviations={X: NOISE})
        beyond += any(abs(fit.params[n] - true) > 3 * fit.deviations[n]
                      for n, true in (("k", 50), ("c", 0.8)))  # fmt: skip
    assert beyond <= 1


@pytest.mark.slow
def test_a_crank_rocker_is_known_from_noisy_data():
    """Of motor, bearing and rotor in 12 repetitions with noise of 1 % all four numbers lie within
    three standard errors, but for one at most (a chance of 0.6 %; 99 of 100 did). Inertias of one
    shaft cannot be told apart."""
    crank, at = pl.System.load("examples/crank_rocker.yaml"), np.linspace(0.005, 0.5, 100)
    true = {"d": 0.226, "kp": 0.678, "ra": 0.4, "Jm": 0.565}
    of = ["O.angle", "current"]
    run = crank.simulate(times=np.append(0.0, at), outputs=of, rtol=1e-10)
    clean = {name: run.values(name)[1:] for name in of}

    def noisy_data(seed):
        noise = np.random.default_rng(seed)
        return {"time": at} | {n: y + 0.01 * np.abs(y).max() * noise.normal(size=len(at))
                               for n, y in clean.items()}  # fmt: skip

    beyond = 0
    for seed in range(12):
        fit = crank.fit(noisy_data(seed), {name: 1.15 * value for name, value in true.items()})
        beyond += any(abs(fit.params[n] - v) > 3 * fit.deviations[n] for n, v in true.items())
    assert beyond <= 1
    fit = crank.fit(noisy_data(3), ["kp", "J1", "Jm"])
    assert fit.remarks[0].startswith("J1 and Jm cannot be told apart from this data")


def test_a_search_that_leaves_what_is_allowed_comes_back(system):
    """A mass below zero is no model: such a step is shortened, not told as a fault."""
    values = closed(m=0.02)
    fit = system.fit(data(values), {"m": 0.3}, deviations={X: NOISE})
    assert fit.completed
    assert fit.params["m"] > 0


def test_residuals_vanish_where_nothing_is_wrong(system):
    fit = system.fit(data(closed()), {"k": 40, "x0": 0.2})
    assert fit.params["k"] == pytest.approx(50, rel=1e-6)
    assert fit.params["x0"] == pytest.approx(0.1, rel=1e-6)


def test_two_observables_are_weighed_by_their_own_residuals(system):
    """Speeds are ten times as noisy: what they say of k counts a hundredth."""
    rng = np.random.default_rng(5)
    run = system.simulate(times=t, outputs=[X, "S.displacement_rate"])
    x = run.values(X) + 1e-3 * rng.normal(size=80)
    v = run.values("S.displacement_rate") + 1e-1 * rng.normal(size=80)
    both = system.fit({"time": t, X: x, "S.displacement_rate": v}, {"k": 45, "c": 1})
    assert both.compared[X].deviation == pytest.approx(1e-3, rel=0.25)
    assert both.compared["S.displacement_rate"].deviation == pytest.approx(0.1, rel=0.25)
    alone = system.fit(data(x), {"k": 45, "c": 1})
    assert both.deviations["k"] == pytest.approx(alone.deviations["k"], rel=0.25)


def test_what_cannot_be_told_apart_is_named(system, noisy):
    """Only (k + far) / m and c / m are seen: two of four numbers are free."""
    fit = system.fit(data(noisy), {"k": 45, "c": 0.7, "m": 1.8})
    (told,) = (r for r in fit.remarks if "cannot be told apart" in r)
    assert told.startswith("k, c and m cannot be told apart from this data: raising")
    assert np.isinf(fit.deviations["c"])
    assert "not determined" in str(fit)


def test_a_pair_is_named_as_an_element_says_it(system, noisy):
    """Two springs side by side: their sum is seen."""
    fit = system.fit(data(noisy), {"k": 45, "forces.far.stiffness": 5.0}, {"k": "10..100"})
    (told,) = fit.remarks
    assert "k and forces.far.stiffness cannot be told apart" in told
    assert "raising k by" in told
    assert "lowering forces.far.stiffness by 10 % changes nothing" in told


def test_ratios_products_and_elements_in_words():
    from pliant.analysis.fitting.identify import known_of

    names = ("forces.k1.damping", "forces.k1.stiffness")
    p, one = np.array([2.0, 8.0]), np.ones(2)
    ratio = np.array([[0.5, -0.125], [1.0, -0.25]])  # of log(p1 / p2)
    (told,) = known_of(ratio, names, p, one, 1e-6).remarks
    assert told == (
        "damping and stiffness of k1 cannot be told apart from this data: only their ratio "
        "forces.k1.damping / forces.k1.stiffness matters, raising forces.k1.damping by 10 % and "
        "raising forces.k1.stiffness by 10 % changes nothing"
    )
    (told,) = known_of(np.abs(ratio), names, p, one, 1e-6).remarks
    assert "only their product" in told
    (told,) = known_of(np.ones((2, 2)), names, np.array([0.02, 0.5]), one, 1e-6).remarks
    assert "damping and stiffness of k1 cannot be told apart" in told  # 4 % of one are 100 %
    assert "lowering forces.k1.stiffness by 0.4 %" in told
    (told,) = known_of(np.array([[1.0, 0.0], [2.0, 0.0]]), names, p, one, 1e-6).remarks
    assert told == "forces.k1.stiffness has no effect on this data"
    close = np.array([[1.0, 0.25], [1.0, 0.251]])
    found = known_of(close, names, p, one, 1e-6)
    assert "told apart only poorly" in found.remarks[0]
    assert found.covariance == pytest.approx(np.linalg.inv(close.T @ close))


def test_numbers_without_effect_stay(system, noisy):
    fit = system.fit(data(noisy), {"k": 45, "gravity[2]": 0.1}, deviations="1 mm")
    assert fit.params["gravity[2]"] == 0.1
    assert fit.remarks == ("gravity[2] has no effect on this data",)


def test_a_number_near_zero_is_not_said_to_have_no_effect(system):
    """The damper is away: its number is small, how well it is known is not."""
    fit = system.fit(data(closed(c=0.0)), {"c": 0.5, "k": 45}, deviations={X: NOISE})
    assert abs(fit.params["c"]) < 1e-6
    assert fit.remarks == ()
    assert 0 < fit.deviations["c"] < 0.1


def test_a_bound_that_is_hit_is_said(system, noisy):
    fit = system.fit(data(noisy), {"k": 30, "c": 0.5}, {"k": (10, "40 N/m")})
    assert fit.params["k"] == 40
    assert "k stands at its upper bound 40: the data would have it further" in fit.remarks
    assert np.isnan(fit.deviations["k"])
    assert np.isfinite(fit.deviations["c"])
    assert "(at a bound)" in str(fit)


def test_deviations_that_do_not_fit_are_remarked_on(system, noisy):
    fit = system.fit(data(noisy), {"c": 0.5}, params={"k": 45}, deviations="1 mm")
    assert fit.chi_square > 100
    assert "times as large as the deviations that were given" in fit.remarks[-1]


def test_progress_and_plot(system, noisy, tmp_path):
    seen = []
    fit = system.fit(data(noisy), {"k": 45}, progress=seen.append)
    assert [s.iteration for s in seen] == [*range(len(seen))]
    assert seen[-1].value < seen[0].value
    assert "k = " in str(seen[-1])
    assert len(fit.plot(path=tmp_path / "fit.png").axes) == 2
    assert (tmp_path / "fit.png").stat().st_size > 5000


def test_tables_files_results_and_times_of_their_own(system, noisy, tmp_path):
    whole = system.fit(data(noisy), {"k": 45})
    table = pandas.DataFrame({"time [ms]": 1e3 * t, f"{X} [mm]": 1e3 * noisy, "other": 0.0})
    path = tmp_path / "measured.csv"
    gaps = noisy.copy()
    gaps[3:6] = np.nan
    pandas.DataFrame({"time": t, X: gaps}).to_csv(path, index=False)
    by_table = system.fit(table, {"k": 45}, outputs=[X])
    by_file = system.fit(path, {"k": 45})
    by_times = system.fit({X: (t, noisy)}, {"k": 45})
    assert by_table.params["k"] == pytest.approx(whole.params["k"], rel=1e-7)
    assert by_times.params["k"] == whole.params["k"]
    assert len(by_file.compared[X].times) == 77
    own = xarray.DataArray(1e3 * noisy, {"time": t}, ["time"], X, {"units": "mm"})
    for given in (
        own,
        own.to_dataset(),
        pandas.Series(noisy, pandas.Index(t, name="time"), name=X),
    ):
        assert system.fit(given, {"k": 45}).params["k"] == pytest.approx(
            whole.params["k"], rel=1e-7
        )
    run = system.simulate(times=t, outputs=["block.position"], params={"k": 47})
    by_run = system.fit(run, {"k": 45})
    assert by_run.params["k"] == pytest.approx(47, rel=1e-6)
    assert "block.position.x" in by_run.compared


@pytest.mark.parametrize(
    ("measured", "parameters", "how", "message"),
    [
        ({}, ["q"], {}, "nothing is named 'q'"),
        ({}, [], {}, "no parameters are given"),
        ({}, ["k", "k"], {}, "'k' is given twice"),
        ({}, ["method"], {}, "'method' is a choice, not a number"),
        ({}, {"k": "1 s"}, {}, "parameter 'k': '1 s' has another unit"),
        ({}, {"k": 5}, {"bounds": {"k": "10..20"}}, "k begins at 5, outside its bounds 10..20"),
        ({}, ["k"], {"bounds": {"k": (2, 1)}}, "bounds of k: 2..1 is empty"),
        ({}, ["k"], {"bounds": {"k": ("1 m", "2 m")}}, "parameter 'k': '1 m' has another unit"),
        ({}, ["k"], {"bounds": {"c": (1, 2)}}, "'c' is not among the parameters"),
        ({}, ["k"], {"bounds": {"k": "1, 2"}}, "bounds of k: '1, 2' is no range"),
        ({}, ["k"], {"params": {"k": 2}}, "'k' is given in params and looked for"),
        ({}, ["k"], {"t_end": 3}, "t_end is said by the data"),
        ({}, ["k"], {"metod": "radau"}, "unknown argument 'metod'"),
        ({}, ["k"], {"deviations": "1 s"}, "deviations: 1 s is no m"),
        ({}, ["k"], {"deviations": {"y": 1}}, "nothing named 'y' was measured"),
        ({}, ["k"], {"deviations": 0}, "0 of 'S.displacement' is not above zero"),
        ({}, ["k"], {"outputs": ["S.speed"]}, "no column is named 'S.speed'"),
        ({"S.dis": t}, ["k"], {}, "no observable is named 'S.dis'"),
        ({X: t[:3]}, ["k"], {}, "has 3 values for 80 times; give 80"),
        ({X: ["a"] * 80}, ["k"], {}, "holds something that is no number"),
        ({X: np.full(80, np.nan)}, ["k"], {}, "holds no numbers"),
        ({"time": t[::-1]}, ["k"], {}, "do not increase"),
        ({"time": t - 1}, ["k"], {}, "before the run begins"),
        ({f"{X} [deg]": t}, ["k"], {}, "is in deg, the observable in m"),
        ({}, {"m": 0.0}, {}, "the first run failed|mass"),
    ],
)  # fmt: skip
def test_bad_fits_get_one_message(system, noisy, measured, parameters, how, message):
    given = {**data(noisy), **measured}
    with pytest.raises(pl.PliantError, match=message):
        system.fit(given, parameters, how.pop("bounds", None), **how)


@pytest.mark.parametrize(
    "given",
    ["no.csv", 3, {"time": t}, {X: t}, {"time": [0.1], X: [1.0]}, pandas.Series(t),
     xarray.DataArray(t, {"time": t}, ["time"]), xarray.Dataset({X: ("time", t)})],
)  # fmt: skip
def test_data_that_is_none(system, given):
    with pytest.raises(pl.PliantError):
        system.fit(given, ["k"])


def test_without_scipy_there_is_one_message(system, noisy, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(
        pl.PliantError, match=r"scipy is not installed; pip install 'pliant\[fit\]'"
    ):
        system.fit(data(noisy), ["k"])
    with pytest.raises(pl.PliantError, match="scipy is not installed"):
        system.minimise(f"max {X}", ["k"])
