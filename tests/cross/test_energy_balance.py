"""The energy balance that every transient run carries: closed forms, and when it warns or stops."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.power.ledger import Quadrature
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.backends.tree import run as large
from pliant.errors import InputError
from pliant.formulations.registry import FORMULATIONS
from pliant.solve import INTEGRATORS, dense_dynamics, integrate

EXAMPLES = Path(__file__).parents[2] / "examples"
PENDULUM = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {b: {rod: {length: 1, mass: 3}}}
joints: {O: {revolute: {axis: y}, between: [ground, b], initial: {angle: 1}}}
forces: {d: {joint_spring: {stiffness: 2, damping: 0.4}, joint: O},
         m: {actuator: 3*sin(2.3*t), joint: O}}
simulate: {t_end: 4}
"""
DRIVEN = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {b: {rod: {length: 1, mass: 3}}}
joints: {O: {revolute: {axis: y}, between: [ground, b]}}
drivers: {d: {joint: O, angle: 2*t**2}}
simulate: {t_end: 1}
"""
"""Angle 2 t²: at the end 2 rad and 4 rad/s. I = m l²/3 = 1, lever arm 0.5."""
DAMPED = """
pliant: 1
bodies: {b: {point: 2}}
joints: {k: {prismatic: {axis: x}, between: [ground, b], initial: {displacement_rate: 3}}}
forces: {c: {joint_spring: {stiffness: 0, damping: 4}, joint: k}}
simulate: {t_end: 1}
"""
"""v = 3 exp(-2 t)."""
CIRCUIT = """
pliant: 1
networks:
  n:
    domain: electrical
    elements: {mesh: {junction: 1}, u: {Se: 12, on: mesh}, r: {R: 3, on: mesh},
               l: {I: 0.5, on: mesh}}
simulate: {t_end: 0.5}
"""
"""i = 4 (1 - exp(-6 t))."""
STIFF = """
pliant: 1
bodies: {{b: {{point: 1}}}}
joints: {{k: {{prismatic: {{axis: x}}, between: [ground, b], initial: {{displacement: 1.0001,
  displacement_rate: 0}}}}}}
forces: {{s: {{spring: {{stiffness: 1e12, free_length: 1}}, between: [ground, b]}}}}
simulate: {{t_end: {t}, rtol: 1e-6}}
"""
METHODS = {"dop853": 1e-8, "radau": 1e-7, "generalized-alpha": 2e-3, "hht": 2e-3, "newmark": 2e-3}
"""With the part of the energy that may be missing: the tolerance 1e-9 of the adaptive ones (Radau's
own quadrature has order 5), (ω h)² of the others with h = 5 ms and ω up to 6 rad/s."""


def run(text: str, **how: object) -> pl.Result:
    return pl.loads(text).simulate(**how)  # type: ignore[arg-type]


def with_method(method: str) -> dict[str, object]:
    how = {"rtol": 1e-9} if INTEGRATORS[method].adaptive else {"step": 5e-3}
    return {"method": method, **how}


@pytest.mark.parametrize("method", METHODS)
def test_a_driver_gives_what_the_motion_takes(method: str) -> None:
    """½ I ω² + m g Δh, and nothing is dissipated."""
    balance = run(DRIVEN, **with_method(method)).info["energy"]
    lifted = 3 * 9.81 * 0.5 * (-np.sin(2.0))  # turning about y takes x down
    exact = 0.5 * 1 * 4**2 + lifted
    size = balance.exchanged
    assert balance.supplied == pytest.approx(exact, abs=METHODS[method] * size)
    assert balance.stored == pytest.approx(exact, abs=METHODS[method] * size)
    assert balance.dissipated == 0.0
    assert abs(balance.unaccounted) <= METHODS[method] * size


@pytest.mark.parametrize("method", METHODS)
def test_a_damper_takes_the_kinetic_energy(method: str) -> None:
    balance = run(DAMPED, **with_method(method)).info["energy"]
    exact = 0.5 * 2 * 9 * (1 - np.exp(-4.0))
    assert balance.dissipated == pytest.approx(exact, rel=METHODS[method])
    assert balance.stored == pytest.approx(-exact, rel=METHODS[method])
    assert balance.supplied == 0.0


@pytest.mark.parametrize("formulation", [n for n in FORMULATIONS if n != "natural"])
def test_a_circuit_has_its_balance_without_bodies(formulation: str) -> None:
    """In: ∫ 12 i dt; dissipated: ∫ 3 i² dt; stored: ½ L i²; with i = 4 (1 - e), e = exp(-6 t)."""
    balance = run(CIRCUIT, rtol=1e-9, formulation=formulation).info["energy"]
    e = np.exp(-3.0)
    given = 48 * (0.5 - (1 - e) / 6)
    assert balance.supplied == pytest.approx(given, rel=1e-8)
    assert balance.stored == pytest.approx(0.5 * 0.5 * (4 * (1 - e)) ** 2, rel=1e-8)
    assert balance.dissipated == pytest.approx(given - balance.stored, rel=1e-8)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", ["crank_rocker", "planar_slider_crank", "skate"])
def test_the_balance_holds_in_every_formulation(name: str, formulation: str) -> None:
    system = pl.load(EXAMPLES / f"{name}.yaml")
    t_end = 0.05 if name == "crank_rocker" else 0.5
    balance = system.simulate(t_end=t_end, rtol=1e-8, formulation=formulation).info["energy"]
    assert balance.exchanged > 0
    assert balance.holds


@pytest.mark.parametrize("treatment", ["projection", "elimination", "complement", "partitioning",
                                       "augmented", "penalty", "baumgarte"])  # fmt: skip
def test_the_balance_knows_the_work_of_treatments(treatment: str) -> None:
    """Exact treatments do no work; what penalties and Baumgarte's terms do is missing."""
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    mass = {"params": {}}
    if treatment == "elimination":
        system = pl.loads(DRIVEN)
    balance = system.simulate(t_end=0.5, rtol=1e-8, constraints=treatment, **mass).info["energy"]
    assert balance.worst <= (1e-3 if treatment in ("penalty", "baumgarte") else 1e-6) * (
        balance.exchanged
    )


