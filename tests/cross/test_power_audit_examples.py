"""Energy of the examples and of mixed domains: every junction and the whole keep their balance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.results.power_audit import PowerAudit

EXAMPLES = Path(__file__).parents[2] / "examples"
JUNCTIONS = 1e-10
"""Largest residual of a junction, relative to the largest power."""
AGREEMENT = 1e-8
"""Powers of the graph and of the run, relative to the largest power."""
FAST = {
    "column": 0.1, "pendulum": 2.0, "pendulating_rotor": 1.0, "planar_slider_crank": 0.5,
    "rotating_beam": 5.0, "slider_crank_equations": 0.1, "four_bars_2": 1.0,
    "haug_slider_crank": 0.3,
}  # fmt: skip
SLOW = {"bricard": 1.0, "crank_rocker": 0.2, "hydraulic_crane": 1.0, "manipulator": 2.0,
        "spatial_slider_crank": 0.005, "spinning_blade": 0.05, "stewart_platform": 0.5}  # fmt: skip
CASES = [*FAST.items(), *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW.items())]


def audit_of(name: str, t_end: float, rtol: float = 1e-9) -> PowerAudit:
    system = pl.load(EXAMPLES / f"{name}.yaml")
    return system.power_audit(system.simulate(t_end, every=t_end / 50, rtol=rtol, outputs=["*"]))


@pytest.mark.parametrize(("name", "t_end"), CASES)
def test_every_junction_and_the_whole_are_balanced(name: str, t_end: float) -> None:
    """Works are integrated along the steps of the run, so that the balance is as good as it."""
    audit = audit_of(name, t_end)
    assert audit.junction_residual <= JUNCTIONS
    assert np.isnan(audit.agreement) or audit.agreement <= AGREEMENT
    assert abs(audit.residual) <= 1e-6 * audit.turnover + 1e-12
    assert abs(audit.total("held")) <= JUNCTIONS * audit.turnover + 1e-12


def test_a_spinning_beam_gets_all_its_energy_from_the_driver() -> None:
    audit = audit_of("rotating_beam", 20.0)
    (spin,) = (e for e in audit.entries if e.kind == "supplied")
    assert spin.element == "spin"
    assert spin.energy == pytest.approx(audit.stored, rel=1e-9)
