"""A fault in the flexible body itself, which all formulations share, is found as well: by the same
beam cut into geometrically exact elements, or because energy is not conserved.

A whirling beam stands askew on a teetering hub, off its axis, and carries a body: translation and
rotation of its root, bending in two planes, foreshortening and gyroscopic terms all count.
"""

import contextlib

import numpy as np
import pytest
from tests.mutation.planting import Mutant, planted

import pliant as pl
from pliant.flex import data
from pliant.mechanics import flexible
from pliant.mechanics.inertia import FlexibleInertia

WHIRLING = """
pliant: 1
gravity: [0, 0, -9.81]
parameters: {w: 9, T: 0.15}
bodies:
  mast: {rigid: {mass: 1, inertia: [0.02, 0.02, 0.02]}}
  hub:
    rigid: {mass: 1, inertia: [0.01, 0.01, 0.01]}
    frames: {seat: {at: [0.3, 0.1, 0], orientation: {quaternion: [0.92, 0.1, -0.3, 0.2]}}}
  beam:
    beam:
      length: 1
      stiffness: {EA: 4e6, GAy: 4e6, GAz: 4e6, EIy: 600, EIz: 400, GJ: 300}
      mass_per_length: 0.8
      rotary: {rhoIy: 2e-3, rhoIz: 1e-3}
    THEORY
  load: {rigid: {mass: 0.1, com: [0.02, 0.05, -0.03], inertia: [0.002, 0.003, 0.004]}}
joints:
  axis: {revolute: {axis: z}, between: [ground, mast]STARTED}
  teeter: {revolute: {axis: y}, between: [mast, hub], initial: {angle_rate: 3}}
  root: {fixed: {}, between: [hub.seat, beam.root]}
  tip: {fixed: {}, between: [beam.tip, load]}
DRIVEN
simulate: {t_end: 0.4, every: 0.01, rtol: 1e-9}
"""
DRIVEN = """drivers:
  spin: {joint: axis, angle: "w*(t - T/pi*sin(pi*t/T))/2"}
"""
MODAL = """shapes: {bending: {polynomial: 4}, torsion: {polynomial: 2}}
    floating_frame: root
    rotary_inertia: full"""
EXACT = "theory: {exact: {elements: 1, order: 3}}"
THEORY_ERROR = 3e-4
"""Of modes to second order where the tip bends by 5 % of the length: about the cube of that."""

WORK = [
    Mutant("Coriolis once", FlexibleInertia._supplied, "2 * cross(w, moved)", "cross(w, moved)"),
    Mutant("no dJ/dt", flexible.through_deformation, "turned[i] + rate * w[j]", "turned[i]"),
    Mutant("gyration once", flexible.through_deformation,
           "gyration[i][b] = gyration[i][b] - c * u[a]", "pass"),
    Mutant("no centrifugal force on the shapes", flexible.through_deformation,
           "ww * J_q[i][j][a]", "0 * J_q[i][j][a]"),
    Mutant("frame moves without foreshortening", flexible._quadratic_rate, " - bent", ""),
]  # fmt: skip

MOTION = [
    Mutant("no w x B u", FlexibleInertia._supplied, "m.J @ w + m.B @ e.u", "m.J @ w"),
    Mutant("translation and bending", data.translation_tables, "s1=_inner(WE, L)",
           "s1=0 * _inner(WE, L)"),
    Mutant("rotation and bending", data.translation_tables, "B0=_inner(WR0, L)",
           "B0=0 * _inner(WR0, L)"),
    Mutant("inertia that bends", data.translation_tables, "J1=J1 + J1.transpose(1, 0, 2)",
           "J1=0 * J1"),
    Mutant("gyration of bending", data.translation_tables, "B1=RL + B1", "B1=B1"),
    Mutant("foreshortening", data._foreshortening, "if H is None", "if True"),
]  # fmt: skip


def _whirling(theory, driven=DRIVEN, started=""):
    text = WHIRLING.replace("THEORY", theory).replace("DRIVEN", driven)
    return pl.loads(text.replace("STARTED", started))


def _tip(theory):
    """Modes are not stiff: to look whether they are would take longer than the run."""
    method = "dop853" if theory == MODAL else "auto"
    result = _whirling(theory).simulate(outputs=["load.position"], method=method)
    return np.asarray(result["load.position"])


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch, tmp_path):
    """Nothing that was compiled before is used."""
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))


@pytest.fixture(scope="module")
def exact():
    """Where the tip goes, by elements whose error does not grow with rotation."""
    return _tip(EXACT)


def _drift():
    """Energy lost by the freely whirling system, over the energy that goes to and fro."""
    system = _whirling(MODAL, "", ", initial: {angle_rate: 9}")
    result = system.simulate(outputs=["energy", "kinetic_energy"], method="dop853")
    energy = np.asarray(result["energy"])
    kinetic = np.asarray(result["kinetic_energy"])
    return float(np.ptp(energy) / np.ptp(kinetic))


def test_without_a_fault_modes_follow_the_exact_beam(exact):
    assert np.abs(_tip(MODAL) - exact).max() < THEORY_ERROR


def test_without_a_fault_energy_is_conserved():
    assert _drift() < 1e-8


@pytest.mark.parametrize("mutant", WORK, ids=str)
def test_a_fault_that_does_work_costs_energy(mutant):
    with planted(mutant):
        assert _drift() > 1e-7


@pytest.mark.parametrize("mutant", MOTION, ids=str)
def test_a_missing_term_leads_away_from_the_exact_beam(mutant, exact):
    with planted(mutant):
        assert np.abs(_tip(MODAL) - exact).max() > 2 * THEORY_ERROR


def test_foreshortening_missing_from_frames_leads_away_from_the_exact_beam(exact):
    pose = Mutant("pose", flexible._quadratic, " - 0.5 * bent", "")
    rate = Mutant("rate", flexible._quadratic_rate, " - bent", "")
    with contextlib.ExitStack() as stack:
        for mutant in (pose, rate):
            stack.enter_context(planted(mutant))
        assert np.abs(_tip(MODAL) - exact).max() > 2 * THEORY_ERROR
