"""How each registered kind of element comes into a mechanism.

``WAYS[section][kind](draft)`` adds one. A kind that is registered and has no way here is listed by
the test of the census.
"""

import json
from dataclasses import replace
from functools import partial

import numpy as np
from tests.fuzz.draft import TREE, joint, picked
from tests.fuzz.networks import NETWORKS

import pliant as pl
from pliant.model.bodies.beam import TYPES
from pliant.model.bodies.beam_shapes import COMPONENT, FAMILIES
from pliant.model.bodies.elastic import BEAM_FRAMES, GEOMETRIC, MODES_FRAMES
from pliant.model.bodies.shapes import SHAPES
from pliant.model.bodies.theories import BEAM_THEORIES, MODES_THEORIES
from pliant.model.drivers import LEVELS
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.joints import JOINTS
from pliant.model.joints.rotational import ROTATION_SETS
from pliant.model.sensors import SENSORS

THIN = ("revolute", "prismatic")
"""Joints for a rod, which has no inertia about its axis."""
CLOSING = tuple(k for k, cls in JOINTS.items() if cls.row_names)


def _number(draft, low=0.5, high=2.0):
    return round(float(draft.rng.uniform(low, high)), 4)


# -- joints --------------------------------------------------------------------------------------
def jointed(kind, draft, **more):
    """A body on a joint of a kind; a distance, and what is fixed, closes a loop or needs more."""
    if not JOINTS[kind].in_tree:
        draft.closing = kind
        return
    if kind == "fixed" and not draft.joints:
        draft.hang(draft.rigid())
    draft.hang(draft.rigid(), kind, **more)


def on_springs(kind, draft):
    """Two bodies where a joint would hold them, on springs."""
    springs = {
        "stiffness": _number(draft, 50, 500),
        "damping": _number(draft),
        "rotational_stiffness": _number(draft, 5, 50),
        "rotational_damping": 0.1,
    }
    base = draft.anchor()
    body = draft.rigid()
    own = {"length": 0.7} if kind == "distance" else {}
    made = joint(draft.rng, kind, draft.name("j"), (base or draft.frame(apart=body),
                 draft.ends[body][0]), springs=springs, **own)  # fmt: skip
    if draft.ends[body][1].partition(".")[0] != made.parent.partition(".")[0]:
        draft.joints[made.name] = made


# -- bodies --------------------------------------------------------------------------------------
def shaped(kind, draft):
    """A rigid body of a simple shape, on a joint that it has inertia for."""
    name, mass = draft.name("b"), _number(draft)
    frames = {"in": [0, 0, 0], "out": tuple(draft.rng.uniform(-0.4, 0.4, 3))}
    own = {"mass": mass, "frames": frames}
    make = {
        "rod": lambda: pl.RigidBody.rod(name, 0.8, **own),
        "box": lambda: pl.RigidBody.box(name, (0.4, 0.3, 0.2), **own),
        "cylinder": lambda: pl.RigidBody.cylinder(name, 0.2, 0.5, **own),
        "sphere": lambda: pl.RigidBody.sphere(name, 0.3, **own),
        "point": lambda: pl.RigidBody.point(name, **own),
    }[kind]
    body = draft.put(make(), "in", "out")
    if kind == "point":
        draft.hang(body, "prismatic") or draft.hang(draft.rigid())
    else:
        draft.hang(body, picked(draft.rng, THIN) if kind == "rod" else "")


def _stiff(draft):
    k = _number(draft)
    return {"EA": 2e3 * k, "EIy": 8.0 * k, "EIz": 6.0 * k, "GJ": 5.0, "GAy": 900.0, "GAz": 800.0}


