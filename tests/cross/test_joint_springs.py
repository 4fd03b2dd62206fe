"""Joints held by stiff springs: forces, not constraints; near the joints they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from tests.models.agreement import of_formulations
from tests.models.random_systems import options_of, random_flexible_tree, random_tree, with_loop

import pliant as pl
from pliant.errors import InputError
from pliant.graphs import spanning_tree
from pliant.model.joints import JOINTS
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import skew

HELD = tuple(k for k, cls in JOINTS.items() if cls.row_names)
SCALAR = ("revolute", "prismatic", "cylindrical", "planar", "universal")


def springs(k: float, damping: float = 0.0) -> dict[str, float]:
    return {"stiffness": k, "rotational_stiffness": k, "damping": damping,
            "rotational_damping": damping}  # fmt: skip


def two_arms(held: dict[str, float] | None, forces: list[object] | None = None) -> pl.System:
    ends = {"in": [-0.5, 0, 0], "out": [0.5, 0, 0]}
    arms = [pl.RigidBody.box(f"arm{k}", [1.0, 0.1, 0.1 + 0.1 * k], mass=k, frames=ends)
            for k in (1, 2)]  # fmt: skip
    joints = [
        pl.Revolute("O", "ground", "arm1.in", axis="y", initial={"angle": 0.3, "angle_rate": 1.0}),
        pl.Revolute("P", "arm1.out", "arm2.in", axis=[0, 1, 0.3], springs=held,
                    initial={"angle": 0.5}),
    ]  # fmt: skip
    return pl.System(gravity=(0, 0, -9.81), bodies=arms, joints=joints, forces=forces or [])


def test_all_formulations_agree_on_springs_and_on_an_actuator_across_them():
    """The actuator asks for the angle, which is that of the pose."""
    motor = pl.Actuator("motor", "P", effort="2*cos(t) - 0.3*P.angle - 0.1*P.angle_rate")
    for forces in ([], [motor]):
        report = two_arms(springs(1e4, 3.0), forces).verify(pointwise=True, states=3)
        assert report.agree, str(report)
        assert not any(v.declined for v in of_formulations(report.verdicts))


@pytest.mark.parametrize("kind", HELD)
def test_springs_of_every_joint_agree(kind):
    rng = np.random.default_rng(5 + len(kind))
    _agrees_on_springs(rng, random_tree(rng, 2, kinds=("revolute", "spherical")), kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_springs_between_flexible_bodies_agree(kind):
    rng = np.random.default_rng(5 + len(kind))
    _agrees_on_springs(rng, random_flexible_tree(rng, 3, kinds=("revolute", "spherical")), kind)


def _agrees_on_springs(rng: np.random.Generator, system: pl.System, kind: str) -> None:
    """With a loop that springs close."""
    system = with_loop(rng, system, kind)
    loop = system.model.joints["loop"]
    joints = [j for n, j in system.model.joints.items() if n != "loop"]
    given = {k: getattr(loop, k) for k in options_of(loop)}
    joints.append(JOINTS[kind]("loop", loop.parent, loop.child, **given, springs=springs(1e3, 2.0)))
    report = pl.System(system.model.with_(joints=joints)).verify(pointwise=True, states=2)
    assert report.agree, str(report)


def screwed(**more: object) -> pl.System:
    """A nut that spins down a spindle against a torsion spring and a brake, two turns and back."""
    nut = pl.RigidBody("nut", 2.0, inertia=[0.01, 0.02, 0.03], frames={"rim": [0.1, 0, 0]})
    spin = {"angle": 0.3, "angle_rate": 25.0}
    joint = pl.Screw("S", "ground", "nut", axis=[0, 1, 2], pitch="20 mm/rev", initial=spin, **more)
    forces = [pl.JointSpring("coil", "S", stiffness=0.05, damping=0.001, free=1.0),
              pl.Actuator("brake", "S", effort="0.02*cos(t) - 0.001*S.angle")]  # fmt: skip
    return pl.System(bodies=[nut], joints=[joint], forces=forces, gravity=(0, 0, -9.81))


def test_a_screw_on_springs_counts_its_turns():
    """Its thread gives way by load over stiffness and does not slip; all formulations agree."""
    soft = screwed(springs=springs(1e6, 20.0))
    report = soft.verify(pointwise=True, states=2)
    assert report.agree, str(report)
    exact, cut = screwed().simulate(2.0, rtol=1e-9), screwed(cut=True).simulate(2.0, rtol=1e-9)
    own = soft.simulate(2.0, rtol=1e-9, method="radau")
    turns = exact.values("S.angle")
    assert turns.max() > 4 * np.pi
    assert cut.values("S.angle") == pytest.approx(turns, abs=1e-6)
    gap = 2.0 * 9.81 / 1e6  # of the thread, which is 0.0032 m/rad
    assert own.values("S.angle")[-1] == pytest.approx(turns[-1], abs=5 * gap)
    half = soft.simulate(1.0, rtol=1e-9, method="radau")
    again = soft.simulate(2.0, rtol=1e-9, method="radau", start=half)
    assert again.values("S.angle")[-1] == pytest.approx(own.values("S.angle")[-1], abs=1e-7)


def test_the_joint_is_met_as_the_stiffness_grows():
    """A gap is load over stiffness: in equilibrium it falls as 1/k, and with it all else."""
    turned = pl.TorsionSpring("coil", "O", stiffness=60.0)
    coil = pl.TorsionSpring("coil2", "P", stiffness=40.0)
    exact = two_arms(None, [turned, coil]).statics(outputs=["arm2.out.position"])
    wanted = exact.values("arm2.out.position")
    gaps = []
    for k in (1e4, 1e5, 1e6):
        soft = two_arms(springs(k), [turned, coil]).statics(outputs=["arm2.out.position"])
        gaps.append(np.abs(soft.values("arm2.out.position") - wanted).max())
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.05)
    assert gaps[1] / gaps[2] == pytest.approx(10, rel=0.05)


def test_springs_store_energy_and_dampers_take_it():
    """Without damping energy is kept; the initial state loads no spring."""
    system = two_arms(springs(1e5))
    result = system.simulate(0.5, every=0.01, rtol=1e-10, outputs=["energy", "P.energy", "P.force"])
    energy = result.require().values("energy")
    assert np.abs(energy - energy[0]).max() < 1e-7 * np.abs(result.values("P.energy")).max() + 1e-7
    assert result.values("P.energy")[0] < 1e-20
    assert np.abs(result.values("P.force")).max() > 1.0
    damped = two_arms(springs(1e5, 50.0)).simulate(0.5, every=0.01, rtol=1e-9, outputs=["energy"])
    lost = -np.diff(damped.values("energy"))
    assert lost.min() > -1e-8
    assert lost.sum() > 1e-4


def test_springs_are_c_and_r_with_a_common_flow_and_leave_the_stores_integral():
    system = two_arms(springs(1e5, 3.0))
    causality = system.graph("bond", tree="absolute").bonds.causality
    nodes = causality.graph.nodes
    assert (nodes["P.K"].kind, nodes["P.D"].kind, nodes["P.s"].kind) == ("C", "R", "1")
    assert not causality.derivative
    assert "P.CN" not in nodes


def test_a_tree_has_no_springs_in_it():
    system = two_arms(springs(1e5))
    assert [j.name for j in spanning_tree(system.model).cuts] == ["P"]
    with pytest.raises(InputError, match="'P' is held by springs"):
        spanning_tree(system.model, ["O", "P"])


def test_springs_in_a_file_are_kept(tmp_path):
    system = two_arms(springs(1e5, 3.0))
    path = tmp_path / "arms.yaml"
    system.save(path)
    again = pl.load(path)
    assert again.model.joints["P"].springs == system.model.joints["P"].springs
    assert again.model.joints["O"].springs is None


@pytest.mark.parametrize("kind", SCALAR)
def test_rates_of_coordinates_where_the_joint_does_not_hold(kind):
    """d(coordinates_of)/dt = rates_ofᵀ V by central differences of a pose near the joint's."""
    rng = np.random.default_rng(len(kind))
    joint = JOINTS[kind]("J", "ground", "b")
    X = joint.pose(NUMERIC, rng.uniform(-0.5, 0.5, joint.nq))
    tilt = 0.1 * rng.normal(size=3)
    X = Pose(_turned(tilt) @ X.R, X.p + 0.1 * rng.normal(size=3))
    V, h = rng.normal(size=6), 1e-5
    ends = [joint.coordinates_of(NUMERIC, Pose(_turned(s * h * V[:3]) @ X.R, X.p + s * h * V[3:]))
            for s in (1, -1)]  # fmt: skip
    expected = (ends[0] - ends[1]) / (2 * h)
    assert pytest.approx(expected, abs=1e-8) == joint.rates_of(NUMERIC, X).T @ V


def _turned(psi: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(psi)
    K = skew(NUMERIC, psi / angle)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)
