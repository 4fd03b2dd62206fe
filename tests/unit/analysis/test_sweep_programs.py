"""Sweeps by processes in programs of users, with elements that are written in them."""

import subprocess
import sys

import pytest

PROGRAM = '''
from dataclasses import dataclass
from typing import ClassVar

import pliant as pl
from pliant.model.fields import Quantity, Reference, has, number
from pliant.model.forces.action import Acting, Action, Motion
from pliant.model.forces.applied import Force


@pl.register
@dataclass(frozen=True, slots=True)
class Lift(Acting):
    """A force along z."""

    kind: ClassVar[str] = "lift"

    name: str
    at: str = has(Reference("frame"), doc="on what")
    amount: Quantity = number("N", doc="force")

    def act(self, motion: Motion) -> Action:
        ops = motion.ops
        return Force("f", self.at, [0, 0, self.amount]).act(motion)


def work():
    box = pl.RigidBody.box("box", [1, 1, 1], mass=2)
    system = pl.System(bodies=[box], forces=[Lift("lift", "box", "F")], parameters={"F": 1.0})
    found = system.sweep({"F": "1..4:2000"}, outputs=["box.position"], workers=2, t_end=1)
    print("box.position.z", found.best("last box.position.z").run)


'''


@pytest.mark.parametrize("guarded", [True, False])
def test_a_program_with_elements_of_its_own(guarded, tmp_path):
    """New processes import it; without the usual guard that would begin the sweep again."""
    last = "if __name__ == '__main__':\n    work()\n" if guarded else "work()\n"
    (tmp_path / "mine.py").write_text(PROGRAM + last)
    done = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True,
                          text=True, check=False)  # fmt: skip
    if guarded:
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "box.position.z 1999\n"
    else:
        assert done.returncode == 1
        assert "if __name__ == '__main__':" in done.stderr.strip().splitlines()[-1]
        assert "freeze_support" not in done.stderr
