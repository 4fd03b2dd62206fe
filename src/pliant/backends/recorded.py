"""Observables of a finished run that were not asked for: from the states it recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array, Flags
from pliant.backends.choice import Choice
from pliant.backends.expressions.internal import InternalForces
from pliant.code.compiled import CompiledEquations
from pliant.observe.catalogue import Quantity
from pliant.results.series import Record, Recorded, RecordedRows
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.single_states import RowSource, evaluate_function

if TYPE_CHECKING:
    from pliant.solve.dynamics import Dynamics
    from pliant.solve.motion.run import Trajectory
    from pliant.study import Study

Rows = Sequence[tuple[Array, Array]]
"""(t, q, u, xs) of samples, in parts with their parameters."""


def table_of_rows(compiled: RowSource, dynamics: Dynamics, rows: Rows) -> Array:
    """All observables of all samples."""
    return _table(compiled, [(dynamics.completed_states(X, p), p) for X, p in rows])


def _table(compiled: RowSource, rows: Rows) -> Array:
    """The same of states with accelerations and multipliers."""
    return np.concatenate([evaluate_function(compiled, "observables", X, p) for X, p in rows])


class _Told:
    """All observables of all samples, by equations, once one is asked for; ``make``: these, and the
    states with accelerations and multipliers; ``unique``: which reactions are determined."""

    def __init__(
        self, system: Study, make: Callable[[], tuple[CompiledEquations, Rows]],
        observed: Mapping[str, Quantity], unique: Callable[[], Mapping[str, Flags]],
    ) -> None:  # fmt: skip
        self._make, self._unique, self._equations = make, unique, observed
        self._internal = InternalForces(system, lambda: self._made)

    @cached_property
    def _made(self) -> tuple[CompiledEquations, Rows]:
        return self._make()

    @cached_property
    def _all(self) -> Array:
        return _table(*self._made)

    @cached_property
    def unique(self) -> Mapping[str, Flags]:
        return self._unique()

    @cached_property
    def observed(self) -> Mapping[str, Quantity]:
        """What equations tell, and internal forces."""
        return {**self._equations, **self._internal.known}

    def columns(self, name: str) -> Array:
        """Numbers of an observable, a row for each sample."""
        if name not in self._equations:
            return self._internal.values(name)
        o = self._made[0].observed[name]
        return self._all[:, o.start :][:, : o.size]

    def determined(self, name: str) -> Iterable[Any]:
        """Which components of a reaction or internal force are."""
        return self.unique.get(name, ()) if name in self._equations else self._internal.unique(name)

    def rows(
        self, times: Array, kept: Callable[[], Record],
        turns: Callable[[str], Array | None] = lambda name: None,
    ) -> RecordedRows:  # fmt: skip
        """As a result keeps them."""
        return RecordedRows(times, lambda: self.observed, self.columns, kept, self.determined,
                            turns, self._internal.diagram, self._internal.left_over)  # fmt: skip


def recorded_states(
    system: Study, choice: Choice, treatment: str, options: Mapping[str, float], rows: Rows,
    turns: Mapping[str, Array], unique_of: Callable[[], Mapping[str, Flags]],
    observed: Mapping[str, Quantity], times: Array,
) -> RecordedRows:  # fmt: skip
    """States of a run of expressions; ``options``: of the treatment; ``observed``: what its
    equations tell; ``times``: of samples. Of the embedding form, it is told by those it was made
    from, which have its coordinates; what was truncated stays so."""

    def augmented() -> Choice:
        return replace(choice.augmented, truncate=choice.truncate)

    def made() -> tuple[CompiledEquations, Rows]:
        from pliant.backends.expressions.prepare import prepare

        compiled = prepare(system, augmented()).compiled
        dynamics = dense_dynamics(compiled, treatment, rows[0][1], implicit=False, **options)
        return compiled, [(dynamics.completed_states(X, p), p) for X, p in rows]

    told = _Told(system, made, observed, unique_of)

    def kept() -> Record:
        about = {
            "back_end": "expressions", "choice": asdict(augmented()), "treatment": treatment,
            "options": dict(options), "turns": list(turns), "unique": _lists(told.unique),
        }  # fmt: skip
        return Record(about, arrays_of(rows) | turns_array(turns))

    return told.rows(times, kept, turns.get)


def recorded_rest(
    system: Study, compiled: CompiledEquations, choice: Choice, X: Array, p: Array,
    unique: Mapping[str, Flags],
) -> RecordedRows:  # fmt: skip
    """States of equilibrium, whose multipliers are in x."""
    told = _Told(system, lambda: (compiled, [(X, p)]), compiled.observed, lambda: unique)

    def kept() -> Record:
        about = {"back_end": "rest", "choice": asdict(choice), "unique": _lists(unique)}
        return Record(about, arrays_of([(X, p)]))

    return told.rows(X[:, 0], kept)


def times_of(rows: Rows) -> Array:
    """When samples were taken."""
    return np.concatenate([np.zeros(0), *(X[:, 0] for X, _ in rows)])


def turns_array(turns: Mapping[str, Array]) -> dict[str, Array]:
    """Turns of angles as an array that can be written, if there are any."""
    return {"turns": np.stack([*turns.values()], axis=1)} if turns else {}


def _lists(unique: Mapping[str, Flags]) -> dict[str, list[bool]]:
    return {name: flags.tolist() for name, flags in unique.items()}


def arrays_of(rows: Rows) -> dict[str, Array]:
    """Rows as arrays that can be written."""
    return {"rows": np.concatenate([X for X, _ in rows]),
            "p": np.array([p for _, p in rows]),
            "p_counts": np.array([len(X) for X, _ in rows], dtype=float)}  # fmt: skip


def rows_of(arrays: Mapping[str, Array]) -> Rows:
    """The inverse of ``arrays_of``."""
    ends = np.cumsum(arrays["p_counts"].astype(int))
    parts = np.split(arrays["rows"], ends[:-1])
    return list(zip(parts, arrays["p"], strict=True))


def states_of(
    system: Study, choice: Choice, treatment: str, options: Mapping[str, float], data: Trajectory,
    compiled: CompiledEquations, unique: Callable[[], Mapping[str, Flags]],
) -> RecordedRows | None:  # fmt: skip
    """States of a run; None if they were too many to be kept."""
    if not data.rows:
        return None
    turns = dict(zip(compiled.wrapped, data.turns.T, strict=True))
    return recorded_states(system, choice, treatment, options, data.rows, turns, unique,
                           compiled.observed, data.time)  # fmt: skip


def reopened_states(system: Study, record: Record) -> Recorded:
    """States that a file kept: of a run, or of equilibria."""
    makers = {"expressions": _expressions, "rest": _rest}
    return makers[record.about["back_end"]](system, record)


def _expressions(system: Study, record: Record) -> Recorded:
    from pliant.backends.expressions.prepare import prepare

    about, arrays, choice = record.about, record.arrays, _choice(record.about)
    turns, c = arrays.get("turns", np.zeros((0, 0))).T, prepare(system, choice).compiled
    size = 1 + c.nq + c.nu + c.nx
    if arrays["rows"].shape[1:] != (size,) or arrays["p"].shape[1:] != c.p.shape:
        raise ValueError("states of another model")
    rows = rows_of(arrays)
    return recorded_states(
        system, choice, about["treatment"], about["options"], rows,
        dict(zip(about["turns"], turns, strict=True)), partial(_unique, about), c.observed,
        times_of(rows),
    )  # fmt: skip


def _choice(about: Mapping[str, Any]) -> Choice:
    how: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in about["choice"].items()
    }
    return Choice(**how)


def _unique(about: Mapping[str, Any]) -> dict[str, Flags]:
    return {name: np.array(flags, dtype=bool) for name, flags in about["unique"].items()}


def _rest(system: Study, record: Record) -> Recorded:
    from pliant.backends.expressions.code import AT_REST
    from pliant.backends.expressions.prepare import prepare

    choice, [(X, p)] = _choice(record.about), rows_of(record.arrays)
    compiled = prepare(system, choice, functions=AT_REST).compiled
    if X.shape[1:] != (compiled.x_size,) or p.shape != compiled.p.shape:
        raise ValueError("states of another model")
    return recorded_rest(system, compiled, choice, X, p, _unique(record.about))
