"""What blocks tell of recorded states.

Frames are computed from poses for all states at once, everything else by the looks of the parts,
part by part: cost is linear in what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.elements.observables import (
    MOMENTUM,
    OWNER,
    TOTALS,
    ElementObservables,
    look_of,
)
from pliant.backends.blocks.model import BlockModel, block_model
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.contract import Told
from pliant.backends.recorded import turns_array
from pliant.backends.resume import State, nearest_turn
from pliant.code import store
from pliant.mechanics.inertia import system_momenta
from pliant.model.forces.action import Momentum
from pliant.model.formulas import Formula
from pliant.model.sensors.sensing import PART
from pliant.observe import catalogue, frames
from pliant.observe.catalogue import Quantity
from pliant.observe.observer import MANY, Observer, Source
from pliant.observe.selection import selected
from pliant.records import dataclass
from pliant.results import Series
from pliant.results.series import Record, RecordedRows, labelled
from pliant.spatial.ops import NUMERIC
from pliant.study import Study

_COORDINATES = ("coordinate", "rate")


@dataclass(frozen=True, slots=True)
class States:
    """Recorded states, one in each row: time, load factor, coordinates, speeds, accelerations."""

    t: Array
    load: Array
    q: Array
    u: Array
    a: Array

    @classmethod
    def of(cls, model: BlockModel, rows: Array) -> States:
        """From rows (t, q, u, u')."""
        nq, n = model.system.nq, model.system.n_all
        return cls(rows[:, 0], np.ones(len(rows)), *np.split(rows[:, 1:], [nq, nq + n], axis=1))

    def __getitem__(self, rows: Any) -> States:
        """Some of them."""
        return States(*(getattr(self, f.name)[rows] for f in fields(self)))


class BlockTeller:
    """Observables of a system of blocks: items are parts, or frames by body and name. Rows are
    ``Observations``."""

    def __init__(self, model: BlockModel) -> None:
        self.blocks, self.model = model, model.numbers.model
        self.parameters: Mapping[str, float] = model.numbers.parameters
        self._looks: dict[object, ElementObservables] = {}
        """By form, and by part."""

    def told(self, owners: Collection[str] | None = None) -> dict[str, Source]:
        """All of them; without any owners, those of the system."""
        return self._system if owners == () else self._all

    @cached_property
    def _all(self) -> dict[str, Source]:
        return {**dict(self._frames()), **dict(self._parts()), **self._system}

    @cached_property
    def _system(self) -> dict[str, Source]:
        tables = {"total": catalogue.TOTALS}
        tables |= {"momenta": catalogue.MOMENTA} if self.model.has_mass else {}
        return {name: what.made(Source, table=table, place=name)
                for table, told in tables.items() for name, what in told.items()}  # fmt: skip

    def hidden(self, name: str) -> Source | None:
        """The time."""
        return Source("s", table="time") if name == "t" else None

    def reader(self, told: Sequence[Source]) -> Callable[[Observations], Array]:
        """Column by column."""

        def read(rows: Observations) -> Array:
            none = np.zeros((len(rows.states.t), 0))
            return np.hstack([none, *(rows.column(source) for source in told)])

        return read

    def _frames(self) -> Iterator[tuple[str, Source]]:
        for body in self.blocks.bodies:
            if body in self.blocks.numbers.flexible:
                continue
            for frame in ("", *self.model.bodies[body].frames):
                owner = f"{body}.{frame}" if frame else body
                at: dict[str, Any] = {"owner": body, "table": "frame", "item": (body, frame)}
                for name, what in catalogue.FRAME.items():
                    yield f"{owner}.{name}", what.made(Source, **at, place=name)

    def _parts(self) -> Iterator[tuple[str, Source]]:
        ties = {part.owner for part in self.blocks.parts if part.role == "tie"}
        for k, part in enumerate(self.blocks.parts):
            local = OWNER.get(part.role, "j")
            begin = f"{local}.{PART}." if part.label else f"{local}."
            prefix = f"{part.owner}.{part.label}." if part.label else f"{part.owner}."
            for name, seen in self.look(k).seen.items():
                if name in TOTALS or not name.startswith(begin):
                    continue
                if part.role == "joint" and part.owner in ties and seen.kind in _COORDINATES:
                    continue
                yield prefix + name.removeprefix(begin), seen.made(
                    Source, table="part", item=k, place=seen.start,
                    owner=part.owner + seen.owner.removeprefix(local),
                    wraps=prefix + seen.wraps.removeprefix(begin) if seen.wraps else "",
                )  # fmt: skip

    def look(self, k: int) -> ElementObservables:
        """The code that tells of a part."""
        if k in self._looks:
            return self._looks[k]
        part, kept = self.blocks.parts[k], self.blocks.kept[k]
        key = part.form, kept
        if key not in self._looks:
            name = store.key_of("look", repr(part.form), str(kept))
            self._looks[key] = look_of(self.blocks.kinds.form(part, kept), name)
        self._looks[k] = self._looks[key]
        return self._looks[k]


class Observations:
    """Everything that can be told of some states of a system of blocks. ``turns``: what to add to
    angles known modulo a turn, by name, if steps between the states were followed."""

    def __init__(
        self, model: BlockModel, states: States, *, observer: Observer | None = None,
        turns: Mapping[str, Array] | None = None,
    ) -> None:  # fmt: skip
        self.model, self.states = model, states
        self.observer = Observer(BlockTeller(model)) if observer is None else observer
        self._teller: Any = self.observer.teller
        self._turns = turns
        self._rows: dict[int, Array] = {}
        self._bodies: dict[str, frames.BodyRows] = {}

    def of(self, states: States, turns: Mapping[str, Array] | None = None) -> Observations:
        """The same of other states; what is known is not found out again."""
        return Observations(self.model, states, observer=self.observer, turns=turns)

    def at(self, rows: Array, turns: Mapping[str, Array] | None = None) -> Observations:
        """The same of rows (t, q, u, u')."""
        return self.of(States.of(self.model, rows), turns)

    # -- what is asked for -------------------------------------------------------------------
    @property
    def known(self) -> Mapping[str, Quantity]:
        """Every observable by its public name."""
        return self.observer.known

    def chosen(self, wanted: Sequence[str] | None) -> dict[str, Quantity]:
        """The observables meant by names and patterns; without any, the usual ones."""
        if wanted is None:
            return self.observer.usual
        names = set(selected(self.known, wanted))
        return {name: q for name, q in self.known.items() if name in names}

    def series(self, wanted: Sequence[str] | None) -> dict[str, Series]:
        """The same over the states."""
        chosen = self.chosen(wanted)
        table = self.observer.look([*chosen.values()])(self)
        unique = {name: self.unique(name) for name, q in chosen.items() if q.kind == "reaction"}
        wrapped = any(q.wraps for q in chosen.values())
        return labelled(chosen, table, self.turns if wrapped else {}, unique)

    def values(self, name: str) -> Array:
        """Numbers of one of them."""
        return self.observer.look([self.known[name]])(self)

    def unique(self, name: str) -> tuple[bool, ...]:
        """Whether a reaction is determined: none of the rows of its part was left out."""
        source = self.known[name]
        if source.kind != "reaction":
            return ()
        assert isinstance(source, Source)
        part = source.item
        return (len(self.model.kept[part]) == self.model.parts[part].rows,) * source.size

    @property
    def all_kept(self) -> bool:
        """Whether the usual observables are all."""
        return len(self.model.bodies) <= MANY

    # -- turns -------------------------------------------------------------------------------
    @cached_property
    def wrapped(self) -> dict[str, Quantity]:
        """Angles that are known modulo a turn."""
        return {name: q for name, q in self.known.items() if q.wraps}

    @cached_property
    def turns(self) -> Mapping[str, Array]:
        """What to add to them."""
        if self._turns is not None:
            return self._turns
        if not self.wrapped or not len(self.states.t):
            return dict.fromkeys(self.wrapped, np.zeros(len(self.states.t)))
        angles, rates = self.angles()
        return dict(zip(self.wrapped, (frames.turns_along(self.states.t, angles, rates)
                                       + self.first_turns(angles[0])).T, strict=True))  # fmt: skip

    def angles(self) -> tuple[Array, Array]:
        """Those angles and their rates."""
        pairs = [(q, self.known[q.wraps]) for q in self.wrapped.values()]
        table = self.observer.look([q for pair in pairs for q in pair])(self)
        return table[:, 0::2], table[:, 1::2]

    def first_turns(self, angles: Array) -> Array:
        """What takes angles to the turns that the model began on."""
        near = self.model.start.q
        pairs = zip(self.wrapped, angles.tolist(), strict=True)
        return np.array([nearest_turn(a, near.get(name, a)) - a for name, a in pairs])

    # -- numbers -----------------------------------------------------------------------------
    def column(self, source: Source) -> Array:
        """The numbers of an observable."""
        if source.table == "time":
            return self.states.t[:, None]
        if source.table == "frame":
            body, frame = source.item
            X = self.model.numbers.places(body)[frame]
            return frames.FRAME[source.place](self.body_rows(body), X)
        if source.table == "total":
            return self._total(source.place)[:, None]
        if source.table == "momenta":
            return np.asarray(self._momenta[source.place].T)
        return self._told(source.item)[:, source.place : source.place + source.size]

    def body_rows(self, body: str) -> frames.BodyRows:
        """Recorded motion of a body."""
        if body not in self._bodies:
            q, u, a = self._block(self.model.bodies[body])
            v, w = u[:, :3], u[:, 3:6]
            R = frames.rotations(q[:, 3:7])
            acceleration = a[:, :3] + frames.cross(w, v)
            self._bodies[body] = frames.BodyRows(R, q[:, :3], w, v, a[:, 3:6], acceleration)
        return self._bodies[body]

    def elastic(self, body: str) -> tuple[Array, Array]:
        """Angular velocity of the floating frame of a body, and its elastic coordinates."""
        q, u, _ = self._block(self.model.bodies[body])
        return u[:, 3:6], q[:, 7:]

    def _block(self, block: int) -> tuple[Array, Array, Array]:
        s, (at, go) = self.states, self.model.system.own[block]
        return s.q[:, at], s.u[:, go], s.a[:, go]

    def _told(self, k: int) -> Array:
        """All numbers of the look of a part."""
        if k not in self._rows:
            s, model = self.states, self.model
            blocks = model.blocks(k)
            moving = [self._block(b) for b in blocks if not model.system.algebraic[b]]
            speeds, rates = [u for _, u, _ in moving], [a for _, _, a in moving]
            q = [self._block(b)[0] for b in blocks]
            rows = np.concatenate([s.t[:, None], s.load[:, None], *q, *speeds, *rates], axis=1)
            self._rows[k] = self._teller.look(k)(rows, model.parts[k].numbers)
        return self._rows[k]

    def _total(self, name: str) -> Array:
        """An energy of the whole system."""
        if name == "energy":
            return self._total("kinetic_energy") + self._total("potential_energy")
        total = np.zeros(len(self.states.t))
        for k in range(len(self.model.parts)):
            if self.model.parts[k].role in ("inertia", "force", "springs"):
                total = total + self._told(k)[:, TOTALS.index(name)]
        return total

    @cached_property
    def _momenta(self) -> Mapping[str, Array]:
        """Centre of mass and momenta of the whole system."""
        n = len(self.states.t)
        total = Momentum(np.zeros((1, n)), *np.zeros((3, 3, n)))
        for k in range(len(self.model.parts)):
            seen = self._teller.look(k).seen
            if MOMENTUM[0] in seen:
                places = [slice(s.start, s.start + s.size) for s in map(seen.__getitem__, MOMENTUM)]
                total = total + Momentum(*(self._told(k)[:, at].T for at in places))
        return system_momenta(NUMERIC, total)

    # -- formulas ----------------------------------------------------------------------------
    def value(self, formula: Formula) -> Array:
        """A formula of observables at every state."""
        return self.observer.look([formula])(self)[:, 0]

    def later(self, name: str, h: float) -> float:
        """The value of a name a time h after the last state, on a straight line."""
        t = self.states.t
        if name == "t":
            return float(t[-1]) + h
        if name in self._teller.parameters:
            return float(self._teller.parameters[name])
        q, part = self.observer.read(name)
        values = self.observer.look([q])(self)[:, part]
        slope = (values[-1] - values[-2]) / (t[-1] - t[-2]) if len(t) > 1 else 0.0
        return float(values[-1] + h * slope)


def recorded_of(
    params: Mapping[str, Any] | None, look: Observations, *, moving: bool = True
) -> RecordedRows:
    """What a finished run of blocks, or states of rest, can still be asked."""

    def kept() -> Record:
        about = {"back_end": "blocks", "params": dict(params or {}), "moving": moving,
                 "turns": list(look.turns)}  # fmt: skip
        arrays = {f.name: getattr(look.states, f.name) for f in fields(States)}
        return Record(about, arrays | turns_array(look.turns))

    return RecordedRows(look.states.t, lambda: look.known, look.values, kept, look.unique,
                        lambda name: look.turns.get(name))  # fmt: skip


def recorded_blocks(system: Study, record: Record) -> RecordedRows:
    """What a file recorded of a run of blocks."""
    states = States(**{f.name: record.arrays[f.name] for f in fields(States)})
    params, moving = record.about["params"], bool(record.about["moving"])
    model = block_model(system, params, t=float(states.t[0]), moving=moving)
    if states.q.shape[1] != model.system.nq or states.u.shape[1] != model.system.n_all:
        raise ValueError("states of another model")
    names = record.about["turns"]
    turns = dict(zip(names, record.arrays["turns"].T, strict=True)) if names else {}
    return recorded_of(params, Observations(model, states, turns=turns), moving=moving)


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
