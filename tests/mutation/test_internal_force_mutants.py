"""Faults in what internal forces follow from are found by the balance of whole beams, also where
all formulations share them."""

import numpy as np
import pytest
from tests.mutation.planting import Mutant, planted

import pliant as pl
from pliant.backends.expressions.internal import InternalForces
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.formulations.derivation import internal
from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.registry import FORMULATIONS
from pliant.mechanics import inertia

STATES = ("constraints", "initial", "tangent", "bodies", "start_states")
"""What assembly needs."""
MUTANTS = [
    Mutant("tree joint the wrong way", TreeDerivation._on_frames, "Load(joint.parent, -force, ",
           "Load(joint.parent, force, "),
    Mutant("no torque of a tree joint", TreeDerivation._on_frames, "-torque - self", "-self"),
    Mutant("no lever of a load", internal.section_loads, " + ops.cross(X_BP.p, f)", ""),
    Mutant("no weight", internal.section_loads, "acc = b.acc - b.X_WB.R.T @ gravity",
           "acc = b.acc"),
    Mutant("no moment of inertia forces", inertia.section_forces, ", -supplied.n)",
           ", 0 * supplied.n)"),
]  # fmt: skip


def arm():
    """A beam between two hinges, a weight at its end, a load between."""
    beam = pl.Beam("arm", 1.2, stiffness={"EIz": 50.0}, mass_per_length=2.0,
                   shapes={"bending_y": 1}, frames={"clip": [0.5, 0, 0]})  # fmt: skip
    head = pl.RigidBody("head", 1.0, com=[0.1, 0, 0], inertia=[0.1, 0.1, 0.1])
    joints = [pl.Revolute("root", "ground", "arm.root", axis="z"),
              pl.Fixed("tip", "arm.tip", "head")]  # fmt: skip
    hose = pl.Force("hose", "arm.clip", [0, -3, 0])
    return pl.System(gravity=[0, -9.81, 0], bodies=[beam, head], joints=joints, forces=[hose])


def left_over():
    """At a state with speeds, where M u' = h."""
    system = arm()
    program = prepare(system, functions=("explicit", *STATES, "loads"), interpret=True)
    c, start = program.compiled, initial_state(system, program, None, 0.0)
    x = start.x.copy()
    x[1 : 1 + c.nq] += 0.1
    x[1 + c.nq : 1 + c.nq + c.nu] += 0.3
    y = c.call("explicit", x, start.p)
    a = np.linalg.solve(c.block("explicit", "M", y), c.block("explicit", "h", y).ravel())
    whole = np.concatenate([x[: 1 + c.nq + c.nu], a])
    return InternalForces(system, lambda: (c, [(whole[None], start.p)])).left_over()["arm"]


def test_nothing_is_left_over_without_a_fault():
    assert left_over() < 1e-12


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_something_is_left_over(mutant, tmp_path, monkeypatch):
    """Nothing is taken from code that was compiled without the fault."""
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))
    with planted(mutant):
        assert left_over() > 1e-3


def test_verify_says_which_beam(monkeypatch):
    """In so short a run both tolerances take one and the same step. The last mutant is in no code
    that is kept."""
    for name in {*FORMULATIONS} - {"recursive", "kane"}:
        monkeypatch.delitem(FORMULATIONS, name)
    assert arm().verify(t_end=0.01, states=1).agree
    with planted(MUTANTS[-1]):
        report = arm().verify(t_end=0.01, states=1)
    assert report.pointwise.agree
    assert not report.agree
    assert "(internal forces of arm)" in str(report)
    assert "FORCES ON arm DO NOT BALANCE" in str(report)
