"""Every recipe of CONTRIBUTING: its file in a package of its own, registered, and used.

A block below a heading ``### a joint`` is the whole file. What it makes obeys the laws of its
registry, and does its work in a model.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from tests.conformance import test_force_laws as forces
from tests.conformance import test_formulations as formulations
from tests.conformance import test_integrators as integrators
from tests.conformance import test_joints as joints
from tests.conformance import test_network_power as networks
from tests.conformance import test_sections as sections
from tests.conformance import test_treatments as treatments

import pliant as pl
from pliant.backends.blocks.route import BACK_END as BLOCKS
from pliant.cli import main
from pliant.model.files.schema import text as schema
from pliant.model.joints import JOINTS
from pliant.solve import INTEGRATORS, TREATMENTS

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
PARTS = re.split(r"^### (.*)\n", CONTRIBUTING.read_text(encoding="utf-8"), flags=re.M)[1:]
BLOCK = re.compile(r"^```(python|yaml)\n(.*?)^```$", re.M | re.S)
RECIPES = {
    title.strip(): BLOCK.findall(text)
    for title, text in zip(PARTS[::2], PARTS[1::2], strict=True)
    if BLOCK.search(text)
}
KINDS = {
    "a joint", "a force", "a section", "a body", "a body that deforms", "a sensor",
    "an observable", "a driver",
    "a component of networks", "an integrator", "a constraint treatment", "a formulation",
    "a back end", "a plot", "a command", "a constraint on velocities",
}  # fmt: skip
CRANK = Path(__file__).parents[2] / "examples" / "planar_slider_crank.yaml"
PENDULUM = """
pliant: 1
gravity: [0, 0, -9.81]
ground: {frames: {foot: [0.3, 0, -0.2]}}
bodies:
  boom: {rod: {length: 1, mass: 4}, frames: {eye: [0.6, 0, 0]}}
  load: {box: {size: [0.1, 0.2, 0.1], mass: 2}, frames: {hook: [0, 0, 0.05]}}
joints:
  pin: {revolute: {axis: y}, between: [ground, boom], initial: {angle: 0.4}}
  rope: {universal: {}, between: [boom.eye, load.hook], initial: {angle2_rate: 2}}
simulate: {t_end: 0.3, every: 0.05, rtol: 1e-8}
"""


@pytest.fixture
def recipe(request, registries, tmp_path, monkeypatch):
    """The file of a recipe, imported: its module, or the path of a file that is none."""
    ((language, text),) = RECIPES[request.param]
    word = request.param.split()[-1]
    package = tmp_path / f"trial_{word}"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    if language == "yaml":
        path = package / "flywheel.yaml"
        path.write_text(text, encoding="utf-8")
        yield path
        return
    (package / f"{word}.py").write_text(text, encoding="utf-8")
    before = set(sys.modules)
    yield import_module(f"{package.name}.{word}")
    for name in set(sys.modules) - before:
        if name.startswith(package.name):
            del sys.modules[name]


def of(title):
    return pytest.mark.parametrize("recipe", [title], indirect=True, ids=[""])


def agrees(text, states=3):
    """The model says the same after it was written, and all formulations and back ends agree."""
    system = pl.System.loads(text)
    assert pl.System.loads(system.text).described == system.described
    report = system.verify(pointwise=True, states=states)
    assert report.agree, str(report)
    return system


def test_there_is_a_recipe_for_each_kind():
    assert RECIPES.keys() == KINDS
    assert all(len(blocks) == 1 for blocks in RECIPES.values())


@of("a joint")
def test_a_joint(recipe, rng):
    own = recipe.CurvedSlot("J", "ground", "body", curvature=0.7).evaluated(lambda f: f.value)
    joints.test_residual_vanishes_on_the_poses_of_the_joint(own, rng)
    joints.test_reactions_do_no_work(own, rng)
    joints.test_effort_basis_is_dual_to_the_motion(own, rng)
    joints.test_motion_basis_is_the_rate_of_the_pose(own, rng)
    joints.test_constraint_basis_is_the_rate_of_the_residual(own, rng)
    joints.test_coordinates_are_found_again_from_the_pose(own, rng)
    assert JOINTS["curved_slot"] is recipe.CurvedSlot
    assert '"curved_slot"' in schema()
    system = agrees(PENDULUM.replace("revolute: {axis: y}", "curved_slot: {curvature: 0.7}"))
    assert system.check().freedom == 4


@of("a force")
def test_a_force(recipe, monkeypatch):
    case = {"frame_a": "a", "frame_b": "b", "strength": 3.0}
    monkeypatch.setitem(forces.CASES, "attraction", [case])
    forces.test_an_element_looks_the_same_from_anywhere("attraction", 0, 1)
    forces.test_what_acts_between_two_frames_leaves_nothing_over("attraction", 0, 1)
    forces.test_power_comes_from_the_potential_or_goes_to_heat("attraction", 0, 1)
    start = {"position": [1, 0, 0], "velocity": [0, 1, 0]}
    planet = pl.System(
        bodies=[pl.RigidBody("planet", 1, inertia=[1, 1, 1], initial=start)],
        forces=[recipe.Attraction("sun", "ground", "planet", strength=1)],
    )
    orbit = planet.simulate(2 * np.pi, rtol=1e-10, outputs=["planet.position", "energy"])
    assert orbit.values("planet.position")[-1] == pytest.approx([1, 0, 0], abs=1e-7)
    assert np.ptp(orbit.values("energy")) < 1e-8


@of("a body that deforms")
def test_a_body_that_deforms(recipe):
    """Held, it swings at the root of k/m; free, at that of k (1/m + 1/M); tables follow numbers."""
    own = "absorber: {mass: 3, inertia: 0.2, moving: 0.5, stiffness: k, height: 0.1}"
    text = f"""
