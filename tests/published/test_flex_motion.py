"""Motion of mechanisms with flexible beams against certified references (B3, M3, M4, M5).

The references of B3, M3 and M5 are geometrically exact beams. A floating-frame body with a field of
second order has a model error against them that no number of shape functions removes; tolerances
are that error. M4 and the linear results of B3 state the same model: tolerances are those of the
integration.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"


def reference(name):
    return np.genfromtxt(HERE / "data" / name, delimiter=",", names=True)


def example(name, change=None, **sections):
    """The model of an example; ``change`` maps bodies to what differs in them."""
    model = pl.load(EXAMPLES / f"{name}.yaml").model
    bodies = [replace(b, **(change or {}).get(n, {})) for n, b in model.bodies.items()]
    return pl.System(model, bodies=bodies, **sections)


def simulated(system, data, outputs, **options):
    how = {"method": "dop853", "rtol": 1e-10, **options}
    result = system.simulate(t_end=data["t"][-1], times=data["t"], outputs=outputs, **how)
    assert result.completed, result.failure
    return result


def gap(result, name, values):
    return float(np.abs(result.values(name) - values).max())


# B3: spin-up of a beam

TIP = "blade.tip.deflection.tangent(root)"


@pytest.mark.parametrize(("speed", "error"), [(2, 1e-3), (6, 5e-3)])
def test_spun_up_beam_stiffens_as_the_exact_one(speed, error):
    data = reference("B3_spin_up.csv")
    blade = {"shapes": {"bending_y": 5, "axial": 1}}
    system = example("rotating_beam", {"blade": blade}, parameters={"speed": speed, "Ts": 15})
    result = simulated(system, data, [TIP], rtol=1e-7)
    peak = np.abs(data[f"u2_{speed}"]).max()
    assert gap(result, f"{TIP}.y", data[f"u2_{speed}"]) < error * peak
    assert gap(result, f"{TIP}.x", data[f"u1_{speed}"]) < 5 * error * peak


@pytest.mark.parametrize("stiffness", ["dynamic", "none"])
@pytest.mark.parametrize("speed", [2, 4, 6])
def test_spun_up_beam_of_the_linear_theories(speed, stiffness):
    """Without geometric stiffness it diverges above its first frequency, 3.8 rad/s."""
    data = reference("B3_spin_up.csv")
    blade = {"geometric_stiffness": stiffness}
    system = example("rotating_beam", {"blade": blade}, parameters={"speed": speed, "Ts": 15})
    values = data[f"{stiffness}_{speed}"]
    result = simulated(system, data, [TIP], rtol=1e-11)
    so_far = np.maximum.accumulate(np.abs(values))
    assert (np.abs(result.values(f"{TIP}.y") - values) <= 1e-7 * so_far + 1e-12).all()
    assert (np.abs(values).max() > 10) == (stiffness == "none" and speed > 3.8)


def test_tension_of_a_turning_beam():
    """S0 (3.40): ρA Ω² L²/2 = 2160 N at the root, without axial shapes."""
    spin = pl.JointDriver("spin", "hub", motion="speed*t")
    system = example("rotating_beam", drivers=[spin])
    result = system.simulate(0.02, every=0.01, outputs=["blade.root.internal_force"])
    assert result.values("blade.root.internal_force.x") == pytest.approx(2160, rel=1e-9)
    diagram = result.diagram("blade")
    assert diagram["N"] == pytest.approx(21.6 * (100 - diagram.x**2), rel=1e-9, abs=1e-6)


# M3: spatial slider-crank


def test_rod_of_the_spatial_slider_crank():
    data = reference("M3_flexible_slider_crank.csv")
    outputs = ["rod.mid.position", "rod.root.position", "rod.tip.position", "S.displacement"]
    system = example("spatial_slider_crank", {"rod": {"shapes": {"bending": 3}}})
    result = simulated(system, data, outputs, rtol=1e-7)
    mid, root, tip = (result.values(n) for n in outputs[:3])
    bent = mid - (root + tip) / 2
    for axis, values in zip("XYZ", bent.T, strict=True):
        assert np.abs(values - data[f"d{axis}"]).max() < 3e-5
    assert gap(result, "S.displacement", data["slider_x"]) < 3e-6


# M4: crank-rocker with a motor

CASES = {
    "A2": {},
    "A4": {"shapes": {"bending_y": 4}, "damping": {"modal": [0.01, 0.01]}},
    "noGS": {"geometric_stiffness": "none"},
}
MID = "coupler.mid.deflection"


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
@pytest.mark.parametrize("case", CASES)
def test_crank_rocker_with_its_motor(case, formulation):
    """The motor is a network: its current a state of its own, its rotor moves with the crank."""
    data = reference("M4_crank_rocker.csv")
    outputs = [MID, "O.angle", "O.angle_rate", "D.angle", "current"]
    system = example("crank_rocker", {"coupler": CASES[case]})
    result = simulated(system, data, outputs, formulation=formulation)
    pairs = (
        (f"{MID}.y", "mid", 1e-9),
        ("O.angle", "crank", 1e-9),
        ("O.angle_rate", "speed", 1e-7),
        ("D.angle", "rocker", 1e-9),
        ("current", "current", 1e-9),
    )
    for name, column, error in pairs:
        assert gap(result, name, data[f"{column}_{case}"]) < error


def test_axial_force_of_the_coupler():
    """S0 figure 9-18, along the chord: no axial shapes, and pins that pull by 1.25 kN."""
    data = reference("M4_crank_rocker.csv")
    ends = {"root": "pull_A_A2", "tip": "pull_C_A2"}
    names = [f"coupler.{end}.{what}" for end in ends for what in ("internal_force", "rotation")]
    result = simulated(example("crank_rocker"), data, names)
    for end, column in ends.items():
        (N, Q, _), turned = (result.values(f"coupler.{end}.{what}").T
                             for what in ("internal_force", "rotation"))  # fmt: skip
        along = N * np.cos(turned[2]) - Q * np.sin(turned[2])
        assert np.abs(along - data[column]).max() < 1e-5
    assert np.abs(data["pull_A_A2"]).max() > 1200


def test_crank_rocker_of_the_truncated_theory():
    data = reference("M4_crank_rocker.csv")
    system = example("crank_rocker", {"coupler": {"geometric_stiffness": "dynamic"}})
    error = gap(simulated(system, data, [MID]), f"{MID}.y", data["mid_A2"])
    assert 1e-6 < error < 2e-5


def driven_crank_rocker(case):
    """The linkage without its motor: the crank follows the motion of the reference."""
    motion = reference("M4_crank_motion.csv")
    system = example("crank_rocker", {"coupler": CASES[case]})
    sections = {
        "signals": [pl.Signal("motion", motion["t"], motion[f"crank_{case}"])],
        "drivers": [pl.JointDriver("spin", "O", motion="motion")],
    }
    return pl.System(system.model, networks=[], outputs={}, **sections)


@pytest.mark.parametrize("case", CASES)
def test_driven_crank_rocker(case):
    data = reference("M4_crank_rocker.csv")
    result = simulated(driven_crank_rocker(case), data, [MID])
    assert gap(result, f"{MID}.y", data[f"mid_{case}"]) < 1e-8


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_coupler_buckles_with_a_heavy_rocker(formulation):
    data = reference("M4_crank_rocker.csv")
    model = pl.load(EXAMPLES / "crank_rocker.yaml").model
    system = pl.System(model, parameters={**model.parameters, "heavier": 200})
    result = simulated(system, data[data["t"] <= 0.6], [MID], formulation=formulation)
    before = data["t"] <= 0.555
    mid = result.values(f"{MID}.y")
    assert np.abs(mid[before[: len(mid)]] - data["mid_A2_x200"][before]).max() < 1e-9
    assert result.time[np.argmax(np.abs(mid) > 0.01)] == pytest.approx(0.565)
    assert [e.name for e in result.events] == ["coupler.buckling"]
    assert result.events[0].time == pytest.approx(0.558, abs=5e-4)


# M5: manipulator


def manipulator(kind, **options):
    """The arm with all its fields in space, or with four functions in the plane."""
    base = {"planar": 0, "spatial": 1}[kind]
    plane = {"shapes": {"bending_y": {"polynomial": 4}}} if kind == "planar" else {}
    links = {n: {**plane, **options} for n in ("link2", "link3")}
    model = pl.load(EXAMPLES / "manipulator.yaml").model
    return example("manipulator", links, parameters={**model.parameters, "base": base})


def motors(kind):
    return range(2 if kind == "planar" else 1, 5)


KINDS = [
    ("planar", 1e-5),
    pytest.param("spatial", 1e-4, marks=pytest.mark.slow),
]
TOOL = "payload.tip.position"


@pytest.mark.parametrize(("kind", "error"), KINDS)
def test_manipulator_on_prescribed_paths(kind, error):
    data = reference(f"M5_manipulator_{kind}.csv")
    outputs = [TOOL, *(f"motor{i}.torque" for i in motors(kind))]
    rigid = simulated(manipulator(kind, theory="rigid"), data, outputs)
    flexible = simulated(manipulator(kind), data, outputs, rtol=1e-8, method="auto")
    off = flexible.values(TOOL) - rigid.values(TOOL)
    for axis, values in zip("XYZ", off.T, strict=True):
        assert np.abs(values - data[f"dev{axis}"]).max() < error
    for i in motors(kind):
        values = data[f"tau{i}_flex"]
        assert gap(flexible, f"motor{i}.torque", values) < 1e-3 * np.abs(values).max()
        assert gap(rigid, f"motor{i}.torque", data[f"tau{i}_rigid"]) < 1e-8


@pytest.mark.parametrize("kind", ["planar", pytest.param("spatial", marks=pytest.mark.slow)])
def test_torques_of_the_rigid_arm_move_the_flexible_one(kind, tmp_path):
    """Torques are saved from one run, and fed to another model."""
    data = reference(f"M5_manipulator_{kind}_torques.csv")
    torques = [f"motor{i}.torque" for i in motors(kind)]
    rigid = manipulator(kind, theory="rigid").simulate(20, every=0.01, rtol=1e-10, outputs=torques)
    rigid.save(tmp_path / "rigid.csv")
    saved = pl.Result.load(tmp_path / "rigid.csv")
    model = manipulator(kind).model
    arm = pl.System(
        model,
        drivers=[d for n, d in model.drivers.items() if n == "motor1" and kind == "planar"],
        forces=[pl.Actuator(f"drive{i}", f"J{i}", effort=f"tau{i}") for i in motors(kind)],
        signals=[pl.Signal(f"tau{i}", saved.time, saved.values(f"motor{i}.torque"))
                 for i in motors(kind)],
    )  # fmt: skip
    result = simulated(arm, data, [TOOL], rtol=1e-8)
    for axis in "xyz":
        assert gap(result, f"{TOOL}.{axis}", data[f"tip{axis.upper()}"]) < 1e-4
