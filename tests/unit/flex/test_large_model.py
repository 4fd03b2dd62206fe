"""Beams of large rotation in models: their nodes, names, parameters, and all formulations."""

import numpy as np
import pytest

import pliant as pl
from pliant.flex.large_rotation.numbers import shared
from pliant.flex.rewriting.model import expanded
from pliant.observe.beams import public_name

STIFFNESS = {"EA": 2000.0, "EIy": "EI", "EIz": 4.0, "GJ": 3.0, "GAy": 900.0, "GAz": 800.0}
ROTARY = {"rhoIy": 0.01, "rhoIz": 0.02}
LINEAR = {"exact": {"elements": 1, "order": 1}}
QUADRATIC = {"exact": {"elements": 2, "order": 2}}
DIRECTORS = {"large-rotation": {"elements": 2}}


def rod(theory, **more):
    given = {"stiffness": STIFFNESS, "mass_per_length": 1.2, "rotary": ROTARY, **more}
    return pl.Beam("rod", "L", theory=theory, **given)


def pendulum(theory, parameters=None, **more):
    pin = pl.Revolute("pin", "ground", "rod.root", axis="y", initial={"angle": "20 deg"})
    return pl.System(gravity=[0, 0, -9.81], parameters=parameters or {"EI": 5.0, "L": 1.5},
                     bodies=[rod(theory, **more)], joints=[pin])  # fmt: skip


def faults(theory, **more):
    model = pl.Model(parameters={"EI": 5.0, "L": 1.5}, bodies=[rod(theory, **more)])
    return [fault.what for fault in model.faults()]


# --- the rewritten model


def test_a_beam_becomes_bodies_at_its_nodes_and_elements_between_them():
    s = pendulum(QUADRATIC)
    assert list(s.described.bodies) == ["rod"]
    assert list(s.model.bodies) == [f"rod:{k}" for k in range(5)]
    assert s.model.joints["pin"].child == "rod:0.root"
    assert s.model.forces["rod:e1"].frames == ("rod:2", "rod:3", "rod:4")
    assert s.model.bodies["rod:4"].frames.keys() == {"tip"}


def test_other_models_are_not_touched():
    s = pendulum("rigid")
    assert s.model is s.described


def test_nodes_have_the_mass_of_the_beam():
    values = pendulum(QUADRATIC).model.parameter_values()
    bodies = pendulum(QUADRATIC).model.bodies.values()
    assert sum(b.mass.number(values) for b in bodies) == pytest.approx(1.2 * 1.5, rel=1e-14)
    assert sum(b.inertia[0].number(values) for b in bodies) == pytest.approx(0.03 * 1.5, rel=1e-14)


def test_elements_end_at_frames():
    frames = {"A": [0.3, 0, 0.1], "B": [1.2, 0, 0], "C": {"at": [0, 0, 0.2], "on": "A"}}
    s = pendulum({"exact": {"elements": 5, "order": 2}}, frames=frames)
    placed = {f: b for b, body in s.model.bodies.items() for f in body.frames}
    ends = {"root": "rod:0", "A": "rod:2", "C": "rod:2", "B": "rod:8", "tip": "rod:10"}
    assert placed == {**ends, "mid": "rod:5"}
    values = s.model.parameter_values()
    lengths = [s.model.forces[f"rod:e{k}"].length.number(values) for k in range(5)]
    assert lengths == pytest.approx([0.3, 0.3, 0.3, 0.3, 0.3])


def test_elements_are_shared_in_proportion_and_every_span_has_one():
    assert shared(np.array([0.5, 0.25, 0.25]), 8).tolist() == [4, 2, 2]
    assert shared(np.array([0.01, 0.99]), 3).tolist() == [1, 2]
    assert shared(np.array([0.01, 0.99]), 1).tolist() == [1, 1]


