"""Names: legal characters, nothing reserved, nothing twice; which ones a formula may read where it
stands. References and topology: what elements speak of must exist, and be joined so that it can
move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from pliant.errors import Fault, UnknownName
from pliant.model.bodies import RigidBody
from pliant.model.bodies.shapes import SIZES
from pliant.model.cures import (
    Beside,
    Leave,
    Rename,
    curing,
    defining,
    legal_name,
    otherwise,
)
from pliant.model.fields import (
    ANYTHING,
    CONSTANT,
    STATE,
    TIME,
    Number,
    Optional,
    Reference,
    kinds_of,
)
from pliant.model.forces.action import MOMENTA
from pliant.model.formulas import Formula
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.formulas.tree import Name
from pliant.model.frames import COMPONENTS, MOTIONS, Frame, is_orientation
from pliant.model.frozen import did_you_mean
from pliant.model.joints.hinges import Hinge
from pliant.model.model import SECTIONS, Model
from pliant.model.networks.structure import Structure, state_names
from pliant.model.validation.context import ON_COORDINATE, About, Context, Described

LEGAL = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
LETTERS = "use letters, digits and _ (a-z, A-Z, 0-9), starting with a letter"
_LEGAL_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
RESERVED = frozenset({"ground", "t", "pi", "world", "x", "v", "and", "or", "not"})
ENERGIES = frozenset(
    {"kinetic_energy", "potential_energy", "mechanical_energy", "energy", "kinetic_energy_rate"}
)
TOTALS = ENERGIES | frozenset(MOMENTA)
"""Observables of the whole system."""
QUANTITIES = frozenset({
    "position", "orientation", "velocity", "angular_velocity", "own_velocity",
    "own_angular_velocity", "acceleration", "angular_acceleration",
})  # fmt: skip
# Sections whose names are used as the owner of observables share one space; so do plain names.
_OWNERS = ("bodies", "joints", "forces", "drivers", "constraints", "sensors", "networks")
_PLAIN = ("parameters", "signals", "speeds", "formulas")
_TOLD = TOTALS | {"time", "load_factor"}
"""What results have by themselves."""
ALSO_RESERVED: dict[str, frozenset[str]] = {
    "outputs": _TOLD,
    "speeds": _TOLD | frozenset(FUNCTIONS),
    "formulas": _TOLD | frozenset(FUNCTIONS),
    "parameters": frozenset(FUNCTIONS),
    "signals": frozenset(FUNCTIONS),
    "frames": QUANTITIES,
}
"""Names that are reserved in one section, or of frames."""


def coordinate_names(model: Model) -> set[str]:
    """Joint coordinates and rates as formulas name them."""
    return {
        f"{joint.name}.{part}"
        for joint in model.joints.values()
        for part in (*joint.told_names, *joint.rate_names, *(c.rate for c in joint.measured))
    }


def name_faults(context: Context) -> Iterator[Fault]:
    """Every bad name."""
    model = context.model
    nouns = {**SECTIONS, "parameters": "parameter", "speeds": "speed"}
    for section, noun in nouns.items():
        reserved = RESERVED | ALSO_RESERVED.get(section, frozenset())
        for name in getattr(model, section):
            yield from _bad_name(name, f"{noun} '{name}'", (section, name), reserved)
    yield from _frame_names("ground", ("ground",), model.ground.frames)
    for body, element in model.bodies.items():
        yield from _frame_names(f"body '{body}'", ("bodies", body), element.frames)
    for family in (_OWNERS, _PLAIN):
        owner: dict[str, str] = {}
        for section, name in ((s, n) for s in family for n in getattr(model, s)):
            if owner.setdefault(name, section) != section:
                what, who = (
                    f"a {nouns[owner[name]]} has the same name",
                    f"{nouns[section]} '{name}'",
                )
                taken = [n for s in family for n in getattr(model, s)]
                cure = curing("rename one of them", Rename(legal_name(name, taken)))
                yield Fault(who, what, cure, path=(section, name))


def _bad_name(
    name: str, who: str, path: tuple[str, ...], reserved: frozenset[str]
) -> Iterator[Fault]:
    if path[0] == "subgraphs" and _LEGAL_KIND.fullmatch(name):
        return
    if not LEGAL.fullmatch(name):
        what = f"'{name}' is not a legal name"
        yield Fault(who, what, curing(LETTERS, Rename(legal_name(name))), path=path)
    elif name in reserved:
        cure = curing("choose another name", Rename(legal_name(name, reserved)))
        yield Fault(who, f"the name '{name}' is reserved", cure, path=path)


def _frame_names(who: str, path: tuple[str, ...], frames: Iterable[str]) -> Iterator[Fault]:
    for name in frames:
        for fault in _bad_name(name, who, (*path, "frames", name), QUANTITIES):
            yield Fault(who, f"frame: {fault.what}", fault.cure, path=fault.path)


_ANYWHERE = Number("", ANYTHING)
_MAY_READ = {
    CONSTANT: "this number is constant: it may read parameters only",
    TIME: "a prescribed motion may read t, parameters and signals only",
    STATE: "",
    ANYTHING: "",
}
_FOLLOWS = "it follows from the forces; read positions, velocities and what networks hold"


_IN_SECTIONS = (".internal_", ".elastic_force", ".elastic_moment", ".stress")
_READ_AFTERWARDS = "outputs and events may read forces in sections, loads and drivers may not"


def scope_faults(context: Context) -> Iterator[Fault]:
    """Every name in a formula that cannot be read there."""
    known = _Known(context)
    for who, path, label, f, kind in _as_written(context):
        if path[0] == "parameters":
            continue
        for name in sorted(f.as_written.names - kind.local):
            named = name in known.written
            objection = known.through(name, f, kind) if named else known.objection(name, kind)
            if objection is not None:
                what, cure = objection
                yield Fault(who, f"{label}: {what}" if label else what, cure, path=path)


def _as_written(context: Context) -> Iterator[Described]:
    """Every formula; of bodies of simple shapes the sizes they are given by, not what follows."""
    made = {name: body.made for name, body in context.model.rigid.items() if body.made is not None}
    for name, shape in made.items():
        for key, value in shape.given.items():
            kind = SIZES.get(key, Number(""))
            if not isinstance(value, str | None):
                for label, f, number in kind.formulas(value):
                    yield f"body '{name}'", ("bodies", name, key), key + label, f, number
    for who, path, label, f, number in context.all_formulas():
        follows = (
            path[0] == "bodies"
            and path[1] in made
            and (path[2] in made[path[1]].found or path[2] == "shape")
        )
        if not follows:
            yield who, path, label, f, number


class _Known:
    """The names of a model, by what may read them."""

    def __init__(self, context: Context) -> None:
        model, self.context = context.model, context
        self.parameters = set(model.all_parameters())
        self.times = {"t", *model.signals}
        self.prescribed = {
            f"{n}.{told}" for n, driver in model.drivers.items() for told in driver.prescribed
        }
        self.named = model.named_formulas()
        self.written = model.formulas_as_written()
        self.joint_names = coordinate_names(model)
        self.network_states = {
            f"{name}.{label}"
            for name, network in model.networks.items()
            for label in state_names(Structure(model, network))
        }
        self.bare = {
            f.tree.name: kind for _, _, _, f, kind in _as_written(context)
            if isinstance(f.tree, Name) and f.tree.name not in self.parameters
        }  # fmt: skip
        """Kinds of fields that are just a name which is not known."""
        self.owners = {"ground"} | {name for section in _OWNERS for name in getattr(model, section)}

    def objection(self, name: str, kind: Number) -> tuple[str, str] | None:
        """What is wrong with reading this name here, and the cure; None if nothing is."""
        scope = kind.scope
        if name in self.parameters:
            return None
        if name in self.times:
            return None if scope != CONSTANT else (f"reads '{name}'", _MAY_READ[scope])
        if name in self.prescribed and scope not in (CONSTANT, TIME):
            return None
        moving = name in self.joint_names or name in self.network_states
        if moving or self.is_motion(name) or self.of_hinge(name):
            return None if scope in (STATE, ANYTHING) else (f"reads '{name}'", _MAY_READ[scope])
        if scope == ANYTHING and (name in ENERGIES or self.owner_of(name) in self.owners):
            return None if name in ENERGIES or "." in name else self.unknown(name, kind)
        owner, _, component = name.rpartition(".")
        if scope == ANYTHING and owner in MOMENTA and component in COMPONENTS:
            return None
        return self.unknown(name, kind)

    def through(self, name: str, f: Formula, kind: Number) -> tuple[str, str] | None:
        """What is wrong with what a named formula reads here; unknown names are told of itself."""
        for read in sorted(self.named[name].names & f.names if name in self.named else ()):
            found = self.objection(read, kind)
            if found is not None and self.objection(read, _ANYWHERE) is None:
                cure = _MAY_READ[kind.scope] or _FOLLOWS
                return f"reads '{name}', which reads '{read}'", cure
        return None

    def of_hinge(self, name: str) -> bool:
        """Whether it is a coordinate of a hinge of a segmented beam, or its rate."""
        owner = name.partition(".")[0]
        hinge = self.context.model.joint_named(owner) if ":" in owner else None
        return isinstance(hinge, Hinge) and name in hinge.names

    def owner_of(self, name: str) -> str:
        """The element that an observable belongs to; of parts of a beam that is cut, the beam."""
        owner = name.split(".")[0]
        beam = self.context.model.beams.get(owner.partition(":")[0])
        return owner if beam is None or not beam.theory.rewritten else beam.name

    def is_motion(self, name: str) -> bool:
        """True for `<frame>.position.x`, `<frame>.x_axis.z` and their like."""
        parts = name.split(".")
        if len(parts) not in (3, 4):
            return False
        moves = parts[-2] in MOTIONS and parts[-1] in COMPONENTS
        return (moves or is_orientation(*parts[-2:])) and self.context.body_of(
            ".".join(parts[:-2])
        ) is not None

    def unknown(self, name: str, kind: Number) -> tuple[str, str]:
        """That there is no such name."""
        scope, known, bodies = kind.scope, {*self.parameters}, self.context.model.bodies
        known |= {n for n, f in self.named.items() if f.names <= self.parameters}
        if scope != CONSTANT:
            known |= self.times | self.named.keys()
        if scope in (STATE, ANYTHING):
            known |= self.joint_names | self.network_states | self.prescribed
            known |= {f"{b}.{m}.{c}" for b in bodies for m in MOTIONS for c in "xyz"}
        if name.partition(".")[0] in self.owners and any(q in name for q in _IN_SECTIONS):
            return f"reads '{name}', which follows from accelerations", _READ_AFTERWARDS
        cure = did_you_mean(name, known)
        if "." not in name:
            wanted = self.bare.get(name, Number(""))
            cure = defining(cure, name, wanted, f"define the parameter '{name}'")
        return f"unknown name '{name}'", cure or "see the reference for what formulas may read"


def reference_faults(context: Context) -> Iterator[Fault]:
    """Every reference that leads nowhere."""
    for section, name, element in context.model.elements():
        own = About(section, name)
        for key, kind in kinds_of(element).items():
            kind = kind.kind if isinstance(kind, Optional) else kind
            ref = getattr(element, key) if isinstance(kind, Reference) else None
            if not isinstance(kind, Reference) or ref is None:
                continue
            if kind.to != "frame" and context.model.joint_named(ref) is None:
                cure = did_you_mean(ref, context.model.joints, sure=True) or "define the joint"
                yield own.fault(f"no joint '{ref}'", cure, key)
            elif kind.to == "frame":
                try:
                    context.model.frame(ref)
                except UnknownName as error:
                    yield own.fault(f"{key}: {error.what}", error.cure, key)
        if isinstance(element, ON_COORDINATE) and context.model.joint_named(element.joint):
            objection = coordinate_objection(context, element.joint, element.coordinate)
            yield from (own.fault(*said, "coordinate") for said in objection)
    yield from _frames("ground", ("ground",), context.model.ground.frames)
    for name, body in context.model.bodies.items():
        yield from _frames(f"body '{name}'", ("bodies", name), body.frames)
    yield from _observed(context)


_ANGLES = ("angle1", "angle2", "angle3")


def coordinate_objection(
    context: Context, joint: str, coordinate: str | None
) -> Iterator[tuple[str, str]]:
    """The scalar coordinate of a joint must exist and be clear: what is wrong, and the cure."""
    if context.coordinate(joint, coordinate) is not None:
        return
    own = context.model.joint_named(joint)
    names = [] if own is None else [c.name for c in (*own.scalars, *own.measured)]
    if own is not None and (not names or (own.told_set is not None and coordinate in _ANGLES)):
        cure = "choose another joint"
        if own.told_set is not None:
            cure = "tell its rotation in angles: coordinates: euler313 or bryant123"
        what = f"'{coordinate}'" if names else "scalar coordinate"
        yield f"joint '{joint}' is {own.kind} and has no {what}", cure
    elif coordinate is None:
        cure = curing(f"add coordinate: one of {', '.join(names)}",
                    *(Beside("joint", "coordinate", name) for name in names))  # fmt: skip
        yield f"joint '{joint}' has several coordinates", cure
    else:
        cure = did_you_mean(coordinate, names)
        yield f"joint '{joint}' has no coordinate '{coordinate}'", cure


def _frames(who: str, path: tuple[str, ...], frames: Mapping[str, Frame]) -> Iterator[Fault]:
    """Frames placed on unknown frames, or in a circle."""
    for name, frame in frames.items():
        where = (*path, "frames", name)
        if frame.on and frame.on not in frames:
            cure = did_you_mean(frame.on, frames)
            yield Fault(who, f"frame '{name}' is on an unknown frame '{frame.on}'", cure,
                        path=where)  # fmt: skip
        elif (circle := _circle(name, frames)) is not None and name == min(circle):
            what = f"frame '{name}' is placed on itself: {' -> '.join(circle)}"
            yield Fault(who, what, "place one of them on the body", path=where)


def _circle(start: str, frames: Mapping[str, Frame]) -> list[str] | None:
    way = [start]
    while (on := frames[way[-1]].on) in frames:
        if on == start:
            return [*way, on]
        if on in way:
            return None
        way.append(on)
    return None


BONDS = "bonds"
"""What the names of observables of bonds may begin with."""


def _observed(context: Context) -> Iterator[Fault]:
    """Observables asked for must belong to something."""
    model = context.model
    known = {name for _, name, _ in model.elements()} | {*model.speeds}
    known |= {"ground", *TOTALS}
    for name in model.settings.observe:
        owner = name.split(".")[0]
        if owner == BONDS and owner not in known:
            owner = name.split(".")[1] if "." in name else name
        beam = model.beams.get(owner.partition(":")[0])
        part = ":" in owner and beam is not None and beam.theory.rewritten
        matches = part or any(fnmatchcase(k, owner) for k in known)
        if not matches:
            cure = did_you_mean(owner, known)
            yield Fault("simulate", f"observe: nothing is named '{owner}' (in '{name}')", cure,
                        path=("simulate", "observe"))  # fmt: skip


def topology_faults(context: Context) -> Iterator[Fault]:
    """Joints that join nothing, bodies without mass that nothing holds, an empty model."""
    model = context.model
    if not model.bodies and not model.networks:
        cure = "add a body or a network"
        yield Fault("model", "it has no bodies", cure, path=("bodies",))
    for name, joint in model.joints.items():
        own = About("joints", name)
        body = context.body_of(joint.parent)
        if body is not None and body == context.body_of(joint.child):
            what = f"it joins '{body}' to itself ({joint.parent}, {joint.child})"
            yield own.fault(what, "join two different bodies")
        known = [*joint.told_names, *joint.rate_names]
        known += [c.rate for c in joint.measured if c.rate not in known]
        for label, values in (("initial", joint.initial), ("guess", joint.guess)):
            for given in values:
                if given not in known:
                    near = did_you_mean(given, [n for n in known if n not in values])
                    cure = otherwise(near, "remove it", Leave())
                    yield own.fault(f"{label}: no coordinate '{given}'", cure, given)
    for section in ("forces", "sensors"):
        for name, element in getattr(model, section).items():
            ends = [getattr(element, key) for key in element.pair]
            if len(ends) == 2 and ends[0] == ends[1]:
                what = f"both ends are at '{ends[0]}'"
                yield About(section, name).fault(what, "connect two different frames")
    yield from _massless(context)


def _massless(context: Context) -> Iterator[Fault]:
    held = {
        end.partition(".")[0]
        for joint in context.model.joints.values()
        if joint.kind not in ("free", "distance")
        for end in (joint.parent, joint.child)
    }
    for name, body in context.model.bodies.items():
        if not isinstance(body, RigidBody) or name in held:
            continue
        if context.number(body.mass) == 0:
            cure = "give it a mass, or join it to another body"
            yield About("bodies", name).fault("it has no mass and no joint holds it", cure)
