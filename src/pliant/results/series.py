"""Observables over time, and what a run recorded beside them: enough to tell all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import RunError
from pliant.observe.catalogue import QUATERNION, Quantity
from pliant.records import dataclass
from pliant.registry import ABOVE
from pliant.results.diagram import Diagram


@dataclass(frozen=True, slots=True)
class Series:
    """One observable over time: shape (n,) or (n, components) with ``labels``.

    ``unique`` says, for each component of a reaction, whether the constraints determine it; where
    redundant ones do not, the smallest reaction is reported and comparisons leave it out. So it
    does of what follows from such reactions: the power of drivers, outputs. Empty: all are.
    """

    values: Array
    unit: str
    labels: tuple[str, ...] = ()
    kind: str = "other"
    unique: tuple[bool, ...] = ()

    def at(self, k: int) -> Series:
        """One sample of it."""
        return replace(self, values=self.values[k : k + 1])


def labelled(
    chosen: Mapping[str, Quantity], table: Array, turns: Mapping[str, Array] = MappingProxyType({}),
    unique: Mapping[str, Iterable[Any]] = MappingProxyType({}),
) -> dict[str, Series]:  # fmt: skip
    """Observables that stand in a table one after the other: rotation matrices become quaternions,
    angles count their ``turns``."""
    starts = accumulate((q.size for q in chosen.values()), initial=0)
    places = dict(zip(chosen, starts, strict=False))
    turned = [name for name, q in chosen.items() if q.kind == "rotation"]
    rotations, found = {}, {}
    if turned:
        columns = np.array([places[name] for name in turned])[:, None] + np.arange(9)
        rotations = dict(zip(turned, quaternions(table[:, columns]).swapaxes(0, 1), strict=True))
    for name, q in chosen.items():
        if name in rotations:
            found[name] = Series(rotations[name], "1", QUATERNION, "rotation")
            continue
        values = table[:, places[name] : places[name] + q.size]
        values = values + turns[name][:, None] if name in turns else values
        flags = tuple(bool(u) for u in unique.get(name, ()))
        found[name] = Series(values if q.labels else values[:, 0], q.unit, q.labels, q.kind, flags)
    return found


def with_work(series: dict[str, Series], powers: Iterable[str], table: Array) -> dict[str, Series]:
    """The same with work beside power, for those that stand in a table one after the other."""
    work = dict(zip(powers, table.T, strict=False))
    found = {}
    for name, own in series.items():
        found[name] = own
        if name in work:
            found[name.removesuffix("power") + "work"] = Series(
                work[name], "J", (), "work", own.unique
            )
    return found


def quaternions(columns: Array) -> Array:
    """Unit quaternions (w, x, y, z) of rotation matrices given column by column, along the last
    axis.

    Signs are chosen so that they are continuous along the first axis; there w >= 0.
    """
    xx, yx, zx, xy, yy, zy, xz, yz, zz = np.moveaxis(columns, -1, 0)
    squares = (1 + (xx + yy + zz), 1 + (xx - yy - zz), 1 + (yy - xx - zz), 1 + (zz - xx - yy))
    a, b, c, e, f, g = zy - yz, xz - zx, yx - xy, xy + yx, xz + zx, yz + zy
    rows = [[squares[0], a, b, c], [a, squares[1], e, f], [b, e, squares[2], g],
            [c, f, g, squares[3]]]  # fmt: skip
    best = np.argmax(np.array(squares), axis=0)
    quat = np.moveaxis(np.take_along_axis(np.array(rows), best[None, None], axis=0)[0], 0, -1)
    quat = quat / np.linalg.norm(quat, axis=-1, keepdims=True)
    if len(quat):
        quat[0] *= np.where(quat[0, ..., :1] >= 0, 1.0, -1.0)
        same = np.sum(quat[1:] * quat[:-1], axis=-1, keepdims=True) >= 0
        quat[1:] *= np.cumprod(np.where(same, 1.0, -1.0), axis=0)
    return np.asarray(quat)


Along = Callable[[str, Sequence[int], Sequence[float] | None], Diagram]
"""Internal forces along a beam at some samples, at stations x or where they are of interest."""


@dataclass(frozen=True, slots=True)
class Record:
    """Numbers that a file keeps, and how they are to be understood. Arrays have a row for each
    sample, but for those whose names begin with p."""

    about: Mapping[str, Any]
    arrays: Mapping[str, Array]


@dataclass(frozen=True)
class RecordedRows:
    """States of all samples, and how the back end they are of tells of them."""

    t: Array
    observed: Callable[[], Mapping[str, Quantity]]
    values: Callable[[str], Array]
    """Numbers of an observable, a row for each sample."""
    kept: Callable[[], Record]
    unique: Callable[[str], Iterable[Any]]
    """Which components are determined, of reactions at least; nothing: all of them are."""
    turns: Callable[[str], Array | None] = lambda name: None
    """What to add to an angle known modulo a turn."""
    diagram: Along | None = None
    """Internal forces along a beam at some samples; None: the back end does not tell them."""
    left_over: Callable[[], Mapping[str, float]] = dict
    """What acts on beams beyond their inertia, over what acts on them."""

    @cached_property
    def known(self) -> Mapping[str, Quantity]:
        """Every observable by name."""
        return {name: q.told for name, q in self.observed().items()}

    def series(self, name: str) -> Series:
        """One of them at all samples; RunError where it has no finite value."""
        values = self.values(name)
        finite = np.isfinite(values).all(axis=1)
        if not finite.all():
            raise RunError(f"{name}: no finite value at t = {self.t[np.argmin(finite)]:.6g} s")
        q, turns = self.observed()[name], self.turns(name)
        told = {name: q}
        return labelled(told, values, {} if turns is None else {name: turns},
                        {name: self.unique(name)})[name]  # fmt: skip

    @property
    def record(self) -> Record:
        """All of it as numbers."""
        return self.kept()


@dataclass(frozen=True)
class OneOf:
    """One sample of what was recorded; a file does not keep it."""

    recorded: Recorded
    index: int
    record: None = None

    @property
    def known(self) -> Mapping[str, Quantity]:
        """Every observable by name."""
        return self.recorded.known

    def series(self, name: str) -> Series:
        """One of them at this sample."""
        return self.recorded.series(name).at(self.index)

    @property
    def diagram(self) -> Along | None:
        """Internal forces along a beam at this sample."""
        whole = self.recorded.diagram
        if whole is None:
            return None
        return lambda beam, rows, stations: whole(beam, [self.index] * len(rows), stations)


@dataclass(frozen=True)
class Reopened:
    """What a file recorded: the model is built anew when something is asked for."""

    model: str
    known: Mapping[str, Quantity]
    record: Record

    @cached_property
    def _states(self) -> Recorded:
        made: Recorded = ABOVE["reopened"](self.model, self.record)
        return made

    def series(self, name: str) -> Series:
        """One of them at all samples."""
        return self._states.series(name)

    @property
    def diagram(self) -> Along | None:
        """Internal forces along a beam at some samples."""
        return self._states.diagram


Recorded = RecordedRows | OneOf | Reopened
"""States of all samples, from which every observable can be computed."""
