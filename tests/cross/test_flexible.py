"""Flexible bodies: joint tree and absolute coordinates, energy, momentum, parameters."""

import json

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import parameters

ARM = """
pliant: 1
gravity: [0, -9.81, 2]
parameters: {E: 2e9}
materials: {soft: {E: E, nu: 0.3, density: 7870}}
bodies:
  rod:
    beam: {length: 1, section: {rectangle: {width: 20 mm, height: 10 mm}}, material: soft}
    shapes: SHAPES
    floating_frame: FRAME
    geometric_stiffness: STIFFNESS
    frames: {off: {at: [0.4, 0.02, -0.03]}, held: {at: [0.1, 0.2, 0.3], on: off}}
  ball: {rigid: {mass: 0.3, inertia: [0.01, 0.02, 0.03]}}
joints:
  hold: {JOINT, between: [ground, rod.PLACE]}
  grip: {revolute: {axis: y}, between: [rod.tip, ball], initial: {angle_rate: 2}}
forces:
  push: {force: [0, 0.3, 0.5], at: rod.held}
"""
CASES = [
    ("{bending_y: 2, axial: 1}", "root", "second-order", "revolute: {axis: z}", "root"),
    ("{bending: 1, torsion: 1}", "root", "second-order", "spherical: {}", "tip"),
    ("{bending: 2}", "chord", "dynamic", "universal: {}", "off"),
    ("{bending: 1, axial: 1}", "tisserand", "none", "spherical: {}", "root"),
    ("{bending_y: {polynomial: 2}, torsion: 1}", "mass-centre", "second-order", "free: {}", "tip"),
]


def arm(shapes, frame, stiffness, joint, place, text=ARM):
    for key, value in (("SHAPES", shapes), ("FRAME", frame), ("STIFFNESS", stiffness),
                       ("JOINT", joint), ("PLACE", place)):  # fmt: skip
        text = text.replace(key, value)
    return pl.System.loads(text)


@pytest.mark.parametrize("case", CASES)
def test_joint_tree_and_absolute_coordinates_agree(case):
    report = arm(*case).verify(pointwise=True, states=3)
    assert report.agree, str(report)


@pytest.mark.parametrize("case", CASES)
def test_energy_changes_by_the_work_done(case):
    result = arm(*case).simulate(0.1, rtol=1e-10, atol=1e-12, outputs=["energy", "push.power"])
    energy, work = result.values("energy"), result.values("push.work")
    scale = 1 + np.abs(energy).max()
    assert np.abs(energy - energy[0] - work).max() < 1e-8 * scale


def test_a_new_parameter_value_means_new_tables_only():
    """Twice the modulus at run time equals a model written with it."""
    system = arm(*CASES[0])
    prepared = prepare(system)
    p = parameters(system, prepared, {"E": 4e9})
    stiff = arm(*CASES[0], text=ARM.replace("{E: 2e9}", "{E: 4e9}"))
    assert not np.array_equal(p, prepared.compiled.p)
    assert np.allclose(p, prepare(stiff).compiled.p, rtol=1e-13)


def test_given_modes_move_like_the_beam_they_were_taken_from(tmp_path):
    """Masses at 401 nodes: the error of lumping falls with the square of the spacing."""
    from pliant.flex.beam import RateBeam, Rates
    from pliant.flex.body import ModalBeam, beam_data
    from pliant.model.bodies import BeamShapes, Functions

    n = 401
    rates = Rates(EIz=10.0, EIy=10.0, rhoA=1.0)
    shapes = BeamShapes(bending_y=Functions(2, "clamped-free"))
    data = beam_data(ModalBeam(RateBeam(1.0, (rates,)), shapes, rotary_inertia="none",
                              geometric_stiffness="none"))  # fmt: skip
    x = np.linspace(0, 1, n)
    places = [data.frame(float(at)) for at in x]
    mass = np.full(n, 1 / (n - 1))
    mass[[0, -1]] /= 2
    modes = {
        "nodes": np.column_stack([x, 0 * x, 0 * x]).tolist(), "mass": mass.tolist(),
        "shapes": [f.L.tolist() for f in places], "rotations": [f.psi.tolist() for f in places],
        "stiffness": data.K.tolist(),
    }  # fmt: skip
    (tmp_path / "modes.json").write_text(json.dumps(modes))
    rest = """
joints: {hold: {revolute: {axis: z}, between: [ground, body.root]}}
gravity: [0, -9.81, 0]
"""
    (tmp_path / "given.yaml").write_text(
        "pliant: 1\nbodies: {body: {modes: modes.json, frames: {root: {node: 0}, "
        f"tip: {{node: {n - 1}}}}}}}}}" + rest
    )
    beam = "pliant: 1\nbodies: {body: {beam: {length: 1, stiffness: {EIz: 10}, mass_per_length: 1},"
    beam += " shapes: {bending_y: 2}, rotary_inertia: none, geometric_stiffness: none}}" + rest
    options = {"t_end": 0.5, "rtol": 1e-9, "outputs": ["body.tip.position"]}
    given = pl.load(tmp_path / "given.yaml").simulate(**options).values("body.tip.position")
    ours = pl.System.loads(beam).simulate(**options).values("body.tip.position")
    assert np.abs(given - ours).max() < 1e-4


