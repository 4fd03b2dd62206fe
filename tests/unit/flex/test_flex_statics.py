"""Closed forms of statics, internal forces, and what a change of floating frame may not change."""

import numpy as np
import pytest
from tests.unit.flex.beams import PIPE, TAPERED, UNIFORM, body, frequencies
from tests.unit.flex.energy import free_frequencies

from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.fields import FRAMES, FloatingFrame
from pliant.flex.shapes import FAMILIES
from pliant.model.bodies import BeamShapes, Functions

EXACT = [Functions(4, "taylor"), Functions(4, "polynomial"), Functions(3, "craig-bampton")]


def rate(beam, name):
    return float(np.ravel(getattr(beam.rates(np.array([0.0])), name))[0])


def all_of(shapes, beam=UNIFORM, **options):
    return beam_data(ModalBeam(beam, BeamShapes(shapes, shapes, shapes, shapes), **options))


@pytest.mark.parametrize("theory", ["euler-bernoulli", "timoshenko"])
@pytest.mark.parametrize("shapes", EXACT)
def test_cantilever_under_end_loads(shapes, theory):
    data, l = all_of(shapes, theory=theory), UNIFORM.length
    tip = data.frame(l)
    shear = theory == "timoshenko"
    for row, EI, GA in ((1, "EIz", "GAy"), (2, "EIy", "GAz")):
        q = np.linalg.solve(data.K, tip.L[row])
        expected = l**3 / (3 * rate(UNIFORM, EI)) + shear * l / rate(UNIFORM, GA)
        assert tip.L[row] @ q == pytest.approx(expected, rel=1e-10)
    assert tip.L[0] @ np.linalg.solve(data.K, tip.L[0]) == pytest.approx(l / rate(UNIFORM, "EA"))
    assert tip.phi @ np.linalg.solve(data.K, tip.phi) == pytest.approx(l / rate(UNIFORM, "GJ"))
    turn = tip.psi[2] @ np.linalg.solve(data.K, tip.psi[2])
    assert turn == pytest.approx(l / rate(UNIFORM, "EIz"))


@pytest.mark.parametrize("theory", ["euler-bernoulli", "timoshenko"])
@pytest.mark.parametrize("beam", [UNIFORM, PIPE])
def test_internal_forces_balance_the_tip_load(beam, theory):
    data, l, x = (
        all_of(Functions(4, "taylor"), beam, theory=theory),
        beam.length,
        0.37 * beam.length,
    )
    tip = data.frame(l)
    F = np.array([3.0, 5.0, -7.0])
    load = F @ tip.L + 2.0 * tip.phi + np.array([0.0, 11.0, 13.0]) @ tip.psi
    N, Qy, Qz, Mx, My, Mz = data.section_forces(x) @ np.linalg.solve(data.K, load)
    assert [N, Qy, Qz, Mx] == pytest.approx([3.0, 5.0, -7.0, 2.0], rel=1e-7)
    moment = np.array([0.0, 11.0, 13.0]) + np.cross([l - x, 0, 0], F)
    assert [My, Mz] == pytest.approx(moment[1:], rel=1e-7)


def test_shear_force_of_a_tapered_beam():
    data = beam_data(ModalBeam(TAPERED, BeamShapes(Functions(6, "craig-bampton", elements=40))))
    tip = data.frame(TAPERED.length)
    q = np.linalg.solve(data.K, 1000.0 * tip.L[1])
    for x in (0.21, 0.9, 1.5):
        forces = data.section_forces(x) @ q
        assert forces[5] == pytest.approx(1000.0 * (TAPERED.length - x), rel=1e-5)
        assert forces[1] == pytest.approx(1000.0, rel=1e-3)


def test_stress_in_bending_is_moment_over_section_modulus():
    data = all_of(Functions(3, "taylor"))
    q = np.linalg.solve(data.K, data.frame(UNIFORM.length).L[1])
    largest = UNIFORM.length / (0.08 * 0.12**2 / 6)
    stress = data.stress(0.0) @ q
    assert max(stress) == pytest.approx(largest)
    assert stress[1] == max(stress)  # at y < 0: a force along +y stretches the fibres at -y
    assert sum(stress) == pytest.approx(0.0, abs=1e-9 * largest)


