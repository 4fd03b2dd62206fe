"""What has no finite value is named: element, formula, time. No run pays for it."""

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.guard import finite_part
from pliant.backends.expressions.undefined_starts import refuse_infinite_rates
from pliant.cli import main
from pliant.errors import InputError, PliantError, StepError
from pliant.formulations.registry import FORMULATIONS
from pliant.model.formulas import formula
from pliant.model.formulas.formula import why_undefined
from pliant.results import Result, Series

HEAD = "pliant: 1\nbodies: {b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\n"
PIN = HEAD + "joints: {O: {revolute: {}, between: [ground, b]}}\n"
SLIDE = HEAD + "joints: {O: {prismatic: {axis: x}, between: [ground, b], initial: {%s}}}\n"


@pytest.mark.parametrize(
    ("text", "values", "why"),
    [
        ("1/t", {"t": 0.0}, "division by zero in 1/t"),
        ("2 + sqrt(x - 1)", {"x": 0.5}, r"square root of -0.5 in sqrt(x - 1)"),
        ("log(0*t)", {"t": 3.0}, "logarithm of 0 in log(0*t)"),
        ("x**0.5", {"x": -4.0}, "-4 to the power 0.5 in x**0.5"),
        ("acos(x)", {"x": 1.5}, "arc cosine of 1.5 in acos(x)"),
        ("exp(x)", {"x": 1e4}, "no finite value in exp(x)"),
        ("piecewise(x > 0, sqrt(x), 0)", {"x": -1.0}, ""),
        ("1/x", {"x": np.nan}, ""),
    ],
)
def test_the_part_of_a_formula_that_has_no_value(text, values, why):
    assert why_undefined(formula(text), values) == why


@pytest.mark.parametrize("command", ["check", "run", "statics", "modes"])
@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("drivers: {D: {frame: b, position: [0, 0, 1/t]}}", "driver 'D': division by zero in 1/t"),
        ("constraints: {k: {rolling: {radius: 0.3, axis: z}, between: [ground, b]}}",
         "constraint 'k': the axis of the wheel is normal to the plane"),
    ],
)  # fmt: skip
def test_refused_at_the_start(tmp_path, capsys, command, rest, why):
    path = tmp_path / "m.yaml"
    path.write_text(f"{HEAD}{rest}\nsimulate: {{t_end: 1}}\n")
    assert main([command, str(path)]) == 2
    assert why in capsys.readouterr().err


def test_a_driver_whose_rate_is_infinite():
    with pytest.raises(InputError, match=r"driver 'D': the rate of sqrt\(t\) is not finite"):
        pl.System.loads(PIN + "drivers: {D: {joint: O, angle: sqrt(t)}}").simulate(1)


@pytest.mark.parametrize(
    "motion",
    ["t", "t**2", "sin(5*t)", "abs(t - 0.5)", "1e3 + t*1e-3", "0*t", "smoothstep(t, 0, 1)",
     "3*(t**2/2 + 1/(2*pi)**2*(cos(2*pi*t) - 1))", "tanh(100*t)"],
)  # fmt: skip
def test_drivers_with_finite_rates(motion):
    system = pl.System.loads(PIN + f"drivers: {{D: {{joint: O, angle: '{motion}'}}}}")
    refuse_infinite_rates(system, None, 0.0, 1.0)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_force_without_a_value_at_the_start(name):
    system = pl.System.loads(PIN + "forces: {f: {actuator: log(0*t), joint: O}}")
    with pytest.raises(StepError, match=r"t = 0 s: actuator 'f': logarithm of 0 in log\(0\*t\)"):
        system.simulate(1, formulation=name)


@pytest.mark.parametrize("verb", ["statics", "modes"])
def test_statics_and_modes_of_a_force_without_a_value(verb):
    springs = "s: {joint_spring: {stiffness: 10}, joint: O}"
    system = pl.System.loads(PIN + f"forces: {{f: {{actuator: log(0*t), joint: O}}, {springs}}}")
    with pytest.raises(StepError, match="actuator 'f': logarithm of 0"):
        getattr(system, verb)()


@pytest.mark.parametrize("method", ["auto", "dop853", "radau", "generalized-alpha"])
def test_a_root_of_a_negative_number_on_the_way(method):
    """x = t/2 leaves the domain of sqrt(0.25 - x) at t = 0.5."""
    system = pl.System.loads(
        SLIDE % "displacement_rate: 0.5"
        + "forces: {f: {force: ['1e-9*sqrt(0.25 - O.displacement)', 0, 0], at: b}}"
    )
    step = {"step": 1e-3} if method == "generalized-alpha" else {}
    result = system.simulate(1, every=0.01, method=method, **step)
    assert result.time[-1] == pytest.approx(0.5, abs=2e-3)
    assert "force 'f': square root of -" in result.failure
    assert all(np.isfinite(result.values(n)).all() for n in result.columns())
    assert result.values("O.displacement") == pytest.approx(0.5 * result.time, abs=1e-6)


def test_an_output_without_a_value_ends_the_run_there():
    system = pl.System.loads(SLIDE % "displacement_rate: 0.5" + "outputs: {w: sqrt(0.35 - t)}")
    result = system.simulate(1, every=0.1)
    assert result.time[-1] == pytest.approx(0.3)
    assert "output 'w': square root of -" in result.failure
    assert result.info["failure_code"] == "not-a-number"


