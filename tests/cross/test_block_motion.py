"""Motion over blocks against the default method: the same motion, errors of second order."""

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.verification.states import pointwise
from pliant.model.bodies.elastic import BEAM_FRAMES
from pliant.observe.frames import rotations

_MOTION = ("position", "coordinate", "rotation")
_STIFF = ("exact", "large-rotation")
"""Undamped axial waves: their accelerations are not resolved by these steps."""
INERTIA = [0.02, 0.3, 0.3, 0, 0, 0]


def link(name, length, **frames):
    return pl.RigidBody(name, 2.0, com=[length / 2, 0, 0], inertia=INERTIA,
                        frames={"end": [length, 0, 0], **frames})  # fmt: skip


def driven_pendulum():
    """A torque that reads coordinates, a spring, friction; more than one turn."""
    pin = pl.Revolute("pin", "ground", "arm", axis="y", initial={"angle_rate": 9.0})
    forces = [pl.Actuator("motor", "pin", effort="8 - 2*sin(pin.angle) - 0.1*arm.end.velocity.x"),
              pl.JointSpring("coil", "pin", stiffness=1.0, damping=0.1),
              pl.Spring("rope", "ground.A", "arm.end", stiffness=20, free_length=0.5, damping=0.3),
              pl.JointFriction("rub", "pin", coulomb=0.2, speed=0.5, viscous=0.05)]  # fmt: skip
    ground = pl.Ground(frames=[pl.Frame("A", [0, 0, 2])])
    return pl.System(gravity=[0, 0, -9.81], ground=ground, bodies=[link("arm", 1.0)], joints=[pin],
                     forces=forces)  # fmt: skip


def four_bar():
    """Planar loop of spatial joints: three of its constraints are dependent. The coupler is free
    of mass."""
    a, b, c = link("a", 1.0), pl.RigidBody("b", 0, frames={"end": [2.0, 0, 0]}), link("c", 1.5)
    joints = [pl.Revolute("A", "ground", "a", axis="y", initial={"angle": -1.2, "angle_rate": 3.0}),
              pl.Revolute("B", "a.end", "b", axis="y", guess={"angle": 1.2}),
              pl.Revolute("C", "b.end", "c.end", axis="y"),
              pl.Revolute("D", "ground.D", "c", axis="y", guess={"angle": -1.5})]  # fmt: skip
    return pl.System(gravity=[0, 0, -9.81], ground=pl.Ground(frames=[pl.Frame("D", [2, 0, 0])]),
                     bodies=[a, b, c], joints=joints)  # fmt: skip


def spatial_joints():
    """Universal, spherical, screw and planar joints, a bushing, a driver, a follower force."""
    bodies = [link("a", 0.5), link("b", 0.5), link("c", 0.5), link("d", 0.5), link("e", 0.5)]
    joints = [pl.Universal("U", "ground", "a"),
              pl.Spherical("S", "a.end", "b"),
              pl.Screw("X", "b.end", "c", axis="x", pitch=0.2, initial={"angle_rate": 4.0}),
              pl.Cylindrical("Y", "ground.P", "d", axis="z"),
              pl.Planar("P", "ground.Q", "e", initial={"x_rate": 0.5})]  # fmt: skip
    forces = [pl.Force("push", "a.end", ["3*cos(4*t)", 0, 2], axes="body"),
              pl.Bushing("rubber", "d.end", "e", stiffness=np.diag([5, 5, 5, 80, 80, 80]),
                         damping=np.diag([0.1] * 3 + [1.0] * 3))]  # fmt: skip
    drivers = [pl.JointDriver("turn", "Y", "angle", motion="0.5*sin(3*t)")]
    frames = [pl.Frame("P", [0, 2, 0]), pl.Frame("Q", [0.5, 2, 0])]
    return pl.System(gravity=[0, 0, -9.81], ground=pl.Ground(frames=frames), bodies=bodies,
                     joints=joints, forces=forces, drivers=drivers)  # fmt: skip


def elastic(theory, **more):
    return pl.Beam("rod", 1.0, theory=theory, mass_per_length=1.0,
                   stiffness={"EA": 2000, "EIy": 4, "EIz": 4, "GJ": 3, "GAy": 900, "GAz": 900},
                   rotary={"rhoIy": 1e-2, "rhoIz": 1e-2}, **more)  # fmt: skip


