"""Networks of model files as bond graphs: laws, parts and components against closed forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest
from tests.unit.formulations.multibond_networks import Numbers, contract, dc_motor

from pliant.bonds import assign
from pliant.bonds.networks.graph import Attachment, network_bonds, network_faults, networks_bonds
from pliant.errors import InputError, ModelError
from pliant.formulations.multibond.extract import equations
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model import Model, Network, Revolute, RigidBody, Subgraph
from pliant.model.files import load, loads
from pliant.model.networks.library import COMPONENTS
from pliant.spatial.symbolic import SYMBOLIC
from pliant.system import System

MOTOR = dict(V=24.0, Ra=1.1, La=0.02, k=0.35, Jr=0.004, b=0.01, n=5.0, Jl=0.6, T=2.0)


def numbers(model: Model, name: str = "net") -> Numbers:
    """Equations of a network that is a model of its own."""
    model.check()
    bonds = network_bonds(model, name)
    values = SymbolicValues(model, SYMBOLIC)
    return Numbers(equations(bonds.graph, SYMBOLIC, values, forced=bonds.forced))


def network(elements: dict[str, Any], domain: str = "", **more: Any) -> Model:
    own = {k: more.pop(k) for k in ("bonds",) if k in more}
    local = more.pop("local", {})
    made = Network("net", elements, domain=domain, parameters=local, **own)
    return Model(networks=[made], **more)


MOTOR_PARTS = """
pliant: 1
parameters: {V: 24, Ra: 1.1, La: 20 mH, k: 0.35, Jr: 0.004, b: 0.01, n: 5, Jl: 0.6, T: 2}
networks:
  net:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {part: voltage-source, with: {V: V}, ports: {terminals: mesh}}
      motor:
        part: dc-motor
        with: {R: Ra, L: La, k: k, d: b, J: Jr}
        ports: {terminals: mesh, shaft: fast}
      fast: {junction: 1, domain: rotation}
      gear: {part: gear, with: {ratio: n}, ports: {input: fast, output: axle}}
      axle: {junction: 1, domain: rotation}
      load: {I: Jl, on: axle}
      weight: {Se: -T, on: axle}
