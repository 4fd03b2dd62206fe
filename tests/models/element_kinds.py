"""One small model for every kind of element: oriented frames, tilted axes, unequal numbers.

``CASES`` maps a name to a function that makes the system. Every case swings gently and is held by
bushings, so that it has an equilibrium, too. ``TREES`` are the same without what the kernel of
trees declines; ``DECLINED`` holds what blocks decline.
"""

import json

import numpy as np

import pliant as pl
from pliant.model.fields import kinds_of
from pliant.model.joints import JOINTS
from pliant.spatial.rotation import to_quaternion

TILTED = (1.0, -2.0, 2.0)
OPTIONS = {"screw": {"pitch": 0.03}, "distance": {"length": 0.12},
           "locks": {"locked": ("x", "ry")}}  # fmt: skip
SPRINGS = {"stiffness": 4e3, "rotational_stiffness": 200.0, "damping": 20.0,
           "rotational_damping": 0.4}  # fmt: skip
STIFF = {"EA": 2000.0, "EIy": 4.0, "EIz": 7.0, "GJ": 3.0, "GAy": 900.0, "GAz": 800.0}
ROTARY = {"rhoIy": 1e-3, "rhoIz": 2e-3}


GROUND = (0.1, -0.2, 0.3), TILTED, 0.7
P = (-0.1, 0.02, 0.05), (2.0, 1.0, 0.0), 0.5
Q = (0.15, 0.03, -0.05), (0.0, 1.0, 1.0), -0.6


def turned(name, position, axis, angle):
    return pl.Frame(name, position, pl.Orientation.about(axis, angle))


def placed(position, axis, angle):
    """A pose as a matrix."""
    n = np.array(axis if not isinstance(axis, str) else np.eye(3)["xyz".index(axis)], float)
    n /= np.linalg.norm(n)
    S = np.cross(np.eye(3), n)
    X = np.eye(4)
    X[:3, :3] = np.eye(3) + np.sin(angle) * S + (1 - np.cos(angle)) * S @ S
    X[:3, 3] = position
    return X


def resting(shift=0.0):
    """Initial states of a and b where ground.g, a.p and a.q, b.p coincide, or are apart."""
    g, p, q = placed(*GROUND), placed(*P), placed(*Q)
    a = g @ np.linalg.inv(p)
    b = a @ q @ np.linalg.inv(p)
    places = {}
    for k, (name, X) in enumerate((("a", a), ("b", b)), 1):
        position = X[:3, 3] + [k * shift, 0, 0]
        quaternion = to_quaternion(X[:3, :3])
        places[name] = {
            "position": position.tolist(),
            "orientation": pl.Orientation.quaternion(tuple(map(float, quaternion))),
        }
    return places


def ground():
    return pl.Ground([turned("g", *GROUND), turned("h", (0.3, 0.1, 0.2), "y", -0.4)])


def body(name, **more):
    frames = [turned("p", *P), turned("q", *Q)]
    numbers = {"com": (0.05, -0.02, 0.03), "inertia": (0.02, 0.03, 0.025, 0.002, -0.001, 0.003)}
    return pl.RigidBody(name, 1.3, **(numbers | more), frames=frames)


def bushing(name, a, b, k=1.0):
    rows = {"rotational": [40 * k, 50 * k, 60 * k], "translational": [800 * k, 900 * k, 700 * k]}
    loss = {"rotational": [0.1] * 3, "translational": [4.0, 5.0, 3.0]}
    return pl.Bushing(name, a, b, stiffness=rows, damping=loss)


def system(joints, forces=(), bodies=None, **more):
    return pl.System(
        ground=ground(), bodies=bodies or [body("a"), body("b")], joints=joints,
        forces=list(forces), gravity=[0.5, -1.0, -3.0], **more,
    )  # fmt: skip


def jointed(kind, hold=True, **options):
    """Two bodies, ground - a - b, by two joints of a kind; bushings in the same places."""
    cls = JOINTS[kind]
    own = OPTIONS.get(kind, {}) | options
    if "axis" in kinds_of(cls):
        own |= {"axis": TILTED}
    if "axis2" in kinds_of(cls):
        own |= {"axis2": (2.0, 2.0, 1.0)}
    if "slot" in kinds_of(cls):
        own |= {"slot": (2.0, 2.0, 1.0)}
    scalars = () if "springs" in own else cls("J", "ground", "a", **own).scalars
    rates = {c.rate: 0.4 for c in scalars}
    joints = [cls("J", "ground.g", "a.p", initial=rates, **own), cls("K", "a.q", "b.p", **own)]
    holds = [bushing("hold", "ground.g", "a.p"), bushing("keep", "a.q", "b.p", 0.7)]
    start = {} if cls.in_tree and "springs" not in own else resting(0.12 * (kind == "distance"))
    bodies = [body(n, **({"initial": start[n]} if start else {})) for n in "ab"]
    return system(joints, holds if hold else [], bodies)


