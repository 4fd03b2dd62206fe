"""Where the nodes of a graph are in the world, in the assembled initial position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.prepare import body_motion, initial_state, prepare
from pliant.analysis.simulate import setting_numbers
from pliant.arrays import Array
from pliant.graphs import LinearGraph
from pliant.mechanics.flexible_numbers import flexible_names, flexible_numbers
from pliant.mechanics.flexible_places import flexible_places
from pliant.mechanics.placement import placements
from pliant.model.formulas import Formula
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.equations import PoseAndTwist
    from pliant.system import System

_STATES = ("C", "I", "T", "P", "X")
"""What assembly needs."""


def frame_places(system: System, graph: LinearGraph, params: Mapping[str, Any]) -> Array:
    """Positions (nodes, 3). The node between the edges of a compound joint is at its child."""
    prepared = prepare(system, functions=_STATES)
    state = initial_state(system, prepared, params, setting_numbers(system, params)["t_start"] or 0)
    frames = _Frames(system, body_motion(prepared, state.x, state.p), params)
    ends = {e.tail: e.head for e in graph.edges if e.kind == "rotation"}
    return np.array([frames.place(ends.get(node, node)) for node in graph.nodes])


class _Frames:
    """p_WP = p_WB + R_WB p_BP of any frame."""

    def __init__(
        self, system: System, motion: Mapping[str, PoseAndTwist], params: Mapping[str, Any]
    ) -> None:
        self.model, self.motion = system.model, motion
        self.values = system.model.parameter_values(params)
        self.flexible = set(flexible_names(system.model))
        self.known: dict[str, dict[str, Array]] = {}

    def place(self, node: str) -> Array:
        """Of ``body``, ``body.frame`` or, for the given frame of a flexible body, ``body.``."""
        body, dot, frame = node.partition(".")
        if body not in self.known:
            self.known[body] = self._on_flexible(body) if body in self.flexible else self._on(body)
        floating = body in self.flexible and not dot
        p_BP = self.known[body]["floating frame" if floating else frame]
        if body == "ground":
            return p_BP
        s = self.motion[body]
        return np.asarray(s.p_WB + s.R_WB @ p_BP)

    def _number(self, formula: Formula) -> float:
        return formula.number(self.values)

    def _on(self, body: str) -> dict[str, Array]:
        owner = self.model.ground if body == "ground" else self.model.bodies[body]
        return {k: X.p for k, X in placements(NUMERIC, owner.frames, self._number).items()}

    def _on_flexible(self, body: str) -> dict[str, Array]:
        """From the given frame of the body, along floating axes, as its motion is."""
        numbers, s = flexible_numbers(self.model, body, self.values), self.motion[body]
        tables = numbers.packing.unpack(numbers.packed(numbers.packing))
        frames = self.model.bodies[body].frames
        placed, _ = flexible_places(
            NUMERIC, tables, frames, self._number, s.elastic, s.elastic_rates
        )
        home = placed[""].p
        return {"floating frame": -home, **{k: X.p - home for k, X in placed.items()}}