"""


def test_motor_of_parts_has_the_equations_of_the_graph_built_by_hand() -> None:
    """dc_motor is the same machine in Python; its own tests hold it against the textbook."""
    by_hand, parts = Numbers(contract(dc_motor(), MOTOR)), numbers(loads(MOTOR_PARTS))
    assert parts.e.inputs.values.tolist() == by_hand.e.inputs.values.tolist()
    for i, w in ((0.0, 0.0), (3.0, 0.0), (0.0, 2.0), (3.0, -1.0)):
        one = by_hand.at({"La.flow": i, "load.flow": w, "rotor.flow": 5 * w})["rates"]
        given = {"motor.inductance.flow": i, "load.flow": w, "motor.rotor.flow": 5 * w}
        two = parts.at({f"net.{k}": v for k, v in given.items()})["rates"]
        assert two["net.motor.inductance.flow"] == pytest.approx(one["La.flow"], rel=1e-13)
        assert two["net.motor.rotor.flow"] == pytest.approx(5 * one["load.flow"], rel=1e-13)


def test_parts_have_the_causality_of_the_graph_built_by_hand() -> None:
    """Rotor and load move together: one of them is a dependent state."""
    bonds = network_bonds(loads(MOTOR_PARTS), "net")
    (refused,) = assign(bonds.graph, bonds.forced).refused
    assert refused.store == "net.load"
    (by_hand,) = assign(dc_motor()).refused
    assert by_hand.store == "rotor"
    assert bonds.graph.nodes["net.motor.rotor"].owner == "net.motor"
    assert not network_faults(loads(MOTOR_PARTS))


def test_an_inertia_or_resistance_of_zero_is_left_out() -> None:
    free = loads(MOTOR_PARTS.replace("d: b, J: Jr", "d: 0"))
    names = network_bonds(free, "net").graph.nodes
    assert "net.motor.rotor" not in names
    assert "net.motor.friction" not in names
    assert "net.supply.inner" not in names
    assert "net.motor.resistance" in names
    rates = numbers(free).at({"net.load.flow": 2.0, "net.motor.inductance.flow": 3.0})["rates"]
    assert rates["net.load.flow"] == pytest.approx((5 * 0.35 * 3 - 2) / 0.6, rel=1e-13)


def test_a_zero_resistance_between_two_nodes_is_a_short_circuit_and_stays() -> None:
    model = network({"n": {"junction": 0}, "c": {"C": 1, "on": "n"}, "short": {"R": 0, "on": "n"}})
    assert "net.short" in network_bonds(model, "net").graph.nodes


# --- hydraulic components

OIL = dict(A=4e-3, B=3e-3, CA=7e-13, CB=5e-13, G=2e-12, m=50.0)


def test_cylinder_pushes_a_mass() -> None:
    """m v' = A pA - B pB,  CA pA' = -A v - G (pA - pB),  CB pB' = B v + G (pA - pB)."""
    model = network(
        {
            "A": {"junction": 0}, "B": {"junction": 0},
            "rod": {"junction": 1, "domain": "translation"}, "ram": {"I": "m", "on": "rod"},
            "jack": {
                "part": "cylinder", "ports": {"A": "A", "B": "B", "rod": "rod"},
                "with": {"area_A": "A", "area_B": "B", "compliance_A": "CA", "compliance_B": "CB",
                         "leakage": "G"},
            },
        },
        "hydraulic", parameters=OIL,
    )  # fmt: skip
    pA, pB, v = 5e6, 2e6, 0.3
    state = {"jack.oil_A.displacement": pA * OIL["CA"], "jack.oil_B.displacement": pB * OIL["CB"],
             "ram.flow": v}  # fmt: skip
    found = numbers(model).at({f"net.{k}": x for k, x in state.items()})
    rates, leak = found["rates"], OIL["G"] * (pA - pB)
    force = OIL["A"] * pA - OIL["B"] * pB
    assert rates["net.ram.flow"] == pytest.approx(force / OIL["m"], rel=1e-12)
    assert rates["net.jack.oil_A.displacement"] == pytest.approx(-OIL["A"] * v - leak, rel=1e-12)
    assert rates["net.jack.oil_B.displacement"] == pytest.approx(OIL["B"] * v + leak, rel=1e-12)
    assert found["seen"]["net.jack.leak.flow"] == pytest.approx(leak, rel=1e-12)


def test_pump_lifts_oil_out_of_a_tank() -> None:
    """J w' = T - D (p - p0) - d w,  C p' = D w - G (p - p0)."""
    model = network(
        {
            "shaft": {"junction": 1, "domain": "rotation"}, "drive": {"Se": 8, "on": "shaft"},
            "wheel": {"I": 0.02, "on": "shaft"}, "low": {"junction": 0}, "high": {"junction": 0},
            "sump": {"part": "tank", "with": {"pressure": "1 bar"}, "ports": {"line": "low"}},
            "accumulator": {"C": 1e-11, "on": "high"},
            "pump": {
                "part": "pump", "with": {"displacement": 1e-6, "leakage": 3e-12, "friction": 0.01},
                "ports": {"shaft": "shaft", "inlet": "low", "outlet": "high"},
            },
        },
        "hydraulic",
    )  # fmt: skip
    w, p = 150.0, 4e6
    rates = numbers(model).at({"net.wheel.flow": w, "net.accumulator.displacement": p * 1e-11})[
        "rates"
    ]
    lift = p - 1e5
    assert rates["net.wheel.flow"] == pytest.approx((8 - 1e-6 * lift - 0.01 * w) / 0.02, rel=1e-12)
    flow = 1e-6 * w - 3e-12 * lift
    assert rates["net.accumulator.displacement"] == pytest.approx(flow, rel=1e-12)