def beam(draft, theory="modal", **more):
    """A soft beam on a joint."""
    name, own = draft.name("beam"), {}
    if theory in ("modal", "rigid"):
        own = {"shapes": {"bending": 1, "torsion": 1}, **more}
    cut = {"segments": {"segments": {"count": 2, "directions": ["bending", "torsion"]}},
           "exact": {"exact": {"elements": 1, "order": 1}},
           "large-rotation": {"large-rotation": {"elements": 1, "nodes": 2}}}  # fmt: skip
    if draft.rng.random() < 0.3 and theory == "modal":
        own["damping"] = {"stiffness": 0.01}
    made = pl.Beam(name, length=_number(draft, 0.6, 1.2), mass_per_length=0.8,
                   stiffness=_stiff(draft), rotary=pl.Rotary(2e-3, 1e-3),
                   theory=cut.get(theory, theory), **{**own, **_type(theory, more)})  # fmt: skip
    draft.put(made, "root", "tip")
    draft.hang(name, picked(draft.rng, ("revolute", "spherical", "universal", "cylindrical"))
               if theory in ("modal", "rigid") else "fixed" if draft.bodies else "")  # fmt: skip


def _type(theory, more):
    return {k: v for k, v in more.items() if k == "type"}


def theory(kind, type_, draft):
    beam(draft, kind, type=type_, **({"rotary_inertia": "full"} if kind == "modal" else {}))


def shapes(k, draft):
    """Each family of shapes, each floating frame, each geometric stiffness in turn."""
    family = FAMILIES[k % len(FAMILIES)]
    given = {"count": 2, "elements": 3} if family in COMPONENT else 1
    beam(draft, shapes={"bending_y": {family: given}},
         floating_frame=BEAM_FRAMES[k % len(BEAM_FRAMES)],
         geometric_stiffness=GEOMETRIC[k % len(GEOMETRIC)])  # fmt: skip


def modes(theory, frame, draft):
    """A body with measured modes on three nodes."""
    shapes_, turns = np.zeros((3, 3, 2)), np.zeros((3, 3, 2))
    shapes_[1, 1:, :], shapes_[2, 1:, :] = [[0.3, 0], [0, 0.4]], [[1, 0], [0, 1]]
    turns[1, 1:, :], turns[2, 1:, :] = [[0, -1.2], [1.2, 0]], [[0, -1.5], [1.5, 0]]
    content = {"nodes": [[0, 0, 0], [0.4, 0.1, 0], [0.8, 0, 0.1]], "shapes": shapes_.tolist(),
               "rotations": turns.tolist(), "mass": [0.2, 0.4, 0.2],
               "stiffness": [[60, 5], [5, _number(draft, 80, 100)]],
               "inertia": [np.diag([1e-3, 2e-3, 3e-3]).tolist()] * 3}  # fmt: skip
    name = draft.name("measured")
    path = draft.folder / f"{name}.json"
    path.write_text(json.dumps(content))
    frames = [pl.Frame("root", node=0), pl.Frame("tip", node=2)]
    made = pl.Modes(name, str(path), theory=theory, floating_frame=frame, frames=frames)
    draft.hang(draft.put(made, "root", "tip"))


# -- forces --------------------------------------------------------------------------------------
def _vector(draft, size=2.0):
    return [_number(draft, -size, size), f"{_number(draft)}*sin(3*t)", _number(draft, -size, size)]


def force(draft):
    draft.forces.append(pl.Force(draft.name("f"), draft.frame(), _vector(draft),
                                 axes=picked(draft.rng, ("world", "body"))))  # fmt: skip


def torque(draft):
    draft.forces.append(pl.Torque(draft.name("f"), draft.frame(), _vector(draft, 0.5),
                                  axes=picked(draft.rng, ("world", "body"))))  # fmt: skip


def _two_frames(draft):
    """Of different bodies."""
    end = draft.frame()
    other = draft.anchor(apart=end.partition(".")[0])
    if not other:
        draft.hang(draft.rigid())
        other = draft.anchor(apart=end.partition(".")[0])
    return other, end


