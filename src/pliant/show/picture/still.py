"""A still of the 3-D view, as a picture in memory and as a file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.results.result import Result
from pliant.show.page.geometry import Geometry
from pliant.show.page.page import Mesh
from pliant.show.picture import symbols
from pliant.show.picture.camera import View, camera, up_of
from pliant.show.picture.letters import lettered
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.picture.stage import Stage
from pliant.writing import checked_target, replace_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
SIZE = (960, 720)
SMOOTH = 3
"""Pixels that are drawn for one, each way."""
_LEAST, _MOST = 16, 8192
ARROWS = ("applied", "reaction")


def picture(
    result: Result,
    path: str | Path | None = None,
    *,
    time: float | None = None,
    view: View = "free",
    projection: str | None = None,
    size: Sequence[int] = SIZE,
    magnification: float = 1.0,
    arrows: Sequence[str] = (),
    close: bool = False,
    title: str | None = None,
    meshes: Mapping[str, Mesh] | None = None,
    geometry: Geometry | None = None,
) -> Image:
    """The mechanism at a time (the end), an image of Pillow; with ``path`` it is also written.
    ``geometry``: of a result that does not hold its model."""
    if path is not None:
        checked_target(path, ENDINGS)
    scene = Scene(
        Mechanism(result, geometry, meshes), view, projection, size, magnification, arrows
    )
    drawn = scene.still(time, close=close, title=title)
    if path is not None:
        write(drawn, Path(path))
    return drawn


def write(image: Image, path: Path) -> None:
    """Whole or not at all, by the ending of the name."""
    kinds = {".png": "PNG", ".webp": "WEBP"}
    drawn = io.BytesIO()
    image.save(drawn, format=kinds.get(path.suffix.lower(), "JPEG"), quality=92)
    replace_bytes(path, drawn.getbuffer())


class Scene:
    """A mechanism, and how pictures of it are to look; ``ghost``: an instant whose bodies are
    drawn pale beside."""

    def __init__(self, mechanism: Mechanism, view: View = "free", projection: str | None = None,
                 size: Sequence[int] = SIZE, magnification: float = 1.0,
                 arrows: Sequence[str] = (), ghost: Instant | None = None) -> None:  # fmt: skip
        if not (np.isfinite(magnification) and magnification > 0):
            raise InputError(f"picture: magnification is {magnification}", "give a positive factor")
        if unknown := [name for name in arrows if name not in ARROWS]:
            raise InputError(f"picture: arrows of '{unknown[0]}'", f"known: {', '.join(ARROWS)}")
        self.mechanism, self.size = mechanism, checked_size(size)
        self._view, self._projection = view, projection
        self._factor, self._arrows, self._ghost = magnification, tuple(arrows), ghost
        self._up = up_of(mechanism.scene["gravity"])
        self._whole: dict[int, Stage] = {}

    def still(self, time: float | None = None, *, close: bool = False, title: str | None = None,
              smooth: int = SMOOTH) -> Image:  # fmt: skip
        """At a time (the end); ``close``: what is seen then fills the picture, which otherwise has
        room for the whole motion. ``title`` replaces the time that is written on it; with ""
        nothing is written, and no directions are shown."""
        from PIL import Image as Images

        times = self.mechanism.result.time
        at = self.mechanism.instant(float(times[-1]) if time is None else float(time))
        if close:
            stage = self._stage(self._around([at]), smooth)
        else:
            if smooth not in self._whole:
                self._whole[smooth] = self._stage(self.box, smooth)
            stage = self._whole[smooth]
        image = stage.image(at, magnification=self._factor, arrows=self._arrows, ghost=self._ghost)
        words = self._words(time, times) if title is None else title
        return Images.fromarray(lettered(image, stage.camera, words, compass=title != ""))

    @cached_property
    def box(self) -> Array:
        """The space of the whole motion."""
        return self._around(self.mechanism.samples())

    def _around(self, instants: Sequence[Instant]) -> Array:
        """The space that is seen at these times, with room for arrows."""
        box = self.mechanism.bounds(instants, self._factor)
        room = symbols.USUAL * self.mechanism.scale if self._arrows else 0.0
        return box + room * np.array([[-1.0], [1.0]])

    def _words(self, time: float | None, times: Array) -> str:
        if len(times) == 1 and time is None:
            return ""
        at = times[-1] if time is None else time
        return f"t = {at:.4g} s"

    def _stage(self, box: Array, smooth: int) -> Stage:
        size = (self.size[0] * smooth, self.size[1] * smooth)
        seen = camera(box, self._up, size, self._view, self._projection)
        return Stage(self.mechanism, seen, box, self._up, smooth)


def checked_size(size: Any) -> tuple[int, int]:
    """Width and height in pixels."""
    try:
        width, height = (int(n) for n in size)
    except (TypeError, ValueError):
        raise InputError(f"picture: size is {size}", "give width and height in pixels") from None
    if not (_LEAST <= width <= _MOST and _LEAST <= height <= _MOST):
        raise InputError(
            f"picture: {width} x {height} pixels", f"give {_LEAST} to {_MOST} each way"
        )
    return width, height
