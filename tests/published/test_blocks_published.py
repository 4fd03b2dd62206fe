"""Blocks by the public interface against closed forms, certified and published values."""

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parents[2] / "examples"
SECTION = {"EA": 4800.0, "GAy": 1538.461538461538, "GAz": 1538.461538461538, "GJ": 1.0,
           "EIy": 1.0, "EIz": 1.0}  # fmt: skip
"""h/L = 0.05, nu = 0.3, k = 5/6 (B7)."""


def beam(name, length, elements, order, stiffness=SECTION, **more):
    return pl.Beam(name, length, theory={"exact": {"elements": elements, "order": order}},
                   stiffness=stiffness, mass_per_length=1.0,
                   rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, **more)  # fmt: skip


def cantilever(force, elements, order):
    clamp = pl.Fixed("clamp", "ground", "rod.root")
    return pl.System(bodies=[beam("rod", 1.0, elements, order)], joints=[clamp], forces=[force])


# --- large deflections


@pytest.mark.parametrize(("elements", "order"), [(8, 1), (5, 2)])
def test_roll_up_to_a_circle(elements, order):
    """M L = 2 pi EI: constant curvature, which the element has exactly."""
    moment = pl.Torque("M", "rod.tip", [0, 0, 2 * np.pi], axes="body")
    r = cantilever(moment, elements, order).statics(load_steps=4)
    assert r.completed
    assert r.info["formulation"] == "blocks"
    phi = 2 * np.pi * r.values("load_factor")
    assert len(phi) == 4
    exact = np.column_stack([np.sin(phi) / phi, (1 - np.cos(phi)) / phi, 0 * phi])
    assert np.allclose(r.values("rod.tip.position"), exact, rtol=0, atol=1e-10)
    assert np.allclose(r.values("rod:e0.internal_moment1")[:, 2], phi, rtol=1e-9)


def test_the_elastica_rolls_up():
    r = pl.load(EXAMPLES / "elastica.yaml").statics(params={"P": 0, "M": 2 * np.pi})
    assert np.allclose(r.values("rod.tip.position")[-1], 0, rtol=0, atol=1e-10)


def test_the_elastica_buckles():
    """A clamped column that shortens by P/EA and shears by P theta/GA:
    EI theta'' + P (1 - P/EA + P/GA) theta = 0, so that P (1 - P/EA + P/GA) = pi^2/4 EI."""
    r = pl.load(EXAMPLES / "elastica.yaml").statics(params={"P": 0, "N": 1}, critical=True)
    P = r.values("load_factor")[-1]
    softer = 1 - P / SECTION["EA"] + P / SECTION["GAy"]
    assert P * softer == pytest.approx(np.pi**2 / 4, rel=1e-6)


@pytest.mark.parametrize("load", [1.0, 10.0])
def test_elastica(load):
    """B7b with stretch and shear, certified 1e-12."""
    lines = (DATA / "B7b_elastica_tipforce.csv").read_text().splitlines()
    row = next(r for r in csv.reader(lines[1:]) if float(r[0]) == load)
    r = pl.load(EXAMPLES / "elastica.yaml").statics(
        params={"P": load}, outputs=["rod.tip.*", "clamp.force"]
    )
    assert np.allclose(r.values("rod.tip.position")[-1], [float(row[6]), float(row[7]), 0],
                       rtol=0, atol=1e-8)  # fmt: skip
    w, _, _, z = r.values("rod.tip.orientation")[-1]
    assert 2 * np.arctan2(z, w) == pytest.approx(float(row[8]), abs=1e-8)
    assert r.info["stability"] == "stable"
    assert np.allclose(r.values("clamp.force")[-1], [0, -load, 0], atol=1e-7 * load)