pliant: 1
gravity: [0, 0, -9.81]
parameters: {{k: 200}}
bodies:
  tuned: {{{own}, frames: {{foot: {{node: 0}}, top: {{node: 1, at: [0, 0, 0.02]}}}},
          initial: {{elastic: {{q1: 0.05}}}}}}
joints: {{pin: {{revolute: {{axis: x}}, between: [ground, tuned.foot], initial: {{angle: 0.3}}}}}}
simulate: {{t_end: 0.5, every: 0.05, rtol: 1e-9}}
"""
    system = agrees(text)
    assert '"absorber"' in schema()
    free = system.simulate(outputs=["*"]).require()
    assert np.ptp(free.values("energy")) < 1e-6
    assert free.plot_shape("tuned", times=[0, 0.25]).axes
    there, step, w = free.values("tuned.top.position"), 2.5e-4, 20.0
    blocks = system.simulate(outputs=["tuned.top.position"], method="sparse-alpha", step=step)
    late = 0.05 * w * 0.5 * (w * step) ** 2 / 6  # of a phase that is late by (w h)^2/12 at least
    assert blocks.values("tuned.top.position") == pytest.approx(there, abs=late)
    held = pl.System.loads(text.replace("revolute: {axis: x}", "fixed: {}")
                           .replace(", initial: {angle: 0.3}", ""))  # fmt: skip
    for k in (200.0, 800.0):
        frequency = np.sqrt(k / 0.5) / (2 * np.pi)
        assert held.modes(params={"k": k}).frequencies == pytest.approx([frequency], rel=1e-9)
    loose = pl.System.loads(text.partition("joints:")[0].replace("-9.81", "0"))
    found = loose.modes().frequencies[-1]
    assert found == pytest.approx(np.sqrt(200 * (1 / 0.5 + 1 / 3)) / (2 * np.pi), rel=1e-6)
    for wrong, words in (("{node: 1,", "there is no node 7"), ("stiffness: k", "stiffness")):
        new = wrong.replace("1", "7") if "node" in wrong else "stiffness: -3"
        with pytest.raises(pl.errors.ModelError, match=words):
            pl.System.loads(text.replace(wrong, new))


@of("a sensor")
def test_a_sensor(recipe):
    seen = "sensors: {look: {elevation: , between: [ground.foot, load.hook]}}\n"
    near = "outputs: {twice: 2*look.angle}\nevents: {level: look.angle}\n"
    system = agrees(PENDULUM + seen + near)
    result = system.simulate(outputs=["*"])
    assert result.names()["look.angle"] == "rad"
    r = result.values("load.hook.position") - [0.3, 0, -0.2]
    sine = r[:, 2] / np.linalg.norm(r, axis=1)
    assert result.values("look.angle") == pytest.approx(np.arcsin(sine), abs=1e-12)
    assert result.values("twice") == pytest.approx(2 * result.values("look.angle"), rel=1e-12)
    assert '"elevation"' in schema()
    assert result.values("energy") == pytest.approx(result.values("energy")[0], abs=1e-5)


@of("a driver")
def test_a_driver(recipe):
    ram = "{stroke: {length: 0.4 + 0.1*sin(3*t)}, between: [ground.foot, boom.eye]}"
    system = agrees(PENDULUM.replace(", initial: {angle: 0.4}", "") + f"drivers: {{ram: {ram}}}\n")
    assert '"stroke"' in schema()
    result = system.simulate(outputs=["*"]).require()
    r = result.values("boom.eye.position") - [0.3, 0, -0.2]
    expected = 0.4 + 0.1 * np.sin(3 * result.time)
    assert np.linalg.norm(r, axis=1) == pytest.approx(expected, abs=1e-9)
    force = result.values("ram.force")
    assert np.cross(force, r) == pytest.approx(0.0, abs=1e-9 * np.abs(force).max())
    gained = result.values("energy") - result.values("energy")[0]
    assert gained == pytest.approx(result.values("ram.work"), abs=1e-5)


@of("a constraint on velocities")
def test_a_constraint_on_velocities(recipe):
    held = "constraints: {tyre: {no_pivoting: {}, between: [ground, load]}}\n"
    system = agrees(PENDULUM.replace(", initial: {angle2_rate: 2}", "") + held)
    result = system.simulate(outputs=["*"]).require()
    assert result.values("load.angular_velocity.z") == pytest.approx(0.0, abs=1e-9)


@of("a section")
def test_a_section(recipe, monkeypatch):
    monkeypatch.setitem(sections.SIZES, "hollow_square", {"side": 0.04, "wall": 0.002})
    for law in (
        sections.test_numbers_are_those_of_the_outline,
        sections.test_stress_is_looked_at_on_the_outline,
        sections.test_a_tapered_section_is_that_of_every_place,
        sections.test_shear_and_torsion_are_bounded,
    ):
        law("hollow_square")
    text = """
