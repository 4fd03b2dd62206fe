"""Segmented beams against closed forms of chains of bars, and numbers of segments."""

import numpy as np
import pytest

import pliant as pl
from pliant.flex.beam import RateBeam, Rates
from pliant.flex.segments.rewriting import compliance, segment_mass

TAPER = RateBeam(2.0, (Rates(EIz=3.0, rhoA=1.0), Rates(EIz=5.0, rhoA=3.0)))


def test_compliance_of_a_tapered_piece():
    """EI = 3 + x: ∫ dx / EI = log((3 + b) / (3 + a))."""
    assert compliance(TAPER, "bending_y", 0.5, 1.5) == pytest.approx(np.log(4.5 / 3.5), rel=1e-13)


def test_mass_of_a_tapered_piece():
    """rhoA = 1 + x on [0, 2]: m = 4, x_c = 7/6, second moment 20/3."""
    m = segment_mass(TAPER, 0.0, 2.0, "none", lumped=False)
    assert (m.mass, m.com) == (pytest.approx(4, rel=1e-14), pytest.approx(7 / 6, rel=1e-14))
    assert m.Jz == pytest.approx(20 / 3 - 4 * (7 / 6) ** 2, rel=1e-13)
    lumped = segment_mass(TAPER, 0.0, 2.0, "none", lumped=True)
    assert lumped.Jz == pytest.approx(4 * (7 / 6) * (5 / 6), rel=1e-13)


def beam(n, **options):
    """EI = rhoA = L = 1, planar, without rotary inertia."""
    return pl.Beam("rod", 1.0, stiffness={"EIz": 1.0}, mass_per_length=1.0, rotary_inertia="none",
                   shapes={"bending_y": 1}, theory=pl.Segments(n, **options))  # fmt: skip


def cantilever(n, force):
    return pl.System(parameters={"F": force, "P": 0.0}, bodies=[beam(n)],
                     joints=[pl.Fixed("clamp", "ground", "rod.root")],
                     forces=[pl.Force("load", "rod.tip", ["-P", "F", 0])])  # fmt: skip


def on_two_pins(n, **options):
    guide = pl.Prismatic("guide", "ground", "slider", axis="x", initial={"displacement": 1.0})
    pins = [pl.Revolute("left", "ground", "rod.root", axis="z"), guide,
            pl.Revolute("right", "slider", "rod.tip", axis="z")]  # fmt: skip
    return pl.System(bodies=[beam(n, **options), pl.RigidBody("slider", 1e-9)], joints=pins)


@pytest.mark.parametrize("n", [3, 6])
def test_chain_of_bars_on_two_pins(n):
    """Hencky: ω_j = 4 n² sin²(jπ/2n) with lumped masses."""
    found = on_two_pins(n, inertia="lumped").modes().omega[:2]
    exact = 4 * n**2 * np.sin(np.arange(1, 3) * np.pi / (2 * n)) ** 2
    assert np.allclose(found, exact, rtol=1e-6, atol=0)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_sag_under_a_force_at_the_tip(n):
    """F L³ / 3EI (1 + 1/2n²) for small F: the rule of trapezoids for ∫(L - x)² dx."""
    r = cantilever(n, 1e-5).statics(outputs=["rod.tip.deflection.tangent(root)"])
    sag = r["rod.tip.deflection.tangent(root)"].values[-1, 1]
    assert sag == pytest.approx(1e-5 / 3 * (1 + 0.5 / n**2), rel=1e-8)


@pytest.mark.parametrize("n", [2, 5])
def test_buckling_of_a_cantilever(n):
    """ω² = 0 at P = 4 n² sin²(π/4n); to one part in 10⁵ on both sides of it."""
    s, critical = cantilever(n, 0.0), 4 * n**2 * np.sin(np.pi / (4 * n)) ** 2
    below, above = (s.modes(params={"P": critical * (1 + e)}) for e in (-1e-5, 1e-5))
    assert below.omega[0] > 1e-4
    assert np.all(np.abs(np.real(below.eigenvalues)) < 1e-9)
    assert np.max(np.real(above.eigenvalues)) > 1e-4


def test_half_of_a_beam_on_two_pins_is_a_cantilever():
    """Guided in the middle: the spring of half a segment is half of the hinge there. A beam of
    twice the length has a quarter of the frequency."""
    whole = on_two_pins(6).modes().omega[0]
    assert whole / 4 == pytest.approx(guided_half(3), rel=1e-6)


def guided_half(n):
    """First frequency of a beam whose root moves across but does not turn, its tip on a roller."""
    model = cantilever(n, 0.0).described.with_(
        joints=[pl.Prismatic("clamp", "ground", "rod.root", axis="y"),
                pl.Revolute("pin", "rod.tip", "roller", axis="z"),
                pl.Prismatic("roll", "ground.end", "roller", axis="x")],
        bodies=[beam(n), pl.RigidBody("roller", 1e-9)], forces=[],
        ground=pl.Ground(frames={"end": [1, 0, 0]}),
    )  # fmt: skip
    found: float = pl.System(model).modes().omega[0]
    return found
