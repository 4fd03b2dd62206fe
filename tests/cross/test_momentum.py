"""Centre of mass, momentum and angular momentum of systems: closed forms and what is conserved."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant.backends.tree import run as large
from pliant.errors import ModelError
from pliant.formulations.registry import FORMULATIONS

MOMENTA = ("centre_of_mass", "momentum", "angular_momentum", "angular_momentum_about_com")
UNITS = ("m", "kg*m/s", "kg*m^2/s", "kg*m^2/s")
SPIN = [0.4, -1.1, 0.7]
INERTIA = [0.2, 0.3, 0.4, 0.01, -0.02, 0.03]
GRAVITY = np.array([0.5, 0.2, -9.81])


def told(result: pl.Result) -> list[np.ndarray]:
    return [result[name].values for name in MOMENTA]


def scale(result: pl.Result, mass: float) -> tuple[float, float]:
    """Of momentum and of angular momentum: what the kinetic energy stands for at arm's length."""
    p = np.sqrt(2 * mass * result.values("kinetic_energy").max())
    return p, p * 1.0


def test_a_rigid_body_by_its_closed_form() -> None:
    """p = m (v + w x R c), L_c = R I R^T w, L = L_c + (r + R c) x p."""
    c, v, r = np.array([0.1, 0.2, -0.3]), np.array([1.0, -2.0, 0.5]), np.array([3.0, 1.0, 2.0])
    R = np.array([[0, -1.0, 0], [1, 0, 0], [0, 0, 1]])
    body = pl.RigidBody("b", 2.0, com=c.tolist(), inertia=INERTIA, initial={
        "position": r.tolist(), "orientation": {"axis": "z", "angle": "90 deg"},
        "velocity": v.tolist(), "angular_velocity": SPIN})  # fmt: skip
    result = pl.System(bodies=[body]).simulate(0.01, every=0.01)
    xx, yy, zz, xy, xz, yz = INERTIA
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    p, centre = 2 * (v + np.cross(SPIN, R @ c)), r + R @ c
    about = R @ I @ R.T @ SPIN
    exact = (centre, p, about + np.cross(centre, p), about)
    for name, unit, values in zip(MOMENTA, UNITS, exact, strict=True):
        assert result.series[name].values[0] == pytest.approx(values, abs=1e-14)
        assert result.unit(name) == unit
        assert result.series[name].labels == ("x", "y", "z")


def thrown(**more: object) -> pl.System:
    """A body and a modal beam on a damped hinge, thrown spinning."""
    base = pl.RigidBody("base", 3.0, com=[0.1, 0, 0.05], inertia=INERTIA,
                        frames={"hinge": [0.3, 0.1, 0]},
                        initial={"velocity": [1, 0.5, 2], "angular_velocity": SPIN})  # fmt: skip
    arm = pl.Beam("arm", length=0.8, stiffness={"EIy": 3, "EIz": 4, "GJ": 2}, mass_per_length=0.9,
                  rotary={"rhoIy": 1e-3, "rhoIz": 1e-3},
                  shapes={"bending": 2, "torsion": 1}, **more)  # fmt: skip
    hinge = pl.Revolute("hinge", "base.hinge", "arm.root", axis="y", initial={"angle_rate": 4})
    rub = pl.JointSpring("rub", "hinge", stiffness=2.0, damping=0.05)
    return pl.System(gravity=GRAVITY.tolist(), bodies=[base, arm], joints=[hinge], forces=[rub])


def assert_falls(result: pl.Result, mass: float, rel: float) -> None:
    """c on the parabola, p' = m g, c' = p / m, L_c constant, L' = c x m g."""
    t = result.time[:, None]
    c, p, L, about = told(result)
    size_p, size_L = scale(result, mass)
    assert np.abs(p - p[0] - mass * GRAVITY * t).max() < rel * size_p
    exact = c[0] + p[0] / mass * t + GRAVITY * t**2 / 2
    assert np.abs(c - exact).max() < rel * np.abs(c - c[0]).max()
    assert np.abs(about - about[0]).max() < rel * size_L
    assert np.abs(L - about - np.cross(c, p)).max() < 1e-12 * np.abs(L).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_thrown_flexible_system_follows_the_parabola(formulation: str) -> None:
    result = thrown().simulate(0.5, every=0.05, rtol=1e-9, formulation=formulation)
    assert np.ptp(result.values("arm.mid.deflection.y")) > 1e-3
    assert_falls(result, 3.72, 1e-7)


