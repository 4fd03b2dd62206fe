"""A beam of large rotation in numbers: lengths, sections without stress, stiffness, mass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex import beam as flex
from pliant.flex.from_model import beam_of
from pliant.flex.large.axis import Axis, axis_of
from pliant.flex.large.mesh import Mesh, Value
from pliant.flex.rewriting.parts import Numbers
from pliant.model.bodies import Beam
from pliant.model.formulas import Formula
from pliant.model.materials import Material
from pliant.spatial.interpolation import Interpolation, lobatto
from pliant.spatial.pose import Pose

MASS = ("rhoA", "rhoIy", "rhoIz")
BEYOND = ":beyond"
"""The frame on the body of a corner that has the axes of the section beyond it."""


def node_name(beam: str, k: int) -> str:
    """The body at node k."""
    return f"{beam}:{k}"


@dataclass(frozen=True)
class BeamNumbers:
    """A beam, its mesh, and its numbers for one set of parameters."""

    beam: Beam
    mesh: Mesh
    value: Value
    materials: Mapping[str, Material]
    number: Numbers

    @cached_property
    def lengths(self) -> Array:
        """Of the elements."""
        found = self.mesh.lengths(self.value)
        if found.min() <= 0:
            raise InputError(
                f"body '{self.beam.name}': its frames or corners follow each other in another "
                "order than with the default parameters, by which it was cut into elements",
                "change the defaults",
            )
        return found

    @cached_property
    def starts(self) -> Array:
        """Where elements begin along the beam."""
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def along(self) -> flex.Beam:
        """Stiffness and mass along the beam."""
        return beam_of(self.beam, self.value, self.materials)

    @property
    def uniform(self) -> bool:
        """Whether the section is the same everywhere."""
        return self.beam.sections is None

    @cached_property
    def axis(self) -> Axis:
        """Without stress."""
        return axis_of(self.beam, self.value)

    @cached_property
    def datum(self) -> Pose:
        """The frame in which the axis is given, seen from the first node."""
        return self.axis.section(0.0, beyond=True).inverse

    def members(self, e: int) -> list[Pose]:
        """Sections at the nodes of an element without stress, seen from the first node."""
        a, h = float(self.starts[e]), float(self.lengths[e])
        x, _ = lobatto(self.mesh.order)
        return [
            self.datum @ self.axis.section(a + h * float(at), beyond=bool(at < 0.5)) for at in x
        ]

    @cached_property
    def poses(self) -> list[Pose]:
        """Nodes of the stress-free beam, seen from the first; at a corner as the section before."""
        order = self.mesh.order
        found = [self.members(0)[0]]
        for e in range(self.mesh.elements):
            found += self.members(e)[1 : order + 1]
        return found

    def turned(self, e: int) -> Array | None:
        """Axes of the first section of an element in those of its node, where they differ."""
        R = self.poses[e * self.mesh.order].R.T @ self.members(e)[0].R
        return None if np.allclose(R, np.eye(3), rtol=0, atol=1e-12) else R

    def references(self, e: int, member: range) -> tuple[str, ...]:
        """Frames of the sections at the nodes of an element."""
        names = [node_name(self.beam.name, k) for k in member]
        if self.turned(e) is not None:
            names[0] += f".{BEYOND}"
        return tuple(names)

    def section(self, names: Sequence[str], e: int, rule: Interpolation) -> tuple[Any, ...]:
        """Numbers of the section at the points of an element."""
        at = self.starts[e] + self.lengths[e] * rule.points
        rates = self.along.rates(at)
        found = []
        for k in range(len(at)):
            own = {n: float(np.broadcast_to(getattr(rates, n), at.shape)[k]) for n in names}
            label = "" if self.uniform else f"_{e}_{k}"
            found.append(tuple(self.number(f"{n}{label}", v) for n, v in own.items()))
        return tuple(found)

    def lumped(self, e: int) -> Array:
        """Mass and rotary inertia (m, Jy, Jz) of an element by Lobatto's rule, node by node."""
        x, weights = lobatto(self.mesh.order)
        rates = self.along.rates(self.starts[e] + self.lengths[e] * x)
        rho = np.column_stack([np.broadcast_to(getattr(rates, n), len(x)) for n in MASS])
        found: Array = self.lengths[e] * weights[:, None] * rho
        return found

    def numbers(self, label: str, values: Sequence[float] | Array) -> tuple[Formula, ...]:
        """Several numbers, labelled in order."""
        return tuple(self.number(f"{label}{i}", float(v)) for i, v in enumerate(values))
