"""Mechanisms that are moved by hand: joints hold, branches stay, and the file says the pose."""

from __future__ import annotations

import time
from math import degrees, radians
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import pliant as pl
from pliant.analysis.posing.posing import Posing
from pliant.analysis.posing.wishes import CoordinateWish, PointWish
from pliant.analysis.posing.written import Written, rounded, written
from pliant.errors import AssemblyError, InputError, ModelError, UnknownName
from pliant.mechanics.placed import Placed
from pliant.model.files.examples import examples
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.registry import planned
from pliant.studio.work.bench import Bench
from pliant.studio.work.source import Source, WorkError
from pliant.studio.work.tasks.pose import pose_data
from pliant.studio.work.tasks.scene import start_poses

HELD = 1e-9
PARALLELOGRAM = """\
pliant: 1
ground: {frames: {D: [2, 0, 0]}}
bodies:
  crank: {rod: {length: 1, mass: 1}, frames: {B: [1, 0, 0]}}
  coupler: {rod: {length: 2, mass: 1}, frames: {B: [2, 0, 0]}}
  rocker: {rod: {length: 1, mass: 1}, frames: {B: [1, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 60 deg}}
  B: {revolute: {axis: z}, between: [crank.B, coupler], guess: {angle: -60 deg}}
  C: {revolute: {axis: z}, between: [coupler.B, rocker.B], guess: {angle: 60 deg}}
  D: {revolute: {axis: z}, between: [ground.D, rocker], guess: {angle: 60 deg}}
"""
ARM = """\
pliant: 1
bodies:
  upper: {rod: {length: 1, mass: 1}, frames: {end: [1, 0, 0]}}
  fore: {rod: {length: 1, mass: 1}, frames: {end: [1, 0, 0]}}
joints:
  shoulder: {revolute: {axis: z}, between: [ground, upper]}
  elbow: {revolute: {axis: z}, between: [upper.end, fore], initial: {angle: 40 deg}}
"""
CARRIAGE = """\
pliant: 1
bodies:
  carriage: {rigid: {mass: 1, inertia: [1, 1, 1]}}
  bob: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {top: [0, 1, 0]}}
joints:
  rail: {prismatic: {axis: x}, between: [ground, carriage]}
  ball: {spherical: {}, between: [carriage, bob.top]}
"""


CIRCUIT = """\
pliant: 1
networks:
  loop:
    domain: electrical
    elements:
      {mesh: {junction: 1}, V: {Se: 1 V, on: mesh}, R: {R: 1 ohm, on: mesh}, L: {I: 1 H, on: mesh}}
"""


def four_bars(loops: int) -> str:
    """Parallelograms in a row: 2 loops + 1 bodies."""
    lines = ["pliant: 1", "ground:", "  frames:"]
    lines += [f"    A{k}: [{k}, 0, 0]" for k in range(loops + 1)]
    lines += ["bodies:"]
    bar = "{rod: {length: 1, mass: 1}, frames: {B: [1, 0, 0]}}"
    lines += [f"  bar{k}: {bar}" for k in range(loops + 1)]
    lines += [f"  coupler{k}: {bar}" for k in range(1, loops + 1)]
    lines += ["joints:"]
    for k in range(loops + 1):
        start = "initial" if k == 0 else "guess"
        lines += [f"  A{k}: {{revolute: {{axis: z}}, between: [ground.A{k}, bar{k}], "
                  f"{start}: {{angle: 60 deg}}}}"]  # fmt: skip
    for k in range(1, loops + 1):
        lines += [f"  B{k}: {{revolute: {{axis: z}}, between: [bar{k - 1}.B, coupler{k}], "
                  "guess: {angle: -60 deg}}",
                  f"  C{k}: {{revolute: {{axis: z}}, between: [coupler{k}.B, bar{k}.B]}}",
                  ]  # fmt: skip
    return "\n".join(lines) + "\n"


def posing_of(text: str) -> Posing:
    return Posing(pl.loads(text))


def example(name: str) -> str:
    return Path(examples()[name]).read_text(encoding="utf-8")


def turned(joint: str, value: float) -> CoordinateWish:
    return CoordinateWish(joint, "angle", radians(value))


def angle(posing: Posing, joint: str) -> float:
    return degrees(posing.told[joint]["angle"])


