"""What a gradient costs: CPU seconds of an adjoint by many parameters, everything compiled, and how
many runs to the same tolerance that is. Its numbers are compared with those carried forward."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import median
from typing import Any

import numpy as np

from benchmarks.overhead import Spent
from pliant.analysis.sensitivities.derivatives import RTOL
from pliant.code import background
from pliant.system import System

RUNS = 6
"""Runs that it may cost."""
OWN = 10
"""Parameters of a link besides those of its torque."""


@dataclass(frozen=True)
class Gradient:
    """A chain of ``links`` on damped springs, each under a torque of some waves, ``parameters`` in
    all; where its tip is after ``end`` seconds."""

    name: str
    title: str
    links: int
    parameters: int
    end: float

    @property
    def waves(self) -> int:
        """Of one torque."""
        return self.parameters // self.links - OWN

    @cached_property
    def numbers(self) -> dict[str, float]:
        """All parameters."""
        found: dict[str, float] = {}
        for k in range(self.links):
            own = {"m": 1 + 0.01 * k, "l": 0.3 + 0.01 * k, "J": 0.02, "x": 0.1, "y": 0.01, "k": 2.0,
                   "d": 0.05, "c": 0.1, "a": 0.3 / (k + 1), "w": 0.1}  # fmt: skip
            own |= {f"f{j}_": 0.1 + 0.01 * j for j in range(self.waves)}
            found |= {f"{name}{k}": value for name, value in own.items()}
        return found

    @cached_property
    def system(self) -> System:
        """The chain."""
        bodies, joints, forces = {}, {}, {}
        for k in range(self.links):
            waves = "".join(f" + f{j}_{k}*sin({j + 1}*t)" for j in range(self.waves))
            bodies[f"b{k}"] = {
                "rigid": {"mass": f"m{k}", "com": [f"x{k}", f"y{k}", 0], "inertia": [f"J{k}"] * 3},
                "frames": {"tip": [f"l{k}", 0, 0]},
            }
            joints[f"O{k}"] = {
                "revolute": {"axis": "z"}, "initial": {"angle": f"a{k}", "angle_rate": f"w{k}"},
                "between": [f"b{k - 1}.tip" if k else "ground", f"b{k}"],
            }  # fmt: skip
            forces[f"s{k}"] = {"joint_spring": {"stiffness": f"k{k}", "damping": f"d{k}"},
                               "joint": f"O{k}"}  # fmt: skip
            forces[f"e{k}"] = {"actuator": {"effort": f"-c{k}*O{k}.angle_rate**3{waves}"},
                               "joint": f"O{k}"}  # fmt: skip
        model = {"pliant": 1, "gravity": [0, -9.81, 0], "parameters": self.numbers,
                 "bodies": bodies, "joints": joints, "forces": forces}  # fmt: skip
        return System.loads(json.dumps(model), "json")

    @property
    def asked(self) -> str:
        """Of what."""
        return f"last b{self.links - 1}.tip.position.x"

    def gradient(self, method: str) -> Any:
        """By all parameters."""
        return self.system.sensitivities([*self.numbers], self.asked, t_end=self.end, method=method)

    def run(self, part: float) -> None:
        """To the tolerance of the motion that gradients follow, as a user asks for it."""
        self.system.simulate(t_end=self.end, rtol=RTOL, params={"m0": part},
                             outputs=[f"b{self.links - 1}.tip.position"])  # fmt: skip


def cost(case: Gradient, rounds: int = 5) -> Spent:
    """Medians of calls."""
    adjoint, forward = case.gradient("adjoint"), case.gradient("forward")
    case.run(1.1)
    background.finish()
    spent = [
        (_seconds(partial(case.gradient, "adjoint")), _seconds(partial(case.run, 1 + 0.001 * k)))
        for k in range(rounds)
    ]
    gradient, run = (median(own) for own in zip(*spent, strict=True))
    size = np.abs(forward.gradient).max()
    difference = float(np.abs(adjoint.gradient - forward.gradient).max() / size)
    title = f"{case.title}: {gradient / run:.1f} runs (aim {RUNS})"
    return Spent(case.name, title, gradient, RUNS * run, difference)


def _seconds(call: Callable[[], Any]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


CASES = (
    Gradient("adjoint_200", "adjoint of a chain of 10 links by 200 parameters", 10, 200, 2.0),
)  # fmt: skip
