"""What the tree kernel tells of its states, and what a run of it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.tree.loops.observe import WRENCH, Asked, observe_states
from pliant.backends.tree.model import FRAME, LAW, RELATIVE, TreeModel, TreeNumbers
from pliant.backends.tree.sensors import sensed
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.sensors.sensing import told_by
from pliant.observe import catalogue
from pliant.observe.beams import Derived
from pliant.observe.catalogue import Quantity
from pliant.observe.observer import MANY, ObservedRows, Observer, Source
from pliant.solve.dynamics import Dynamics
from pliant.spatial.ops import NUMERIC

_FRAME = {
    "orientation": 0, "position": 9, "angular_velocity": 12, "velocity": 15,
    "angular_acceleration": 18, "acceleration": 21, "kinetic_energy": 24,
}  # fmt: skip
_ACROSS = {"orientation": 0, "displacement": 9, "angular_velocity": 12, "displacement_rate": 15}
_WIDTH = {"frame": FRAME, "reaction": WRENCH, "relative": RELATIVE, "law": LAW}
VERY_MANY = 10_000
"""Bodies from which joint coordinates are not kept, nor the text of the model."""
Told = Iterator[tuple[str, Quantity]]


class TreeTeller:
    """Observables of a tree, by tables of the observe pass: items are links with the name of a
    frame, and forces. A row is a packed x, rows come with their parameters. Without numbers it
    knows names only."""

    def __init__(
        self, model: Model, tree: TreeModel, numbers: TreeNumbers | None = None,
        dynamics: Dynamics | None = None,
    ) -> None:  # fmt: skip
        self.model, self.tree, self._numbers, self._dynamics = model, tree, numbers, dynamics
        names = dict.fromkeys(model.all_parameters(), np.nan)
        self.parameters = names if numbers is None else numbers.parameters
        sections = tree.bodies, [j.name for j in tree.joints], tree.forces
        self._bodies, self._joints, self._forces = (
            {name: i for i, name in enumerate(section)} for section in sections
        )

    def told(self, owners: Collection[str] | None = None) -> dict[str, Quantity]:
        """Observables of some owners, of all by default; those of the system in any case."""
        m = self.model

        def some(names: Mapping[str, Any]) -> list[str]:
            return [n for n in (names if owners is None else owners) if n in names]

        parts = [self.frames(n) for n in some(m.bodies)]
        parts += [self.coordinates(n) for n in some(m.joints)]
        parts += [self._force(n) for n in some(self._forces)]
        parts += [self._kinetic(n) for n in some(m.bodies)] + [self._system()]
        parts += [self._reactions(n) for n in some(m.joints)]
        parts += [self._sensed(n) for n in some(m.sensors) if n not in m.origin]
        return {name: source for part in parts for name, source in part}

    def frames(self, body: str) -> Told:
        """Motion of the frames of a body."""
        for frame in ("", *self.model.bodies[body].frames):
            owner, item = f"{body}.{frame}" if frame else body, (self._bodies[body], frame)
            for quantity, what in catalogue.FRAME.items():
                yield f"{owner}.{quantity}", _at(what, body, "frame", item, _FRAME[quantity])

    def coordinates(self, joint: str) -> Told:
        """Coordinates, rates and angles of a joint."""
        link = self._joints[joint]
        own = self.tree.joints[link]
        across = {name: _at(what, joint, "relative", (link, ""), _ACROSS[name])
                  for name, what in catalogue.ACROSS.items()}  # fmt: skip
        for name, what in catalogue.joint_quantities(own).items():
            at = self.hidden(f"{joint}.{name}")
            if at is not None:
                yield f"{joint}.{name}", _at(what, joint, at.table, place=at.place)
            elif name in own.angle_names:
                yield f"{joint}.{name}", _angle(what, own, name, across["orientation"])
            elif name in own.angle_rates:
                turning = across["orientation"], across["angular_velocity"]
                yield f"{joint}.{name}", _angle_rate(what, own, name, turning)
            else:
                yield f"{joint}.{name}", across[name]

    def _reactions(self, joint: str) -> Told:
        """Force and torque of a joint on its child."""
        link = self._joints[joint]
        if self.tree.joints[link].m:
            for k, (name, what) in enumerate(catalogue.REACTION.items()):
                yield f"{joint}.{name}", _at(what, joint, "reaction", (link, ""), 3 * k)

    def _force(self, name: str) -> Told:
        """Effort and power of a force; of a spring also energy and power of damping."""
        k = self._forces[name]
        link = self.tree.law_link[k]
        scalar = self.tree.joints[link].scalars[self.tree.law_u[k] - self.tree.u[link]]
        label, effort = catalogue.effort_along(scalar.unit)
        told = {label: effort, "power": catalogue.POWER}
        if self.model.forces[name].stores:
            told |= {"energy": catalogue.ENERGY, "damping.power": catalogue.POWER}
        for place, (quantity, what) in enumerate(told.items()):
            owner = f"{name}.damping" if quantity == "damping.power" else name
            yield f"{name}.{quantity}", _at(what, owner, "law", (k, ""), place)

    def _sensed(self, name: str) -> Told:
        """What a sensor tells of frames and joints."""
        sensor, time = self.model.sensors[name], self.hidden("t")
        assert time is not None
        told: dict[str, Quantity] = {"t": time}
        owners = {reference.partition(".")[0] for reference in told_by(sensor).frames}
        for body in owners - {"ground"}:
            told |= self.frames(body)
        for joint in {joint for joint, _ in told_by(sensor).coordinates}:
            told |= self.coordinates(joint)
        yield from sensed(sensor, told, Values.at(self.model, self.parameters))

    def _kinetic(self, body: str) -> Told:
        """Kinetic energy of a body."""
        what, item = catalogue.ENERGY, (self._bodies[body], "")
        yield f"{body}.kinetic_energy", _at(what, body, "frame", item, _FRAME["kinetic_energy"])

    def _system(self) -> Told:
        """Energies of the system, centre of mass and momenta."""
        for place, (name, what) in enumerate(catalogue.TOTALS.items()):
            yield name, _at(what, "", "total", place=place)
        for k, (name, what) in enumerate(catalogue.MOMENTA.items() if self.model.has_mass else ()):
            yield name, _at(what, "", "momenta", place=3 * k)

    def hidden(self, name: str) -> Source | None:
        """Time, coordinates and speeds of joints."""
        if name == "t":
            return Source("s", table="t")
        owner, _, quantity = name.partition(".")
        if owner in self._joints:
            link = self._joints[owner]
            joint = self.tree.joints[link]
            for table, names, first in (
                ("q", joint.coordinate_names, self.tree.q), ("u", joint.rate_names, self.tree.u)
            ):  # fmt: skip
                if quantity in names:
                    return Source(table=table, place=int(first[link]) + names.index(quantity))
        return None

    def reader(self, told: Sequence[Source]) -> Callable[[tuple[Array, Array]], Array]:
        """One pass over the tree for all that is not in x itself."""
        items: dict[str, dict[tuple[int, str], int]] = {name: {} for name in _WIDTH}
        for s in told:
            if s.table in items:
                items[s.table].setdefault(s.item, len(items[s.table]))
        items["law"] = {(k, ""): k for k in range(len(self.tree.forces))}
        asked = self.asked(
            list(items["frame"]), list(items["reaction"]), list(items["relative"]),
            momenta=any(s.table == "momenta" for s in told),
        )  # fmt: skip
        end = asked.starts["end"]
        starts = {**asked.starts, "t": end, "q": end + 1, "u": end + 1 + self.tree.nq}
        columns = np.concatenate([np.zeros(0, dtype=np.int64), *(
            starts[s.table] + _WIDTH.get(s.table, 0) * items.get(s.table, {}).get(s.item, 0)
            + s.place + np.arange(s.size) for s in told
        )])  # fmt: skip
        plain = bool((columns >= end).all())

        def read(rows: tuple[Array, Array]) -> Array:
            X, p = rows
            if plain:
                return np.asarray(X[:, columns - end])
            assert self._dynamics is not None
            table = observe_states(self._dynamics, X, p, asked)
            return np.asarray(np.concatenate([table, X], axis=1)[:, columns])

        return read

    def asked(
        self, frames: Sequence[tuple[int, str]], held: Sequence[tuple[int, str]] = (),
        across: Sequence[tuple[int, str]] = (), *, momenta: bool = False,
    ) -> Asked:  # fmt: skip
        """What to ask of an observe pass: frames by link and name, joints by link."""
        places, numbers = np.zeros((len(frames), 12)), self._numbers
        assert numbers is not None
        for row, (link, frame) in zip(places, frames, strict=True):
            X_BP = numbers.places[self.tree.bodies[link]][frame]
            R_BO = numbers.R_BO[link]
            row[:9] = (R_BO.T @ X_BP.R).T.ravel()
            row[9:] = R_BO.T @ (X_BP.p - numbers.p_BO[link])
        links = [np.array([link for link, _ in items], dtype=np.int64)
                 for items in (frames, held, across)]  # fmt: skip
        return Asked(links[0], places, links[1], links[2], len(self.tree.forces), momenta)

    def book(self, name: str, rows: tuple[Array, Array]) -> Array:
        """Kinetic and total energy (H), or powers supplied and dissipated (Z)."""
        assert self._dynamics is not None
        asked = self.asked([])
        table = observe_states(self._dynamics, *rows, asked)
        if name == "energies":
            return np.asarray(table[:, [0, 2]])
        laws = table[:, asked.starts["law"] : asked.starts["momenta"]]
        return np.asarray(laws.reshape(len(table), -1, LAW)[:, :, 4:6].sum(axis=1))


def _at(
    what: Quantity, owner: str, table: str, item: tuple[int, str] = (0, ""), place: int = 0
) -> Source:
    return what.made(Source, owner=owner, table=table, item=item, place=place)


def _angle(what: Quantity, joint: Joint, name: str, orientation: Source) -> Derived:
    """An angle of a rotation whose matrix is told column by column."""
    k = joint.angle_names.index(name)

    def compute(blocks: Sequence[Array]) -> Array:
        R = blocks[0].T.reshape(3, 3, -1).swapaxes(0, 1)
        return np.asarray(joint.angles_of(NUMERIC, R)[k])

    return what.made(Derived, inputs=(orientation,), compute=compute)


def _angle_rate(what: Quantity, joint: Joint, name: str, turning: tuple[Source, Source]) -> Derived:
    """The rate of an angle, from the rotation and the angular velocity in axes of the child."""
    k = joint.angle_rates.index(name)

    def compute(blocks: Sequence[Array]) -> Array:
        found = []
        for columns, w in zip(*blocks, strict=True):
            R = np.asarray(columns).reshape(3, 3).T
            found.append(joint.angle_speeds(NUMERIC, R, R @ w)[k])
        return np.array(found)

    return what.made(Derived, inputs=turning, compute=compute)


class TreeObserver:
    """Observables and events that a run of a tree is asked for, by the letters of functions."""

    wrapped: tuple[str, ...] = ()

    def __init__(
        self, observer: Observer, chosen: Mapping[str, Quantity], events: Sequence[Formula] = ()
    ) -> None:
        self._teller: Any = observer.teller
        self.observed = self.asked = chosen
        self.powers = tuple(k for k, q in chosen.items() if q.is_element_power)
        self._looks: dict[str, ObservedRows] = {
            "observables": observer.look([*chosen.values()]),
            "powers": observer.look([chosen[k] for k in self.powers]), "angles": observer.look([]),
            "events": observer.look(events),
        }  # fmt: skip

    def evaluate_rows(self, name: str, X: Array, p: Array) -> Array:
        """For rows of packed x: observables (O), powers (W) or wrapped angles (A: none); kinetic
        and total energy (H); powers of the energy book (Z); events (E)."""
        look = self._looks.get(name)
        return self._teller.book(name, (X, p)) if look is None else look((X, p))


def chosen_of(
    observer: Observer, observe: Sequence[str] | None
) -> tuple[Mapping[str, Quantity], tuple[str, ...]]:
    """The observables asked for; without a wish all, or for many bodies, with a warning, joint
    coordinates, energies, formulas and the frames of the last body."""
    from pliant.observe.selection import selected

    if observe is not None:
        found = observer.of(observe)
        names = set(selected(found, observe))
        return {name: q for name, q in found.items() if name in names}, ()
    n = len(observer.model.bodies)
    if n <= MANY:
        return observer.known, ()
    if observer.is_cut:
        text = "segments of beams are not kept; name them in outputs (or observe in the model)"
        return observer.usual, (f"{n} bodies: {text}",)
    teller: Any = observer.teller
    last, coordinates = teller.tree.bodies[-1], teller.tree.n <= VERY_MANY
    kept = {name: q for name, q in teller.told(()).items() if name in catalogue.TOTALS}
    kept |= dict(teller.frames(last)) | observer.written
    for joint in observer.model.joints if coordinates else ():
        kept |= dict(teller.coordinates(joint))
    what = f"{'joint coordinates, ' if coordinates else ''}energies and the frames of '{last}'"
    text = f"only {what} are kept; name others in outputs (or observe in the model)"
    return kept, (f"{teller.tree.n} bodies: {text}",)