def forced(*forces, hold=True, **more):
    """A pendulum of two bodies with one more element."""
    first = pl.Revolute("J", "ground.g", "a.p", axis=TILTED, initial={"angle_rate": 0.5})
    joints = [first, pl.Cylindrical("K", "a.q", "b.p", axis="y", initial={"angle_rate": -0.4})]
    holds = [bushing("hold", "ground.g", "a.p"), bushing("keep", "a.q", "b.p")] if hold else []
    return system(joints, [*holds, *forces], **more)


def on_a_ball(*forces, drivers=()):
    """The same on a ball that is told in angles."""
    start = {"angle1": 0.3, "angle2": 0.2, "angle3_rate": 2.0}
    if drivers:
        start = {"angle2": 0.2}
    ball = pl.Spherical("J", "ground.g", "a.p", coordinates="bryant123", initial=start)
    joints = [ball, pl.Cylindrical("K", "a.q", "b.p", axis="y", initial={"angle_rate": -0.4})]
    holds = [bushing("hold", "ground.g", "a.p"), bushing("keep", "a.q", "b.p")]
    return system(joints, [*holds, *forces], drivers=drivers)


def standing(*bodies, tip, force=(0.3, -0.5, 0.4)):
    """Bodies that stand on the ground, welded to an oriented frame, loaded at a frame."""
    first = bodies[0].name
    weld = pl.Fixed("weld", "ground.g", f"{first}.root")
    forces = [pl.Force("F", tip, list(force))] if tip else []
    return pl.System(ground=ground(), bodies=list(bodies), joints=[weld], gravity=[0.5, -1.0, -3.0],
                     forces=forces)  # fmt: skip


def beam(theory=None, **more):
    own = {"theory": theory} if theory else {"shapes": {"bending": 2, "torsion": 1, "axial": 1}}
    return pl.Beam("rod", 0.6, stiffness=STIFF, mass_per_length=1.0, rotary=ROTARY,
                   frames=[turned("side", (0.4, 0, 0), "x", 0.8)], **own, **more)  # fmt: skip


def shape(kind, hold=True):
    """A rigid body of a registered shape, off the joint that it swings in."""
    own = {"mass": 1.2, "frames": {"q": (0.1, 0, 0)}}
    made = {
        "rod": lambda: pl.RigidBody.rod("a", 0.4, **own),
        "box": lambda: pl.RigidBody.box("a", (0.3, 0.2, 0.1), **own),
        "cylinder": lambda: pl.RigidBody.cylinder("a", 0.1, 0.3, axis="y", **own),
        "sphere": lambda: pl.RigidBody.sphere("a", 0.1, **own),
        "point": lambda: pl.RigidBody.point("a", **own),
    }[kind]()
    joints = [pl.Universal("J", "ground.g", "a.q", axis="y", axis2="z")]
    return system(joints, [bushing("hold", "ground.g", "a.q")] if hold else [], [made])


def welded_pair():
    """A body without mass between two others, all welded or pinned."""
    light = pl.RigidBody("c", 0, frames={"e": (0.1, 0.05, 0)})
    joints = [pl.Revolute("J", "ground.g", "a.p", axis=TILTED), pl.Fixed("W", "a.q", "c"),
              pl.Spherical("K", "c.e", "b.p")]  # fmt: skip
    return system(joints, [bushing("hold", "ground.g", "a.p"), bushing("keep", "c.e", "b.p")],
                  [body("a"), light, body("b")])  # fmt: skip


def given_modes(folder):
    """Two beams' worth of measured modes on three nodes."""
    shapes = np.zeros((3, 3, 2))
    shapes[1, 1:, :], shapes[2, 1:, :] = [[0.3, 0], [0, 0.4]], [[1, 0], [0, 1]]
    turns = np.zeros((3, 3, 2))
    turns[1, 1:, :], turns[2, 1:, :] = [[0, -1.2], [1.2, 0]], [[0, -1.5], [1.5, 0]]
    content = {"nodes": [[0, 0, 0], [0.4, 0, 0], [0.8, 0, 0]], "shapes": shapes.tolist(),
               "rotations": turns.tolist(), "mass": [0.2, 0.4, 0.2],
               "stiffness": [[60, 5], [5, 90]],
               "inertia": [np.diag([1e-3, 2e-3, 3e-3]).tolist()] * 3}  # fmt: skip
    path = folder / "modes.json"
    path.write_text(json.dumps(content))
    frames = [pl.Frame("root", node=0), pl.Frame("tip", node=2)]
    return standing(pl.Modes("p", str(path), frames=frames), tip="p.tip")