pliant: 1
materials: {steel: {E: 210 GPa, density: 7850, nu: 0.3}}
bodies:
  mast:
    beam: {length: 2, material: steel, section: {hollow_square: {side: 40 mm, wall: 2 mm}}}
    shapes: {bending: 3}
joints: {foot: {fixed: {}, between: [ground, mast.root]}}
"""
    mast = pl.System.loads(text)
    A, I = 0.04**2 - 0.036**2, (0.04**4 - 0.036**4) / 12
    first = 1.87510407**2 / 4 / (2 * np.pi) * np.sqrt(210e9 * I / (7850 * A))
    assert mast.modes().frequencies[0] == pytest.approx(first, rel=2e-3)
    for wall, why in (("-2 mm", "wall is -0.002, not above zero"), ("20 mm", "make the wall thin")):
        with pytest.raises(pl.PliantError, match=why):
            pl.System.loads(text.replace("wall: 2 mm", f"wall: {wall}"))


@of("a body")
def test_a_body(recipe):
    """Sums over slices: a cone of radius r (1 - z/h) at height z."""
    sized = "cone: {radius: r, height: 30 cm, mass: 2}"
    spun = "initial: {angular_velocity: [1, 2, 30], velocity: [0.5, 0, 0]}"
    system = agrees(f"pliant: 1\nparameters: {{r: 0.1}}\nbodies: {{top: {{{sized}, {spun}}}}}\n")
    assert '"cone"' in schema()
    x, w = np.polynomial.legendre.leggauss(6)
    z, part = (x + 1) / 2, 3 * w / 2 * ((1 - x) / 2) ** 2
    radius, height = 0.1 * (1 - z), 0.3 * z
    centre = part @ height
    across = 2 * part @ (radius**2 / 4 + (height - centre) ** 2)
    inertia = np.array([across, across, 2 * part @ (radius**2 / 2)])
    first = system.simulate(0.1, every=0.1, outputs=["*"]).sample(0)
    assert first.values("centre_of_mass")[0] == pytest.approx([0, 0, centre], abs=1e-15)
    spin = np.array([1, 2, 30])
    about = first.values("angular_momentum_about_com")[0]
    assert about == pytest.approx(inertia * spin, rel=1e-12)
    v = np.array([0.5, 0, 0]) + np.cross(spin, [0, 0, centre])
    energy = v @ v + spin @ (inertia * spin) / 2
    assert first.values("kinetic_energy")[0] == pytest.approx(energy, rel=1e-12)
    nose = pl.RigidBody.shaped("cone", "nose", radius=0.1, height=0.3, mass=2)
    assert [f.value for f in nose.inertia[:3]] == pytest.approx(inertia, rel=1e-12)


@of("a component of networks")
def test_a_component_of_networks(recipe):
    pl.register(recipe)
    networks.judged(networks.driven("flywheel"))


@of("an observable")
def test_an_observable(recipe, tmp_path):
    system = pl.System.loads(PENDULUM)
    for how in ({}, {"formulation": "natural"}, {"method": BLOCKS.methods[0]}):
        result = system.simulate(outputs=["load.hook.velocity", "kinetic_energy"], **how).require()
        speed = np.linalg.norm(result.values("load.hook.velocity"), axis=1)
        assert result.names()["load.hook.speed"] == "m/s"
        assert "load.hook.speed" in result
        assert result["load.hook.speed"].values == pytest.approx(speed, rel=1e-15)
        assert result["load.hook.speed"].attrs["units"] == "m/s"
        expected = result.values("kinetic_energy") - result.values("potential_energy")
        assert result.values("lagrangian") == pytest.approx(expected, rel=1e-15)
    asked = system.simulate(outputs=["load.hook.speed", "lagrangian"])
    assert {"load.hook.speed", "lagrangian"} <= asked.series.keys()
    result.save(tmp_path / "run.nc")
    again = pl.Result.load(tmp_path / "run.nc")
    assert again.values("load.hook.speed") == pytest.approx(speed, rel=1e-12)


@of("an integrator")
def test_an_integrator(recipe):
    assert INTEGRATORS["heun"].order == 2
    integrators.test_measured_order_is_the_stated_one("heun", "spherical_pendulum")
    integrators.test_constraints_hold_at_every_output("heun", "slider_crank")
    text = PENDULUM + "forces: {m: {actuator: 3*sin(2.3*t), joint: pin}}\n"
    result = pl.System.loads(text).simulate(method="heun", step=1e-3)
    assert result.info["energy"].holds


@of("a constraint treatment")
def test_a_constraint_treatment(recipe):
    assert TREATMENTS["damped"].options == {"rate": 20.0}
    treatments.test_accelerations_and_multipliers_agree("damped", "spherical_pendulum")
    treatments.test_trajectories_converge_to_one_answer("damped", "spherical_pendulum")
    system = pl.load(CRANK)
    how = {"every": 0.01, "method": "dop853", "tree": "absolute", "rtol": 1e-9}
    one, two = (system.simulate(0.1, constraints=own, **how) for own in ("projection", "damped"))
    assert two.values("slider.position") == pytest.approx(one.values("slider.position"), abs=1e-8)


@of("a formulation")
def test_a_formulation(recipe):
    formulations.test_multipliers_act_through_the_transposed_constraint_matrix(
        "newton-euler", "absolute", 1
    )
    report = pl.load(CRANK).verify(pointwise=True, states=3)
    ours = [v for v in report.verdicts if v.formulation == "newton-euler"]
    assert report.agree
    assert len(ours) == 1
    assert not ours[0].declined
    blade = pl.load(CRANK.with_name("rotating_beam.yaml"))
    with pytest.raises(pl.PliantError, match="newton-euler cannot take 1 items"):
        blade.simulate(0.1, formulation="newton-euler")


@of("a back end")
def test_a_back_end(recipe):
    system = pl.System.loads(PENDULUM)
    report = system.verify(pointwise=True, states=3)
    (ours,) = (v for v in report.verdicts if v.formulation == "free bodies")
    assert report.agree
    assert not ours.declined
    usual, free = system.simulate(), system.simulate(method="free-bodies")
    assert (usual.info["tree"], free.info["tree"]) == ("joint tree", "absolute tree")
    assert free.values("pin.angle") == pytest.approx(usual.values("pin.angle"), abs=1e-6)


@of("a plot")
def test_a_plot(recipe, tmp_path):
    result = pl.System.loads(PENDULUM).simulate()
    figure = result.plot("pin.angle", "pin.angle_rate", kind="phase", path=tmp_path / "phase.png")
    assert figure.axes[0].get_xlabel() == "pin.angle in rad"
    assert (tmp_path / "phase.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(pl.PliantError, match=r"unknown kind 'phasee'; did you mean 'phase'"):
        result.plot(kind="phasee")


@of("a command")
def test_a_command(recipe, capsys):
    assert main(["census", str(CRANK)]) == 0
    assert "bodies: 3" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "census" in capsys.readouterr().out


@pytest.fixture
def rng():
    return np.random.default_rng(7)
