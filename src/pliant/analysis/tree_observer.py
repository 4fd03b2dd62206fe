"""Values of the observables of a tree that runs as a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pliant.analysis.tree_observables import Reads, Source
from pliant.arrays import Array, Integers
from pliant.equations.compiled import Observed, is_element_power
from pliant.equations.tree_model import FRAME, LAW, RELATIVE, TreeModel, TreeNumbers
from pliant.model.forces.action import MOMENTA
from pliant.model.formulas import Formula
from pliant.solve.dynamics import Dynamics
from pliant.solve.tree_observe import WRENCH, Asked, observe_states
from pliant.spatial.ops import NUMERIC

_TOTALS = {"kinetic_energy": 0, "potential_energy": 1, "energy": 2, "kinetic_energy_rate": 3}
_FRAME = {
    "orientation": 0, "position": 9, "angular_velocity": 12, "velocity": 15,
    "angular_acceleration": 18, "acceleration": 21, "kinetic_energy": 24,
}  # fmt: skip
_WIDTH = {"frame": FRAME, "reaction": WRENCH, "relative": RELATIVE}


def frames_asked(
    tree: TreeModel, numbers: TreeNumbers, frames: Sequence[tuple[int, str]]
) -> tuple[Integers, Array]:
    """Links and X_OP of frames given by link and name."""
    links = np.array([link for link, _ in frames], dtype=np.int64)
    places = np.zeros((len(frames), 12))
    for row, (link, frame) in zip(places, frames, strict=True):
        X_BP, R_BO = numbers.places[tree.bodies[link]][frame], numbers.R_BO[link]
        row[:9] = (R_BO.T @ X_BP.R).T.ravel()
        row[9:] = R_BO.T @ (X_BP.p - numbers.p_BO[link])
    return links, places


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to ask of an observe pass, and which of [its row | packed x] are wanted."""

    asked: Asked
    columns: Integers

    @classmethod
    def of(
        cls, tree: TreeModel, numbers: TreeNumbers, sources: Mapping[str, Source]
    ) -> _Plan:  # fmt: skip
        known: dict[str, dict[tuple[int, str], int]] = {name: {} for name in _WIDTH}
        for s in sources.values():
            if s.table in known:
                known[s.table].setdefault(_place(s), len(known[s.table]))
        links, places = frames_asked(tree, numbers, list(known["frame"]))
        held, across = (
            np.array([link for link, _ in known[k]], dtype=np.int64)
            for k in ("reaction", "relative")
        )
        momenta = any(s.table == "momenta" for s in sources.values())
        asked = Asked(links, places, held, across, len(tree.forces), momenta)
        starts = {**asked.starts, "q": asked.starts["end"] + 1}
        starts["u"] = starts["q"] + tree.nq
        columns = [
            start + np.arange(s.size)
            for s in sources.values()
            for start in [starts[s.table] + _offset(s, known)]
        ]
        return cls(asked, np.concatenate([np.zeros(0, dtype=np.int64), *columns]))


def _place(s: Source) -> tuple[int, str]:
    """Link, and frame if it is one."""
    return s.index, s.part[0] if s.table == "frame" else ""


def _offset(s: Source, known: Mapping[str, Mapping[tuple[int, str], int]]) -> int:
    """Where an observable begins in its part of a row."""
    if s.table in ("q", "u"):
        return s.index
    if s.table == "total":
        return _TOTALS[s.part]
    if s.table == "momenta":
        return 3 * list(MOMENTA).index(s.part)
    if s.table == "law":
        return LAW * s.index + int(s.part)
    part = _FRAME[s.part[1]] if s.table == "frame" else int(s.part)
    return _WIDTH[s.table] * known[s.table][_place(s)] + part


@dataclass(frozen=True, slots=True)
class TreeObserver:
    """The chosen observables of a tree, as rows of numbers for rows of packed x."""

    tree: TreeModel
    numbers: TreeNumbers
    dynamics: Dynamics
    sources: Mapping[str, Source]
    events: tuple[Formula, ...] = ()
    reads: Mapping[str, tuple[Source, int]] = field(default_factory=dict)
    """What events read, besides time and parameters: component of an observable."""
    observed: dict[str, Observed] = field(init=False)
    wrapped: tuple[str, ...] = ()
    _plans: dict[str, _Plan] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        start, observed = 0, {}
        for name, s in self.sources.items():
            observed[name] = Observed(start, s.size, s.unit, s.owner, s.kind, s.labels, "")
            start += s.size
        object.__setattr__(self, "observed", observed)
        chosen = {"O": self.sources, "W": {k: self.sources[k] for k in self.powers}, "A": {},
                  "E": {name: source for name, (source, _) in self.reads.items()}}  # fmt: skip
        plans = {k: _Plan.of(self.tree, self.numbers, s) for k, s in chosen.items()}
        object.__setattr__(self, "_plans", plans)

    @property
    def asked(self) -> Mapping[str, Observed]:
        """All of them."""
        return self.observed

    @property
    def powers(self) -> tuple[str, ...]:
        """Powers to be integrated to work."""
        return tuple(k for k, o in self.observed.items() if is_element_power(o))

    def watching(self, events: tuple[Formula, ...], reads: Reads) -> TreeObserver:
        """The same, which also tells events."""
        known = {name: read for name, read in reads.items() if read is not None}
        return replace(self, events=events, reads=known)

    def evaluate_rows(self, name: str, X: Array, p: Array) -> Array:
        """For rows of packed x: observables (O), powers (W) or wrapped angles (A: none); kinetic
        and total energy (H); powers of the energy book (Z); events (E)."""
        if name in ("H", "Z"):
            return self._book(name, X, p)
        return self._events(X, p) if name == "E" else self._told(name, X, p)

    def _told(self, name: str, X: Array, p: Array) -> Array:
        plan = self._plans[name]
        if not len(plan.columns):
            return np.zeros((len(X), 0))
        end = plan.asked.starts["end"]
        if plan.columns.min() >= end:  # coordinates and speeds only
            taken: Array = X[:, plan.columns - end]
            return taken
        rows = observe_states(self.dynamics, X, p, plan.asked)
        found: Array = np.concatenate([rows, X], axis=1)[:, plan.columns]
        return found

    def _book(self, name: str, X: Array, p: Array) -> Array:
        asked = self._plans["A"].asked
        rows = observe_states(self.dynamics, X, p, asked)
        if name == "H":
            energies: Array = rows[:, [_TOTALS["kinetic_energy"], _TOTALS["energy"]]]
            return energies
        laws = rows[:, asked.starts["law"] : asked.starts["momenta"]].reshape(len(X), -1, LAW)
        powers: Array = laws[:, :, 4:6].sum(axis=1)
        return powers

    def _events(self, X: Array, p: Array) -> Array:
        """Formulas of events, all rows at once."""
        table = self._told("E", X, p)
        known = {n: np.float64(v) for n, v in self.numbers.parameters.items()} | {"t": X[:, 0]}
        start = 0
        for name, (source, k) in self.reads.items():
            known[name] = table[:, start + k]
            start += source.size
        out = np.zeros((len(X), len(self.events)))
        with np.errstate(all="ignore"):
            for column, formula in zip(out.T, self.events, strict=True):
                column[:] = formula.evaluate(NUMERIC, known.__getitem__)
        return out
