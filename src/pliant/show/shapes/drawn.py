"""A mechanism in a panel: as it is, over a pale copy of where it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.show.picture import symbols
from pliant.show.picture.camera import View, camera, up_of
from pliant.show.picture.letters import lettered
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.picture.stage import Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SMOOTH = 2
_STILL, _FLAT = 0.05, 0.5
"""Of the largest displacement, of the largest size: motions and mechanisms that stay in a plane are
seen from in front of it."""


def drawn(
    mechanism: Mechanism, at: Instant, before: Instant, size: tuple[int, int],
    view: View | None = None, arrows: Sequence[str] = (), magnification: float = 1.0,
) -> Array:  # fmt: skip
    """The picture, (height, width, 3) of bytes; without ``view`` from where most is seen."""
    box = mechanism.bounds([before, at], magnification)
    if arrows:
        box = box + symbols.USUAL * mechanism.scale * np.array([[-1.0], [1.0]])
    up = up_of(mechanism.scene["gravity"])
    view = best_view(mechanism, at, before, magnification) if view is None else view
    fine = (size[0] * _SMOOTH, size[1] * _SMOOTH)
    stage = Stage(mechanism, camera(box, up, fine, view), box, up, _SMOOTH)
    image = stage.image(at, ghost=before, arrows=arrows, shadow=view == "free",
                        magnification=magnification)  # fmt: skip
    return lettered(image, stage.camera, "", compass=True)


def best_view(mechanism: Mechanism, at: Instant, before: Instant, factor: float = 1.0) -> View:
    """Along the axis that nothing moves along and that the mechanism is thin along; from a corner
    if there is none."""
    low, high, moved = np.full(3, np.inf), np.full(3, -np.inf), np.zeros(3)
    for body in mechanism.surfaces:
        rest, now = (mechanism.surface(body, k, factor).corners for k in (before, at))
        if len(rest) and np.isfinite(now).all():
            low, high = np.minimum(low, rest.min(axis=0)), np.maximum(high, rest.max(axis=0))
            moved = np.maximum(moved, np.abs(now - rest).max(axis=0))
    size = high - low
    across = [k for k in range(3)
              if moved[k] <= _STILL * moved.max() and size[k] <= _FLAT * size.max()]  # fmt: skip
    if not moved.any() or not across:
        return "free"
    return "xyz"[min(across, key=lambda k: float(size[k]))]


def put(axis: Axes, image: Array, title: str) -> None:
    """An image in a panel, with words above it."""
    shown: Any = axis.imshow(image, interpolation="antialiased")
    shown.set_gid("picture")
    axis.set_axis_off()
    axis.set_title(title, fontsize="small", parse_math=False)
