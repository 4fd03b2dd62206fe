"""A mechanism in the making: elements are added one by one, and end where there is something."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tests.models.random_systems import OPTIONS, options_of, random_axis, random_body, random_frame

import pliant as pl
from pliant.model.joints import JOINTS
from pliant.model.joints.rotational import ROTATION_SETS

TREE = tuple(k for k, cls in JOINTS.items() if cls.in_tree and k != "fixed")
SCALAR = {"rad": "revolute", "m": "prismatic"}


def picked(rng, choices):
    """One of them, as it is."""
    choices = list(choices)
    return choices[int(rng.integers(len(choices)))]


def joint(rng, kind, name, ends, **more):
    """A joint of a kind with random axes and a random start."""
    cls = JOINTS[kind]
    own = {**OPTIONS.get(kind, {}), **random_axis(rng, kind), **more}
    if "coordinates" in options_of(cls) and not {"rx", "ry", "rz"} & set(own.get("locked", ())):
        own.setdefault("coordinates", picked(rng, ROTATION_SETS))
    start = {}
    if "springs" not in own:
        for c in cls(name, *ends, **own).scalars:
            start |= {c.name: float(rng.uniform(-0.8, 0.8)), c.rate: float(rng.uniform(-1, 1))}
    return cls(name, *ends, **own, initial=start)


@dataclass
class Draft:
    """What there is so far. ``floating``: nothing reaches the ground, and there is no gravity."""

    rng: np.random.Generator
    folder: Path
    floating: bool = False
    bodies: dict = field(default_factory=dict)
    joints: dict = field(default_factory=dict)
    forces: list = field(default_factory=list)
    drivers: list = field(default_factory=list)
    constraints: list = field(default_factory=list)
    sensors: list = field(default_factory=list)
    networks: list = field(default_factory=list)
    signals: list = field(default_factory=list)
    events: list = field(default_factory=list)
    outputs: dict = field(default_factory=dict)
    ends: dict = field(default_factory=dict)
    """Of each body: the frames by which it hangs on others, and others hang on it."""
    moved: set = field(default_factory=set)
    """Coordinates whose motion is given already."""
    closing: str = ""
    """Kind of the joint that closes a loop at the end."""

    def name(self, word):
        kinds = (self.bodies, self.joints, *(
            {e.name for e in some} for some in (
                self.forces, self.drivers, self.constraints, self.networks, self.signals,
                self.sensors,
            )
        ))  # fmt: skip
        return f"{word}{sum(n.startswith(word) for some in kinds for n in some)}"

    def put(self, body, inner, outer):
        self.bodies[body.name] = body
        self.ends[body.name] = (f"{body.name}.{inner}", f"{body.name}.{outer}")
        return body.name

    def rigid(self):
        """One more rigid body."""
        frames = [random_frame(self.rng, n) for n in ("in", "out")]
        return self.put(random_body(self.rng, self.name("b"), frames), "in", "out")

    def anchor(self, apart=""):
        """A frame of some other body, or the ground."""
        others = [outer for n, (_, outer) in self.ends.items() if n != apart]
        if not self.floating and (not others or self.rng.random() < 0.3):
            return "ground"
        return picked(self.rng, others) if others else ""

    def hang(self, body, kind="", **more):
        """The body on something by a joint (on nothing if it is the first that floats)."""
        base = self.anchor(apart=body)
        if base:
            made = joint(self.rng, kind or picked(self.rng, TREE), self.name("j"),
                         (base, self.ends[body][0]), **more)  # fmt: skip
            self.joints[made.name] = made
            return made.name
        return ""

    def coordinate(self, unit=""):
        """A scalar joint coordinate that nothing prescribes: joint, coordinate. May be new."""
        found = [
            (j.name, c) for j in self.joints.values() if j.springs is None for c in j.scalars
            if unit in ("", c.unit) and (j.name, c.name) not in self.moved
        ]  # fmt: skip
        if not found:
            if self.floating and not self.bodies:
                self.rigid()
            name = self.hang(self.rigid(), SCALAR[unit or "rad"])
            found = [(name, c) for c in self.joints[name].scalars]
        return picked(self.rng, found)

    def frame(self, apart=""):
        """A frame of a body."""
        if not self.bodies:
            self.hang(self.rigid())
        others = [outer for n, (_, outer) in self.ends.items() if n != apart]
        return picked(self.rng, others or [outer for _, outer in self.ends.values()])

    def system(self):
        """The mechanism."""
        gravity = (0, 0, 0) if self.floating else tuple(self.rng.uniform(-5, 5, 3))
        return pl.System(
            bodies=list(self.bodies.values()), joints=list(self.joints.values()),
            forces=self.forces, drivers=self.drivers, constraints=self.constraints,
            sensors=self.sensors, networks=self.networks, signals=self.signals, events=self.events,
            outputs=self.outputs, gravity=gravity,
        )  # fmt: skip
