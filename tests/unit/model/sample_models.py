"""Models that use every kind of element, for round trips and the schema."""

from __future__ import annotations

from pathlib import Path

from sample_networks import networks, subgraphs

from pliant.model import (
    Actuator,
    Beam,
    BodyState,
    Bushing,
    Circle,
    Coupling,
    Cylinder,
    Damping,
    Event,
    Force,
    Frame,
    FrameDriver,
    Gear,
    Ground,
    JointDriver,
    JointFriction,
    JointSpring,
    LinearActuator,
    Material,
    Model,
    Modes,
    NamedFormula,
    Orientation,
    Rack,
    RigidBody,
    Rotor,
    Settings,
    Signal,
    Spring,
    Torque,
    WorldSpring,
)
from pliant.model.joints import JOINTS, Joint

OPTIONS = {"screw": {"pitch": "5 mm/rev"}, "distance": {"length": "2*r"},
           "locks": {"locked": ["x", "ry"]}}  # fmt: skip
PLATE = Path(__file__).with_name("plate_modes.json")
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


def flexible() -> list[Beam | Modes]:
    """Beams of every kind of section, stiffness, shapes, floating frame; given modes."""
    i = {"i": {"height": "30 mm", "width": "20 mm", "web": "2 mm", "flange": "3 mm"}}
    numbers = {"A": 1e-4, "Iy": "100 mm^4", "Iz": 1e-9, "J": 1e-9, "ky": "5/6", "y": "r"}
    thin, thick = ({"tube": {"outer": f"{d} mm", "inner": "1 mm"}} for d in (3, 6))
    stiffness = {"EIy": "10 N*m^2", "EIz": 10, "GJ": 8, "GAy": "1 MN", "GAz": 1e6, "EA": 1e6}
    hand = {"at": ["r/2", 0, "1 mm"], "orientation": {"axis": "y", "angle": "s"}}
    state = {"position": [0, 0, 1], "elastic": {"v1": "1 mm"}, "elastic_rates": {"w2": 0.1}}
    cb = {"craig-bampton": {"count": 5, "elements": 12, "interfaces": [0, 0.5, 1]}}
    return [
        Beam("arm", "r", Circle("3 mm"), "steel", frames={"hand": hand, "end": {"on": "tip"}},
             initial=state, damping={"modal": [0.01, "s"]}),
        Beam("shear", 1, {"rectangle": {"width": "2*r", "height": 0.01}}, "alloy",
             shear_factors=["5/6", 0.8], type="timoshenko", damping=Damping.rayleigh("1 1/s", 0),
             shapes={"bending_y": 2, "torsion": {"polynomial": 1}, "axial": 1}),
        Beam("taper", 1, sections={0: thick, "1/3": thin, 1: thin}, material="steel", shapes={
             "bending": cb, "axial": {"free-interface": {"count": 3, "attachments": True}}},
             floating_frame="tisserand", geometric_stiffness="dynamic"),
        Beam("direct", 2, stiffness=stiffness, mass_per_length="2 kg/m", type="timoshenko",
             rotary={"rhoIy": "1 g*m", "rhoIz": 1e-3}, floating_frame={"at": "s"},
             damping={"stiffness": "1 ms"}),
        Beam("solid", 1, i, "alloy", theory="rigid", shape={"rod": {"length": 1}}),
        Beam("string", 1, {"properties": numbers}, "steel", rotary_inertia="full"),
        Modes("plate", PLATE, geometric_stiffness="none", floating_frame={"node": 1},
              damping={"modal": 0.01}, frames={"corner": {"node": 2, "at": [0, 0, "1 cm"]},
              "edge": {"at": ["r", 0, 0], "on": "corner"}}, initial={"elastic": {"q1": 0.1}}),
    ]  # fmt: skip


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
    told = JOINTS["free"]("J_angles", "ground", "ball", coordinates="euler313", cut=False)
    return [*made, skew, told]


def everything() -> Model:
    """A model with every kind of element (not a sensible machine)."""
    return Model(
        name="everything",
        description="one of each: 1e3",
        gravity=[0, 0, "-g"],
        parameters={"r": "150 mm", "m": "2*r", "s": 0.2, "k": 1e3, "g": 9.81},
        materials=[
            Material("steel", "210 GPa", 0.3, 7850),
            Material("alloy", "70 GPa", density="2.7 g/cm^3", G="26 GPa"),
        ],
        ground=Ground({"G": [1, 0, 0]}),
        bodies=[*bodies(), *flexible()],
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
            LinearActuator("ram", "ground", "box", force="-lag - 3*v"),
            Cylinder("jack", "ground", "rod", area_A="2 mm^2", pressure_A="3 bar"),
            WorldSpring("mount", "ground", "ball.top", [1, 2, "3 N/m"], free=[0, 0, "r"]),
            Rotor("armature", "J_prismatic", inertia="2 kg", ratio=3),
            Spring("cable", "ground", "rod", stiffness="k", free_length="r", acts="tension"),
        ],
        formulas={"lag": "2*J_skew.angle", "wave": NamedFormula("wave", "sin(t)", "rad")},
        constraints=[
            Gear("mesh", "J_skew.angle", "J_revolute.angle", -2, offset="30 deg"),
            Rack("teeth", "J_prismatic.displacement", "J_skew.angle", "r"),
            Coupling("cam", "J_prismatic.displacement - r*sin(J_skew.angle)", offset="r"),
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
        networks=networks(),
        subgraphs=subgraphs(),
        settings=Settings("2*pi/k", rtol=1e-9, observe=["rod", "height"], method="radau"),
    )
