"""What the 3-D view shows: bodies, frames, joints, springs and the arrows of forces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from pliant.model.drivers import FrameDriver, JointDriver
from pliant.model.forces import Actuator, Bushing, Force, JointFriction, JointSpring, Spring, Torque
from pliant.model.forces.beam_element import BeamElement
from pliant.model.joints import Joint
from pliant.model.meshes import Triangles
from pliant.report.drawing import Draughtsman, axis_of
from pliant.report.geometry import Geometry, numbers, pose_data

Data = dict[str, Any]
_ONE_AXIS = ("revolute", "prismatic", "cylindrical", "screw")


def scene_data(
    geometry: Geometry, observed: Mapping[str, Any], meshes: Mapping[str, Triangles], reach: float
) -> Data:
    """The whole scene; arrows only of forces among the observables."""
    draughtsman = Draughtsman(geometry, meshes, reach)
    model = geometry.model
    return {
        "scale": float(f"{draughtsman.scale:.6g}"),
        "gravity": numbers(geometry.vector(model.gravity)),
        "ground": {"frames": _frames(geometry, "ground")},
        "bodies": [_body(geometry, draughtsman, name) for name in model.bodies],
        "joints": [_joint(j) for n, j in model.joints.items() if n not in geometry.inner],
        "springs": list(_springs(geometry)),
        "arrows": [a for a in _arrows(geometry) if a["series"] in observed],
    }


def _frames(geometry: Geometry, owner: str) -> list[Data]:
    """Poses on the body; of a flexible body relative to the place that carries the frame."""
    if owner in geometry.elastic:
        carried = geometry.elastic[owner].frames.items()
        return [{"name": name, "place": k, **pose_data(X)} for name, (k, X) in carried]
    places = geometry.places(owner).items()
    return [{"name": name, **pose_data(X)} for name, X in places if name]


def _body(geometry: Geometry, draughtsman: Draughtsman, name: str) -> Data:
    own = geometry.mass_properties(name)
    elastic = geometry.elastic.get(name)
    return {
        "name": name,
        "mass": float(f"{own.mass:.9g}"),
        "com": numbers(own.com),
        "inertia": numbers(own.inertia),
        "about": own.about,
        "frames": _frames(geometry, name),
        "parts": draughtsman.parts(name),
        **({"elastic": elastic.as_data()} if elastic else {}),
    }


def _joint(joint: Joint) -> Data:
    axes: list[Data] = []
    for _, axis in _directions(joint):
        if axis not in axes:
            axes.append(axis)
    return {"name": joint.name, "kind": joint.kind, "parent": joint.parent, "child": joint.child,
            "axes": axes}  # fmt: skip


def _directions(joint: Joint) -> Iterator[tuple[str, Data]]:
    """Each scalar coordinate of a joint with its direction: a frame and components in it."""
    R = np.asarray(joint.canonical_axes())
    if joint.kind in _ONE_AXIS:
        for scalar in joint.scalars:
            yield scalar.name, {"frame": joint.parent, "direction": numbers(axis_of(joint))}
    elif joint.kind == "universal":
        for k, ref in enumerate((joint.parent, joint.child)):
            yield joint.scalars[k].name, {"frame": ref, "direction": numbers(R[:, k])}
    elif joint.kind == "planar":
        yield joint.scalars[2].name, {"frame": joint.parent, "direction": numbers(R[:, 2])}


def _springs(geometry: Geometry) -> Iterator[Data]:
    for name, force in geometry.model.forces.items():
        if isinstance(force, Spring | Bushing):
            yield {"name": name, "kind": force.kind, "a": force.frame_a, "b": force.frame_b}
        elif isinstance(force, BeamElement):
            for a, b in pairwise(force.frames):
                yield {"name": name, "kind": "distance", "a": a, "b": b}
    for name, joint in geometry.model.joints.items():
        if joint.kind == "distance":
            yield {"name": name, "kind": "distance", "a": joint.parent, "b": joint.child}


def _arrows(geometry: Geometry) -> Iterator[Data]:
    """Vectors at frames; scalars with the direction they act along."""
    model = geometry.model
    for name, joint in model.joints.items():
        for quantity in ("force", "torque") if name not in geometry.inner else ():
            yield _arrow("reaction", name, quantity, joint.child)
    for name, force in model.forces.items():
        if isinstance(force, Force | Torque):
            yield _arrow("applied", name, force.kind, force.frame)
        elif isinstance(force, Spring):
            yield {**_arrow("applied", name, "force", force.frame_a), "towards": force.frame_b}
            yield {**_arrow("applied", name, "force", force.frame_b), "towards": force.frame_a}
        elif isinstance(force, Bushing):
            for quantity in ("force", "torque"):
                yield _arrow("applied", name, quantity, force.frame_b)
        elif isinstance(force, Actuator | JointFriction | JointSpring) and ":" not in name:
            yield from _effort(model.joints[force.joint], name, force.coordinate)
    for name, driver in model.drivers.items():
        if isinstance(driver, JointDriver):
            yield from _effort(model.joints[driver.joint], name, driver.coordinate)
        elif isinstance(driver, FrameDriver):
            for quantity in ("force", "torque"):
                yield _arrow("applied", name, quantity, driver.frame)


def _effort(joint: Joint, name: str, coordinate: str | None) -> Iterator[Data]:
    """An effort along a coordinate whose direction can be drawn."""
    along = dict(_directions(joint)).get(coordinate or joint.scalars[0].name)
    if along:
        for quantity in ("force", "torque"):
            yield {**_arrow("applied", name, quantity, joint.child), "along": along}


def _arrow(group: str, name: str, quantity: str, at: str) -> Data:
    return {"group": group, "name": name, "quantity": quantity, "at": at,
            "series": f"{name}.{quantity}"}  # fmt: skip