def spring(draft):
    law = {"force": "30*x + 90*x**3 + 0.5*v"} if draft.rng.random() < 0.3 else {
        "stiffness": _number(draft, 5, 60), "damping": _number(draft, 0, 2)}  # fmt: skip
    draft.forces.append(pl.Spring(draft.name("f"), *_two_frames(draft), free_length=0.3, **law))


def joint_spring(draft):
    name, c = draft.coordinate()
    law = (
        {"effort": "-3*x - 2*x**3 - 0.2*v"}
        if draft.rng.random() < 0.3
        else {"stiffness": _number(draft, 1, 20), "damping": _number(draft, 0, 1), "free": 0.1}
    )
    draft.forces.append(pl.JointSpring(draft.name("f"), name, coordinate=c.name, **law))


def bushing(draft):
    A = draft.rng.uniform(-1, 1, (6, 6))
    stiff, loss = 5 * np.eye(6) + A @ A.T, 0.1 * np.eye(6)
    draft.forces.append(pl.Bushing(draft.name("f"), *_two_frames(draft), stiffness=stiff.tolist(),
                                   damping=loss.tolist()))  # fmt: skip


def friction(draft):
    name, c = draft.coordinate()
    draft.forces.append(pl.JointFriction(draft.name("f"), name, coordinate=c.name,
                                         coulomb=_number(draft, 0.1, 0.5), viscous=0.1,
                                         speed=_number(draft, 0.1, 1)))  # fmt: skip


def actuator(draft, effort=None):
    name, c = draft.coordinate()
    law = effort or f"{_number(draft)}*cos(2*t) - 0.2*{name}.{c.rate}"
    draft.forces.append(pl.Actuator(draft.name("f"), name, coordinate=c.name, effort=law))


def linear_actuator(draft):
    law = f"{_number(draft)}*cos(2*t) - {_number(draft, 5, 30)}*(x - 0.3) - 0.5*v"
    draft.forces.append(pl.LinearActuator(draft.name("f"), *_two_frames(draft), force=law))


def cylinder(draft):
    draft.forces.append(pl.Cylinder(draft.name("f"), *_two_frames(draft), area_A=2e-3, area_B=1e-3,
                                    pressure_A="2e3 - 5e3*x", pressure_B="900 + 100*sin(t)",
                                    damping=_number(draft, 0, 2)))  # fmt: skip


def world_spring(draft):
    stiff, loss = (draft.rng.uniform(*span, 3).tolist() for span in ((5, 60), (0, 2)))
    draft.forces.append(pl.WorldSpring(draft.name("f"), *_two_frames(draft), stiffness=stiff,
                                       damping=loss, free=[0.1, -0.2, 0.05]))  # fmt: skip


def rotor(draft):
    name, c = draft.coordinate()
    draft.forces.append(pl.Rotor(draft.name("f"), name, coordinate=c.name,
                                 inertia=_number(draft, 0.01, 0.1), ratio=2))  # fmt: skip


FORCES = {"force": force, "torque": torque, "spring": spring, "joint_spring": joint_spring,
          "torsion_spring": joint_spring, "bushing": bushing, "friction": friction,
          "actuator": actuator, "linear_actuator": linear_actuator, "cylinder": cylinder,
          "world_spring": world_spring, "rotor": rotor}  # fmt: skip


# -- drivers and constraints ---------------------------------------------------------------------
def joint_driver(level, draft):
    draft.hang(draft.rigid())
    name, c = draft.coordinate()
    draft.moved.add((name, c.name))
    old = draft.joints[name]
    left = {n: f for n, f in old.initial.items() if n not in (c.name, c.rate)}
    if level == "acceleration":
        left = dict(old.initial)
    draft.joints[name] = replace(old, initial=left)
    draft.drivers.append(pl.JointDriver(draft.name("d"), name, coordinate=c.name, level=level,
                                        motion=f"0.2 + {_number(draft)}*sin(2*t)"))  # fmt: skip


