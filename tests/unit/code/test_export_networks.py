"""Exported source of models with networks: machine code in memory to 1e-12, and the same motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.code.exported import Exported
from tests.unit.code.test_export import RESIDUALS, Model, agrees, close

import pliant as pl
from pliant.backends.choice import Choice
from pliant.code.export import LANGUAGES
from pliant.formulations.loops import scaled_loops

PRESS = """
pliant: 1
name: motor with a slipping belt, a capacitor that moves and a network that reads another
gravity: [0, 0, -9.81]
parameters: {V: 8, C0: 1e-3}
bodies: {arm: {rod: {length: 0.4, mass: 1}}}
joints: {O: {revolute: {axis: y}, between: [ground, arm], initial: {angle: 0.5}}}
networks:
  drive:
    domain: electrical
    parameters: {R: 1.5}
    elements:
      mesh: {junction: 1}
      supply: {Se: V + 0.1*filter.c.effort, on: mesh}
      wire: {R: R, on: mesh}
      coil: {I: 0.05, on: mesh}
      torque: {GY: 0.3, from: mesh, to: pulley}
      pulley: {junction: 0, domain: rotation}
      slip: {R: {flow: e + e**3}, on: pulley}
      belt: {R: {effort: 0.2*f + f**3}, on: way}
      way: {junction: 1, domain: rotation}
      hub: {junction: 0, domain: rotation}
      bearing: {R: {effort: 0.5*f + f**3}, on: hub}
      axle: {joint: O}
    bonds: {pw: {from: pulley, to: way}, wh: {from: way, to: hub}, ha: {from: hub, to: axle}}
  filter:
    domain: electrical
    elements:
      m: {junction: 1}
      u: {Se: drive.wire.effort, on: m}
      r: {R: 2, on: m}
      c: {C: C0*(1 + 0.3*cos(O.angle)), on: m}
simulate: {t_end: 0.5 s, every: 50 ms}
"""
CASES = {"recursive": Choice(), "mixed": Choice("multibond")}
OUTPUTS = ["O.angle", "drive.coil.flow", "drive.belt.flow", "filter.c.effort"]


def model_of(case):
    made = Model.of(pl.System.loads(PRESS), CASES[case])
    assert made.compiled.layout.loops
    return replace(made, equations=scaled_loops(made.equations))


@pytest.mark.parametrize(
    ("case", "language"), [*(("recursive", k) for k in LANGUAGES), ("mixed", "python")]
)
def test_functions_of_networks_and_loops(case, language, tmp_path):
    model = model_of(case)
    exported = Exported(model.text(language), language, model.shapes, tmp_path)
    agrees(exported, model, model.states(4), RESIDUALS | {"lam": 1.0})  # those of loops are zero


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_of_networks_and_loops_move_as_the_model(language, tmp_path):
    system = pl.System.loads(PRESS)
    text = system.source(language, outputs=OUTPUTS)
    table = Exported(text, language, {}, tmp_path, main=True).run()
    every = table["time"][1]
    result = system.simulate(table["time"][-1], every=every, rtol=1e-10, outputs=OUTPUTS).require()
    for name in OUTPUTS:
        assert close(np.array(table[name]), result.values(name), 2e-6), name
