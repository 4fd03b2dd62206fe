"""The model in numbers: frames, masses, sizes and flexible bodies with the parameters of the run.

A place on a flexible body moves with the elastic coordinates,
p = p0 + L q - 1/2 qᵀ H q and R = exp([psi q]x) exp([phi q, 0, 0]x), see `FrameData`. The first
places carry the drawing (points of the axis of a beam, nodes of given modes), the others frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.data import FlexibleData, FrameData
from pliant.flex.given import GivenGeometry
from pliant.flex.rewriting.model import axes, expanded
from pliant.mechanics.placement import rotation_of
from pliant.mechanics.values import Values
from pliant.model.bodies import Beam
from pliant.model.bodies.beam_shapes import FIELDS
from pliant.model.formulas import Formula
from pliant.model.frames import Frame
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.show.page.packing import packed
from pliant.show.page.pieces import CutBody, carried_frames
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import to_quaternion

FEWEST_POINTS, MOST_POINTS = 25, 65
MOST_NODES = 400


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass, centre of mass in the body frame, six moments of inertia about `about`."""

    mass: float
    com: Array
    inertia: Array
    about: str = "com"


class Geometry(Values):
    """A model with the values of its parameters in force, and what is drawn of it."""

    @cached_property
    def elastic(self) -> dict[str, ElasticBody]:
        """Beams and bodies with given modes."""
        return {name: elastic_body(self, name) for name in self.flexible if name not in self.pieces}

    @cached_property
    def taken_apart(self) -> Model:
        """The model that moves: beams of some theories are taken apart."""
        return expanded(self.model, self.parameters)

    @cached_property
    def pieces(self) -> dict[str, CutBody]:
        """Those beams."""
        if self.taken_apart is self.model:
            return {}
        found = {}
        inner = Values(self.taken_apart, self.taken_apart.parameter_values(self.parameters))
        for name, axis in axes(self.model, self.parameters).items():
            parts = {b: inner.places(b) for b, of in self.taken_apart.origin.items()
                     if of == name and b in self.taken_apart.bodies}  # fmt: skip
            frames = carried_frames(self.model.beams[name].frames, parts)
            length = axis.knots[-1].x
            at = {f: self._along(self.model.beams[name].frames, f) for f in frames}
            held = holds_both_ends(self.model, name, {"": 0.0, **at}, length)
            found[name] = CutBody(name, axis, frames, held)
        return found

    def mass_properties(self, name: str) -> MassProperties:
        """Of the undeformed body."""
        body = self.model.rigid.get(name)
        if name in self.pieces:
            return MassProperties(*self.pieces[name].mass_properties())
        if body is None:
            return MassProperties(*self.elastic[name].mass_properties())
        return MassProperties(
            self.number(body.mass), self.vector(body.com), self.vector(body.inertia),
            body.inertia_about,
        )  # fmt: skip

    def places(self, body: str) -> dict[str, Pose]:
        """X_BP of every frame of an undeformed body or of the ground."""
        if body in self.pieces:
            return self.pieces[body].undeformed()
        return self.elastic[body].undeformed() if body in self.elastic else super().places(body)

    @cached_property
    def attached(self) -> dict[str, list[Array]]:
        """Points of each body that joints, forces and drivers take hold of, in body axes."""
        found: dict[str, list[Array]] = {name: [] for name in ("ground", *self.model.bodies)}
        held = [r for joint in self.model.joints.values() for r in (joint.parent, joint.child)]
        elements = (*self.model.forces.values(), *self.model.drivers.values())
        fields = ("frame", "frame_a", "frame_b")
        held += [r for e in elements for field in fields if (r := getattr(e, field, None))]
        for ref in held:
            body, _, frame = ref.partition(".")
            found[body].append(self.places(body)[frame].p)
        return {name: distinct(points) for name, points in found.items()}

    def shape(self, body: str) -> tuple[str, dict[str, Any]] | None:
        """The kind and the sizes of the simple shape a body is drawn with."""
        shape = self.model.bodies[body].shape
        if shape is None or "mesh" in shape:
            return None
        ((kind, fields),) = shape.items()
        sizes = {}
        for key, value in fields.items():
            number = self.number if isinstance(value, Formula) else self.vector
            sizes[key] = value if isinstance(value, str) else number(value)
        return kind, sizes


def distinct(points: list[Array], tolerance: float = 1e-9) -> list[Array]:
    """Points without repetition."""
    kept: list[Array] = []
    for point in points:
        if all(np.abs(point - other).max() > tolerance for other in kept):
            kept.append(point)
    return kept


def numbers(values: Any) -> list[float]:
    """Plain numbers of nine digits for the page."""
    return [float(f"{v:.9g}") for v in np.ravel(values)]


def pose_data(X: Pose) -> dict[str, list[float]]:
    """Position and quaternion."""
    return {"p": numbers(X.p), "q": numbers(to_quaternion(np.asarray(X.R)))}


