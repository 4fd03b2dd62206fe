"""A beam of large rotation in numbers: lengths, sections without stress, stiffness, mass.

Its stress-free axis is a helix of given curvature, straight pieces, or a smooth curve. It gives the
section at each place: its origin on the axis, x along the tangent, z nearest to the direction `up`.
A helix begins at the origin, along x; others are where their points are.

Where a beam of large rotation is cut: elements end at its frames, nodes are Lobatto points.

How many elements there are, and at which node a frame sits, is decided once, for the default
parameters; where they are follows the parameters of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import InputError
from pliant.flex.rewriting.parts import Task
from pliant.model.bodies import Beam
from pliant.model.bodies.theories import STIFFNESS
from pliant.model.formulas import Formula, formula
from pliant.model.frames import Frame
from pliant.records import dataclass
from pliant.spatial.curves import pose_of
from pliant.spatial.interpolation import Interpolation, lobatto
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.screws import Screw
from pliant.spatial.spline import Spline

Value = Callable[[Formula], float]
_TOGETHER = 1e-9
"""Frames nearer to each other than this part of the length share a node."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Ends of spans along the beam, elements in each span, the nodes of frames."""

    order: int
    ends: tuple[Formula, ...]
    counts: tuple[int, ...]
    nodes: dict[str, int]
    """Node of each frame that sits at one."""

    @property
    def elements(self) -> int:
        return sum(self.counts)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return self.elements * self.order + 1

    def members(self) -> Iterator[range]:
        """Nodes of each element."""
        for e in range(self.elements):
            yield range(e * self.order, (e + 1) * self.order + 1)

    def lengths(self, value: Value) -> Array:
        """Lengths of the elements."""
        ends = [value(f) for f in self.ends]
        spans = [(b - a) / n for (a, b), n in zip(pairwise(ends), self.counts, strict=True)]
        return np.repeat(spans, self.counts)

    def places(self, value: Value) -> Array:
        """Places of the nodes along the beam."""
        return _places(self.lengths(value), self.order)


def mesh_of(beam: Beam, value: Value, wanted: Collection[str]) -> Mesh:
    """The mesh for these (default) parameters; ``wanted``: frames that must sit at a node."""
    length, order = value(beam.length), beam.theory.order
    on_axis = {n: f for n, f in beam.frames.items() if not f.on}
    at = {n: value(f.position[0]) for n, f in on_axis.items()}
    ends = [formula(0.0), beam.length]
    cuts = [on_axis[name].position[0] for name in set(wanted) & set(on_axis)]
    for cut in sorted([*cuts, *corners(beam)], key=value):
        if all(abs(value(cut) - value(f)) > _TOGETHER * length for f in ends):
            ends.insert(len(ends) - 1, cut)
    spans = np.diff([value(f) for f in ends])
    counts = shared(spans / length, beam.theory.elements)
    places = _places(np.repeat(spans / counts, counts), order)
    found: dict[str, int] = {}
    for name in on_axis:
        near = int(np.argmin(np.abs(places - at[name])))
        if abs(places[near] - at[name]) <= _TOGETHER * length:
            found[name] = near
    found |= _placed_on(beam, found)
    return Mesh(order, tuple(ends), tuple(int(n) for n in counts), found)


def corners(beam: Beam) -> tuple[Formula, ...]:
    """Places where straight pieces of the axis meet."""
    axis = beam.axis
    return () if axis is None or axis.smooth else axis.places[1:-1]


def shared(parts: Array, total: int) -> Integers:
    """Whole numbers in proportion to parts of one, at least one each."""
    counts = np.maximum(1, np.floor(parts * total + 1e-9)).astype(np.int64)
    while counts.sum() < total:
        counts[np.argmax(parts / counts)] += 1
    return counts


def _placed_on(beam: Beam, found: dict[str, int]) -> dict[str, int]:
    """Frames placed in other frames sit where those do."""
    more: dict[str, int] = {}
    for name, frame in beam.frames.items():
        base: Frame | None = frame
        while base is not None and base.on:
            base = beam.frames.get(base.on.rpartition(".")[2])
        if frame.on and base is not None and base.name in found:
            more[name] = found[base.name]
    return more


