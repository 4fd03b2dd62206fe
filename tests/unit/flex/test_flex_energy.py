"""The tables against the kinetic energy itself, for every family, theory and floating frame."""

import numpy as np
import pytest
from tests.unit.flex.beams import TAPERED, UNIFORM, body
from tests.unit.flex.energy import body_rate, energies, exp_so3, table_energy

from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.fields import FRAMES, FloatingFrame
from pliant.flex.shapes import FAMILIES
from pliant.model.bodies import BeamShapes

THEORIES = ("euler-bernoulli", "timoshenko")


def motion(n, size=0.3):
    random = np.random.default_rng(1)
    return (
        size * random.normal(size=n),
        size * random.normal(size=n),
        random.normal(size=3),
        random.normal(size=3),
    )


def error(data, degrees, size=0.3):
    """Largest difference by degree, relative to the size of the parts."""
    q, qdot, v, w = motion(data.count, size)
    translation, rotation = energies(data, q, qdot, v, w)
    expected = translation.copy()
    expected[:3] += rotation[:3]
    found = table_energy(data, q, qdot, v, w)
    return max(abs(found[k] - expected[k]) / abs(expected[:5]).max() for k in range(degrees))


def test_the_oracle_differentiates_rotations():
    random = np.random.default_rng(0)
    psi, rate = random.normal(size=(1, 3)), random.normal(size=(1, 3))
    h = 1e-6
    R = exp_so3(psi)
    Rdot = (exp_so3(psi + h * rate) - exp_so3(psi - h * rate)) / (2 * h)
    W = (np.swapaxes(R, -1, -2) @ Rdot).real[0]
    assert np.allclose([W[2, 1], W[0, 2], W[1, 0]], body_rate(psi, rate).real[0], atol=1e-9)


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize("family", FAMILIES)
def test_tables_are_the_kinetic_energy_of_every_family(family, theory):
    rotary = "full" if theory == "timoshenko" else "axial"
    data = beam_data(body(family, theory=theory, rotary_inertia=rotary))
    assert error(data, 5) < 1e-10


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("theory", THEORIES)
def test_tables_are_the_kinetic_energy_in_every_frame(frame, theory):
    data = beam_data(
        body("clamped-free", theory=theory, rotary_inertia="full", frame=FloatingFrame(frame, 0.4))
    )
    assert error(data, 5) < 1e-10


@pytest.mark.parametrize("mode", ["dynamic", "none"])
def test_lower_geometric_stiffness_keeps_degree_two(mode):
    data = beam_data(
        body(
            "pinned-pinned",
            geometric_stiffness=mode,
            rotary_inertia="full",
            frame=FloatingFrame("chord"),
        )
    )
    assert data.C is None
    assert error(data, 3) < 1e-10
    if mode == "none":
        q, qdot, v, w = motion(data.count)
        translation, _ = energies(data, q, qdot, v, w)
        assert abs(translation[3:6]).max() < 1e-12 * abs(translation).max()


def test_without_rotary_inertia_second_order_is_the_whole_energy():
    shapes = body("clamped-free").shapes
    bending = BeamShapes(shapes.bending_y, shapes.bending_z, axial=shapes.axial)
    data = beam_data(ModalBeam(TAPERED, bending, rotary_inertia="none"))
    q, qdot, v, w = motion(data.count)
    translation, rotation = energies(data, q, qdot, v, w)
    assert not rotation.any()
    total = table_energy(data, q, qdot, v, w).sum()
    assert total == pytest.approx(translation[:5].sum(), rel=1e-11)
    assert abs(translation[5:]).max() < 1e-12 * abs(translation).max()


def test_quadrature_is_converged_for_high_modes():
    few = beam_data(body("clamped-free", count=20, beam=UNIFORM))
    assert error(few, 5, size=0.02) < 1e-10


def test_rigid_body_values_without_shapes():
    data = beam_data(ModalBeam(UNIFORM, BeamShapes(), rotary_inertia="full"))
    m, l = 7800 * 0.12 * 0.08 * 1.3, 1.3
    assert data.count == 0
    assert data.m == pytest.approx(m)
    assert data.s0 == pytest.approx([m * l / 2, 0, 0])
    solid = [
        m * (0.12**2 + 0.08**2) / 12,
        m * (l**2 / 3 + 0.08**2 / 12),
        m * (l**2 / 3 + 0.12**2 / 12),
    ]
    assert np.allclose(data.J0, np.diag(solid), rtol=1e-13)
