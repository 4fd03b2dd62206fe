"""Networks that read each other, and parameters of networks that are set at run time."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main
from pliant.errors import InputError, ModelError, UnknownName

STAGES = """
pliant: 1
name: amplifier stages
networks:
  first:
    domain: electrical
    parameters: {R: 2 ohm, tau: 1 s, C: tau/R}
    elements:
      mesh: {junction: 1}
      source: {Se: 1 V, on: mesh}
      r: {R: R, on: mesh}
      c: {C: C, on: mesh}
  second:
    domain: electrical
    parameters: {g: 2, k: 0.5}
    elements:
      mesh: {junction: 1}
      source: {Se: g*first.r.effort - k*load.effort, on: mesh}
      r: {R: 3 ohm, on: mesh}
      load: {R: 1 ohm, on: mesh}
simulate: {t_end: 2 s, every: 20 ms, rtol: 1e-10}
"""


def test_a_stage_follows_another_ones_voltage_and_its_own():
    """V_r = exp(-t/tau); i (3 + 1) = g V_r - k i: an algebraic loop that is solved in place."""
    system = pl.System.loads(STAGES)
    result = system.simulate().require()
    exact = 2 * np.exp(-result.time) / 4.5
    assert np.abs(result.values("second.load.flow") - exact).max() < 1e-8
    assert abs(result.power_audit().residual) < 1e-8


@pytest.mark.parametrize("form", ["explicit", "mixed", "augmented"])
def test_every_form_of_networks_that_read_each_other(form):
    text = pl.System.loads(STAGES).equations(form=form).text()
    assert "first.c.displacement' = " in text


NONLINEAR = STAGES.replace("load: {R: 1 ohm", "load: {R: {effort: f + f**3}")


def test_a_loop_through_a_reading_is_held_in_the_run():
    """3 f + (1 + k)(f + f³) = g V_r has one real root, to the error of first.r."""
    result = pl.System.loads(NONLINEAR).simulate().require()
    voltage = 2 * result.values("first.r.effort")
    for f, v in zip(result.values("second.load.flow"), voltage, strict=True):
        roots = np.roots([1.5, 0, 4.5, -v])
        (real,) = [r.real for r in roots if abs(r.imag) < 1e-9]
        assert f == pytest.approx(real, abs=1e-8)


SERVO = """
pliant: 1
name: two motors, the second copies the current of the first
gravity: [0, 0, -9.81]
parameters: {V: 6}
bodies:
  a: {rod: {length: 0.5, mass: 1}}
  b: {rod: {length: 0.5, mass: 2}}
joints:
  A: {revolute: {axis: y}, between: [ground, a]}
  B: {revolute: {axis: y}, between: [ground, b], initial: {angle: 1}}
networks:
  master:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: V, on: mesh}
      motor:
        part: dc-motor
        with: {R: 1, L: 0.05, k: 0.4, J: 0.001}
        ports: {terminals: mesh, shaft: axle}
      axle: {joint: A}
  slave:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 8*(master.motor.inductance.flow - coil.flow) + EXTRA, on: mesh}
      wire: {R: 1, on: mesh}
      coil: {I: 0.05, on: mesh}
      torque: {GY: 0.4, from: mesh, to: axle}
      axle: {joint: B}
"""


def servo(extra):
    return SERVO.replace("EXTRA", extra)


def test_formulations_agree_on_networks_that_read_each_other():
    system = pl.System.loads(servo("0.1*master.motor.resistance.effort"))
    found = []
    for formulation in ("recursive", "multibond"):
        how = {"rtol": 1e-10, "method": "radau", "formulation": formulation}
        found.append(system.simulate(0.3, every=0.03, **how).require().values("slave.coil.effort"))
    assert np.abs(found[1] - found[0]).max() < 1e-6 * np.abs(found[0]).max()


def test_what_follows_from_accelerations_cannot_be_read():
    """The rotor of the first motor turns with the arm: its torque is J w'."""
    with pytest.raises(ModelError, match=r"reads 'master\.motor\.rotor\.effort', which follows"):
        pl.System.loads(servo("master.motor.rotor.effort")).simulate(0.1)


def test_unknown_readings_are_named():
    with pytest.raises(ModelError, match=r"unknown name 'first\.r\.efort'; did you mean"):
        pl.System.loads(STAGES.replace("first.r.effort", "first.r.efort"))


# --- parameters


def test_parameters_of_networks_are_set_without_compiling(capsys, tmp_path):
    """tau and g at run time: exact again; the same machine code, and derived ones follow."""
    path = tmp_path / "stages.yaml"
    path.write_text(STAGES)
    system = pl.load(path)
    system.simulate()
    made = dict(system.programs)
    result = system.simulate(params={"first.tau": "500 ms", "second.g": 3}).require()
    exact = 3 * np.exp(-result.time / 0.5) / 4.5
    assert np.abs(result.values("second.load.flow") - exact).max() < 1e-8
    assert system.programs.keys() == made.keys()
    out = tmp_path / "out.csv"
    setting = ["--set", "first.tau=500 ms", "--set", "second.g=3"]
    assert main(["run", str(path), *setting, "-o", str(out)]) == 0
    capsys.readouterr()
    table = np.genfromtxt(out, delimiter=",", names=True, deletechars="")
    assert np.abs(table["second.load.flow_[A]"] - exact).max() < 1e-8


def test_bad_settings_of_networks_are_refused():
    system = pl.System.loads(STAGES)
    with pytest.raises(UnknownName, match=r"no parameter 'first\.Q'"):
        system.simulate(params={"first.Q": 1})
    with pytest.raises(InputError, match="has another unit"):
        system.simulate(params={"first.R": "3 V"})
    with pytest.raises(ModelError, match=r"capacity is -0\.5, not above zero"):
        system.simulate(params={"first.tau": -1})


def test_a_parameter_that_leaves_an_element_out_stays_as_it_is():
    """J: 0 is no inertia at all; an offset of 0 is a number like any other."""
    text = STAGES.replace("{g: 2, k: 0.5}", "{g: 2, k: 0.5, J: 0, more: 0}").replace(
        "- k*load.effort, on: mesh}",
        "- k*load.effort + more, on: mesh}\n      coil: {I: J, on: mesh}",
    )
    system = pl.System.loads(text)
    result = system.simulate(params={"second.more": 4.5}).require()
    exact = (2 * np.exp(-result.time) + 4.5) / 4.5
    assert np.abs(result.values("second.load.flow") - exact).max() < 1e-8
    with pytest.raises(InputError, match=r"'second\.J' is the number 0, which leaves elements out"):
        system.simulate(params={"second.J": 1})


def test_parameters_of_networks_are_read_by_other_formulas():
    text = STAGES + "outputs: {twice: 2*first.R}\n"
    result = pl.System.loads(text).simulate(params={"first.R": 5}).require()
    assert result.values("twice")[-1] == 10