def frame_driver(level, draft):
    """A body of its own whose frame is led; something else hangs on it."""
    name = draft.name("led")
    start = tuple(draft.rng.uniform(-0.5, 0.5, 3))
    frames = {"in": [0, 0, 0], "out": [0.3, 0.1, -0.2]}
    body = pl.RigidBody(
        name,
        1.2,
        com=(0.1, 0, 0.05),
        inertia=(0.1, 0.12, 0.13),
        frames=frames,
        initial={"position": start} if level != "acceleration" else None,
    )
    draft.put(body, "in", "out")
    wave = {
        "position": (f"{start[0]} + 0.2*sin(2*t)", f"{start[1]}"),
        "velocity": ("0.3*cos(t)", "0.1"),
        "acceleration": ("0.5*cos(t)", "0.1"),
    }[level]
    draft.drivers.append(pl.FrameDriver(draft.name("d"), f"{name}.in", level=level,
                                        translation=[*wave, None]))  # fmt: skip
    draft.hang(draft.rigid())


DRIVERS = {"joint": joint_driver, "frame": frame_driver}


def rolling(draft):
    """A wheel or a ball on the ground."""
    name, r = draft.name("wheel"), _number(draft, 0.2, 0.4)
    ball = draft.rng.random() < 0.5
    frames = {"in": [0, 0, 0], "out": [0.05, 0.1, 0]}
    turned = pl.Orientation.about("x", 1.2) if not ball else pl.Orientation.about("y", 0.3)
    height = r if ball else r * float(np.sin(1.2))
    body = pl.RigidBody(
        name,
        1.5,
        inertia=(0.05, 0.06, 0.07),
        frames=frames,
        initial={"position": (0.3, 0.2, height), "orientation": turned},
    )
    draft.put(body, "in", "out")
    draft.constraints.append(pl.Rolling(draft.name("c"), "ground", name, radius=r,
                                        axis=None if ball else "z"))  # fmt: skip


def skate(draft):
    name = draft.rigid()
    made = joint(draft.rng, "planar", draft.name("j"), ("ground", f"{name}.in"))
    draft.joints[made.name] = made
    draft.constraints.append(pl.Skate(draft.name("c"), "ground", f"{name}.in", across="y"))


def velocity(draft):
    draft.hang(draft.rigid(), "revolute")
    draft.hang(draft.rigid(), "prismatic")
    a, b = (f"{n}.{self_.scalars[0].rate}" for n, self_ in list(draft.joints.items())[-2:])
    draft.constraints.append(pl.VelocityConstraint(draft.name("c"), f"{a} - 0.4*{b}"))


def _two_coordinates(draft, *kinds):
    for kind in kinds:
        draft.hang(draft.rigid(), kind)
    held = list(draft.joints.items())[-len(kinds) :]
    draft.moved |= {(name, made.scalars[0].name) for name, made in held}
    return (f"{n}.{j.scalars[0].name}" for n, j in list(draft.joints.items())[-2:])


def gear(draft):
    a, b = _two_coordinates(draft, "revolute", "revolute")
    draft.constraints.append(pl.Gear(draft.name("c"), a, b, _number(draft, -3, -0.4)))


def rack(draft):
    a, b = _two_coordinates(draft, "revolute", "prismatic")
    draft.constraints.append(pl.Rack(draft.name("c"), b, a, _number(draft, 0.1, 0.3)))


def coupling(draft):
    a, b = _two_coordinates(draft, "revolute", "prismatic")
    slide = b.partition(".")[0]
    draft.joints[slide] = replace(draft.joints[slide], initial={})  # it follows
    draft.constraints.append(pl.Coupling(draft.name("c"), f"{b} - 0.1*sin({a}) - 0.05*t"))


CONSTRAINTS = {"rolling": rolling, "skate": skate, "velocity": velocity, "gear": gear, "rack": rack,
               "coupling": coupling}  # fmt: skip


# -- sensors -------------------------------------------------------------------------------------
def sensor(kind, draft):
    draft.sensors.append(SENSORS[kind](draft.name("look"), *_two_frames(draft)))


