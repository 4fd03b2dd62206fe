"""The assembled initial state: poses and velocities of all bodies, coordinates by name.

Beams that are cut into elements are assembled as rigid bodies in their stress-free shape, from
where their nodes start: so only the mechanism is assembled, whatever the number of nodes.

Expressions start there as well (``straight_start``): assembly finds the nearest position in which
all joints close, and would bend a beam to get there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pliant.arrays import Array
from pliant.backends.expressions import prepare as prep
from pliant.backends.expressions import start as begin
from pliant.backends.expressions.impact import CHANGED
from pliant.backends.resume import State
from pliant.errors import AssemblyError, StartError
from pliant.mechanics.layout import PoseAndTwist
from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody
from pliant.model.fields import Reference, kinds_of
from pliant.model.frames import Frame, Orientation
from pliant.model.frozen import FrozenDict
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose, identity
from pliant.spatial.rotation import to_quaternion
from pliant.study import Study

_LOADS = ("forces", "events", "outputs", "networks", "subgraphs", "constraints", "sensors",
          "speeds")  # fmt: skip
_MECHANISMS: WeakKeyDictionary[Study, Study] = WeakKeyDictionary()
_BENT = "{}: the mechanism does not close with stress-free beams; it starts with strain"


def assembled(
    system: Study, numbers: Values, params: Mapping[str, Any] | None, t: float
) -> tuple[State, tuple[str, ...]]:
    """The mechanism assembled at time t, and remarks."""
    shapes = {
        beam: _stress_free(beam, numbers)
        for beam in system.described.bodies
        if beam not in system.model.bodies
    }
    model = _stiff_model(system.described, numbers, shapes)
    if system not in _MECHANISMS or _MECHANISMS[system].described != model:
        _MECHANISMS[system] = Study(model)
    whole = _MECHANISMS[system]
    prepared = prep.prepare(whole, functions=prep.STATES)
    state = begin.initial_state(whole, prepared, params, t)
    changed = [r for r in state.remarks if r.startswith(CHANGED)]
    if shapes and changed:
        raise StartError(f"{changed[0]}; beams of large rotation need velocities that fit")
    c, x = prepared.compiled, state.x
    bodies = begin.body_motion(prepared, x[: c.x_size].copy(), state.p)
    known = {s.name: float(x[1 + k]) for k, s in enumerate(c.layout.q)}
    for beam, poses in shapes.items():
        first = bodies.pop(beam)
        bodies |= {node: _carried(first, X) for node, X in poses.items()}
    return State(t, bodies, known, {}), state.remarks


def _stress_free(beam: str, numbers: Values) -> dict[str, Pose]:
    """Poses of the bodies of a beam in the first of them, along its inner joints."""
    origin = numbers.model.origin
    first = next(n for n in numbers.model.bodies if origin.get(n) == beam)
    poses = {first: identity(NUMERIC)}
    for name, joint in numbers.model.joints.items():
        if origin.get(name) != beam:
            continue
        (parent, F), (child, M) = (r.partition(".")[::2] for r in (joint.parent, joint.child))
        q = joint.near({n: numbers.number(f) for n, f in joint.guess.items()})
        axes = Pose(joint.canonical_axes(), np.zeros(3))
        X_FM = axes @ joint.evaluated(numbers.number).pose(NUMERIC, q) @ axes.inverse
        placed = poses[parent] @ numbers.places(parent)[F] @ X_FM
        poses[child] = placed @ numbers.places(child)[M].inverse
    return poses


def _stiff_model(model: Model, numbers: Values, shapes: Mapping[str, Mapping[str, Pose]]) -> Model:
    """Bodies, joints and drivers only, with beams in one piece."""
    frames: dict[str, dict[str, Frame]] = {beam: {} for beam in shapes}
    origin = numbers.model.origin

    def renamed(reference: str) -> str:
        node, _, frame = reference.partition(".")
        beam = origin.get(node, "")
        if beam not in shapes:
            return reference
        label = f"f{len(frames[beam])}"
        X = shapes[beam][node] @ numbers.places(node)[frame]
        turned = Orientation.quaternion([float(e) for e in to_quaternion(X.R)])
        frames[beam][label] = Frame(label, tuple(map(float, X.p)), turned)
        return f"{beam}.{label}"

    joints = {
        n: dataclasses.replace(j, parent=renamed(j.parent), child=renamed(j.child))
        for n, j in numbers.model.joints.items()
        if n not in origin
    }
    drivers: dict[str, Any] = {**numbers.model.drivers}
    for n, d in drivers.items():
        ends = [key for key, kind in kinds_of(d).items() if kind == Reference("frame")]
        drivers[n] = dataclasses.replace(d, **{key: renamed(getattr(d, key)) for key in ends})
    bodies: dict[str, Any] = {**model.bodies}
    for n, poses in shapes.items():  # of the mass of a beam assembly asks nothing
        first: Any = numbers.model.bodies[next(iter(poses))]
        bodies[n] = RigidBody(n, mass=1, inertia=[1, 1, 1, 0, 0, 0], frames=frames[n],
                              initial=first.initial)  # fmt: skip
    none: dict[str, Any] = {s: FrozenDict() for s in _LOADS if hasattr(model, s)}
    settings = dataclasses.replace(model.settings, observe=())
    return model.with_(bodies=FrozenDict(bodies), joints=FrozenDict(joints),
                       drivers=FrozenDict(drivers), settings=settings, **none)  # fmt: skip


def _carried(first: PoseAndTwist, X: Pose) -> PoseAndTwist:
    """Motion of a node that moves with the first one."""
    arm = first.R_WB @ X.p
    v = first.v_WB + np.cross(first.w_WB, arm)
    return PoseAndTwist(first.R_WB @ X.R, first.p_WB + arm, v, first.w_WB)


def may_bend(system: Study, prepared: prep.Program) -> bool:
    """Whether there are beams of large rotation, and constraints or loops through their nodes; the
    free joint that closes a loop between two nodes has no coordinates."""
    if system.model is system.described:
        return False  # nothing is cut into elements
    owners = {s.owner for s in prepared.compiled.layout.q}
    beams, model = _large_beams(system), system.model
    loops = any(model.origin.get(n) in beams and n not in owners for n in model.joints)
    return bool(beams) and (loops or prepared.compiled.m > 0)


def _large_beams(system: Study) -> list[str]:
    """Beams that are cut into elements of large rotation."""
    return [n for n, b in system.described.beams.items() if b.theory.large]


def straight_start(
    system: Study, prepared: prep.Program, params: Mapping[str, Any] | None, t: float, q: Array,
    p: Array,
) -> begin.InitialState | str:  # fmt: skip
    """The state with stress-free beams, or a remark if there is none; ``q``: the guess."""
    try:
        start, remarks = assembled(system, system.values(params), params, t)
    except StartError:
        raise
    except AssemblyError:
        return _BENT.format(", ".join(_large_beams(system)))
    c = prepared.compiled
    near = np.array([start.q.get(s.name, q[k]) for k, s in enumerate(c.layout.q)])
    q, u = prepared.state_from(start.bodies, p, near)
    x = np.zeros(c.x_size)
    x[0], x[1 : 1 + c.nq], x[1 + c.nq : 1 + c.nq + c.nu] = t, q, u
    x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = c.call("start_states", x, p)[: c.nx]
    return begin.InitialState(p, begin.with_missing_speeds(prepared, x, p), remarks)
