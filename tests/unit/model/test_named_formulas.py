"""Named formulas: what reads one means the same as with the formula written out."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant.backends.tree.code import law_key
from pliant.errors import ModelError
from pliant.model.files import dump, loads
from pliant.model.files.editing.references import renamed
from pliant.model.files.editing.splices import applied
from pliant.model.formulas import formula
from pliant.model.networks.flat import flatten

NAMED = """
pliant: 1
parameters: {A: 0.4, w: 3, R: 5}
formulas:
  error: O.angle - phi
  phi: {formula: A*sin(w*t) + 0.1, unit: rad}
  rate: A*w*cos(w*t)
bodies:
  arm: {rod: {length: 0.5, mass: 2}, frames: {tip: [0.5, 0, 0]}}
  other: {rod: {length: 0.5, mass: 2}}
joints:
  O: {revolute: {axis: y}, between: [ground, arm], initial: {angle: phi}}
  P: {revolute: {axis: y}, between: [arm.tip, other]}
forces:
  motor: {actuator: -40*error - 6*(O.angle_rate - rate), joint: O}
  push: {force: [gap, 0, 0], at: arm.tip}
drivers: {follow: {joint: P, angle: phi}}
outputs: {gap: 2*error}
events: {late: error > 0.1}
networks:
  drive:
    domain: electrical
    parameters: {R: 2}
    elements: {mesh: {junction: 1}, battery: {Se: R*error, on: mesh}, Ra: {R: R, on: mesh}}
simulate: {t_end: 1, t_start: 0.25}
"""
ERROR = "(O.angle - (A*sin(w*t) + 0.1))"


def test_what_reads_a_named_formula_means_what_is_written_out() -> None:
    model = loads(NAMED)
    assert model.forces["motor"].effort == formula(f"-40*{ERROR} - 6*(O.angle_rate - A*w*cos(w*t))")
    assert model.forces["push"].force[0] == formula(f"2*{ERROR}")
    assert model.drivers["follow"].motion == formula("A*sin(w*t) + 0.1")
    assert model.events["late"].when == formula(f"{ERROR} - 0.1")
    assert model.joints["O"].initial["angle"] == formula("A*sin(w*0.25) + 0.1")


def test_a_parameter_of_a_network_does_not_get_into_a_named_formula() -> None:
    inside = NAMED.replace("R*error", "error").replace("error: O", "error: R*O")
    law = flatten(loads(inside), "drive").elements["drive.battery"].law["effort"]
    assert law == formula("R*O.angle - (A*sin(w*t) + 0.1)")  # R of the model, not drive.R
    own = flatten(loads(NAMED), "drive").elements["drive.battery"].law["effort"]
    assert own == formula(f"drive.R*{ERROR}")


def test_files_keep_the_names() -> None:
    model = loads(NAMED)
    text = dump(model)
    assert "-40*error - 6*(O.angle_rate - rate)" in text
    assert "angle: phi" in text
    assert loads(text) == model


def test_renaming_a_formula_changes_everything_that_reads_it() -> None:
    text = applied(NAMED, renamed(NAMED, "yaml", "formulas.phi", "course", loads(NAMED)))
    assert "phi" not in text
    assert text.count("course") == NAMED.count("phi")
    assert loads(text).forces == loads(NAMED).forces


def test_other_formulas_reach_everything_that_reads_them() -> None:
    model = loads(NAMED)
    other = model.with_(formulas={**model.formulas, "phi": "0.2*t"})
    assert other.drivers["follow"].motion == formula("0.2*t")
    assert other.forces["push"].force[0] == formula("2*(O.angle - 0.2*t)")


def test_named_formulas_are_observables_with_their_unit() -> None:
    arm = pl.RigidBody.rod("arm", 0.5, mass=2)
    system = pl.System(
        formulas={"phi": pl.NamedFormula("phi", "0.3*t", "rad"), "error": "O.angle - phi"},
        bodies=[arm], joints=[pl.Revolute("O", "ground", "arm", axis="y")],
        forces=[pl.Actuator("motor", "O", effort="-9*error")],
    )  # fmt: skip
    result = system.simulate(t_end=0.5)
    angle, phi = result.values("O.angle"), result.values("phi")
    assert result.unit("phi") == "rad"
    assert np.abs(result.values("error") - (angle - phi)).max() < 1e-15
    assert np.abs(result.values("motor.torque") + 9 * (angle - phi)).max() < 1e-15


def test_laws_of_one_text_whose_names_mean_different_things_are_different_code() -> None:
    def key(meaning: str) -> object:
        model = loads(NAMED).with_(formulas={"error": meaning, "phi": "0", "rate": "O.angle_rate"})
        return law_key(model.forces["motor"], model.joints["O"], frozenset(model.parameters))

    assert key("O.angle") != key("O.angle**3")
    assert key("O.angle") == key("O.angle")


@pytest.mark.parametrize(
    ("formulas", "message"),
    [
        ("error: phi, phi: rate + 1, rate: error",
         "formula 'error': it reads itself: error -> phi -> rate -> error"),
        ("error: 1, phi: t, rate: O.force.x", "reads 'rate', which reads 'O.force.x'"),
        ("error: 1, phi: {formula: t, unit: mm}, rate: 2", "SI units, not in mm; write unit: m"),
        ("error: 1, phi: O.angle, rate: 2", "driver 'follow': motion: reads 'phi', which reads"),
        ("error: 1, phi: t, rate: 2, gap: 3", "an output has the same name; remove the output"),
        ("error: 1, phi: 2*x, rate: 2", "formula 'phi': formula: unknown name 'x'"),
        ("error: 1, phi: {unit: m}, rate: 2", "formula 'phi': formula is missing"),
    ],
)  # fmt: skip
def test_formulas_that_cannot_be(formulas: str, message: str) -> None:
    head, _, rest = NAMED.partition("formulas:")
    text = f"{head}formulas: {{{formulas}}}\nbodies:{rest.partition('bodies:')[2]}"
    with pytest.raises(ModelError) as error:
        loads(text)
    assert message in str(error.value)


def test_a_field_of_another_unit_refuses_a_formula_with_its_unit() -> None:
    with pytest.raises(ModelError, match="effort: the formula 'phi' is in rad, the wrong unit"):
        loads(NAMED.replace("actuator: -40*error - 6*(O.angle_rate - rate)", "actuator: phi"))


def test_a_formula_that_doubles_again_and_again_is_refused_at_once() -> None:
    doubling = {f"f{k + 1}": f"f{k} + f{k}" for k in range(200)} | {"f0": "t"}
    began = time.perf_counter()
    faults = pl.Model(formulas=doubling, bodies=[pl.RigidBody("b", 1)]).faults()
    assert time.perf_counter() - began < 5
    assert [f.element for f in faults] == ["formula 'f14'"]
    assert "more than 20000 parts" in faults[0].what
