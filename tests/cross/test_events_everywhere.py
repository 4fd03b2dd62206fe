"""Events, stop conditions and Ctrl-C, whatever a run is computed by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant.backends.tree import run as large

RTOL = 1e-9


def chain(events: list[pl.Event], n: int = 12, **more: Any) -> pl.System:
    """Rods on springs that fall from the side."""
    rods = [pl.RigidBody.rod(f"b{k}", 0.3, mass=0.5, frames={"end": [0.3, 0, 0]}) for k in range(n)]
    joints = [pl.Revolute(f"j{k}", f"b{k - 1}.end" if k else "ground", f"b{k}", axis="y")
              for k in range(n)]  # fmt: skip
    forces = [pl.JointSpring(f"s{k}", f"j{k}", stiffness="stiff", damping=0.05) for k in range(n)]
    return pl.System(gravity=[0, 0, -9.81], bodies=rods, joints=joints, forces=forces,
                     events=events, parameters={"stiff": 2.0}, **more)  # fmt: skip


EVENTS = [
    pl.Event("down", "b11.end.position.z + 1.0", direction="falling", message="low enough"),
    pl.Event("angle", "j3.angle + 0.05*stiff"),
    pl.Event("turning", "j0.angle_rate - 0.5", direction="rising"),
    pl.Event("gone", "energy + 0.05"),
    pl.Event("torque", "s2.torque - 0.1"),
    pl.Event("held", "j0.force.z - 40"),
    pl.Event("pushed", "b5.acceleration.z + 12"),
    pl.Event("moves", "momentum.z + 10"),
    pl.Event("clock", "sin(20*t)", direction="rising"),
]


def by_expressions(system: pl.System, monkeypatch: pytest.MonkeyPatch, **how: Any) -> pl.Result:
    with monkeypatch.context() as m:
        m.setattr(large, "THRESHOLD", 1000)
        return system.simulate(**how)


def test_a_tree_kernel_sees_the_events_that_expressions_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Positions, coordinates, rates, energies, efforts, reactions, accelerations, momenta, time."""
    system, how = chain(EVENTS), {"t_end": 0.8, "every": 0.1, "rtol": RTOL}
    tree = system.simulate(**how)
    plain = by_expressions(system, monkeypatch, **how)
    assert tree.info["kernel"] == "tree"
    assert "kernel" not in plain.info
    assert [e.name for e in tree.events] == [e.name for e in plain.events]
    assert {e.name for e in tree.events} >= {e.name for e in EVENTS}
    for a, b in zip(tree.events, plain.events, strict=True):
        assert a.time == pytest.approx(b.time, abs=1e-7)
        assert a.message == b.message
    clock = [e.time for e in tree.events if e.name == "clock"]
    assert clock == pytest.approx(2 * np.pi / 20 * np.arange(1, len(clock) + 1), abs=1e-12)


