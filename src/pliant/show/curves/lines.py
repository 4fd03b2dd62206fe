"""Curves of one panel: colours of the page; those that lie on others are dashed, so that both are
seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.show.colours import CURVES, DASHES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEAR = 0.004
"""Of the height of a panel: curves that are nowhere farther apart lie on each other."""
_WIDTH, _UNDER = 1.5, 3.2
_OVER = ((0, (4, 3)), (0, (1, 2)))


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve with its name; ``turns``: an angle within a turn, which begins anew at half of it."""

    name: str
    x: Array
    y: Array
    turns: bool = False

    @property
    def parted(self) -> tuple[Array, Array]:
        """Without lines that lead back from where an angle begins anew."""
        if not self.turns:
            return self.x, self.y
        back = np.flatnonzero(np.abs(np.diff(self.y)) > np.pi) + 1
        x, y = (np.insert(v.astype(float), back, np.nan) for v in (self.x, self.y))
        return x, y


def draw(axis: Axes, curves: Sequence[Curve], first: int = 0) -> None:
    """All curves of a panel with their legend; ``first``: the colour to begin with."""
    covers = [_covered(curves, k) for k in range(len(curves))]
    below = set(covers)
    for k, curve in enumerate(curves):
        number = first + k
        style: object = DASHES[number // len(CURVES) % len(DASHES)]
        width, depth, under = _WIDTH, 0, covers[k]
        while under is not None:
            depth, under = depth + 1, covers[under]
        if depth:
            style = _OVER[(depth - 1) % len(_OVER)]
            width += 0.3
        elif k in below:
            width = _UNDER
        axis.plot(*curve.parted, label=_label(curve.name), color=CURVES[number % len(CURVES)],
                  linestyle=style, linewidth=width, zorder=2 + 0.01 * depth,
                  marker="o" if len(curve.x) == 1 else "")  # fmt: skip


def legend(axis: Axes) -> None:
    """Names beside the panel, as they are written."""
    made = axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small",
                       frameon=False, handlelength=2.6)  # fmt: skip
    for text in made.get_texts():
        text.set_parse_math(False)


def _label(name: str) -> str:
    """matplotlib leaves out what begins with an underscore."""
    return name if not name.startswith("_") else f" {name}"


def _covered(curves: Sequence[Curve], k: int) -> int | None:
    """The last curve before this one that it lies on."""
    drawn = [c.y[np.isfinite(c.y)] for c in curves]
    low, high = (f([f(y) for y in drawn if len(y)] or [0.0]) for f in (min, max))
    height = float(high - low)
    for j in reversed(range(k)):
        a, b = curves[j], curves[k]
        if a.x.shape != b.x.shape or not np.array_equal(a.x, b.x):
            if len(a.x) < 2 or len(b.x) < 2 or np.any(np.diff(b.x) < 0) or np.any(np.diff(a.x) < 0):
                continue
            inside = (a.x >= b.x[0]) & (a.x <= b.x[-1])
            if not inside.any():
                continue
            apart = np.abs(a.y[inside] - np.interp(a.x[inside], b.x, b.y))
        else:
            apart = np.abs(a.y - b.y)
        if np.nanmax(apart, initial=0.0) <= _NEAR * height:
            return j
    return None
