"""What the 3-D view draws: the mechanism at its assembled start, and the scene of a run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.expressions.prepare import STATES, Program, prepare
from pliant.backends.expressions.start import body_motion, initial_state, parameters
from pliant.errors import AssemblyError, PliantError
from pliant.mechanics.layout import PoseAndTwist
from pliant.model.files import loads
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.observe.catalogue import QUATERNION, XYZ
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.results.series import Series
from pliant.show.page.geometry import Geometry, numbers
from pliant.show.page.page import Columns, meshes_of, pose_names
from pliant.show.page.scene import scene_data
from pliant.spatial.rotation import to_quaternion
from pliant.studio.work.source import told
from pliant.study import Study


@dataclass(frozen=True, slots=True)
class Start:
    """One sample of the poses of all bodies, and why they are not where joints hold them."""

    result: Result
    geometry: Geometry
    failure: AssemblyError | None


def start_data(system: Study, params: Mapping[str, Any]) -> dict[str, Any]:
    """The scene and one sample: the mechanism as it is assembled, before anything runs. If it
    cannot be assembled, as the file guesses its coordinates, with the ``failure``."""
    start = start_poses(system, params)
    result, geometry = start.result, start.geometry
    columns = Columns(np.zeros(1, dtype=np.int64), tuple(result.series), 0)
    scene = scene_of(geometry, {}, positions(result, geometry))
    data = {"scene": scene, **columns.as_data(result)}
    return data if start.failure is None else {**data, "failure": told(start.failure)}


def start_poses(system: Study, params: Mapping[str, Any]) -> Start:
    """Where bodies are at the start; nothing is compiled."""
    system, named = system.with_numbers(params)
    prepared = prepare(system, functions=STATES, interpret=True)
    begin = system.values(named).number(system.model.settings.t_start)
    failure: AssemblyError | None = None
    try:
        state = initial_state(system, prepared, named, begin)
        bodies = body_motion(prepared, state.x, state.p)
    except AssemblyError as error:
        bodies, failure = _guessed(system, prepared, named, error), error
    result = Result(np.array([begin]), poses_of(system, bodies))
    return Start(result, geometry_of(system, named), failure)


def _guessed(
    system: Study, prepared: Program, params: Mapping[str, Any], failure: AssemblyError
) -> dict[str, PoseAndTwist]:
    """Bodies where the coordinates of the file put them; raises the failure if they are nowhere."""
    c = prepared.compiled
    try:
        p = parameters(system, prepared, params)
        x = np.zeros(c.x_size)
        x[1 : 1 + c.nq] = prepared.state_from.guess(p)
        bodies = body_motion(prepared, x, p)
    except PliantError:
        raise failure from None
    if not all(np.isfinite(b.p_WB).all() and np.isfinite(b.R_WB).all() for b in bodies.values()):
        raise failure
    return bodies


def poses_of(system: Study, bodies: Mapping[str, PoseAndTwist]) -> dict[str, Series]:
    """One sample of what ``pose_names`` lists."""
    found: dict[str, Series] = {}
    for name, body in system.model.bodies.items():
        at = bodies[name]
        turned = to_quaternion(np.asarray(at.R_WB))
        found[f"{name}.position"] = Series(at.p_WB[None], "m", XYZ, "position")
        found[f"{name}.orientation"] = Series(turned[None], "1", QUATERNION, "rotation")
        for own, value in zip(body.elastic_names, at.elastic, strict=True):
            found[f"{name}.{own}"] = Series(np.array([value]), "", (), "coordinate")
    return found


def geometry_of(system: Study, params: Mapping[str, Any]) -> Geometry:
    """A system in numbers, with these parameters."""
    return Geometry(system.described, system.described.parameter_values(params))


def geometry_of_result(result: Result) -> Geometry | None:
    """The same of the model that a result is of, if it says so."""
    if not result.model:
        return None
    params = result.info.get("params") or {}
    model = loads(result.model)
    return Geometry(model, model.parameter_values(params))


def positions(result: Result, geometry: Geometry) -> Array:
    """Of all bodies at the first sample."""
    names = (f"{body}.position" for body in geometry.taken_apart.bodies)
    points = [result.series[n].values[0] for n in names if n in result.series]
    return np.array(points).reshape(-1, 3)


def scene_of(geometry: Geometry, observed: Collection[str], points: Array) -> dict[str, Any]:
    """The scene; ``observed``: series of which arrows can be drawn; ``points``: where bodies are
    at the start, which says how large symbols are drawn."""
    reach = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    scene = scene_data(geometry, dict.fromkeys(observed), meshes_of(geometry, {}), reach)
    for joint in scene["joints"]:
        joint["coordinates"] = coordinates_of(geometry.model.joints[joint["name"]])
    return scene


def coordinates_of(joint: Joint) -> list[dict[str, Any]]:
    """Coordinates that can be dragged, each along or about a direction fixed in a frame."""
    units = {c.name: c.unit for c in joint.scalars}
    return [{"name": name, "unit": units[name], "frame": frame, "direction": numbers(axis)}
            for name, (frame, axis) in joint.directions.items() if name in units]  # fmt: skip


def ground_data(model: Model) -> dict[str, Any]:
    """The scene of a model without bodies: its ground and where gravity points."""
    geometry = Geometry(model, model.parameter_values())
    columns = Columns(np.zeros(1, dtype=np.int64), (), 0)
    result = Result(np.zeros(1), {})
    return {"scene": scene_of(geometry, {}, np.zeros((0, 3))), **columns.as_data(result)}


def needed_names(geometry: Geometry) -> list[str]:
    """Series that the scene moves by."""
    return pose_names(geometry.taken_apart.bodies)