@dataclass(frozen=True)
class ElasticBody:
    """A flexible body in numbers. ``frames`` holds, for each frame, the number of its place and
    its pose relative to that place."""

    name: str
    data: FlexibleData
    places: tuple[FrameData, ...]
    drawn: int
    frames: Mapping[str, tuple[int, Pose]]
    held: bool
    """Whether joints hold both ends of a beam."""

    def point(self, k: int) -> Array:
        """A place of the undeformed body, in the body frame."""
        return np.asarray(self.data.origin + self.places[k].p0)

    @property
    def points(self) -> Array:
        """The places that carry the drawing."""
        return np.array([self.point(k) for k in range(self.drawn)]).reshape(-1, 3)

    def undeformed(self) -> dict[str, Pose]:
        """X_BP of every frame of the undeformed body; "" is the body frame."""
        found = {"": Pose(np.eye(3), np.zeros(3))}
        for name, (k, local) in self.frames.items():
            found[name] = Pose(np.eye(3), self.point(k)) @ local
        return found

    def mass_properties(self) -> tuple[float, Array, Array]:
        """Of the undeformed body: mass, centre of mass in the body frame, inertia about it."""
        c = self.data.s0 / self.data.m
        about_c = self.data.J0 - self.data.m * ((c @ c) * np.eye(3) - np.outer(c, c))
        rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
        return self.data.m, self.data.origin + c, about_c[rows, columns]

    def as_data(self) -> dict[str, Any]:
        """What the page needs to deform the body. Columns: p0, L, psi, phi, then H by pairs."""
        n = self.data.count
        H = np.array([place.H for place in self.places])
        pairs = [
            (i, a, b) for i in range(3) for a in range(n) for b in range(a, n)
            if np.any(H[:, i, a, b])
        ]  # fmt: skip
        columns = [np.array([self.point(k) for k in range(len(self.places))])]
        columns += [np.array([p.L.ravel() for p in self.places])]
        columns += [np.array([p.psi.ravel() for p in self.places])]
        columns += [np.array([p.phi for p in self.places])]
        columns += [(H[:, i, a, b] * (1 if a == b else 2))[:, None] for i, a, b in pairs]
        moments: list[Array] = []  # My, Mz per elastic coordinate at the drawn places of a beam
        if n and not isinstance(self.data.geometry, GivenGeometry):
            forces = [self.data.section_forces(float(x)) for x in self.points[:, 0]]
            moments = list(np.array([f[4:].ravel() for f in forces]).T)
        return {
            "coordinates": [f"{self.name}.{c}" for c in self.data.names],
            "places": len(self.places), "drawn": self.drawn, "held": self.held,
            "nodes": isinstance(self.data.geometry, GivenGeometry),
            "pairs": [list(pair) for pair in pairs],
            "numbers": packed(list(np.hstack(columns).T)),
            "moments": packed(moments), "carried": {},
        }  # fmt: skip


def elastic_body(values: Values, name: str) -> ElasticBody:
    """Tables of a body with its places and frames."""
    body, beam = values.model.elastic[name], values.model.beams.get(name)
    numbers = values.tables(name)
    data = numbers.data
    at = _nodes(data) if beam is None else _axis(beam, values)
    places = [data.frame(x) for x in at]
    frames: dict[str, tuple[int, Pose]] = {}

    def place(frame: Frame) -> tuple[int, Pose]:
        if frame.name not in frames:
            R = rotation_of(NUMERIC, frame.orientation, values.number)
            if frame.on:
                k, inner = place(body.frames[frame.on])
                frames[frame.name] = k, inner @ Pose(R, values.vector(frame.position))
            else:
                own = numbers.frames[frame.name]
                places.append(own)
                frames[frame.name] = len(places) - 1, Pose(R, own.a)
        return frames[frame.name]

    for frame in body.frames.values():
        place(frame)
    along = {"": 0.0} | {f: float(places[k].p0[0]) for f, (k, _) in frames.items()}
    held = beam is not None and holds_both_ends(values.model, name, along, at[-1])
    return ElasticBody(name, data, tuple(places), len(at), frames, held)


def _axis(body: Beam, values: Values) -> list[float]:
    """Points of the axis, enough for the shortest wave, and the stations of its sections."""
    most = max((getattr(body.shapes, field).count for field in FIELDS), default=0)
    count = min(max(FEWEST_POINTS, 4 * most + 1), MOST_POINTS) if body.flexible else 2
    stations = [at for at, _ in body.sections or ()]
    shares = np.unique(np.round([*np.linspace(0, 1, count), *stations], 12))
    return [float(x) for x in shares * values.number(body.length)]


def _nodes(data: FlexibleData) -> list[float]:
    """All nodes of a body with given modes, or some of them spread evenly."""
    assert isinstance(data.geometry, GivenGeometry)
    count = len(data.geometry.modes.nodes)
    chosen = np.unique(np.linspace(0, count - 1, min(count, MOST_NODES)).round())
    return [float(k) for k in chosen]


def holds_both_ends(
    model: Model, beam: str, places: Mapping[str, float], length: float
) -> bool:  # fmt: skip
    """Whether joints hold a beam at both ends; ``places``: where its frames are along it."""
    held = set()
    for joint in model.joints.values():
        for ref in (joint.parent, joint.child):
            body, _, frame = ref.partition(".")
            if body == beam and frame in places:
                held.add(round(places[frame] / length, 9))
    return held >= {0.0, 1.0}
