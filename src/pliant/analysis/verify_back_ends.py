"""The other back ends beside expressions: which take a model, and what they find at single states.

Tree kernel and blocks share no code with the equations that expressions are made of: a tree goes
body by body, blocks element by element. Each begins in the same states as a run that goes on
from an earlier one, solves for accelerations and reactions, and tells all of its observables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis import large
from pliant.analysis.back_ends import BLOCKS, EXPRESSIONS, TREE, chosen_back_end, incapable
from pliant.analysis.choice import Choice
from pliant.analysis.recorded import table_of_rows
from pliant.analysis.resume import State
from pliant.results.build import series_of
from pliant.results.series import Series

if TYPE_CHECKING:
    from pliant.system import System


@dataclass(frozen=True, slots=True)
class Way:
    """A way to compute a motion, as tables call it; without a back end the one a run chooses."""

    choice: Choice = Choice()
    back_end: str | None = EXPRESSIONS

    @property
    def formulation(self) -> str:
        return BLOCKS if self.back_end == BLOCKS else self.choice.formulation

    @property
    def label(self) -> str:
        labels = {TREE: TREE, BLOCKS: "absolute tree"}
        return labels.get(self.back_end or EXPRESSIONS, self.choice.label)


@dataclass(frozen=True, slots=True)
class Found:
    """What a back end tells of some states, a row for each, and its counts."""

    series: Mapping[str, Series]
    coordinates: int
    constraints: int
    equations: int


def along_motion_too(system: System, complete: bool) -> dict[str, str]:
    """Back ends besides expressions, each with the reason why it is not run: of those that take
    the model one, that of a plain run first; all if ``complete``."""
    s = system.model.settings
    default = chosen_back_end(system, Choice.of(system), s.method, s.constraints).name
    found = {name: incapable(system, name) for name in sorted(OTHERS, key=lambda n: n != default)}
    ready = [name for name, why in found.items() if not why]
    for name in () if complete else ready[1:]:
        found[name] = f"{ready[0]} is run as the other back end; --complete runs all"
    return found


def _tree(system: System, params: Mapping[str, Any] | None, states: Sequence[State]) -> Found:
    graph, tree, numbers, dynamics = large.prepared(system, params, implicit=False)
    X = np.array([large.continued_state(graph, tree, numbers, s) for s in states])
    observer, _ = large.observer_of(system, tree, numbers, dynamics, ["*"])
    rows = [(X[:, : 1 + tree.nq + tree.nu], dynamics.p)]
    table = table_of_rows(observer, dynamics, rows)
    series = {
        name: series_of(o, table[:, o.start : o.start + o.size])
        for name, o in observer.observed.items()
    }
    return Found(series, tree.nq, 0, tree.nu)


def _blocks(system: System, params: Mapping[str, Any] | None, states: Sequence[State]) -> Found:
    """With the rows that are independent at the first state; where those are not at others, each
    state has its own."""
    from pliant.solve.sparse.matrix import SingularBlockError

    try:
        return _blocks_at(system, params, states)
    except SingularBlockError:
        parts = [_blocks_at(system, params, [s]) for s in states]
    every = {name: [p.series[name] for p in parts] for name in parts[0].series}
    together = {
        name: replace(own[0], values=np.concatenate([s.values for s in own]),
                      unique=tuple(np.all([s.unique for s in own], axis=0)))
        for name, own in every.items()
    }  # fmt: skip
    return replace(parts[0], series=together)


def _blocks_at(system: System, params: Mapping[str, Any] | None, states: Sequence[State]) -> Found:
    from pliant.analysis.blocks.model import block_model
    from pliant.analysis.blocks.observe import Observations, States

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
    series = {name: told.values() for name, told in Observations(model, seen).known.items()}
    count = int(blocks.multiplier_rows().sum())
    return Found(series, blocks.nq - count, count, blocks.n)


OTHERS: Mapping[
    str, Callable[[System, Mapping[str, Any] | None, Sequence[State]], Found]
] = {TREE: _tree, BLOCKS: _blocks}  # fmt: skip
"""Back ends that are compared with expressions, and what they find."""
