"""Shape families converge; families and floating frames agree to third order in the load.

Laws that hold whatever the shapes are: rigid motion without strain, conservation, independence of
axes and trees.
"""

from itertools import pairwise

import numpy as np
import pytest

import pliant as pl

FRAMES = ("mid", "tip", "chord", "mass-centre", "principal-axis", "buckens", "tisserand")
TIP = "rod.tip.deflection.tangent(root)"


def rod(shapes, **options):
    """A beam of unit length, mass and stiffness that bends in the x-y plane."""
    given = {"stiffness": {"EIz": 1.0}, "mass_per_length": 1.0, "rotary_inertia": "none"}
    return pl.Beam("rod", 1, shapes={"bending_y": shapes}, **{**given, **options})


def cantilever(shapes, frame="root"):
    return pl.System(
        parameters={"P": 0.4},
        bodies=[rod(shapes, floating_frame=frame)],
        joints=[pl.Fixed("wall", "ground", "rod.root")],
        forces=[pl.Force("load", "rod.tip", (0, "P", 0))],
    )


def bent(system, load):
    result = system.statics(params={"P": load})
    assert result.completed, result.failure
    return result.values(TIP)[0]


def swung(shapes, frame="root", loads=(0.4,)):
    """A pinned rod, pushed at its tip: rotation and bending together. A motion for every load."""
    system = pl.System(
        parameters={"P": 0},
        bodies=[rod(shapes, floating_frame=frame)],
        joints=[pl.Revolute("pin", "ground", "rod.root")],
        forces=[pl.Force("push", "rod.tip", (0, "P*sin(3*t)", 0), axes="body")],
    )
    how = {"times": np.linspace(0, 1.0, 11), "method": "dop853", "rtol": 1e-10, "outputs": [TIP]}
    runs = [system.simulate(params={"P": load}, **how) for load in loads]
    assert all(r.completed for r in runs)
    return [r.values(TIP) for r in runs]