def test_the_middle_is_a_node_if_anything_speaks_of_it():
    odd = {"exact": {"elements": 3, "order": 1}}
    assert "rod.mid.position" not in pendulum(odd).simulate(t_end=0.01).names()
    model = pendulum(odd).described.with_(outputs={"height": "rod.mid.position.z"})
    values = expanded(model).parameter_values()
    bodies, forces = expanded(model).bodies, expanded(model).forces
    (node,) = (b for b, body in bodies.items() if "mid" in body.frames)
    length = sum(forces[f"rod:e{k}"].length.number(values) for k in range(int(node[-1])))
    assert length == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("rod:0.position", "rod.position"),
        ("rod:4.tip.velocity", "rod.tip.velocity"),
        ("rod:shape.tip.deflection", "rod.tip.deflection"),
        ("rod:3.position", "rod:3.position"),
        ("rod:e2.energy", "rod:e2.energy"),
        ("rod:j3.orientation", None),
        ("pin.angle", "pin.angle"),
    ],
)
def test_observables_have_the_names_of_the_model(name, public):
    assert public_name(name) == public


def test_energies_of_a_beam_are_sums():
    r = pendulum(QUADRATIC).simulate(t_end=0.1)
    assert np.allclose(r["rod.kinetic_energy"], r["kinetic_energy"], rtol=1e-14, atol=0)
    strain = r["rod:e0.energy"] + r["rod:e1.energy"]
    assert np.allclose(r["rod.strain_energy"], strain, rtol=1e-14, atol=0)
    assert not [name for name in r.names() if ":j" in name or ":shape" in name]
    assert np.all(r["rod:0.position"] == r["rod.position"])


@pytest.mark.parametrize("method", ["path", "sparse"])
@pytest.mark.parametrize("angle", [1e-12, 1e-8, 1e-4, 1.0])
def test_turns_keep_their_digits(angle, method):
    """A rod of one element twisted by T at its tip has turned by T L/GJ."""
    torque = pl.Torque("twist", "rod.tip", [angle * 3.0 / 1.5, 0, 0])
    s = pl.System(parameters={"EI": 5.0, "L": 1.5}, bodies=[rod(LINEAR)], forces=[torque],
                  joints=[pl.Fixed("weld", "ground", "rod.root")])  # fmt: skip
    r = s.statics(method=method, outputs=["rod.turn"])
    assert float(r["rod.turn"].values[-1]) == pytest.approx(angle, rel=1e-9)


def test_an_element_that_turns_too_far_stops_the_run_by_name():
    beam = rod(LINEAR, damping={"stiffness": 0.02})
    twist = pl.Torque("twist", "rod.tip", ["40*t", 0, 0])
    s = pl.System(parameters={"EI": 5.0, "L": 1.5}, bodies=[beam], forces=[twist],
                  joints=[pl.Fixed("weld", "ground", "rod.root")])  # fmt: skip
    r = s.simulate(t_end=2.0, outputs=["rod.turn"])
    assert r["rod.turn"].values[-1] == pytest.approx(0.95 * np.pi, abs=1e-3)
    assert r.time[-1] < 1.0
    assert "use more elements" in r.events[-1].message


def test_deflections_are_against_the_chord_and_against_the_ends():
    r = pendulum(QUADRATIC, frames={"A": [0.75, 0.1, 0]}).simulate(t_end=0.2)
    angle, tip = r["pin.angle"].values, r["rod.tip.position"].values
    along = np.column_stack([np.cos(angle), 0 * angle, -np.sin(angle)])
    across = np.column_stack([np.sin(angle), 0 * angle, np.cos(angle)])
    expected = np.column_stack([(tip * along).sum(1) - 1.5, tip[:, 1], (tip * across).sum(1)])
    assert np.allclose(r["rod.tip.deflection.tangent(root)"], expected, rtol=0, atol=1e-12)
    assert np.allclose(r["rod.tip.deflection"], 0, rtol=0, atol=1e-12)
    assert np.allclose(r["rod.A.deflection"].values[0], [0, 0.1, 0], rtol=0, atol=1e-12)
    assert np.allclose(r["rod.A.deflection.tangent(tip)"].values[0], 0, rtol=0, atol=1e-12)


