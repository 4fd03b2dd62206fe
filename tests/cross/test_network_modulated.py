"""Elements of networks whose constants change with the mechanism."""

import numpy as np
import pytest

import pliant as pl


def solenoid(R):
    """A coil L(x) = L0/(1 + x/a) that pulls a plunger against a spring."""
    elements = {
        "mesh": {"junction": 1},
        "supply": {"Se": "V", "on": "mesh"},
        "wire": {"R": R, "on": "mesh"},
        "L": {"I": "L0/(1 + slide.displacement/a)", "on": "mesh", "initial": 1},
        "pull": {
            "MGY": "-L0/a/(1 + slide.displacement/a)**2/2*L.flow", "from": "mesh", "to": "rod",
        },
        "rod": {"joint": "slide"},
    }  # fmt: skip
    return pl.System(
        parameters={"L0": 0.2, "a": 0.02, "V": 0},
        bodies=[pl.RigidBody.point("plunger", 0.1)],
        joints=[
            pl.Prismatic("slide", "ground", "plunger", axis="x", initial={"displacement": 0.015})
        ],
        forces=[pl.JointSpring("back", "slide", stiffness=6000, free=0.015)],
        networks=[pl.Network("coil", elements, domain="electrical")],
        outputs={"linkage": "L0/(1 + slide.displacement/a)*coil.L.flow"},
    )


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_a_shorted_coil_keeps_its_flux_and_the_energy(formulation):
    """No source, no resistance: d(L i)/dt = 0, and L i²/2 + m v²/2 + k x²/2 stay."""
    system = solenoid(R=0)
    result = system.simulate(
        0.1, every=1e-3, rtol=1e-10, method="dop853", formulation=formulation
    ).require()
    linkage = result.values("linkage")
    assert np.abs(linkage / linkage[0] - 1).max() < 1e-7
    total = result.values("energy")
    assert np.abs(total / total[0] - 1).max() < 1e-7
    assert np.ptp(result.values("slide.displacement")) > 1e-4


def test_formulations_agree_and_power_balances():
    system = solenoid(R=4)
    assert system.verify(pointwise=True, states=4, params={"V": 12}).agree
    result = system.simulate(0.05, every=1e-3, rtol=1e-9, params={"V": 12}).require()
    audit = result.power_audit()
    assert audit.junction_residual < 1e-10
    assert abs(audit.residual) < 1e-6 * audit.turnover
