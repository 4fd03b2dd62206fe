"""Observables over rows of states: all that follows from what a back end tells of them.

A back end (``Teller``) tells motion of frames and joints, reactions, efforts, energies, under the
names of its own model, where beams are cut into elements. Public names, what a beam as a whole
tells, and formulas of the user follow from these here, for all rows at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.errors import UnknownName
from pliant.model.formulas import Formula
from pliant.model.frames import is_orientation, oriented
from pliant.model.model import Model
from pliant.observe.beams import Derived, public, public_name, shapes, total
from pliant.observe.catalogue import FORMULA, FRAME, Quantity
from pliant.observe.written import formulas_told
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC

MANY = 200
"""Bodies from which not every observable is kept unless it is asked for."""
_OWN = "own_"
"""Before a velocity: in the axes of the frame itself."""


class Teller(Protocol):
    """A back end that tells of its states, whatever a row of them is."""

    @property
    def model(self) -> Model: ...

    @property
    def parameters(self) -> Mapping[str, float]: ...

    def told(self, owners: Collection[str] | None = None) -> Mapping[str, Quantity]:
        """Observables of some elements of its model, of all by default."""

    def hidden(self, name: str) -> Source | None:
        """Time ``t``, or a number that formulas may read although it is no observable."""

    def reader(self, told: Sequence[Source]) -> Callable[[Any], Array]:
        """What gives the numbers of some of them, one after the other, for rows."""


@dataclass(frozen=True, slots=True)
class Source(Quantity):
    """An observable, and where a back end has it: a table, one of its items, a place in that."""

    table: str = ""
    item: Any = None
    place: Any = 0


@dataclass(frozen=True, slots=True)
class Written(Quantity):
    """A formula of observables."""

    formula: Formula | None = None


class ObservedRows:
    """Some observables, one after the other, for rows."""

    def __init__(self, teller: Teller, wanted: Sequence[Quantity]) -> None:
        leaves = {id(q): q for w in wanted for q in _leaves(w)}
        ends = np.cumsum([0, *(q.size for q in leaves.values())]).tolist()
        self._read = teller.reader(tuple(leaves.values()))
        self._places = {key: slice(*ends[k : k + 2]) for k, key in enumerate(leaves)}
        self.wanted, self._plain = wanted, [*leaves] == [id(w) for w in wanted]

    def __call__(self, rows: Any) -> Array:
        table = self._read(rows)
        if self._plain:
            return table
        found = {key: table[:, place] for key, place in self._places.items()}

        def value(q: Quantity) -> Array:
            if id(q) not in found:
                assert isinstance(q, Derived)
                made = q.compute([value(i) for i in q.inputs])
                found[id(q)] = made.reshape(len(table), q.size)
            return found[id(q)]

        return np.hstack([table[:, :0], *(value(q) for q in self.wanted)])


def _leaves(q: Quantity) -> Iterator[Source]:
    if isinstance(q, Derived):
        for part in q.inputs:
            yield from _leaves(part)
    else:
        assert isinstance(q, Source)
        yield q


class Observer:
    """Everything that can be observed of a model by what a back end tells."""

    def __init__(self, teller: Teller) -> None:
        self.teller, self.model = teller, teller.model
        self.is_cut = bool(self.model.origin)
        self._made: dict[str, Derived] = {}

    @cached_property
    def known(self) -> dict[str, Quantity]:
        """Every observable by its public name."""
        inner = self._inner
        return (public(inner, total) if self.is_cut else dict(inner)) | self.written

    def of(self, names: Sequence[str]) -> Mapping[str, Quantity]:
        """At least those of the elements that some names begin with: they are all there are if a
        name is none of an element."""
        owners = dict.fromkeys(name.partition(".")[0] for name in names)
        if self.is_cut or not owners.keys() <= self._elements:
            return self.known
        return {**self.teller.told(owners), **self.written}

    @cached_property
    def _elements(self) -> set[str]:
        m = self.model
        sections = (
            m.bodies,
            m.joints,
            m.forces,
            m.sensors,
            m.outputs,
            m.speeds,
            m.formulas,
            self.teller.told(()),
        )
        return {name for section in sections for name in section}

    @cached_property
    def _inner(self) -> Mapping[str, Quantity]:
        """What the back end tells, and the shapes of beams that it leaves out."""
        told = self.teller.told()
        return {**told, **shapes(self.model, told, self.teller.parameters)} if self.is_cut else told

    @property
    def usual(self) -> dict[str, Quantity]:
        """Those that are kept if nothing is asked for: of many bodies those of the user."""
        few, inner = len(self.model.bodies) <= MANY, self.model.origin
        return {n: q for n, q in self.known.items() if few or n.partition(".")[0] not in inner}

    @cached_property
    def written(self) -> dict[str, Quantity]:
        """Formulas of the model."""
        return {n: q.made(Written, formula=f) for n, f, q in formulas_told(self.model)}

    def look(self, wanted: Sequence[Quantity | Formula]) -> ObservedRows:
        """Observables and formulas as numbers; UnknownName if a formula reads what is not known."""
        return ObservedRows(self.teller, [self._settled(w) for w in wanted])

    def _settled(self, q: Quantity | Formula) -> Quantity:
        if isinstance(q, Formula):
            return self._formula(q)
        if not isinstance(q, Written) or q.formula is None:
            return q
        if q.owner not in self._made:
            self._made[q.owner] = self._formula(q.formula)
        return self._made[q.owner]

    def _formula(self, formula: Formula) -> Derived:
        """A formula with what it reads; the time comes first and tells how many rows there are."""
        names = [n for n in sorted(formula.names) if n not in self.teller.parameters and n != "t"]
        reads = [self.read(name) for name in ("t", *names)]
        places = {name: (k, part) for k, (name, (_, part)) in
                  enumerate(zip(("t", *names), reads, strict=True))}  # fmt: skip
        known = {n: np.float64(v) for n, v in self.teller.parameters.items()}

        def compute(blocks: Sequence[Array]) -> Array:
            def look_up(name: str) -> Any:
                if name not in places:
                    return known[name]
                k, part = places[name]
                return blocks[k][:, part]

            with np.errstate(all="ignore"):
                found = np.asarray(formula.evaluate(NUMERIC, look_up), dtype=float)
            return np.broadcast_to(found, len(blocks[0])).copy()

        return FORMULA.made(Derived, inputs=tuple(q for q, _ in reads), compute=compute)

    def read(self, name: str) -> tuple[Quantity, int]:
        """What a formula reads by a name: an observable and which component of it."""
        hidden = self.teller.hidden(name)
        if hidden is not None:
            return hidden, 0
        for known, other in self._near(name):
            whole, _, label = other.rpartition(".")
            if other in known and known[other].size == 1:
                return self._settled(known[other]), 0
            if whole in known and label in known[whole].labels:
                return known[whole], known[whole].labels.index(label)
        frame, _, quantity = name.rpartition(".")[0].rpartition(".")
        if is_orientation(quantity, name.rpartition(".")[2]):
            return self._oriented(frame, quantity, name.rpartition(".")[2]), 0
        if quantity.startswith(_OWN) and quantity.removeprefix(_OWN) in FRAME:
            return self._own(frame, quantity.removeprefix(_OWN), name[-1])
        raise UnknownName(f"formula: nothing is named '{name}'")

    def _near(self, name: str) -> Iterator[tuple[Mapping[str, Quantity], str]]:
        """Where a name is looked for: as the back end knows it, then as the user does."""
        if self.is_cut:
            yield self._inner, name
            name = public_name(name) or name
        yield self.of([name]), name

    def _own(self, frame: str, quantity: str, label: str) -> tuple[Quantity, int]:
        """A vector of a frame in its own axes: R^T v."""
        parts = (f"{frame}.orientation.xx", f"{frame}.{quantity}.{label}")
        (R, _), (v, k) = (self.read(part) for part in parts)

        def compute(blocks: Sequence[Array]) -> Array:
            axes = blocks[0].reshape(-1, 3, 3)  # rows of R^T
            return np.asarray(np.einsum("nij,nj->ni", axes, blocks[1]))

        return v.made(Derived, inputs=(R, v), compute=compute), k

    def _oriented(self, frame: str, quantity: str, component: str) -> Quantity:
        """A component of an axis of a frame, or an angle."""
        R, _ = self.read(f"{frame}.orientation.xx")

        def compute(blocks: Sequence[Array]) -> Array:
            R_WP = blocks[0].reshape(-1, 3, 3).transpose(2, 1, 0)  # columns one after the other
            return np.asarray(oriented(NUMERIC, R_WP, quantity, component))

        return FORMULA.made(Derived, inputs=(R,), compute=compute)

    def unread(self, formulas: Mapping[str, Formula]) -> str:
        """The first formula that reads what is not known, and what; empty if there is none."""
        for what, formula in formulas.items():
            for name in sorted(formula.names - {*self.teller.parameters}):
                try:
                    self.read(name)
                except UnknownName:
                    return f"{what} reads '{name}', which needs expressions"
        return ""
