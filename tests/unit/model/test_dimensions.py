"""Dimensions of formulas: what scales with the units, what fits anything, what cannot be."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import prepare
from pliant.errors import ModelError
from pliant.model.files import loads
from pliant.model.formulas import Formula, formula, from_tree
from pliant.model.formulas.dimensions import (
    ANY,
    PLAIN,
    READ,
    WRITTEN,
    Measure,
    exponent_of,
    inferred,
    measure_of,
)
from pliant.model.formulas.functions import FUNCTIONS, UNKNOWN
from pliant.model.formulas.tree import Call, walk
from pliant.model.numbers.measures import Measures
from pliant.model.numbers.units import BASE, dimension_of, unit_text

UNITS = {"k": "N/m", "m": "kg", "F": "N", "L": "m", "T": "s", "w": "rad/s", "a": "rad",
         "g": "m/s^2", "I": "kg*m^2", "c": "N*s/m"}  # fmt: skip
NAMES = {name: Measure(dimension_of(unit), WRITTEN) for name, unit in UNITS.items()}
READS = {"x": "m", "v": "m/s", "angle": "rad", "rate": "rad/s"}
NAMES |= {name: Measure(dimension_of(unit), READ) for name, unit in READS.items()}
NAMES["t"] = Measure(dimension_of("s"), PLAIN)


def lookup(name: str) -> Measure:
    return NAMES.get(name, ANY)


def told(text: str) -> str:
    """The unit of a formula, or what clashes in it."""
    measure, clashes = inferred(formula(text), lookup)
    return clashes[0].what if clashes else measure.unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [("k*x", "N"), ("-k*x - c*v", "N"), ("m*g*L*sin(angle)", "N*m"), ("sqrt(k/m)", "1/s"),
     ("F*x**0.5", "kg*m^1.5/s^2"), ("(k*x)**2", "kg^2*m^2/s^4"), ("k*x**(1/2)*x**(1/2)", "N"),
     ("1/T", "any unit"), ("I*w**2", "N*m"), ("w*L", "m/s"), ("min(k*x, 3, F)", "N"),
     ("clip(F, -2, 2)", "N"), ("mod(t, T)", "s"), ("hypot(k*x, F)", "N"), ("abs(-F)", "N"),
     ("F*smoothstep(t, 0, T)", "N"), ("F*exp(-t/T)*tanh(v/(L/T))", "N"), ("F*sign(v)", "N"),
     ("piecewise(x > L and t < T, F, angle > a, 0, k*x)", "N"), ("F*atan2(x, L)", "N"),
     ("F*(L/x)**k0", "N"), ("k*(x - 0.5)", "N"), ("k*x*(1 - x**2)", "any unit"),
     ("pi*L", "m"), ("x/L", "1"), ("k*max(-x, 0)", "N"),
     ("F*(3 - x/L)", "N"), ("9.81*m", "any unit"), ("2*L", "any unit"), ("u*F", "any unit"),
     ("F*table(t, [0, 1], [2, 3])", "any unit"), ("F*min(t, 1)", "any unit"), ("F + 3", "N"),
     ("F*t", "N*s"), ("L + t", "m"), ("F + sin(t)", "N"), ("(x + v)*u", "any unit")],
)  # fmt: skip
def test_the_unit_that_follows(text: str, unit: str) -> None:
    assert told(text) == unit


@pytest.mark.parametrize(
    ("text", "what"),
    [("k*x + c*v*x", "'k*x' is in N, but 'c*v*x' in N*m"), ("F > L", "'F' is in N, but 'L' in m"),
     ("sin(F)", "'F' in sin(...) is in N"), ("exp(-T)", "'-T' in exp(...) is in s"),
     ("x**F", "'F' as an exponent is in N"), ("F + angle", "'F' is in N, but 'angle' in rad"),
     ("max(F, x)", "'F' is in N, but 'x' in m"), ("smoothstep(x, T, 3)", "'T' is in s, but 'x'"),
     ("piecewise(x > T, F, 0)", "'T' is in s, but 'x' in m"), ("L - a", "'L' is in m, but 'a'"),
     ("piecewise(x > L, F, x)", "'F' is in N, but 'x' in m"), ("1 - (L - F)", "'L' is in m, but"),
     ("F*ramp(t, 0, L)", "'L' is in m, but 't' in s"), ("mod(t, F)", "'F' is in N, but 't' in s"),
     ("piecewise(t < L, F, 0)", "'L' is in m, but 't' in s")],
)  # fmt: skip
def test_what_cannot_stand_together(text: str, what: str) -> None:
    assert told(text).startswith(what)


@pytest.mark.parametrize("text", ["x + v", "sin(x)", "angle - x", "exp(-t)", "sin(t) + x", "x**v"])
def test_without_a_written_unit_nothing_is_said(text: str) -> None:
    measure, clashes = inferred(formula(text), lookup)
    assert not clashes
    assert measure.weight < WRITTEN


def test_every_function_says_how_its_unit_follows() -> None:
    assert {f.name for f in FUNCTIONS.values() if f.units == UNKNOWN} == {"table", "spline"}


def test_the_power_of_a_name() -> None:
    assert exponent_of(formula("k*x/m**2"), "m", lookup) == -2
    assert exponent_of(formula("sqrt(k/m)"), "k", lookup) == 0.5
    assert exponent_of(formula("2*m"), "m", lookup) == 0


# --- independent: a formula of this unit changes with the units as this unit does


def grown(chance: random.Random, level: int) -> str:
    if level == 0 or chance.random() < 0.2:
        return chance.choice(sorted(UNITS))
    one, two = grown(chance, level - 1), grown(chance, level - 1)
    return chance.choice([
        f"({one} + {two})", f"({one} - {two})", f"{one}*({two})", f"{one}/({two})", f"({one})**2",
        f"sqrt({one})", f"min({one}, {two})", f"{one}*tanh({two})", f"hypot({one}, {two})",
        f"piecewise({one} < {two}, {one}, {two})", f"{one}/atan2({two}, {one})", f"abs({one})",
        f"-({one})",
    ])  # fmt: skip


def test_a_formula_scales_with_the_units_as_its_dimension_says() -> None:
    chance, sound, wrong = random.Random(3), 0, 0
    for _ in range(2000):
        f = formula(grown(chance, 3))
        measure, clashes = inferred(f, lookup)
        values = {name: chance.uniform(0.5, 2.0) for name in UNITS}
        scale = [chance.uniform(0.8, 1.3) for _ in BASE[:-1]] + [1.0]  # radians stay
        other = {n: values[n] * factor(UNITS[n], scale) for n in UNITS}
        before, after = f.number(values), f.number(other)
        if not (math.isfinite(before) and math.isfinite(after)):
            continue
        if clashes:
            wrong += 1
            continue
        if adds_numbers(f):
            continue
        assert measure.dimension is not None
        expected = before * math.prod(
            s ** float(p) for s, p in zip(scale, measure.dimension.powers, strict=True)
        )
        assert after == pytest.approx(expected, rel=1e-9, abs=1e-12 * abs(before)), f.text
        sound += 1
    assert sound > 200
    assert wrong > 500


def adds_numbers(f: Formula) -> bool:
    """Whether a pure number, which fits anything, is added to something."""
    sums = (n for n in walk(f.tree) if isinstance(n, Call) and n.function not in ("*", "/"))
    parts = (from_tree(arg) for n in sums for arg in n.args)
    return any(measure_of(part, lookup).weight == PLAIN for part in parts if not part.is_condition)


def factor(unit: str, scale: list[float]) -> float:
    return math.prod(s**p for s, p in zip(scale, dimension_of(unit).powers, strict=True))


def test_units_read_back() -> None:
    for unit in (
        *UNITS.values(),
        "V",
        "ohm",
        "m^3/s/Pa",
        "N*m*s/rad",
        "Pa*s/m^3",
        "W",
        "1/s",
    ):
        assert dimension_of(unit_text(dimension_of(unit))) == dimension_of(unit)


# --- models

ARM = """
pliant: 1
gravity: [0, -9.81, 0]
parameters: {L: 2 m, m: 3 kg, kd: 6 N*m*s/rad, kp: 40 N*m/rad, goal: 30 deg, Vmax: 24 V, u: 5}
bodies: {arm: {rod: {length: L, mass: m}, frames: {tip: [L, 0, 0]}}}
joints: {O: {revolute: {axis: z}, between: [ground, arm]}}
signals: {wind: {points: [[0, 0], [1, 3.5]]}}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      V: {Se: "Vmax*smoothstep(t, 0, 0.1)", on: mesh}
      R: {R: 2 ohm, on: mesh}
      La: {I: 50 mH, on: mesh}
