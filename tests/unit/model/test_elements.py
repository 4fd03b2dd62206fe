"""Elements built in Python: pleasant constructors, the same messages as files."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sample_models import everything

import pliant as pl
from pliant.errors import Fault, FileError, InputError, ModelError, UnknownName
from pliant.model import (
    Actuator,
    Event,
    FrameDriver,
    JointSpring,
    Model,
    Orientation,
    RigidBody,
    Settings,
    Signal,
    Spring,
)
from pliant.model.joints import JOINTS
from pliant.spatial.ops import NUMERIC

Revolute = JOINTS["revolute"]


def numbers(body: RigidBody, **values: float) -> tuple[float, list[float]]:
    """Mass and principal moments."""
    return body.mass.number(values), [f.number(values) for f in body.inertia[:3]]


def test_rod() -> None:
    body = RigidBody.rod("r", "l", mass="m", along="y")
    mass, moments = numbers(body, l=2.0, m=3.0)
    assert (mass, moments) == (3, [1, 0, 1])
    assert [c.number({"l": 2.0}) for c in body.com] == [0, 1, 0]


def test_box() -> None:
    mass, moments = numbers(RigidBody.box("b", [1, 2, 3], density=2))
    assert mass == 12
    assert moments == [13, 10, 5]


def test_cylinder() -> None:
    mass, moments = numbers(RigidBody.cylinder("c", 2, 3, density=1, axis="x"))
    assert mass == pytest.approx(12 * np.pi)
    assert moments == pytest.approx([mass * 2, mass * 21 / 12, mass * 21 / 12])


def test_sphere_and_point() -> None:
    mass, moments = numbers(RigidBody.sphere("s", "r", density=3), r=2.0)
    assert mass == pytest.approx(32 * np.pi)
    assert moments == pytest.approx([1.6 * mass] * 3)
    assert numbers(RigidBody.point("p", 2)) == (2, [0, 0, 0])


def test_constructor_reports_all_its_faults_at_once() -> None:
    with pytest.raises(ModelError) as caught:
        RigidBody("crank", "3 mm", [1, 2], inertia_about="middle", frames={"A": [1, 2]})
    message = str(caught.value)
    for phrase in ("mass: '3 mm'", "com: a list of 2", "inertia_about: 'middle'", "frame 'A'"):
        assert phrase in message
    assert all("crank" in fault.element for fault in caught.value.faults)


def test_numpy_numbers_are_numbers() -> None:
    body = RigidBody("a", np.float64(2), np.array([1.0, 2.0, 3.0]))
    assert body == RigidBody("a", 2, (1, 2, 3))


def test_model_takes_lists_and_finds_names_used_twice() -> None:
    with pytest.raises(ModelError, match="the name is used twice"):
        Model(bodies=[RigidBody("a", 1), RigidBody("a", 2)])
    with pytest.raises(ModelError, match="use one name"):
        Model(bodies={"b": RigidBody("a", 1)})
    with pytest.raises(ModelError, match="gravity"):
        Model(gravity=[0, 0], bodies=[RigidBody("a", 1)])


def test_frames_are_found_by_reference() -> None:
    model = everything()
    assert model.frame("ground") == ("ground", None)
    assert model.frame("ground.G") == ("ground", model.ground.frames["G"])
    assert model.frame("ball.top") == ("ball", model.bodies["ball"].frames["top"])
    with pytest.raises(UnknownName, match="did you mean 'ball'"):
        model.frame("bal")
    with pytest.raises(UnknownName, match="no frame 'tip'"):
        model.frame("ball.tip")


def test_parameters_refer_to_each_other_and_may_be_overridden() -> None:
    model = Model(parameters={"a": "2*b", "b": "30 cm"}, bodies=[RigidBody("m", 1)])
    assert model.parameter_values() == {"a": 0.6, "b": 0.3}
    assert model.parameter_values({"b": "1 m"}) == {"a": 2.0, "b": 1.0}
    assert model.parameter_values({"a": 5}) == {"a": 5.0, "b": 0.3}
    with pytest.raises(UnknownName, match="did you mean"):
        model.parameter_values({"aa": 1})
    with pytest.raises(InputError, match="another unit"):
        model.parameter_values({"b": "1 kg"})


def test_with_replaces_sections() -> None:
    model = Model(bodies=[RigidBody("m", 1)])
    changed = model.with_(settings=Settings(3), name="n")
    assert (changed.settings.t_end, changed.name) == (Settings(3).t_end, "n")
    assert model.name == ""


@pytest.mark.parametrize(
    ("when", "true_at", "false_at"),
    [("a < 1", 0, 2), ("a >= 1", 2, 0), ("0 < a and a < 1", 0.5, 2), ("a < 0 or a > 1", 2, 0.5),
     ("not a < 1", 2, 0), ("0 > a", -1, 1)],
)  # fmt: skip
def test_conditions_become_crossings(when: str, true_at: float, false_at: float) -> None:
    event = Event("e", when)
    assert event.direction == "rising"
    assert event.when.number({"a": true_at}) > 0 > event.when.number({"a": false_at})


def test_event_may_happen_when_a_condition_ceases() -> None:
    assert Event("e", "a < 1", "falling").direction == "falling"


def test_signal_value_over_numbers() -> None:
    linear = Signal("s", (0, 1, 3), (0, 2, 0), interpolation="linear")
    assert linear.at(NUMERIC, 2.0) == pytest.approx(1)
    assert linear.at(NUMERIC, 9.0) == pytest.approx(0)
    assert Signal("s", (0, 1, 3), (0, 2, 0)).at(NUMERIC, 1.0) == pytest.approx(2)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: Signal("s", (0, 1), (0,)), "2 times but 1 values"),
        (lambda: Signal("s", (0, 1), (0, float("nan"))), "finite"),
        (lambda: Signal("s", (0,), (0,)), "1 points"),
        (lambda: FrameDriver("d", "a"), "nothing is prescribed"),
        (lambda: FrameDriver("d", "a", "velocity", orientation=Orientation()), "orientation at"),
        (lambda: FrameDriver("d", "a", "position", angular=[0, 0, 1]), "angular motion at"),
        (lambda: Orientation("euler", (1, 2, 3)), "unknown orientation"),  # type: ignore[arg-type]
        (lambda: Orientation.about("up", 1), "is not an axis"),
        (lambda: RigidBody.rod("r", 1), "mass or mass_per_length is missing"),
        (lambda: RigidBody("r", 1, shape={"cone": {}}), "unknown shape"),
        (lambda: Spring("s", "a", "b", stiffness="3 < 2"), "is a condition"),
        (lambda: Event("e", "a == 1"), "has no crossing"),
    ],
)
def test_impossible_elements_say_why(make: object, what: str) -> None:
    with pytest.raises(InputError, match=what):
        make()  # type: ignore[operator]


def model_with(*forces: object, **sections: object) -> Model:
    joint = Revolute("O", "ground", "a")
    given = {"bodies": [RigidBody("a", 1)], "joints": [joint], "forces": forces, **sections}
    return Model(**given)  # type: ignore[arg-type]


def test_negative_damping_is_a_warning_not_a_fault() -> None:
    model = model_with(JointSpring("s", "O", damping=-1))
    assert model.faults() == []
    assert "damping is negative" in str(model.warnings()[0])


def test_feedback_reads_states_and_a_typo_is_found() -> None:
    good = model_with(Actuator("m", "O", effort="-3*O.angle - O.angle_rate + a.velocity.x"))
    assert good.check() is good
    bad = model_with(Actuator("m", "O", effort="-3*O.angel"))
    assert "did you mean 'O.angle'" in str(bad.faults()[0])


def test_local_names_of_laws_are_known_there_only() -> None:
    assert not model_with(JointSpring("s", "O", effort="-x - v")).faults()
    assert "unknown name 'x'" in str(model_with(Actuator("m", "O", effort="-x")).faults()[0])


def test_rounded_lamina_passes_the_triangle_rule() -> None:
    body = RigidBody("a", 1, inertia=[0.333, 0.333, 0.6665])
    assert not model_with(bodies=[body]).faults()


def test_errors_keep_their_parts() -> None:
    fault = Fault("body 'a'", "is wrong", "fix it", "line 3")
    assert str(fault) == "body 'a': is wrong; fix it (line 3)"
    error = ModelError([fault, fault], "m.yaml")
    assert str(error).startswith("m.yaml: 2 faults\n")
    assert FileError("what", "cure").cure == "cure"


def test_importing_the_model_room_is_light() -> None:
    code = "import sys, pliant.model; print({'casadi', 'yaml', 'numba', 'xarray'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


BEYOND = {"mass": 25, "inertia": [10, 7, 6, 1, 2, 3]}
"""Principal moments 2.8, 7.7 and 12.5 kg*m^2: the largest is more than the others together."""


def hinged(**body: object) -> pl.System:
    hinge = pl.Revolute("j", "ground", "b.end", axis="z", initial={"angle_rate": 3.0})
    return pl.System(
        bodies=[RigidBody("b", **body, frames={"end": [-0.3, 0, 0]})],
        joints=[hinge],
    )


def test_an_inertia_that_no_body_has_can_be_insisted_on() -> None:
    """About its hinge it turns evenly, and every analysis says so."""
    with pytest.raises(ModelError, match=r"triangle rule.*insist: true"):
        hinged(**BEYOND)
    system = hinged(**BEYOND, insist=True)
    result = system.simulate(1.0)
    assert result.values("j.angle")[-1] == pytest.approx(3.0)
    for said in (result.warnings, system.check().remarks, system.statics().warnings):
        assert any("breaks the triangle rule" in remark for remark in said)


def test_an_inertia_that_is_not_positive_cannot_be_insisted_on() -> None:
    with pytest.raises(ModelError, match="not positive"):
        hinged(mass=1, inertia=[1, 1, 1, 2, 0, 0], insist=True)


def test_what_is_seldom_meant_is_said_by_every_analysis() -> None:
    """Also for parameters given later."""
    spring = pl.TorsionSpring("coil", "j", stiffness="k")
    system = pl.System(hinged(mass=1, inertia=[1, 1, 1]).described, forces=[spring],
                       parameters={"k": 2})  # fmt: skip
    assert system.check().remarks == ()
    for said in (system.check({"k": -2}).remarks, system.simulate(0.1, params={"k": -2}).warnings,
                 system.modes(params={"k": -2}).warnings):  # fmt: skip
        assert any("stiffness is negative, -2" in remark for remark in said)