def bend(elements, order, force):
    E = 1e7
    arc = beam("arc", 100 * np.pi / 4, elements, order, curvature=[0, 0, 1 / 100],
               stiffness={"EA": E, "GAy": E / 2, "GAz": E / 2, "GJ": E / 12, "EIy": E / 12,
                          "EIz": E / 12})  # fmt: skip
    ground = pl.Ground(frames=[pl.Frame("A", orientation=pl.Orientation.about("z", np.pi / 2))])
    return pl.System(
        ground=ground, bodies=[arc], joints=[pl.Fixed("clamp", "ground.A", "arc.root")],
        forces=[pl.Force("F", "arc.tip", [0, 0, force])],
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("force", "tip"),
    [
        (300, (22.24478095, 58.77912249, 40.19189167)),
        (600, (15.68480053, 47.15043857, 53.47485879)),
    ],
)
def test_45_degree_bend(force, tip):
    """B1: all printed digits after one extrapolation in h^4 (curvature is to the other side)."""
    places = []
    for n in (16, 32):
        p = bend(n, 2, force).statics().values("arc.tip.position")[-1]
        places.append(np.array([-p[0], p[1], p[2]]))
    best = places[1] + (places[1] - places[0]) / 15
    assert np.allclose(places[1], tip, rtol=0, atol=1e-4)
    assert np.allclose(best, tip, rtol=0, atol=2e-6)


# --- buckling


def test_clamped_column():
    """B7c: P (1 - P/EA + P/GA) = P_Euler, to the accuracy of the sheet's 1e-6."""
    r = cantilever(pl.Force("P", "rod.tip", [-1, 0, 0]), 16, 2).statics(critical=True)
    assert r.info["critical_load"] == pytest.approx(2.46471804812228, rel=1e-6)
    assert r.info["stability"] == "bifurcation"
    assert next(iter(r.info["mode"])) == "rod:32"
    mid, tip = (np.linalg.norm(r.values(f"rod.{f}.position")[1, 1:]) for f in ("mid", "tip"))
    assert mid / tip == pytest.approx(1 - np.cos(np.pi / 4), rel=0.01)  # 1 - cos(pi x / 2L)


def test_pinned_column_between_joints():
    """Revolute joints at both ends, the upper one in a guide; P_Euler = pi^2."""
    head = pl.RigidBody("head", mass=1, inertia=[1, 1, 1, 0, 0, 0])
    s = pl.System(
        bodies=[beam("rod", 1.0, 16, 2), head],
        joints=[pl.Revolute("a", "ground", "rod.root", axis="z"),
                pl.Revolute("b", "head", "rod.tip", axis="z"),
                pl.Prismatic("guide", "ground", "head", axis="x", guess={"displacement": 1.0})],
        forces=[pl.Force("P", "head", [-1, 0, 0])],
    )  # fmt: skip
    assert s.statics(critical=True).info["critical_load"] == pytest.approx(
        9.82695308965277, rel=2e-6
    )


def test_nothing_gives_way():
    cart = pl.RigidBody("cart", mass=1, inertia=[1, 1, 1, 0, 0, 0])
    s = pl.System(
        bodies=[cart], joints=[pl.Prismatic("rail", "ground", "cart", axis="x")],
        forces=[pl.JointSpring("k", "rail", stiffness=10), pl.Force("P", "cart", [-1, 0, 0])],
    )  # fmt: skip
    assert s.statics(method="sparse").values("rail.displacement")[-1] == pytest.approx(-0.1)
    with pytest.raises(pl.PliantError, match="no critical load was found"):
        s.statics(critical=True)


BENT_SIDEWAYS = """
pliant: 1
bodies:
  c:
    beam: {length: 1, stiffness: {EA: 1e8, EIy: 1e5, EIz: 1, GJ: 1, GAy: 1e7, GAz: 1e7},
           mass_per_length: 1, rotary: {rhoIy: 1e-3, rhoIz: 1e-3}}
    %s
    rotary_inertia: full
joints: {F: {fixed: {}, between: [ground, c.root]}}
forces: {load: {force: [0, 0, -1], at: c.tip}}
"""


def test_a_bent_cantilever_gives_way_sideways():
    """Prandtl 1899: P l²/sqrt(EIz GJ) = 4.012599344, twice the first zero of J_{-1/4}; 1e-5 more
    by bending before, and 5e-5 by elements of order 2."""
    s = pl.System.loads(BENT_SIDEWAYS % "theory: {exact: {elements: 8, order: 2}}")
    assert s.statics(critical=True).info["critical_load"] == pytest.approx(4.012599344, rel=1e-4)


def test_modes_say_that_they_cannot_see_it():
    s = pl.System.loads(BENT_SIDEWAYS % "shapes: {bending: {polynomial: 2}, torsion: 1}")
    with pytest.raises(pl.PliantError, match=r"c by modes.*torsion is not seen"):
        s.statics(critical=True)