@pytest.mark.parametrize("pressure", [-3e5, 1.0, 4e6, 9e6])
def test_valves_between_a_line_and_a_tank(pressure: float) -> None:
    """C p' = Q - G p - Cd A x √(2/ρ) p/√(|p| + s) - S max(p - p0, 0), x = 0.5 + t."""
    opening = {"area": 1e-5, "opening": "0.5 + t", "density": 850}
    ends = {"inlet": "line", "outlet": "low"}
    model = network(
        {
            "line": {"junction": 0}, "low": {"junction": 0}, "oil": {"C": 1e-11, "on": "line"},
            "source": {"part": "pump-flow", "with": {"flow": 2e-4, "leakage": 1e-12},
                       "ports": {"outlet": "line"}},
            "sump": {"part": "tank", "ports": {"line": "low"}},
            "valve": {"part": "orifice", "with": opening, "ports": ends},
            "relief": {"part": "relief-valve", "with": {"pressure": 5e6, "slope": 1e-10},
                       "ports": ends},
        },
        "hydraulic",
    )  # fmt: skip
    found = numbers(model).at({"net.oil.displacement": pressure * 1e-11}, t=0.25)
    orifice = 0.6 * 1e-5 * 0.75 * np.sqrt(2 / 850) * pressure / np.sqrt(abs(pressure) + 100)
    relief = 1e-10 * max(pressure - 5e6, 0)
    flow = 2e-4 - 1e-12 * pressure - orifice - relief
    assert found["rates"]["net.oil.displacement"] == pytest.approx(flow, rel=1e-12, abs=1e-18)
    assert found["seen"]["net.valve.edge.power"] >= 0
    assert found["seen"]["net.relief.seat.power"] >= 0


def test_sources_with_inner_losses() -> None:
    """L i' = V - (Ri + R) i;  C u' = I - G u."""
    mesh = network(
        {
            "mesh": {"junction": 1}, "L": {"I": 0.1, "on": "mesh"}, "r": {"R": 3, "on": "mesh"},
            "E": {"part": "voltage-source", "with": {"V": 12, "R": 2},
                  "ports": {"terminals": "mesh"}},
        },
        "electrical",
    )  # fmt: skip
    rates = numbers(mesh).at({"net.L.flow": 0.7})["rates"]
    assert rates["net.L.flow"] == pytest.approx((12 - 5 * 0.7) / 0.1, rel=1e-14)
    node = network(
        {
            "node": {"junction": 0}, "C": {"C": 1e-3, "on": "node"},
            "J": {"part": "current-source", "with": {"I": 2, "G": 0.1},
                  "ports": {"terminals": "node"}},
        },
        "electrical",
    )  # fmt: skip
    rates = numbers(node).at({"net.C.displacement": 5e-3})["rates"]
    assert rates["net.C.displacement"] == pytest.approx(2 - 0.1 * 5, rel=1e-14)


def test_every_component_stands_in_a_test_of_this_file() -> None:
    text = Path(__file__).read_text()
    assert [c for c in COMPONENTS if f'"{c}"' not in text and f"part: {c}" not in text] == []


# --- laws


def test_formulas_read_time_signals_parameters_and_states() -> None:
    elements = {
        "mesh": {"junction": 1}, "L": {"I": "l", "on": "mesh"}, "c": {"C": 0.5, "on": "mesh"},
        "E": {"Se": "V*sin(t) + 3*L.flow - c.effort*c.displacement", "on": "mesh"},
        "r": {"R": "R*(1 + c.displacement**2)", "on": "mesh"},
    }  # fmt: skip
    model = network(elements, parameters={"V": 4, "l": 0.2}, local={"R": "V/2"})
    i, q, t = 0.7, 0.3, 1.2
    rates = numbers(model).at({"net.L.flow": i, "net.c.displacement": q}, t=t)["rates"]
    u = q / 0.5
    voltage = 4 * np.sin(t) + 3 * i - u * q - 2 * (1 + q * q) * i - u
    assert rates["net.L.flow"] == pytest.approx(voltage / 0.2, rel=1e-13)
    assert rates["net.c.displacement"] == pytest.approx(i, rel=1e-14)