def gaps(posing: Posing) -> float:
    """By how much joints are missed, told by the poses alone."""
    placed = Placed(posing.linkage.values, posing.linkage.bodies(posing.q))
    return max((float(np.abs(g.gap).max(initial=0)) for g in placed.gaps().values()), default=0.0)


def said(text: str, file: Written) -> str:
    """A text with a pose written into it."""
    data = yaml.safe_load(text)
    for kind in ("initial", "guess"):
        for joint, values in getattr(file, kind).items():
            data["joints"][joint].setdefault(kind, {}).update(values)
    for body, pose in file.bodies.items():
        data["bodies"][body].setdefault("initial", {}).update(pose)
    return yaml.safe_dump(data)


def assert_starts_here(text: str, posing: Posing, dragged: str) -> Written:
    """The file that says the pose is assembled in it."""
    rounded(posing, dragged)
    file = written(posing, dragged)
    start = start_poses(pl.loads(said(text, file)), {})
    assert start.failure is None
    for name, body in posing.linkage.bodies(posing.q).items():
        found = start.result.series[f"{name}.position"].values[0]
        assert found == pytest.approx(body.p_WB, abs=1e-6), name
    return file


def test_an_open_chain_is_dragged_by_a_joint_and_nothing_else_moves():
    posing = posing_of(ARM)
    assert posing.toward([turned("shoulder", 170)]).reached
    assert angle(posing, "shoulder") == pytest.approx(170)
    assert angle(posing, "elbow") == pytest.approx(40)
    assert_starts_here(ARM, posing, "shoulder")


def test_an_open_chain_is_dragged_by_a_point():
    posing = posing_of(ARM)
    assert posing.toward([PointWish("fore", (1, 0, 0), (0.5, 1.2, 0))]).reached
    tip = posing.linkage.bodies(posing.q)["fore"]
    assert tip.p_WB + tip.R_WB[:, 0] == pytest.approx([0.5, 1.2, 0], abs=1e-6)
    file = assert_starts_here(ARM, posing, "fore")
    assert set(file.initial) == {"shoulder", "elbow"}
    assert not file.guess


def test_an_arm_that_is_stretched_out_says_so():
    posing = posing_of(ARM)
    moved = posing.toward([PointWish("fore", (1, 0, 0), (0.0, 5.0, 0))])
    assert not moved.reached
    assert moved.reason is not None
    assert "stretched out" in moved.reason.what
    assert abs(angle(posing, "elbow")) < 1


@pytest.mark.parametrize(("joint", "to"), [("A", 20.0), ("A", 150.0), ("D", 100.0), ("C", 30.0)])
def test_a_loop_closes_and_stays_in_its_branch(joint, to):
    posing = posing_of(PARALLELOGRAM)
    assert posing.toward([turned(joint, to)]).reached
    assert gaps(posing) < HELD
    assert angle(posing, "A") == pytest.approx(angle(posing, "D"))
    file = assert_starts_here(PARALLELOGRAM, posing, joint)
    assert set(file.initial) == {"A"}
    assert set(file.guess) == {"B", "C", "D"}


def test_a_parallelogram_stops_before_its_bars_lie_on_one_line():
    posing = posing_of(PARALLELOGRAM)
    moved = posing.toward([turned("A", -30)])
    assert not moved.reached
    assert moved.reason is not None
    assert "'A' cannot turn further" in moved.reason.what
    assert "two ways" in moved.reason.what
    assert 0 < angle(posing, "A") < 2
    assert gaps(posing) < HELD
    again = posing.toward([turned("A", 30)])
    assert again.reached
    assert angle(posing, "D") == pytest.approx(30)


def test_a_rocker_stops_where_crank_and_coupler_are_in_line():
    posing = posing_of(example("crank_rocker"))
    moved = posing.toward([turned("D", 170)])
    assert not moved.reached
    assert moved.reason is not None
    assert "stretched out" in moved.reason.what
    assert "'D' cannot turn further" in moved.reason.what
    assert {"O", "A"} < set(moved.reason.elements)
    assert np.sin(posing.told["A"]["angle"]) == pytest.approx(0, abs=0.01)
    at = angle(posing, "D")
    for value in (175, 178, 179):
        again = posing.toward([turned("D", value)])
        assert again.reason is not None
        assert "stretched out" in again.reason.what
    assert angle(posing, "D") == pytest.approx(at, abs=1e-2)


