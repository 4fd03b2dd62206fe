"""How a body is drawn: its shape, a mesh, outlines of sections, or links between its frames.

A part is a plain mapping with its kind, its sizes in metres and its place in body axes. Sections of
a beam are closed loops of points (y, z); given modes have bars between neighbouring nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.model.bodies import Beam, Stiffness
from pliant.model.bodies.meshes import Triangles
from pliant.model.bodies.sections import Outline
from pliant.show.page.geometry import Geometry, distinct, numbers
from pliant.show.page.packing import indices, packed

Part = dict[str, Any]
_LETTERS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
THINNEST = 0.005
"""Beams are drawn at least this thick: half their section, in sizes of a body."""
_NEAREST = 3
Value = Callable[[Any], float]


class BodyShapes:
    """Draws the bodies of one model at a common scale."""

    def __init__(self, geometry: Geometry, meshes: Mapping[str, Triangles], reach: float) -> None:
        self.geometry, self.meshes = geometry, meshes
        sizes = [size for name in geometry.model.bodies if (size := self._extent(name)) > 0]
        self.scale = float(np.median(sizes)) if sizes else (0.2 * reach or 1.0)
        """A typical size of a body, in metres."""

    @property
    def thickness(self) -> float:
        """Radius of a link."""
        return 0.035 * self.scale

    def parts(self, name: str) -> list[Part]:
        """Everything drawn of a body."""
        if name in self.meshes:
            corners, faces = self.meshes[name]
            packed_faces = indices(faces.ravel())
            return [{"kind": "mesh", "corners": packed(list(corners.T)), "faces": packed_faces}]
        if name in self.geometry.pieces:
            return [self._sweep(name, self.geometry.pieces[name].drawn.x)]
        if name in self.geometry.elastic:
            x = self.geometry.elastic[name].points[:, 0]
            return [
                self._sweep(name, x) if name in self.geometry.model.beams else self._lattice(name)
            ]
        shape = self.geometry.shape(name)
        com = self.geometry.mass_properties(name).com
        if shape is not None:
            half = _half(*shape)
            half = half + 0.05 * np.linalg.norm(half)
            outside = [p for p in self.geometry.attached[name] if (np.abs(p - com) > half).any()]
            solid = self._solid(*shape, com, self._slightly(name))
            return [solid, *(self._link(com, p, 0.5) for p in outside)]
        return self._from_frames(name, com)

    def _extent(self, name: str) -> float:
        """The diagonal of all points of a body."""
        if name in self.meshes:
            return float(np.linalg.norm(np.ptp(self.meshes[name][0], axis=0)))
        geometry = self.geometry
        if name in geometry.pieces:
            return float(np.linalg.norm(np.ptp(geometry.pieces[name].extent, axis=0)))
        if name in geometry.elastic:
            return float(np.linalg.norm(np.ptp(geometry.elastic[name].points, axis=0)))
        points = [X.p for X in geometry.places(name).values()]
        points.append(geometry.mass_properties(name).com)
        size = float(np.linalg.norm(np.ptp(points, axis=0)))
        shape = geometry.shape(name)
        return max(size, float(np.linalg.norm(_half(*shape))) * 2) if shape else size

    def _slightly(self, name: str) -> float:
        """A factor that differs between neighbours, so that equal links are told apart."""
        return 1.0 - 0.08 * (list(self.geometry.model.bodies).index(name) % 3)

    def _solid(self, kind: str, sizes: Mapping[str, Any], com: Array, thick: float) -> Part:
        if kind == "rod":
            end = sizes["length"] * np.array(_LETTERS[sizes.get("along", "x")])
            return self._link(np.zeros(3), end, thick)
        if kind == "box":
            return {"kind": "box", "size": numbers(sizes["size"]), "p": numbers(com)}
        if kind == "cylinder":
            return {"kind": "cylinder", "radius": sizes["radius"], "length": sizes["length"],
                    "axis": _LETTERS[sizes.get("axis", "z")], "p": numbers(com)}  # fmt: skip
        return {"kind": "sphere", "radius": sizes["radius"], "p": numbers(com)}

    def _link(self, a: Array, b: Array, thick: float = 1.0) -> Part:
        return {"kind": "link", "a": numbers(a), "b": numbers(b), "radius": thick * self.thickness}

    def _sweep(self, name: str, x: Array) -> Part:
        """The section of a beam at places along its axis."""
        beam, shape = self.geometry.model.beams.get(name), self.geometry.shape(name)
        assert beam is not None
        outline = None if shape is None else drawn_outline(*shape)
        if outline is None:
            shares = (x - x[0]) / (x[-1] - x[0])
            outline = outline_of(beam, self.geometry.number, shares, 0.02 * self.scale)
        outline = outline.at_least(THINNEST * self.scale)
        loops = [[numbers(loop) for loop in places] for places in outline.loops]
        return {"kind": "sweep", "x": numbers(x), "loops": loops, "smooth": outline.smooth}

    def _lattice(self, name: str) -> Part:
        """Nodes, and bars between neighbours."""
        points = self.geometry.elastic[name].points
        bars = neighbours(points)
        lengths = [float(np.linalg.norm(points[a] - points[b])) for a, b in bars]
        radius = min(0.3 * self.thickness, 0.1 * float(np.median(lengths or [self.scale])))
        return {"kind": "lattice", "points": numbers(points), "bars": [k for b in bars for k in b],
                "radius": radius}  # fmt: skip

    def _from_frames(self, name: str, com: Array) -> list[Part]:
        """Links from one point to all others; a body of one point is a block or an ellipsoid."""
        has_mass = self.geometry.mass_properties(name).mass > 0
        frames = [X.p for X in self.geometry.places(name).values()]
        points = distinct([*self.geometry.attached[name], *frames])
        if has_mass:
            points = distinct([*points, com])
        if len(points) == 1:
            return [self._single(name, points[0])]
        hub = np.zeros(3)
        links = [
            self._link(hub, p, self._slightly(name)) for p in points if np.abs(p - hub).max() > 1e-9
        ]
        ball = {"kind": "sphere", "radius": 2.2 * self.thickness, "p": numbers(com)}
        farthest = max(float(np.linalg.norm(p)) for p in points)
        at_an_end = float(np.linalg.norm(com)) > 0.95 * farthest  # like the bob of a pendulum
        return [*links, ball] if has_mass and at_an_end else links

    def _single(self, name: str, point: Array) -> Part:
        slider = self._slide_of(name)
        if slider is not None:
            size = 0.16 * self.scale
            return {"kind": "block", "axis": numbers(slider), "length": 1.5 * size,
                    "width": size, "p": numbers(point)}  # fmt: skip
        return {"kind": "ellipsoid", "size": numbers(self._semi_axes(name)), "p": numbers(point)}

    def _slide_of(self, name: str) -> Array | None:
        """Direction in body axes along which the body slides."""
        for joint in self.geometry.model.joints.values():
            axes = [joint.directions[c.name][1] for c in joint.scalars
                    if c.unit == "m" and c.name in joint.directions]  # fmt: skip
            if axes:
                for ref in (joint.child, joint.parent):
                    body, _, frame = ref.partition(".")
                    if body == name:
                        place = self.geometry.places(body)[frame]
                        return np.asarray(place.R) @ axes[0]
        return None

    def _semi_axes(self, name: str) -> Array:
        """Of the homogeneous ellipsoid with the mass and moments of the body, within bounds."""
        own = self.geometry.mass_properties(name)
        mass, moments = own.mass, own.inertia[:3]
        smallest, largest = 1.2 * self.thickness, 1.5 * self.scale
        if mass <= 0 or not moments.any():
            return np.full(3, 2.2 * self.thickness)
        squares = 2.5 * (moments.sum() - 2 * moments) / mass
        axes: Array = np.clip(np.sqrt(np.maximum(squares, 0)), smallest, largest)
        return axes


def _half(kind: str, sizes: Mapping[str, Any]) -> Array:
    """Half the edges of the box around a shape; a rod has only its length."""
    if kind == "box":
        return np.asarray(sizes["size"]) / 2
    if kind == "sphere":
        return np.full(3, sizes["radius"])
    along = np.array(_LETTERS[sizes.get("axis", "z") if kind == "cylinder" else
                              sizes.get("along", "x")])  # fmt: skip
    half: Array = along * sizes["length"] / 2 + (1 - along) * sizes.get("radius", 0.0)
    return half


def neighbours(points: Array) -> list[tuple[int, int]]:
    """Pairs of nodes to connect: each with its nearest ones, and all of them in one piece."""
    count = len(points)
    if count < 2:
        return []
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(away, np.inf)
    pairs = set(_tree(away))
    for a in range(count):
        for b in np.argsort(away[a], kind="stable")[:_NEAREST]:
            if away[a, b] <= 1.3 * away[a].min():
                pairs.add((min(a, int(b)), max(a, int(b))))
    return sorted(pairs)


def _tree(away: Array) -> list[tuple[int, int]]:
    """The shortest bars that connect all nodes."""
    nearest, gap = np.zeros(len(away), dtype=int), away[0].copy()
    outside = np.arange(len(away)) > 0
    pairs = []
    while outside.any():
        b = int(np.argmin(np.where(outside, gap, np.inf)))
        a = int(nearest[b])
        pairs.append((min(a, b), max(a, b)))
        outside[b] = False
        closer = away[b] < gap
        nearest[closer], gap[closer] = b, away[b][closer]
    return pairs


def outline_of(body: Beam, value: Value, shares: Array, thickness: float) -> Outline:
    """Of a beam at fractions of its length; ``thickness`` where nothing says how thick it is."""
    if body.stiffness is not None:
        return Outline.box(*_sides(body.stiffness, value, thickness))
    stations = body.sections or ((0.0, body.section),)
    at = [s for s, _ in stations]
    if len(stations) == 1:
        shares = shares[:1]

    def sizes(name: str) -> Array:
        return np.interp(shares, at, [value(getattr(s, name)) for _, s in stations])

    first: Any = stations[0][1]
    found: Outline = first.sized(sizes).outline()
    return found


def drawn_outline(kind: str, sizes: dict[str, Any]) -> Outline | None:
    """Of a shape that the user gave a beam to be drawn with, where it has a section."""
    if kind == "box":
        return Outline.box(*(np.array([s]) for s in sizes["size"][1:]))
    if kind == "cylinder":
        return Outline.round(np.array([sizes["radius"]]))
    return None


def _sides(stiffness: Stiffness, value: Value, thickness: float) -> tuple[Array, Array]:
    """Of the rectangle with these ratios of bending to axial stiffness, where they are given."""
    EA, EIy, EIz = (
        0.0 if f is None else value(f) for f in (stiffness.EA, stiffness.EIy, stiffness.EIz)
    )
    if not EA:
        return np.array([thickness]), np.array([thickness])
    y, z = np.sqrt(12 * EIz / EA), np.sqrt(12 * EIy / EA)
    return np.array([y or z or thickness]), np.array([z or y or thickness])