def test_nonlinear_laws_of_effort_and_flow() -> None:
    elements = {
        "node": {"junction": 0}, "s": {"Sf": 1, "on": "node"},
        "c": {"C": {"effort": "k*q + 2*q**3"}, "on": "node", "initial": 0.4},
        "d": {"R": {"flow": "0.1*e**3"}, "on": "node"},
        "a": {"junction": 1}, "m": {"I": 2, "on": "a"}, "b": {"MR": "f*abs(f)", "on": "a"},
    }  # fmt: skip
    bonds = {"node_a": {"from": "node", "to": "a"}}
    found = numbers(network(elements, bonds=bonds, parameters={"k": 3}))
    rates = found.at({"net.c.displacement": 0.4, "net.m.flow": -0.5})["rates"]
    e = 3 * 0.4 + 2 * 0.4**3
    assert rates["net.c.displacement"] == pytest.approx(1 - 0.1 * e**3 + 0.5, rel=1e-13)
    assert rates["net.m.flow"] == pytest.approx((e + 0.25) / 2, rel=1e-13)


def test_vector_elements_fields_and_stacked_bonds() -> None:
    """A 2-vector mass with gyroscopic effort, and a coupled spring between it and a third."""
    elements = {
        "v": {"junction": 1, "dim": 2, "domain": "translation"},
        "w": {"junction": 1, "domain": "translation"},
        "all": {"SUM": {}, "from": ["v", "w"], "to": "x"},
        "x": {"junction": 1, "dim": 3, "domain": "translation"},
        "m": {"I": [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]], "on": "x"},
        "g": {"EJS": ["3*f2", "-3*f1"], "on": "v"},
        "k": {"C": {"effort": ["q1 + 2*q3", "5*q2", "2*q1 + 7*q3**3"]}, "on": ["v", "w"]},
        "push": {"Se": [1, 2], "on": "v"},
        "probe": {"MR": "0.5*f + m.flow2", "on": "w"},
    }  # fmt: skip
    found = numbers(network(elements))
    u, q = np.array([0.3, -0.2, 0.6]), np.array([0.1, 0.4, -0.3])
    state = {f"net.m.{k + 1}": u[k] for k in range(3)}
    state |= {f"net.k.{k + 1}": q[k] for k in range(3)}
    at = found.at(state)
    M = np.array([[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]])
    spring = np.array([q[0] + 2 * q[2], 5 * q[1], 2 * q[0] + 7 * q[2] ** 3])
    other = np.array([1 - 3 * u[1], 2 + 3 * u[0], -0.5 * u[2] - u[1]])
    wanted = np.linalg.solve(M, other - spring)
    rates = at["rates"]
    assert [rates[f"net.m.{k + 1}"] for k in range(3)] == pytest.approx(wanted, rel=1e-12)
    assert [rates[f"net.k.{k + 1}"] for k in range(3)] == pytest.approx(u, rel=1e-14)
    assert found.largest_imbalance(at["seen"]) < 1e-14


def test_transformers_by_matrix_and_modulated() -> None:
    elements = {
        "a": {"junction": 1, "dim": 2}, "m": {"I": [1, 2], "on": "a"},
        "T": {"MTF": [["cos(s.displacement)", "sin(s.displacement)"]], "from": "a", "to": "b"},
        "b": {"junction": 1}, "s": {"C": {"stiffness": 3}, "on": "b"},
        "G": {"MGY": "s.effort", "from": "b", "to": "c"},
        "c": {"junction": 0}, "r": {"R": 4, "on": "c"},
    }  # fmt: skip
    q, u = 0.4, np.array([0.7, -0.3])
    rates = numbers(network(elements)).at(
        {"net.s.displacement": q, "net.m.1": u[0], "net.m.2": u[1]}
    )["rates"]
    T = np.array([np.cos(q), np.sin(q)])
    f = T @ u
    e = 3 * q
    back = e * (e * f / 4)
    assert rates["net.s.displacement"] == pytest.approx(f, rel=1e-14)
    wanted = -T * (3 * q + back) / np.array([1, 2])
    assert [rates["net.m.1"], rates["net.m.2"]] == pytest.approx(wanted, rel=1e-13)