def test_formulas_may_read_frames_and_deflections():
    s = pendulum(QUADRATIC)
    model = s.described.with_(
        outputs={"sum": "rod.tip.position.z + rod.mid.deflection.z", "speed": "rod.velocity.x"},
        forces=[pl.Force("follow", "rod.tip", [0, 0, "-rod.tip.velocity.z"], axes="body")],
    )
    r = pl.System(model).simulate(t_end=0.1)
    expected = r["rod.tip.position"][:, 2] + r["rod.mid.deflection"][:, 2]
    assert np.allclose(r["sum"], expected, rtol=0, atol=1e-15)


def test_networks_attach_to_frames_of_beams():
    network = pl.Network("damper", {"move": {"frame": "rod.tip", "direction": [0, 0, 1]},
                                    "oil": {"R": 3, "on": "move"}})  # fmt: skip
    model = pendulum(QUADRATIC).described.with_(networks=[network])
    assert expanded(model).networks["damper"].elements["move"].frame == "rod:4.tip"


def test_a_tapered_rod_stretches_as_its_sections_say():
    """P ∫dx/EA under a small axial force, EA falling linearly to half."""
    wide, narrow = (pl.Rectangle(b, 0.1) for b in (0.1, 0.05))
    steel = pl.Material("steel", E=2e9, density=1000, nu=0.3)
    beam = pl.Beam("rod", 1.0, sections={0: wide, 1: narrow}, material="steel",
                   theory={"exact": {"elements": 2, "order": 2}})  # fmt: skip
    pull, weld = pl.Force("pull", "rod.tip", [1e3, 0, 0]), pl.Fixed("weld", "ground", "rod.root")
    s = pl.System(bodies=[beam], materials=[steel], forces=[pull], joints=[weld])
    tip = s.statics(outputs=["rod.tip.position"])["rod.tip.position"].values.ravel()
    expected = 1e3 * np.log(2) / (2e9 * 0.1 * 0.05)
    # strain is linear in an element where 1/EA is not: fourth order in h = 1/2
    assert tip[0] - 1 == pytest.approx(expected, rel=2e-3)


def test_theories_with_options_are_written_and_read_back():
    for theory in ("exact", QUADRATIC, DIRECTORS, {"large-rotation": {"elements": 3, "nodes": 4}}):
        s = pendulum(theory)
        assert pl.System.loads(s.text).described == s.described
    assert "theory: exact\n" in pendulum({"exact": {"elements": 4, "order": 2}}).text


def test_what_a_theory_needs_is_named():
    assert not faults("exact")
    assert faults("exact", stiffness={"EA": 1.0}) == [
        f"theory exact needs {key}" for key in ("EIy", "EIz", "GJ", "GAy", "GAz")
    ]
    assert "theory exact needs rotary inertia" in faults("exact", rotary=None)
    assert faults("modal", curvature=[0, 0, 1])[0] == "a beam of theory modal is straight"
    assert faults(LINEAR, damping={"torsion": {"modal": [0.01] * 12}}) == [
        "damping: torsion: 12 ratios for at most 8 modes"
    ]


# --- motion


@pytest.mark.slow
@pytest.mark.parametrize("theory", [LINEAR, {"large-rotation": {"elements": 1}}])
def test_all_formulations_agree(theory):
    report = pendulum(theory, damping={"stiffness": 1e-3}).verify(pointwise=True, states=5)
    assert report.agree, report
    formulations = {v.formulation for v in report.verdicts}
    assert {"recursive", "linear-graph", "multibond"} <= formulations


@pytest.mark.parametrize("theory", [QUADRATIC, DIRECTORS])
def test_a_pendulum_keeps_its_energy(theory):
    """Change by the integrator alone: it falls with the tolerance."""
    s = pendulum(theory)
    runs = (s.simulate(t_end=1.0, rtol=rtol, outputs=["energy"]) for rtol in (1e-6, 1e-9))
    drift = [np.ptp(r["energy"].values) for r in runs]
    assert drift[1] < 1e-8
    assert drift[1] < drift[0] / 10


@pytest.mark.parametrize("theory", [QUADRATIC, DIRECTORS])
def test_parameters_change_numbers_and_nothing_else(theory):
    outputs = ["rod.tip.position", "rod.mid.deflection"]
    one = pendulum(theory).simulate(t_end=0.3, rtol=1e-9, outputs=outputs,
                                    params={"EI": 2.0, "L": 1.1})  # fmt: skip
    other = pendulum(theory, {"EI": 2.0, "L": 1.1}).simulate(t_end=0.3, rtol=1e-9, outputs=outputs)
    for name in outputs:
        assert np.allclose(one[name], other[name], rtol=0, atol=1e-8)


