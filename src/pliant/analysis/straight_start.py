"""Where a mechanism with beams of large rotation starts: in the position in which it can be
assembled with these beams free of stress.

Assembly finds the nearest position in which all joints close, and would bend a beam to get there.
Therefore the mechanism is assembled with its beams as rigid bodies, and their nodes carried along.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.blocks.start import assembled
from pliant.analysis.prepare import InitialState, Prepared, completed
from pliant.arrays import Array
from pliant.errors import AssemblyError, StartError
from pliant.model.bodies import Beam

if TYPE_CHECKING:
    from pliant.system import System

BENT = "{}: the mechanism does not close with stress-free beams; it starts with strain"


def may_bend(system: System, prepared: Prepared) -> bool:
    """Whether there are beams of large rotation, and constraints or loops through their nodes; the
    free joint that closes a loop between two nodes has no coordinates."""
    owners = {s.owner for s in prepared.compiled.layout.q}
    inner = [f"{beam}:j" for beam in _large_beams(system)]
    loops = any(n.startswith(i) and n not in owners for n in system.model.joints for i in inner)
    return bool(inner) and (loops or prepared.compiled.m > 0)


def _large_beams(system: System) -> list[str]:
    """Beams that are cut into elements of large rotation."""
    bodies = system.described.bodies.items()
    return [n for n, b in bodies if isinstance(b, Beam) and b.theory.large]


def straight_start(
    system: System, prepared: Prepared, params: Mapping[str, Any] | None, t: float, q: Array,
    p: Array,
) -> InitialState | str:  # fmt: skip
    """The state with stress-free beams, or a remark if there is none; ``q``: the guess."""
    try:
        start, remarks = assembled(system, system.values(params), params, t)
    except StartError:
        raise
    except AssemblyError:
        return BENT.format(", ".join(_large_beams(system)))
    c = prepared.compiled
    near = np.array([start.q.get(s.name, q[k]) for k, s in enumerate(c.layout.q)])
    q, u, p = prepared.state_from(start.bodies, p, near)
    x = np.zeros(c.x_size)
    x[0], x[1 : 1 + c.nq], x[1 + c.nq : 1 + c.nq + c.nu] = t, q, u
    x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = c.call("X", x, p)[: c.nx]
    return InitialState(p, completed(prepared, x, p), remarks)
