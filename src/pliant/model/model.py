"""The container: everything the user said about one system, frozen; and whose formula it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from copy import copy
from dataclasses import field
from typing import Any

from pliant.arguments import no_argument
from pliant.display import Displayed
from pliant.errors import Fault, InputError, ModelError, UnknownName
from pliant.model.bodies import Beam, Body, Deformable, Ground, RigidBody
from pliant.model.bodies.base import Moving
from pliant.model.bodies.elastic import Material
from pliant.model.constraints import Constraint
from pliant.model.constraints.holding import Holding
from pliant.model.cures import Instead, Write, otherwise, steps_of, words_only
from pliant.model.drivers import Driver, Driving, FrameDriver, JointDriver, MotionDriver
from pliant.model.events import Event
from pliant.model.fields import (
    STATE,
    Number,
    Numeric,
    Table,
    Text,
    Vector,
    has,
    is_sequence,
    kinds_of,
    settle,
    shown,
    vector,
)
from pliant.model.forces import ForceElement
from pliant.model.forces.action import Acting
from pliant.model.formulas import Formula
from pliant.model.frames import Frame
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.joints import Joint
from pliant.model.joints.hinges import HINGE, Hinge
from pliant.model.named import NAMED, Known, NamedFormula, Output, closed, each_named, with_named
from pliant.model.networks import Network, Subgraph
from pliant.model.networks.network import local_parameters, structural, with_local
from pliant.model.numbers.parameters import Parameters
from pliant.model.sensors import Sensor
from pliant.model.sensors.sensing import Sensing
from pliant.model.settings import Settings
from pliant.model.signals import Signal
from pliant.model.view import View
from pliant.records import dataclass
from pliant.registry import ABOVE

# Sections holding named elements, and what one element is called.
SECTIONS = {
    "formulas": "formula",
    "materials": "material",
    "bodies": "body",
    "joints": "joint",
    "forces": "force",
    "drivers": "driver",
    "constraints": "constraint",
    "sensors": "sensor",
    "signals": "signal",
    "events": "event",
    "networks": "network",
    "subgraphs": "subgraph",
    "outputs": "output",
}
NETWORKS = ("networks", "subgraphs")
_SORTED: dict[str, dict[str, Any]] = {
    "bodies": {"rigid": RigidBody, "beams": Beam, "elastic": Deformable},
    "drivers": {"joint_drivers": JointDriver, "frame_drivers": FrameDriver},
}
"""Elements of some sections by what they are."""


def _sorted() -> Any:
    return field(init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Model(Displayed):
    """One system as the user described it: data only, checked by `check()`.

    Sections take a mapping from names to elements or a list of elements.

    >>> rod = pl.RigidBody.rod("rod", "1 m", mass="2 kg", frames={"tip": ["1 m", 0, 0]})
    >>> model = pl.Model(name="one rod", bodies={"rod": rod})
    >>> model
    <pliant.Model: one rod: 1 body>
    >>> list(model.bodies)
    ['rod']
    """

    name: str = has(Text(), "", "name of the model")
    gravity: Vector = vector("m/s^2", (0, 0, 0), doc="acceleration of gravity, world axes")
    parameters: Mapping[str, Formula] = has(Table(Number("")), FrozenDict(), "named numbers")
    ground: Ground = Ground()
    bodies: Mapping[str, Body] = FrozenDict()
    joints: Mapping[str, Joint] = FrozenDict()
    forces: Mapping[str, ForceElement] = FrozenDict()
    drivers: Mapping[str, Driver] = FrozenDict()
    signals: Mapping[str, Signal] = FrozenDict()
    outputs: Mapping[str, Output] = FrozenDict()
    """Formulas that are observables."""
    events: Mapping[str, Event] = FrozenDict()
    settings: Settings = Settings()
    description: str = has(Text(), "", "what the model is about")
    materials: Mapping[str, Material] = FrozenDict()
    networks: Mapping[str, Network] = FrozenDict()
    subgraphs: Mapping[str, Subgraph] = FrozenDict()
    constraints: Mapping[str, Constraint] = FrozenDict()
    speeds: Mapping[str, Formula] = has(
        Table(Number("", STATE)), FrozenDict(), "generalised speeds of Kane's equations"
    )
    origin: Mapping[str, str] = FrozenDict()
    """Of elements that stand for a beam that was taken apart: the beam."""
    view: View = View()
    """How it is drawn, which means nothing to physics."""
    formulas: Mapping[str, NamedFormula] = FrozenDict()
    """Formulas that others read by their names; these are put in everywhere (``model.named``)."""
    sensors: Mapping[str, Sensor] = FrozenDict()
    rigid: Mapping[str, RigidBody] = _sorted()
    """Bodies without shape functions, given by mass and moments."""
    beams: Mapping[str, Beam] = _sorted()
    elastic: Mapping[str, Deformable] = _sorted()
    """Bodies that can deform, by tables: beams and those with given modes, kept rigid or not."""
    joint_drivers: Mapping[str, JointDriver] = _sorted()
    frame_drivers: Mapping[str, FrameDriver] = _sorted()

    def __post_init__(self) -> None:
        self._settle([f.name for f in dataclasses.fields(self)])

    def _settle(self, names: Collection[str]) -> None:
        """Convert what these fields were given."""
        faults: list[Fault] = []
        try:
            settle(self, "model", "model", names)
        except ModelError as error:
            faults.extend(error.faults)
        for section, noun in SECTIONS.items():
            if section in names:
                told = getattr(self, section)
                told = each_named(told, section) if section in NAMED else told
                object.__setattr__(self, section, _collected(told, section, noun, faults))
        if faults:
            raise ModelError(faults)
        self._put_in(names)
        for section in _SORTED.keys() & set(names):
            for name, cls in _SORTED[section].items():
                own = {n: e for n, e in getattr(self, section).items() if isinstance(e, cls)}
                object.__setattr__(self, name, FrozenDict(own))

    def _put_in(self, names: Collection[str]) -> None:
        """Named formulas in place of their names, in what is new; in all if one of them is."""
        named = self.named_formulas()
        if not named:
            return
        known = Known.of(named, self.settings.t_start)
        where = _GIVEN if _NAMED & set(names) else _GIVEN & set(names)
        constant = any(f.names <= self.parameters.keys() for f in named.values())
        left = frozenset[str]() if self.formulas or constant else _CONSTANT
        for name in where - {"parameters", "view", *NETWORKS} - left:
            old = getattr(self, name)
            if old is not (new := with_named(old, known)):
                object.__setattr__(self, name, new)

    def named_formulas(self) -> dict[str, Formula]:
        """What formulas may read by a plain name, with each other put in: named formulas, speeds
        and outputs whose names mean nothing else."""
        if not (self.formulas or self.outputs or self.speeds):
            return {}
        return closed(self.formulas_as_written())

    def formulas_as_written(self) -> dict[str, Formula]:
        """The same as they are written."""
        named = {n: e.formula.as_written for n, e in self.formulas.items()}
        others = {**{n: o.formula for n, o in self.outputs.items()}, **self.speeds}
        taken = {*self.parameters, *self.signals, "t"}
        return {n: f.as_written for n, f in others.items() if n not in taken} | named

    def faults(self) -> list[Fault]:
        """Everything wrong with the model, each fault with its cure."""
        found: list[Fault] = ABOVE["faults_of"](self)
        return found

    def check(self) -> Model:
        """The model itself; raises ModelError with all faults if there are any."""
        faults = self.faults()
        if faults:
            raise ModelError(faults, f"model '{self.name}'" if self.name else "")
        return self

    def warnings(self) -> list[Fault]:
        """What is allowed but seldom meant, such as negative damping."""
        found: list[Fault] = ABOVE["doubts_of"](self)
        return found

    def with_(self, **changes: Any) -> Model:
        """A copy with some sections replaced."""
        if not changes.keys() <= _GIVEN:
            raise no_argument("System", changes.keys() - _GIVEN, _GIVEN)
        made = copy(self)
        for name, given in changes.items():
            object.__setattr__(made, name, given)
        made._settle(changes)
        return made

    def headline(self) -> str:
        """Its name, and how much there is of it."""
        counts = ((self.bodies, "body", "bodies"), (self.joints, "joint", "joints"),
                  (self.networks, "network", "networks"))  # fmt: skip
        words = [f"{len(n)} {one if len(n) == 1 else many}" for n, one, many in counts if n]
        return f"{self.name or 'model'}: {', '.join(words)}"

    def __str__(self) -> str:
        return self.headline()

    def joint_named(self, name: str) -> Joint | Hinge | None:
        """A joint, or a hinge of a segmented beam; None if there is none."""
        hinge = HINGE.fullmatch(name)
        beam = self.beams.get(hinge[1]) if hinge is not None else None
        if name in self.joints or beam is None or beam.theory.segments is None:
            return self.joints.get(name)
        return Hinge(name, beam.segment_directions)

    def frame(self, ref: str) -> tuple[str, Frame | None]:
        """The body and the frame of a reference such as "crank.A"; None is the body frame."""
        body, _, name = ref.partition(".")
        if body != "ground" and body not in self.bodies:
            cure = did_you_mean(body, [*self.bodies, "ground"], sure=True)
            meant = [s.right for s in steps_of(cure) if isinstance(s, Instead)]
            has = all(not name or name in self._frames(near) for near in meant)
            raise UnknownName(f"no body '{body}' for frame '{ref}'",
                              cure if has else words_only(cure))  # fmt: skip
        frames = self._frames(body)
        if not name:
            return body, None
        if name not in frames:
            who = "ground" if body == "ground" else f"body '{body}'"
            cure = did_you_mean(name, frames, f"{body}.", sure=True)
            words = f"add it to the frames of {body}"
            path = ("ground",) if body == "ground" else ("bodies", body)
            placed = Write((*path, "frames", name), [0, 0, 0])
            is_rigid = body == "ground" or body in self.rigid
            raise UnknownName(f"{who} has no frame '{name}'",
                              otherwise(cure, words, *((placed,) if is_rigid else ())))  # fmt: skip
        return body, frames[name]

    def _frames(self, body: str) -> Mapping[str, Frame]:
        return self.ground.frames if body == "ground" else self.bodies[body].frames

    def parameter_values(self, overrides: Mapping[str, Numeric] | None = None) -> dict[str, float]:
        """The number of every parameter, in the order given; overrides replace formulas. Those of
        networks follow by their full names (``drive.R``)."""
        worked_out = Parameters(self.all_parameters())
        return self.with_overrides(worked_out, overrides) if overrides else worked_out.values

    def with_overrides(
        self, worked_out: Parameters, overrides: Mapping[str, Numeric]
    ) -> dict[str, float]:
        """The same from parameters that were worked out before."""

        def refuse_structural(name: str) -> None:
            """A parameter that is 0 and leaves elements of its network out."""
            network, _, own = name.partition(".")
            if network in self.networks and own in structural(self.networks[network]):
                raise InputError(f"parameter '{name}' is the number 0, which leaves elements out",
                                 "write another number in the model")  # fmt: skip

        return worked_out.with_(overrides, refuse_structural)

    def all_parameters(self) -> dict[str, Formula]:
        """Parameters of the model and, by their full names, of its networks."""
        return {**self.parameters, **local_parameters(self.networks, self.parameters)}

    def with_parameters(self, changes: Mapping[str, Any]) -> Model:
        """A copy with other values of some parameters, also of networks."""
        own = {n: v for n, v in changes.items() if "." not in n}
        networks = with_local(self.networks, changes) if len(own) < len(changes) else self.networks
        return self.with_(parameters={**self.parameters, **own}, networks=networks)

    @property
    def has_mass(self) -> bool:
        """Whether anything has a mass that is not written as zero."""
        heavy = (not b.massless for b in self.bodies.values())
        return any(heavy) or any(f.has_mass for f in self.forces.values())

    def observed_formulas(self) -> Iterator[tuple[str, Formula, str]]:
        """Formulas that are observables, by name, with the unit of their values if it is known."""
        yield from ((n, e.formula, e.unit) for n, e in self.formulas.items())
        yield from ((n, f, "") for n, f in self.speeds.items())
        yield from ((n, e.formula, e.unit) for n, e in self.outputs.items())

    def observing(self) -> dict[str, Formula]:
        """Formulas of observables, by whose they are: of events, outputs and speeds."""
        found = {f"event '{n}'": event.when for n, event in self.events.items()}
        found |= {f"formula '{n}'": e.formula for n, e in self.formulas.items()}
        found |= {f"output '{n}'": e.formula for n, e in self.outputs.items()}
        return found | {f"speed '{n}'": f for n, f in self.speeds.items()}

    def elements(self) -> Iterator[tuple[str, str, Any]]:
        """Every element of every section: section, name, element."""
        for section in SECTIONS:
            for name, element in getattr(self, section).items():
                yield section, name, element

    def each_formula(self) -> Iterator[tuple[str, tuple[str, ...], str, Formula, Number]]:
        """Every formula: who, path, label of the field, the formula, its kind.

        Those of networks are not among them: they read names of their own.
        """
        for key in ("gravity", "parameters", "speeds"):
            for label, f, number in kinds_of(self)[key].formulas(getattr(self, key)):
                named = key != "gravity"
                who = f"{key[:-1]} '{label[1:]}'" if named else key
                path = (key, label[1:]) if named else (key,)
                yield who, path, "" if named else label, f, number
        yield from _formulas_of(self.ground, "ground", ("ground",))
        for section, name, element in self.elements():
            if section not in NETWORKS:
                yield from _formulas_of(element, f"{SECTIONS[section]} '{name}'", (section, name))
        yield from _formulas_of(self.settings, "simulate", ("simulate",))


_GIVEN = frozenset(f.name for f in dataclasses.fields(Model) if f.init)
_CONSTANT = frozenset(("gravity", "ground", "bodies", "joints", "materials", "settings"))
"""Sections whose formulas read parameters only."""
_BASES: dict[str, Any] = {
    "bodies": Moving, "joints": Joint, "constraints": Holding, "sensors": Sensing,
    "drivers": (MotionDriver, Driving), "forces": Acting,
    "signals": Signal, "events": Event, "materials": Material,
}  # fmt: skip
"""What elements of a section derive from."""
_NAMED = frozenset(("formulas", "speeds", "outputs", "settings"))
"""Sections of formulas that others may read, and of the time they start at."""


def _formulas_of(
    element: Any, who: str, path: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], str, Formula, Number]]:
    for key, kind in kinds_of(element).items():
        for label, f, number in kind.formulas(getattr(element, key)):
            yield who, (*path, key), key + label, f, number


def _belongs(element: Any, section: str) -> str:
    """The section of an element by its class; of others the one they are given to."""
    return next((own for own, base in _BASES.items() if isinstance(element, base)), section)


def _collected(value: Any, section: str, noun: str, faults: list[Fault]) -> FrozenDict[Any]:
    """The elements of a section by name; what cannot be kept becomes a fault."""
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif is_sequence(value):
        pairs = [(getattr(element, "name", "?"), element) for element in value]
    else:
        faults.append(Fault(section, f"{shown(value)} stands where elements are expected",
                            "give a mapping or a list", path=(section,)))  # fmt: skip
        return FrozenDict()
    kept: dict[str, Any] = {}
    for name, element in pairs:
        who, path = f"{noun} '{name}'", (section, str(name))
        if getattr(element, "name", None) != name:
            what = f"the element under this name is {shown(getattr(element, 'name', element))}"
            faults.append(Fault(who, what, "use one name", path=path))
        elif (own := _belongs(element, section)) != section:
            what = f"it is a {SECTIONS[own]}, which has no place among {section}"
            faults.append(Fault(who, what, f"give it to {own}", path=path))
        elif name in kept:
            faults.append(Fault(who, "the name is used twice", "rename one of them", path=path))
        else:
            kept[name] = element
    return FrozenDict(kept)


_PLAIN = {"parameters": "parameter", "speeds": "speed"}
"""Sections of formulas."""


def whose(model: Model, formula: Formula) -> str:
    """ "force 'f'": the element with this very formula, or with an equal one; may be empty."""
    equal = ""
    for owner, own in _formulas(model):
        if own is formula:
            return owner
        equal = equal or (owner if own == formula else "")
    return equal


def titled(model: Model, name: str) -> str:
    """ "spring 's'", "driver 'D'": an element by its name, as messages call it."""
    if name in model.forces:
        return f"{model.forces[name].kind.replace('_', ' ')} '{name}'"
    noun = next((noun for section, noun in SECTIONS.items() if name in getattr(model, section)), "")
    return f"{noun} '{name}'".lstrip()


def _formulas(model: Model) -> Iterator[tuple[str, Formula]]:
    for section in SECTIONS:
        for name, element in getattr(model, section).items():
            yield from ((titled(model, name), f) for f in formulas_inside(element))
    for section, noun in _PLAIN.items():
        for name, formula in getattr(model, section).items():
            yield f"{noun} '{name}'", formula
    yield from (("ground", f) for f in formulas_inside(model.ground))


def formulas_inside(value: Any) -> Iterator[Formula]:
    """Every formula in a value, however deep."""
    if isinstance(value, Formula):
        yield value
    elif dataclasses.is_dataclass(value):
        for f in dataclasses.fields(value):
            yield from formulas_inside(getattr(value, f.name))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from formulas_inside(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from formulas_inside(item)
