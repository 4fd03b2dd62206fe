"""Runs in independent coordinates that are chosen anew where they become dependent.

The embedding form holds while J = -G_d⁻¹ G_i is of moderate size. At a dead point of an independent
coordinate it grows beyond all bounds although the mechanism moves on; before that, the run stops,
speeds are split anew by pivoting on G at that position, and the run goes on in the new split. The
coordinates q and speeds u are the same throughout, only the rows of the equations change. Source:
S1.8.

The result is one run made of parts: equations change between them, coordinates and observables do
not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.expressions.partition import partition
from pliant.backends.expressions.prepare import STATES, Program, prepare
from pliant.code.compiled import CompiledEquations
from pliant.errors import PliantError, StepError
from pliant.formulations.forms import Partition, choose_partition, rates_of
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import Failure
from pliant.solve.motion.events import EventRule, OnsetRule
from pliant.solve.motion.run import Trajectory, run
from pliant.solve.single_states import RowSource, evaluate_function
from pliant.solve.start.pose import pose_of

if TYPE_CHECKING:
    from pliant.study import Study


_Rows = list[tuple[Array, Array]]
_TURN = 2 * np.pi
_LARGE, _WORSE = 20.0, 3.0
"""Norm of J up to which a split is good, and how many times smaller it must become for another."""
_CHUNK = 32
"""Steps after which J is looked at; those after a stop are computed again."""
_NAME = "dependent speeds"


def _joined(compiled: RowSource, parts: Sequence[Trajectory], times: Array) -> Trajectory:
    """One run of several, each of which begins with a sample where the one before ends with one.

    Work is added up and angles are continued. Samples where parts meet are kept only if they are
    among ``times``.
    """
    return reduce(lambda first, second: _two(compiled, first, second, times), parts)


def _two(compiled: RowSource, first: Trajectory, second: Trajectory, times: Array) -> Trajectory:
    end = len(first.time) if first.time[-1] in times else -1
    missing = _missing_turns(compiled, first, second)
    turns = second.turns + missing
    work = second.work + first.work[-1]
    return Trajectory(
        time=np.concatenate([first.time[:end], second.time[1:]]),
        outputs=np.concatenate([first.outputs[:end], second.outputs[1:]]),
        work=np.concatenate([first.work[:end], work[1:]]),
        turns=np.concatenate([first.turns[:end], turns[1:]]),
        events=[*first.events, *second.events], failure=second.failure, failed=second.failed,
        statistics=_statistics(first.statistics, second.statistics),
        along=[*first.states, *second.along], flexible=[*first.flexible, *second.flexible],
        rows=_joined_rows(first.rows, second.rows, end),
        passed=[*first.passed, *second.passed], undefined=second.undefined,
        end=second.end, p_end=second.p_end, angles=second.angles + missing,
        energy=first.energy + second.energy if first.energy and second.energy else None,
    )  # fmt: skip


def _joined_rows(first: _Rows, second: _Rows, end: int) -> _Rows:
    """Rows of the samples that are kept."""
    if not first or not second:
        return []
    *before, (last, p) = first
    (start, r), *after = second
    return [*before, (last[:-1] if end == -1 else last, p), (start[1:], r), *after]


def _missing_turns(compiled: RowSource, first: Trajectory, second: Trajectory) -> Array:
    """What makes wrapped angles continuous from the last sample to the first."""
    if not first.rows or not second.rows:
        lost: Array = first.turns[-1] - second.turns[0]
        return lost
    (x, p), (y, r) = first.rows[-1], second.rows[0]
    before = evaluate_function(compiled, "angles", x[-1:], p)[0, 0::2] + first.turns[-1]
    after = evaluate_function(compiled, "angles", y[:1], r)[0, 0::2] + second.turns[0]
    missing: Array = _TURN * np.round((before - after) / _TURN)
    return missing


def _statistics(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Counts and times of both; extremes of either."""
    total = {}
    for name, value in second.items():
        merge = max if name in ("max_rank", "largest_projection") else _plus
        merge = min if name == "min_rank" else merge
        total[name] = merge(first.get(name, value if merge is not _plus else 0), value)
    return total


