"""Sensors over what the tree kernel tells of frames and joints: row by row, by the same function
as in expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.sensors.sensing import TOLD_OF_FRAMES, Sensing, Told, told_by
from pliant.observe.beams import Derived
from pliant.observe.catalogue import Quantity, sensed_quantity
from pliant.spatial.ops import NUMERIC

_GROUND = dict.fromkeys(TOLD_OF_FRAMES, np.zeros(3))
"""Motion of a frame of the ground but for its place."""


def sensor_objection(model: Model, sensor: Sensing) -> str:
    """Why a sensor is not told of a tree; empty if it is."""
    from pliant.model.forces.action import formulas_of

    for formula in formulas_of(sensor).values():
        strange = formula.names - model.parameters.keys() - {"t"}
        if strange:
            return f"sensor '{sensor.name}' reads {', '.join(sorted(strange))}"
    return ""


def sensed(
    sensor: Sensing, told: Mapping[str, Quantity], values: Values
) -> Iterator[tuple[str, Quantity]]:
    """Every output of a sensor, from the time, frames and joints."""
    read = told_by(sensor)
    rows = _Rows(sensor, read, values)
    sizes = [size for size, _ in read.outputs.values()]
    inputs = tuple(told[name] for name in rows.names)
    every = Derived(size=sum(sizes), inputs=inputs, compute=rows)
    ends = np.cumsum([0, *sizes]).tolist()
    for k, (quantity, (size, unit)) in enumerate(read.outputs.items()):
        place = slice(ends[k], ends[k + 1])
        yield f"{sensor.name}.{quantity}", sensed_quantity(unit, vector=size == 3).made(
            Derived, owner=sensor.name, inputs=(every,), size=size,
            compute=lambda blocks, place=place: blocks[0][:, place],
        )  # fmt: skip


class _Rows:
    """What computes all outputs of a sensor from blocks of columns: ``names`` of observables."""

    def __init__(self, sensor: Sensing, read: Told, values: Values) -> None:
        self._sensor, self._read, self._values = sensor, read, values
        self._moving = [f for f in read.frames if f.partition(".")[0] != "ground"]
        self._fixed = [f for f in read.frames if f not in self._moving]
        self._joints = {(j, c): self._coordinate(j, c) for j, c in read.coordinates}
        self.names = ["t", *(f"{f}.{q}" for f in self._moving for q in TOLD_OF_FRAMES.values()),
                      *(name for pair in self._joints.values() for name in pair)]  # fmt: skip

    def _coordinate(self, joint: str, name: str | None) -> tuple[str, str]:
        own = self._values.model.joints[joint].acting(name)
        assert own is not None
        return f"{joint}.{own.name}", f"{joint}.{own.rate}"

    def __call__(self, blocks: Sequence[Array]) -> Array:
        places = self._values.places("ground") if self._fixed else {}
        fixed = {}
        for reference in self._fixed:
            X = places[reference.partition(".")[2]]
            fixed[reference] = SimpleNamespace(**_GROUND | {"p_WP": X.p, "R_WP": X.R})
        return np.array([self._row(fixed, row) for row in zip(*blocks, strict=True)])

    def _row(self, fixed: Mapping[str, Any], row: Sequence[Array]) -> Array:
        told = dict(zip(self.names, row, strict=True))
        frames = dict(fixed)
        for reference in self._moving:
            own = {letter: told[f"{reference}.{q}"] for letter, q in TOLD_OF_FRAMES.items()}
            own["R_WP"] = own["R_WP"].reshape(3, 3).T
            frames[reference] = SimpleNamespace(**own)
        joints = {key: tuple(float(told[n][0]) for n in pair) for key, pair in self._joints.items()}
        known = {**self._values.parameters, "t": float(told["t"][0])}

        def value(formula: Formula, **local: Any) -> float:
            return float(formula.number({**known, **local}))

        motion: Any = SimpleNamespace(ops=NUMERIC, frame=frames.__getitem__, value=value,
                                      coordinate=lambda j, c: joints[j, c])  # fmt: skip
        with np.errstate(all="ignore"):
            found = self._sensor.sense(motion)
        return np.concatenate([np.ravel(np.asarray(v, dtype=float)) for v, _ in found.values()])
