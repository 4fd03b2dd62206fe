"""How the rest of a system holds a beam and presses on it: what decides whether it buckles.

A joint supports the beam if its other body is connected to the ground without the beam; such bodies
are taken as stiff. In a system that floats, the first body that is not the beam stands for the
ground. Of the motion H that a joint allows, without coordinates that a driver gives, only the part
across the beam counts: the support holds what is not in its range, z in range(H_z), with
z = (θ_y, θ_z, v, w). Joints are looked at in their neutral position. A distance joint, springs and
bushings hold nothing.

What presses along the axis are the numbers from which ``pliant.flex.buckling`` finds N. With e from
root to tip, for every beam in which compression can matter:

    F_P·e at its body frame and its frames P,  (a - g)·e at root and tip
    (w' x d + w x (w x d)) q_a·e + 2 (w x d) q_a'·e + d q_a''·e  for each direction d in which a
                                                          coordinate a moves the axis

F_P sums what joints, force elements and drivers do there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.motion import BodyMotion, SystemMotion
from pliant.mechanics.placement import rotation_of
from pliant.model.bodies import Beam
from pliant.model.forces.action import Load
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC, Ops

if TYPE_CHECKING:
    from pliant.flex.buckling import Place, Support

Value = Callable[[Any], float]
_ACROSS = [1, 2, 4, 5]
"""θ_y, θ_z, v, w among the six components of a motion."""
_RANK = 1e-9
ENDS = ("root", "tip")


def beam_places(beam: Beam, value: Value) -> dict[str, Place]:
    """Where the frames of a beam are along it, its body frame ("") first."""
    from pliant.flex.buckling import Place

    return {name: Place(*_on_section(beam, name, value)[:2]) for name in ("", *beam.frames)}


def supports(model: Model, name: str, value: Value) -> list[Support]:
    """What holds a beam, joint by joint and driver by driver."""
    from pliant.flex.buckling import Support

    beam = model.beams[name]
    places = beam_places(beam, value)
    found = []
    for frame, H in (*_jointed(model, name, value), *_driven(model, name)):
        _, _, R = _on_section(beam, frame, value)
        turned = np.concatenate([R @ H[:3], R @ H[3:]])
        rows = _held(turned[_ACROSS])
        if len(rows):
            found.append(Support(places[frame], rows))
    return found


def _jointed(model: Model, name: str, value: Value) -> Iterator[tuple[str, Array]]:
    """Frames at joints to bodies that are held, and the motion the joints allow, in frame axes."""
    held = _held_bodies(model, name)
    for joint in model.joints.values():
        (a, frame_a), (b, frame_b) = (r.partition(".")[::2] for r in (joint.parent, joint.child))
        for own, frame, other in ((a, frame_a, b), (b, frame_b, a)):
            if own == name and other in held and joint.in_tree:
                yield frame, _allowed(model, joint, value)


def _held_bodies(model: Model, name: str) -> set[str]:
    """Bodies connected to the ground, or to what stands for it, without the body named."""
    touching: dict[str, set[str]] = {}
    for joint in model.joints.values():
        if joint.m:
            a, b = (r.partition(".")[0] for r in (joint.parent, joint.child))
            touching.setdefault(a, set()).add(b)
            touching.setdefault(b, set()).add(a)
    moved = [d.frame.partition(".")[0] for d in model.frame_drivers.values()]
    system = _reached(touching, {name}, set())
    start = {"ground", *moved} & system - {name}
    if not start and "ground" not in system:
        start = set([b for b in model.bodies if b in system and b != name][:1])
    return _reached(touching, start, {name})


def _reached(touching: dict[str, set[str]], start: set[str], without: set[str]) -> set[str]:
    reached, front = set(start), set(start)
    while front:
        front = {n for b in front for n in touching.get(b, ())} - reached - without
        reached |= front
    return reached


def _allowed(model: Model, joint: Joint, value: Value) -> Array:
    """H of a joint in its neutral position, without driven coordinates, in axes of its frames."""
    driven = {
        d.coordinate or joint.coordinate_names[0]
        for d in model.joint_drivers.values()
        if d.joint == joint.name
    }
    if not joint.nu:
        return np.zeros((6, 0))
    H = joint.evaluated(value).motion(NUMERIC, joint.neutral)
    names = joint.coordinate_names if joint.scalars else ()
    free = [k for k in range(joint.nu) if k >= len(names) or names[k] not in driven]
    R = joint.canonical_axes()
    return np.concatenate([R @ H[:3, free], R @ H[3:, free]])


def _driven(model: Model, name: str) -> Iterator[tuple[str, Array]]:
    """Frames of the body that drivers move: what they leave free."""
    for d in model.frame_drivers.values():
        if d.frame.partition(".")[0] == name:
            moved = d.translation is not None and all(c is not None for c in d.translation)
            turned = d.orientation is not None or d.angular is not None
            free = [*(() if turned else (0, 1, 2)), *(() if moved else (3, 4, 5))]
            yield d.frame.partition(".")[2], np.eye(6)[:, free]


def _held(H: Array) -> Array:
    """Rows orthogonal to the columns of H."""
    if not H.shape[1]:
        return np.eye(len(H))
    vectors, sizes, _ = np.linalg.svd(H)
    rank = int(np.sum(sizes > _RANK * max(1.0, sizes.max(initial=0.0))))
    return np.asarray(vectors[:, rank:].T)


def _on_section(beam: Beam, name: str, value: Value) -> tuple[float, float, Array]:
    """Section x of a frame, how far beyond it the frame sits, and its axes in those of the beam."""
    if not name:
        return 0.0, 0.0, np.eye(3)
    frame = beam.frames[name]
    R0 = np.asarray(rotation_of(NUMERIC, frame.orientation, value), dtype=float)
    position = np.array([value(c) for c in frame.position])
    if not frame.on:
        return float(position[0]), 0.0, R0
    x, arm, R = _on_section(beam, frame.on, value)
    return x, arm + float((R @ position)[0]), R @ R0


def compressible(model: Model) -> dict[str, Beam]:
    """Beams that bend and whose foreshortening counts."""
    return {
        name: body
        for name, body in model.beams.items()
        if body.flexible
        and body.geometric_stiffness != "none"
        and (body.shapes.bending_y.count or body.shapes.bending_z.count)
    }


def axial_loads(motion: SystemMotion, loads: Iterable[Load]) -> dict[str, Any]:
    """A column of numbers for each of these beams, from all ``loads`` on frames."""
    ops = motion.ops
    total: dict[str, Any] = {}
    for load in loads:
        frame = load.frame
        total[frame] = total[frame] + load.force if frame in total else load.force
    gravity = motion.values.vector(motion.model.gravity)
    found = {}
    for name, body in compressible(motion.model).items():
        root, tip = (motion.frame(f"{name}.{end}") for end in ENDS)
        chord = tip.p_WP - root.p_WP
        e = chord / ops.sqrt(ops.dot(chord, chord))
        frames = [name, *(f"{name}.{frame}" for frame in body.frames)]
        pressed = [ops.dot(total[frame], e) if frame in total else 0 for frame in frames]
        moved = [ops.dot(end.a_WP - gravity, e) for end in (root, tip)]
        b, elastic = motion.bodies[name], motion.elastic[name]
        along = b.X_WB.R.T @ e
        moved += [_by_shape(ops, b, along, i, [x[a] for x in (elastic.q, elastic.u, elastic.a)])
                  for i, a in sorted(elastic.tables["s1"])]  # fmt: skip
        found[name] = ops.full(ops.vec(*pressed, *moved))
    return found


def _by_shape(ops: Ops, b: BodyMotion, along: Any, i: int, moving: list[Any]) -> Any:
    """Acceleration along a direction of B of what moves by q along its axis i."""
    d, (q, u, a) = ops.const(np.eye(3)[i]), moving
    turned = ops.cross(b.w, d)
    turning = ops.cross(b.alpha, d) + ops.cross(b.w, turned)
    return q * ops.dot(turning, along) + 2 * u * ops.dot(turned, along) + a * along[i]