def _plus(a: float, b: float) -> float:
    return a + b


@dataclass(slots=True)
class EmbeddedRun:
    """One run, part by part.

    ``observe``: observables; ``dynamics``: equations as integrators see them, with parameters;
    ``rules``: the events to watch with these equations; ``how``: other arguments of ``run``.
    ``changes``: when the split was changed, and what is independent from there on.
    """

    system: Study
    observe: Sequence[str] | None
    dynamics: Callable[[Program, Array], Dynamics]
    rules: Callable[[Program], Sequence[EventRule]]
    how: Mapping[str, Any]
    changes: list[tuple[float, tuple[str, ...]]] = field(default_factory=list)

    def go(self, prepared: Program, x: Array, p: Array, times: Array) -> tuple[Trajectory, Program]:
        """The whole run, and the equations it ended with."""
        parts, wanted = list[Trajectory](), times
        split = _split_of(self.system, prepared)
        if split is not None:
            prepared, split = self._better(prepared, split, x, p) or (prepared, split)
        while True:
            try:
                data = self._part(prepared, split, x, p, times, parts)
                parts.append(data)
                begin, x, p = x[0], data.x_end, data.p_end
                found = self._next(prepared, split, data, float(begin))
            except PliantError as error:
                if not parts:
                    raise
                _give_up(parts[-1], error)
                found = None
            if found is None:
                return _whole(prepared, parts, wanted), prepared
            p = _fitted(p, prepared.compiled, found[0].compiled)
            prepared, split = found
            times = np.concatenate([x[:1], times[times > x[0]]])

    def _next(
        self, prepared: Program, split: Partition | None, data: Trajectory, begin: float
    ) -> tuple[Program, Partition] | None:
        """Equations to go on with after a part that began at ``begin``; None: it was the last."""
        if split is None or not _may_go_on(data, begin):
            return None
        same = (prepared, split) if _stopped(data) else None
        return self._better(prepared, split, data.x_end, data.p_end) or same

    def _part(
        self, prepared: Program, split: Partition | None, x: Array, p: Array, times: Array,
        earlier: Sequence[Trajectory],
    ) -> Trajectory:  # fmt: skip
        """As far as a split goes; events that happen once and have happened are not watched."""
        seen = {c.rule.name for part in earlier for c in part.events}
        rules = [r for r in self.rules(prepared)
                 if not (isinstance(r, OnsetRule) and r.name in seen)]  # fmt: skip
        rules += [] if split is None else [_rule(prepared, split, x, p)]
        dynamics = self.dynamics(prepared, p)
        x0 = dynamics.consistent(x, p)
        return run(
            prepared.compiled, dynamics, x0, p, times, rules=rules, chunk_size=_CHUNK, **self.how
        )

    def _better(
        self, prepared: Program, split: Partition, x: Array, p: Array
    ) -> tuple[Program, Partition] | None:
        """Equations in the best split at a position, if J becomes much smaller with it."""
        new = _split_at(prepared, split, x, p)
        size = size_of_J(prepared, split, x, p)
        if size < _LARGE or _WORSE * size_of_J(prepared, new, x, p) > size:
            return None
        layout = prepared.compiled.layout
        names = {k: s.name for k, s in enumerate(layout.u)}
        names |= {k: name for name, k in rates_of(layout).items()}
        kept = tuple(names[k] for k in new.independent(len(names)))
        self.changes.append((float(x[0]), kept))
        choice = replace(prepared.choice, split=(new.rows, new.dependent))
        return prepare(self.system, choice, self.observe), new

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the result says about changes."""
        if not self.changes:
            return ()
        (t, names), count = self.changes[0], len(self.changes)
        times = "" if count == 1 else f" ({count} times in all)"
        return (f"independent coordinates were chosen anew at t = {t:.6g} s: "
                f"{', '.join(names)}{times}",)  # fmt: skip


def refuse_in_pose(prepared: Program, x: Array, p: Array) -> None:
    """The dependent speeds of a singular position follow from nothing: no start there."""
    c = prepared.compiled
    if c.m and pose_of(c, x[: c.x_size].copy(), p).lost:
        raise StepError(
            f"t = {float(x[0]):.6g} s: the start is a change point: two ways of assembly meet "
            "here, and the embedding form has no equations there; start beside it, or use "
            "another form"
        )


def _fitted(p: Array, old: CompiledEquations, new: CompiledEquations) -> Array:
    """Parameters without the modes of the old equations' conditions, with room for the new ones."""
    return np.append(p[: len(p) - 2 * len(old.guards)], np.zeros(2 * len(new.guards)))


