"""The power audit: closed bookkeeping of small systems, what it refuses, what mutants it sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.models.energetic import D, G, L, M, pendulum, slider_crank
from tests.models.running import run
from tests.unit.formulations.multibond_networks import contract, dc_motor, runnable, series_rlc

import pliant as pl
from pliant.analysis.power.audit import audited
from pliant.analysis.power.bond_series import BondSeries, bond_series, series_of
from pliant.analysis.power.ledger import EnergyLedger, Names, Quadrature
from pliant.bonds import BondGraph
from pliant.errors import InputError
from pliant.results.power_audit import PowerAudit
from pliant.solve import compute_outputs

TIGHT = dict(rtol=1e-10, every=0.005)
RLC = dict(E=5.0, R=3.0, L=0.2, C=0.01)
MOTOR = dict(V=24.0, Ra=1.1, La=0.02, k=0.35, Jr=0.004, b=0.01, n=5.0, Jl=0.6, T=2.0)
JUNCTIONS = 1e-10
"""Largest residual of a junction, relative to the largest power."""


def without_work(result: pl.Result) -> pl.Result:
    """As if the run had not integrated any power."""
    kept = {k: s for k, s in result.series.items() if s.kind not in ("work", "power")}
    return replace(result, series=kept)


def energy(audit: PowerAudit, element: str, kind: str) -> float:
    return next(e.energy for e in audit.entries if (e.element, e.kind) == (element, kind))


# --- quadrature


def test_quadrature_is_exact_for_polynomials_of_its_degree() -> None:
    """Degree 5 on times that are not equidistant."""
    t = np.sort(np.random.default_rng(1).uniform(0, 2, 23))
    t[[0, -1]] = 0, 2
    for k in range(6):
        assert Quadrature(t)(t**k)[0] == pytest.approx(2 ** (k + 1) / (k + 1), rel=1e-11)


def test_quadrature_has_order_six_and_does_not_underestimate_its_error() -> None:
    errors = []
    for n in (40, 80, 160):
        t = np.linspace(0, 3, n + 1)
        value, estimate = Quadrature(t)(np.exp(np.sin(2 * t)))
        fine = np.linspace(0, 3, 20001)
        errors.append(abs(value - Quadrature(fine)(np.exp(np.sin(2 * fine)))[0]))
        assert errors[-1] <= estimate
    assert np.all(np.log2(np.array(errors[:-1]) / errors[1:]) > 5.5)


# --- mechanics


def test_a_falling_pendulum_gives_its_height_to_damper_and_speed() -> None:
    """-ΔV = dissipated + T with V = m g l/2 (1 - cos), T = m l² w²/6, by hand."""
    result = pendulum().simulate(1.2, **TIGHT).require()
    audit = result.power_audit()
    angle, rate = result.values("pin.angle"), result.values("pin.angle_rate")
    assert audit.lifted == pytest.approx(-M * G * L / 2 * np.sin(angle[-1]), rel=1e-12)
    kinetic = M * L**2 * rate[-1] ** 2 / 6
    assert energy(audit, "arm", "kinetic") == pytest.approx(kinetic, rel=1e-9)
    lost, error = Quadrature(result.time)(D * rate**2)
    assert energy(audit, "damper", "dissipated") == pytest.approx(lost, abs=2 * error + 1e-9)
    assert abs(audit.residual) <= 1e-8 * audit.turnover
    assert audit.supplied == 0.0
    assert audit.junction_residual <= JUNCTIONS
    assert audit.agreement <= 1e-12


def test_without_recorded_work_the_balance_has_the_order_of_the_quadrature() -> None:
    """Samples twice as close leave 2^-6 of the residual, within the estimate."""
    residuals = []
    for every in (0.08, 0.04, 0.02):
        audit = without_work(pendulum().simulate(1.2, rtol=1e-12, every=every)).power_audit()
        assert np.isnan(audit.agreement)
        assert abs(audit.residual) <= audit.error
        residuals.append(abs(audit.residual))
    assert np.all(np.log2(np.array(residuals[:-1]) / residuals[1:]) > 5)


def test_an_interval_of_the_run_has_its_own_balance() -> None:
    result = pendulum().simulate(1.2, **TIGHT)
    whole, first, second = (result.power_audit(*i) for i in ((), (None, 0.5), (0.5, 1.2)))
    assert (first.start, first.end, second.samples) == (0.0, 0.5, 141)
    assert first.dissipated + second.dissipated == pytest.approx(whole.dissipated, rel=1e-12)
    assert abs(first.residual) + abs(second.residual) <= 1e-8 * whole.turnover


@pytest.mark.parametrize(
    "choice",
    [{}, {"formulation": "linear-graph", "form": "embedding"}, {"formulation": "multibond"},
     {"tree": "absolute"}],
)  # fmt: skip
def test_a_driver_supplies_what_the_mechanism_gains(choice: dict[str, Any]) -> None:
    """In a plane without gravity all work of the driver is kinetic energy, in any formulation."""
    spin = pl.JointDriver("spin", "O", motion="0.8 + 3*t + 4*t**2")
    result = slider_crank(drivers=[spin]).simulate(1.0, rtol=1e-9, **choice).require()
    audit = result.power_audit()
    gained = np.diff(result.values("kinetic_energy")[[0, -1]])[0]
    assert energy(audit, "spin", "supplied") == pytest.approx(gained, rel=1e-7)
    assert audit.stored == pytest.approx(gained, rel=1e-12)
    assert abs(audit.residual) <= 1e-7 * audit.turnover
    assert audit.junction_residual <= JUNCTIONS


def test_a_constraintor_takes_no_power() -> None:
    """Joint B closes the loop: the power of its CN is rounding at every sample."""
    motor = pl.Actuator("motor", "O", effort=3)
    system = slider_crank(forces=[motor])
    result = system.simulate(0.5, rtol=1e-8)
    series = bond_series(system, result, slice(None))
    constraintors = [n.name for n in series.graph.nodes.values() if n.kind == "CN"]
    assert constraintors
    largest = max(np.abs(series.power(b)).max() for b in range(len(series.graph.bonds)))
    for name in constraintors:
        assert np.abs(series.into(name)).max() <= JUNCTIONS * largest
    audit = system.power_audit(result)
    assert abs(audit.total("held")) <= JUNCTIONS * audit.turnover
    assert audit.supplied == pytest.approx(audit.stored, rel=1e-6)


def test_a_spring_stores_and_damps_and_friction_dissipates() -> None:
    """A mass on a spring 1/2 k x² with damping, and friction of its own."""
    system = pl.System(
        bodies=[pl.RigidBody("mass", mass=1.5, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("S", "ground", "mass", axis="x", initial={"displacement": 0.3})],
        forces=[
            pl.JointSpring("spring", "S", stiffness=40, damping=0.2),
            pl.JointFriction("friction", "S", viscous=0.5),
        ],
    )
    result = system.simulate(1.7, **TIGHT)
    audit = result.power_audit()
    x, v = result.values("S.displacement"), result.values("S.displacement_rate")
    assert energy(audit, "spring", "potential") == pytest.approx(20 * (x[-1] ** 2 - 0.09), rel=1e-9)
    for name, c in (("spring", 0.2), ("friction", 0.5)):
        lost, error = Quadrature(result.time)(c * v**2)
        assert energy(audit, name, "dissipated") == pytest.approx(lost, abs=2 * error + 1e-9)
    assert abs(audit.residual) <= 1e-8 * audit.turnover


# --- bond graphs without a model


def series_along(graph: BondGraph, numbers: dict[str, float], t_end: float, n: int) -> BondSeries:
    """Efforts and flows of a pure graph along its motion from rest."""
    e = contract(graph, numbers)
    model = runnable(e, {}, t_end)
    dynamics, chunks = run(model, "dop853", rtol=1e-11, atol=1e-14)
    times, rows = np.linspace(0, t_end, n), []
    for t in times:
        chunk = next(c for c in chunks if t <= c.t1)
        x = dynamics.completed_states(chunk.evaluate(np.array([t])), chunk.p)
        rows.append(compute_outputs(model.compiled, x, chunk.p)[0])
    table, observed = np.array(rows), model.compiled.observed
    values = {name: table[:, o.start : o.start + o.size] for name, o in observed.items()}
    return series_of(graph, times, values)


def audit_of(series: BondSeries) -> PowerAudit:
    return audited(EnergyLedger(series, Names(), {}, Quadrature(series.time)))


def test_a_series_rlc_keeps_its_books() -> None:
    """From rest to (nearly) rest at the voltage E: the source gives C E², half of it is stored and
    half lost, whatever R is."""
    audit = audit_of(series_along(series_rlc(), RLC, 4.0, 801))
    half = 0.5 * RLC["C"] * RLC["E"] ** 2
    left = np.exp(-2 * RLC["R"] / (2 * RLC["L"]) * 4.0)
    assert energy(audit, "E", "supplied") == pytest.approx(2 * half, rel=1e-6)
    assert energy(audit, "R", "dissipated") == pytest.approx(half, rel=1e-6)
    assert energy(audit, "C", "potential") == pytest.approx(half, rel=1e-6)
    assert energy(audit, "L", "kinetic") <= left * half
    assert abs(audit.residual) <= max(audit.error, 1e-9 * half)
    assert audit.junction_residual <= JUNCTIONS


def test_a_motor_turns_electrical_into_mechanical_energy() -> None:
    """Through the gyrator goes what armature and source do not keep."""
    audit = audit_of(series_along(dc_motor(), MOTOR, 1.0, 401))
    (gyrator,) = audit.exchanges
    assert (gyrator.element, gyrator.source, gyrator.target) == ("torque", "electrical", "rotation")
    kept = energy(audit, "Ra", "dissipated") + energy(audit, "La", "kinetic")
    assert gyrator.energy == pytest.approx(energy(audit, "V", "supplied") - kept, rel=1e-6)
    assert abs(audit.residual) <= max(audit.error, 1e-8 * audit.turnover)
    assert audit.junction_residual <= JUNCTIONS


# --- what is asked wrongly


@pytest.mark.parametrize(
    ("interval", "message"),
    [((-1.0, None), "start = -1 s is outside of the run; it goes from 0 to 0.5 s"),
     ((None, 0.6), "end = 0.6 s is outside of the run"),
     ((0.3, 0.2), "no two samples from 0.3 to 0.2 s"),
     ((0.2, 0.2), "no two samples")],
)  # fmt: skip
def test_an_interval_outside_of_the_run_is_refused(interval: Any, message: str) -> None:
    result = pendulum().simulate(0.5, every=0.1)
    with pytest.raises(InputError, match=message):
        result.power_audit(*interval)


def test_results_without_motion_are_refused() -> None:
    system = pendulum()
    with pytest.raises(InputError, match=r"simulate with outputs=\['\*'\]"):
        replace(system.simulate(0.5, outputs=["pin.angle"]), recorded=None).power_audit()
    with pytest.raises(InputError, match="nothing moves in statics"):
        system.power_audit(system.statics())
    result = system.simulate(0.5)
    with pytest.raises(InputError, match=r"1 sample\(s\)"):
        result.sample(0).power_audit()
    with pytest.raises(InputError, match="does not say of which model"):
        replace(result, model="").power_audit()


def test_a_run_that_stopped_is_audited_as_far_as_it_came() -> None:
    """The actuator's law has no value once the pin passes 0.5 rad."""
    motor = pl.Actuator("motor", "pin", effort="sqrt(0.5 - pin.angle)")
    result = pendulum(forces=[motor]).simulate(2.0, every=0.01)
    assert result.failure
    audit = result.power_audit()
    assert audit.end == result.time[-1] < 2.0
    assert np.isfinite(audit.residual)
    assert "the run stopped early" in str(audit)
    with pytest.raises(InputError, match="outside of the run \\(it stopped early"):
        result.power_audit(end=2.0)


