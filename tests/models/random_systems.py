"""Random mechanical systems: trees of any joints, and loops that close at the initial state."""

from dataclasses import fields, replace

import numpy as np

import pliant as pl
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.start import body_motion, initial_state
from pliant.model.fields import kinds_of
from pliant.model.joints import JOINTS, Joint
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion, to_quaternion

TREE_KINDS = tuple(k for k, cls in JOINTS.items() if cls.in_tree)
CUT_KINDS = tuple(k for k, cls in JOINTS.items() if cls.row_names)
OPTIONS = {"screw": {"pitch": 0.2}, "locks": {"locked": ("x", "ry")}}


def options_of(joint):
    """Fields of a joint, or of a class of joints, that not all of them have."""
    return {f.name for f in fields(joint)} - {f.name for f in fields(Joint)}


def random_rotation(rng):
    quat = rng.standard_normal(4)
    return from_quaternion(NUMERIC, quat / np.linalg.norm(quat))


def frame(name, R, p):
    return pl.Frame(name, tuple(p), pl.Orientation.quaternion(tuple(to_quaternion(R))))


def random_frame(rng, name):
    return frame(name, random_rotation(rng), rng.uniform(-0.5, 0.5, 3))


def random_body(rng, name, frames):
    """A solid with positive principal moments obeying the triangle rule, off its own axes."""
    R, d = random_rotation(rng), rng.uniform(0.05, 0.2, 3)
    I = R @ np.diag(d.sum() - d) @ R.T
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return pl.RigidBody(name, float(rng.uniform(0.5, 3.0)), com=tuple(rng.uniform(-0.3, 0.3, 3)),
                        inertia=inertia, frames=frames)  # fmt: skip


def random_axis(rng, kind):
    """What a joint needs to be said of its axes."""
    if kind == "locks":
        motions = np.array(["x", "y", "z", "rx", "ry", "rz"])
        return {"locked": tuple(motions[rng.permutation(6)[: rng.integers(1, 6)]].tolist())}
    if "axis" not in kinds_of(JOINTS[kind]) or kind in ("universal", "pin_slot"):
        return {}
    return {"axis": tuple(rng.standard_normal(3))}


def initial_values(rng, joint):
    names = [c.name for c in joint.scalars]
    return {n: float(rng.uniform(-1, 1)) for n in names}


def random_tree(rng, n, kinds=TREE_KINDS):
    """n bodies, each on an earlier one or the ground by a random joint, either way round."""
    bodies, joints = [], []
    for i in range(n):
        bodies.append(
            random_body(rng, f"b{i}", [random_frame(rng, "in"), random_frame(rng, "out")])
        )
        kind = str(rng.choice(kinds))
        ends = [f"b{rng.integers(i)}.out" if i and rng.random() < 0.8 else "ground", f"b{i}.in"]
        if rng.random() < 0.4:
            ends.reverse()
        extra = {**OPTIONS.get(kind, {}), **random_axis(rng, kind)}
        joint = JOINTS[kind](f"j{i}", *ends, **extra)
        joints.append(JOINTS[kind](f"j{i}", *ends, **extra, initial=initial_values(rng, joint)))
    return pl.System(bodies=bodies, joints=joints, gravity=(1.0, -2.0, -9.81))


def random_beam(rng, name):
    """A soft beam that bends in two planes and twists, with frames at its ends."""
    return pl.Beam(name, length=float(rng.uniform(0.6, 1.2)), mass_per_length=0.8,
                   stiffness=pl.Stiffness(EA=4e4, EIy=30.0, EIz=20.0, GJ=15.0),
                   rotary=pl.Rotary(2e-3, 1e-3), rotary_inertia="full",
                   shapes={"bending": {"polynomial": 2}, "torsion": {"polynomial": 1}})  # fmt: skip


def random_flexible_tree(rng, n, kinds=TREE_KINDS):
    """As ``random_tree``, every second body a beam."""
    system = random_tree(rng, n, kinds)
    bodies, moved = [], {}
    for k, body in enumerate(system.model.bodies.values()):
        name = body.name
        bodies.append(random_beam(rng, name) if k % 2 else body)
        moved |= {f"{name}.in": f"{name}.root", f"{name}.out": f"{name}.tip"} if k % 2 else {}
    joints = [replace(j, parent=moved.get(j.parent, j.parent), child=moved.get(j.child, j.child))
              for j in system.model.joints.values()]  # fmt: skip
    return pl.System(system.model.with_(bodies=bodies, joints=joints))


def with_loop(rng, system, kind):
    """The system with one more joint between its last body and another, closed where it stands;
    both of them rigid."""
    prepared = prepare(system, functions=STATES, interpret=True)
    state = initial_state(system, prepared, None, 0.0)
    motion = body_motion(prepared, state.x, state.p)
    names = [n for n, b in system.model.bodies.items() if isinstance(b, pl.RigidBody)]
    last, other = names[-1], str(rng.choice(["ground", *names[:-1]]))
    R, p = random_rotation(rng), motion[last].p_WB + rng.uniform(-0.3, 0.3, 3)
    extra = {**OPTIONS.get(kind, {}), **random_axis(rng, kind)}
    offset = np.zeros(3)
    if kind == "distance":
        offset = rng.standard_normal(3)
        extra["length"] = float(np.linalg.norm(offset))
    bodies = dict(system.model.bodies)
    bodies[last] = _with_frame(bodies[last], "loop", motion[last], R, p)
    ground = system.model.ground
    if other == "ground":
        ground = pl.Ground(frames=[frame("loop", R, p + offset)])
    else:
        bodies[other] = _with_frame(bodies[other], "loop", motion[other], R, p + offset)
    joints = [
        *system.model.joints.values(),
        JOINTS[kind]("loop", f"{other}.loop", f"{last}.loop", **extra),
    ]
    return pl.System(system.model.with_(bodies=list(bodies.values()), joints=joints, ground=ground))


def _with_frame(body, name, motion, R, p):
    local = frame(name, motion.R_WB.T @ R, motion.R_WB.T @ (p - motion.p_WB))
    return pl.RigidBody(body.name, body.mass, com=body.com, inertia=body.inertia,
                        frames=[*body.frames.values(), local])  # fmt: skip