def segments(*directions, tip="rod.tip", **more):
    return standing(beam({"segments": {"count": 3, "directions": list(directions)}}, **more),
                    tip=tip)  # fmt: skip


FORCES = {
    "force": lambda: forced(pl.Force("E", "b.q", [2.0, "1 + sin(3*t)", "-b.q.velocity.x"])),
    "force in own axes": lambda: forced(pl.Force("E", "b.q", [2.0, 1.0, -3.0], axes="body")),
    "torque": lambda: forced(pl.Torque("E", "b.q", [0.4, "0.2*t", -0.3])),
    "torque in own axes": lambda: forced(pl.Torque("E", "a.q", [0.4, 0.2, -0.3], axes="body")),
    "spring": lambda: forced(pl.Spring("E", "ground.h", "b.q", stiffness=90, damping=2,
                                       free_length=0.1)),
    "spring with a law": lambda: forced(pl.Spring("E", "a.p", "b.q", free_length=0.1,
                                                  force="30*x + 400*x^3 + 0.5*v")),
    "joint_spring": lambda: forced(pl.JointSpring("E", "K", "displacement", stiffness=200,
                                                  damping=3, free=0.02)),
    "torsion_spring": lambda: forced(pl.JointSpring("E", "J", effort="-3*x - 0.2*v + 0.1")),
    "along an angle": lambda: on_a_ball(
        pl.JointSpring("E", "J", "angle2", stiffness=30, damping=0.5, free=0.1),
        pl.Actuator("F", "J", "angle3", effort="2*cos(t) - 0.2*J.angle1_rate")),
    "bushing": lambda: forced(bushing("E", "ground.h", "b.q", 0.3)),
    "friction": lambda: forced(pl.JointFriction("E", "J", coulomb=0.2, viscous=0.1, speed=0.5)),
    "actuator": lambda: forced(pl.Actuator("E", "J", effort="0.5*cos(2*t) - 0.2*K.angle_rate")),
    "linear_actuator": lambda: forced(pl.LinearActuator("E", "a.p", "b.q",
                                                        force="2*cos(2*t) - 30*(x - 0.3) - v")),
    "cylinder": lambda: forced(pl.Cylinder("E", "ground.h", "b.q", area_A=2e-3, area_B=1e-3,
                                           pressure_A="5e3 - 1e4*x", pressure_B="3e3",
                                           damping=4)),
    "world_spring": lambda: forced(pl.WorldSpring("E", "a.p", "b.q", stiffness=[30, 40, 50],
                                                  damping=[1, 2, 3], free=[0.1, 0, 0])),
    "cable": lambda: forced(pl.Spring("E", "ground.h", "b.q", stiffness=90, damping=2,
                                      free_length=0.1, acts="tension")),
    "end stop": lambda: forced(pl.JointSpring("E", "K", "displacement", stiffness=200,
                                              damping=3, free=-0.02, acts="above")),
}  # fmt: skip

BODIES = {
    "modal beam": lambda: standing(beam(), tip="rod.tip"),
    "modal beam, oriented frame": lambda: standing(beam(), tip="rod.side"),
    "exact beam": lambda: standing(beam({"exact": {"elements": 2, "order": 1}}), tip="rod.tip"),
    "exact beam of order 2": lambda: standing(beam({"exact": {"elements": 1, "order": 2}}),
                                              tip="rod.tip"),
    "large-rotation beam": lambda: standing(beam({"large-rotation": {"elements": 2, "nodes": 2}}),
                                            tip="rod.tip"),
    "segments, bending y": lambda: segments("bending_y"),
    "segments, bending z": lambda: segments("bending_z"),
    "segments, bending": lambda: segments("bending"),
    "segments, bending and torsion": lambda: segments("bending", "torsion"),
    "segments, bending and axial": lambda: segments("bending", "axial"),
    "segments, all": lambda: segments("bending", "torsion", "axial", "shear", type="timoshenko"),
    "massless body": welded_pair,
}  # fmt: skip