@pytest.mark.parametrize(
    ("law", "start", "wanted"),
    [
        ("20 mF", {"effort": "12 V"}, 0.24),
        ({"stiffness": "4 V/C"}, {"effort": "k"}, 1.25),
        ({"effort": "q**3", "displacement": "e**(1/3)"}, {"effort": 8}, 2.0),
        ("20 mF", "3 C", 3.0),
        ("20 mF", {"displacement": "2*k"}, 10.0),
    ],
)
def test_initial_displacement_or_effort(law: Any, start: Any, wanted: float) -> None:
    elements = {"n": {"junction": 0}, "c": {"C": law, "on": "n", "initial": start},
                "r": {"R": 1, "on": "n"}}  # fmt: skip
    e = numbers(network(elements, "electrical", parameters={"k": 5})).e
    found = float(ca.Function("start", [e.p], [e.start.x])(e.inputs.values))
    assert found == pytest.approx(wanted, rel=1e-14)


# --- parts


def test_parameters_of_parts_are_formulas_of_the_graph_around_them() -> None:
    """The name f means a parameter outside, and the own flow inside; defaults follow what is given.

    L i' = 12 - (2 f + g) i |i|, with g = 3 (2 f).
    """
    drag = Subgraph(
        "drag",
        {"j": {"junction": 1}, "r": {"R": {"effort": "c*f*abs(f)"}, "on": "j"},
         "more": {"part": "again", "with": {"c": "g"}, "ports": {"p": "j"}}},
        ports={"p": "j"}, parameters={"c": None, "g": "3*c"},
    )  # fmt: skip
    again = Subgraph(
        "again", {"j": {"junction": 1}, "r": {"R": {"effort": "c*f*abs(f)"}, "on": "j"}},
        ports={"p": "j"}, parameters={"c": 1},
    )  # fmt: skip
    elements = {
        "m": {"junction": 1}, "E": {"Se": 12, "on": "m"}, "L": {"I": 0.5, "on": "m"},
        "d": {"part": "drag", "with": {"c": "2*f"}, "ports": {"p": "m"}},
    }  # fmt: skip
    model = network(elements, parameters={"f": 0.7}, subgraphs=[drag, again])
    graph = network_bonds(model, "net").graph
    assert {"net.d.r", "net.d.more.r"} <= set(graph.nodes)
    assert graph.nodes["net.d.more.r"].owner == "net.d.more"
    rates = numbers(model).at({"net.L.flow": 1.5})["rates"]
    c = 2 * 0.7
    assert rates["net.L.flow"] == pytest.approx((12 - 4 * c * 1.5**2) / 0.5, rel=1e-13)


def test_states_of_parts_can_be_read_from_outside() -> None:
    text = MOTOR_PARTS.replace("Se: -T", "Se: -T*motor.inductance.flow")
    rates = numbers(loads(text)).at({"net.motor.inductance.flow": 3.0})["rates"]
    J = MOTOR["Jl"] + 25 * MOTOR["Jr"]
    spin = (5 * 0.35 * 3 - 2 * 3) / J
    assert rates["net.motor.rotor.flow"] == pytest.approx(5 * spin, rel=1e-12)


