"""Where every body and frame is at a time: between samples positions go straight on, rotations by
the shortest arc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.files import loads
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.show.page.geometry import Geometry
from pliant.show.page.page import Mesh, meshes_of, pose_names, reach_of
from pliant.show.page.scene import scene_data
from pliant.show.picture.parts import surface_of
from pliant.show.picture.skin import CutSkin, ElasticSkin, Skin
from pliant.show.picture.surfaces import Surface
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import from_quaternion

_MARK = 0.1
"""How far marks of joints and elements reach, in sizes of a body."""
_MOST_SAMPLES = 120
"""At which the space of the motion is measured."""


@dataclass(frozen=True, slots=True)
class Instant:
    """A time as a sample and a share of the way to the next one."""

    index: int
    fraction: float

    def of(self, values: Array) -> Array:
        """Linear between samples."""
        here = values[self.index]
        if not self.fraction:
            return np.asarray(here)
        return np.asarray(here + self.fraction * (values[self.index + 1] - here))


class Mechanism:
    """The scene of a result, moving."""

    def __init__(self, result: Result, geometry: Geometry | None = None,
                 meshes: Mapping[str, Mesh] | None = None) -> None:  # fmt: skip
        geometry = _geometry_of(result) if geometry is None else geometry
        bodies = geometry.model.bodies
        if not bodies:
            raise InputError("picture: the model has no bodies", "pliant graph draws its networks")
        if not len(result):
            raise InputError(f"picture: the result is empty: {result.failure}", "nothing is there")
        moving = geometry.taken_apart.bodies
        names = pose_names(moving)
        result = result.also(names)
        missing = [name for name in names if name not in result.series]
        if missing:
            raise InputError(f"picture: the motion of bodies was not observed ({missing[0]}, ...)",
                             "add BODY.position and BODY.orientation of every body, and elastic "
                             "coordinates, to the outputs, or leave these out")  # fmt: skip
        self.result, self.geometry = result, geometry
        triangles = meshes_of(geometry, meshes or {})
        reach = reach_of(result, geometry)
        known = dict.fromkeys(result.names())
        self.scene: dict[str, Any] = scene_data(geometry, known, triangles, reach)
        self.surfaces = {body["name"]: surface_of(body["parts"], triangles.get(body["name"]))
                         for body in self.scene["bodies"]}  # fmt: skip
        self._places = {owner: geometry.places(owner) for owner in ("ground", *bodies)}

    @property
    def scale(self) -> float:
        """A typical size of a body, in metres."""
        return float(self.scene["scale"])

    @cached_property
    def skins(self) -> dict[str, Skin]:
        """Of bodies that deform."""
        elastic = {name: ElasticSkin(body, self.surfaces[name])
                   for name, body in self.geometry.elastic.items() if body.data.names}  # fmt: skip
        pieces = self.geometry.pieces.items()
        return {**elastic, **{name: CutSkin(body, self.surfaces[name]) for name, body in pieces}}

    def instant(self, time: float) -> Instant:
        """A time of the result; times outside are refused."""
        times = self.result.time
        slack = 1e-9 * (times[-1] - times[0]) + 1e-12
        if not times[0] - slack <= time <= times[-1] + slack:
            raise InputError(f"picture: the result has no time {time:g} s",
                             f"give one from {times[0]:g} to {times[-1]:g} s")  # fmt: skip
        k = int(np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 1))
        if k == len(times) - 1 or times[k + 1] == times[k]:
            return Instant(k, 0.0)
        return Instant(k, float(np.clip((time - times[k]) / (times[k + 1] - times[k]), 0, 1)))

    def pose(self, body: str, at: Instant) -> Pose:
        """X_WB."""
        if body == "ground":
            return Pose(np.eye(3), np.zeros(3))
        if body in self.geometry.pieces:
            body = next(iter(self.geometry.pieces[body].carriers))
        quats = self.result.series[f"{body}.orientation"].values
        quat = quats[at.index]
        if at.fraction:
            quat = _between(quat, quats[at.index + 1], at.fraction)
        quat = quat / np.linalg.norm(quat)
        R = np.asarray(from_quaternion(NUMERIC, quat), dtype=np.float64)
        return Pose(R, at.of(self.result.series[f"{body}.position"].values))

    def state(self, body: str, at: Instant) -> Any:
        """What says how a body is deformed: elastic coordinates, or places of the bodies of a beam
        that was taken apart, as seen from the first."""
        if body in self.geometry.pieces:
            whole = [self.pose(name, at) for name in self.geometry.pieces[body].carriers]
            seen = [whole[0].inverse @ X for X in whole]
            return np.array([X.R for X in seen]), np.array([X.p for X in seen])
        names = self.geometry.elastic[body].data.names
        values = [self.result.series[f"{body}.{name}"].values for name in names]
        return np.array([at.of(v) for v in values])

    def frame(self, reference: str, at: Instant, factor: float = 1.0) -> Pose:
        """X_WP of a frame, as it is drawn."""
        body, _, name = reference.partition(".")
        X = self.pose(body, at)
        if body in self.skins and name:
            place, local = self.skins[body].frames[name]
            R, p = self.skins[body].places(self.state(body, at), factor)
            return X @ Pose(R[place], p[place]) @ local
        return X @ self._places[body][name] if name else X

    def surface(self, body: str, at: Instant, factor: float = 1.0) -> Surface:
        """A body in world axes, deflections multiplied by the factor."""
        X = self.pose(body, at)
        skin = self.skins.get(body)
        own = self.surfaces[body] if skin is None else skin.surface(self.state(body, at), factor)
        return own.moved(np.asarray(X.R), np.asarray(X.p))

    def bounds(self, instants: Sequence[Instant], factor: float = 1.0) -> Array:
        """The box around everything at these times, (2, 3)."""
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        seen = [b["name"] for b in self.scene["bodies"] if b.get("visible", True)]
        for at in instants:
            for body in seen:
                own = self.surfaces[body]
                corners = own.corners if body not in self.skins else None
                if corners is None:
                    corners = self.skins[body].surface(self.state(body, at), factor).corners
                X = self.pose(body, at)
                points = _corners(corners) @ np.asarray(X.R).T + np.asarray(X.p)
                if len(points) and np.isfinite(points).all():
                    low, high = np.minimum(low, points.min(0)), np.maximum(high, points.max(0))
        held = [ref for j in self.scene["joints"] for ref in (j["parent"], j["child"])]
        held += [ref for s in self.scene["symbols"] for ref in (s["a"], s["b"])]
        for ref in held:
            if ref.partition(".")[0] == "ground":
                p, room = np.asarray(self.frame(ref, instants[0]).p), _MARK * self.scale
                low, high = np.minimum(low, p - room), np.maximum(high, p + room)
        if not np.isfinite(low).all():
            raise InputError("picture: bodies are nowhere at this time",
                             "the result holds numbers that are not finite")  # fmt: skip
        return np.array([low, high])

    def samples(self) -> list[Instant]:
        """Some instants of the whole motion."""
        count = min(_MOST_SAMPLES, len(self.result))
        chosen = np.unique(np.linspace(0, len(self.result) - 1, count).round())
        return [Instant(int(k), 0.0) for k in chosen]


def _geometry_of(result: Result) -> Geometry:
    if not result.model:
        raise InputError("picture: this result does not hold its model", "save it as .nc, not .csv")
    params = result.info.get("params") or {}
    model = loads(result.model)
    return Geometry(model, model.parameter_values(params))


def _between(a: Array, b: Array, share: float) -> Array:
    """Along the shortest arc of unit quaternions."""
    cosine = float(a @ b)
    b, cosine = (b, cosine) if cosine >= 0 else (-b, -cosine)
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-9:
        return np.asarray(a + share * (b - a))
    return np.asarray((np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle))


def _corners(points: Array) -> Array:
    """Of the box around points."""
    if not len(points):
        return points
    low, high = points.min(0), points.max(0)
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                     for z in (low[2], high[2])])  # fmt: skip
