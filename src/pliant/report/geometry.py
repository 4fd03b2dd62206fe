"""The model in numbers: frames, masses and sizes with the parameters of the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.values import Values
from pliant.model.bodies import Beam, RigidBody
from pliant.model.formulas import Formula
from pliant.report.elastic import ElasticBody, elastic_body
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import to_quaternion


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass, centre of mass in the body frame, six moments of inertia about `about`."""

    mass: float
    com: Array
    inertia: Array
    about: str = "com"


class Geometry(Values):
    """A model with the values of its parameters in force, and what is drawn of it."""

    @cached_property
    def elastic(self) -> dict[str, ElasticBody]:
        """Beams and bodies with given modes."""
        return {name: elastic_body(self, name) for name in self.flexible}

    def mass_properties(self, name: str) -> MassProperties:
        """Of the undeformed body."""
        body = self.model.bodies[name]
        if not isinstance(body, RigidBody):
            return MassProperties(*self.elastic[name].mass_properties())
        return MassProperties(
            self.number(body.mass), self.vector(body.com), self.vector(body.inertia),
            body.inertia_about,
        )  # fmt: skip

    def beam(self, name: str) -> Beam | None:
        """The body if it is a beam."""
        body = self.model.bodies[name]
        return body if isinstance(body, Beam) else None

    def places(self, body: str) -> dict[str, Pose]:
        """X_BP of every frame of an undeformed body or of the ground."""
        return self.elastic[body].undeformed() if body in self.elastic else super().places(body)

    @cached_property
    def inner(self) -> frozenset[str]:
        """Nodes of beams that were cut into elements, and the joints between them."""
        return frozenset(n for n in (*self.model.bodies, *self.model.joints) if ":" in n)

    @cached_property
    def attached(self) -> dict[str, list[Array]]:
        """Points of each body that joints, forces and drivers take hold of, in body axes."""
        found: dict[str, list[Array]] = {name: [] for name in ("ground", *self.model.bodies)}
        for ref in self._references():
            body, _, frame = ref.partition(".")
            found[body].append(self.places(body)[frame].p)
        return {name: distinct(points) for name, points in found.items()}

    def _references(self) -> Iterator[str]:
        for joint in self.model.joints.values():
            yield from (joint.parent, joint.child)
        for element in (*self.model.forces.values(), *self.model.drivers.values()):
            for field in ("frame", "frame_a", "frame_b"):
                ref = getattr(element, field, None)
                if ref:
                    yield ref

    def shape(self, body: str) -> tuple[str, dict[str, Any]] | None:
        """The kind and the sizes of the simple shape a body is drawn with."""
        shape = self.model.bodies[body].shape
        if shape is None or "mesh" in shape:
            return None
        ((kind, fields),) = shape.items()
        return kind, {key: self._extent(value) for key, value in fields.items()}

    def _extent(self, value: Any) -> Any:
        if isinstance(value, str):
            return value
        return self.number(value) if isinstance(value, Formula) else self.vector(value)


def distinct(points: list[Array], tolerance: float = 1e-9) -> list[Array]:
    """Points without repetition."""
    kept: list[Array] = []
    for point in points:
        if all(np.abs(point - other).max() > tolerance for other in kept):
            kept.append(point)
    return kept


def numbers(values: Any) -> list[float]:
    """Plain numbers of nine digits for the page."""
    return [float(f"{v:.9g}") for v in np.ravel(values)]


def pose_data(X: Pose) -> dict[str, list[float]]:
    """Position and quaternion."""
    return {"p": numbers(X.p), "q": numbers(to_quaternion(np.asarray(X.R)))}