def test_a_speed_that_grows_without_bound():
    """v' = v², v(0) = 1: v = 1/(1 - t)."""
    system = pl.System.loads(
        SLIDE % "displacement_rate: 1"
        + "forces: {f: {force: [O.displacement_rate**2, 0, 0], at: b}}"
    )
    result = system.simulate(2)
    assert result.time[-1] == pytest.approx(1.0, abs=1e-3)
    assert "grows without bound" in result.failure


def test_a_formula_that_grows_without_bound():
    system = pl.System.loads(PIN + "forces: {f: {actuator: 1/(1 - t)**3, joint: O}}")
    result = system.simulate(2)
    assert "actuator 'f'" in result.failure
    assert result.time[-1] < 1.0


SPRING = "forces: {s: {spring: {stiffness: 10, free_length: %s}, between: [ground, b]}}"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_spring_without_free_length_passes_through_zero(name):
    """x'' = -10 x: x = 0.5/√10 sin(√10 t)."""
    system = pl.System.loads(SLIDE % "displacement: 0, displacement_rate: 0.5" + SPRING % 0)
    result = system.simulate(5, rtol=1e-9, formulation=name)
    w = np.sqrt(10)
    exact = 0.5 / w * np.sin(w * result.time)
    assert result.values("O.displacement") == pytest.approx(exact, abs=1e-7)
    assert result.values("s.length") == pytest.approx(np.abs(exact), abs=1e-7)
    assert result.values("s.rate")[0] == pytest.approx(0.5)
    assert np.ptp(result.values("energy")) < 1e-7


@pytest.mark.parametrize("start", [SLIDE % "displacement: 0, displacement_rate: 0.5", PIN])
def test_a_spring_of_length_zero_with_a_free_length(start):
    with pytest.raises(StepError, match=r"t = 0 s: spring 's': its length is 0, and with a free"):
        pl.System.loads(start + SPRING % 0.1).simulate(1)


@pytest.mark.parametrize("tree", ["joint", "absolute"])
def test_a_spring_beside_a_joint_that_holds_its_ends_together(tree):
    """Its direction is rounding error, which would turn at random."""
    system = pl.System.loads(
        "pliant: 1\nground: {frames: {P: [1.2, 0, 0]}}\n"
        "bodies: {a: {rod: {length: 1, mass: 1}, frames: {tip: [1, 0, 0]}},\n"
        "  b: {rod: {length: 1, mass: 1}, frames: {tip: [1, 0, 0]}}}\n"
        "joints: {i: {revolute: {}, between: [ground, a], guess: {angle: 1}},\n"
        "  j: {revolute: {}, between: [a.tip, b], guess: {angle: -2}},\n"
        "  k: {revolute: {}, between: [ground.P, b.tip], cut: true}}\n"
        "forces: {s: {spring: {stiffness: 100, free_length: 0.2}, between: [ground.P, b.tip]}}\n"
    )
    with pytest.raises(StepError, match="spring 's': its length is 0"):
        system.simulate(1, tree=tree)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("materials: {s: {E: 200 GPa, nu: 0.3, density: 1e-308}}\nbodies: {b: {beam: {length: 1, "
         "section: {circle: {radius: 1 mm}}, material: s}}}", "density: 1e-308 is below"),
        ("bodies: {b: {beam: {length: 1e-50, stiffness: {EIy: 1, EIz: 1}, mass_per_length: 1}}}",
         "its length 1e-50 m is too small"),
        ("bodies: {b: {beam: {axis: {points: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], smooth: true}, "
         "stiffness: {EA: 1, EIy: 1, EIz: 1, GJ: 1, GAy: 1, GAz: 1}, mass_per_length: 1, "
         "rotary: {rhoIy: 1, rhoIz: 1}}, theory: exact}}", "the axis has no length between"),
    ],
)  # fmt: skip
def test_sizes_that_cannot_be_computed_with(text, why):
    with pytest.raises(PliantError, match=why):
        pl.System.loads(
            f"pliant: 1\n{text}\njoints: {{j: {{fixed: {{}}, between: [ground, b.root]}}}}"
        )


def test_no_result_holds_what_is_no_number():
    time = np.arange(4.0)
    good, bad = Series(time, "m"), Series(np.array([0, 1, np.inf, 3]), "m")
    kept = finite_part(Result(time, {"good": good, "bad": bad}))
    assert list(kept.time) == [0, 1]
    assert kept.failure == "t = 2 s: no finite value of bad"
    assert finite_part(Result(time, {"good": good})).completed
    with pytest.raises(StepError, match="no finite value of bad"):
        finite_part(Result(time, {"bad": Series(np.array([np.nan, 1, 2, 3]), "m")}))


def test_a_dollar_in_a_name_is_shown_as_written(tmp_path):
    result = pl.System.loads(HEAD + 'name: "costs 5$ {x$"').simulate(0.1)
    result.plot(path=tmp_path / "x.svg")
    result.plot(path=tmp_path / "x.png")
    figure = result.plot()
    assert figure.figure.get_suptitle() == "costs 5$ {x$"
    result.report(tmp_path / "x.html")
    assert "<title>costs 5$ {x$</title>" in (tmp_path / "x.html").read_text()
