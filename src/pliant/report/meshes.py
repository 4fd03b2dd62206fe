"""Triangles of the bodies that are drawn from mesh files, in body axes and metres."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.mechanics.placement import rotation_of
from pliant.model.meshes import Triangles, read_mesh
from pliant.model.named import did_you_mean
from pliant.report.geometry import Geometry
from pliant.spatial.ops import NUMERIC

__all__ = ["Array", "Mesh", "Triangles", "meshes_of", "read_mesh"]

Mesh = str | os.PathLike[str] | tuple[str | os.PathLike[str], float]


def meshes_of(geometry: Geometry, given: Mapping[str, Mesh]) -> dict[str, Triangles]:
    """The meshes given for this page, and those of the model for all other bodies."""
    bodies = geometry.model.bodies
    found = {}
    for name, mesh in given.items():
        if name not in bodies:
            raise UnknownName(f"meshes: no body '{name}'", did_you_mean(name, bodies))
        file, scale = mesh if isinstance(mesh, tuple) else (mesh, 1.0)
        corners, faces = read_mesh(file)
        found[name] = (scale * corners, faces)
    for name, body in bodies.items():
        drawing = (body.shape or {}).get("mesh")
        if drawing is not None and name not in found:
            found[name] = _placed(geometry, name, drawing)
    return found


def _placed(geometry: Geometry, name: str, drawing: Mapping[str, Any]) -> Triangles:
    """The triangles of a shape {mesh: {file, scale, at, orientation}}."""
    try:
        corners, faces = read_mesh(drawing["file"])
    except InputError as error:
        raise type(error)(f"body '{name}': {error.what}", error.cure) from None
    if "scale" in drawing:
        corners = geometry.number(drawing["scale"]) * corners
    if "orientation" in drawing:
        corners = corners @ rotation_of(NUMERIC, drawing["orientation"], geometry.number).T
    if "at" in drawing:
        corners = corners + geometry.vector(drawing["at"])
    return corners, faces
