"""What blocks tell of given states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.backends.blocks.model import block_model
from pliant.backends.blocks.observe import Observations, States
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.contract import Told
from pliant.backends.resume import State

if TYPE_CHECKING:
    from pliant.study import Study


def told(system: Study, params: Mapping[str, Any] | None, states: Sequence[State]) -> Told:
    """With the rows that are independent at the first state; where those are not at others, each
    state has its own."""
    try:
        return _told_at(system, params, states)
    except SingularBlockError:
        parts = [_told_at(system, params, [s]) for s in states]
    unique = {n: np.all([p.unique[n] for p in parts], axis=0) for n in parts[0].unique}
    return replace(parts[0], table=np.concatenate([p.table for p in parts]), unique=unique)


def _told_at(system: Study, params: Mapping[str, Any] | None, states: Sequence[State]) -> Told:
    model = block_model(system, params, saved=states[0])
    blocks, rows = model.system, []
    for state in states:
        q, u = model.vectors(state)
        blocks.set_header(t=state.t)
        u = blocks.projected(q, u)  # rates of angles of held joints follow from their poses
        a, multipliers = blocks.accelerations(q, u)
        blocks.set_multipliers(q, multipliers)
        rows.append((q, u, a))
    times = np.array([s.t for s in states])
    seen = States(times, np.ones(len(times)), *map(np.array, zip(*rows, strict=True)))
    look = Observations(model, seen)
    table = look.observer.look([*look.known.values()])(look)
    reactions = [n for n, q in look.known.items() if q.kind == "reaction"]
    unique = {n: np.array(look.unique(n)) for n in reactions}
    count = int(blocks.multiplier_rows().sum())
    return Told(look.known, table, unique, blocks.nq - count, count, blocks.n)
