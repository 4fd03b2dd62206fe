"""The parts of a body (``show/page/drawing.py``) as surfaces in body axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.model.bodies.meshes import Triangles
from pliant.show.picture.surfaces import (
    Surface,
    along,
    box,
    capsule,
    cylinder,
    ellipsoid,
    joined,
    mesh,
    sweep,
)

Part = Mapping[str, Any]
_NONE = np.zeros(3)


def surface_of(parts: Sequence[Part], triangles: Triangles | None = None) -> Surface:
    """All parts of a body; ``triangles``: of its mesh, if it is drawn by one."""
    found = [_MAKERS[part["kind"]](part) for part in parts if part["kind"] in _MAKERS]
    if triangles is not None:
        found.append(mesh(*triangles))
    return joined(found)


def _box(part: Part) -> Surface:
    return box(part["size"]).moved(np.eye(3), np.array(part["p"]))


def _cylinder(part: Part) -> Surface:
    solid = cylinder(part["radius"], part["length"])
    return solid.moved(along(part["axis"]), np.array(part["p"]))


def _sphere(part: Part) -> Surface:
    return ellipsoid([part["radius"]] * 3).moved(np.eye(3), np.array(part["p"]))


def _ellipsoid(part: Part) -> Surface:
    return ellipsoid(part["size"]).moved(np.eye(3), np.array(part["p"]))


def _link(part: Part) -> Surface:
    return link(np.array(part["a"]), np.array(part["b"]), part["radius"])


def link(a: Array, b: Array, radius: float) -> Surface:
    """A round bar between two points; a ball where they are one."""
    way = b - a
    length = float(np.linalg.norm(way))
    if not length > 0:
        return ellipsoid([radius] * 3).moved(np.eye(3), a)
    return capsule(radius, length).moved(along(way), (a + b) / 2)


def _block(part: Part) -> Surface:
    solid = box([part["width"], part["width"], part["length"]])
    return solid.moved(along(part["axis"]), np.array(part["p"]))


def _sweep(part: Part) -> Surface:
    loops = [np.array(places).reshape(len(places), -1, 2) for places in part["loops"]]
    return sweep(np.array(part["x"]), loops, part["smooth"])


def _lattice(part: Part) -> Surface:
    points, radius = np.array(part["points"]).reshape(-1, 3), part["radius"]
    ball = ellipsoid([1.6 * radius] * 3, around=8)
    pieces = [ball.moved(np.eye(3), p) for p in points]
    for a, b in np.array(part["bars"], dtype=np.int64).reshape(-1, 2):
        pieces.append(link(points[a], points[b], radius))
    return joined(pieces)


_MAKERS: dict[str, Callable[[Part], Surface]] = {
    "box": _box, "cylinder": _cylinder, "sphere": _sphere, "ellipsoid": _ellipsoid, "link": _link,
    "block": _block, "sweep": _sweep, "lattice": _lattice,
}  # fmt: skip
