"""What a constraint treatment is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from pliant.records import dataclass
from pliant.solve.machine.abi import MachineFunction
from pliant.solve.machine.context import LEVEL_ACCELERATION


@dataclass(frozen=True, slots=True)
class Treatment:
    """A way to make G u' + gamma = 0 hold along a motion.

    ``exact``: the constraint residual stays at rounding (states are projected); otherwise it is
    only controlled. ``alone``: ``project`` needs no ``accelerate`` before it. ``level``: the level
    of the constraints inside implicit integrators. ``options``: names and defaults of its numbers,
    in the order of dc[OPTIONS:]. ``objection``: why a compiled model cannot be treated this way (""
    if it can).
    """

    name: str
    exact: bool
    accelerate: MachineFunction
    project: MachineFunction
    description: str
    implicit: bool = False
    explicit: bool = True
    alone: bool = False
    level: int = LEVEL_ACCELERATION
    options: Mapping[str, float] = field(default_factory=dict)
    objection: Callable[[Any, Any], str] = lambda compiled, x: ""