@pytest.mark.parametrize("family", [
    "taylor", "polynomial", "clamped-free",
    pytest.param("craig-bampton", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_family_converges_to_its_limit(family):
    """The motion with k shapes against k + 2: the difference falls."""
    first = 3 if family == "craig-bampton" else 1
    runs = [swung({family: k})[0] for k in (first, first + 2, first + 4)]
    steps = [np.abs(b - a).max() for a, b in pairwise(runs)]
    assert steps[1] < 0.25 * steps[0]
    assert steps[1] < 0.05 * np.abs(runs[-1]).max()


SPACES = [
    *(({"polynomial": 4}, frame) for frame in FRAMES),
    ({"taylor": 3}, {"at": 0.25}),
    ({"craig-bampton": {"count": 4}}, "chord"),
    ({"free-interface": {"count": 5, "attachments": True}}, "tisserand"),
]


@pytest.mark.parametrize(("shapes", "frame"), SPACES, ids=str)
def test_families_and_frames_agree_to_third_order_in_the_load(shapes, frame):
    """All spaces hold the cubic that bends under a tip load; in the frame `root` it is exact.

    Halve the load: the difference falls by 8.
    """
    system = cantilever(shapes, frame)
    loads = (0.4, 0.2, 0.1)
    gaps = [np.abs(bent(system, P) - (-(P**2) / 15, P / 3, 0)).max() for P in loads]
    assert gaps[0] < 0.05 * loads[0] / 3
    assert 7 < gaps[0] / gaps[1] < 9
    assert 7 < gaps[1] / gaps[2] < 9


@pytest.mark.parametrize("family", ["taylor", "craig-bampton", "free-interface"])
def test_families_that_hold_the_solution_agree_in_one_frame(family):
    count = {"taylor": 4, "craig-bampton": 4, "free-interface": {"count": 4, "attachments": True}}
    found = bent(cantilever({family: count[family]}), 0.4)
    assert found == pytest.approx([-(0.4**2) / 15, 0.4 / 3, 0], abs=1e-12)


def test_frames_agree_in_motion_to_third_order():
    shapes, loads = {"polynomial": 2}, (0.4, 0.2)
    root = swung(shapes, "root", loads)
    for frame in ("chord", "tisserand"):
        other = swung(shapes, frame, loads)
        large, small = (np.abs(a - b).max() for a, b in zip(other, root, strict=True))
        assert 4 < large / small < 12


@pytest.mark.parametrize("frame", ["root", "chord"])
def test_rigid_motion_causes_no_strain(frame):
    """Thrown without rotation, in any attitude: it stays straight."""
    body = pl.Beam(
        "rod", 1, stiffness={"EIz": 1.0, "EIy": 2.0, "GJ": 1.0}, mass_per_length=1.0,
        rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, floating_frame=frame,
        shapes={"bending": {"polynomial": 1}, "torsion": {"polynomial": 1}},
        initial={"position": (1, -2, 3), "velocity": (4, 5, -6),
                 "orientation": {"bryant123": (0.5, 1.1, -2.0)}},
    )  # fmt: skip
    result = pl.System(bodies=[body], gravity=[1, 2, -9.81]).simulate(
        2, method="radau", rtol=1e-9,
        outputs=["rod.strain_energy", "rod.tip.deflection", "rod.tip.rotation"],
    )  # fmt: skip
    for name in result.series:
        assert np.abs(result.values(name)).max() < 1e-12, name


def turned(angle):
    """A cantilever under a load that turns with its wall."""
    wall = pl.Frame("wall", (0.3, 0.1, 0), {"axis": (1, 2, 3), "angle": angle})
    return pl.System(
        ground=pl.Ground({"wall": wall}),
        bodies=[rod({"polynomial": 3})],
        joints=[pl.Fixed("clamp", "ground.wall", "rod.root")],
        forces=[pl.Force("load", "rod.tip", (-0.2, 0.5, 0.0), axes="body")],
    )


def test_strain_does_not_see_large_rotations():
    energies = [turned(a).statics().values("rod.strain_energy")[0] for a in (0.0, 2.5)]
    assert energies[0] > 0.01
    assert energies[1] == pytest.approx(energies[0], rel=1e-12)


#: Satellite with a boom; the points of a Gauss rule on the boom are frames of it.
NODES, WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(8))
HUB = {"mass": 2.0, "inertia": np.array([0.4, 0.5, 0.6])}


def satellite(**options):
    points = {f"g{i}": (x + 0.5, 0, 0) for i, x in enumerate(NODES)}
    boom = pl.Beam(
        "boom", 1, stiffness={"EIz": 1.0, "EIy": 1.5}, mass_per_length=1.0, frames=points,
        shapes={"bending": {"polynomial": 1}}, rotary_inertia="none",
        initial={"elastic": {"v1": 0.05}}, **options,
    )  # fmt: skip
    start = {"velocity": (0.3, -0.2, 0.1), "angular_velocity": (0.7, -0.4, 1.1)}
    hub = pl.RigidBody("hub", HUB["mass"], inertia=tuple(HUB["inertia"]), initial=start)
    return pl.System(bodies=[hub, boom], joints=[pl.Fixed("root", "hub", "boom.root")])


def turn(quat):
    """Rotation matrix of a unit quaternion."""
    w, v = quat[0], quat[1:]
    K = np.cross(np.eye(3), v)
    return np.eye(3) + 2 * w * K + 2 * K @ K


def momentum(result):
    """Linear momentum, and angular momentum about the world origin, from motions of points."""
    m, I = HUB["mass"], np.diag(HUB["inertia"])
    r, v = result.values("hub.position"), result.values("hub.velocity")
    spin, quat = result.values("hub.angular_velocity"), result.values("hub.orientation")
    own = np.array([turn(q) @ I @ turn(q).T @ w for q, w in zip(quat, spin, strict=True)])
    linear, angular = m * v, m * np.cross(r, v) + own
    for i, weight in enumerate(WEIGHTS):
        r, v = result.values(f"boom.g{i}.position"), result.values(f"boom.g{i}.velocity")
        linear = linear + weight * v
        angular = angular + weight * np.cross(r, v)
    return linear, angular


@pytest.mark.parametrize("stiffness", ["second-order", "none"])
def test_free_flight_conserves_momentum_and_energy(stiffness):
    result = satellite(geometric_stiffness=stiffness).simulate(
        5, method="dop853", rtol=1e-11, every=0.5,
        outputs=["*.position", "*.velocity", "hub", "energy", "boom.strain_energy"],
    )  # fmt: skip
    assert result.completed, result.failure
    assert np.ptp(result.values("boom.strain_energy")) > 1e-3
    for quantity in (*momentum(result), result.values("energy")):
        assert np.abs(quantity - quantity[0]).max() < 1e-9


def slider_crank(turn_by=0.0, **cut):
    """Crank, flexible rod, slider, in a plane that is turned."""
    base = pl.Frame("base", (0, 0, 0), {"axis": (1, 2, 3), "angle": turn_by})
    return pl.System(
        ground=pl.Ground({"base": base}),
        bodies=[
            pl.RigidBody("crank", 1, com=(0.25, 0, 0), inertia=(0, 0.1, 0.1),
                         frames={"A": (0.5, 0, 0)}),
            rod({"polynomial": 2}, stiffness={"EIz": 20.0}),
            pl.RigidBody("slider", 0.5, inertia=(0.1, 0.1, 0.1)),
        ],
        joints=[
            pl.Revolute("O", "ground.base", "crank", initial={"angle": 0.3, "angle_rate": 2.0},
                        cut=cut.get("O")),
            pl.Revolute("A", "crank.A", "rod.root", cut=cut.get("A")),
            pl.Revolute("B", "rod.tip", "slider", cut=cut.get("B")),
            pl.Prismatic("S", "ground.base", "slider", axis="x", guess={"displacement": 1.5},
                         cut=cut.get("S")),
        ],
    )  # fmt: skip


def slider_run(system, **how):
    result = system.simulate(times=np.linspace(0, 1, 6), method="dop853", rtol=1e-11,
                             outputs=[TIP, "S.displacement", "energy"], **how)  # fmt: skip
    assert result.completed, result.failure
    names = (f"{TIP}.y", "S.displacement", "energy")
    return np.stack([result.values(n) for n in names])


def test_motion_does_not_depend_on_axes_or_on_the_tree():
    expected = slider_run(slider_crank())
    assert np.abs(expected[0]).max() > 1e-3
    others = [
        slider_run(slider_crank(1.2)),
        slider_run(slider_crank(A=True)),
        slider_run(slider_crank(), tree="absolute"),
    ]
    for other in others:
        assert np.abs(other - expected).max() < 1e-8
