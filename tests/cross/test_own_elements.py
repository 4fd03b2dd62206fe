"""Elements that users write: their own joints and forces, without a change of the package."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

import pliant as pl
from pliant.backends.tree import run as tree
from pliant.model.joints import Prismatic
from pliant.spatial.pose import Pose

FORCE = """
from dataclasses import dataclass
from typing import ClassVar

import pliant as pl
from pliant.model.fields import Quantity, Reference, has, number
from pliant.model.forces.action import Acting, Action, pull


@dataclass(frozen=True, slots=True)
class Attraction(Acting):
    kind: ClassVar[str] = "attraction"
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end")
    strength: Quantity = number("N*m^2", doc="force times distance squared")

    def act(self, motion):
        ops = motion.ops
        r = motion.frame(self.frame_b).p_WP - motion.frame(self.frame_a).p_WP
        distance = ops.sqrt(ops.dot(r, r))
        force = motion.value(self.strength) / distance**POWER
        loads = pull(ops, self.frame_a, self.frame_b, r / distance, force)
        return Action(loads=loads, outputs={"force": (force, "N")})


def planet():
    start = {"position": [2, 0, 0]}
    return pl.System(
        bodies=[pl.RigidBody("planet", 1, inertia=[1, 1, 1], initial=start)],
        forces=[Attraction("sun", "ground", "planet", strength=1)],
    )
"""


def planet(power):
    scope = {"POWER": power, "__name__": "own"}
    exec(FORCE, scope)
    return scope["planet"]()


@pytest.mark.parametrize("back_end", ["expressions", "blocks"])
def test_a_law_that_was_written_anew_is_not_taken_for_the_old_one(back_end):
    """Classes of one name with other laws: from rest, a = 1/r^n at r = 2 at once."""
    method = {"blocks": "sparse-alpha"}.get(back_end, "auto")
    for power in (1, 2, 3):
        system = planet(power)
        how = {"step": 1e-3} if back_end == "blocks" else {}
        result = system.simulate(0.01, method=method, outputs=["planet.acceleration"], **how)
        first = result.values("planet.acceleration")[0]
        assert first == pytest.approx([-(0.5**power), 0, 0], rel=1e-9)


def test_nor_by_another_program(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path / "cache"))
    found = []
    for power in (1, 2):
        told = textwrap.dedent(f"""
            POWER = {power}
            {{}}
            r = planet().simulate(0.01, outputs=["planet.acceleration"])
            print(float(r.values("planet.acceleration")[0][0]))
            """).format(FORCE)
        script = tmp_path / "script.py"
        script.write_text(told, encoding="utf-8")
        run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
        found.append(float(run.stdout))
    assert found == pytest.approx([-0.5, -0.25], rel=1e-9)


def lift(gear):
    """A slide whose coordinate is the way over a gear."""

    class Lift(Prismatic):
        kind = "lift"

        def pose(self, ops, q):
            return Pose(ops.const(np.eye(3)), ops.vec(0, 0, gear * q[0]))

        def motion(self, ops, q):
            return gear * ops.const(np.eye(6)[:, [5]])

    return Lift


@pytest.mark.parametrize("threshold", [0, 10], ids=["tree", "expressions"])
def test_joints_of_one_name_with_other_motions(monkeypatch, threshold):
    """It falls by g t: its coordinate changes by as much over the gear."""
    monkeypatch.setattr(tree, "THRESHOLD", threshold)
    for gear in (1.0, 2.0, 4.0):
        system = pl.System(
            gravity=[0, 0, -8],
            bodies=[pl.RigidBody("car", 1, inertia=[1, 1, 1])],
            joints=[lift(gear)("S", "ground", "car", axis="z")],
        )
        rate = system.simulate(0.5, outputs=["S.displacement_rate"]).values("S.displacement_rate")
        assert rate[-1] == pytest.approx(-4 / gear, rel=1e-9)