DRIVERS = {
    "driven angle": lambda: forced(drivers=[pl.JointDriver("D", "J", motion="0.3*sin(2*t)")]),
    "driven angle of a ball": lambda: on_a_ball(
        drivers=[pl.JointDriver("D", "J", "angle1", motion="0.3 + 0.2*sin(2*t)")]),
    "driven frame": lambda: pl.System(
        ground=ground(), bodies=[body("a", initial=resting()["a"])],
        forces=[bushing("hold", "ground.g", "a.p")],
        drivers=[pl.FrameDriver("D", "a.p", translation=["0.1 + 0.05*sin(3*t)", None, None])],
    ),
}  # fmt: skip

DECLINED = {
    "driven speed": lambda: forced(
        drivers=[pl.JointDriver("D", "J", level="velocity", motion="0.3")]),
    "driven acceleration": lambda: forced(
        drivers=[pl.JointDriver("D", "J", level="acceleration", motion="0.3")]),
    "skate": lambda: system(
        [pl.Planar("J", "ground", "a")], [], [body("a")],
        constraints=[pl.Skate("D", "ground", "a.p", across="y")]),
    "velocity": lambda: forced(
        constraints=[pl.VelocityConstraint("D", "J.angle_rate - 0.1*K.angle_rate")]),
    "gear": lambda: forced(constraints=[pl.Gear("D", "J.angle", "K.angle", -2)]),
    "rack": lambda: forced(constraints=[pl.Rack("D", "K.displacement", "J.angle", 0.2)]),
    "coupling": lambda: forced(
        constraints=[pl.Coupling("D", "K.displacement - 0.1*sin(J.angle)")]),
    "rotor": lambda: forced(pl.Rotor("D", "J", inertia=0.02, ratio=5)),
    "rolling": lambda: system(
        [], [], [pl.RigidBody.sphere("a", 0.3, mass=1.0, initial={"position": [0, 0, 0.3]})],
        constraints=[pl.Rolling("D", "ground", "a", radius=0.3)]),
}  # fmt: skip

CASES = {
    **{f"joint {kind}": (lambda kind=kind: jointed(kind)) for kind in JOINTS},
    **{
        f"joint {kind} on springs": (lambda kind=kind: jointed(kind, springs=SPRINGS))
        for kind in JOINTS
        if kind != "free"
    },
    **{
        f"joint locks {what}": (lambda what=what: jointed("locks", locked=what.split()))
        for what in ("x y", "y rx rz", "z rx ry rz")
    },
    **{f"force: {name}": make for name, make in FORCES.items()},
    **{
        f"shape {kind}": (lambda kind=kind: shape(kind))
        for kind in ("rod", "box", "cylinder", "sphere", "point")
    },
    **{f"body: {name}": make for name, make in BODIES.items()},
    **{f"driver: {name}": make for name, make in DRIVERS.items()},
}

TREES = {
    **{
        f"joint {kind}": (lambda kind=kind: jointed(kind, hold=False))
        for kind, cls in JOINTS.items()
        if cls.in_tree
    },
    **{
        f"joint locks {what}": (lambda what=what: jointed("locks", hold=False, locked=what.split()))
        for what in ("x y", "y rx rz")
    },
    **{
        f"shape {kind}": (lambda kind=kind: shape(kind, hold=False))
        for kind in ("rod", "box", "cylinder", "sphere", "point")
    },
    "nothing moves": lambda: jointed("fixed", hold=False),
    "joint fixed": lambda: system(
        [pl.Revolute("J", "ground.g", "a.p", axis=TILTED), pl.Fixed("K", "a.q", "b.p")]
    ),
    "joint_spring": lambda: forced(
        pl.JointSpring("E", "K", "displacement", stiffness=200, damping=3, free=0.02), hold=False
    ),
    "torsion_spring": lambda: forced(
        pl.JointSpring("E", "J", effort="-3*x - 0.2*v + 0.1"), hold=False
    ),
    "friction": lambda: forced(
        pl.JointFriction("E", "J", coulomb=0.2, viscous=0.1, speed=0.5), hold=False
    ),
    "actuator": lambda: forced(pl.Actuator("E", "J", effort="0.5*cos(2*t)"), hold=False),
    "segments, bending": lambda: segments("bending", tip=""),
    "segments, all": lambda: segments(
        "bending", "torsion", "axial", "shear", tip="", type="timoshenko"
    ),
}
"""What the kernel of trees takes: no forces between frames."""