def _split_of(system: Study, prepared: Program) -> Partition | None:
    """How equations split the speeds; None if they do not, or if nothing is independent."""
    c, choice = prepared.compiled, prepared.choice
    if (
        not c.m
        or not c.nd
        or not prepare(system, choice.augmented, functions=STATES).compiled.has_lam
    ):
        return None
    return partition(system, choice)


def _give_up(data: Trajectory, error: PliantError) -> None:
    """The run ends with this part: no other split can be found. What was computed is kept."""
    time = float(data.x_end[0])
    message = f"t = {time:.6g} s: independent coordinates cannot be chosen anew: {error}"
    data.failed = Failure("singular", time, message)
    data.failure = message


def _stopped(data: Trajectory) -> bool:
    """Whether a part ended because J has become large."""
    return any(c.rule.name == _NAME for c in data.events)


def _may_go_on(data: Trajectory, begin: float) -> bool:
    """Whether a part came to an end that another split may pass."""
    ended = _stopped(data) or data.failed is not None
    moved = data.x_end[0] > begin and bool(np.all(np.isfinite(data.x_end)))
    return ended and moved and data.time[-1] == data.x_end[0]


def _whole(prepared: Program, parts: Sequence[Trajectory], times: Array) -> Trajectory:
    """The parts as one run, without the stops between them."""
    data = _joined(prepared.compiled, parts, times)
    data.events = [c for c in data.events if c.rule.name != _NAME]
    return data


def _rule(prepared: Program, split: Partition, x: Array, p: Array) -> OnsetRule:
    """Stops a run that begins at x where J has become large."""
    limit = max(_LARGE, _WORSE * size_of_J(prepared, split, x, p))

    def margin(X: Array, p: Array) -> Array:
        return np.array([limit - size_of_J(prepared, split, x, p) for x in X])

    return OnsetRule(_NAME, -1, "falling", True, "", margin, lambda x, p: "")


def size_of_J(prepared: Program, split: Partition, x: Array, p: Array) -> float:
    """Norm of J = -G_d⁻¹ G_i at x."""
    G = _constraints(prepared, split, x, p)
    G_d = G[:, list(split.dependent)]
    try:
        J = np.linalg.solve(G_d, G[:, split.independent(G.shape[1])])
    except np.linalg.LinAlgError:
        return np.inf
    size = float(np.linalg.norm(J))
    return size if np.isfinite(size) else np.inf


def _split_at(prepared: Program, split: Partition, x: Array, p: Array) -> Partition:
    """The best split at a position; elastic speeds stay independent if they can."""
    c = prepared.compiled
    G = np.zeros((1, c.m, c.nu))
    G[0, list(split.rows)] = _constraints(prepared, split, x, p)
    elastic = [k for _, u, n in c.layout.elastic.values() for k in range(u, u + n)]
    return choose_partition(G, split.rows, (), elastic)


def _constraints(prepared: Program, split: Partition, x: Array, p: Array) -> Array:
    """Rows of G that are kept."""
    c = prepared.compiled
    G: Array = c.block(
        "constraints", "G", c.call("constraints", np.ascontiguousarray(x[: c.x_size]), p)
    )
    return G[list(split.rows)]