"""


def faults(more: str, text: str = ARM) -> list[str]:
    try:
        loads(text + more)
    except ModelError as error:
        return [str(fault) for fault in error.faults]
    return []


@pytest.mark.parametrize(
    "law",
    ["-kp*(O.angle - goal) - kd*O.angle_rate", "sin(t)", "-O.angle", "-u*O.angle_rate + wind",
     "kp*goal*sin(u*t)", "m*9.81*L*cos(O.angle)",
     "-kd*O.angle_rate - 0.1*O.angle_rate*abs(O.angle_rate)",
     "clip(kp*(goal - O.angle), -u, u)", "drive.La.flow*0.3", "Vmax*drive.La.flow/O.angle_rate",
     "-kp*arm.tip.position.y/L", "piecewise(O.angle > goal, -kp*(O.angle - goal), 0)",
     "kp*goal*smoothstep(t, 0, 1)", "kp*table(O.angle, [0, 1], [0, 2])", "m*L**2*sin(t)*u"],
)  # fmt: skip
def test_right_laws_are_taken(law: str) -> None:
    assert not faults(f"forces: {{pd: {{actuator: '{law}', joint: O}}}}\n")


@pytest.mark.parametrize(
    ("law", "what"),
    [("-m*O.angle_rate", "is in N*s/m, not in N*m; m = 3 kg would have to be in N*m*s"),
     ("kp*arm.tip.position.y", "is in N*m^2, not in N*m; kp = 40 N*m/rad would have to be in N"),
     ("kp*(O.angle - L)", "'L' is in m, but 'O.angle' in rad; only what has one unit can be added"),
     ("Vmax*drive.La.flow", "is in W, not in N*m; Vmax = 24 V would have to be in N*m/A"),
     ("sin(kp)", "'kp' in sin(...) is in N*m/rad; an angle or a pure number may stand there"),
     ("m*L*O.angle_rate", "check the units of L = 2 m and m = 3 kg; a plain number fits anything")],
)  # fmt: skip
def test_wrong_laws_say_both_units_and_the_cure(law: str, what: str) -> None:
    (fault,) = faults(f"forces: {{pd: {{actuator: '{law}', joint: O}}}}\n")
    assert fault.startswith("force 'pd': effort: ")
    assert what in fault


def test_units_go_through_parameters_and_every_kind_of_field() -> None:
    text = ARM.replace("u: 5}", "u: 5, J: m*L**2, sum: m + L, twice: J/L}")
    more = """
