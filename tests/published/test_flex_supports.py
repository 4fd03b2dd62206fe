"""Frequencies and buckling loads of beams on their supports, through the whole system (B4, B7).

From the description to `modes` and `statics`; the same numbers from the tables of the body alone
are in `test_flex_references`. At rest and without load frequencies do not know the geometric
stiffness, and about a motion without deflection `dynamic` is the same as `second-order`: the
cheaper one is taken where nothing else is said.
"""

import csv
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

DATA = Path(__file__).parent / "data"


def table(name):
    lines = (DATA / name).read_text().splitlines()
    return list(csv.reader(line for line in lines if not line.startswith("#")))[1:]


# B4: frequencies of a beam that rotates

SPACES = {
    "second-order": {"polynomial": 10},
    "dynamic": {"free-interface": {"count": 20, "attachments": True}},
}


@pytest.mark.slow
@pytest.mark.parametrize("plane", ["bending_y", "bending_z"])
@pytest.mark.parametrize("stiffness", SPACES)
def test_frequencies_of_a_rotating_beam(plane, stiffness):
    """Lag (in the plane of rotation) and flap, about the steady motion."""
    body = pl.Beam("blade", 1, stiffness={"EIz": 1, "EIy": 1}, mass_per_length=1,
                   shapes={plane: SPACES[stiffness]}, rotary_inertia="none",
                   geometric_stiffness=stiffness)  # fmt: skip
    system = pl.System(
        parameters={"speed": 1},
        bodies=[body],
        joints=[pl.Revolute("hub", "ground", "blade.root")],
        drivers=[pl.JointDriver("spin", "hub", motion="speed*t")],
    )
    first = 4 if plane == "bending_y" else 1
    for row in np.array(table("B4_southwell.csv"), dtype=float):
        found = system.modes(at="steady", params={"speed": row[0]}).omega[:3]
        assert found == pytest.approx(row[first : first + 3], rel=1e-6)


# B7: frequencies and buckling of a beam on its supports

ENDS = {
    "clamped-free": (pl.Fixed, None),
    "pinned-pinned": (pl.Revolute, pl.Revolute),
    "clamped-clamped": (pl.Fixed, pl.Fixed),
    "clamped-pinned": (pl.Fixed, pl.Revolute),
    "free-free": (pl.Planar, None),
}
SLENDER = {"stiffness": {"EIz": 1}, "rotary_inertia": "none"}
THICK = {
    "type": "timoshenko",
    "stiffness": {"EIz": 1, "GAy": "1/shear"},
    "rotary": {"rhoIy": "rotary", "rhoIz": "rotary"},
}


def supported(support, shapes, **options):
    """A rod between a wall and, if its tip is held, a block that slides along it; pushed by P."""
    root, tip = ENDS[support]
    rod = pl.Beam("rod", 1, mass_per_length=1, shapes={"bending_y": shapes},
                  **{**SLENDER, **options})  # fmt: skip
    held = [] if tip is None else [
        tip("B", "rod.tip", "block"),
        pl.Prismatic("S", "ground", "block", axis="x", guess={"displacement": 1}),
    ]  # fmt: skip
    return pl.System(
        parameters={"P": 0, "rotary": 1, "shear": 1},
        bodies=[rod, *([pl.RigidBody.point("block", 0)] if held else [])],
        joints=[root("A", "ground", "rod.root"), *held],
        forces=[pl.Force("push", "rod.tip", ("-P", 0, 0))],
    )


def thick(support, shapes, **options):
    """The same of a beam that shears, with its numbers as parameters."""
    return supported(support, shapes, **{**THICK, "rotary_inertia": "full", **options})


def elastic(system, **options):
    """Frequencies of the modes that deform the rod, rad/s."""
    modes = system.modes(**options)
    return np.array([2 * np.pi * m.frequency for m in modes if not m.rigid])


def euler(support):
    return [float(r[3]) for r in table("B7d_frequencies_EB.csv") if r[0] == support]


