"""No machine code writes outside its arrays: every kind of model, every method, every treatment.

``tests/conftest.py`` puts fences around all arrays (``code/llvm/fence.py``); a run that touches one
raises FenceError. What the runs give is compared as well: a read beyond an array gives NaN.
"""

from __future__ import annotations

import ctypes
import time
from functools import cache
from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant.code.llvm import fence
from pliant.solve import INTEGRATORS
from pliant.solve.constraints import TREATMENTS
from pliant.solve.machine.abi import MachineFunction

ROD = "rod: {length: 1, mass: 1}"
HINGE = "revolute: {axis: y}"


def _oscillators(n: int) -> str:
    """n masses on springs that harden, as a network."""
    lines = [
        f"a{i}: {{junction: 1}}, m{i}: {{I: 1, on: a{i}, initial: {0.1 * (i + 1)}}}, "
        f"k{i}: {{C: {{effort: '{10 * (i + 1)}*q + q**3'}}, on: a{i}}}"
        for i in range(n)
    ]
    return f"networks: {{n: {{elements: {{{', '.join(lines)}}}}}}}"


SLIDER_CRANK = """
bodies:
  a: {rod: {length: 1, mass: 1}, frames: {end: [1, 0, 0]}}
  b: {rod: {length: 2, mass: 1}, frames: {end: [2, 0, 0]}}
  s: {rigid: {mass: 1}}
joints:
  A: {revolute: {axis: y}, between: [ground, a], initial: {angle: 0.4}}
  B: {revolute: {axis: y}, between: [a.end, b], guess: {angle: -0.6}}
  C: {prismatic: {axis: x}, between: [ground, s], guess: {displacement: 2.8}}
  D: {revolute: {axis: y}, between: [s, b.end]}
"""
MODELS = {
    "one state": "networks: {n: {elements: {a: {junction: 0}, c: {C: 1, on: a, initial: "
    "{effort: 3}}, r: {R: 2, on: a}}}}",
    "only a network": _oscillators(4),
    "one freedom beside a network": f"bodies: {{b: {{{ROD}}}}}\n"
    f"joints: {{O: {{{HINGE}, between: [ground, b]}}}}\n{_oscillators(5)}",
    "one freedom": f"bodies: {{b: {{{ROD}}}}}\njoints: {{O: {{{HINGE}, between: [ground, b]}}}}",
    "no joints": "bodies: {b: {box: {size: [1, 2, 3], mass: 1}, initial: {velocity: [1, 0, 0], "
    "angular_velocity: [1, 2, 3]}}}",
    "only drivers": f"bodies: {{b: {{{ROD}}}}}\njoints: {{O: {{{HINGE}, between: [ground, b]}}}}\n"
    "drivers: {d: {joint: O, angle: 2*t}}",
    "more rows than freedoms": f"{SLIDER_CRANK}",
    "a driven loop": f"{SLIDER_CRANK}drivers: {{d: {{joint: A, angle: 0.4 + t}}}}",
    "a velocity constraint": """
bodies: {b: {box: {size: [1, 2, 3], mass: 1}}}
joints: {P: {planar: {}, between: [ground, b], initial: {angle_rate: 1}}}
constraints: {k: {skate: {across: y}, between: [ground, b]}}
""",
}  # fmt: skip
GRAVITY = "pliant: 1\ngravity: [0, 0, -9.81]\n"


@cache
def system(name: str) -> pl.System:
    return pl.loads(GRAVITY + MODELS[name])


def _run(name: str, method: str, treatment: str) -> Any:
    fixed = {} if INTEGRATORS[method].adaptive else {"step": 1e-3}
    return system(name).simulate(
        t_end=0.05, method=method, constraints=treatment, every=0.05, **fixed
    )


def _goes(method: str, treatment: str) -> bool:
    accepted = INTEGRATORS[method].treatments
    return TREATMENTS[treatment].explicit if accepted is None else treatment in accepted


WAYS = [(m, t) for m in INTEGRATORS for t in TREATMENTS if _goes(m, t)]


@pytest.mark.parametrize(("method", "treatment"), WAYS)
@pytest.mark.parametrize("name", MODELS)
def test_runs_stay_inside_their_arrays(name: str, method: str, treatment: str) -> None:
    result = _run(name, method, treatment)
    assert not result.failure
    for observed in result.series:
        assert np.isfinite(result.values(observed)).all()


def test_networks_without_bodies_by_an_implicit_method() -> None:
    """Work space for the error estimate of Radau counts the states of networks, too."""
    system = pl.loads(GRAVITY + MODELS["only a network"])
    explicit, implicit = (
        system.simulate(t_end=1, rtol=1e-8, method=m, outputs=["n.m3.flow"]).values("n.m3.flow")
        for m in ("dop853", "radau")
    )
    assert np.abs(explicit - implicit).max() < 1e-6


def test_a_network_ladder_reaches_its_steady_state() -> None:
    """Ten thermal cells in a row, stiff: auto hands over to Radau."""
    n = 10
    nodes = "".join(
        f"z{i}: {{junction: 0}}, c{i}: {{C: {1e-4 * i}, on: z{i}, initial: {{effort: 300}}}}, "
        f"j{i}: {{junction: 1}}, r{i}: {{R: 0.5, on: j{i}}}, "
        for i in range(1, n + 1)
    )
    bonds = "".join(
        f"p{i}: {{from: z{i - 1}, to: j{i}}}, q{i}: {{from: j{i}, to: z{i}}}, "
        for i in range(1, n + 1)
    )
    system = pl.loads(
        f"pliant: 1\nnetworks: {{n: {{domain: thermal, elements: {{hot: {{Se: 400, on: z0}}, "
        f"z0: {{junction: 0}}, {nodes} out: {{R: 10, on: z{n}}}}}, bonds: {{{bonds}}}}}}}"
    )
    result = system.simulate(t_end=5, every=0.05)
    assert result.info["statistics"]["handovers"] > 0
    assert result.values(f"n.c{n}.effort")[-1] == pytest.approx(400 * 10 / (10 + 0.5 * n), rel=1e-6)


def test_a_write_outside_is_found() -> None:
    """Rows longer than the array they go to; rooms inside an array; arrays only to be read."""
    marked = np.zeros(12)
    fence.mark(marked, [4])

    def write(place: int) -> Any:
        def code(pointer: int) -> None:
            (ctypes.c_double * 100).from_address(pointer)[place] = 1.0

        return code

    fence.call_between("f", write(0), [marked])
    assert marked[0] == 1.0
    for place in (12, 4, 7):
        with pytest.raises(fence.FenceError, match=f"f wrote outside its arrays: words .{place}"):
            fence.call_between("f", write(place), [marked])
    marked.flags.writeable = False
    with pytest.raises(fence.FenceError, match="only to be read"):
        fence.call_between("f", write(1), [marked])


def test_tests_run_between_fences() -> None:
    assert fence.ON
    starts, reals = fence.apart([2, 3], header=1)
    assert starts == [1 + fence.WORDS, 3 + 2 * fence.WORDS]
    assert len(reals) == 6 + 3 * fence.WORDS


@pytest.mark.parametrize("fenced", [True, False])
def test_time_in_machine_code_counts_with_and_without_fences(
    fenced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copies that fences need are no machine code and do not count."""
    monkeypatch.setattr(fence, "ON", fenced)
    monkeypatch.setattr(MachineFunction, "registry", {})

    def busy() -> int:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        return 7

    work = MachineFunction(busy, ())
    monkeypatch.setattr(work, "_callable", lambda: busy)
    before = MachineFunction.seconds
    assert work() == 7
    assert MachineFunction.seconds - before >= 0.02
