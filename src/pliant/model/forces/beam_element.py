"""Elements of beams of large rotation as force elements between the frames of their nodes.

They are made when a beam is cut into elements, never written by a user.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

from pliant.model.fields import FrameReferences, Number, Numbers, Optional, has
from pliant.model.forces.action import Acting, Action, FrameMotion, Load, Motion, Symbol
from pliant.model.forces.director_element import (
    MassPoint,
    director_inertia,
    director_loads,
    director_pull,
    lumped_mass,
    strain_rates,
)
from pliant.model.forces.exact_element import PointData, exact_loads, exact_pull, exact_rates
from pliant.model.formulas import Formula
from pliant.records import dataclass
from pliant.spatial.interpolation import interpolation
from pliant.spatial.screws import Screw

Formulas = tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class NodeElement(Acting):
    """Something between the nodes of an element: their frames in order, and its length."""

    name: str
    frames: tuple[str, ...] = has(FrameReferences(), doc="frames of the nodes")
    length: Formula = has(Number("m"), doc="length without stress")

    def __post_init__(self) -> None:
        """Nothing is to be converted."""

    @property
    def frame_a(self) -> str:
        """The first node."""
        return self.frames[0]

    @property
    def frame_b(self) -> str:
        """The last node."""
        return self.frames[-1]


@dataclass(frozen=True, slots=True)
class BeamElement(NodeElement):
    """Elastic: stiffness and strains of the stress-free state, six numbers for every Gauss point,
    and a damping time for each of them."""

    stiffness: tuple[Formulas, ...] = ()
    free: tuple[Formulas, ...] = ()
    damping: Formulas | None = has(Optional(Numbers(6, ("s",))), None, "stress from strain rate")

    is_elastic: ClassVar[bool] = True

    @property
    def told_at(self) -> tuple[float, ...]:
        """Where on the element, from 0 to 1, its internal forces are: at its Gauss points."""
        return tuple(interpolation(1, len(self.stiffness)).points.tolist())

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(Symbol("distance", a, b) for a, b in pairwise(self.frames))

    def strain_rates(self, motion: Motion) -> list[Any]:
        """Of its strains in the order of ``stiffness``, point by point."""
        raise NotImplementedError

    def pull(self, motion: Motion, stresses: Sequence[Any]) -> tuple[Load, ...]:
        """On its nodes by stresses in the same order, each times its share of the length: their
        power is what they take of the strain rates."""
        raise NotImplementedError

    def _nodes(self, motion: Motion) -> list[FrameMotion]:
        return [motion.frame(f) for f in self.frames]

    def _damping(self, motion: Motion) -> Any:
        return None if self.damping is None else _column(motion, self.damping)


@dataclass(frozen=True, slots=True)
class ExactElement(BeamElement):
    """Geometrically exact; numbers in the order x, y, z of moments (GJ, EIy, EIz), then of forces
    (EA, GAy, GAz), strains likewise."""

    kind: ClassVar[str] = "exact_element"

    def act(self, motion: Motion) -> Action:
        """Elastic forces on its nodes."""
        ops = motion.ops
        points = []
        for stiffness, free in zip(self.stiffness, self.free, strict=True):
            C, e = (_column(motion, numbers) for numbers in (stiffness, free))
            points.append(PointData(C[:3], C[3:], Screw(e[:3], e[3:])))
        tau = self._damping(motion)
        damping = None if tau is None else Screw(tau[3:], tau[:3])
        length, nodes = motion.value(self.length), self._nodes(motion)
        found = exact_loads(ops, length, nodes, points, damping)
        return Action(
            loads=_loads(self.frames, found.forces, found.torques),
            potential=found.energy,
            dissipated=found.dissipated,
            outputs=_internal([s.real for s in found.stresses], [s.dual for s in found.stresses]),
        )

    def strain_rates(self, motion: Motion) -> list[Any]:
        found = exact_rates(motion.ops, motion.value(self.length), self._nodes(motion))
        return [part[k] for own in found for part in (own.real, own.dual) for k in range(3)]

    def pull(self, motion: Motion, stresses: Sequence[Any]) -> tuple[Load, ...]:
        ops, vec = motion.ops, motion.ops.vec
        own = [stresses[k : k + 6] for k in range(0, len(stresses), 6)]
        screws = [Screw(vec(*six[3:]), vec(*six[:3])) for six in own]
        length, nodes = motion.value(self.length), self._nodes(motion)
        return _loads(self.frames, *exact_pull(ops, length, nodes, screws))


@dataclass(frozen=True, slots=True)
class DirectorElement(BeamElement):
    """Large-rotation, in r, m and n; numbers as Γ₁...Γ₆: EA, EIy, EIz, GAy, GAz, GJ."""

    kind: ClassVar[str] = "director_element"

    def act(self, motion: Motion) -> Action:
        """Elastic forces on its nodes."""
        ops = motion.ops
        stiffness, free = (
            [[motion.value(f) for f in numbers] for numbers in group]
            for group in (self.stiffness, self.free)
        )
        tau = self._damping(motion)
        damping = None if tau is None else [tau[k] for k in range(6)]
        length, nodes = motion.value(self.length), self._nodes(motion)
        found = director_loads(ops, length, nodes, stiffness, free, damping)
        forces = [ops.vec(s[0], s[3], s[4]) for s in found.stresses]
        moments = [ops.vec(-s[5], s[1], -s[2]) for s in found.stresses]
        return Action(
            loads=_loads(self.frames, found.forces, found.torques),
            potential=found.energy,
            dissipated=found.dissipated,
            outputs=_internal(forces, moments),
        )

    def strain_rates(self, motion: Motion) -> list[Any]:
        found = strain_rates(motion.ops, motion.value(self.length), self._nodes(motion))
        return [rate for own in found for rate in own]

    def pull(self, motion: Motion, stresses: Sequence[Any]) -> tuple[Load, ...]:
        own = [stresses[k : k + 6] for k in range(0, len(stresses), 6)]
        length, nodes = motion.value(self.length), self._nodes(motion)
        return _loads(self.frames, *director_pull(motion.ops, length, nodes, own))


@dataclass(frozen=True, slots=True)
class DirectorMass(NodeElement):
    """Inertia of a large-rotation element: ρA, ρIy, ρIz at the points of its mass rule."""

    kind: ClassVar[str] = "director_mass"
    has_mass: ClassVar[bool] = True

    mass: tuple[Formulas, ...] = ()

    def act(self, motion: Motion) -> Action:
        """Inertia forces on its nodes."""
        nodes: Any = [motion.frame(f) for f in self.frames]
        masses = [MassPoint(*(motion.value(f) for f in numbers)) for numbers in self.mass]
        found = director_inertia(motion.ops, motion.value(self.length), nodes, masses)
        return Action(_loads(self.frames, found.forces, found.torques), kinetic=found.kinetic,
                      momentum=found.momentum)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DirectorWeight(NodeElement):
    """Weight of a large-rotation element: ρA at the points of its mass rule, gravity."""

    kind: ClassVar[str] = "director_weight"
    is_applied: ClassVar[bool] = True

    mass: tuple[Formula, ...] = ()
    gravity: Formulas = ()

    def act(self, motion: Motion) -> Action:
        """Weight on its nodes."""
        ops, g = motion.ops, _column(motion, self.gravity)
        shares = lumped_mass(motion.value(self.length), [motion.value(f) for f in self.mass],
                             len(self.frames))  # fmt: skip
        height = sum(m * motion.frame(f).p_WP for m, f in zip(shares, self.frames, strict=True))
        none = ops.zeros(3)
        loads = tuple(Load(f, m * g, none) for m, f in zip(shares, self.frames, strict=True))
        return Action(loads, potential=-ops.dot(g, height))


def _column(motion: Motion, numbers: Sequence[Formula]) -> Any:
    return motion.ops.vec(*(motion.value(f) for f in numbers))


def _loads(frames: Sequence[str], *parts: Sequence[Any]) -> tuple[Load, ...]:
    """A force and a torque on each frame."""
    return tuple(Load(*own) for own in zip(frames, *parts, strict=True))


def _internal(forces: Sequence[Any], moments: Sequence[Any]) -> dict[str, tuple[Any, str]]:
    """Force and moment in a section, in its axes, at each Gauss point."""
    found: dict[str, tuple[Any, str]] = {}
    for k, (force, moment) in enumerate(zip(forces, moments, strict=True)):
        found[f"internal_force{k + 1}"] = force, "N"
        found[f"internal_moment{k + 1}"] = moment, "N*m"
    return found