# --- limit points


def truss(load):
    """Two springs of length L0 = sqrt(1 + h^2) from the apex to supports at distance 1."""
    apex = pl.RigidBody("apex", mass=1, inertia=[1, 1, 1, 0, 0, 0])
    ground = pl.Ground(frames=[pl.Frame("A", [-1, 0, 0]), pl.Frame("B", [1, 0, 0])])
    free = float(np.hypot(1, 0.5))
    legs = [pl.Spring(f"s{k}", f"ground.{k}", "apex", stiffness=1000, free_length=free)
            for k in "AB"]  # fmt: skip
    guide = pl.Prismatic("z", "ground", "apex", axis="z", initial={"displacement": 0.5})
    return pl.System(ground=ground, bodies=[apex], joints=[guide],
                     forces=[*legs, pl.Force("P", "apex", [0, 0, -load])])  # fmt: skip


def balance(z):
    """P that holds the apex at height z."""
    return -2 * 1000 * (np.hypot(1, z) - np.hypot(1, 0.5)) * z / np.hypot(1, z)


def test_shallow_truss_through_its_limit_points():
    z = np.sqrt(np.hypot(1, 0.5) ** (2 / 3) - 1)  # dP/dz = 0
    load = 2.0 * balance(z)
    r = truss(load).statics(path="arc-length")
    heights = r.values("apex.position")[:, 2]
    assert r.completed
    assert np.allclose(r.values("load_factor") * load, balance(heights), rtol=0, atol=1e-7 * load)
    assert heights[-1] < -0.5
    assert r.info["load_factor"] == pytest.approx(1.0)
    assert np.allclose(r.info["limit_loads"], [0.5, -0.5], rtol=2e-3)
    inside = np.abs(heights) < 0.95 * z
    assert np.array_equal(r.values("unstable_directions")[inside], np.ones(inside.sum()))
    found = truss(1.0).statics(critical=True).info
    assert found["critical_load"] == pytest.approx(balance(z), rel=1e-6)
    assert found["stability"] == "limit point"


def arch(elements):
    """Circular arch of 215 degrees, clamped and hinged, all but inextensible, held in its plane."""
    R, EI, angle = 100.0, 1e6, np.deg2rad(215)
    a = angle / 2
    ends = [pl.Frame("A", [-R * np.sin(a), R * np.cos(a), 0], pl.Orientation.about("z", a)),
            pl.Frame("B", [R * np.sin(a), R * np.cos(a), 0],
                     pl.Orientation.about("z", -a))]  # fmt: skip
    C = {"EA": 1e8, "GAy": 1e8, "GAz": 1e8, "GJ": 1e4 * EI, "EIy": 1e4 * EI, "EIz": EI}
    rib = beam("rib", R * angle, elements, 1, C, curvature=[0, 0, -1 / R],
               frames={"crown": [R * angle / 2, 0, 0]})  # fmt: skip
    return pl.System(
        ground=pl.Ground(frames=ends), bodies=[rib],
        joints=[pl.Fixed("clamp", "ground.A", "rib.root"),
                pl.Revolute("hinge", "ground.B", "rib.tip", axis="z")],
        forces=[pl.Force("P", "rib.crown", [0, -1, 0])],
    )  # fmt: skip


def test_deep_arch():
    """DaDeppo and Schmidt 1975: the limit load is 8.97 EI/R^2 (897 here), without stretch."""
    loads = [arch(n).statics(critical=True).info["critical_load"] for n in (20, 40)]
    best = loads[1] + (loads[1] - loads[0]) / 3
    assert best == pytest.approx(897, abs=0.5)


# --- motion


