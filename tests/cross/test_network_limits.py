"""Networks at the edge: no states at all, constraintors, cancelled reactions, dependent stores."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import CapabilityError, ModelError


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


def test_a_constraintor_holds_a_store_at_rest():
    """4 N on a mass that is held: what holds it takes the force."""
    elements = {
        "a": {"junction": 1},
        "m": {"I": 1, "on": "a"},
        "k": {"Se": 4, "on": "a"},
        "hold": {"CN": {}, "on": "a"},
    }
    system = _network(elements, "translation")
    result = system.simulate(1.0, every=0.5).require()
    assert np.abs(result.values("n.m.flow")).max() == 0
    assert np.abs(result.values("n.hold.effort")) == pytest.approx([4, 4, 4])
    elements["m"]["initial"] = 1
    with pytest.raises(ModelError, match=r"n\.m.*its flow follows from n\.hold"):
        _network(elements, "translation").simulate(1.0)


def test_two_masses_held_together_swing_as_one():
    """CN makes their velocities equal: x'' = -k x / (m1 + m2), omega = 1."""
    elements = {
        "a": {"junction": 1}, "b": {"junction": 1}, "d": {"junction": 0},
        "one": {"I": 1, "on": "a", "initial": 1}, "two": {"I": 3, "on": "b"},
        "spring": {"C": {"stiffness": 4}, "on": "a"}, "hold": {"CN": {}, "on": "d"},
    }  # fmt: skip
    bonds = {"ad": {"from": "a", "to": "d"}, "db": {"from": "d", "to": "b"}}
    system = _network(elements, "translation", bonds=bonds)
    result = system.simulate(3.0, every=0.5, rtol=1e-9).require()
    for mass in ("one", "two"):
        assert result.values(f"n.{mass}.flow") == pytest.approx(np.cos(result.time), abs=1e-7)


def _pair(hold):
    """1 kg on a spring of 4 N/m, and 3 kg; what holds them together is at the 0-junction d."""
    elements = {
        "a": {"junction": 1}, "b": {"junction": 1}, "d": {"junction": 0},
        "one": {"I": 1, "on": "a", "initial": 1}, "two": {"I": 3, "on": "b"},
        "spring": {"C": {"stiffness": 4}, "on": "a"},
    }  # fmt: skip
    bonds = {"ad": {"from": "a", "to": "d"}, "db": {"from": "d", "to": "b"}}
    return _network(elements | hold, "translation", bonds=bonds)


def test_a_constraintor_has_its_row_and_multiplier_where_equations_keep_them():
    written = _pair({"hold": {"CN": {}, "on": "d"}}).equations(form="augmented").text()
    assert "n.two.flow:  0 = 3*n.two.flow' + n.hold.lam" in written
    assert "n.hold.lam:  0 = n.one.flow - n.two.flow" in written


def test_a_constraintor_is_drawn_as_one():
    """Whatever causality it is solved in: 3 kg follow 1 kg, and its effort is what that takes."""
    graph = _pair({"hold": {"CN": {}, "on": "d"}}).graph(kind="bond")
    said = graph.summary()
    assert "2 I, 1 C, 1 CN, 1 0-junction" in said
    assert "I n.two: dependent (given by n.one): 1 state fewer" in said
    assert {e["name"]: e["kind"] for e in graph.as_dict()["elements"]}["n.hold"] == "CN"


def test_a_constraintor_is_the_limit_of_stiff_springs():
    """Its effort is theirs but for terms of 1/k, once the springs have come to rest."""
    held = _pair({"hold": {"CN": {}, "on": "d"}}).simulate(3, every=1, rtol=1e-10).require()
    exact = held.values("n.hold.effort")[-2:]
    assert exact == pytest.approx(-3 * np.sin(held.time[-2:]), abs=1e-7)
    wrong = []
    for k in (1e3, 1e4, 1e5):
        stiff = {
            "s": {"junction": 1}, "k": {"C": {"stiffness": k}, "on": "s"},
            "c": {"R": 2 * np.sqrt(0.75 * k), "on": "s"}, "back": {"TF": 1, "from": "d", "to": "s"},
        }  # fmt: skip
        stiff["two"] = {"I": 3, "on": "b", "initial": 1}
        found = _pair(stiff).simulate(3, every=1, rtol=1e-10).require()
        effort = found.values("n.k.effort") + found.values("n.c.effort")
        wrong.append(np.abs(effort[-2:] - exact).max())
    assert wrong[0] < 0.05
    assert np.log10(np.array(wrong[:-1]) / wrong[1:]) == pytest.approx([1, 1], abs=0.1)


def test_a_flywheel_held_to_a_joint_turns_with_it():
    """2 N m on an arm of 1/3 kg m^2 and a wheel of 0.1 kg m^2, in every formulation."""
    elements = {
        "a": {"joint": "O"}, "b": {"junction": 1}, "d": {"junction": 0},
        "wheel": {"I": 0.1, "on": "b"}, "torque": {"Se": 2, "on": "b"},
        "hold": {"CN": {}, "on": "d"},
    }  # fmt: skip
    bonds = {"ad": {"from": "a", "to": "d"}, "db": {"from": "d", "to": "b"}}
    system = pl.System(
        bodies=[pl.RigidBody.rod("arm", 1.0, mass=1)],
        joints=[pl.Revolute("O", "ground", "arm")],
        networks=[pl.Network("n", elements, domain="rotation", bonds=bonds)],
    )
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(1.0, every=0.5).require()
    assert result.values("O.angle_rate")[-1] == pytest.approx(2 / (1 / 3 + 0.1), rel=1e-9)


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
    assert system.verify(pointwise=True, states=3).agree


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


def test_a_junction_structure_tells_its_efforts():
    """Gyroscopic torques w x J w of a free rotor, also as formulas read them."""
    elements = {
        "w": {"junction": 1, "dim": 3}, "J": {"I": [1, 2, 3], "on": "w", "initial": [0.3, 2, 0.1]},
        "spin": {"EJS": ["f2*f3", "-2*f3*f1", "f1*f2"], "on": "w"},
    }  # fmt: skip
    system = _network(elements, "rotation")
    system = pl.System(system.model, outputs={"third": "n.spin.effort3"})
    result = system.simulate(1.0, every=0.25, rtol=1e-9).require()
    w, J = result.values("n.spin.flow"), np.array([1, 2, 3])
    assert result.values("n.spin.effort") == pytest.approx(np.cross(w, J * w), abs=1e-12)
    assert result.values("third") == pytest.approx(result.values("n.spin.effort")[:, 2], abs=1e-12)
    assert "n.spin.power" not in result.names()


PRESS = """
pliant: 1
name: press
bodies: {ram: {point: 50 kg}}
joints: {slide: {prismatic: {axis: z}, between: [ground, ram]}}
networks:
  oil:
    domain: hydraulic
    parameters: {Q: 0.1 L/s}
    elements:
      node: {junction: 0}
      pump: {Sf: Q, on: node}
      volume: {C: 1e-12, on: node}
      cylinder: {TF: 20 cm^2, from: ram, to: chamber}
      chamber: {junction: 1}
      ram: {joint: slide}
    bonds: {b: {from: node, to: chamber}}
