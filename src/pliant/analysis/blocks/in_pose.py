"""A start in a singular position is refused: rows are left out for the whole run by what they are
at its start, and there one of them would be missing everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pliant.analysis.blocks.independent import part_rows, parts_in_loops
from pliant.arrays import Array
from pliant.errors import StepError
from pliant.solve.start_pose import AHEAD, Mechanism, look_around

if TYPE_CHECKING:
    from pliant.analysis.blocks.model import BlockModel


def refuse_in_pose(model: BlockModel) -> None:
    """Raise StepError if two ways of assembly meet at the start of ``model`` (with all rows)."""
    looped = parts_in_loops(model)
    owners = [model.parts[k].owner for k in looped for _ in model.kept[k]]
    if not looped:
        return
    g, _ = _constraints(model, looped, model.q, 0.0)
    moves = [np.abs(_constraints(model, looped, model.q, a)[0] - g) > 0 for a in AHEAD]
    own = np.flatnonzero(~np.any(moves, axis=0))
    system = model.system
    fixed = np.zeros(system.n_all - system.n)
    pose = look_around(Mechanism(
        model.q, np.zeros(system.n), np.ones(system.n),
        lambda q: _constraints(model, looped, q, 0.0),
        lambda q, v: system.moved(q, np.append(v, fixed)), own,
    ))  # fmt: skip
    if pose.lost:
        names = ", ".join(dict.fromkeys(f"'{owners[k]}'" for k in pose.rows))
        raise StepError(
            f"t = {model.start.t:.6g} s: the start is a change point: two ways of assembly meet "
            f"here ({names}), and blocks cannot tell them apart; start beside it, or use another "
            "method (auto, radau)"
        )


def _constraints(
    model: BlockModel, parts: list[int], q: Array, ahead: float
) -> tuple[Array, Array]:
    """g and G of some parts at q, some time after the start."""
    system, residuals, rows = model.system, list[float](), list[Array]()
    for k in parts:
        g, gradients = part_rows(model, k, q, model.start.t + ahead)
        residuals += g
        for own in gradients:
            row = np.zeros(system.n_all)
            for b, part in own.items():
                start = system.increments[b]
                row[start : start + len(part)] += part
            rows.append(row[: system.n])
    return np.array(residuals), np.array(rows)
