"""Observables of recorded states under the names of the user's model.

Frames are computed from poses for all states at once, everything else by the looks of the parts,
part by part: cost is linear in what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.frame_motion import QUANTITIES, XYZ, BodyRows, rotations
from pliant.backends.blocks.looks import BOOK, MOMENTUM, TOTALS, Look, look_of
from pliant.backends.blocks.model import BlockModel, block_model
from pliant.backends.blocks.parts import FRAME
from pliant.backends.expressions.prepare import selected
from pliant.backends.resume import State, nearest_turn
from pliant.engine import store
from pliant.errors import UnknownName
from pliant.flex.large.names import public_name
from pliant.flex.large.shape import BeamShape, turn_of
from pliant.mechanics.inertia import system_momenta
from pliant.model.forces import Spring
from pliant.model.forces.action import MOMENTA, Momentum
from pliant.model.formulas import Formula
from pliant.results import Series
from pliant.results.build import quaternions
from pliant.results.recorded import Quantity, Record
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.study import Study

MANY = 200
"""Bodies from which those of beams are not observed one by one unless they are asked for."""
_LOCAL = {"inertia": "b0", "force": "e", "shape": f"e.{FRAME}", "driver": "d"}
_IN_BOOK = ("inertia", "force", "springs", "driver")
_ENERGIES = ("kinetic_energy", "potential_energy", "energy", "kinetic_energy_rate")


@dataclass(frozen=True, slots=True)
class States:
    """Recorded states, one in each row: time, load factor, coordinates, speeds, accelerations."""

    t: Array
    load: Array
    q: Array
    u: Array
    a: Array


@dataclass(frozen=True, slots=True)
class Told:
    """An observable: what it is and how it is computed."""

    quantity: Quantity
    values: Callable[[], Series]

    @property
    def labels(self) -> tuple[str, ...]:
        return self.quantity.labels


class Observations:
    """Everything that can be told of some states of a system of blocks."""

    def __init__(self, model: BlockModel, states: States) -> None:
        self.model, self.states = model, states
        self._looks: dict[object, Look] = {}
        """By form, and by part."""
        self._rows: dict[int, Array] = {}

    def of(self, states: States) -> Observations:
        """The same of other states; code that was read is not read again."""
        other = Observations(self.model, states)
        other._looks = self._looks
        return other

    # -- what is asked for -------------------------------------------------------------------
    def series(self, wanted: Sequence[str] | None) -> dict[str, Series]:
        """The observables meant by names and patterns; without any, the usual ones."""
        outputs = self.model.numbers.model.outputs
        if wanted is None:
            names = [n for n in self.known if self._usual(n)]
        else:
            names = selected(self.known, wanted)
        found = {name: self.known[name].values() for name in names if name not in outputs}
        return found | {n: self.known[n].values() for n in names if n in outputs}

    def _usual(self, name: str) -> bool:
        few = len(self.model.bodies) <= MANY
        return few or ":" not in name.partition(".")[0]

    @property
    def all_kept(self) -> bool:
        """Whether the usual observables are all."""
        return len(self.model.bodies) <= MANY

    @cached_property
    def known(self) -> dict[str, Told]:
        """Every observable by its public name."""
        found: dict[str, Told] = {}
        for name, told in (*self._frames(), *self._parts()):
            public = public_name(name)
            if public is not None:
                found[public] = told
            node, _, quantity = name.partition(".")
            if node.endswith(":0") and quantity in QUANTITIES:
                found[name] = told
        found |= dict(self._beams())
        for name in _ENERGIES:
            rate = name.endswith("rate")
            what = Quantity("W", (), "power") if rate else Quantity("J", (), "energy")
            found[name] = Told(what, partial(self._total, name))
        for name, (unit, kind) in MOMENTA.items() if self.model.numbers.model.has_mass else ():
            found[name] = Told(Quantity(unit, XYZ, kind), partial(self._momentum, name))
        for name, formula in self.model.numbers.model.outputs.items():
            found[name] = Told(Quantity("", (), "other"), partial(self._output, formula))
        return found

    # -- frames ------------------------------------------------------------------------------
    def _frames(self) -> Iterator[tuple[str, Told]]:
        numbers = self.model.numbers
        for body in self.model.bodies:
            if body in numbers.flexible:
                continue
            for frame in ("", *numbers.model.bodies[body].frames):
                owner = f"{body}.{frame}" if frame else body
                for quantity, (_, unit, kind, labels) in QUANTITIES.items():
                    what = Quantity(unit, labels, kind)
                    told = Told(what, partial(self._frame, body, frame, quantity))
                    yield f"{owner}.{quantity}", told

    def _frame(self, body: str, frame: str, quantity: str) -> Series:
        function, unit, kind, labels = QUANTITIES[quantity]
        values = function(self.body_rows(body), self.model.numbers.places(body)[frame])
        return Series(values, unit, labels, kind)

    def body_rows(self, body: str) -> BodyRows:
        """Recorded motion of a body."""
        q, u, a = self._block(self.model.bodies[body])
        return BodyRows(q, u, a)

    def _block(self, block: int) -> tuple[Array, Array, Array]:
        system, s = self.model.system, self.states
        at, go, shape = system.coordinates[block], system.increments[block], system.shapes[block]
        u, a = (v[:, go : go + shape.n] for v in (s.u, s.a))
        return s.q[:, at : at + shape.nq], u, a

    @property
    def end(self) -> State:
        """The last state, with speeds that the constraints allow and angles on their turns."""
        s, blocks = self.states, self.model.system
        blocks.set_header(t=float(s.t[-1]))
        u = blocks.projected(s.q[-1], s.u[-1])
        return replace(self.model.state(float(s.t[-1]), s.q[-1], u), q=self._turned(-1))

    def _turned(self, k: int) -> dict[str, float]:
        """Angles of joints at a state."""
        joints = self.model.numbers.model.joints.items()
        names = [f"{n}.{c.name}" for n, j in joints for c in j.scalars if c.wraps]
        return {n: float(self.known[n].values().values[k]) for n in names if n in self.known}

    # -- parts -------------------------------------------------------------------------------
    def _parts(self) -> Iterator[tuple[str, Told]]:
        ties = {part.owner for part in self.model.parts if part.role == "tie"}
        for k, part in enumerate(self.model.parts):
            local = _LOCAL.get(part.role, "j")
            owner = f"{part.owner}.{part.label}" if part.label else part.owner
            for name, seen in self._look(k).seen.items():
                if name in TOTALS or not name.startswith(f"{local}."):
                    continue
                if part.role == "joint" and part.owner in ties and seen.kind in _COORDINATES:
                    continue
                label = name.removeprefix(f"{local}.")
                labels = ("w", "x", "y", "z") if seen.kind == "rotation" else seen.labels
                what = Quantity(seen.unit, labels, seen.kind)
                yield f"{owner}.{label}", Told(what, partial(self._of_part, k, name))

    def _look(self, k: int) -> Look:
        if k in self._looks:
            return self._looks[k]
        model = self.model
        part, kept = model.parts[k], model.kept[k]
        key = part.form, kept
        if key not in self._looks:
            name = store.key_of("look", repr(part.form), str(kept))
            self._looks[key] = look_of(model.kinds.form(part, kept), name)
        self._looks[k] = self._looks[key]
        return self._looks[k]

    def _told(self, k: int) -> Array:
        """All numbers of the look of a part."""
        if k not in self._rows:
            self._rows[k] = self._look(k)(self._input(k), self.model.parts[k].numbers)
        return self._rows[k]

    def _input(self, k: int) -> Array:
        """What the look of a part reads."""
        s, model = self.states, self.model
        own = [self._block(b) for b in model.blocks(k)]
        moving = [not model.system.algebraic[b] for b in model.blocks(k)]
        speeds = [u for (_, u, _), m in zip(own, moving, strict=True) if m]
        rates = [a for (_, _, a), m in zip(own, moving, strict=True) if m]
        rows = [s.t[:, None], s.load[:, None], *(q for q, _, _ in own), *speeds, *rates]
        return np.concatenate(rows, axis=1)

    def book(self, *, powers: bool) -> Array:
        """Kinetic and potential energy, power supplied and dissipated of all parts; ``powers``: of
        those that have powers only."""
        total = np.zeros((len(self.states.t), BOOK))
        for k, part in enumerate(self.model.parts):
            if part.role in _IN_BOOK and (not powers or self._look(k).powers):
                total += self._look(k).book(self._input(k), part.numbers)
        return total

    def _of_part(self, k: int, name: str) -> Series:
        seen = self._look(k).seen[name]
        values = self._told(k)[:, seen.start : seen.start + seen.size]
        if seen.kind == "rotation":
            return Series(quaternions(values), "1", ("w", "x", "y", "z"), "rotation")
        if seen.wraps and len(values):
            values = np.unwrap(values, axis=0)
            first = float(values[0, 0])
            near = self.model.start.q.get(f"{self.model.parts[k].owner}.{name.partition('.')[2]}")
            values = values if near is None else values + nearest_turn(first, near) - first
        unique: tuple[bool, ...] = ()
        if seen.kind == "reaction":
            part = self.model.parts[k]
            unique = (len(self.model.kept[k]) == part.rows,) * max(len(seen.labels), 1)
        column = values if seen.labels else values[:, 0]
        return Series(column, seen.unit, seen.labels, seen.kind, unique)

    # -- sums --------------------------------------------------------------------------------
    def _total(self, name: str) -> Series:
        """An energy of the whole system."""
        if name == "energy":
            parts = [self._total(n).values for n in ("kinetic_energy", "potential_energy")]
            return Series(parts[0] + parts[1], "J", (), "energy")
        total = np.zeros(len(self.states.t))
        for k in range(len(self.model.parts)):
            if self.model.parts[k].role in ("inertia", "force", "springs"):
                total = total + self._told(k)[:, TOTALS.index(name)]
        rate = name.endswith("rate")
        return Series(total, "W" if rate else "J", (), "power" if rate else "energy")

    def _momentum(self, name: str) -> Series:
        """Centre of mass or a momentum of the whole system."""
        (unit, kind), n = MOMENTA[name], len(self.states.t)
        total = Momentum(np.zeros((1, n)), *np.zeros((3, 3, n)))
        for k in range(len(self.model.parts)):
            seen = self._look(k).seen
            if MOMENTUM[0] in seen:
                places = [slice(s.start, s.start + s.size) for s in map(seen.__getitem__, MOMENTUM)]
                total = total + Momentum(*(self._told(k)[:, at].T for at in places))
        return Series(system_momenta(NUMERIC, total)[name].T, unit, XYZ, kind)

    def _beams(self) -> Iterator[tuple[str, Told]]:
        """Energies and the turn of beams that were taken apart."""
        sums: dict[str, list[tuple[int, str]]] = {}
        for k, part in enumerate(self.model.parts):
            beam, _, rest = part.owner.partition(":")
            if not rest or part.role not in ("inertia", "force"):
                continue
            local = "b0" if part.role == "inertia" else "e"
            for quantity in ("kinetic_energy", "energy"):
                if f"{local}.{quantity}" in self._look(k).seen and rest[0] != "w":
                    label = "strain_energy" if quantity == "energy" else quantity
                    entry = k, f"{local}.{quantity}"
                    sums.setdefault(f"{beam}.{label}", []).append(entry)
        for name, entries in sums.items():
            yield name, Told(Quantity("J", (), "energy"), partial(self._sum, entries))
        for name, force in self.model.numbers.model.forces.items():
            if isinstance(force, BeamShape):
                beam = name.partition(":")[0]
                what = Quantity("rad", (), "other")
                yield f"{beam}.turn", Told(what, partial(self._turn, force))

    def _sum(self, entries: Sequence[tuple[int, str]]) -> Series:
        total = np.zeros(len(self.states.t))
        for k, name in entries:
            total = total + self._of_part(k, name).values
        return Series(total, "J", (), "energy")

    def _turn(self, shape: BeamShape) -> Series:
        """Largest angle between the middle node of an element and another one of it."""
        largest = np.zeros(len(self.states.t))
        for pair in shape.turning:
            middle, other = (rotations(self.body_rows(node).q[:, 3:7]) for node in pair)
            largest = np.maximum(largest, np.square(other - middle).sum(axis=(1, 2)))
        return Series(turn_of(NUMERIC, largest), "rad", (), "other")

    # -- formulas ----------------------------------------------------------------------------
    def _output(self, formula: Formula) -> Series:
        return Series(self.value(formula), "", (), "other")

    def value(self, formula: Formula) -> Array:
        """A formula of observables at every state."""
        found = formula.evaluate(NUMERIC, self.look_up)
        return np.broadcast_to(np.asarray(found, dtype=float), self.states.t.shape).copy()

    def later(self, name: str, h: float) -> float:
        """The value of a name a time h after the last state, on a straight line."""
        if name.endswith(".elongation"):
            return self._elongation(name.removesuffix(".elongation"), h)
        values = np.broadcast_to(np.asarray(self.look_up(name), float), self.states.t.shape)
        t = self.states.t
        if name == "t":
            return float(t[-1]) + h
        slope = (values[-1] - values[-2]) / (t[-1] - t[-2]) if len(t) > 1 else 0.0
        return float(values[-1] + h * slope)

    def _elongation(self, spring: str, h: float) -> float:
        """Length less free length."""
        element = self.model.numbers.model.forces[spring]
        assert isinstance(element, Spring)
        free = float(self.value(element.free_length)[-1])
        return self.later(f"{spring}.length", h) - free

    def look_up(self, name: str) -> Array | float:
        """Time, a parameter, an observable or a component of one."""
        values: Mapping[str, float] = self.model.numbers.parameters
        if name == "t":
            return self.states.t
        if name in values:
            return values[name]
        public = public_name(name) or name
        if public in self.known:
            return self.known[public].values().values
        owner, _, label = public.rpartition(".")
        if owner in self.known and label in self.known[owner].labels:
            series = self.known[owner].values()
            component: Array = series.values[:, series.labels.index(label)]
            return component
        raise UnknownName(f"formula: nothing is named '{name}'")


@dataclass(frozen=True)
class RecordedBlocks:
    """What a finished run of blocks can still be asked."""

    params: Mapping[str, Any]
    look: Observations
    moving: bool = True
    """Or at rest."""

    @cached_property
    def known(self) -> dict[str, Quantity]:
        """Every observable by name."""
        return {name: told.quantity for name, told in self.look.known.items()}

    def series(self, name: str) -> Series:
        """One of them at all samples."""
        return self.look.known[name].values()

    @property
    def record(self) -> Record:
        """All of it as numbers."""
        about = {"back_end": "blocks", "params": dict(self.params), "moving": self.moving,
                 "start": self.look._turned(0)}  # fmt: skip
        return Record(about, {f.name: getattr(self.look.states, f.name) for f in fields(States)})


def known_of(system: Study) -> dict[str, Quantity]:
    """Every observable of a run that is still to be made."""
    model, none = block_model(system), np.zeros(0)
    empty = States(none, none, *(none.reshape(0, 0),) * 3)
    return RecordedBlocks({}, Observations(model, empty)).known


def recorded_blocks(system: Study, record: Record) -> RecordedBlocks:
    """What a file recorded of a run of blocks."""
    states = States(**{f.name: record.arrays[f.name] for f in fields(States)})
    params, moving = record.about["params"], bool(record.about["moving"])
    model = block_model(system, params, t=float(states.t[0]), moving=moving)
    if states.q.shape[1] != model.system.nq or states.u.shape[1] != model.system.n_all:
        raise ValueError("states of another model")
    model = replace(model, start=replace(model.start, q=record.about["start"]))
    return RecordedBlocks(params, Observations(model, states), moving)


_COORDINATES = ("coordinate", "rate")