"""


def test_a_press_that_is_pumped_has_no_equilibrium():
    system = pl.System.loads(PRESS)
    with pytest.raises(CapabilityError, match=r"no equilibrium: .* changes by 0\.0001 m\^3/s"):
        system.statics()
    with pytest.raises(CapabilityError, match="any value is an equilibrium"):
        system.statics(params={"oil.Q": 0})


def test_size_of_the_mass_matrix_counts_only_stores_that_move_with_the_mechanism():
    """A coil is a state, the rotor behind a gear a dependent speed: as in the equations."""
    elements = {
        "mesh": {"junction": 1}, "supply": {"Se": 6, "on": "mesh"},
        "coil": {"I": 0.1, "on": "mesh"},
        "k": {"GY": 0.3, "from": "mesh", "to": "axle"}, "axle": {"junction": 1},
        "rotor": {"I": 0.01, "on": "axle"}, "gear": {"TF": 0.1, "from": "axle", "to": "arm"},
        "arm": {"joint": "O"},
    }  # fmt: skip
    arm = pl.RigidBody.rod("arm", 0.5, mass=1)
    system = pl.System(bodies=[arm], joints=[pl.Revolute("O", "ground", "arm", axis="y")],
                       networks=[pl.Network("drive", elements)])  # fmt: skip
    e = system.equations("multibond").equations
    sizes = [e.residual.numel(), e.u.numel()]
    assert system.graph("bond").as_dict()["mass_matrix"] == sizes == [1, 8]
