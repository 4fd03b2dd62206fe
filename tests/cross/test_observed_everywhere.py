"""Formulas, work and turns are observed whatever a run is computed by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cross.test_events_everywhere import by_expressions, chain

import pliant as pl

OUTPUTS = {
    "reach": "b11.end.position.z / stiff", "twice": "2*b11.end.position.z + t",
    "held": "j0.force.z", "own": "b3.own_velocity.x", "along": "b3.end.own_angular_velocity.y",
    "gained": "energy - kinetic_energy", "constant": "3*stiff",
}  # fmt: skip
SPEEDS = {"first": "j0.angle_rate", "both": "j0.angle_rate + j1.angle_rate"}
BLOCKS = {"method": "sparse-alpha"}


def test_formulas_of_a_model_are_observed_by_every_back_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At the start they are functions of one state; a tree follows the motion as expressions do."""
    speeds = {**SPEEDS, **{f"w{k}": f"j{k}.angle_rate" for k in range(2, 12)}}
    system = chain([], outputs=OUTPUTS, speeds=speeds)
    how = {"t_end": 0.2, "every": 0.1, "rtol": 1e-9}
    plain, tree = by_expressions(system, monkeypatch, **how), system.simulate(**how)
    blocks = system.simulate(0.2, every=0.1, step=0.05, **BLOCKS)
    assert tree.info["kernel"] == "tree"
    for name in (*OUTPUTS, *SPEEDS):
        assert tree.values(name) == pytest.approx(plain.values(name), rel=1e-6, abs=1e-7)
        assert blocks.values(name)[0] == pytest.approx(plain.values(name)[0], rel=1e-6, abs=1e-6)
        assert tree.unit(name) == blocks.unit(name) == plain.unit(name)
    tree.save(tmp_path / "tree.nc")
    short = system.simulate(**how, outputs=["j0.angle"])
    for again in (short, pl.Result.load(tmp_path / "tree.nc")):
        assert again.values("twice") == pytest.approx(tree.values("twice"), rel=1e-12)


def test_a_formula_that_reads_another_beam_of_segments() -> None:
    """Outputs read the names of the user, whose beams the kernel has as segments."""
    system = pl.loads("""
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  beam:
    beam: {length: 1, stiffness: {EA: 4e4, EIy: 30, EIz: 20, GJ: 15}, mass_per_length: 0.8}
    theory: {segments: {count: 12, directions: [bending_y]}}
joints:
  pin: {revolute: {axis: y}, between: [ground, beam.root]}
outputs:
  low: 2*beam.tip.position.z
""")
    result = system.simulate(0.1, every=0.05)
    assert result.info["kernel"] == "tree"
    assert result.values("low") == pytest.approx(2 * result.values("beam.tip.position.z"))


@pytest.mark.parametrize("how", [{}, {"step": 0.01, **BLOCKS}, {"rtol": 1e-6, **BLOCKS}])
@pytest.mark.parametrize("stop", [False, True])
def test_work_of_a_force_is_its_integral(how: dict[str, float], stop: bool) -> None:
    """F = 2 N on 1 kg: x = t², the power 4 t, the work 2 t². A stop at x = 0.5 lies in a step."""
    events = [pl.Event("there", "ball.position.x - 0.5", stop=True)] if stop else []
    system = pl.System(
        bodies=[pl.RigidBody("ball", 1.0, inertia=[0.1, 0.1, 0.1])], events=events,
        forces=[pl.Force("push", "ball", force=[2, 0, 0])],
    )  # fmt: skip
    result = system.simulate(1.0, every=0.25, outputs=["push.work", "ball.position"], **how)
    assert result.time[-1] == pytest.approx(np.sqrt(0.5) if stop else 1.0, abs=1e-6)
    assert result.values("push.work") == pytest.approx(2 * result.time**2, abs=1e-6)
    assert result.unit("push.work") == "J"


def test_work_on_blocks_is_that_of_expressions() -> None:
    """A damped spring, a driver and a joint: to the error (w h)²/12 of the steps."""
    rod = pl.RigidBody.rod("rod", 1.0, mass=1.0, frames={"end": [1, 0, 0]})
    bob = pl.RigidBody("bob", 0.5, inertia=[0.1, 0.1, 0.1], initial={"position": [1, 0, -1]})
    system = pl.System(
        gravity=[0, 0, -9.81], bodies=[rod, bob],
        joints=[pl.Revolute("O", "ground", "rod", axis="y")],
        drivers=[pl.JointDriver("turn", "O", motion="0.2*sin(3*t)")],
        forces=[pl.Spring("s", "rod.end", "bob", stiffness=40, damping=1, free_length=1)],
    )  # fmt: skip
    plain = system.simulate(1.0, every=0.25, rtol=1e-9)
    blocks = system.simulate(1.0, every=0.25, step=1e-3, **BLOCKS)
    works = [name for name in plain if name.endswith(".work")]
    assert set(works) == {"turn.work", "s.work", "s.damping.work"}
    for name in works:
        scale = np.abs(plain.values(name)).max()
        assert blocks.values(name) == pytest.approx(plain.values(name), abs=1e-4 * scale)


def test_turns_are_counted_along_the_steps_of_blocks(tmp_path: Path) -> None:
    """100 rad/s, seen every 0.1 s: ten radians between samples, which are more than a turn."""
    rotor = pl.RigidBody("rotor", 1.0, inertia=[0.1, 0.1, 0.1])
    system = pl.System(
        bodies=[rotor],
        joints=[pl.Revolute("O", "ground", "rotor", axis="z", initial={"angle_rate": 100})],
    )
    result = system.simulate(0.5, every=0.1, step=0.005, **BLOCKS)
    assert result.values("O.angle") == pytest.approx(100 * result.time, abs=1e-6)
    result.save(tmp_path / "rotor.nc")
    short = system.simulate(0.5, every=0.1, step=0.005, outputs=["energy"], **BLOCKS)
    short.save(tmp_path / "short.nc")
    for again in (short, *(pl.Result.load(tmp_path / f"{n}.nc") for n in ("rotor", "short"))):
        assert again.values("O.angle") == pytest.approx(100 * result.time, abs=1e-6)
    later = system.simulate(1.0, every=0.1, step=0.005, start=short, **BLOCKS)
    assert later.values("O.angle") == pytest.approx(100 * later.time, abs=1e-6)