def test_damping_takes_energy():
    s = pendulum(QUADRATIC, damping={"stiffness": 0.01})
    r = s.simulate(t_end=1.0, rtol=1e-9, outputs=["energy", "rod:e0.power", "rod:e0.energy"])
    assert np.all(np.diff(r["energy"]) < 1e-9)
    assert r["energy"][-1] < r["energy"][0] - 1e-3


@pytest.mark.parametrize("theory", [{"exact": {"elements": 2, "order": 1}}, DIRECTORS])
def test_a_free_beam_keeps_its_momentum(theory):
    """A spinning, bent beam in flight: its mass centre moves on a straight line."""
    beam = rod(theory, initial={"velocity": [1, 2, 3], "angular_velocity": [1, 4, 2]})
    bend = [pl.Force("push", "rod.mid", [0, 10, 20])]
    bend += [pl.Force(f"pull_{end}", f"rod.{end}", [0, -5, -10]) for end in ("root", "tip")]
    s = pl.System(parameters={"EI": 5.0, "L": 1.5}, bodies=[beam], forces=bend)
    nodes = ["rod.position", "rod:1.position", "rod:2.position"]
    r = s.simulate(t_end=0.5, rtol=1e-9, every=0.05, outputs=nodes)
    at = [r[node].values for node in nodes]
    centre = (at[0] + 2 * at[1] + at[2]) / 4
    t = np.asarray(r.time)[:, None]
    straight = centre[0] + t * (centre[-1] - centre[0]) / t[-1]
    assert np.allclose(centre, straight, rtol=0, atol=1e-7)
    assert np.abs(at[1] - (at[0] + at[2]) / 2).max() > 0.05


def test_small_deflections_are_those_of_a_timoshenko_beam():
    """A stiff cantilever under its weight: q L⁴ / 8EI + q L² / 2GA at the tip."""
    stiffness = {"EA": 1e6, "EIy": 1e3, "EIz": 1e3, "GJ": 1e3, "GAy": 1e6, "GAz": 1e6}
    beam = pl.Beam("rod", 1.0, theory=QUADRATIC, stiffness=stiffness, mass_per_length=1.0,
                   rotary={"rhoIy": 1e-4, "rhoIz": 1e-4})  # fmt: skip
    s = pl.System(gravity=[0, 0, -9.81], bodies=[beam],
                  joints=[pl.Fixed("weld", "ground", "rod.root")])  # fmt: skip
    tip = s.statics(outputs=["rod.tip.position"])["rod.tip.position"].values.ravel()
    assert tip[2] == pytest.approx(-9.81 / (8 * 1e3) - 9.81 / (2 * 1e6), rel=1e-5)


@pytest.mark.slow
def test_rigid_modal_and_exact_bodies_in_one_system():
    """A chain of three: forces pass through all of them, energy stays, all formulations agree."""
    arm = pl.RigidBody.rod("arm", 0.5, mass=1.0, frames={"end": [0.5, 0, 0]})
    modal = pl.Beam("tail", 0.6, stiffness={"EIy": 2.0, "EIz": 2.0}, mass_per_length=0.5,
                    rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, shapes={"bending_z": 1})  # fmt: skip
    joints = [
        pl.Revolute("a", "ground", "arm", axis="y"),
        pl.Universal("b", "arm.end", "rod.root", initial={"angle1": "30 deg"}),
        pl.Revolute("c", "rod.tip", "tail.root", axis="y", initial={"angle": "-40 deg"}),
    ]
    s = pl.System(gravity=[0, 0, -9.81], parameters={"EI": 5.0, "L": 0.8},
                  bodies=[arm, rod(LINEAR), modal], joints=joints)  # fmt: skip
    r = s.simulate(t_end=0.5, rtol=1e-9, outputs=["energy", "tail.tip.position"])
    assert np.ptp(r["energy"].values) < 1e-7
    assert s.verify(pointwise=True, states=3).agree
