"""Sensors tell the same on every back end, exert nothing, and are judged as everything else is."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from tests.models.element_kinds import resting

import pliant as pl
from pliant.backends.tree import run as tree_run
from pliant.errors import ModelError
from pliant.model.fields import TIME, Quantity, Reference, has, number
from pliant.model.files.schema import schema, text
from pliant.model.sensors import SENSORS, Sensing
from pliant.model.sensors.sensing import told_by

ARM = """
pliant: 1
gravity: [0, 0, -9.81]
ground: {frames: {foot: {at: [0.3, 0, -0.2], orientation: {axis: x, angle: 0.4}}}}
bodies:
  boom: {rod: {length: 1, mass: 1}, frames: {eye: [0.5, 0, 0]}}
  load: {box: {size: [0.1, 0.2, 0.3], mass: 2}, frames: {hook: [0.2, 0.1, 0]}}
joints:
  O: {revolute: {axis: y}, between: [ground, boom], initial: {angle: 0.4}}
  P: {universal: {}, between: [boom.eye, load], initial: {angle2_rate: 2}}
sensors:
  reach: {distance: , between: [ground.foot, load.hook]}
  view: {motion: {}, between: [boom.eye, load.hook]}
outputs: {twice: 2*reach.distance}
events: {nearest: reach.rate}
simulate: {t_end: 0.5, every: 0.05, rtol: 1.0e-10}
"""
NAMES = ("reach.distance", "reach.rate", "view.position", "view.velocity", "view.angular_velocity")


@pytest.fixture(scope="module")
def run():
    return pl.System.loads(ARM).simulate(outputs=["*"]).require()


def test_a_distance_is_that_of_the_positions(run):
    r = run.values("load.hook.position") - [0.3, 0, -0.2]
    away = np.linalg.norm(r, axis=1)
    assert run.values("reach.distance") == pytest.approx(away, rel=1e-12)
    toward = np.einsum("ni,ni->n", r, run.values("load.hook.velocity")) / away
    assert run.values("reach.rate") == pytest.approx(toward, abs=1e-12)
    assert run.values("twice") == pytest.approx(2 * away, rel=1e-12)
    assert run.events
    assert run.names()["view.angular_velocity"] == "rad/s"
    assert not {n for n in run.names() if n.startswith(("reach.", "view."))} - {*NAMES}


def test_what_is_seen_from_a_moving_frame_moves_at_the_rate_of_its_position(run):
    """Differences of order 2 halve in two steps: their error is a quarter, and they go to v."""
    times = 0.25 + 1e-3 * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    fine = pl.System.loads(ARM).simulate(times=[0, *times], outputs=["view.*"], t_end=0.5)
    p, v = (fine.values(f"view.{what}")[1:] for what in ("position", "velocity"))
    wide, near = (p[4] - p[0]) / 4e-3, (p[3] - p[1]) / 2e-3
    best = (4 * near - wide) / 3
    assert best == pytest.approx(v[2], abs=1e-8)
    assert np.abs(near - v[2]).max() > 1e-8


def test_all_back_ends_tell_the_same(run, monkeypatch):
    monkeypatch.setattr(tree_run, "THRESHOLD", 0)
    tree = pl.System.loads(ARM).simulate(outputs=["*"]).require()
    assert tree.info["kernel"] == "tree"
    assert len(tree.events) == len(run.events)
    blocks = pl.System.loads(ARM).simulate(outputs=["*"], method="sparse-alpha", step=1e-3)
    for name in NAMES:
        size = np.abs(run.values(name)).max()
        assert tree.values(name) == pytest.approx(run.values(name), abs=1e-8 * size)
        assert blocks.values(name) == pytest.approx(run.values(name), abs=1e-4 * size)
        assert tree.series[name].labels == blocks.series[name].labels == run.series[name].labels
        assert tree.series[name].kind == blocks.series[name].kind == run.series[name].kind


def test_all_formulations_tell_the_same():
    assert pl.System.loads(ARM).verify(pointwise=True).agree


def test_a_distance_grows_with_the_speed_of_parting_from_where_frames_meet(monkeypatch):
    text = """