def test_a_crank_turns_full_turns():
    posing = posing_of(example("crank_rocker"))
    for value in (100, 220, 340, 460):
        assert posing.toward([turned("O", value)]).reached
        assert gaps(posing) < HELD
    assert angle(posing, "O") == pytest.approx(460)


def test_a_spatial_loop_with_a_redundant_row_moves():
    text = example("bricard")
    posing = posing_of(text)
    for value in (10, 60, 120, 80):
        assert posing.toward([turned("J0", value)]).reached
        assert gaps(posing) < HELD
    assert angle(posing, "J2") == pytest.approx(80, abs=1e-6)
    assert_starts_here(text, posing, "J0")


def test_prismatic_and_spherical_joints():
    posing = posing_of(CARRIAGE)
    assert posing.toward([PointWish("bob", (0, 0, 0), (0.8, -0.5, 0.3))]).reached
    assert gaps(posing) < HELD
    file = assert_starts_here(CARRIAGE, posing, "bob")
    assert set(file.initial) == {"rail", "ball"}
    assert posing.toward([CoordinateWish("rail", "displacement", -0.4)]).reached
    assert posing.told["rail"]["displacement"] == pytest.approx(-0.4)
    assert_starts_here(CARRIAGE, posing, "rail")


def test_a_free_body_has_a_pose_of_its_own():
    text = CARRIAGE.replace("  rail: {prismatic: {axis: x}, between: [ground, carriage]}\n", "")
    posing = posing_of(text)
    assert posing.toward([PointWish("carriage", (0, 0, 0), (1.0, 2.0, 0.5))]).reached
    file = assert_starts_here(text, posing, "carriage")
    assert [float(v.split()[0]) for v in file.bodies["carriage"]["position"]] == [1.0, 2.0, 0.5]


def test_a_pose_that_the_file_says_writes_nothing():
    posing = posing_of(PARALLELOGRAM)
    posing.toward([turned("A", 80)])
    posing.toward([turned("A", 60)])
    assert written(posing, "A").is_empty


def test_flexible_bodies_stay_undeformed():
    posing = posing_of(example("crank_rocker"))
    assert posing.toward([turned("O", 150)]).reached
    assert np.abs(posing.linkage.bodies(posing.q)["coupler"].elastic).max() < 1e-12


def test_drivers_hold():
    text = PARALLELOGRAM + "drivers:\n  motor: {joint: A, angle: 1.0472 + 2*t}\n"
    text = text.replace(", initial: {angle: 60 deg}", "")
    for wish in (turned("A", 90), turned("D", 90), PointWish("rocker", (1, 0, 0), (3, 3, 0))):
        moved = posing_of(text).toward([wish])
        assert not moved.reached
        assert moved.reason is not None
        assert "held by the driver 'motor'" in moved.reason.what
        assert "motor" in moved.reason.elements


def test_what_cannot_move_says_so():
    text = ARM.replace("{revolute: {axis: z}", "{fixed: {}").replace(
        ", initial: {angle: 40 deg}", ""
    )
    moved = posing_of(text).toward([PointWish("fore", (1, 0, 0), (2, 0, 3))])
    assert moved.reason is not None
    assert "no freedom" in moved.reason.what


def test_unknown_names_are_refused():
    posing = posing_of(ARM)
    with pytest.raises(UnknownName, match="no joint 'elbw'"):
        posing.toward([turned("elbw", 0)])
    with pytest.raises(UnknownName, match="no single coordinate 'displacement'"):
        posing.toward([CoordinateWish("elbow", "displacement", 0)])
    with pytest.raises(UnknownName, match="no body 'ground'"):
        posing.toward([PointWish("ground", (0, 0, 0), (0, 0, 0))])


def source(text: str) -> Source:
    return Source(text, "yaml", Path(), "model.yaml", 1)