def test_a_saved_result_can_be_audited(tmp_path: Any) -> None:
    result = pendulum().simulate(0.5)
    result.save(tmp_path / "r.nc")
    again = pl.Result.load(tmp_path / "r.nc").power_audit()
    assert again.as_dict() == result.power_audit().as_dict()


# --- how it is shown


def test_it_prints_and_draws(tmp_path: Any) -> None:
    audit = pendulum().simulate(0.5).power_audit()
    text = str(audit)
    for words in ("done against gravity", "damper", "balance:", "junctions:"):
        assert words in text
    audit.plot(tmp_path / "energy.png")
    assert (tmp_path / "energy.png").stat().st_size > 5000
    assert audit.as_dict()["dissipated"] == audit.dissipated


def test_bonds_are_observables_only_if_asked_for() -> None:
    system = pendulum()
    plain = system.simulate(0.1, formulation="multibond")
    assert "arm.m.effort" not in plain
    some = system.simulate(
        0.1,
        formulation="multibond",
        outputs=["arm.m.effort", "bonds.pin.*.power", "arm.Pc.residual"],
    )
    assert {"arm.m.effort", "arm.Pc.residual", "pin.Aw.1.power"} <= set(some.series)
    assert "arm.m.flow" not in some


def test_stiff_springs_in_place_of_a_joint_store_and_dissipate() -> None:
    system = pl.System.loads(SPRUNG)
    result = system.simulate(rtol=1e-9)
    audit = system.power_audit(result)
    stored = np.diff(result.values("pin.energy")[[0, -1]])[0]
    assert energy(audit, "pin", "potential") == pytest.approx(stored, rel=1e-9)
    assert energy(audit, "pin", "dissipated") > 0
    assert abs(audit.residual) <= 1e-7 * audit.turnover
    assert audit.junction_residual <= JUNCTIONS


