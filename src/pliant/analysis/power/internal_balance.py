"""Do the shapes of modal beams carry what the beams carry?

Internal forces follow from balance (``section_forces``), whatever the shapes are. Those of the
shapes, EI ψ' and so on, are observed as ``elastic_force`` and ``elastic_moment``: their difference
is what the shapes miss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pliant.arrays import Array
from pliant.observe.internal import BEYOND
from pliant.records import dataclass
from pliant.results import Result
from pliant.results.series import Series
from pliant.study import Study

PARTS = {"elastic_force": "internal_force", "elastic_moment": "internal_moment"}
STRESSES = ("elastic_stress", "stress")
WORTH_SAYING = 0.01
"""Part of the largest internal force of a beam that may be missing without a word."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What the shapes miss of an internal force at a frame: most of it, when, and how large the
    internal force becomes there."""

    frame: str
    off: float
    time: float
    size: float


def balanced(system: Study, result: Result, asked: Sequence[str] | None) -> Result:
    """A result with remarks on shapes, if forces in sections are among what was ``asked`` for."""
    if asked is None or not len(result):
        return result
    remarks: list[str] = []
    for beam in system.model.beams:
        for part in _worth_looking_at(result, beam):
            gaps = [*_gaps(result, beam, part)]
            size = max((gap.size for gap in gaps), default=0.0)
            worst = max(gaps, key=lambda gap: gap.off, default=None)
            if worst is not None and worst.off > WORTH_SAYING * size:
                remarks.append(_remark(worst, part, size))
    return result.warned(remarks)


def _worth_looking_at(result: Result, beam: str) -> list[str]:
    """Those of the shapes that were asked for; both where internal forces were and there are axial
    shapes, which give them all."""
    own = [name for name in result.series if name.startswith(f"{beam}.")]
    of_shapes = [part for part in PARTS if any(name.endswith(f".{part}") for name in own)]
    stress, *others = (any(name.endswith(f".{s}") for name in own) for s in STRESSES)
    if stress:
        return [*PARTS]
    within = any(f".{part}" in name for name in own for part in PARTS.values()) or any(others)
    return [*PARTS] if within and f"{beam}.s1" in result else of_shapes


def _gaps(result: Result, beam: str, part: str) -> Iterator[Gap]:
    """At every frame where both are known."""
    known = () if result.recorded is None else result.recorded.known
    for name in known:
        if name.startswith(f"{beam}.") and name.endswith(f".{part}"):
            frame = name.removesuffix(f".{part}")
            whole = f"{frame}.{PARTS[part]}"
            if f"{whole}.{BEYOND}" in known:
                told = result.also((name, whole, f"{whole}.{BEYOND}")).series
                sides = told[whole], told[f"{whole}.{BEYOND}"]
                yield _gap(frame, result.time, told[name], *sides)


def _gap(frame: str, time: Array, of_shapes: Series, before: Series, beyond: Series) -> Gap:
    """Against the nearer side of a load, in directions that shapes tell and constraints
    determine."""
    told = ["xyz".index(label) for label in of_shapes.labels]
    rows = of_shapes.values.reshape(len(time), -1)
    misses = [np.abs(rows - side.values[:, told]) for side in (before, beyond)]
    if before.unique:
        misses = [m * np.array(before.unique)[told] for m in misses]
    off = np.minimum(*misses).max(axis=1)
    k = int(np.argmax(off))
    return Gap(frame, float(off[k]), float(time[k]), float(np.abs(before.values).max()))


def _remark(gap: Gap, part: str, size: float) -> str:
    unit = "N" if part == "elastic_force" else "N*m"
    return (
        f"{gap.frame}.{part}: off by {gap.off:.3g} {unit} from {PARTS[part]}, which balances what "
        f"acts ({size:.3g} {unit} at most), at {gap.time:.4g} s; the shapes miss it: use more of "
        "them"
    )
