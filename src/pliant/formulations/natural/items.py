"""Points and unit vectors fixed in rigid bodies: what natural coordinates are the components of.

A ``Solid`` is a set of bodies that move as one: a body with all that fixed joints of the tree hold
to it, named after the innermost one. Its members are points and vectors; one point and three
directions (vectors, or differences to that point) are its basis. Source: S2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import PliantError
from pliant.graphs import TreeEdge
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.mechanics.values import Values
from pliant.model.model import Model
from pliant.model.numbers.literals import is_path
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose, identity

Places = Mapping[str, Mapping[str, Pose]]
"""X_BP of the frames of each body."""


@dataclass(frozen=True, slots=True)
class Place:
    """The origin of a frame, an axis in axes of that frame, or the mass centre of a body."""

    frame: str
    axis: tuple[float, ...] | None = None
    centre: bool = False

    @property
    def is_point(self) -> bool:
        return self.axis is None


@dataclass(frozen=True, slots=True)
class Item:
    """A point or unit vector in space; one on the ground does not move and is no unknown."""

    name: str
    is_point: bool
    on_ground: bool


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """An item as part of a solid.

    ``at``: its components in the solid, for the parameters of the model and for others;
    ``via``: the joint that brought it from another solid; ``closing``: that joint closes a loop.
    """

    item: int
    place: Place
    at: Array
    via: str = ""
    closing: bool = False


@dataclass(slots=True, eq=False)
class Solid:
    """Bodies that move as one, with their points and vectors."""

    name: str
    flexible: bool = False
    members: list[Member] = field(default_factory=list)
    origin: int = -1
    directions: tuple[int, ...] = ()

    @property
    def further(self) -> list[int]:
        """Members that are not in the basis."""
        basis = {self.origin, *self.directions}
        return [k for k in range(len(self.members)) if k not in basis]


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where frames and mass centres are on solids: X_SB of every body, X_BP of every frame."""

    ops: Ops
    places: Places
    offsets: Mapping[str, Pose]
    centre: Callable[[str], Any]

    def local(self, place: Place) -> Any:
        """Components of a point or direction in its solid."""
        body, _, frame = place.frame.partition(".")
        X_SB = self.offsets[body]
        if place.centre:
            return X_SB.p + X_SB.R @ self.centre(body)
        X_SP = X_SB @ self.places[body][frame]
        return X_SP.p if place.axis is None else X_SP.R @ self.ops.const(np.array(place.axis))


def offsets(ops: Ops, welds: Iterable[TreeEdge], places: Places) -> dict[str, Pose]:
    """X_SB of every body in its solid; ``welds`` are the fixed joints of the tree."""
    found = dict.fromkeys(places, identity(ops))
    for edge in welds:
        a, _, at_a = edge.joint.parent.partition(".")
        b, _, at_b = edge.joint.child.partition(".")
        across = places[a][at_a] @ places[b][at_b].inverse
        found[edge.outer] = found[edge.inner] @ (across.inverse if edge.flipped else across)
    return found


def geometry_of(
    model: Model, values: Values | SymbolicValues, welds: Iterable[TreeEdge],
    frames: Callable[[str], Mapping[str, Pose]],
) -> Geometry:  # fmt: skip
    """The geometry of a model whose bodies have these frames; of a flexible one only its floating
    frame."""

    def centre(body: str) -> Any:
        return values.vector(model.rigid[body].com)

    still, ops = {"": identity(values.ops)}, values.ops
    places = {n: still if n in values.flexible else frames(n) for n in ("ground", *model.bodies)}
    return Geometry(ops, places, offsets(ops, welds, places), centre)


def numeric_geometry(values: Values, welds: Iterable[TreeEdge]) -> Geometry:
    """The geometry in numbers."""
    return geometry_of(values.model, values, welds, values.places)


def other_parameters(model: Model) -> dict[str, float]:
    """Parameters away from those of the model: what differs depends on them. NaN if they are
    refused, which equals nothing."""
    values = model.parameter_values()
    random = np.random.default_rng(0)
    given = [n for n, f in model.parameters.items() if f.is_constant and not is_path(n)]
    moved = {
        name: values[name] * (1 + random.uniform(0.05, 0.1)) + random.uniform(1e-3, 1e-2)
        for name in given
    }
    try:
        return model.parameter_values(moved)
    except (PliantError, ArithmeticError, ValueError):
        return dict.fromkeys(values, np.nan)
