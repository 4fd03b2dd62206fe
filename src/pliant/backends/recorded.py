"""Observables of a finished run that were not asked for: from the states it recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array, Flags
from pliant.backends.choice import Choice
from pliant.equations import CompiledEquations, Observed
from pliant.errors import RunError
from pliant.results.build import QUATERNION, series_of
from pliant.results.recorded import Quantity, Record, Recorded
from pliant.results.series import Series
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.points import Observable, evaluate_function

if TYPE_CHECKING:
    from pliant.solve.dynamics import Dynamics
    from pliant.solve.run import RunData
    from pliant.study import Study

Rows = Sequence[tuple[Array, Array]]
"""(t, q, u, xs) of samples, in parts with their parameters."""


def quantity_of(o: Observed) -> Quantity:
    """What a result tells of an observable."""
    return Quantity(o.unit, QUATERNION if o.kind == "rotation" else o.labels, o.kind)


def table_of_rows(compiled: Observable, dynamics: Dynamics, rows: Rows) -> Array:
    """All observables of all samples."""
    parts = [evaluate_function(compiled, "O", dynamics.complete(X, p), p) for X, p in rows]
    return np.concatenate(parts)


def told(name: str, o: Observed, table: Array, rows: Rows, **more: Any) -> Series:
    """One observable of a table; RunError where it has no finite value."""
    values = table[:, o.start : o.start + o.size]
    finite = np.isfinite(values).all(axis=1)
    if not finite.all():
        t = np.concatenate([X[:, 0] for X, _ in rows])[np.argmin(finite)]
        raise RunError(f"{name}: no finite value at t = {t:.6g} s")
    return series_of(o, values, **more)


@dataclass(frozen=True)
class RecordedStates:
    """States of a run of expressions."""

    system: Study
    choice: Choice
    treatment: str
    options: Mapping[str, float]
    """Of the treatment."""
    rows: Rows
    turns: Mapping[str, Array]
    unique_of: Callable[[], Mapping[str, Flags]]
    """Finds which reactions are unique, when one is asked for."""
    observed: Mapping[str, Observed]
    """What the equations of the run tell."""

    @cached_property
    def unique(self) -> Mapping[str, Flags]:
        """Which components of reactions are determined."""
        return self.unique_of()

    @cached_property
    def compiled(self) -> CompiledEquations:
        """The equations with all observables; of the embedding form, those it was made from, which
        have its coordinates. What was truncated stays so."""
        from pliant.backends.expressions.prepare import prepare

        return prepare(self.system, _augmented(self.choice)).compiled

    @cached_property
    def known(self) -> dict[str, Quantity]:
        """Every observable by name."""
        return {name: quantity_of(o) for name, o in self.observed.items()}

    @cached_property
    def _table(self) -> Array:
        first = self.rows[0][1]
        dynamics = dense_dynamics(
            self.compiled, self.treatment, first, implicit=False, **self.options
        )
        return table_of_rows(self.compiled, dynamics, self.rows)

    def series(self, name: str) -> Series:
        """One of them at all samples."""
        o = self.compiled.observed[name]
        return told(name, o, self._table, self.rows, turns=self.turns.get(name),
                    unique=self.unique.get(name, ()))  # fmt: skip

    @property
    def record(self) -> Record:
        """All of it as numbers."""
        about = {
            "back_end": "expressions", "choice": asdict(_augmented(self.choice)),
            "treatment": self.treatment, "options": dict(self.options),
            "turns": list(self.turns), "unique": _lists(self.unique),
        }  # fmt: skip
        turns = np.stack([*self.turns.values()], axis=1) if self.turns else None
        return Record(about, arrays_of(self.rows) | ({} if turns is None else {"turns": turns}))


@dataclass(frozen=True)
class RecordedRest:
    """States of equilibrium, whose multipliers are in x."""

    compiled: CompiledEquations
    choice: Choice
    X: Array
    p: Array
    unique: Mapping[str, Flags]

    @cached_property
    def known(self) -> dict[str, Quantity]:
        """Every observable by name."""
        return {name: quantity_of(o) for name, o in self.compiled.observed.items()}

    def series(self, name: str) -> Series:
        """One of them in all states."""
        table = evaluate_function(self.compiled, "O", self.X, self.p)
        rows = [(self.X, self.p)]
        return told(name, self.compiled.observed[name], table, rows,
                    unique=self.unique.get(name, ()))  # fmt: skip

    @property
    def record(self) -> Record:
        """All of it as numbers."""
        about = {"back_end": "rest", "choice": asdict(self.choice), "unique": _lists(self.unique)}
        return Record(about, arrays_of([(self.X, self.p)]))


def _augmented(choice: Choice) -> Choice:
    return replace(choice.base, truncate=choice.truncate)


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
    system: Study, choice: Choice, treatment: str, options: Mapping[str, float], data: RunData,
    compiled: CompiledEquations, unique: Callable[[], Mapping[str, Flags]],
) -> RecordedStates | None:  # fmt: skip
    """States of a run; None if they were too many to be kept."""
    if not data.rows:
        return None
    turns = dict(zip(compiled.wrapped, data.turns.T, strict=True))
    return RecordedStates(system, choice, treatment, options, data.rows, turns, unique,
                          compiled.observed)  # fmt: skip


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
    return RecordedStates(
        system, choice, about["treatment"], about["options"], rows_of(arrays),
        dict(zip(about["turns"], turns, strict=True)), partial(_unique, about), c.observed,
    )  # fmt: skip


def _choice(about: Mapping[str, Any]) -> Choice:
    how: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in about["choice"].items()
    }
    return Choice(**how)


def _unique(about: Mapping[str, Any]) -> dict[str, Flags]:
    return {name: np.array(flags, dtype=bool) for name, flags in about["unique"].items()}


def _rest(system: Study, record: Record) -> Recorded:
    from pliant.backends.expressions.prepare import prepare
    from pliant.backends.expressions.rest import FUNCTIONS

    choice, [(X, p)] = _choice(record.about), rows_of(record.arrays)
    compiled = prepare(system, choice, functions=FUNCTIONS).compiled
    if X.shape[1:] != (compiled.x_size,) or p.shape != compiled.p.shape:
        raise ValueError("states of another model")
    return RecordedRest(compiled, choice, X, p, _unique(record.about))