@pytest.mark.parametrize("rtol", [1e-9, 1e-6, 1e-3])
def test_a_sound_run_is_quiet(rtol: float) -> None:
    result = run(PENDULUM, rtol=rtol)
    assert result.info["energy"].holds
    assert not result.warnings


@pytest.mark.parametrize(("t_end", "said"), [(0.01, False), (0.3, True)])
def test_stiffness_beyond_the_tolerance_is_said(t_end: float, said: bool) -> None:
    """48 000 cycles of an undamped spring lose a little in every step, always the same way. What is
    unaccounted for is what ½ m v² + ½ k (x - 1)² has lost, of 5000 J."""
    result = run(STIFF.format(t=t_end), every=t_end / 10)
    x, v = (result.values(f"k.{name}") for name in ("displacement", "displacement_rate"))
    energy = 0.5 * v**2 + 0.5e12 * (x - 1) ** 2
    balance = result.info["energy"]
    assert energy[0] == pytest.approx(5000, rel=1e-10)
    assert balance.unaccounted == pytest.approx(energy[-1] - energy[0], abs=5000e-11)
    assert any("are unaccounted for" in w for w in result.warnings) == said
    assert (balance.worst > balance.limit * balance.exchanged) == said


def test_a_long_run_by_steps_that_look_stiff_costs_no_more_with_auto() -> None:
    """Stability limits every step, and Radau is no better: the explicit steps are given out as they
    come, a chunk at a time, and not kept until the end."""
    system = pl.loads(STIFF.format(t=0.02))
    ready = prepare(system)
    state = initial_state(system, ready, None, 0.0)
    dynamics = dense_dynamics(ready.compiled, p=state.p)
    chunks = [c.n_steps for c in integrate(dynamics, state.x, 0.02, chunk=256, rtol=1e-6)]
    assert sum(chunks) > 20_000
    assert max(chunks) <= 2 * 256


SPRINGS = {
    "joint spring": "{joint_spring: {stiffness: 40, damping: 0.3}, joint: k}",
    "spring": "{spring: {stiffness: 40, damping: 0.3, free_length: 1}, between: [ground, b]}",
    "bushing": "{bushing: {stiffness: {translational: [40, 1, 1]}, "
    "damping: {translational: [0.3, 0, 0]}}, between: [ground, b]}",
}
SPRUNG = """
pliant: 1
bodies: {b: {point: 2}}
joints: {k: {prismatic: {axis: x}, between: [ground, b], initial: {displacement: 1.5}}}
"""


