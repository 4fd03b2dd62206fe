"""Interpreted functions give what machine code gives, to rounding of sums."""

from pathlib import Path

import casadi as ca
import numpy as np

import pliant as pl
from pliant.analysis.verification.states import FUNCTIONS
from pliant.backends.expressions.prepare import prepare
from pliant.code.compiled import from_bytes, to_bytes
from pliant.code.llvm.tape import tape

CRANK = Path(__file__).parents[3] / "examples" / "haug_slider_crank.yaml"
PUSHED = pl.System(
    bodies=[pl.RigidBody("block", 2.0, inertia=(0.1, 0.1, 0.1))],
    joints=[pl.Prismatic("slide", "ground", "block", axis="x")],
    signals=[pl.Signal("push", np.linspace(0, 100, 201), np.linspace(0, 200, 201))],
    forces=[pl.Actuator("f", "slide", effort="push")],
)


def test_interpreted_functions_give_what_machine_code_gives():
    system = pl.load(CRANK)
    compiled = prepare(system, functions=FUNCTIONS).compiled
    symbols = prepare(system, functions=FUNCTIONS, interpret=True).compiled
    kept = from_bytes(to_bytes(symbols))
    x = np.random.default_rng(0).standard_normal(compiled.x_size)
    assert not symbols.code.made
    for name in FUNCTIONS:
        y = compiled.call(name, x)
        assert np.allclose(
            symbols.call(name, x), y, rtol=1e-12, atol=1e-12 * np.abs(y).max(initial=0)
        )
        assert np.array_equal(kept.call(name, x), symbols.call(name, x))


def test_a_function_whose_address_is_asked_for_is_compiled():
    symbols = prepare(pl.load(CRANK), functions=FUNCTIONS, interpret=True).compiled
    assert symbols.address("tangent") == 0
    symbols.code.require("tangent")
    assert symbols.address("tangent") != 0


def test_signals_are_looked_up_by_machine_code():
    symbols = prepare(PUSHED, functions=FUNCTIONS, interpret=True).compiled
    x = np.zeros(symbols.x_size)
    x[0] = 0.25
    assert symbols.signals
    assert np.allclose(symbols.block("explicit", "h", symbols.call("explicit", x)), 0.5, rtol=1e-12)


def test_a_tape_is_read_as_well_without_the_module_below_casadi(monkeypatch):
    x = ca.SX.sym("x", 3)
    f = ca.Function("f", [x], [ca.vertcat(ca.sin(x[0]) * x[1] + 2.5, x[2] ** 2)])
    read = tape(f)
    monkeypatch.setattr("pliant.code.llvm.tape._swig", None)
    assert tape(f) == read
    assert len(read) == f.n_instructions()