def test_results_outside_the_validity_of_the_model_say_so():
    text = """
pliant: 1
bodies:
  rod: {beam: {length: 1, stiffness: {EIz: 1}, mass_per_length: 1}, shapes: {bending_y: 2},
        rotary_inertia: none, geometric_stiffness: none}
joints: {axle: {revolute: {axis: z}, between: [ground, rod.root], initial: {angle_rate: SPIN}}}
"""
    calm = pl.System.loads(text.replace("SPIN", "3")).simulate(0.1)
    fast = pl.System.loads(text.replace("SPIN", "4")).simulate(0.1)
    assert calm.warnings == ()
    (remark,) = fast.warnings
    assert "rod: spin 4" in remark
    assert "exceeds 3.52, its first bending frequency; geometric stiffness is off" in remark


def test_a_flexible_run_can_be_continued():
    system = arm(*CASES[0])
    options = {"rtol": 1e-10, "every": 0.01, "outputs": ["rod.tip.position", "rod.v1"]}
    whole = system.simulate(0.1, **options)
    half = system.simulate(0.05, **options)
    rest = system.simulate(0.1, start=half, **options)
    for name in ("rod.tip.position", "rod.v1"):
        assert np.abs(rest.values(name)[-1] - whole.values(name)[-1]).max() < 1e-7


def test_stress_of_a_cantilever():
    """Tip load F along z: M = F (l - x), stress M z / I at the corners of the section."""
    text = """
pliant: 1
materials: {steel: {E: 200 GPa, nu: 0.3, density: 7870}}
bodies:
  rod: {beam: {length: 1, section: {rectangle: {width: 20 mm, height: 10 mm}}, material: steel},
        shapes: {bending_z: {polynomial: 2}, axial: 1}}
joints: {hold: {fixed: {}, between: [ground, rod.root]}}
forces: {tip: {force: [0, 0, 3], at: rod.tip}}
"""
    found = pl.System.loads(text).statics(outputs=["rod.root.stress", "rod.mid.stress"])
    largest = 3.0 * 1.0 * 0.005 / (0.02 * 0.01**3 / 12)
    expected = largest * np.array([-1, -1, 1, 1])
    # shortening of the bent axis lets the load act with a shorter arm: second order
    assert np.allclose(found.values("rod.root.stress")[-1], expected, rtol=1e-3)
    assert np.allclose(found.values("rod.mid.stress")[-1], expected / 2, rtol=1e-3)


def test_a_model_file_can_ask_for_a_start_in_equilibrium():
    text = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {beam: {length: 1, stiffness: {EIy: 10}, mass_per_length: 1}, shapes: {bending_z: 2}}
joints: {hold: {fixed: {}, between: [ground, rod.root]}}
simulate: {t_end: 0.5, rtol: 1e-9, start: equilibrium}
"""
    still = pl.System.loads(text).simulate().values("rod.tip.position")
    moving = pl.System.loads(text.replace("equilibrium", "undeformed")).simulate()
    assert np.abs(still - still[0]).max() < 1e-8
    assert still[0][2] == pytest.approx(-9.81 / 80, rel=2e-2)
    assert np.ptp(moving.values("rod.tip.position")[:, 2]) > 0.1
