"""What the 3-D view shows: bodies, frames, joints, symbols of elements and arrows of forces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pliant.model.bodies.base import rgb
from pliant.model.bodies.meshes import Triangles
from pliant.model.forces.action import Symbol
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
        "symbols": list(_symbols(geometry)),
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
        **_look(geometry.model.bodies[name]),
        "frames": _frames(geometry, name),
        "parts": draughtsman.parts(name),
        **({"elastic": elastic.as_data()} if elastic else {}),
        **({"pieces": pieces.as_data()} if pieces else {}),
    }


def _look(body: Any) -> Data:
    """Its colour, opacity and whether it is drawn, where something is said."""
    look: Data = {"colour": rgb(body.colour)} if body.colour else {}
    look |= {"opacity": body.opacity} if body.opacity < 1 else {}
    return look | ({} if body.visible else {"visible": False})


def _joint(joint: Joint) -> Data:
    axes: list[Data] = []
    for axis in _directions(joint).values():
        if axis not in axes:
            axes.append(axis)
    return {"name": joint.name, "kind": joint.kind, "parent": joint.parent, "child": joint.child,
            "axes": axes, **_marks(joint)}  # fmt: skip


def _marks(joint: Joint) -> Data:
    """What a joint is drawn by: pins about its axes unless these wander, a ball, the rail of its
    only displacement, a plate that slides in its plane, a foot where it turns about an axis that
    stays where it is; a block if there is nothing else to see, though it holds something."""
    directions = _directions(joint)
    units = {c.name: c.unit for c in joint.scalars}
    moved = [name for name, unit in units.items() if unit == "m"]
    turned = [axis for name, axis in directions.items() if units.get(name) == "rad"]
    rail = _rail(joint, turned, [directions[name] for name in moved if name in directions])
    marks = {
        "pins": [axis for axis in turned if not _along(rail, axis)] if len(moved) < 2 else [],
        "ball": bool(joint.pulls or (joint.told_set and not joint.is_free)),
        "rail": rail,
        "plate": turned[0] if len(moved) == 2 and turned else None,
        "foot": {"point", "axis"} <= {*joint.common},
    }
    seen = any(marks.values()) or joint.symbols or joint.is_free
    return {**marks, "block": not seen}


def _along(rail: Data | None, axis: Data) -> bool:
    """Whether a bar turns about itself."""
    return rail is not None and all(rail[key] == axis[key] for key in ("frame", "direction"))


def _rail(joint: Joint, turned: Sequence[Data], moved: Sequence[Data]) -> Data | None:
    """What it slides on: a rod where it turns about the same axis, a spindle where it screws."""
    if joint.advances:
        return {**turned[0], "form": "thread"}
    if len(moved) != 1:
        return None
    return {**moved[0], "form": "round" if moved[0] in turned else "square"}


def _directions(joint: Joint) -> dict[str, Data]:
    """Coordinates of a joint that have a direction: a frame and components in it."""
    return {c: {"frame": frame, "direction": numbers(axis)}
            for c, (frame, axis) in joint.directions.items()}  # fmt: skip


_ABOUT = {"spring": "torsion_spring", "spring_damper": "torsion_spring", "damper": "brake",
          "actuator": "motor"}  # fmt: skip
_STRAIGHT = {"wheel": "rack"}
"""How symbols of angles, and of displacements, are drawn."""


def _symbols(geometry: Geometry) -> Iterator[Data]:
    """What stands for elements, between two frames or at a joint coordinate."""
    model = geometry.model
    for name, element in (*model.joints.items(), *model.forces.items(),
                          *model.constraints.items(), *model.drivers.items()):  # fmt: skip
        for symbol in element.symbols:
            if symbol.a:
                yield {"name": name, "kind": symbol.kind, "a": symbol.a, "b": symbol.b}
            elif symbol.joint in model.joints:
                yield from _at_coordinate(geometry, name, symbol)


def _at_coordinate(geometry: Geometry, name: str, symbol: Symbol) -> Iterator[Data]:
    """About or along the direction of a coordinate, if it has one that stays where it is."""
    joint = geometry.model.joints[symbol.joint]
    coordinate = joint.acting(symbol.coordinate)
    axis = coordinate and _directions(joint).get(coordinate.name)
    if coordinate and axis:
        kinds = _STRAIGHT if coordinate.unit == "m" else _ABOUT
        ends = (joint.parent, joint.child) if "axis" in joint.common else (axis["frame"],) * 2
        yield {"name": name, "kind": kinds.get(symbol.kind, symbol.kind), "a": ends[0],
               "b": ends[1], "direction": axis["direction"],
               **_wheel(geometry, symbol)}  # fmt: skip


def _wheel(geometry: Geometry, symbol: Symbol) -> Data:
    """Its radius, or its share of the way to its mate: r = d / (1 + |ratio|) where wheels mesh from
    outside; of others, such as those of a belt, half of that."""
    if symbol.radius is not None:
        return {"radius": abs(geometry.number(symbol.radius))}
    if symbol.ratio is None or symbol.mate not in geometry.model.joints:
        return {}
    ratio = geometry.number(symbol.ratio)
    share = (1.0 if ratio < 0 else 0.5) / (1 + abs(ratio))
    return {"share": share, "mate": geometry.model.joints[symbol.mate].child}


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
