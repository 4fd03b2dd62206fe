"""The modal pendulum of the benchmark: its mode data, and Pliant's motion of it against equations
written for this one case from the matrices of all nodes."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.blade import DENSITY, LENGTH, THICKNESS, WIDTH, blade
from benchmarks.modal import DAMPING, WEIGHT, pendulum

COUNT = 6


def test_blade_has_the_mass_of_its_bricks_in_every_direction():
    data = blade(COUNT)
    translations = np.tile(np.eye(3), (len(data.nodes), 1))
    mass = translations.T @ data.mass @ translations
    # Bricks with straight edges cut the twisted surface: a turn of 45/16 degrees each.
    assert mass == pytest.approx(mass[0, 0] * np.eye(3), abs=1e-12)
    assert mass[0, 0] == pytest.approx(DENSITY * LENGTH * THICKNESS * WIDTH, rel=(np.pi / 64) ** 2)


def test_blade_strains_under_no_rigid_motion_and_carries_constant_strain():
    data = blade(COUNT)
    x, y, z = data.nodes.T
    nothing = np.zeros_like(x)
    rigid = np.stack([nothing, -z, y], axis=1).ravel()
    scale = np.abs(data.stiffness).max()
    assert np.abs(data.stiffness @ rigid).max() < 1e-12 * scale
    stretched = np.stack([x, nothing, 0.3 * x], axis=1).ravel()
    force = (data.stiffness @ stretched).reshape(-1, 3)
    inside = np.hypot(y, z) < 1e-12
    inside &= (x > 0) & (x < LENGTH)
    assert inside.sum() == 15
    assert np.abs(force[inside]).max() < 1e-12 * scale


def test_modes_are_orthonormal_and_hold_the_root():
    data = blade(COUNT)
    unit = data.modes.T @ data.mass @ data.modes
    assert unit == pytest.approx(np.eye(COUNT), abs=1e-11)
    stiffness = data.modes.T @ data.stiffness @ data.modes
    assert stiffness == pytest.approx(np.diag(data.eigenvalues), abs=1e-9 * data.eigenvalues[-1])
    assert not data.modes.reshape(-1, 3, COUNT)[data.nodes[:, 0] == 0].any()


class _Hinged:
    """A turn θ about z and modes q, from all nodes: x = x0 + Φ q, velocity θ' z × x + Φ q'.

    J = (z × x)ᵀ M (z × x),   B = Φᵀ M (z × x),   T = 1/2 J θ'² + θ' B.q' + 1/2 q'.q'
    """

    def __init__(self, count: int) -> None:
        self.data = d = blade(count)
        across = np.kron(np.eye(len(d.nodes)), [[0, -1, 0], [1, 0, 0], [0, 0, 0]])
        turned, x = across @ d.modes, across @ d.nodes.ravel()
        self.J0, self.J1, self.J2 = (
            x @ d.mass @ x,
            turned.T @ d.mass @ x,
            turned.T @ d.mass @ turned,
        )
        self.B0, self.B1 = d.modes.T @ d.mass @ x, d.modes.T @ d.mass @ turned
        end = d.node_at(LENGTH)
        self.tip0, self.tip1 = d.nodes[end], d.modes.reshape(-1, 3, count)[end]

    def tip(self, y):
        n = len(self.J1)
        c, s = np.cos(y[0]), np.sin(y[0])
        R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        return R, self.tip0 + self.tip1 @ y[1 : n + 1]

    def rates(self, y):
        n = len(self.J1)
        q, w, u = y[1 : n + 1], y[n + 1], y[n + 2 :]
        R, p = self.tip(y)
        F = R.T @ WEIGHT
        moment = p[0] * F[1] - p[1] * F[0]
        A = np.eye(n + 1)
        A[0, 0] = self.J0 + 2 * self.J1 @ q + q @ self.J2 @ q
        A[0, 1:] = A[1:, 0] = self.B0 + self.B1 @ q
        turning = moment - 2 * w * (self.J1 + self.J2 @ q) @ u
        elastic = self.data.eigenvalues * (q + DAMPING * u)
        bending = w * w * (self.J1 + self.J2 @ q) - w * (self.B1 - self.B1.T) @ u
        bending += self.tip1.T @ F - elastic
        return np.concatenate([[w], u, np.linalg.solve(A, np.concatenate([[turning], bending]))])

    def motion(self, end, step):
        """The tip at the end, by the classical Runge-Kutta method."""
        y = np.zeros(2 * len(self.J1) + 2)
        for _ in range(round(end / step)):
            a = self.rates(y)
            b = self.rates(y + step / 2 * a)
            c = self.rates(y + step / 2 * b)
            d = self.rates(y + step * c)
            y = y + step / 6 * (a + 2 * b + 2 * c + d)
        R, p = self.tip(y)
        return R @ p


def test_tip_moves_as_the_equations_of_this_pendulum_say(tmp_path: Path):
    coarse, fine = (_Hinged(COUNT).motion(0.2, step) for step in (1e-4, 5e-5))
    error = np.abs(fine - coarse).max()
    result = pendulum(COUNT, tmp_path).simulate(
        0.2, every=0.1, method="dop853", rtol=1e-10, outputs=["blade.tip.position"]
    )
    found = result.require().values("blade.tip.position")[-1]
    assert error < 1e-7
    assert found == pytest.approx(fine, abs=error)
