"""Point masses that nothing turns: they have a position, and no rotation to be determined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.model.bodies import RigidBody
from pliant.model.fields import Reference, kinds_of
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.networks.flat import flatten

_PULLING = ("distance", "spring", "force")
"""Elements that pull at a point along directions of their own, whatever axes it has."""


def free_points(model: Model) -> frozenset[str]:
    """Bodies without inertia and with their mass at the origin, of whose orientation and rotation
    nothing is given, and which elements only pull at their origin."""
    found = {name for name, body in model.bodies.items() if _is_point(body)}
    if not found:
        return frozenset()
    for element in _elements(model):
        for key, kind in kinds_of(element).items():
            if isinstance(kind, Reference) and kind.to == "frame":
                body, _, frame = str(getattr(element, key)).partition(".")
                if body in found and not (_pulls(element) and _at_origin(model, body, frame)):
                    found.discard(body)
    return frozenset(found)


def _elements(model: Model) -> Iterator[Any]:
    yield from (*model.joints.values(), *model.forces.values(), *model.drivers.values(),
                *model.constraints.values())  # fmt: skip
    for network in model.networks:
        yield from (e.port for e in flatten(model, network).elements.values()
                    if e.port is not None)  # fmt: skip


def _is_point(body: Any) -> bool:
    if not isinstance(body, RigidBody) or _zero(body.mass):
        return False
    turned = body.initial is not None and not (
        body.initial.orientation is None and body.initial.angular_velocity is None
    )
    return not turned and all(_zero(f) for f in (*body.com, *body.inertia))


def _zero(f: Formula) -> bool:
    return f.is_constant and float(f.value) == 0.0


def _pulls(element: Any) -> bool:
    if getattr(element, "translation", None) is not None:  # a driver of a frame
        return element.orientation is None and element.angular is None
    return getattr(element, "kind", "") in _PULLING


def _at_origin(model: Model, body: str, frame: str) -> bool:
    while frame:
        own = model.bodies[body].frames[frame]
        if not all(_zero(f) for f in own.position):
            return False
        frame = own.on
    return True