SPRUNG = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {arm: {box: {size: [0.5, 0.1, 0.1], mass: 2}, frames: {end: [0.25, 0, 0]}}}
joints:
  pin:
    revolute: {axis: y}
    between: [ground, arm.end]
    springs: {stiffness: 1e5, damping: 50, rotational_stiffness: 1e3, rotational_damping: 1}
forces: {damper: {joint_spring: {damping: 0.2}, joint: pin}}
simulate: {t_end: 0.3}
"""


def test_a_beam_cut_into_elements_is_one_element() -> None:
    """Nodes and elements of a large-rotation beam add up."""
    audit = pl.System.loads(SOFT).simulate(rtol=1e-9).power_audit()
    assert {e.element for e in audit.entries if e.kind != "held"} == {"rod"}
    assert abs(audit.residual) <= 1e-8 * audit.turnover
    assert audit.junction_residual <= JUNCTIONS


SOFT = """
pliant: 1
gravity: [0, 0, -9.81]
materials: {rubber: {E: 5 MPa, nu: 0.3, density: 1100}}
bodies:
  rod:
    beam: {length: 1 m, section: {circle: {radius: 10 mm}}, material: rubber}
    theory: {exact: {elements: 2}}
joints: {pin: {revolute: {axis: y}, between: [ground, rod.root]}}
simulate: {t_end: 0.02 s}
"""


def test_the_error_of_a_recorded_work_is_not_called_none() -> None:
    """Turned at 10 rad/s and sampled once a second: the work is resolved by the run, not by the
    samples, and what is missing lies within the error that is stated."""
    system = pl.System.loads("""
pliant: 1
gravity: [0, -9.81, 0]
bodies: {a: {rod: {length: 1, mass: 1}}}
joints: {O: {revolute: {axis: z}, between: [ground, a]}}
drivers: {d: {joint: O, angle: "10*t"}}
simulate: {t_end: 10, every: 1}
""")
    audit = system.simulate().power_audit()
    assert abs(audit.residual) <= audit.error < 1e-3
