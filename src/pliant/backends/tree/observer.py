"""Values of the observables of a tree that runs as a kernel.

Segmented beams are observed under the names of the model. Deflections and rotations of frames, and
energies of whole beams, follow from other observables sample by sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.backends.tree.loops.observe import WRENCH, Asked, observe_states
from pliant.backends.tree.model import FRAME, LAW, RELATIVE, TreeModel, TreeNumbers
from pliant.backends.tree.observables import XYZ, Reads, Source
from pliant.equations.compiled import Observed, is_element_power
from pliant.flex.large.names import energy_of, is_first_node, public_name
from pliant.flex.segments.shape import SegmentFrame, SegmentShape
from pliant.model.forces.action import MOMENTA
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.solve.dynamics import Dynamics
from pliant.spatial.ops import NUMERIC

_TOTALS = {"kinetic_energy": 0, "potential_energy": 1, "energy": 2, "kinetic_energy_rate": 3}
_FRAME = {
    "orientation": 0, "position": 9, "angular_velocity": 12, "velocity": 15,
    "angular_acceleration": 18, "acceleration": 21, "kinetic_energy": 24,
}  # fmt: skip
_WIDTH = {"frame": FRAME, "reaction": WRENCH, "relative": RELATIVE}
_SHAPE = {"deflection": "m", "rotation": "rad"}


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


@dataclass(frozen=True, slots=True)
class Derived:
    """An observable computed from ``inputs``, which are blocks of columns."""

    inputs: tuple[str, ...]
    compute: Callable[[Sequence[Array]], Array]
    unit: str
    owner: str
    kind: str
    labels: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return max(len(self.labels), 1)


_Observable = Source | Derived


def named_sources(
    model: Model, sources: Mapping[str, Source], values: Mapping[str, float]
) -> tuple[dict[str, _Observable], dict[str, str]]:
    """Observables under their public names, and the names by which the kernel knows direct ones."""
    inner = {public: name for name in sources if (public := public_name(name)) is not None}
    inner |= {name: name for name in sources if is_first_node(name)}
    found: dict[str, _Observable] = {public: sources[name] for public, name in inner.items()}
    for force in model.forces.values():
        if isinstance(force, SegmentShape):
            found |= _shape(force, values)
    return found | _energies(sources), inner


def _energies(sources: Mapping[str, Source]) -> dict[str, Derived]:
    parts: dict[str, list[str]] = {}
    for name in sources:
        key = energy_of(name)
        if key:
            parts.setdefault(key, []).append(name)
    return {
        key: Derived(tuple(names), _total, "J", key.partition(".")[0], "energy")
        for key, names in parts.items()
    }


def _total(blocks: Sequence[Array]) -> Array:
    total: Array = np.sum(blocks, axis=0)
    return total


def _shape(shape: SegmentShape, values: Mapping[str, float]) -> dict[str, Derived]:
    """Every output of the element that tells the shape of a beam."""
    beam = shape.name.partition(":")[0]
    found = {}
    for name, own in shape.frames.items():
        assert isinstance(own, SegmentFrame)
        alone = replace(shape, frames={name: own})
        frames = dict.fromkeys((shape.frame_a, shape.frame_b, own.frame, own.node))
        inputs = tuple(f"{f}.{q}" for f in frames for q in ("position", "orientation"))
        ends = ("deflection.tangent(root)", "deflection.tangent(tip)")
        for quantity in ("deflection", *ends, "rotation"):
            compute = _Told(alone, tuple(frames), f"{name}.{quantity}", values)
            unit = _SHAPE[quantity.partition(".")[0]]
            found[f"{beam}.{name}.{quantity}"] = Derived(
                inputs, compute, unit, beam, "deflection", XYZ
            )
    return found


@dataclass(frozen=True, slots=True)
class _Told:
    """One output of a shape, sample by sample, by the same function as in expressions."""

    shape: SegmentShape
    frames: tuple[str, ...]
    output: str
    values: Mapping[str, float]

    def __call__(self, blocks: Sequence[Array]) -> Array:
        return np.array([self._row(row) for row in zip(*blocks, strict=True)])

    def _row(self, row: Sequence[Array]) -> Array:
        pairs = zip(self.frames, row[::2], row[1::2], strict=True)
        frames = {f: SimpleNamespace(p_WP=p, R_WP=R.reshape(3, 3).T) for f, p, R in pairs}
        motion: Any = SimpleNamespace(ops=NUMERIC, frame=frames.__getitem__, value=self._value)
        found: Array = self.shape.act(motion).outputs[self.output][0]
        return found

    def _value(self, f: Any) -> float:
        return float(f.number(self.values))


@dataclass(frozen=True, slots=True)
class BeamObserver:
    """The chosen observables of a tree with segmented beams; ``direct``: observer of what they are
    made of, by inner names."""

    direct: TreeObserver
    chosen: Mapping[str, _Observable]
    inner: Mapping[str, str]
    observed: dict[str, Observed] = field(init=False)
    wrapped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        start, observed = 0, {}
        for name, s in self.chosen.items():
            observed[name] = Observed(start, s.size, s.unit, s.owner, s.kind, s.labels, "")
            start += s.size
        object.__setattr__(self, "observed", observed)

    @property
    def asked(self) -> Mapping[str, Observed]:
        """All of them."""
        return self.observed

    @property
    def powers(self) -> tuple[str, ...]:
        """Powers to be integrated to work."""
        return self.direct.powers

    def watching(self, events: tuple[Formula, ...], reads: Reads) -> BeamObserver:
        """The same, which also tells events."""
        return replace(self, direct=self.direct.watching(events, reads))

    def evaluate_rows(self, name: str, X: Array, p: Array) -> Array:
        """As of the direct observer; observables from theirs."""
        rows = self.direct.evaluate_rows(name, X, p)
        if name != "O":
            return rows
        blocks = {n: rows[:, o.start : o.start + o.size] for n, o in self.direct.observed.items()}
        found = [np.zeros((len(X), 0))]
        for n, s in self.chosen.items():
            if isinstance(s, Source):
                found.append(blocks[self.inner[n]])
            else:
                found.append(s.compute([blocks[k] for k in s.inputs]).reshape(len(X), s.size))
        return np.hstack(found)


def beam_observer(
    make: Callable[[Mapping[str, Source]], TreeObserver], sources: Mapping[str, Source],
    chosen: Mapping[str, _Observable], inner: Mapping[str, str],
) -> BeamObserver:  # fmt: skip
    """The observer of the chosen ones; ``make`` gives that of what they are made of."""
    needed: dict[str, None] = {}
    for name, s in chosen.items():
        needed |= dict.fromkeys(s.inputs if isinstance(s, Derived) else (inner[name],))
    return BeamObserver(make({n: sources[n] for n in needed}), chosen, inner)