@pytest.mark.parametrize("kind", SPRINGS)
def test_the_heat_of_a_spring_is_that_of_its_damper(kind: str) -> None:
    """∫ d v² dt, by quadrature over the samples; run, audit and observable say the same."""
    result = run(SPRUNG + f"forces: {{s: {SPRINGS[kind]}}}", t_end=2, every=0.005, rtol=1e-10)
    v = result.values("k.displacement_rate")
    heat, error = Quadrature(result.time)(0.3 * v**2)
    balance, audit = result.info["energy"], result.power_audit()
    assert error < 1e-6 * heat
    for found in (balance.dissipated, audit.dissipated, -result.values("s.damping.work")[-1]):
        assert found == pytest.approx(heat, abs=2 * error)
    assert result.values("s.damping.power") == pytest.approx(-0.3 * v**2, abs=1e-12)
    assert abs(balance.unaccounted) < 1e-8 * balance.exchanged


@pytest.mark.parametrize("kind", ["joint spring", "spring"])
def test_a_spring_whose_force_is_not_that_of_its_potential_is_found(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A planted fault: a force of 1.01 times that of the energy. From rest to where the speed is
    largest 1 % of the spring's energy comes from nowhere, and neither book takes it as heat."""
    act = {"joint spring": pl.JointSpring, "spring": pl.Spring}[kind].act

    def faulty(self: Any, motion: Any) -> Any:
        found = act(self, motion)
        loads = tuple(replace(o, force=1.01 * o.force) for o in found.loads)
        efforts = tuple(replace(o, value=1.01 * o.value) for o in found.efforts)
        return replace(found, loads=loads, efforts=efforts)

    monkeypatch.setattr({"joint spring": pl.JointSpring, "spring": pl.Spring}[kind], "act", faulty)
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))
    text = SPRUNG + f"forces: {{s: {SPRINGS[kind].replace(', damping: 0.3', '')}}}"
    result = run(text, t_end=0.35, every=0.005, rtol=1e-9)
    given = 0.01 * -np.diff(result.values("s.energy")[[0, -1]])[0]
    balance, audit = result.info["energy"], result.power_audit()
    assert given > 1e-3
    assert balance.unaccounted == pytest.approx(given, rel=1e-5)
    assert audit.residual == pytest.approx(-given, rel=1e-5)
    assert (balance.dissipated, audit.dissipated) == (0, 0)
    assert any("unaccounted" in w for w in result.warnings)


def test_a_balance_that_is_lost_ends_the_run() -> None:
    """Newmark with gamma < 1/2 feeds energy into an oscillation: unstable."""
    system = pl.loads(STIFF.format(t=0.01))
    result = system.simulate(method="newmark", step=2e-6, options={"gamma": 0.4, "beta": 0.1})
    assert "the energy balance is lost" in result.failure
    assert result.info["failure_code"] == "energy"
    assert 0 < result.time[-1] < 0.01
    assert len(result) > 1


def test_tolerances_that_mean_nothing_are_refused() -> None:
    for how in ({"rtol": 10.0}, {"rtol": 0.11}):
        with pytest.raises(InputError, match="rtol"):
            run(PENDULUM, **how)
    with pytest.raises(InputError, match=r"rtol: 0\.5 allows errors as large as the motion"):
        run(PENDULUM.replace("t_end: 4", "t_end: 4, rtol: 0.5"))
    with pytest.raises(InputError, match="rtol"):
        run(PENDULUM, rtol=0.2, method="sparse-alpha")
    assert any("coarse" in w for w in run(PENDULUM, rtol=0.02, t_end=0.1).warnings)


def test_the_balance_is_kept_in_files(tmp_path: Path) -> None:
    result = run(PENDULUM, t_end=0.5)
    result.save(tmp_path / "r.nc")
    again = pl.Result.load(tmp_path / "r.nc")
    assert again.info["energy"] == result.info["energy"]
    assert str(result.info["energy"]).startswith("in ")
    assert set(asdict(result.info["energy"])) >= {"supplied", "dissipated", "stored", "unaccounted"}


