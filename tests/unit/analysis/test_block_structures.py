"""Structures of several beams through the sparse solver, against one beam and closed forms."""

import numpy as np
import pytest

import pliant as pl


def section(scale=1.0, *, EI=1.0, EA=1e5, inertia=1e-3):
    """Stiffness and mass of a beam whose lengths are in ``scale`` metres."""
    return {
        "stiffness": {"EA": EA, "GAy": EA, "GAz": EA,
                      "EIy": EI * scale**2, "EIz": EI * scale**2, "GJ": EI * scale**2},
        "mass_per_length": 1.0,
        "rotary": {"rhoIy": inertia * scale**2, "rhoIz": inertia * scale**2},
    }  # fmt: skip


def simply_supported(parts, *, theory="exact", elements=4, scale=1.0, load=1.0):
    """A beam of 1 scale between two pins, in one or two welded parts, loaded in the middle."""
    size = {"order": 1} if theory == "exact" else {"nodes": 2}
    own = section(scale) | {"theory": {theory: {"elements": elements // parts, **size}}}
    ground = pl.Ground({"R": (scale, 0, 0)})
    if parts == 1:
        beams = [pl.Beam("a", scale, frames={"m": (scale / 2, 0, 0)}, **own)]
        inner, first, last = [], "a.m", "a.tip"
    else:
        beams = [pl.Beam(name, scale / 2, **own) for name in "ab"]
        inner, first, last = [pl.Fixed("k", "a.tip", "b.root")], "a.tip", "b.tip"
    pins = [pl.Revolute("A", "ground", "a.root"), pl.Revolute("B", "ground.R", last)]
    push = pl.Force("P", first, [0, -load, 0])
    return pl.System(ground=ground, bodies=beams, joints=[*pins, *inner], forces=[push]), first


def arch(load, *, height=0.2, elements=4):
    """Two straight beams as an arch with three hinges, over a span of 1 m."""
    length, slope = float(np.hypot(0.5, height)), float(np.arctan2(height, 0.5))
    own = section() | {"theory": {"exact": {"elements": elements, "order": 1}}}
    left = pl.Frame("L", (0, 0, 0), pl.Orientation.about("z", slope))
    right = pl.Frame("R", (1, 0, 0), pl.Orientation.about("z", np.pi - slope))
    return pl.System(
        ground=pl.Ground([left, right]),
        bodies=[pl.Beam("a", length, **own), pl.Beam("b", length, **own)],
        joints=[pl.Revolute("A", "ground.L", "a.root"), pl.Revolute("k", "a.tip", "b.tip"),
                pl.Revolute("B", "ground.R", "b.root")],
        forces=[pl.Force("P", "a.tip", [0, -load, 0])],
    )  # fmt: skip


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize("theory", ["exact", "large-rotation"])
def test_two_welded_beams_between_pins_are_one_beam(theory, scale):
    """The same elements, welded in the middle: each half alone could turn about its pin."""
    found = []
    for parts in (1, 2):
        system, middle = simply_supported(parts, theory=theory, scale=scale)
        for way in ({"method": "sparse"}, {"path": "arc-length"}):
            r = system.statics(outputs=[f"{middle}.position", "A.force"], **way)
            assert r.completed
            assert r.values("load_factor")[-1] == 1
            found.append(r.values(f"{middle}.position")[-1] / scale)
            assert r.values("A.force")[-1, 1] == pytest.approx(0.5, rel=1e-8)
    for other in found[1:]:
        assert other == pytest.approx(found[0], abs=1e-10)


def test_a_column_of_two_welded_beams_buckles_as_one():
    """Pinned at both ends under its own load: Euler's pi^2 EI, to the order of the elements."""
    loads = []
    for parts in (1, 2):
        own = section(EA=1e6) | {"theory": {"exact": {"elements": 8 // parts, "order": 2}}}
        names = "ab"[:parts]
        beams = [pl.Beam(name, 1 / parts, **own) for name in names]
        soft = {"stiffness": 1e6, "rotational_stiffness": 1e-9}
        joints = [
            pl.Revolute("A", "ground", "a.root"),
            pl.Cylindrical("B", "ground.G", f"{names[-1]}.tip", axis="x", springs=soft),
        ]
        joints += [pl.Fixed("k", "a.tip", "b.root")] if parts == 2 else []
        push = pl.Force("P", f"{names[-1]}.tip", [-1, 0, 0])
        system = pl.System(ground=pl.Ground({"G": (1.0, 0, 0)}), bodies=beams, joints=joints,
                           forces=[push])  # fmt: skip
        loads.append(system.statics(critical=True).info["critical_load"])
    assert loads[1] == pytest.approx(loads[0], rel=1e-8)
    assert loads[0] == pytest.approx(np.pi**2, rel=1e-3)


@pytest.mark.parametrize("load", [1e-6, 1.0, 100.0])
def test_arc_length_ends_at_the_full_load(load):
    system = arch(load)
    path = system.statics(path="arc-length", outputs=["a.tip.position"])
    plain = system.statics(outputs=["a.tip.position"])
    assert path.completed
    assert path.values("load_factor")[-1] == 1
    assert np.all(path.values("load_factor") <= 1)
    assert path.values("a.tip.position")[-1] == pytest.approx(
        plain.values("a.tip.position")[-1], abs=1e-10
    )


def test_arch_of_three_hinges_has_the_limit_load_of_a_truss():
    """Straight bars stay straight on the way: P = 2 EA (L0 - L)/L0 y/L, at its largest."""
    y = np.linspace(0, 0.2, 20_001)
    L = np.hypot(0.5, y)
    largest = (2e5 * (L[-1] - L) / L[-1] * y / L).max()
    path = arch(3000.0).statics(path="arc-length", outputs=["a.tip.position"])
    assert path.completed
    assert path.values("load_factor")[-1] == 1
    up, down = path.info["limit_loads"]
    assert 3000 * up == pytest.approx(largest, rel=5e-3)  # a parabola through three points
    assert 3000 * down == pytest.approx(-largest, rel=5e-3)


def test_without_a_load_there_is_no_path():
    with pytest.raises(pl.PliantError, match="no load moves the system"):
        arch(0.0).statics(path="arc-length")


def deep_arch(parts):
    """Arc of 215 degrees, radius 100, clamped at one foot, hinged at the other, loaded on top.

    Stiff out of its plane. Each part begins along x with the slope of the arc there."""
    half, R = np.radians(107.5), 100.0
    own = {"stiffness": {"EA": 1e8, "GAy": 1e8, "GAz": 1e8, "EIy": 1e10, "EIz": 1e6, "GJ": 1e10},
           "mass_per_length": 1.0, "rotary": {"rhoIy": 1.0, "rhoIz": 1.0},
           "curvature": [0, 0, -1 / R]}  # fmt: skip
    own["theory"] = {"exact": {"elements": 12 // parts, "order": 2}}
    foot = np.array([R * np.sin(half), 0, 0])
    left = pl.Frame("L", tuple(-foot), pl.Orientation.about("z", half))
    right = pl.Frame("R", tuple(foot), pl.Orientation.about("z", -half))
    length, top = 2 * half * R / parts, "a.m" if parts == 1 else "a.tip"
    frames = {"m": (length / 2, 0, 0)} if parts == 1 else {}
    beams = [pl.Beam(name, length, frames=frames, **own) for name in "ab"[:parts]]
    last = "ab"[parts - 1]
    joints = [pl.Revolute("L", "ground.L", "a.root"), pl.Fixed("R", "ground.R", f"{last}.tip")]
    joints += [pl.Fixed("k", "a.tip", "b.root")] if parts == 2 else []
    return pl.System(ground=pl.Ground([left, right]), bodies=beams, joints=joints,
                     forces=[pl.Force("P", top, [0, -1000, 0])])  # fmt: skip


@pytest.mark.parametrize("parts", [1, 2])
def test_deep_arch_gives_way_at_its_published_load(parts):
    """897.3 with EI/R^2 = 100 (DaDeppo, Schmidt 1975, without extension: 8.97 EI/R^2)."""
    found = deep_arch(parts).statics(critical=True)
    assert found.info["stability"] == "limit point"
    assert 1000 * found.info["critical_load"] == pytest.approx(897.3, rel=2e-3)


def elbow(joint, scale=1.0):
    """Two exact beams at a right angle, the first one clamped, the second one moving."""
    kinds = {"fixed": pl.Fixed, "revolute": pl.Revolute, "spherical": pl.Spherical}
    own = section(scale, EI=10.0, EA=1e4)
    own |= {
        "theory": {"exact": {"elements": 2, "order": 1}},
        "mass_per_length": scale**-2,
        "rotary": {"rhoIy": 0.1, "rhoIz": 0.1},
    }  # equal frequencies
    corner = pl.Frame("c", (scale, 0, 0), pl.Orientation.about("z", np.pi / 2))
    push = "piecewise(t < 0.1, 40*t, t < 0.2, 40*(0.2 - t), 0)"
    return pl.System(
        bodies=[pl.Beam("a", scale, frames=[corner], **own), pl.Beam("b", scale, **own)],
        joints=[pl.Fixed("A", "ground", "a.root"), kinds[joint]("k", "a.c", "b.root")],
        forces=[pl.Force("F", "b.tip", [0, push, push])],
    )


@pytest.mark.parametrize(("joint", "scale"), [
    ("fixed", 1.0), ("fixed", 1e-3), ("revolute", 1.0), ("spherical", 1.0),
])  # fmt: skip
def test_conserving_steps_pass_joints_between_beams(joint, scale):
    """The welded bodies share their origin: nothing to compare translations with but the whole."""
    r = elbow(joint, scale).simulate(1.0, every=0.02, method="sparse-conserving", step=0.01,
                                     outputs=["energy", "b.tip.position"])  # fmt: skip
    assert r.completed, r.failure
    after = r.values("energy")[r.time > 0.205]
    assert np.ptp(after) < 1e-9 * after.max()
    assert np.ptp(r.values("b.tip.position"), axis=0).max() > 0.1 * scale


def lee_frame(load, aside=0.0, elements=4):
    """Lee's frame: two beams of 120 cm at a right angle, pinned at their ends, loaded at a fifth of
    the upper one; E = 7.2 MN/cm², a section of 6 cm² and 2 cm⁴ (here the same in both planes)."""
    EA, EI = 720e4 * 6, 720e4 * 2
    own = {
        "stiffness": {"EA": EA, "GAy": EA / 2, "GAz": EA / 2, "EIy": EI, "EIz": EI, "GJ": EI},
        "mass_per_length": 1.0, "rotary": {"rhoIy": 1.0, "rhoIz": 1.0},
        "theory": {"exact": {"elements": elements, "order": 2}},
    }  # fmt: skip
    corner = pl.Frame("k", (120, 0, 0), pl.Orientation.about("z", -np.pi / 2))
    column = pl.Beam("c", 120, frames=[corner], **own)
    upper = pl.Beam("b", 120, frames={"p": (24, 0, 0)}, **own)
    foot = pl.Frame("o", (0, 0, 0), pl.Orientation.about("z", np.pi / 2))
    return pl.System(
        ground=pl.Ground([foot, pl.Frame("e", (120, 120, 0))]), bodies=[column, upper],
        joints=[pl.Revolute("A", "ground.o", "c.root"), pl.Fixed("k", "c.k", "b.root"),
                pl.Revolute("B", "ground.e", "b.tip")],
        forces=[pl.Force("P", "b.p", [0, -load, aside])],
    )  # fmt: skip


def test_lee_frame_has_its_published_limit_loads():
    """In its plane: published are 18.485 to 18.585 kN, with and without shear, and -9.4 kN."""
    path = lee_frame(25e3).statics(path="arc-length", load_steps=300, outputs=["b.p.position"])
    up, down = (25e3 * factor for factor in path.info["limit_loads"])
    assert 18485 < up < 18585
    assert down == pytest.approx(-9400, rel=5e-3)


def test_lee_frame_leaves_its_plane_before():
    """A bifurcation that converges with the elements, and is where the deflection under a small
    force across the plane grows without bound: F/w falls to zero, nearly linearly (Southwell)."""
    coarse, fine = (
        25e3 * lee_frame(25e3, elements=n).statics(critical=True).info["critical_load"]
        for n in (4, 8)
    )
    assert coarse == pytest.approx(fine, rel=1e-4)
    loads = np.array([0.97, 0.98, 0.99]) * fine
    stiffness = []
    for load in loads:
        at = lee_frame(load, aside=1e-3, elements=8).statics(outputs=["b.p.position"])
        stiffness.append(1e-3 / at.values("b.p.position")[-1, 2])
    parabola = np.polyfit(stiffness, loads, 2)
    assert np.polyval(parabola, 0.0) == pytest.approx(fine, rel=1e-4)
