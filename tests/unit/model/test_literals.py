"""Numbers written in a model are parameters by their path; code is made of what is left."""

import math
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions import code
from pliant.backends.expressions.prepare import prepare
from pliant.code.compile import _outputs, function_of, packed
from pliant.model.numbers.literals import canonical, structure_of, with_literals

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))
PENDULUM = """
pliant: 1
gravity: [0, -9.81, 0]
parameters: {{d: 0.1 N*m*s/rad}}
bodies:
  rod: {{rigid: {{mass: {mass}, com: [{com}, 0, 0], inertia: [0.01, 0.01, 0.02]}},
        frames: {{tip: [0.8, 0, 0]}}}}
joints:
  pin: {{revolute: {{axis: z}}, between: [ground, rod], initial: {{angle: {angle}}}}}
forces:
  drag: {{joint_spring: {{damping: d}}, joint: pin}}
simulate: {{t_end: 0.5 s, rtol: 1e-9}}
"""


def pendulum(mass="2 kg", com="0.4", angle="20 deg"):
    return pl.loads(PENDULUM.format(mass=mass, com=com, angle=angle))


@pytest.fixture
def derivations(monkeypatch):
    """How often equations are derived, with nothing kept from before."""
    count = []
    derive = code.derive
    monkeypatch.setattr(code, "_made", {})
    monkeypatch.setattr(code.store, "get", lambda key, kind: None)
    monkeypatch.setattr(code, "derive", lambda *a, **k: count.append(1) or derive(*a, **k))
    return count


def test_a_number_set_by_its_path_is_that_number_in_the_file(derivations):
    """Bit for bit, and of one code."""
    changes = {"bodies.rod.mass": "3 kg", "bodies.rod.com[1]": 0.3, "joints.pin.initial.angle": 1.1}
    system = pendulum()
    system.simulate()
    ours = system.simulate(params=changes)
    written = pendulum("3 kg", "0.3", "1.1 rad").simulate()
    assert len(derivations) == 1
    for name in ours.series:
        assert np.array_equal(ours[name], written[name])
    assert abs(ours["pin.angle"][0] - 1.1) < 1e-12


def test_paths_and_names_go_together():
    first = pendulum().simulate(params={"bodies.rod.mass": 3, "d": 0.5})
    second = pendulum("3 kg").simulate(params={"d": 0.5})
    assert np.array_equal(first["pin.angle"], second["pin.angle"])
    assert first.info["params"] == {"d": 0.5}


def test_a_number_may_become_zero_without_new_code(derivations):
    """The pattern is that of the file: with its mass in the axis a pendulum stays where it is."""
    system = pendulum()
    system.simulate()
    result = system.simulate(params={"bodies.rod.com[1]": 0.0})
    assert len(derivations) == 1
    assert np.abs(result["pin.angle"] - math.radians(20)).max() < 1e-12


def test_a_zero_of_the_file_may_become_a_number(derivations):
    system = pendulum()
    system.simulate()
    result = system.simulate(params={"bodies.rod.com[2]": 0.2})
    assert len(derivations) == 2
    text = PENDULUM.replace("{com}, 0, 0", "{com}, 0.2, 0")
    expected = pl.loads(text.format(mass=2, com=0.4, angle="20 deg")).simulate()
    assert np.array_equal(result["pin.angle"], expected["pin.angle"])


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"bodies.rod.mas": 1}, "no number is written at 'bodies.rod.mas'; did you mean 'bodies"),
        ({"bodies.rod.mass": "3 m"}, "body 'rod': mass: '3 m' has the wrong unit; expected kg"),
        ({"bodies.rod.mass": -3}, "mass is -3 kg, below zero"),
        ({"gravity[4]": 1}, "no number is written at 'gravity[4]'"),
        ({"forces.drag.damping": 1}, "'forces.drag.damping' is the formula 'd', not a number"),
    ],
)
def test_wrong_paths_and_numbers_are_refused(params, said):
    with pytest.raises(pl.PliantError) as refused:
        pendulum().simulate(params=params)
    assert said in str(refused.value)


def test_every_verb_takes_paths():
    heavier = {"bodies.rod.mass": 3}
    system, written = pendulum(), pendulum("3 kg")
    assert np.array_equal(system.modes(1, params=heavier).eigenvalues, written.modes(1).eigenvalues)
    at_rest = system.statics(params=heavier)["pin.angle"].values
    assert np.abs(at_rest - written.statics()["pin.angle"].values).max() < 1e-12
    assert str(system.check(heavier)) == str(written.check())
    assert system.verify(params=heavier, pointwise=True, states=1).agree