@pytest.mark.slow
def test_spin_up():
    """B3 at 6 rad/s, its first 5 s: the tip in axes of the hub, to 1e-5 with 16 elements."""
    C = {"EA": 2.8e7, "GAy": 1e7, "GAz": 1e7, "EIy": 1.4e4, "EIz": 1.4e4, "GJ": 1.4e4}
    blade = pl.Beam("rod", 10, theory={"exact": {"elements": 16, "order": 2}}, stiffness=C,
                    mass_per_length=1.2, rotary={"rhoIy": 6e-4, "rhoIz": 6e-4})  # fmt: skip
    psi = "6/15*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1))"
    s = pl.System(bodies=[blade], joints=[pl.Revolute("hub", "ground", "rod.root", axis="z")],
                  drivers=[pl.JointDriver("spin", "hub", motion=psi)])  # fmt: skip
    r = s.simulate(5.0, every=0.1, rtol=1e-5, outputs=["rod.tip.position", "hub.angle"])
    assert r.info["method"] == "sparse-alpha"
    data = np.loadtxt(DATA / "B3_spin_up.csv", delimiter=",", skiprows=1)[: len(r.time)]
    a, (x, y, _) = r.values("hub.angle"), r.values("rod.tip.position").T
    seen = np.cos(a) * x + np.sin(a) * y - 10, np.cos(a) * y - np.sin(a) * x
    assert np.allclose(seen, data[:, 5:7].T, rtol=0, atol=1e-5)


@pytest.mark.slow
def test_right_angle_frame():
    """B2, all its 30 s, within the certified 1e-5: ten elements of order four for each leg."""
    leg = {"length": 10, "elements": 10, "order": 4, "stiffness": {
        "EA": 1e6, "GAy": 1e6, "GAz": 1e6, "EIy": 1e3, "EIz": 1e3, "GJ": 1e3}}  # fmt: skip
    corner = pl.Frame("corner", [10, 0, 0], pl.Orientation.about("z", np.pi / 2))
    legs = [
        dataclasses.replace(beam(name, **leg, **more), rotary={"rhoIy": 10, "rhoIz": 10})
        for name, more in (("leg1", {"frames": [corner]}), ("leg2", {}))
    ]
    push = [0, 0, "piecewise(t < 1, 50*t, t < 2, 50*(2 - t), 0)"]
    s = pl.System(
        bodies=legs, forces=[pl.Force("push", "leg1.tip", push)],
        joints=[pl.Fixed("clamp", "ground", "leg1.root"),
                pl.Fixed("elbow", "leg1.corner", "leg2.root")],
    )  # fmt: skip
    outputs = ["leg1.tip.position", "leg2.tip.position"]
    r = s.simulate(30.0, every=0.1, rtol=3e-7, outputs=outputs)
    assert r.info["method"] == "sparse-alpha"
    data = np.loadtxt(DATA / "B2_right_angle.csv", delimiter=",", skiprows=1)
    seen = np.hstack([r.values(name) for name in outputs]) - [10, 0, 0, 10, 10, 0]
    assert np.allclose(seen, data[: len(seen), 1:7], rtol=0, atol=1e-5)


# --- loads that follow


def beck(elements):
    """A clamped column, EI = L = m = 1, pressed along its end section; it bends about z only."""
    C = {"EA": 1e6, "GAy": 1e6, "GAz": 1e6, "GJ": 100, "EIy": 100, "EIz": 1}
    column = dataclasses.replace(beam("rod", 1.0, elements, 2, C),
                                 rotary={"rhoIy": 1e-6, "rhoIz": 1e-6})  # fmt: skip
    nudge = pl.Force("nudge", "rod.tip", [0, "piecewise(t < 0.05, 1e-4, 0)", 0])
    return pl.System(
        parameters={"P": 1.0}, bodies=[column], joints=[pl.Fixed("clamp", "ground", "rod.root")],
        forces=[pl.Force("P", "rod.tip", ["-P", 0, 0], axes="body"), nudge],
    )  # fmt: skip


def test_a_follower_does_not_make_a_column_buckle():
    """Beck 1952: the tangent stays regular at any load. That of elements becomes singular at last,
    where each of them bends by itself: some EI/h^2, h = L/8."""
    assert beck(8).statics(critical=True).info["critical_load"] > 64


@pytest.mark.slow
def test_becks_column_flutters():
    """Vibrations grow above 20.05 EI/L^2, not below."""
    grown = []
    for P in (19.0, 21.0):
        r = beck(8).simulate(4.0, every=0.02, params={"P": P}, method="sparse-alpha", step=5e-3)
        y = np.abs(r.values("rod.tip.position")[:, 1])
        grown.append(y[100:].max() / y[:100].max())
    assert grown[0] < 1.2
    assert grown[1] > 5
