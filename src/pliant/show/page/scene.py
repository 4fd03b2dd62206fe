"""What the 3-D view shows: bodies, frames, joints, springs and the arrows of forces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.model.bodies.meshes import Triangles
from pliant.model.joints import Joint
from pliant.show.page.drawing import BodyShapes
from pliant.show.page.geometry import Geometry, numbers, pose_data

Data = dict[str, Any]


def scene_data(
    geometry: Geometry, observed: Mapping[str, Any], meshes: Mapping[str, Triangles], reach: float
) -> Data:
    """The whole scene; arrows only of forces among the observables."""
    draughtsman = BodyShapes(geometry, meshes, reach)
    model = geometry.model
    return {
        "scale": float(f"{draughtsman.scale:.6g}"),
        "gravity": numbers(geometry.vector(model.gravity)),
        "ground": {"frames": _frames(geometry, "ground")},
        "bodies": [_body(geometry, draughtsman, name) for name in model.bodies],
        "joints": [_joint(j) for j in model.joints.values()],
        "springs": list(_springs(geometry)),
        "arrows": [a for a in _arrows(geometry) if a["series"] in observed],
    }


def _frames(geometry: Geometry, owner: str) -> list[Data]:
    """Poses on the body; of a flexible body relative to the place that carries the frame."""
    if owner in geometry.pieces:
        own = geometry.pieces[owner]
        placed = ((name, *own.frame_place(name)) for name in own.frames)
        return [{"name": name, "place": k, **pose_data(X)} for name, k, X in placed]
    if owner in geometry.elastic:
        carried = geometry.elastic[owner].frames.items()
        return [{"name": name, "place": k, **pose_data(X)} for name, (k, X) in carried]
    places = geometry.places(owner).items()
    return [{"name": name, **pose_data(X)} for name, X in places if name]


def _body(geometry: Geometry, draughtsman: BodyShapes, name: str) -> Data:
    own = geometry.mass_properties(name)
    elastic, pieces = geometry.elastic.get(name), geometry.pieces.get(name)
    return {
        "name": name,
        "mass": float(f"{own.mass:.9g}"),
        "com": numbers(own.com),
        "inertia": numbers(own.inertia),
        "about": own.about,
        "frames": _frames(geometry, name),
        "parts": draughtsman.parts(name),
        **({"elastic": elastic.as_data()} if elastic else {}),
        **({"pieces": pieces.as_data()} if pieces else {}),
    }


def _joint(joint: Joint) -> Data:
    axes: list[Data] = []
    for axis in _directions(joint).values():
        if axis not in axes:
            axes.append(axis)
    return {"name": joint.name, "kind": joint.kind, "parent": joint.parent, "child": joint.child,
            "axes": axes, **_marks(joint)}  # fmt: skip


def _marks(joint: Joint) -> Data:
    """What a joint is drawn by: pins about its axes unless these wander, a ball, the rail of its
    only displacement, a foot where it turns about an axis that stays where it is."""
    directions = _directions(joint)
    units = {c.name: c.unit for c in joint.scalars}
    moved = [name for name, unit in units.items() if unit == "m"]
    turned = [axis for name, axis in directions.items() if units.get(name) == "rad"]
    return {
        "pins": turned if len(moved) < 2 else [],
        "ball": bool(joint.pulls or (joint.told_set and not joint.is_free)),
        "rail": directions.get(moved[0]) if len(moved) == 1 else None,
        "foot": {"point", "axis"} <= {*joint.common},
    }


def _directions(joint: Joint) -> dict[str, Data]:
    """Coordinates of a joint that have a direction: a frame and components in it."""
    return {c: {"frame": frame, "direction": numbers(axis)}
            for c, (frame, axis) in joint.directions.items()}  # fmt: skip


def _springs(geometry: Geometry) -> Iterator[Data]:
    for name, element in (*geometry.model.forces.items(), *geometry.model.joints.items()):
        for kind, a, b in element.symbols:
            yield {"name": name, "kind": kind, "a": a, "b": b}


def _arrows(geometry: Geometry) -> Iterator[Data]:
    """Vectors at frames; scalars with the direction they act along."""
    model = geometry.model
    for name, joint in model.joints.items():
        for quantity in ("force", "torque"):
            yield _arrow("reaction", name, quantity, joint.child)
    for name, element in (*model.forces.items(), *model.drivers.items()):
        for arrow in element.arrows:
            towards = {"towards": arrow.towards} if arrow.towards else {}
            yield {**_arrow("applied", name, arrow.quantity, arrow.at), **towards}
        if element.joint in model.joints:
            yield from _effort(model.joints[element.joint], name, element.coordinate)


def _effort(joint: Joint, name: str, coordinate: str | None) -> Iterator[Data]:
    """An effort along a coordinate whose direction can be drawn."""
    along = _directions(joint).get(coordinate or joint.scalars[0].name)
    if along:
        for quantity in ("force", "torque"):
            yield {**_arrow("applied", name, quantity, joint.child), "along": along}


def _arrow(group: str, name: str, quantity: str, at: str) -> Data:
    return {"group": group, "name": name, "quantity": quantity, "at": at,
            "series": f"{name}.{quantity}"}  # fmt: skip
