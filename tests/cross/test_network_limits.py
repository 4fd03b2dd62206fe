"""Networks at the edge: no states at all, constraintors, cancelled reactions, dependent stores."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import CapabilityError


def _network(elements, domain="electrical", **more):
    return pl.System(networks=[pl.Network("n", elements, domain=domain, **more)])


@pytest.mark.parametrize("method", ["auto", "dop853", "radau"])
def test_a_network_without_states_runs(method):
    """5 t volts across 2 ohm: nothing to integrate, everything to report."""
    elements = {
        "a": {"junction": 1},
        "s": {"Se": "5*t", "on": "a"},
        "r": {"R": 2, "on": "a"},
    }
    result = _network(elements).simulate(1.0, every=0.25, method=method).require()
    assert result.values("n.r.flow") == pytest.approx(2.5 * result.time, abs=1e-15)
    assert result.values("n.s.work")[-1] == pytest.approx(25 / 2 / 3, rel=1e-12)


@pytest.mark.parametrize(
    "elements",
    [
        {"a": {"junction": 1}, "m": {"I": 1, "on": "a"}, "k": {"Se": 4, "on": "a"},
         "hold": {"CN": {}, "on": "a"}},
        {"a": {"junction": 1}, "r": {"R": 1, "on": "a"}, "k": {"Se": 4, "on": "a"},
         "hold": {"CN": {}, "on": "a"}},
    ],
    ids=["store", "resistance"],
)  # fmt: skip
def test_a_constraintor_on_elements_of_the_network_is_declined_by_name(elements):
    """Its multiplier would enter rates of states; a source of no flow says the same."""
    with pytest.raises(Exception, match=r"hold.*Sf: 0 in place of CN") as caught:
        _network(elements, "translation").simulate(1.0)
    assert isinstance(caught.value, CapabilityError | pl.errors.ModelError)
    del elements["hold"]
    held = _network({**elements, "still": {"Sf": 0, "on": "a"}}, "translation")
    result = held.simulate(1.0, every=0.5).require()
    assert np.abs(result.values("n.still.effort")) == pytest.approx([4, 4, 4])


def test_reactions_that_cancel_are_compared_with_the_forces_there_are():
    """Wheels on a differential in a plane: torques of the bearings are rounding, not reactions."""
    elements = {
        "ja": {"joint": "A"}, "jb": {"joint": "B"}, "s": {"junction": 0},
        "ta": {"TF": 0.5, "from": "ja", "to": "s"}, "tb": {"TF": 0.5, "from": "jb", "to": "s"},
        "cage": {"I": 0.3, "on": "s"}, "tq": {"Se": 2, "on": "jb"},
    }  # fmt: skip
    system = pl.System(
        bodies=[pl.RigidBody.cylinder(n, 0.1, 0.2, mass=3) for n in ("one", "two")],
        joints=[pl.Revolute("A", "ground", "one"), pl.Revolute("B", "ground", "two")],
        networks=[pl.Network("n", elements, domain="rotation")],
    )
    assert system.verify(states=3).agree


def test_a_chamber_open_to_the_tank_has_its_pressure():
    elements = {
        "p": {"junction": 0}, "t": {"junction": 0}, "rod": {"junction": 1, "domain": "translation"},
        "pump": {"part": "pump-flow", "with": {"flow": 1e-4}, "ports": {"outlet": "p"}},
        "tank": {"part": "tank", "ports": {"line": "t"}},
        "load": {"I": 100, "on": "rod"}, "brake": {"R": 1e4, "on": "rod"},
        "cylinder": {
            "part": "cylinder", "with": {"area_A": 1e-3, "compliance_A": 1e-12},
            "ports": {"A": "p", "B": "t", "rod": "rod"},
        },
    }  # fmt: skip
    result = _network(elements, "hydraulic").simulate(2.0, every=1.0).require()
    assert result.values("n.cylinder.oil_B.effort") == pytest.approx([0, 0, 0], abs=1e-9)
    assert result.values("n.load.flow")[-1] == pytest.approx(0.1, rel=1e-4)  # Q / A