def mixed(theory):
    """A rod with a rigid body at its tip, driven at its root."""
    joints = [pl.Revolute("hub", "ground", "rod.root", axis="y"),
              pl.Spherical("ball", "rod.tip", "arm")]  # fmt: skip
    driver = pl.JointDriver("spin", "hub", motion="0.4*(1 - cos(3*t))")
    return pl.System(gravity=[0, 0, -9.81], bodies=[elastic(theory), link("arm", 0.4)],
                     joints=joints, drivers=[driver])  # fmt: skip


MODELS = {
    "pendulum": (driven_pendulum, 1.5),
    "four-bar": (four_bar, 0.5),
    "spatial joints": (spatial_joints, 0.5),
    "exact": (lambda: mixed({"exact": {"elements": 2, "order": 1}}), 0.4),
    "large-rotation": (lambda: mixed({"large-rotation": {"elements": 2}}), 0.4),
    "modal": (lambda: pl.System(mixed("rigid").described.with_(
        bodies=[elastic("modal", shapes={"bending": 2}), link("arm", 0.4)])), 0.4),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_second_order_to_the_motion_of_the_default_method(name):
    """All observables of both; halving the step divides the error by four."""
    make, t_end = MODELS[name]
    system = make()
    exact = system.simulate(t_end, every=t_end / 5, rtol=1e-9)
    errors = {}
    for steps in (200, 400):
        r = system.simulate(t_end, every=t_end / 5, method="sparse-alpha", step=t_end / steps)
        assert r.completed
        assert not {n for n in exact.series if not n.endswith(".work")} - set(r.series)
        errors[steps] = {n: differences(r, exact, n) for n in r.series if n in exact.series}
    for n, s in exact.series.items():
        if s.kind in _MOTION and errors[200].get(n, 0) > 1e-8:
            assert errors[400][n] < 0.3 * errors[200][n], n
            assert errors[400][n] < 1e-3, n
    if name not in _STIFF:
        assert max(errors[400].values()) < 3e-3


def differences(r, exact, name):
    """Largest difference over the size of a quantity; of reactions only what is determined."""
    a, b = r.values(name), exact.values(name)
    unique = exact.series[name].unique
    if unique and not all(unique):
        return 0.0
    kind = exact.series[name].kind
    alike = [v for n, s in exact.series.items() if s.kind == kind and s.unit ==
             exact.series[name].unit for v in [np.abs(s.values).max(initial=0.0)]]  # fmt: skip
    return float(np.abs(a - b).max() / max(*alike, 1e-6))


def test_errors_follow_the_tolerance():
    system = mixed({"exact": {"elements": 2, "order": 1}})
    system = pl.System(system.described.with_(bodies=[
        elastic({"exact": {"elements": 2, "order": 1}}, damping={"stiffness": 1e-3}),
        link("arm", 0.4),
    ]))  # fmt: skip
    times = [0.0, 0.07, 0.1, 0.3]
    exact = system.simulate(times=times, rtol=1e-9)
    for rtol in (1e-4, 1e-6):
        r = system.simulate(times=times, method="sparse-alpha", rtol=rtol)
        assert np.array_equal(r.time, times)
        gap = r.values("rod.tip.position") - exact.values("rod.tip.position")
        assert np.abs(gap).max() < rtol


def test_auto_takes_blocks_for_many_nodes():
    """The same motion as with the dense equations of few nodes of higher order."""
    few = pl.System(mixed("rigid").described.with_(drivers={}, bodies=[
        elastic({"exact": {"elements": 3, "order": 2}}, damping={"stiffness": 1e-3}),
        link("arm", 0.4),
    ]))  # fmt: skip
    many = pl.System(few.described.with_(bodies=[
        elastic({"exact": {"elements": 40, "order": 1}}, damping={"stiffness": 1e-3}),
        link("arm", 0.4),
    ]))  # fmt: skip
    a, b = (s.simulate(0.2, every=0.05, rtol=1e-6) for s in (few, many))
    assert a.info["formulation"] == "recursive"
    assert b.info["method"] == "sparse-alpha"
    assert np.abs(a.values("arm.end.position") - b.values("arm.end.position")).max() < 1e-4


def test_angles_count_their_turns():
    r = driven_pendulum().simulate(1.5, every=0.05, method="sparse-alpha", step=2e-3)
    assert np.ptp(r.values("pin.angle")) > 2 * np.pi


def test_the_conserving_step_keeps_the_energy():
    """Of a rod that swings on a hub with a body at its tip: to the tolerance of Newton's method."""
    hub = pl.Revolute("hub", "ground", "rod.root", axis="y", initial={"angle_rate": 4.0})
    ball = pl.Spherical("ball", "rod.tip", "arm", initial={"wz": 3.0})
    system = pl.System(gravity=[0, 0, -9.81], joints=[hub, ball], bodies=[
        elastic({"exact": {"elements": 2, "order": 1}}), link("arm", 0.4)])  # fmt: skip
    r = system.simulate(0.4, every=0.02, method="sparse-conserving", step=4e-3)
    assert r.completed
    assert np.ptp(r.values("energy")) < 1e-9 * r.values("kinetic_energy").max()


def test_the_conserving_step_takes_modal_bodies():
    """A modal bar with a weight on an elastic rod: the motion of another method. Energy is
    kept to the order of the step only: modal inertia depends on the deformation."""
    bar = pl.Beam("bar", 0.8, material="m", section=pl.Rectangle(width=0.02, height=0.02),
                  shapes={"bending": 2})  # fmt: skip
    system = pl.System(
        gravity=[0, 0, -9.81], materials=[pl.Material("m", E=2e9, nu=0.3, density=2000)],
        bodies=[elastic({"exact": {"elements": 2, "order": 1}}), bar, link("arm", 0.4)],
        joints=[pl.Revolute("pin", "ground", "rod.root", axis="y", initial={"angle": 0.3}),
                pl.Revolute("hinge", "rod.tip", "bar.root", axis="y"),
                pl.Fixed("weld", "bar.tip", "arm")],
    )  # fmt: skip
    exact = system.simulate(0.3, every=0.05, method="radau", rtol=1e-8)
    runs = [system.simulate(0.3, every=0.05, method="sparse-conserving", step=h)
            for h in (2e-3, 1e-3)]  # fmt: skip
    path = exact.values("arm.end.position")
    gaps = [np.abs(r.values("arm.end.position") - path).max() for r in runs]
    assert gaps[1] < 1e-5
    assert gaps[0] / gaps[1] == pytest.approx(4, abs=1)
    assert np.ptp(runs[1].values("energy")) < 1e-5 * exact.values("kinetic_energy").max()


def test_tolerances_end_at_rounding():
    """Coordinates of a modal bar that stay zero ask for no shorter steps than rounding allows."""
    bar = pl.Beam("bar", 0.8, material="m", section=pl.Rectangle(width=0.02, height=0.02),
                  shapes={"bending": 2})  # fmt: skip
    system = pl.System(
        gravity=[0, 0, -9.81], materials=[pl.Material("m", E=2e9, nu=0.3, density=2000)],
        bodies=[elastic({"exact": {"elements": 2, "order": 1}}), bar],
        joints=[pl.Revolute("pin", "ground", "rod.root", axis="y", initial={"angle": 0.3}),
                pl.Revolute("hinge", "rod.tip", "bar.root", axis="y")],
    )  # fmt: skip
    a, b = (system.simulate(0.1, every=0.05, method="sparse-alpha", rtol=r) for r in (1e-6, 1e-8))
    assert b.completed
    assert np.abs(a.values("bar.tip.position") - b.values("bar.tip.position")).max() < 1e-6


def momenta(r, model):
    """Linear and angular momentum of all bodies, inertias along principal axes."""
    values, P, L = model.parameter_values(), 0, 0
    for name, body in model.bodies.items():
        m, c, I = body.mass.number(values), *(
            np.array([f.number(values) for f in numbers]) for numbers in (body.com, body.inertia)
        )  # fmt: skip
        R, w = rotations(r.values(f"{name}.orientation")), r.values(f"{name}.angular_velocity")
        v = r.values(f"{name}.velocity") + np.cross(w, R @ c)
        spin = I[:3] * np.einsum("nji,nj->ni", R, w)
        P = P + m * v
        L = L + m * np.cross(r.values(f"{name}.position") + R @ c, v)
        L = L + np.einsum("nij,nj->ni", R, spin)
    return P, L


def test_a_free_system_keeps_energy_and_momenta():
    flying = pl.BodyState(velocity=[1, 0, 0.5], angular_velocity=[1, 2, 6])
    weight = pl.RigidBody("arm", 0.3, com=[0.1, 0, 0], inertia=[0.01, 0.02, 0.02, 0, 0, 0],
                          inertia_about="com")  # fmt: skip
    system = pl.System(
        bodies=[elastic({"exact": {"elements": 6, "order": 1}}, initial=flying), weight],
        joints=[pl.Spherical("ball", "rod.tip", "arm")],
    )  # fmt: skip
    r = system.simulate(1.0, every=0.02, method="sparse-conserving", step=2e-3)
    energy, (P, L) = r.values("energy"), momenta(r, system.model)
    assert np.ptp(energy) < 1e-9 * energy[0]
    assert np.ptp(P, axis=0).max() < 1e-10 * np.abs(P).max()
    assert np.ptp(L, axis=0).max() < 1e-10 * np.abs(L).max()


def test_dissipation_takes_energy_and_keeps_momenta():
    """Of a bent rod that flies freely."""
    flying = pl.BodyState(velocity=[1, 0, 0.5], angular_velocity=[1, 2, 6])
    system = pl.System(bodies=[elastic({"exact": {"elements": 6, "order": 1}}, initial=flying)])
    r = system.simulate(1.0, every=0.02, method="sparse-conserving", step=5e-3,
                        options={"dissipation": 0.2})  # fmt: skip
    energy, (P, L) = r.values("energy"), momenta(r, system.model)
    assert np.diff(energy).max() < 1e-9 * energy[0]
    assert energy[-1] < (1 - 1e-5) * energy[0]
    assert np.ptp(P, axis=0).max() < 1e-10 * np.abs(P).max()
    assert np.ptp(L, axis=0).max() < 1e-10 * np.abs(L).max()


def test_a_run_goes_on_and_starts_from_equilibrium():
    system = mixed({"exact": {"elements": 2, "order": 1}})
    whole = system.simulate(0.4, every=0.1, method="sparse-alpha", step=5e-4)
    half = system.simulate(0.2, every=0.1, method="sparse-alpha", step=5e-4)
    rest = system.simulate(0.4, every=0.1, method="sparse-alpha", step=5e-4, start=half)
    assert rest.time[0] == pytest.approx(0.2)
    gap = rest.values("rod.tip.position")[-1] - whole.values("rod.tip.position")[-1]
    assert np.abs(gap).max() < 1e-5
    still = pl.System(
        gravity=[0, 0, -9.81], bodies=[elastic({"exact": {"elements": 2, "order": 1}})],
        joints=[pl.Fixed("clamp", "ground", "rod.root")],
    ).simulate(0.2, every=0.05, method="sparse-alpha", step=1e-3, start="equilibrium")  # fmt: skip
    tip = still.values("rod.tip.position")
    assert tip[0, 2] < -0.05
    assert np.abs(tip - tip[0]).max() < 1e-9


@pytest.mark.parametrize("frame", BEAM_FRAMES)
def test_beams_in_any_floating_frame(frame):
    """A block is the motion of the floating frame, a start that of the body frame, at the root."""
    text = f"""
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  rod: {{beam: {{length: 1, stiffness: {{EA: 1e5, EIy: 20, EIz: 20, GJ: 10}}, mass_per_length: 0.5,
                rotary: {{rhoIy: 1e-3, rhoIz: 1e-3}}}}, shapes: {{bending: 1}},
        floating_frame: {frame}}}
joints: {{pin: {{spherical: {{}}, between: [ground, rod.root]}}}}
"""
    report = pointwise(pl.loads(text), states=2, choices=[], back_ends=["blocks"])
    assert not report.verdicts[-1].declined
    assert report.agree, str(report)