def test_the_worker_keeps_the_pose_of_a_drag():
    bench = Bench()

    def ask(**arguments: Any) -> dict[str, Any]:
        return pose_data(bench, source(ARM), {"drag": "7", **arguments})

    begun = ask()
    assert begun["joints"]["elbow"]["angle"] == {"value": pytest.approx(radians(40)), "unit": "rad"}
    assert {s["name"] for s in begun["series"]} >= {"fore.position", "fore.orientation"}
    ask(joint="shoulder", coordinate="angle", value=0.2)
    done = ask(joint="elbow", coordinate="angle", value=1.0, release=True)
    assert done["reached"]
    assert not done["reason"]
    assert done["gap"] < 1e-6
    assert done["file"]["initial"] == {"shoulder": {"angle": "11.5 deg"},
                                       "elbow": {"angle": "57.3 deg"}}  # fmt: skip
    other = pose_data(bench, source(ARM), {"drag": "8"})
    assert other["joints"]["shoulder"]["angle"]["value"] == 0


def test_the_worker_refuses_in_words():
    bench = Bench()
    with pytest.raises(WorkError, match="no body to move"):
        pose_data(bench, source(CIRCUIT), {"drag": "1"})
    with pytest.raises(ModelError, match="no bodies"):
        pose_data(bench, source("pliant: 1\n"), {"drag": "1"})
    with pytest.raises(ModelError, match="has no frame 'en'"):
        pose_data(bench, source(ARM.replace("upper.end", "upper.en")), {"drag": "1"})
    with pytest.raises(AssemblyError, match="cannot be assembled"):
        pose_data(bench, source(PARALLELOGRAM.replace("D: [2", "D: [9")), {"drag": "1"})
    for value in ("x", float("nan"), None):
        with pytest.raises(WorkError, match="no place to move to"):
            pose_data(bench, source(ARM), {"drag": "1", "joint": "elbow", "coordinate": "angle",
                                           "value": value})  # fmt: skip


@pytest.mark.parametrize("by", ["joint", "point"])
def test_twenty_poses_a_second_of_twenty_bodies(by):
    bench, text = Bench(), four_bars(10)
    begun = pose_data(bench, source(text), {"drag": "1"})
    assert len(begun["series"]) // 2 == 21
    began = time.process_time()
    for k in range(1, 21):
        value = radians(60 + k)
        wish: dict[str, Any] = {"joint": "A0", "coordinate": "angle", "value": value}
        if by == "point":
            wish = {"body": "bar5", "point": [1, 0, 0],
                    "to": [5 + np.cos(value), np.sin(value), 0]}  # fmt: skip
        found = pose_data(bench, source(text), {"drag": "1", **wish})
        assert found["gap"] < 1e-6
    assert (time.process_time() - began) / 20 < 0.05
    assert degrees(found["joints"]["A7"]["angle"]["value"]) == pytest.approx(80, abs=0.5)


@pytest.mark.parametrize("text", [PARALLELOGRAM, ARM])
def test_the_operation_writes_a_pose_as_one_step(text):
    posing = posing_of(text)
    dragged = next(iter(posing.told))
    assert posing.toward([turned(dragged, 100)]).reached
    file = written(posing, dragged)
    told = {"initial": file.initial, "guess": file.guess, "bodies": file.bodies}
    draft = planned(Draft(text, "yaml"), "mechanism.pose", told)
    assert draft.label.startswith(f"pose {dragged}.angle = 100 deg")
    start = start_poses(pl.loads(draft.text), {}).result
    for name, body in posing.linkage.bodies(posing.q).items():
        assert start.series[f"{name}.position"].values[0] == pytest.approx(body.p_WB, abs=1e-6)


def test_the_operation_refuses_what_is_not_there():
    for wrong in ({"initial": {"Q": {"angle": 1}}}, {"initial": {"A": {"angel": 1}}}, {},
                  {"bodies": {"nobody": {"position": [0, 0, 0]}}},
                  {"bodies": {"crank": {"place": [0, 0, 0]}}}):  # fmt: skip
        with pytest.raises(InputError):
            planned(Draft(PARALLELOGRAM, "yaml"), "mechanism.pose", wrong)


def test_a_joint_on_the_ground_where_it_was_clicked_makes_a_frame_there():
    text = "pliant: 1\nbodies:\n  bob: {rigid: {mass: 1}, initial: {position: [1, 2, 0]}}\n"
    draft = planned(Draft(text, "yaml"), "joint.connect",
                    {"a": "ground", "b": "bob", "at": [0.5, 0.25, 0.0]})  # fmt: skip
    assert draft.at("ground", "frames", "O") == [0.5, 0.25, 0]
    assert draft.at("joints", "O", "between") == ["ground.O", "bob"]
    assert not draft.has("bodies", "bob", "initial")