def timoshenko(support):
    """(frequencies, parameters) of every thickness."""
    rows = [r for r in table("B7e_frequencies_Timoshenko.csv") if r[1] == support]
    for thickness in dict.fromkeys(r[0] for r in rows):
        mine = [r for r in rows if r[0] == thickness]
        yield (
            [float(r[3]) for r in mine],
            {"rotary": float(mine[0][5]), "shear": float(mine[0][6])},
        )


@pytest.mark.parametrize(
    ("support", "frame"),
    [("clamped-free", "root"), ("pinned-pinned", "chord"), ("free-free", "tisserand")],
)
def test_analytic_modes_on_their_own_supports(support, frame):
    system = supported(support, {support: 5}, floating_frame=frame)
    modes = system.modes()
    assert elastic(system) == pytest.approx(euler(support)[:5], rel=1e-10)
    assert modes.labels[sum(m.rigid for m in modes)] == "rod: bending 1"


#: Component modes on the supports they are made for, and one set that serves on all others.
COMPONENT = {
    "clamped-free": {"craig-bampton": {"count": 8, "interfaces": [0]}},
    "clamped-clamped": {"craig-bampton": 10},
    "free-free": {"free-interface": 8},
}
ATTACHED = {"free-interface": {"count": 20, "attachments": True}}


@pytest.mark.parametrize("support", ENDS)
def test_modes_of_finite_elements_on_all_supports(support):
    shapes = COMPONENT.get(support, ATTACHED)
    system = supported(support, shapes, geometric_stiffness="none")
    assert elastic(system)[:6] == pytest.approx(euler(support)[:6], rel=1e-6)


@pytest.mark.parametrize("support", COMPONENT)
def test_modes_of_finite_elements_that_shear(support):
    system = thick(support, COMPONENT[support], geometric_stiffness="none")
    for expected, params in timoshenko(support):
        assert elastic(system, params=params)[:6] == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("support", ENDS)
def test_polynomials_that_shear(support):
    system = thick(support, {"polynomial": 20}, geometric_stiffness="none")
    for expected, params in timoshenko(support):
        assert elastic(system, params=params)[:6] == pytest.approx(expected, rel=1e-6)


def loads(case):
    return [float(r[1]) for r in table("B7c_buckling.csv") if r[0] == case]


def assert_buckles_at(column, load, **params):
    """The straight equilibrium is stable just below the load, and unstable just above."""
    for factor, verdict in ((1 - 1e-6, "stable"), (1 + 1e-6, "unstable")):
        found = column.statics(params={"P": factor * load, **params}, method="path")
        assert found.info["stability"] == verdict


@pytest.mark.parametrize(("support", "case", "count"), [
    ("clamped-free", "clamped-free mode1", 5),
    ("pinned-pinned", "pinned-pinned mode1", 6),
    pytest.param("clamped-pinned", "clamped-pinned", 8, marks=pytest.mark.slow),
    pytest.param("clamped-clamped", "clamped-clamped", 9, marks=pytest.mark.slow),
])  # fmt: skip
def test_column_buckles_at_the_load_of_euler(support, case, count):
    assert_buckles_at(supported(support, {"polynomial": count}), loads(case)[0])


@pytest.mark.parametrize("support", ["clamped-free", "pinned-pinned"])
def test_shear_lets_a_column_buckle_at_the_load_of_haringx(support):
    """Inextensible: P (1 + P/GA) = P_Euler. GA = EI/(shear l²), shear = 2.6 h²/(12 · 5/6 l²)."""
    column = thick(support, {"polynomial": 6}, geometric_stiffness="dynamic")
    for thickness in ("0.01", "0.05", "0.1"):
        h = float(thickness)
        load = loads(f"{support} h/L={thickness} nu=0.3 k=5/6")[1]
        assert_buckles_at(column, load, rotary=h**2 / 12, shear=0.26 * h**2)
