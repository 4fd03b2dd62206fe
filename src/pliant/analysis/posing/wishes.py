"""What is wished of a pose: rows whose residuals are to vanish."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pliant.analysis.posing.linkage import Coordinates, Linkage
from pliant.arrays import Array
from pliant.errors import UnknownName
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass


class Wish(Protocol):
    """Something to reach; ``element`` is what is dragged."""

    @property
    def element(self) -> str: ...

    def check(self, linkage: Linkage) -> None:
        """Raise UnknownName if there is no such thing."""

    def rows(self, linkage: Linkage, q: Array, told: Coordinates) -> tuple[Array, Array]:
        """(J, r): residuals in sizes of the model and their derivatives along the speeds."""

    def metric(self, linkage: Linkage, q: Array) -> Array:
        """Rows whose change is to be smallest."""


@dataclass(frozen=True, slots=True)
class CoordinateWish:
    """A scalar coordinate of a joint at a value (rad or m); the other joints change least."""

    joint: str
    coordinate: str
    value: float

    @property
    def element(self) -> str:
        return self.joint

    def check(self, linkage: Linkage) -> None:
        if self.joint not in linkage.joints:
            raise UnknownName(f"there is no joint '{self.joint}' with coordinates",
                              did_you_mean(self.joint, linkage.joints))  # fmt: skip
        names = [s.name for s in linkage.joints[self.joint].scalars]
        if self.coordinate not in names:
            cure = f"it has {', '.join(names)}" if names else "drag a body instead"
            raise UnknownName(f"joint '{self.joint}' has no single coordinate "
                              f"'{self.coordinate}'", cure)  # fmt: skip

    def _unit(self, linkage: Linkage) -> float:
        return linkage.size if linkage.unit[self.joint, self.coordinate] == "m" else 1.0

    def rows(self, linkage: Linkage, q: Array, told: Coordinates) -> tuple[Array, Array]:
        joint = linkage.joints[self.joint]
        k = [s.name for s in joint.scalars].index(self.coordinate)
        J = linkage.joint_rows(q)[linkage.rows_of[self.joint][k]]
        off = (told[self.joint][self.coordinate] - self.value) / self._unit(linkage)
        return J[None], np.array([off])

    def metric(self, linkage: Linkage, q: Array) -> Array:
        return linkage.joint_rows(q)


@dataclass(frozen=True, slots=True)
class PointWish:
    """A point of a body (in its frame) at a place in the world; all bodies move least."""

    body: str
    point: tuple[float, float, float]
    to: tuple[float, float, float]

    @property
    def element(self) -> str:
        return self.body

    def check(self, linkage: Linkage) -> None:
        if self.body not in linkage.c.bodies:
            raise UnknownName(f"there is no body '{self.body}'",
                              did_you_mean(self.body, linkage.c.bodies))  # fmt: skip

    def rows(self, linkage: Linkage, q: Array, told: Coordinates) -> tuple[Array, Array]:
        k = linkage.c.bodies.index(self.body)
        body, V = linkage.bodies(q)[self.body], linkage.body_rows(q)[k]
        arm = body.R_WB @ np.array(self.point)
        J = _at(V, arm)
        return J / linkage.size, (body.p_WB + arm - np.array(self.to)) / linkage.size

    def metric(self, linkage: Linkage, q: Array) -> Array:
        V = linkage.body_rows(q)
        V = np.concatenate([V[:, :3] / linkage.size, V[:, 3:]], axis=1)
        return V.reshape(-1, V.shape[2])


def _at(V: Array, arm: Array) -> Array:
    """Velocities of a point at an arm from the origin of a body: v + w x arm."""
    return np.asarray(V[:3] + np.cross(V[3:], arm, axisa=0, axisc=0))
