"""Models that use every kind of element, for round trips and the schema."""

from __future__ import annotations

from pliant.model import (
    Actuator,
    BodyState,
    Bushing,
    Event,
    Force,
    Frame,
    FrameDriver,
    Ground,
    JointDriver,
    JointFriction,
    JointSpring,
    Material,
    Model,
    Orientation,
    RigidBody,
    Settings,
    Signal,
    Spring,
    Torque,
)
from pliant.model.joints import JOINTS, Joint

OPTIONS = {"screw": {"pitch": "5 mm/rev"}, "distance": {"length": "2*r"}}
SKEW = [f"k*{i + j}" if i == j else 0 if (i + j) % 2 else 0.5 for i in range(6) for j in range(6)]


def bodies() -> list[RigidBody]:
    """One body for each way to describe one."""
    turned = [
        Orientation.euler313([0.1, "20 deg", 0]),
        Orientation.bryant123([0.1, "20 deg", 0]),
        Orientation.quaternion([1, 0, 0, "s"]),
        Orientation.about("y", "r*2"),
        Orientation.axes([0, 0, 1], [1, "s", 0]),
    ]
    frames = [Frame(f"F{k}", [k, 0, "r"], o, "F0" if k else "") for k, o in enumerate(turned)]
    state = BodyState([0, 0, 1], Orientation.about([1, 1, 0], 0.3), None, [0, "2 rpm", 0])
    return [
        RigidBody("full", "2 kg", [0, 0, "r"], [1, 1, 1, 0.1, 0, 0], "com", frames, state),
        RigidBody("about", 2, [0.1, 0, 0], [1, 1, 1], "origin"),
        RigidBody.rod("rod", "r", mass="m"),
        RigidBody.rod("line", "r", mass_per_length="2 kg/m", along="z"),
        RigidBody.box("box", ["r", 2, "30 cm"], density="7.8 g/cm^3"),
        RigidBody.cylinder("drum", "r", 2, mass=3, axis="x"),
        RigidBody.sphere("ball", "r", density=7800, frames={"top": [0, 0, "r"]}),
        RigidBody.point("dot", "m", com=[0, 0, "r"]),
    ]


def joints() -> list[Joint]:
    """One joint of every kind."""
    made = [
        cls(f"J_{kind}", "ground.G", "full.F1", **OPTIONS.get(kind, {}))
        for kind, cls in JOINTS.items()
    ]
    skew = JOINTS["revolute"](
        "J_skew",
        "full",
        "rod",
        axis=[1, 2, 3],
        initial={"angle": "1 deg"},
        guess={"angle_rate": "3 rpm"},
    )
    chart = JOINTS["free"]("J_chart", "ground", "ball", coordinates="euler313", cut=False)
    return [*made, skew, chart]


def everything() -> Model:
    """A model with every kind of element (not a sensible machine)."""
    return Model(
        name="everything",
        description="one of each: 1e3",
        gravity=[0, 0, "-g"],
        parameters={"r": "150 mm", "m": "2*r", "s": 0.2, "k": 1e3, "g": 9.81},
        materials=[Material("steel", "210 GPa", 0.3, 7850)],
        ground=Ground({"G": [1, 0, 0]}),
        bodies=bodies(),
        joints=joints(),
        forces=[
            Force("push", "full.F2", ["sin(t)", "wind", "J_skew.angle"], "body"),
            Torque("twist", "rod", [0, 0, "-2*rod.angular_velocity.z"]),
            Spring("coil", "ground", "rod", stiffness="k", free_length="r"),
            Spring("curve", "ground", "rod", force="table(x, [-1, 0, 1], [-2, 0, 5]) + 3*v"),
            JointSpring("turn", "J_skew", stiffness="5 N*m/rad", damping=0.1, free="30 deg"),
            JointSpring("slide", "J_cylindrical", "displacement", effort="-x**3"),
            Bushing("rubber", "ground", "box", {"rotational": [1, 2, 3]}, preload=range(6)),
            Bushing("skewed", "ground", "box", SKEW, {"translational": [1, 2, "3 N*s/m"]}),
            JointFriction("rub", "J_prismatic", coulomb="3 N", viscous=0.1),
            Actuator("motor", "J_skew", effort="-10*J_skew.angle - 2*J_skew.angle_rate"),
        ],
        drivers=[
            JointDriver("spin", "J_revolute", motion="2*pi*t"),
            JointDriver("feed", "J_cylindrical", "displacement", "velocity", "wind"),
            FrameDriver(
                "hand", "ball.top", "position", ["t", None, 0], Orientation.about("z", "t")
            ),
            FrameDriver("foot", "box", "velocity", None, None, [0, 0, "1500 rpm"]),
        ],
        signals=[Signal("wind", (0, 1, 2), (0, 0.5, 0.25), "made up", "linear")],
        outputs={"height": "2*rod.position.z", "share": "kinetic_energy/energy"},
        events=[
            Event("top", "J_skew.angle_rate", "falling", message="yes"),
            Event("floor", "rod.position.z < 0 or t > 9", stop=True),
        ],
        settings=Settings("2*pi/k", rtol=1e-9, observe=["rod", "height"], method="radau"),
    )
