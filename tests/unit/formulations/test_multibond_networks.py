"""Networks of one or more domains against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from tests.models.running import end_outputs, outputs, run
from tests.unit.formulations.multibond_networks import (
    Numbers,
    contract,
    dc_motor,
    p,
    parallel_rlc,
    runnable,
    series_rlc,
)

from pliant.bonds import BondGraph, Compliance, Gyrator, Inertia, Resistance, Source, Transformer
from pliant.formulations.multibond.extract import equations
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.model import Model
from pliant.reading.algebra import Space, readable_ops

RLC = dict(E=5.0, J=0.3, R=3.0, L=0.2, C=0.01)
MOTOR = dict(V=24.0, Ra=1.1, La=0.02, k=0.35, Jr=0.004, b=0.01, n=5.0, Jl=0.6, T=2.0)


def test_series_rlc_has_the_equations_of_the_mesh() -> None:
    found = Numbers(contract(series_rlc(), RLC)).at({"L.flow": 0.7, "C.displacement": 0.02})
    assert found["rates"]["C.displacement"] == 0.7
    voltage = 5.0 - 3.0 * 0.7 - 0.02 / 0.01
    assert found["rates"]["L.flow"] == pytest.approx(voltage / 0.2, rel=1e-14)


def test_parallel_rlc_has_the_equations_of_the_node() -> None:
    found = Numbers(contract(parallel_rlc(), RLC)).at({"L.flow": 0.7, "C.displacement": 0.02})
    assert found["rates"]["L.flow"] == pytest.approx(2.0 / 0.2, rel=1e-14)
    current = 0.3 - 2.0 / 3.0 - 0.7
    assert found["rates"]["C.displacement"] == pytest.approx(current, rel=1e-14)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_series_rlc_rings_as_its_closed_form(method: str) -> None:
    """Step response: e = E (1 - exp(-d t) (cos w t + d/w sin w t)) of the capacitor, i = C de/dt.

    Between implicit steps x is a cubic, off by h⁴/384 times the fourth derivative, E/(L C)².
    """
    model = runnable(contract(series_rlc(), RLC), {}, 0.5)
    dynamics, chunks = run(model, method, rtol=1e-10, atol=1e-13)
    assert chunks[-1].status == "ok"
    d, w0 = 3.0 / 0.4, 1 / np.sqrt(0.2 * 0.01)
    w = np.sqrt(w0**2 - d * d)
    names = list(model.equations.told.observables)
    for chunk in chunks:
        times = np.linspace(chunk.t0, chunk.t1, 7)
        found = outputs(model, dynamics, chunk, times)
        decay = np.exp(-d * times)
        voltage = 5.0 * (1 - decay * (np.cos(w * times) + d / w * np.sin(w * times)))
        current = 5.0 / (0.2 * w) * decay * np.sin(w * times)
        h = 0.0 if method == "dop853" else chunk.records[:, 1].max()
        bound = 1e-8 + h**4 / 384 * 5.0 * w0**4
        assert np.abs(found[:, names.index("C.effort")] - voltage).max() < bound
        assert np.abs(found[:, names.index("L.flow")] - current).max() < 1e-8


def test_dc_motor_has_the_state_matrix_of_the_textbook() -> None:
    """(Jl + n² Jr) w' = n k i - n² b w - T,  La i' = V - Ra i - k n w; the rotor is dependent."""
    e = contract(dc_motor(), MOTOR)
    numbers = Numbers(e)
    assert numbers.u_names == ["La.flow", "rotor.flow", "load.flow"]
    assert e.residual.numel() == 2
    assert [s.name for s in e.layout.rows] == ["rotor.flow"]
    m = MOTOR
    J = m["Jl"] + m["n"] ** 2 * m["Jr"]
    for i, w in ((0.0, 0.0), (3.0, 0.0), (0.0, 2.0), (3.0, -1.0)):
        rates = numbers.at({"La.flow": i, "load.flow": w, "rotor.flow": m["n"] * w})["rates"]
        spin = (m["n"] * m["k"] * i - m["n"] ** 2 * m["b"] * w - m["T"]) / J
        assert rates["load.flow"] == pytest.approx(spin, rel=1e-13)
        assert rates["rotor.flow"] == pytest.approx(m["n"] * spin, rel=1e-13)
        current = (m["V"] - m["Ra"] * i - m["k"] * m["n"] * w) / m["La"]
        assert rates["La.flow"] == pytest.approx(current, rel=1e-13)


def test_both_forms_of_the_motor_agree_and_reactions_are_reciprocal() -> None:
    state = {"La.flow": 2.0, "load.flow": 1.5, "rotor.flow": 7.5}
    mixed = Numbers(contract(dc_motor(), MOTOR)).at(state)
    augmented = Numbers(contract(dc_motor(), MOTOR, form="augmented")).at(state)
    for name, rate in mixed["rates"].items():
        assert augmented["rates"][name] == pytest.approx(rate, rel=1e-13)
    assert np.abs(augmented["W"] - augmented["G"].T).max() == 0.0
    torque = augmented["seen"]["rotor.effort"]
    assert augmented["lam"][0] == torque
    assert mixed["seen"]["rotor.effort"] == pytest.approx(torque, rel=1e-13)


def test_motor_runs_up_to_its_steady_state() -> None:
    """Without load torque: k² n w / Ra + n b w = k V / Ra."""
    m = dict(MOTOR, T=0.0)
    model = runnable(contract(dc_motor(), m), {}, 20.0)
    y = end_outputs(model, "radau", rtol=1e-9)
    seen = dict(zip(model.equations.told.observables, y, strict=True))
    speed = m["k"] * m["V"] / m["Ra"] / (m["n"] * (m["k"] ** 2 / m["Ra"] + m["b"]))
    assert seen["load.flow"] == pytest.approx(speed, rel=1e-8)
    assert seen["rotor.flow"] == pytest.approx(m["n"] * speed, rel=1e-8)


def hydraulic_press() -> BondGraph:
    """Pump, relief orifice Q = k √Δp to the tank, cylinder (area A) against a spring and a mass."""
    g = BondGraph("press")
    g.zero("line", domain="hydraulic")
    g.one("rod", domain="translation")
    g.add("Sf", "pump", Source(p("Q")), on="line")
    orifice = Resistance(
        effort_of_flow=lambda ops, s, f: f * ops.abs(f) / (s["k"] * s["k"]),
        flow_of_effort=lambda ops, s, e: ops.sign(e) * s["k"] * ops.sqrt(ops.abs(e)),
    )
    g.add("R", "orifice", orifice, on="line")
    g.add("C", "oil", Compliance.capacity(lambda ops, s: s["V"] / s["B"]), on="line")
    g.transformer("cylinder", "rod", "line", Transformer(lambda ops, s: -s["A"]))
    g.add("I", "ram", Inertia(p("m")), on="rod")
    g.add("R", "seal", Resistance(p("d")), on="rod")
    g.add("C", "billet", Compliance.stiffness(p("K")), on="rod")
    return g


PRESS = dict(Q=2e-4, k=5e-8, V=1e-3, B=1.4e9, A=4e-3, m=50.0, d=2e4, K=5e7)


def test_hydraulic_press_comes_to_rest_where_pump_and_orifice_balance() -> None:
    """At rest p = (Q/k)², A p = K s, and the orifice dissipates what the pump gives.

    After 36 time constants (0.17 s). The start is at 10 bar: without pressure the slope of √Δp is
    infinite.
    """
    start = {"oil.displacement": 1e6 * PRESS["V"] / PRESS["B"]}
    model = runnable(contract(hydraulic_press(), PRESS), start, 6.0)
    y = end_outputs(model, "radau", rtol=1e-9, atol=1e-12)
    seen = dict(zip(model.equations.told.observables, y, strict=True))
    pressure = (PRESS["Q"] / PRESS["k"]) ** 2
    assert seen["line.residual"] == pytest.approx(0.0, abs=1e-9 * pressure * PRESS["Q"])
    assert seen["orifice.effort"] == pytest.approx(pressure, rel=1e-8)
    assert seen["billet.effort"] == pytest.approx(PRESS["A"] * pressure, rel=1e-8)
    assert seen["orifice.power"] == pytest.approx(PRESS["Q"] ** 3 / PRESS["k"] ** 2, rel=1e-8)
    assert seen["orifice.power"] == pytest.approx(seen["pump.power"], rel=1e-8)


def test_hydraulic_press_balances_power_at_any_state() -> None:
    numbers = Numbers(contract(hydraulic_press(), PRESS))
    state = {"ram.flow": 0.02, "oil.displacement": 3e-6, "billet.displacement": 1e-4}
    found = numbers.at(state)
    assert numbers.largest_imbalance(found["seen"]) < 1e-14
    pressure = 3e-6 * PRESS["B"] / PRESS["V"]
    force = PRESS["A"] * pressure - PRESS["d"] * 0.02 - PRESS["K"] * 1e-4
    assert found["rates"]["ram.flow"] == pytest.approx(force / PRESS["m"], rel=1e-13)
    volume = PRESS["Q"] - PRESS["A"] * 0.02 - PRESS["k"] * np.sqrt(pressure)
    assert found["rates"]["oil.displacement"] == pytest.approx(volume, rel=1e-12)


def thermal_wall() -> BondGraph:
    """Two heat capacities with conduction between them and to the outside; a heater."""
    g = BondGraph("wall")
    for name in ("room", "wall", "out"):
        g.zero(name, domain="thermal")
    for name, ends in (("inner", ("room", "wall")), ("outer", ("wall", "out"))):
        g.one(f"{name}.path", domain="thermal")
        g.bond(ends[0], f"{name}.path")
        g.bond(f"{name}.path", ends[1])
        g.add("R", name, Resistance(p(f"R_{name}")), on=f"{name}.path")
    g.add("Sf", "heater", Source(p("Q")), on="room")
    g.add("C", "air", Compliance.capacity(p("C_air")), on="room")
    g.add("C", "brick", Compliance.capacity(p("C_brick")), on="wall")
    g.add("Se", "weather", Source(p("T_out")), on="out")
    return g


HEAT = dict(Q=500.0, C_air=4e4, C_brick=3e6, R_inner=0.02, R_outer=0.05, T_out=270.0)


def test_thermal_network_has_the_matrix_of_heat_flows() -> None:
    """Temperature and heat flow: effort times flow is no power, and is not reported as one."""
    e = contract(thermal_wall(), HEAT)
    found = Numbers(e).at({"air.displacement": 4e4 * 293.0, "brick.displacement": 3e6 * 280.0})
    inner, outer = (293.0 - 280.0) / 0.02, (280.0 - 270.0) / 0.05
    assert found["rates"]["air.displacement"] == pytest.approx(500.0 - inner, rel=1e-12)
    assert found["rates"]["brick.displacement"] == pytest.approx(inner - outer, rel=1e-12)
    assert not [name for name, o in e.told.observables.items() if o.kind == "power"]
    assert e.told.observables["inner.product"].unit == "K*W"
    assert Numbers(e).largest_imbalance(found["seen"]) < 1e-14


def test_thermal_network_settles_at_the_temperatures_of_steady_conduction() -> None:
    model = runnable(contract(thermal_wall(), HEAT), {}, 5e6)
    y = end_outputs(model, "radau", rtol=1e-9, atol=1e-3)
    seen = dict(zip(model.equations.told.observables, y, strict=True))
    assert seen["brick.effort"] == pytest.approx(270.0 + 500.0 * 0.05, rel=1e-9)
    assert seen["air.effort"] == pytest.approx(270.0 + 500.0 * 0.07, rel=1e-9)


def test_readable_equations_of_the_mesh_are_exactly_those_of_the_textbook() -> None:
    ops = readable_ops(Space())
    values = SymbolicValues(Model(parameters=RLC), ops)
    e = equations(series_rlc(), ops, values, form="mixed")
    E, R, L, C = (values.look_up(n) for n in "ERLC")
    i, q, rate = e.u[0], e.x[0], e.a[0]
    assert e.residual[0] == L * rate - (E - R * i - q / C)
    assert e.f[0] == i
    assert all(
        not o.expression[0] for n, o in e.told.observables.items() if n.endswith(".residual")
    )


def add_winding(g: BondGraph, name: str, resistance: str) -> None:
    """Armature and torque constant of a motor between mains and axle."""
    coil = f"{name}.L"
    g.one(f"{name}.armature", domain="electrical")
    g.bond("mains", f"{name}.armature")
    g.add("R", f"{name}.R", Resistance(p(resistance)), on=f"{name}.armature")
    g.add("I", coil, Inertia(0.1), on=f"{name}.armature")
    constant = Gyrator(lambda ops, s: s["constant"] / (1 + s["soft"] * s.u[coil][0]))
    g.add("MGY", f"{name}.k", constant)
    g.bond(f"{name}.armature", f"{name}.k")
    g.bond(f"{name}.k", "axle")


def test_two_motors_drive_one_axle() -> None:
    """L i_k' = V - R_k i_k - k_k w with k_k = k/(1 + soft i_k);  J w' = Σ k_k i_k."""
    g = BondGraph("two motors")
    g.zero("mains", domain="electrical")
    g.add("Se", "V", Source(10.0), on="mains")
    g.one("axle", domain="rotation")
    g.add("I", "J", Inertia(0.5), on="axle")
    for k in (1, 2):
        add_winding(g, f"m{k}", f"R{k}")
    e = contract(g, dict(R1=2.0, R2=3.0, constant=0.7, soft=0.2))
    i, w = np.array([1.5, 0.5]), 4.0
    found = Numbers(e).at({"m1.L.flow": i[0], "m2.L.flow": i[1], "J.flow": w})
    torque = 0.7 / (1 + 0.2 * i)
    rates = (10.0 - np.array([2.0, 3.0]) * i - torque * w) / 0.1
    assert found["rates"]["m1.L.flow"] == pytest.approx(rates[0], rel=1e-14)
    assert found["rates"]["m2.L.flow"] == pytest.approx(rates[1], rel=1e-14)
    assert found["rates"]["J.flow"] == pytest.approx(torque @ i / 0.5, rel=1e-14)
    assert Numbers(e).largest_imbalance(found["seen"]) < 1e-14


def test_parts_of_a_field_on_two_bonds_are_coupled() -> None:
    """Two coils with mutual inductance as one I on two meshes: L i' = e, L a full matrix."""
    g = BondGraph("coils")
    inductance = np.array([[0.3, 0.1], [0.1, 0.2]])
    for k, name in enumerate(("one", "two")):
        g.one(name, domain="electrical")
        g.add("Se", f"E{k + 1}", Source(p(f"E{k + 1}")), on=name)
        g.add("R", f"R{k + 1}", Resistance(2.0 + k), on=name)
    g.add("I", "coils", Inertia(inductance), dim=2)
    g.bond("one", "coils")
    g.bond("two", "coils")
    found = Numbers(contract(g, dict(E1=3.0, E2=-1.0))).at({"coils.1": 0.4, "coils.2": 0.5})
    exact = np.linalg.solve(inductance, [3.0 - 2.0 * 0.4, -1.0 - 3.0 * 0.5])
    rates = [found["rates"]["coils.1"], found["rates"]["coils.2"]]
    assert rates == pytest.approx(list(exact), rel=1e-13)