def test_a_stop_ends_a_tree_inside_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last sample is that of the event, and the run can be continued from there."""
    system = chain([pl.Event("down", "b11.end.position.z + 1.0", stop=True)])
    how = {"t_end": 0.8, "every": 0.1, "rtol": RTOL}
    tree, plain = system.simulate(**how), by_expressions(system, monkeypatch, **how)
    assert tree.info["kernel"] == "tree"
    assert tree.completed
    assert tree.time[-1] == tree.events[0].time
    assert tree.time[-1] == pytest.approx(plain.time[-1], abs=1e-8)
    assert tree.values("b11.end.position.z")[-1] == pytest.approx(-1.0, abs=1e-9)
    assert tree.info["energy"].stored == pytest.approx(plain.info["energy"].stored, rel=1e-6)
    later = chain([]).simulate(t_end=0.5, rtol=RTOL, start=tree)
    assert later.time[0] == tree.time[-1]


def test_an_event_of_a_tree_that_loses_its_value_ends_the_run() -> None:
    system = chain([pl.Event("low", "sqrt(0.3 - j0.angle) - 0.1")])
    result = system.simulate(0.8, every=0.1, rtol=RTOL)
    assert result.info["kernel"] == "tree"
    assert [e.name for e in result.events] == ["low"]
    assert result.values("j0.angle")[-1] == pytest.approx(0.3, abs=1e-7)
    assert result.info["failure_code"] == "not-a-number"
    assert "square root of -" in result.failure


def test_a_tree_kernel_sees_velocities_in_the_axes_of_a_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = chain([pl.Event("own", "b3.end.own_velocity.z + 0.5")])
    how = {"t_end": 0.4, "every": 0.1, "rtol": RTOL}
    tree, plain = system.simulate(**how), by_expressions(system, monkeypatch, **how)
    assert tree.info["kernel"] == "tree"
    assert [e.time for e in tree.events] == pytest.approx([e.time for e in plain.events], abs=1e-8)
    assert tree.events
    with pytest.raises(pl.PliantError, match=r"nothing is named 'b3\.speed'"):
        chain([pl.Event("wrong", "b3.speed")]).simulate(0.05)


@pytest.mark.parametrize("how", [{"rtol": 1e-9}, {"method": "sparse-alpha", "step": 1e-3}])
def test_ctrl_c_keeps_what_is_done(how: dict[str, Any]) -> None:
    """Of trees and of blocks."""

    def interrupt(t: float) -> None:
        if t > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(pl.Interrupted) as stopped:
        chain([]).simulate(50.0, every=0.05, progress=interrupt, **how)
    result = stopped.value.result
    assert result.info["failure_code"] == "interrupted"
    assert "interrupted by the user at t = " in result.failure
    assert 0.2 <= result.time[-1] < 5.0
    whole = chain([]).simulate(0.2, every=0.05, **how)
    count = len(whole)
    assert result.values("j5.angle")[:count] == pytest.approx(whole.values("j5.angle"), abs=1e-6)


@pytest.mark.parametrize("how", [{"step": 0.01}, {"rtol": 1e-4}])
@pytest.mark.parametrize("every", [0.5, 0.05])
def test_events_of_blocks_lie_inside_of_steps(how: dict[str, float], every: float) -> None:
    """Closed forms: a fall z = -g t²/2, which the method and its cubics follow exactly, and a
    driven turn by 2 t, to the error (w h)^4/384 of a cubic. Samples have nothing to do with it."""
    ball = pl.RigidBody("ball", 1.0, inertia=[0.1, 0.1, 0.1])
    crank = pl.RigidBody.rod("crank", 1.0, mass=1.0, frames={"end": [1, 0, 0]})
    joints = [pl.Revolute("O", "ground", "crank", axis="z")]
    events = [pl.Event("fallen", "ball.position.z + 1", direction="falling"),
              pl.Event("across", "crank.end.position.x"),
              pl.Event("twice", "abs(ball.position.z + 2) - 0.2")]  # fmt: skip
    system = pl.System(gravity=[0, 0, -9.81], bodies=[ball, crank], joints=joints, events=events,
                       drivers=[pl.JointDriver("turn", "O", motion="2*t")])  # fmt: skip
    result = system.simulate(1.0, every=every, method="sparse-alpha", **how)
    at = {name: [e.time for e in result.events if e.name == name] for name in
          ("fallen", "across", "twice")}  # fmt: skip
    exact = np.sqrt(2 / 9.81 * np.array([1.0, 1.8, 2.2]))
    assert at["fallen"] == pytest.approx(exact[:1], abs=1e-11)
    assert at["twice"] == pytest.approx(exact[1:], abs=1e-11)
    longest = how.get("step", 0.1)
    assert at["across"] == pytest.approx([np.pi / 4], abs=(2 * longest) ** 4 / 384 + 1e-9)
    assert not result.failure


def test_a_stop_ends_blocks_inside_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on expressions the last sample is that of the event; its error is of second order."""
    system = chain([pl.Event("down", "b11.end.position.z + 1.0", stop=True)])
    exact = system.simulate(0.8, every=0.1, rtol=RTOL).time[-1]
    errors = []
    for step in (2e-3, 1e-3):
        result = system.simulate(0.8, every=0.1, method="sparse-alpha", step=step)
        assert result.completed
        assert result.time[-1] == result.events[0].time
        assert result.values("b11.end.position.z")[-1] == pytest.approx(-1.0, abs=1e-9)
        errors.append(abs(result.time[-1] - exact))
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


def test_an_event_of_blocks_that_loses_its_value_is_located() -> None:
    system = chain([pl.Event("low", "log(0.123 - t)")])
    result = system.simulate(0.5, every=0.05, method="sparse-alpha", step=1e-2)
    assert result.info["failure_code"] == "not-a-number"
    assert result.failure.startswith("t = 0.123 s")
    assert result.time[-1] == pytest.approx(0.123)
