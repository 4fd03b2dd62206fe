"""Frequencies and buckling loads of single beams against certified tables (sheets B4 and B7)."""

import csv
from pathlib import Path

import numpy as np
import pytest
from tests.unit.flex.beams import critical_loads, end_load, frequencies

from pliant.flex.beam import RateBeam, Rates
from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.fields import FloatingFrame
from pliant.flex.numerics import symmetric_modes
from pliant.model.bodies import BeamShapes, Functions

DATA = Path(__file__).parent / "data"
SUPPORTS = ("pinned-pinned", "clamped-free", "clamped-clamped", "free-free", "clamped-pinned")
SLENDER = RateBeam(1.0, (Rates(EIz=1.0, EIy=1.0, EA=1.0, GJ=1.0, rhoA=1.0),))


def rows(name):
    lines = (DATA / name).read_text().splitlines()
    return list(csv.reader(line for line in lines if not line.startswith("#")))[1:]


def euler(support):
    return [float(r[3]) for r in rows("B7d_frequencies_EB.csv") if r[0] == support]


def timoshenko(thickness, support):
    found = [
        r
        for r in rows("B7e_frequencies_Timoshenko.csv")
        if r[0] == f"h/L={thickness}" and r[1] == support
    ]
    return [float(r[3]) for r in found], float(found[0][5]), float(found[0][6])


def buckling(case):
    return [float(r[1]) for r in rows("B7c_buckling.csv") if r[0] == case]


def data_of(beam, shapes, support="clamped-free", **options):
    frame = {"pinned-pinned": "chord", "free-free": "tisserand"}.get(support, "at")
    return beam_data(
        ModalBeam(beam, BeamShapes(bending_y=shapes), frame=FloatingFrame(frame), **options)
    )


def released(data, support):
    """M, K and end load of a beam on its supports, rigid motion of B included where it is free.

    The rigid coordinates are y of B's origin and rotation about z, both at x = 0.
    """
    n = data.count
    M, K, G = (np.zeros((n + 2, n + 2)) for _ in range(3))
    M[2:, 2:], K[2:, 2:], G[2:, 2:] = data.M, data.K, end_load(data)
    M[0, 0], M[0, 1], M[1, 1] = data.m, data.s0[0], data.J0[2, 2]
    M[0, 2:], M[1, 2:] = data.s1[1], data.B0[2]
    M = np.triu(M) + np.triu(M, 1).T
    end = data.frame(1.0)
    slope = np.concatenate([[0.0], [end.p0[0]], end.L[1]])
    G[1, 1] = 1.0
    G[1, 2:] = G[2:, 1] = end.L[1]
    start = np.zeros(n + 2)
    start[0] = 1.0
    turn = np.zeros(n + 2)
    turn[1] = 1.0
    rotated = turn + np.concatenate([[0.0, 0.0], end.psi[2]])
    lines = {
        "pinned-pinned": [start, slope],
        "clamped-free": [start, turn],
        "free-free": [],
        "clamped-pinned": [start, turn, slope],
        "clamped-clamped": [start, turn, slope, rotated],
    }[support]
    N = np.linalg.svd(np.array(lines))[2][len(lines) :].T if lines else np.eye(n + 2)
    return N.T @ M @ N, N.T @ K @ N, N.T @ G @ N


@pytest.mark.parametrize("support", SUPPORTS)
def test_own_analytic_modes_have_the_exact_frequencies(support):
    data = data_of(SLENDER, Functions(8, support), support, rotary_inertia="none")
    assert frequencies(data) == pytest.approx(euler(support), rel=1e-10)


#: Component modes on the supports they are made for: released ones converge only algebraically.
COMPONENT = {
    "clamped-free": Functions(8, "craig-bampton", interfaces=(0.0,)),
    "clamped-clamped": Functions(10, "craig-bampton"),
    "free-free": Functions(8, "free-interface"),
}


def elastic_frequencies(data, support):
    M, K, _ = released(data, support)
    found = np.sqrt(np.clip(symmetric_modes(K, M)[0], 0, None))
    return found[2:8] if support == "free-free" else found[:6]


@pytest.mark.parametrize("support", SUPPORTS)
def test_polynomials_reach_the_euler_bernoulli_frequencies(support):
    data = data_of(SLENDER, Functions(16, "polynomial"), rotary_inertia="none")
    assert elastic_frequencies(data, support) == pytest.approx(euler(support)[:6], rel=1e-6)


@pytest.mark.parametrize("support", COMPONENT)
def test_finite_element_modes_have_the_euler_bernoulli_frequencies(support):
    data = data_of(SLENDER, COMPONENT[support], rotary_inertia="none")
    assert elastic_frequencies(data, support) == pytest.approx(euler(support)[:6], rel=1e-6)


@pytest.mark.parametrize("attachments", [False, True])
def test_released_component_modes_converge(attachments):
    """Clamped-free from modes of other supports: the error falls with the number of modes."""
    family = "free-interface" if attachments else "craig-bampton"
    exact = euler("clamped-free")[0]
    errors = []
    for count in (6, 10, 20):
        data = data_of(
            SLENDER, Functions(count, family, attachments=attachments), rotary_inertia="none"
        )
        errors.append(elastic_frequencies(data, "clamped-free")[0] / exact - 1)
    assert errors[1] < max(errors[0] / 2, 1e-10)
    assert -1e-10 < errors[2] < max(errors[1] / 4, 1e-10)
    assert errors[0] < 1e-5


