"""What is written on a picture: its time, and the directions of x, y and z."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.show.colours import AXES, INK, MUTED
from pliant.show.picture.camera import Camera

_SHARE = 1 / 32
"""Height of letters, of that of the picture."""


def lettered(image: Array, camera: Camera, words: str, compass: bool) -> Array:
    """The picture with words at its lower left, and directions at its lower right."""
    from PIL import Image, ImageDraw

    drawn = Image.fromarray(image)
    pen = ImageDraw.Draw(drawn)
    width, height = drawn.size
    size = max(9, round(_SHARE * height))
    if words:
        pen.text((0.7 * size, height - 0.7 * size), words, fill=INK, font=_font(size), anchor="ls")
    if compass and min(width, height) >= 120:
        _compass(pen, camera, (width - 3.2 * size, height - 3.2 * size), size)
    return np.asarray(drawn)


def _compass(pen: Any, camera: Camera, middle: tuple[float, float], size: int) -> None:
    """Axes that point away from the eye are drawn first."""
    ways = camera.axes.T  # rows: x, y, z in axes of the picture
    taken: list[tuple[float, float]] = []
    for k in np.argsort(ways[:, 2]):
        right, up = 1.9 * size * ways[k, :2]
        tip = middle[0] + right, middle[1] - up
        if np.hypot(right, up) < 0.35 * size:
            continue
        pen.line([middle, tip], fill=AXES[k], width=max(1, size // 8))
        at = middle[0] + 1.28 * right, middle[1] - 1.28 * up
        if any(np.hypot(at[0] - x, at[1] - y) < 0.9 * size for x, y in taken):
            at = at[0] - size, at[1]
        taken.append(at)
        pen.text(at, "xyz"[k], fill=MUTED, font=_font(size), anchor="mm")


@cache
def _font(size: int) -> Any:
    """The letters that matplotlib brings."""
    from pathlib import Path

    import matplotlib
    from PIL import ImageFont

    file = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return ImageFont.truetype(str(file), size)