@pytest.mark.parametrize("stiffening", ["none", "dynamic", "second-order"])
def test_momentum_is_the_slope_of_the_kinetic_energy(stiffening: str) -> None:
    """Seen from a frame that moves with -V all is the same but T + p.V + m V²/2, at every order of
    the kinetic energy in the deformation."""
    V, mass, found = np.array([2.0, -1.0, 3.0]), 3.72, []
    for moved in (0, 1):
        system = thrown(geometric_stiffness=stiffening)
        base = system.described.bodies["base"]
        bodies = [pl.RigidBody("base", 3.0, com=base.com, inertia=INERTIA, frames=base.frames,
                               initial={"velocity": ([1, 0.5, 2] + moved * V).tolist(),
                                        "angular_velocity": SPIN}),
                  system.described.bodies["arm"]]  # fmt: skip
        model = system.described.with_(bodies=bodies, gravity=[0, 0, 0])
        found.append(pl.System(model).simulate(0.3, every=0.05, rtol=1e-10))
    gained = found[1].values("kinetic_energy") - found[0].values("kinetic_energy")
    slope = found[0]["momentum"].values @ V
    assert gained == pytest.approx(slope + mass * V @ V / 2, rel=1e-8)


@pytest.mark.parametrize("theory", ["exact", "large-rotation"])
@pytest.mark.parametrize("how", [{"method": "auto", "rtol": 1e-9},
                                 {"method": "sparse-alpha", "step": 1e-3}])  # fmt: skip
def test_a_thrown_beam_of_large_rotation(theory: str, how: dict[str, object]) -> None:
    """Both in expressions and in blocks: there p and c exactly, L_c to the order of the method."""
    beam = pl.Beam("b", length=1.0, stiffness={"EA": 4e3, "EIy": 2, "EIz": 3, "GJ": 2, "GAy": 2e3,
                                               "GAz": 2e3},
                   mass_per_length=1.2, rotary={"rhoIy": 1e-3, "rhoIz": 2e-3},
                   theory={theory: {"elements": 2}},
                   initial={"velocity": [1, 0.5, 2], "angular_velocity": SPIN})  # fmt: skip
    result = pl.System(gravity=GRAVITY.tolist(), bodies=[beam]).simulate(0.2, every=0.02, **how)
    assert_falls(result, 1.2, 1e-6 if "rtol" in how else 1e-4)


def chain(n: int = 12) -> pl.System:
    """A thrown chain with springs in its joints."""
    first = {"velocity": [1, 0.5, 2], "angular_velocity": SPIN}
    bodies = [pl.RigidBody(f"b{k}", 0.5, com=[0.1, 0.02, 0], inertia=INERTIA,
                           frames={"end": [0.2, 0, 0]}, initial=None if k else first)
              for k in range(n)]  # fmt: skip
    joints = [pl.Revolute(f"j{k}", f"b{k}.end", f"b{k + 1}", axis="xyz"[k % 3],
                           initial={"angle": 0.1 * k}) for k in range(n - 1)]  # fmt: skip
    forces = [pl.JointSpring(f"s{k}", f"j{k}", stiffness=3.0, damping=0.02) for k in range(n - 1)]
    return pl.System(gravity=GRAVITY.tolist(), bodies=bodies, joints=joints, forces=forces)