@pytest.mark.parametrize("thickness", ["0.01", "0.1", "0.2"])
@pytest.mark.parametrize("support", SUPPORTS)
def test_timoshenko_frequencies(support, thickness):
    expected, rotary, flexibility = timoshenko(thickness, support)
    beam = RateBeam(1.0, (Rates(EIz=1.0, GAy=1 / flexibility, rhoA=1.0, rhoIz=rotary),))
    component = (COMPONENT[support],) if support in COMPONENT else ()
    for shapes in (Functions(20, "polynomial"), *component):
        found = elastic_frequencies(data_of(beam, shapes, theory="timoshenko"), support)
        assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("thickness", ["0.01", "0.1", "0.2"])
def test_pinned_timoshenko_modes_are_exact(thickness):
    expected, rotary, flexibility = timoshenko(thickness, "pinned-pinned")
    beam = RateBeam(1.0, (Rates(EIz=1.0, GAy=1 / flexibility, rhoA=1.0, rhoIz=rotary),))
    data = data_of(beam, Functions(6, "pinned-pinned"), "pinned-pinned", theory="timoshenko")
    assert frequencies(data)[:6] == pytest.approx(expected, rel=5e-9)


CASES = ("clamped-free mode1", "pinned-pinned mode1", "clamped-pinned", "clamped-clamped")


@pytest.mark.parametrize(
    ("case", "family"),
    [
        *((case, family) for case in CASES for family in ("polynomial", "taylor")),
        *((case, "craig-bampton") for case in CASES[:2]),
    ],
)
def test_euler_buckling(case, family):
    """Fixed-interface modes alone reach the clamped loads only algebraically: not listed."""
    data = data_of(SLENDER, Functions(10, family), rotary_inertia="none")
    _, K, G = released(data, case.split(" ")[0])
    assert critical_loads(K, G)[0] == pytest.approx(buckling(case)[0], rel=1e-6)


@pytest.mark.parametrize("support", ["clamped-free", "pinned-pinned"])
@pytest.mark.parametrize("thickness", ["0.01", "0.05", "0.1"])
def test_shear_softens_buckling_as_haringx(support, thickness):
    h = float(thickness)
    EI, nu = 1.0, 0.3
    GA = 12 * EI / h**2 / (2 * (1 + nu)) * 5 / 6
    beam = RateBeam(1.0, (Rates(EIz=EI, GAy=GA, rhoA=1.0, rhoIz=h**2 / 12),))
    data = data_of(beam, Functions(10, "polynomial"), theory="timoshenko")
    _, K, G = released(data, support)
    expected = buckling(f"{support} h/L={thickness} nu=0.3 k=5/6")[1]
    assert critical_loads(K, G)[0] == pytest.approx(expected, rel=1e-6)


def southwell(shapes):
    """Relative errors (rows, 6) of flap and lag of a spinning cantilever, sheet B4.

    Frequencies with stiffness K - Ω² ∂²(1/2 w.J w)/∂q².
    """
    data = beam_data(ModalBeam(SLENDER, BeamShapes(shapes, shapes), rotary_inertia="none"))
    n, errors = data.count // 2, []
    for row in np.array(rows("B4_southwell.csv"), dtype=float):
        spin = np.array([0.0, 0.0, row[0]])
        K = data.K - 0.5 * np.einsum("ijab,i,j->ab", data.J2, spin, spin)
        lag = np.sqrt(symmetric_modes(K[:n, :n], data.M[:n, :n])[0])[:3]
        flap = np.sqrt(symmetric_modes(K[n:, n:], data.M[n:, n:])[0])[:3]
        errors.append(np.concatenate([flap, lag]) / row[1:] - 1)
    return np.array(errors)


@pytest.mark.parametrize(
    "shapes",
    [
        Functions(10, "polynomial"),
        Functions(20, "free-interface", attachments=True),
        Functions(24, "clamped-free"),
    ],
    ids=lambda shapes: shapes.family,
)
def test_rotating_beam_frequencies(shapes):
    assert np.abs(southwell(shapes)).max() < 1e-6


def test_cantilever_modes_reach_a_rotating_beam_with_the_fifth_power():
    """w'''' = γ²/2 w'' at the root of the rotating beam, and 0 in every cantilever mode.

    So amplitudes fall as n⁻⁵, and with Σ n⁴ n⁻¹⁰ the error of the frequencies as N⁻⁵. The error of
    λ² is the same in flap and lag, and λ² - γ² is smaller than λ²: 20 modes are within 1e-6 in
    flap, and 2.3e-6 in the first lag at γ = 10. As frequencies are minima over the space of shapes
    (Ritz), no other use of the same 20 modes is closer.
    """
    few, more = (
        southwell(Functions(20, "clamped-free"))[-1],
        southwell(Functions(40, "clamped-free"))[-1],
    )
    exact = np.array(rows("B4_southwell.csv")[-1], dtype=float)[1:]
    assert np.log2(few / more)[[0, 3]] == pytest.approx([5.0, 5.0], abs=0.2)
    assert few[3] / few[0] == pytest.approx((exact[0] / exact[3]) ** 2, rel=1e-3)
    assert few[:3].max() < 1e-6 < few[3] < 2.3e-6


def test_spin_up_beam_modes():
    """Sheet B3: mass-normalised modes of the beam, their rotation couplings and tip values."""
    beam = RateBeam(10.0, (Rates(EIz=1.4e4, rhoA=1.2),))
    data = data_of(
        beam, Functions(3, "clamped-free"), rotary_inertia="none", geometric_stiffness="dynamic"
    )
    unit = np.sqrt(np.diag(data.M))
    assert frequencies(data) == pytest.approx([3.79773054, 23.79997104, 66.64060807], rel=2e-9)
    coupling = np.abs(data.B0[2] / unit)
    assert coupling == pytest.approx([19.70470178, 3.14425373, 1.12293615], rel=5e-9)
    assert data.frame(10.0).L[1] / unit == pytest.approx(np.full(3, 0.57735027), rel=1e-8)