PUMP = """
pliant: 1
subgraph:
  domain: hydraulic
  parameters: {Q: null}
  elements:
    line: {junction: 0}
    source: {Sf: Q, on: line}
    loss: {part: {file: leak.yaml}, ports: {at: line}}
  ports: {outlet: {junction: line, outward: true}}
"""
LEAK = """
pliant: 1
subgraph:
  domain: hydraulic
  elements:
    n: {junction: 0}
    gap: {R: {flow: 1e-12*e}, on: n}
  ports: {at: n}
"""
PLANT = """
pliant: 1
networks:
  net:
    domain: hydraulic
    elements:
      line: {junction: 0}
      oil: {C: 1e-11, on: line}
      pump: {part: {file: parts/pump.yaml}, with: {Q: 1 L/min}, ports: {outlet: line}}
"""


def test_parts_from_files_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "pump.yaml").write_text(PUMP)
    (tmp_path / "parts" / "leak.yaml").write_text(LEAK)
    (tmp_path / "plant.yaml").write_text(PLANT)
    model = load(tmp_path / "plant.yaml")
    rates = numbers(model).at({"net.oil.displacement": 2e-5})["rates"]
    wanted = 1e-3 / 60 - 1e-12 * 2e6
    assert rates["net.oil.displacement"] == pytest.approx(wanted, rel=1e-13)
    with pytest.raises(InputError, match="load the model by path"):
        loads(PLANT)


# --- attachments, strokes, conflicts

ARM = """
pliant: 1
parameters: {c: 2}
bodies: {arm: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {tip: [1, 0, 0]}}}
joints:
  O: {revolute: {axis: z}, between: [ground, arm]}
networks:
  drive:
    domain: electrical
    parameters: {n: 2*c}
    elements:
      mesh: {junction: 1}
      E: {Se: 12 - O.angle, on: mesh}
      L: {I: 1, on: mesh}
      k: {GY: 2, from: mesh, to: shaft}
      shaft: {joint: O}
      tip: {frame: arm.tip, direction: [0, n, 1]}
      drag: {R: 3, on: tip, stroke: element}
      free: {frame: arm, rotation: true}
      brake: {R: [1, 2, 3], on: free}
"""


def test_attachments_are_one_junctions_with_their_place() -> None:
    model = loads(ARM)
    (bonds,) = networks_bonds(model)
    shaft, tip, free = bonds.attachments
    assert shaft == Attachment("drive.shaft", 1, "O")
    assert (tip.junction, tip.dim, tip.frame, tip.rotation) == ("drive.tip", 1, "arm.tip", False)
    assert tip.direction is not None
    values = model.parameter_values({"c": 2.0})
    assert [f.number(values) for f in tip.direction] == [0, 4, 1]
    assert free == Attachment("drive.free", 3, frame="arm", rotation=True)
    kinds = {a.junction: bonds.graph.nodes[a.junction] for a in bonds.attachments}
    assert [(n.kind, n.domain) for n in kinds.values()] == [
        ("1", "rotation"), ("1", "translation"), ("1", "rotation"),
    ]  # fmt: skip
    assert bonds.forced == {"drive.drag": "head"}


def test_attached_networks_alone_take_their_flow_from_the_mechanics() -> None:
    """A resistance that gets effort cannot take the flow of a frame as well."""
    (fault,) = network_faults(loads(ARM))
    assert "drive.drag" in str(fault)
    assert not network_faults(loads(ARM.replace(", stroke: element", "")))


@pytest.mark.parametrize(
    ("elements", "names"),
    [
        ({"m": {"junction": 1}, "a": {"Sf": 1, "on": "m"}, "b": {"Sf": 2, "on": "m"}},
         ("net.a", "net.b", "net.m")),
        ({"n": {"junction": 0}, "a": {"Se": 1, "on": "n"}, "b": {"Se": 2, "on": "n"}},
         ("net.a", "net.b", "net.n")),
        ({"n": {"junction": 0}, "a": {"Sf": 1, "on": "n"}, "b": {"Sf": 2, "on": "n"}},
         ("net.a", "net.b", "net.n")),
    ],
)  # fmt: skip
def test_causal_conflicts_are_named(elements: dict[str, Any], names: tuple[str, ...]) -> None:
    (fault,) = network_faults(network(elements).check())
    assert all(name in str(fault) for name in names)
    with pytest.raises(ModelError, match=str(fault)):
        System(network(elements))