def _places(lengths: Array, order: int) -> Array:
    x, _ = lobatto(order)
    starts = np.concatenate([[0.0], np.cumsum(lengths)])
    inner = [a + h * x[:-1] for a, h in zip(starts, lengths, strict=False)]
    return np.concatenate([*inner, starts[-1:]])


MASS = ("rhoA", "rhoIy", "rhoIz")
SECTION = {
    "exact": ("GJ", "EIy", "EIz", "EA", "GAy", "GAz"),
    "large-rotation": ("EA", "EIy", "EIz", "GAy", "GAz", "GJ"),
}
"""Stiffness of each strain of an element."""
BEYOND = ":beyond"
"""The frame on the body of a corner that has the axes of the section beyond it."""
_ALONG = 1e-6
"""A tangent nearer to `up` than this (sine of the angle) leaves z of its section open."""


def strains_of(beam: Beam) -> tuple[str, ...]:
    """The direction of each strain of an element."""
    directions = {key: direction for direction, key in STIFFNESS.items()}
    return tuple(directions[key] for key in SECTION[beam.theory.kind])


def node_name(beam: str, k: int) -> str:
    """The body at node k."""
    return f"{beam}:{k}"


@dataclass(frozen=True)
class BeamNumbers(Task):
    """A beam to rewrite, its mesh, and its numbers for one set of parameters."""

    mesh: Mesh

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


class Axis(Protocol):
    """Sections of the stress-free beam."""

    @property
    def uniform(self) -> bool:
        """Whether its strains are those of a helix along every element."""

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        """The section at x; at a corner that of the piece before it or beyond it."""


@dataclass(frozen=True, slots=True)
class Helix:
    """Of constant twist and curvature."""

    kappa: Array
    uniform = True

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        return pose_of(NUMERIC, Screw(self.kappa, np.array([1.0, 0.0, 0.0])).times(x))


class Pieces:
    """Straight between points, with rigid corners."""

    uniform = True

    def __init__(self, points: Array, up: Array) -> None:
        steps = np.diff(points, axis=0)
        lengths = np.linalg.norm(steps, axis=1)
        self._points = points
        self._places = np.concatenate([[0.0], np.cumsum(lengths)])
        self._axes = [_section_axes(t, up) for t in steps / lengths[:, None]]

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        near = 1e-9 * self._places[-1] * (1 if beyond else -1)
        k = int(np.searchsorted(self._places, x + near, side="right")) - 1
        k = min(max(k, 0), len(self._axes) - 1)
        R = self._axes[k]
        return Pose(R, self._points[k] + (x - self._places[k]) * R[:, 0])


class Smooth:
    """A spline through points."""

    uniform = False

    def __init__(self, points: Array, up: Array) -> None:
        self._spline, self._up = Spline(points), up

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        p, tangent = self._spline.at(x)
        return Pose(_section_axes(tangent, self._up), p)


def axis_of(beam: Beam, value: Value) -> Axis:
    """The axis of a beam for these parameters."""
    if beam.axis is None:
        given = beam.curvature
        return Helix(np.zeros(3) if given is None else np.array([value(f) for f in given]))
    points = np.array([[value(f) for f in point] for point in beam.axis.points])
    up = np.array([value(f) for f in beam.axis.up])
    try:
        return (Smooth if beam.axis.smooth else Pieces)(points, up)
    except InputError as error:
        raise type(error)(f"body '{beam.name}': axis: {error.what}", error.cure) from None


def _section_axes(tangent: Array, up: Array) -> Any:
    """Columns x along the tangent, y, and z nearest to ``up``."""
    z = up - (up @ tangent) * tangent
    size = np.linalg.norm(z)
    if not size > _ALONG * np.linalg.norm(up):
        raise InputError("it runs along up, so that z of its sections is open",
                         "give another direction up")  # fmt: skip
    z = z / size
    return np.column_stack([tangent, np.cross(z, tangent), z])
