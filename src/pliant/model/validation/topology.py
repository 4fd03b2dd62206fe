"""Topology: what is joined to what."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.errors import Fault
from pliant.model.bodies import RigidBody
from pliant.model.forces import Bushing, Spring
from pliant.model.named import did_you_mean
from pliant.model.validation.context import Context


def topology_faults(context: Context) -> Iterator[Fault]:
    """Joints that join nothing, bodies without mass that nothing holds, an empty model."""
    model = context.model
    if not model.bodies and not model.networks:
        cure = "add a body or a network"
        yield Fault("model", "it has no bodies", cure, path=("bodies",))
    for name, joint in model.joints.items():
        who, path = f"joint '{name}'", ("joints", name)
        body = context.body_of(joint.parent)
        if body is not None and body == context.body_of(joint.child):
            what = f"it joins '{body}' to itself ({joint.parent}, {joint.child})"
            yield Fault(who, what, "join two different bodies", path=path)
        known = [*joint.coordinate_names, *joint.rate_names]
        for label, values in (("initial", joint.initial), ("guess", joint.guess)):
            for given in values:
                if given not in known:
                    cure = did_you_mean(given, known) or "remove it"
                    yield Fault(who, f"{label}: no coordinate '{given}'", cure, path=(*path, given))
    for name, element in model.forces.items():
        if isinstance(element, (Spring, Bushing)) and element.frame_a == element.frame_b:
            what = f"both ends are at '{element.frame_a}'"
            yield Fault(f"force '{name}'", what, "connect two different frames",
                        path=("forces", name))  # fmt: skip
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
            yield Fault(f"body '{name}'", "it has no mass and no joint holds it",
                        "give it a mass, or join it to another body",
                        path=("bodies", name))  # fmt: skip
