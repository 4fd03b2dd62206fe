"""Numbers of flexible bodies for given parameters: tables, packed as compiled code reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pliant.arrays import Array
from pliant.model.bodies import RigidBody
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.flex.data import FlexibleData, FrameData
    from pliant.flex.packing import Entries, Packing


@dataclass(frozen=True)
class FlexibleNumbers:
    """A flexible body for one set of parameters, with the frames that sit directly on it."""

    data: FlexibleData
    frames: Mapping[str, FrameData]

    @cached_property
    def packing(self) -> Packing:
        from pliant.flex.packing import packing_of

        return packing_of(self.data, self.frames)

    def packed(self, packing: Packing) -> Array:
        from pliant.flex.packing import pack

        return pack(packing, self.data, self.frames)

    @cached_property
    def tables(self) -> Mapping[str, Entries]:
        """The numbers as tables by name."""
        return self.packing.unpack(self.packed(self.packing))


def flexible_names(model: Model) -> list[str]:
    """Bodies described by tables: all but plain rigid ones."""
    return [name for name, body in model.bodies.items() if not isinstance(body, RigidBody)]


_KEPT = 8
_latest: dict[tuple[int, tuple[tuple[str, float], ...]], tuple[Model, dict[str, FlexibleNumbers]]]
_latest = {}
"""The numbers made last, all bodies of a model for one set of parameters together; the model
beside them keeps its id its own."""


def flexible_numbers(model: Model, name: str, parameters: Mapping[str, float]) -> FlexibleNumbers:
    """Tables of a body for these values of the parameters."""
    key = id(model), tuple(parameters.items())
    if key not in _latest:
        if len(_latest) >= _KEPT:
            _latest.pop(next(iter(_latest)))
        _latest[key] = model, {}
    bodies = _latest[key][1]
    if name not in bodies:
        bodies[name] = _made(model, name, parameters)
    return bodies[name]


def _made(model: Model, name: str, parameters: Mapping[str, float]) -> FlexibleNumbers:
    from pliant.flex.from_model import flexible_data, frame_data

    body: Any = model.bodies[name]

    def value(f: Formula) -> float:
        return float(f.value if f.is_constant else f.evaluate(NUMERIC, parameters.__getitem__))

    data = flexible_data(body, value, model.materials)
    frames = {
        frame.name: frame_data(body, data, frame, value)
        for frame in body.frames.values()
        if not frame.on
    }
    return FlexibleNumbers(data, frames)
