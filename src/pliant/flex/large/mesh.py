"""Where a beam of large rotation is cut: elements end at its frames, nodes are Lobatto points.

How many elements there are, and at which node a frame sits, is decided once, for the default
parameters; where they are follows the parameters of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pliant.arrays import Array, Integers
from pliant.model.bodies import Beam
from pliant.model.formulas import Formula, formula
from pliant.model.frames import Frame
from pliant.spatial.interpolation import lobatto

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