forces:
  spring: {spring: {force: kp*x}, between: [ground, arm.tip]}
  push: {force: [J, 0, 0], at: arm.tip}
  soft: {joint_spring: {effort: -kp*x - m*v}, joint: O}
drivers: {go: {joint: O, angle: J*t}}
outputs: {a: O.angle + L, e: energy - kp*goal, p: pd.power/L}
stop: {hit: "arm.tip.position.x < L or O.angle > m"}
"""
    found = faults(more, text)
    said = {fault.split(":")[0] for fault in found}
    assert said == {"parameter 'sum'", "force 'spring'", "force 'push'", "force 'soft'",
                    "driver 'go'", "output 'a'", "event 'hit'", "output 'p'"}  # fmt: skip
    (push,) = (fault for fault in found if "push" in fault)
    assert "force[1]: 'J' is in kg*m^2, not in N; check the unit of J = m*L**2" in push


def test_a_parameter_of_a_run_counts_also_through_others() -> None:
    system = pl.loads("""
pliant: 1
parameters: {k: 5, twice: k/L, L: 2 m}
bodies: {b: {point: 1 kg}}
forces: {f: {force: [twice*b.position.x, 0, 0], at: b}}
""")
    system.refuse({"k": "5 N"})
    with pytest.raises(ModelError, match="is in kg, not in N"):
        system.refuse({"k": "5 kg"})


def test_what_is_observed_has_the_unit_that_results_have() -> None:
    """Of every name in examples with joints, forces and networks of all kinds."""
    known = 0
    for name in ("hydraulic_crane", "rolling_disc"):
        system = pl.load(f"examples/{name}.yaml")
        measures = Measures(system.model)
        for observable, unit in observed(system):
            measure = measures(observable)
            if measure.dimension is not None:
                known += 1
                assert measure.like(Measure(dimension_of(unit))), (observable, unit, measure.unit)
    assert known > 150


def observed(system: Any) -> list[tuple[str, str]]:
    """Names of all observables with their units, of components too."""
    known = prepare(system, Choice(), interpret=True).compiled.observed
    return [(f"{name}.{label}" if label else name, quantity.unit or "1")
            for name, quantity in known.items() for label in quantity.labels or ("",)]  # fmt: skip


def test_directions_may_be_given_by_lengths() -> None:
    text = ARM.replace("tip: [L, 0, 0]", "tip: {orientation: {z: [L, 0, L/u], x: [0, L, 0]}}")
    assert not faults("", text)
