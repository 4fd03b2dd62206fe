"""Numbers of a model for one set of parameters: formulas, places of frames, tables of bodies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.flexible_numbers import FlexibleNumbers, flexible_names, flexible_numbers
from pliant.mechanics.placement import placements
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Number
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose

if TYPE_CHECKING:
    from pliant.system import System


class ModelNumbers:
    """What formulas and frames are for these parameters. Structure is that of the defaults."""

    ops = NUMERIC

    def __init__(self, system: System, params: Mapping[str, Any] | None) -> None:
        self.structure = system.model
        self.model = system.model_for(params) if params else system.model
        self.values = self.model.parameter_values(params or {})
        self._places: dict[str, dict[str, Pose]] = {}

    def constant(self, f: Formula) -> float:
        """Value of a formula of parameters."""
        if isinstance(f.tree, Number):
            return f.tree.value
        return float(f.evaluate(NUMERIC, self.values.__getitem__))

    def vector(self, formulas: Any) -> Array:
        """Several of them."""
        return np.array([self.constant(f) for f in formulas])

    @cached_property
    def gravity(self) -> Array:
        return self.vector(self.model.gravity)

    @cached_property
    def flexible(self) -> frozenset[str]:
        """Bodies that are described by tables."""
        return frozenset(flexible_names(self.model))

    def tables(self, body: str) -> FlexibleNumbers:
        """Tables of a body as they are packed by default."""
        return flexible_numbers(self.structure, body, self.structure.parameter_values())

    def packed(self, body: str) -> Array:
        """The numbers of the tables of a body."""
        own = flexible_numbers(self.model, body, self.values)
        return own.packed(self.tables(body).packing)

    def place(self, body: str, frame: str) -> Pose:
        """X_BP of a frame on a body that is not flexible."""
        if body not in self._places:
            owner: Any = self.model.ground if body == "ground" else self.model.bodies[body]
            self._places[body] = placements(NUMERIC, owner.frames, self.constant)
        return self._places[body][frame]
