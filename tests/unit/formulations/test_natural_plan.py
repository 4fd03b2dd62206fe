"""Which points and unit vectors natural coordinates are made of, and who shares them."""

import numpy as np
import pytest

import pliant as pl
from pliant.formulations.natural.plan import NaturalPlan
from pliant.graphs import spanning_tree
from pliant.model.joints import JOINTS

SIZES = (0.3, 0.4, 0.5)


def body(name, **frames):
    return pl.RigidBody(name, 1.0, inertia=SIZES, frames=frames)


def plan_of(bodies, joints, tree="joint", **more):
    return NaturalPlan.of(
        spanning_tree(pl.System(bodies=bodies, joints=joints, **more).model, tree)
    )


def names(plan):
    return [plan.items[k].name for k in plan.unknown]


def four_bar(**options):
    bodies = [
        body("crank", B=[0.2, 0, 0]),
        body("coupler", C=[0.5, 0, 0]),
        body("rocker", C=[0.4, 0, 0]),
    ]
    joints = [pl.Revolute("A", "ground", "crank"), pl.Revolute("D", "ground.D", "rocker"),
              pl.Revolute("B", "crank.B", "coupler"),
              pl.Revolute("C", "coupler.C", "rocker.C", cut=True)]  # fmt: skip
    return plan_of(bodies, joints, ground=pl.Ground(frames={"D": [0.6, 0, 0]}), **options)


def test_a_planar_four_bar_has_its_two_moving_pins_and_a_vector_per_bar():
    """Ground pins and the common axis do not move; the cut joint shares its pin like the others."""
    plan = four_bar()
    assert names(plan) == ["B.point", "C.point", "crank.n1", "coupler.n1", "rocker.n1"]
    assert plan.shares["C"].closing
    assert plan.shares["C"].held == {"x", "y", "z"}


def test_every_body_on_its_own_shares_nothing():
    plan = four_bar(tree="absolute")
    assert not plan.shares
    assert len(plan.unknown) == 3 * 4


@pytest.mark.parametrize(("kind", "moving"), [
    ("revolute", ["b.n1", "b.n2"]), ("spherical", ["b.n1", "b.n2", "b.n3"]),
    ("universal", ["b.n1", "b.n2", "b.n3"]), ("prismatic", ["b.centre"]), ("fixed", []),
    ("cylindrical", ["b.centre", "b.n1", "b.n2"]), ("planar", ["b.centre", "b.n1", "b.n2"]),
    ("free", ["b.centre", "b.n1", "b.n2", "b.n3"]),
])  # fmt: skip
def test_what_a_joint_to_the_ground_leaves_unknown(kind, moving):
    plan = plan_of([body("b", P=[0.1, 0.2, 0.3])], [JOINTS[kind]("J", "ground", "b.P")])
    assert names(plan) == moving


def test_opposed_axes_are_one_vector():
    plan = plan_of(
        [body("a", P=[0, 1, 0]), body("b")],
        [pl.Revolute("J", "ground", "a"), pl.Revolute("K", "b", "a.P", axis=(0, 0, -1))],
    )
    assert names(plan) == ["K.point", "a.n1", "b.n1", "b.n2"]
    ground, b = plan.solids["ground"].members, plan.solids["b"].members
    axis = next(m for m in b if m.via == "K" and not plan.items[m.item].is_point)
    assert axis.item in {m.item for m in ground}
    assert np.allclose(axis.at, [0, 0, 1])


def test_bodies_fixed_to_each_other_are_one_solid():
    plan = plan_of(
        [body("a"), body("b", P=[1, 0, 0]), body("c")],
        [pl.Revolute("J", "ground", "a"), pl.Fixed("F", "b", "a"), pl.Spherical("S", "b.P", "c")],
    )
    assert plan.root == {"ground": "ground", "a": "a", "b": "a", "c": "c"}
    assert names(plan) == ["S.point", "a.n1", "c.n1", "c.n2", "c.n3"]


def test_nothing_is_shared_with_a_flexible_body():
    beam = pl.loads("""
pliant: 1
materials: {steel: {E: 200 GPa, nu: 0.3, density: 7870}}
bodies:
  rod: {beam: {length: 1, section: {circle: {radius: 5 mm}}, material: steel}, shapes: {bending: 1}}
  tool: {rigid: {mass: 1, inertia: [1, 1, 1]}}
joints:
  O: {revolute: {axis: z}, between: [ground, rod.root]}
  A: {revolute: {axis: z}, between: [rod.tip, tool]}
""")
    plan = NaturalPlan.of(spanning_tree(beam.model))
    assert not plan.shares
    assert names(plan)[:4] == ["rod.origin", "rod.n1", "rod.n2", "rod.n3"]


def test_places_that_coincide_for_one_value_of_a_parameter_stay_apart():
    joints = [pl.Revolute("J", "ground", "a"), pl.Spherical("P", "a", "b")]
    joints.append(pl.Spherical("Q", "a.P", "c"))
    bodies = [body("a", P=["e", 0, 0]), body("b"), body("c")]
    assert "Q.point" in names(plan_of(bodies, joints, parameters={"e": 0.0}))


def test_points_close_together_for_the_size_of_a_body_are_no_direction():
    def of(e):
        return plan_of(
            [body("disc", P=[e, 0, 0]), body("rod")],
            [pl.Revolute("J", "ground", "disc"), pl.Revolute("P", "disc.P", "rod")],
        )

    assert names(of(1e-3)) == ["P.point", "disc.n1", "disc.n2", "rod.n1", "rod.n2"]
    assert names(of(1.0)) == ["P.point", "disc.n1", "rod.n1", "rod.n2"]


def test_joints_that_are_spoken_of_have_coordinates_besides():
    plan = plan_of(
        [body("a")], [pl.Revolute("J", "ground", "a")],
        forces=[pl.JointSpring("spring", "J", stiffness=1.0)],
    )  # fmt: skip
    assert [j.name for j in plan.kept] == ["J"]