def test_back_ends_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tree kernel, expressions and blocks (second order: at half the step a quarter of it)."""
    system = chain()
    how = {"t_end": 0.2, "every": 0.05}
    tree = system.simulate(**how, rtol=1e-10)
    monkeypatch.setattr(large, "THRESHOLD", 1000)
    plain = system.simulate(**how, rtol=1e-10)
    blocks = system.simulate(**how, method="sparse-alpha", step=1e-3)
    assert tree.info["kernel"] == "tree"
    assert "kernel" not in plain.info
    assert_falls(tree, 6.0, 1e-7)
    for name in MOMENTA:
        size = np.abs(plain[name].values).max()
        assert tree[name].values == pytest.approx(plain[name].values, abs=1e-8 * size)
        assert blocks[name].values == pytest.approx(plain[name].values, abs=1e-4 * size)
        assert blocks.unit(name) == plain.unit(name) == tree.unit(name)
        assert blocks.series[name].kind == plain.series[name].kind == tree.series[name].kind


def test_the_kernel_tells_momenta_only_where_they_are_asked_for() -> None:
    """Afterwards as well as before the run."""
    system = chain()
    asked = system.simulate(0.05, every=0.05, outputs=["momentum.x", "j3.angle"])
    later = system.simulate(0.05, every=0.05, outputs=["j3.angle"])
    assert "momentum" not in later.series
    assert np.array_equal(later["momentum"].values, asked["momentum"].values)


def test_momentum_changes_by_the_forces_from_outside() -> None:
    """p' = m g + what the ground's joints do: over a fine grid by Simpson's rule."""
    crank = pl.RigidBody("crank", 2.0, com=[0.1, 0, 0], inertia=[0, 0.02, 0.02],
                         frames={"A": [0.2, 0, 0]})  # fmt: skip
    rod = pl.RigidBody("rod", 1.0, com=[0.3, 0, 0], inertia=[0, 0.03, 0.03],
                       frames={"B": [0.6, 0, 0]})  # fmt: skip
    swinging = {"angle": 0.4, "angle_rate": 6}
    joints = [pl.Revolute("O", "ground", "crank", axis="y", initial=swinging),
              pl.Revolute("A", "crank.A", "rod", axis="y")]  # fmt: skip
    rope = pl.Spring("rope", "ground", "rod.B", stiffness=30, free_length=0.3)
    system = pl.System(gravity=[0, 0, -9.81], bodies=[crank, rod], joints=joints, forces=[rope])
    result = system.simulate(1.0, every=1e-3, rtol=1e-10)
    p, away = result["momentum"].values, result["rod.B.position"].values
    pull = -result.values("rope.force")[:, None] * away / np.linalg.norm(away, axis=1)[:, None]
    force = result["O.force"].values + pull + np.array([0, 0, -3 * 9.81])
    h = 1e-3
    given = h / 3 * (force[0] + force[-1] + 4 * force[1::2].sum(0) + 2 * force[2:-1:2].sum(0))
    assert p[-1] - p[0] == pytest.approx(given, abs=1e-7 * np.abs(force).max())


def test_what_has_no_mass_has_no_momentum() -> None:
    """Written as zero they are not there; zero by a parameter, nothing is divided by it."""

    def crank(mass: object, **more: object) -> pl.System:
        body = pl.RigidBody("b", mass, frames={"end": [1, 0, 0]})
        joint = pl.Revolute("O", "ground", "b", axis="y")
        return pl.System(bodies=[body], joints=[joint],
                         drivers=[pl.JointDriver("d", "O", motion="t")], **more)  # fmt: skip

    assert not {*MOMENTA} & {*crank(0).simulate(0.1).names()}
    zero = crank("m", parameters={"m": 0}).simulate(0.1)
    assert not zero.failure
    assert not np.any([zero[name].values for name in MOMENTA])


def test_formulas_read_momenta_and_cannot_be_named_like_them() -> None:
    system = thrown()
    model = system.described.with_(outputs={"squared": "momentum.x**2"}, events=[
        pl.Event("top", "momentum.z", direction="falling")])  # fmt: skip
    result = pl.System(model).simulate(0.6, every=0.05, rtol=1e-9)
    assert result.values("squared") == pytest.approx(result.values("momentum.x") ** 2)
    p = result["momentum"].values[0, 2]
    assert result.events[0].time == pytest.approx(p / (3.72 * 9.81), rel=1e-8)
    with pytest.raises(ModelError, match="the name 'momentum' is reserved"):
        pl.System(system.described.with_(outputs={"momentum": "1"}))