def swinging_chain(n: int = 12, **spring: float) -> pl.System:
    """Rods on hinges that fall from the side; with damping also friction, a motor and a law."""
    rods = [pl.RigidBody.rod(f"b{k}", 0.3, mass=0.5, frames={"end": [0.3, 0, 0]}) for k in range(n)]
    joints = [pl.Revolute(f"j{k}", f"b{k - 1}.end" if k else "ground", f"b{k}", axis="y")
              for k in range(n)]  # fmt: skip
    forces: list[Any] = [pl.JointSpring(f"s{k}", f"j{k}", **spring) for k in range(n)]
    if "damping" in spring:
        forces += [pl.JointFriction("rub", "j3", coulomb=0.2, speed=0.5, viscous=0.05),
                   pl.Actuator("motor", "j0", effort="3*sin(4*t)"),
                   pl.JointSpring("law", "j5", effort="-2*x - 0.1*v**3")]  # fmt: skip
    return pl.System(gravity=[0, 0, -9.81], bodies=rods, joints=joints, forces=forces)


@pytest.mark.parametrize("method", METHODS)
def test_a_tree_kernel_keeps_the_book_of_expressions(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same integrals over the same steps, by another formulation."""
    system, how = swinging_chain(stiffness=2.0, damping=0.05), with_method(method)
    tree = system.simulate(0.5, **how)
    monkeypatch.setattr(large, "THRESHOLD", 1000)
    plain = system.simulate(0.5, formulation="kane", **how)
    assert tree.info["kernel"] == "tree"
    assert "kernel" not in plain.info
    for name, value in asdict(plain.info["energy"]).items():
        size = plain.info["energy"].exchanged if name != "limit" else 1.0
        allowed = 1e-9 if "rtol" in how else 1e-7
        assert getattr(tree.info["energy"], name) == pytest.approx(value, abs=allowed * size)
    assert tree.info["energy"].dissipated > 0.1
    assert abs(tree.info["energy"].supplied) > 0.1
    assert tree.info["energy"].holds
    assert not any("energy" in w for w in tree.warnings)


def test_a_tree_that_loses_nothing_says_so() -> None:
    """E is constant to the tolerance, and what it changes is said to be stored."""
    result = swinging_chain(stiffness=2.0).simulate(1.0, rtol=1e-9)
    balance, energy = result.info["energy"], result.values("energy")
    assert result.info["kernel"] == "tree"
    assert (balance.supplied, balance.dissipated) == (0.0, 0.0)
    assert balance.stored == pytest.approx(energy[-1] - energy[0], abs=1e-12 * balance.exchanged)
    assert abs(balance.unaccounted) < 1e-7 * balance.exchanged


def test_a_law_of_a_tree_that_is_not_that_of_its_potential_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A planted fault in the compiled laws: an effort of 1.01 times that of the energy."""
    act = pl.JointSpring.act

    def faulty(self: Any, motion: Any) -> Any:
        found = act(self, motion)
        return replace(found, efforts=tuple(replace(o, value=1.01 * o.value)
                                            for o in found.efforts))  # fmt: skip

    monkeypatch.setattr(pl.JointSpring, "act", faulty)
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))
    result = swinging_chain(stiffness=2.0).simulate(0.3, rtol=1e-9)
    stored = sum(result.values(f"s{k}.energy") for k in range(12))
    taken = 0.01 * (stored[-1] - stored[0])
    balance = result.info["energy"]
    assert taken > 1e-3
    assert balance.unaccounted == pytest.approx(-taken, rel=1e-5)
    assert any("unaccounted" in w for w in result.warnings)


def test_a_tree_whose_balance_is_lost_ends() -> None:
    """Newmark with gamma < 1/2 feeds energy into stiff springs."""
    result = swinging_chain(stiffness=2e4).simulate(
        2.0, method="newmark", step=2e-3, options={"gamma": 0.4, "beta": 0.1}
    )
    assert "the energy balance is lost" in result.failure
    assert result.info["failure_code"] == "energy"
    assert 0 < result.time[-1] < 2.0
    assert len(result) > 1