def test_a_flow_source_moves_a_joint_through_a_constraintor() -> None:
    """Its flow and that of the joint meet at a 0-junction in its bond, which keeps its name."""
    text = ARM.replace(", stroke: element", "").replace(
        "brake:", "run: {Sf: 2, on: shaft}\n      brake:"
    )
    model = loads(text)
    assert not network_faults(model)
    bonds = network_bonds(model, "drive")
    assert [(hold.at, hold.of) for hold in bonds.held] == [("drive.run", "drive.run")]
    ends = {b.name: (b.tail, b.head) for b in bonds.graph.bonds}
    assert ends["drive.run"] == ("drive.run", "drive.run.0")
    assert ends["drive.run.held"] == ("drive.run.0", "drive.shaft")
    assert bonds.graph.nodes["drive.run.CN"].kind == "CN"


def test_nothing_is_held_of_stores() -> None:
    """A gear between an arm and a rotor of its own makes the rotor dependent; one between two
    sources is a conflict."""
    geared: dict[str, Any] = {
        "a": {"joint": "A"}, "b": {"junction": 1}, "gear": {"TF": 2, "from": "a", "to": "b"},
    }  # fmt: skip
    model = Model(
        bodies=[RigidBody("one", 1, inertia=(1, 1, 1))], joints=[Revolute("A", "ground", "one")],
        networks=[Network("net", geared | {"rotor": {"I": 1, "on": "b"}}),
                  Network("other", geared | {"x": {"Sf": 1, "on": "b"}, "y": {"Sf": 2, "on": "b"}}),
                  ],
    )  # fmt: skip
    assert not network_bonds(model.check(), "net").held
    assert not network_bonds(model, "other").held
    assert any("Sf other.x and Sf other.y" in str(fault) for fault in network_faults(model))


def test_a_forced_stroke_decides() -> None:
    """Of two stores that move together, the user says which one is dependent."""
    text = MOTOR_PARTS.replace(
        "load: {I: Jl, on: axle}", "load: {I: Jl, on: axle, stroke: element}"
    )
    bonds = network_bonds(loads(text), "net")
    assert bonds.forced == {"net.load": "head"}
    assert [r.store for r in assign(bonds.graph, bonds.forced).refused] == ["net.motor.rotor"]


def test_a_constraintor_of_elements_is_a_source_of_no_flow() -> None:
    elements = {
        "a": {"junction": 1}, "m": {"I": 2, "on": "a"}, "push": {"Se": 3, "on": "a"},
        "stop": {"CN": {}, "on": "a"},
    }  # fmt: skip
    graph = network_bonds(network(elements), "net").graph
    assert graph.nodes["net.stop"].kind == "Sf"
    assert [r.store for r in assign(graph).refused] == ["net.m"]


def test_a_constraintor_between_attachments_stays() -> None:
    """Both flows are given by the mechanics, so that a source would contradict them."""
    elements = {
        "a": {"joint": "A"}, "b": {"joint": "B"}, "d": {"junction": 0},
        "stop": {"CN": {}, "on": "d"},
    }  # fmt: skip
    model = Model(
        bodies=[RigidBody(n, 1, inertia=(1, 1, 1)) for n in ("one", "two")],
        joints=[Revolute("A", "ground", "one"), Revolute("B", "ground", "two")],
        networks=[
            Network("net", elements,
                    bonds={"ad": {"from": "a", "to": "d"}, "db": {"from": "d", "to": "b"}}),
        ],
    )  # fmt: skip
    assert network_bonds(model.check(), "net").graph.nodes["net.stop"].kind == "CN"