# -- formulas and signals ------------------------------------------------------------------------
ARGUMENTS = {
    "acos": "0.5*sin(x)", "asin": "0.5*sin(x)", "log": "2 + sin(x)", "sqrt": "2 + sin(x)",
    "tan": "0.5*sin(x)", "atan2": "x, 2 + cos(x)", "hypot": "x, 1", "mod": "x + 0.03, 5",
    "clip": "x, -3, 3", "ramp": "x, -2, 2", "smoothstep": "x, -2, 2", "exp": "-x*x",
    "piecewise": "x < 0, x*x, -x*x", "table": "x, [-9, 0.5, 9], [-1, 0.2, 2]",
    "spline": "x, [-9, 0.5, 9], [-1, 0.2, 2]", "min": "x, 2, 3 - x", "max": "x, -2, -3 - x",
}  # fmt: skip


def formula(names, draft):
    """An actuator whose law uses functions of the formula language."""
    name, c = draft.coordinate()
    x = f"({name}.{c.name} + 0.3*t)"
    terms = (f"{n}({ARGUMENTS.get(n, 'x').replace('exp', '~').replace('x', x)})".replace("~", "exp")
             for n in names)  # fmt: skip
    draft.forces.append(pl.Actuator(draft.name("f"), name, coordinate=c.name,
                                    effort="0.3*(" + " + ".join(terms) + ")"))  # fmt: skip


def signal(interpolation, draft):
    name = draft.name("s")
    draft.signals.append(pl.Signal(name, (-1.0, 0.1, 0.4, 3.0), tuple(draft.rng.uniform(-1, 1, 4)),
                                   interpolation=interpolation))  # fmt: skip
    actuator(draft, effort=name)


def _groups(names, size=6):
    names = sorted(names)
    return [tuple(names[k : k + size]) for k in range(0, len(names), size)]


def close(kind, draft):
    draft.closing = kind


WAYS = {
    "joint": {k: partial(jointed, k) for k in JOINTS},
    "rotation": {(k, s): partial(jointed, k, coordinates=s) for k in ("spherical", "free")
                 for s in ROTATION_SETS},
    "closing joint": {k: partial(close, k) for k in CLOSING},
    "joint on springs": {k: partial(on_springs, k) for k in JOINTS if k != "free"},
    "shape": {k: partial(shaped, k) for k in SHAPES},
    "beam": {(k, t): partial(theory, k, t) for k in BEAM_THEORIES for t in TYPES
             if k not in ("exact", "large-rotation") or t == TYPES[0]},
    "shapes": {k: partial(shapes, k) for k in range(max(len(FAMILIES), len(BEAM_FRAMES)))},
    "modes": {**{(t, MODES_FRAMES[0]): partial(modes, t, MODES_FRAMES[0]) for t in MODES_THEORIES},
              **{("modal", f): partial(modes, "modal", f) for f in MODES_FRAMES[1:]}},
    "force": FORCES,
    "driver": {(k, v): partial(make, v) for k, make in DRIVERS.items() for v in LEVELS},
    "constraint": CONSTRAINTS,
    "sensor": {k: partial(sensor, k) for k in SENSORS},
    "network": NETWORKS,
    "formula": {g: partial(formula, g) for g in _groups(FUNCTIONS)},
    "signal": {k: partial(signal, k) for k in ("spline", "linear")},
}  # fmt: skip
"""Everything that a mechanism may be asked to have."""
FEATURES = tuple((section, kind) for section, ways in WAYS.items() for kind in ways)
EXTRAS = (*(("force", k) for k in FORCES), *(("joint", k) for k in TREE),
          ("driver", ("joint", "position")), ("constraint", "velocity"),
          ("constraint", "gear"), ("constraint", "coupling"),
          *(("network", k) for k in NETWORKS))  # fmt: skip
"""What is strewn in at random."""