@pytest.mark.parametrize("how", [{"method": "sparse-alpha"}, {"method": "sparse-conserving"}])
def test_blocks_keep_the_book_of_expressions(how: dict[str, str]) -> None:
    """Motor, dampers, friction, a law: to the second order of the steps, a quarter at half of
    them. Motion and quadrature err by (ω h)²: some 1e-4 with ω up to 10 rad/s."""
    system = swinging_chain(stiffness=2.0, damping=0.05)
    exact = system.simulate(0.5, rtol=1e-9).info["energy"]
    gaps = []
    for step in (2e-3, 1e-3):
        result = system.simulate(0.5, every=0.1, step=step, **how)
        balance = result.info["energy"]
        assert balance.holds
        assert not any("energy" in w for w in result.warnings)
        gaps.append([abs(getattr(balance, name) - getattr(exact, name)) for name in
                     ("supplied", "dissipated", "stored")])  # fmt: skip
    assert max(gaps[1]) < 1e-4 * exact.exchanged
    assert sum(gaps[1]) < 0.35 * sum(gaps[0])


def test_a_driver_of_blocks_gives_what_the_motion_takes() -> None:
    """½ I ω² + m g Δh through a multiplier."""
    balance = run(DRIVEN, method="sparse-alpha", step=1e-3).info["energy"]
    exact = 0.5 * 1 * 4**2 + 3 * 9.81 * 0.5 * (-np.sin(2.0))
    assert balance.supplied == pytest.approx(exact, abs=1e-4 * balance.exchanged)
    assert balance.dissipated == 0.0


@pytest.mark.parametrize("theory", ["exact", "large-rotation"])
def test_the_damping_of_a_beam_in_blocks_is_in_the_book(theory: str) -> None:
    """A cantilever let go: what its energy lost is what its damping took."""
    beam = pl.Beam("rod", 1.0, theory={theory: {"elements": 3}}, mass_per_length=1.0,
                   stiffness={"EA": 1e3, "EIy": 5, "EIz": 5, "GJ": 5, "GAy": 1e3, "GAz": 1e3},
                   rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, damping={"stiffness": 0.02})  # fmt: skip
    system = pl.System(gravity=[0, 0, -9.81], bodies=[beam],
                       joints=[pl.Fixed("weld", "ground", "rod.root")])  # fmt: skip
    result = system.simulate(0.3, every=0.05, method="sparse-alpha", step=1e-3)
    balance, energy = result.info["energy"], result.values("energy")
    assert balance.dissipated > 0.01 * balance.exchanged
    assert balance.stored == pytest.approx(energy[-1] - energy[0], abs=1e-9 * balance.exchanged)
    assert abs(balance.unaccounted) < 1e-3 * balance.dissipated


def test_a_wrong_law_in_blocks_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A force of 1.1 times that of the energy: a tenth of it comes from nowhere."""
    act = pl.JointSpring.act

    def faulty(self: Any, motion: Any) -> Any:
        found = act(self, motion)
        efforts = tuple(replace(o, value=1.1 * o.value) for o in found.efforts)
        return replace(found, efforts=efforts)

    monkeypatch.setattr(pl.JointSpring, "act", faulty)
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))
    text = SPRUNG + "forces: {s: {joint_spring: {stiffness: 40}, joint: k}}"
    result = run(text, t_end=0.35, every=0.05, method="sparse-alpha", step=1e-3)
    given = 0.1 * -np.diff(result.values("s.energy")[[0, -1]])[0]
    assert result.info["energy"].unaccounted == pytest.approx(given, rel=1e-3)
    assert any("unaccounted" in w for w in result.warnings)


def test_a_network_that_only_exchanges_its_own_energy_is_sound() -> None:
    """A coil and a capacitor swing: nothing comes in or is lost, and 1 J goes to and fro. What is
    missing of it belongs to the tolerance, as in a pendulum; long steps that damp show."""
    text = """
pliant: 1
networks:
  n:
    domain: electrical
    elements: {j: {junction: 1}, L: {I: 0.5, on: j, initial: 2}, C: {C: 0.1, on: j}}
simulate: {t_end: 10}
"""
    for rtol in (1e-4, 1e-8):
        result = pl.loads(text).simulate(rtol=rtol)
        assert not result.warnings
        assert result.info["energy"].exchanged == pytest.approx(1, rel=1e-2)
    rough = pl.loads(text).simulate(method="generalized-alpha", step=0.1)
    assert any("unaccounted" in w for w in rough.warnings)
