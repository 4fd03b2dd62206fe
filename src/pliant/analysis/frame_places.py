"""Where the nodes of a graph are in the world, in the assembled initial position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.analysis.prepare import body_motion, initial_state, prepare
from pliant.analysis.simulate import setting_numbers
from pliant.graphs import LinearGraph
from pliant.mechanics.flexible import rigid_offset
from pliant.mechanics.placed import Placed
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.system import System

Array = NDArray[np.float64]
_STATES = ("C", "I", "T", "P", "X")
"""What assembly needs."""


def frame_places(system: System, graph: LinearGraph, params: Mapping[str, Any]) -> Array:
    """Positions (nodes, 3). The node between the edges of a compound joint is at its child."""
    prepared = prepare(system, functions=_STATES)
    state = initial_state(system, prepared, params, setting_numbers(system, params)["t_start"] or 0)
    values = system.values(params)
    placed = Placed(values, body_motion(prepared, state.x, state.p))
    ends = {e.tail: e.head for e in graph.edges if e.kind == "rotation"}
    return np.array([_place(placed, ends.get(node, node)) for node in graph.nodes])


def _place(placed: Placed, node: str) -> Array:
    """Of ``body.frame``, or of ``body``: a flexible one has its floating frame there."""
    frame = placed.frame(node)
    if "." in node or node not in placed.values.flexible:
        return frame.p_WP
    offset = rigid_offset(NUMERIC, placed.values.tables(node).tables).p
    return np.asarray(frame.p_WP - frame.R_WP @ offset)