@pytest.mark.parametrize("theory", ["euler-bernoulli", "timoshenko"])
@pytest.mark.parametrize("family", ["clamped-free", "polynomial", "free-free", "craig-bampton"])
def test_a_free_body_has_the_same_frequencies_in_every_frame(family, theory):
    found = []
    for frame in FRAMES:
        data = beam_data(
            body(family, theory=theory, rotary_inertia="full", frame=FloatingFrame(frame, 0.3))
        )
        assert np.linalg.matrix_rank(data.K) == data.count
        found.append(free_frequencies(data))
    assert np.ptp(found, axis=0)[6:].max() < 1e-8 * found[0].max()
    assert np.ptp([f[6:] / found[0][6:] for f in found], axis=0).max() < 1e-7


def test_what_each_frame_promises():
    def made(kind, **options):
        return beam_data(body("polynomial", frame=FloatingFrame(kind, 0.3), **options))

    l = TAPERED.length
    fixed = made("at").frame(0.3 * l)
    for part in (fixed.p0, fixed.L, fixed.H, fixed.psi, fixed.phi):
        assert np.abs(part).max() < 1e-14
    chord = made("chord")
    assert np.abs(chord.frame(0.0).L).max() < 1e-14
    assert np.abs(chord.frame(l).L[1:]).max() < 1e-14
    assert np.abs(made("mass-centre").s1).max() < 1e-10
    principal = made("principal-axis", rotary_inertia="full")
    assert np.abs(principal.s1).max() < 1e-10
    assert np.abs(principal.J1[[0, 0], [1, 2]]).max() < 1e-10
    for rotary in ("axial", "full"):
        mean = made("tisserand", rotary_inertia=rotary)
        assert np.abs(mean.s0).max() < 1e-10
        assert np.abs(mean.s1).max() < 1e-10
        assert np.abs(mean.B0).max() < 1e-10
    assert np.allclose(
        made("buckens", rotary_inertia="full").M,
        made("tisserand", rotary_inertia="full").M,
        rtol=1e-12,
    )


@pytest.mark.parametrize("theory", ["euler-bernoulli", "timoshenko"])
@pytest.mark.parametrize("family", FAMILIES)
def test_zero_patterns_hold_for_other_numbers(family, theory):
    data = beam_data(body(family, theory=theory, frame=FloatingFrame("mass-centre")))
    again = beam_data(body(family, beam=PIPE, theory=theory, frame=FloatingFrame("mass-centre")))
    for one in (data, again):
        for name in ("s0", "s1", "s2", "J0", "J1", "J2", "B0", "B1", "M"):
            assert not getattr(one, name)[~one.masks[name]].any()
        assert not one.K[~one.masks["K"]].any()
    assert data.names == again.names
    assert data.pairs == again.pairs
    assert all(np.array_equal(data.masks[n], again.masks[n]) for n in data.masks)


def test_only_bending_in_one_plane_foreshortens_together():
    data = beam_data(body("clamped-free"))
    planes = {data.kinds[a] + data.kinds[b] for _, a, b in data.pairs}
    assert planes == {"bending_y" * 2, "bending_z" * 2}
    assert len(data.pairs) == 12


@pytest.mark.parametrize("family", ["clamped-free", "polynomial", "craig-bampton"])
def test_families_converge(family):
    """A clamped tapered beam: k against k + 2 functions, the first frequency."""
    first = [
        frequencies(beam_data(ModalBeam(TAPERED, BeamShapes(Functions(k, family)))))[0]
        for k in (4, 6, 8, 10)
    ]
    steps = -np.diff(first) / first[0]
    assert (steps >= -1e-11).all()
    assert steps[-1] < 2e-4
    assert steps[2] < steps[0] + 1e-12


def test_high_modes_stay_accurate():
    beam = ModalBeam(
        UNIFORM,
        BeamShapes(Functions(60, "clamped-free")),
        rotary_inertia="none",
        geometric_stiffness="none",
    )
    data = beam_data(beam)
    off = data.M - np.diag(np.diag(data.M))
    assert np.abs(off).max() < 1e-12 * data.M[0, 0]
    beta = (np.arange(1, 61) - 0.5) * np.pi
    scale = np.sqrt(rate(UNIFORM, "EIz") / rate(UNIFORM, "rhoA")) / UNIFORM.length**2
    assert frequencies(data)[5:] / scale == pytest.approx(beta[5:] ** 2, rel=1e-7)