pliant: 1
bodies: {ball: {sphere: {radius: 0.1, mass: 1}, initial: {velocity: [3, 0, -4]}}}
sensors: {gone: {distance: , between: [ground, ball]}}
"""
    for threshold, how in ((10**9, {}), (0, {}), (10**9, {"method": "sparse-alpha", "step": 0.1})):
        monkeypatch.setattr(tree_run, "THRESHOLD", threshold)
        away = pl.System.loads(text).simulate(1, every=0.5, outputs=["*"], **how).require()
        assert away.values("gone.rate") == pytest.approx(5.0, rel=1e-12)
        assert away.values("gone.distance") == pytest.approx([0.0, 2.5, 5.0], rel=1e-9)
    assert pl.System.loads(text).verify(pointwise=True).agree


def test_nothing_is_exerted(run):
    bare = pl.System.loads("\n".join(line for line in ARM.splitlines() if "reach" not in line
                                     and "view" not in line and "sensors" not in line))  # fmt: skip
    alone = bare.simulate(outputs=["energy", "O.angle"])
    assert alone.values("O.angle") == pytest.approx(run.values("O.angle"), rel=1e-12)


def test_files_and_python_say_the_same():
    system = pl.System.loads(ARM)
    assert pl.System.loads(system.text).model == system.model
    built = pl.System(
        bodies=[pl.RigidBody("a", 1, inertia=[1, 1, 1])],
        sensors=[pl.DistanceSensor("reach", "ground", "a"), pl.MotionSensor("view", "ground", "a")],
    )
    assert [s.kind for s in built.model.sensors.values()] == ["distance", "motion"]
    assert '"sensors"' in text()
    assert len(schema()["properties"]["sensors"]["additionalProperties"]["anyOf"]) == len(SENSORS)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "load.hook]}\n  view",
            "load.hok]}\n  view",
            "sensor 'reach': frame_b: body 'load' has no",
        ),
        ("[boom.eye, load.hook]", "[boom.eye, boom.eye]", "sensor 'view': both ends are at"),
        ("{distance: ,", "{distence: ,", "did you mean"),
        ("view: {motion", "boom: {motion", "a body has the same name"),
        ("2*reach.distance}", "reach.distance + wait}\nparameters: {wait: 2 s}", "output 'twice'"),
        ("between: [boom.eye, load.hook]}", "at: boom}", "sensor 'view'"),
    ],
)
def test_faults_are_told(old, new, words):
    assert old in ARM
    with pytest.raises(ModelError, match=words):
        pl.System.loads(ARM.replace(old, new))


def test_forces_may_not_read_sensors():
    forced = ARM + "forces: {push: {force: [reach.distance, 0, 0], at: load}}\n"
    with pytest.raises(ModelError, match=r"unknown name 'reach\.distance'"):
        pl.System.loads(forced)


@dataclass(frozen=True, slots=True)
class Gauge(Sensing):
    """An angle of a joint, and the lift of a frame by a number."""

    kind: ClassVar[str] = "gauge"
    name: str
    joint: str = has(Reference("joint"))
    frame: str = has(Reference("frame"))
    scale: Quantity = number("", 1, scope=TIME)

    def sense(self, motion):
        angle, rate = motion.coordinate(self.joint, None)
        z = motion.frame(self.frame).p_WP[2]
        return {"turned": (angle, "rad"), "turning": (rate, "rad/s"),
                "lift": (motion.value(self.scale) * z, "m")}  # fmt: skip


def test_sensors_of_a_user_read_joints_and_numbers_everywhere(monkeypatch):
    scale = "1 + k*t"
    gauge = Gauge("own", "O", "load.hook", scale=scale)
    assert told_by(gauge).coordinates == (("O", None),)
    system = pl.System.loads(ARM)
    model = system.model.with_(sensors=[gauge], outputs={}, events={}, parameters={"k": 3})
    assert model.faults() == []
    for threshold, how in ((10**9, {}), (0, {}), (10**9, {"method": "sparse-alpha", "step": 1e-3})):
        monkeypatch.setattr(tree_run, "THRESHOLD", threshold)
        r = pl.System(model).simulate(outputs=["*"], params={"k": 2}, **how)
        z = r.values("load.hook.position")[:, 2]
        assert r.values("own.turned") == pytest.approx(r.values("O.angle"), abs=1e-12)
        assert r.values("own.turning") == pytest.approx(r.values("O.angle_rate"), abs=1e-12)
        assert r.values("own.lift") == pytest.approx((1 + 2 * r.time) * z, abs=1e-12)


def test_sensors_on_beams_in_pieces_look_at_their_frames():
    start = resting()["a"]["position"]
    stiff = {"EA": 2e3, "EIy": 4, "EIz": 7, "GJ": 3}
    theory = {"segments": {"count": 3, "directions": ["bending"]}}
    beam = pl.Beam("rod", 0.6, stiffness=stiff, mass_per_length=1.0, theory=theory)
    system = pl.System(
        ground=pl.Ground([pl.Frame("g", start)]), bodies=[beam], gravity=[0, 0, -9.81],
        joints=[pl.Fixed("weld", "ground", "rod.root")],
        sensors=[pl.DistanceSensor("reach", "ground.g", "rod.tip")],
    )  # fmt: skip
    r = system.simulate(
        0.02, every=0.01, outputs=["reach.*", "rod.tip.position", "rod.tip.deflection"]
    )
    away = np.linalg.norm(r.values("rod.tip.position") - start, axis=1)
    assert r.values("reach.distance") == pytest.approx(away, rel=1e-12)