def test_values_of_parameters_and_numbers_do_not_make_code(derivations):
    """Of named parameters neither, only whether they are formulas."""
    text = PENDULUM.format(mass=2, com=0.4, angle="20 deg")
    for changed in (text, text.replace("d: 0.1", "d: 0.3"), text.replace("0.8", "0.9"),
                    text.replace("-9.81", "-1.62"), text.replace("20 deg", "2 rad")):  # fmt: skip
        prepare(pl.loads(changed))
    assert len(derivations) == 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_structure_of_an_example_is_the_example(path):
    """With the numbers put back it reads as before, and exact zeros and ones are left in it."""
    system = pl.load(path)
    found = structure_of(system.model)
    assert not any(v in (0.0, 1.0, -1.0) for v in found.numbers.values())
    named = found.model.with_(parameters={**system.model.parameters})
    back = {k: repr(v) for k, v in found.numbers.items()}
    text = canonical(named)
    assert all(name in text for name in back)
    assert canonical(with_literals(system.described, {})) == canonical(system.described)


def test_frames_along_axes_are_structure():
    turned = """
pliant: 1
bodies:
  b: {{rigid: {{mass: 2, inertia: [2, 2, 3]}},
      frames: {{f: {{at: [0.5, 0, 0], orientation: {{bryant123: [{a}, {b}, 0]}}}}}}}}
joints: {{j: {{revolute: {{axis: z}}, between: [ground, b.f]}}}}
"""
    along = structure_of(pl.loads(turned.format(a="90 deg", b="180 deg")).model).numbers
    inclined = structure_of(pl.loads(turned.format(a="90 deg", b="30 deg")).model).numbers
    assert not any("orientation" in path for path in along)
    assert sum("orientation" in path for path in inclined) == 2


def test_code_of_one_system_serves_another_with_its_own_signals_and_tables():
    text = """
pliant: 1
bodies:
  rod: {{beam: {{length: {length}, stiffness: {{EIy: 20, EIz: 20}}, mass_per_length: 0.5}},
         shapes: {{bending_y: 2}}}}
joints: {{pin: {{fixed: {{}}, between: [ground, rod.root]}}}}
signals: {{s: {{times: [0, 1, 2], values: [0, {top}, 0], interpolation: linear}}}}
forces: {{push: {{force: [0, s, 0], at: rod.tip}}}}
simulate: {{t_end: 0.5, rtol: 1e-8}}
"""
    pl.loads(text.format(length=0.7, top=3)).simulate()
    here = pl.loads(text.format(length=0.5, top=4))
    assert prepare(here, Choice()).compiled.code.key == prepare(
        pl.loads(text.format(length=0.7, top=3))).compiled.code.key  # fmt: skip
    result = here.simulate()
    static = 0.5**3 / (3 * 20) * 4 * 0.5
    mean = np.mean(result["rod.tip.position"].values[-20:, 1])
    assert mean == pytest.approx(static, rel=0.2)


@pytest.mark.parametrize(
    ("shape", "changes", "changed"),
    [
        ("rod: {length: 0.8, mass: 2}", {"length": 0.5}, "rod: {length: 0.5, mass: 2}"),
        ("rod: {length: 0.8, mass: 2}", {"mass": "3 kg"}, "rod: {length: 0.8, mass: 3}"),
        ("box: {size: [0.8, 0.2, 0.3], density: 700}", {"size[2]": 0.4, "density": 900},
         "box: {size: [0.8, 0.4, 0.3], density: 900}"),
        ("sphere: {radius: 0.3, mass: 2}, frames: {f: [0.3, 0, 0]}",
         {"radius": 0.2, "frames.f.position[1]": 0.2},
         "sphere: {radius: 0.2, mass: 2}, frames: {f: [0.2, 0, 0]}"),
    ],
)  # fmt: skip
def test_bodies_of_simple_shapes_keep_their_shape(shape, changes, changed):
    """Inertia follows the sizes; a part that follows is not set alone."""
    text = "pliant: 1\nbodies: {b: {%s}}\njoints: {j: {revolute: {}, between: [ground, b]}}"
    system, written = pl.loads(text % shape), pl.loads(text % changed)
    other, _ = system.with_numbers({f"bodies.b.{k}": v for k, v in changes.items()})
    assert other.described.bodies["b"] == written.described.bodies["b"]
    with pytest.raises(pl.PliantError, match="no number is written at"):
        system.with_numbers({"bodies.b.inertia[3]": 2})


def test_what_follows_from_other_numbers_is_not_set():
    """The tip of a beam is where its length says."""
    system = pl.load(EXAMPLES[0].parent / "rotating_beam.yaml")
    with pytest.raises(pl.PliantError, match="not written in the model; it follows from others"):
        system.with_numbers({"bodies.blade.frames.tip.position[1]": 8})
    shorter, _ = system.with_numbers({"bodies.blade.length": "8 m"})
    assert shorter.described.bodies["blade"].frames["tip"].position[0].value == 8


@pytest.mark.parametrize("name", ["haug_slider_crank", "hydraulic_crane", "springboard"])
def test_names_of_numbers_cost_few_instructions(name):
    """Numbers that fold into code are few: at most 5 % more instructions without them."""
    system = pl.load(EXAMPLES[0].parent / f"{name}.yaml")
    folded, free = (
        sum(
            function_of(e, key, packed(make())[0]).n_instructions()
            for key, make in _outputs(e, e.told.observables).items()
        )
        for e in (code.derive(system, Choice(), free=free) for free in (False, True))
    )
    assert folded <= free <= 1.05 * folded
