"""References and topology: what elements speak of must exist, and be joined so that it can move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from pliant.errors import Fault, UnknownName
from pliant.model.bodies import RigidBody
from pliant.model.fields import Optional, Reference, kinds_of
from pliant.model.forces import Bushing, Spring
from pliant.model.frames import Frame
from pliant.model.named import did_you_mean
from pliant.model.validation.context import ON_COORDINATE, About, Context
from pliant.model.validation.names import TOTALS


def reference_faults(context: Context) -> Iterator[Fault]:
    """Every reference that leads nowhere."""
    for section, name, element in context.model.elements():
        own = About(section, name)
        for key, kind in kinds_of(element).items():
            kind = kind.kind if isinstance(kind, Optional) else kind
            ref = getattr(element, key) if isinstance(kind, Reference) else None
            if isinstance(kind, Reference) and ref is not None:
                yield from _reference(context, kind.to, ref, own, key)
        if isinstance(element, ON_COORDINATE) and element.joint in context.model.joints:
            objection = coordinate_objection(context, element.joint, element.coordinate)
            yield from (own.fault(*said, "coordinate") for said in objection)
    yield from _frames("ground", ("ground",), context.model.ground.frames)
    for name, body in context.model.bodies.items():
        yield from _frames(f"body '{name}'", ("bodies", name), body.frames)
    yield from _observed(context)


def _reference(context: Context, to: str, ref: str, own: About, key: str) -> Iterator[Fault]:
    if to == "frame":
        try:
            context.model.frame(ref)
        except UnknownName as error:
            yield own.fault(f"{key}: {error.what}", error.cure, key)
    elif ref not in context.model.joints:
        cure = did_you_mean(ref, context.model.joints) or "define the joint"
        yield own.fault(f"no joint '{ref}'", cure, key)


def coordinate_objection(
    context: Context, joint: str, coordinate: str | None
) -> Iterator[tuple[str, str]]:
    """The scalar coordinate of a joint must exist and be clear: what is wrong, and the cure."""
    if context.coordinate(joint, coordinate) is not None:
        return
    names = [c.name for c in context.model.joints[joint].scalars]
    if not names:
        kind = context.model.joints[joint].kind
        yield f"joint '{joint}' is {kind} and has no scalar coordinate", "choose another joint"
    elif coordinate is None:
        cure = f"add coordinate: one of {', '.join(names)}"
        yield f"joint '{joint}' has several coordinates", cure
    else:
        cure = did_you_mean(coordinate, names)
        yield f"joint '{joint}' has no coordinate '{coordinate}'", cure


def _frames(who: str, path: tuple[str, ...], frames: Mapping[str, Frame]) -> Iterator[Fault]:
    """Frames placed on unknown frames, or in a circle."""
    for name, frame in frames.items():
        where = (*path, "frames")
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
    known = {name for _, name, _ in model.elements()} | {*model.outputs, *model.speeds}
    known |= {"ground", *TOTALS}
    for name in model.settings.observe:
        owner = name.split(".")[0]
        if owner == BONDS and owner not in known:
            owner = name.split(".")[1] if "." in name else name
        matches = any(fnmatchcase(k, owner) for k in known)
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
        known = [*joint.coordinate_names, *joint.rate_names]
        for label, values in (("initial", joint.initial), ("guess", joint.guess)):
            for given in values:
                if given not in known:
                    cure = did_you_mean(given, known) or "remove it"
                    yield own.fault(f"{label}: no coordinate '{given}'", cure, given)
    for name, element in model.forces.items():
        if isinstance(element, (Spring, Bushing)) and element.frame_a == element.frame_b:
            what = f"both ends are at '{element.frame_a}'"
            yield About("forces", name).fault(what, "connect two different frames")
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
