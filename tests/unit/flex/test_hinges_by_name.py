"""Hinges of segmented beams in formulas, springs, actuators, drivers and speeds, by name."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import ModelError


def cantilever(directions=("bending",), gravity=-1.0, count=3, **more):
    beam = pl.Beam("rod", 1.0, stiffness={"EIz": 1.0, "EIy": 1.0, "EA": 1e3}, mass_per_length=1.0,
                   rotary={"rhoIy": 0.01, "rhoIz": 0.01},
                   theory=pl.Segments(count, list(directions)))  # fmt: skip
    return pl.System(bodies=[beam], joints=[pl.Fixed("clamp", "ground", "rod.root")],
                     gravity=[0, 0, gravity], **more)  # fmt: skip


def test_a_spring_on_a_hinge_is_one_more_beside_its_own():
    """The hinge turns by M / (EI/l + k); M = F (arm from the tip)."""
    s = cantilever(
        ["bending_z"], 0.0, forces=[pl.JointSpring("stay", "rod:h2", stiffness=2.0),
                                    pl.Force("load", "rod.tip", [0, 0, 1e-5])],
        outputs={"bent": "rod:h2.angle"},
    )  # fmt: skip
    angle = s.statics().values("bent")[-1]
    assert angle == pytest.approx(-1e-5 * (2 / 3) / (3.0 + 2.0), rel=1e-6)


def test_actuators_and_forces_read_hinges():
    damper = pl.Actuator("damper", "rod:h2", effort="-0.2*rod:h2.angle_rate")
    s = cantilever(["bending_z"], count=2, forces=[damper], outputs={"bent": "rod:h2.angle"})
    assert pl.loads(s.text).described == s.described
    spring = pl.JointSpring("damper", "rod:h2", damping=0.2)
    twin = cantilever(["bending_z"], count=2, forces=[spring])
    one, other = (x.simulate(0.3, rtol=1e-9) for x in (s, twin))
    for name in ("rod.tip.position", "rod:h2.angle"):
        assert np.allclose(one.values(name), other.values(name), rtol=0, atol=1e-8)
    assert np.array_equal(one.values("bent"), one.values("rod:h2.angle"))
    assert one.values("damper.work")[-1] < 0


def test_a_driver_holds_a_hinge():
    s = cantilever(drivers=[pl.JointDriver("bend", "rod:h2", "angle2", motion="0.1*sin(t)")])
    r = s.simulate(0.2, outputs=["rod:h2.angle2"])
    assert r.values("rod:h2.angle2") == pytest.approx(0.1 * np.sin(r.time), abs=1e-9)


def test_rates_of_hinges_are_speeds_of_kane():
    plain = cantilever(["bending_z"])
    s = cantilever(["bending_z"], speeds={
        "first": "rod:h1.angle_rate + rod:h2.angle_rate", "second": "rod:h2.angle_rate"
    })  # fmt: skip
    one, other = (x.simulate(0.2, rtol=1e-9, formulation="kane") for x in (plain, s))
    names = ["rod:h1.angle_rate", "rod:h2.angle_rate", "rod:h3.angle_rate"]
    assert "first" in other.names()
    for name in names:
        assert np.allclose(one.values(name), other.values(name), rtol=0, atol=1e-8)


def test_all_formulations_take_them():
    forces = [pl.JointSpring("stay", "rod:h1", "angle2", stiffness=2.0, damping=0.1),
              pl.Force("follow", "rod.tip", [0, 0, "-rod:h2.angle1"])]  # fmt: skip
    report = cantilever(forces=forces, count=2).verify(pointwise=True, states=2)
    assert report.agree, report


SPRING = pl.JointSpring


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"forces": [SPRING("s", "rod:h9", "angle1")]},
            "no hinge 'rod:h9'; hinges of rod are rod:h1",
        ),
        ({"forces": [SPRING("s", "rod:h2", "angle3")]}, "no coordinate 'angle3'"),
        ({"forces": [SPRING("s", "rod:h2", "angle")]}, "hinge 'rod:h2' has no coordinate 'angle'"),
        ({"forces": [SPRING("s", "rod:h2")]}, "'rod:h2' has several coordinates; add coordinate"),
        ({"forces": [SPRING("s", "rid:h2", "angle1")]}, "no joint 'rid:h2'"),
        ({"forces": [SPRING("s", "rod:h2", "angle1", stiffness="1 N/m")]}, "expected N.m/rad"),
        ({"outputs": {"a": "rod:h8.angle1"}}, "output 'a': there is no hinge 'rod:h8'"),
        ({"outputs": {"a": "rid:h2.angle1"}}, "unknown name 'rid:h2.angle1'"),
        ({"parameters": {"L": "rod:h1.angle1"}}, "parameter 'L': unknown name"),
        ({"speeds": {"w1": "rod:h7.angle1_rate"}}, "speed 'w1': there is no hinge 'rod:h7'"),
    ],
)
def test_mistakes_are_named(given, message):
    with pytest.raises(pl.PliantError, match=message):
        cantilever(**given)


def test_beams_without_segments_have_no_hinges():
    beam = pl.Beam("rod", 1.0, stiffness={"EIz": 1.0}, mass_per_length=1.0,
                   shapes={"bending_y": 1})  # fmt: skip
    with pytest.raises(pl.PliantError, match="no joint 'rod:h1'"):
        pl.System(bodies=[beam], joints=[pl.Fixed("clamp", "ground", "rod.root")],
                  forces=[SPRING("s", "rod:h1", stiffness=1.0)])  # fmt: skip


def test_a_hinge_that_is_not_there_is_told_with_its_line(tmp_path):
    path = tmp_path / "rod.yaml"
    path.write_text(cantilever(forces=[SPRING("stay", "rod:h2", "angle1", 2.0)]).text.replace(
        "joint: rod:h2", "joint: rod:h9"))  # fmt: skip
    line = next(k for k, text in enumerate(path.read_text().splitlines(), 1) if "stay:" in text)
    with pytest.raises(ModelError, match=rf"rod.yaml: force 'stay'.*\(line {line}\)$"):
        pl.load(path)
