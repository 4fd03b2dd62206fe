"""A film of the 3-D view: GIF and WebP by Pillow, MP4 and WebM by ffmpeg.

ffmpeg is the one on this machine, or that of the package imageio-ffmpeg (``pip install
'pliant[film]'``), which brings the program for every system and needs nothing else.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, PliantError
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.show.page.page import Mesh
from pliant.show.picture.camera import View
from pliant.show.picture.moving import Mechanism
from pliant.show.picture.still import Scene
from pliant.writing import checked_target, replace_file

if TYPE_CHECKING:
    from PIL.Image import Image

BY_PILLOW, BY_FFMPEG = (".gif", ".webp"), (".mp4", ".webm")
ENDINGS = (*BY_PILLOW, *BY_FFMPEG)
SIZE = (640, 480)
FPS = 25.0
_SMOOTH = 2
_SHORTEST, _LONGEST = 3.0, 15.0
"""Seconds that a film lasts, unless a speed is asked for."""
_MOST_FRAMES = 3000
_MOST_FPS = 50.0
_PALETTE_FRAMES = 4
"""By which the colours of a GIF are chosen."""
_CODECS = {
    ".mp4": ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart"),
    ".webm": ("-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "24", "-b:v", "0"),
}
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Film:
    """What was written: so many frames a second of so many, ``speed`` seconds of motion in one."""

    path: Path
    frames: int
    fps: float
    speed: float

    @property
    def seconds(self) -> float:
        """That it lasts."""
        return self.frames / self.fps

    def __str__(self) -> str:
        pace = "in real time" if self.speed == 1 else f"at {self.speed:g} times its speed"
        return f"{self.path}: {self.frames} frames, {self.seconds:.3g} s, {pace}"


def film(
    result: Result,
    path: str | Path,
    *,
    start: float | None = None,
    end: float | None = None,
    fps: float = FPS,
    speed: float | None = None,
    view: View = "free",
    projection: str | None = None,
    size: Sequence[int] = SIZE,
    magnification: float = 1.0,
    arrows: Sequence[str] = (),
    title: str = "",
    meshes: Mapping[str, Mesh] | None = None,
    progress: Progress | None = None,
) -> Film:
    """Write the motion from ``start`` to ``end``, at ``speed`` times its own; by default in real
    time, or at 1, 2 or 5 times a power of ten so that it lasts 3 to 15 seconds. ``progress`` is
    told how many frames are drawn, and of how many."""
    path, program = checked_film(path)
    kind = path.suffix.lower()
    if not 0 < fps <= _MOST_FPS:
        raise InputError(f"film: {fps:g} frames a second", f"give at most {_MOST_FPS:g}")
    scene = Scene(Mechanism(result, meshes=meshes), view, projection, size, magnification, arrows)
    if kind in BY_FFMPEG and (scene.size[0] % 2 or scene.size[1] % 2):
        raise InputError(f"film: {scene.size[0]} x {scene.size[1]} pixels",
                         f"{kind[1:]} needs even numbers")  # fmt: skip
    first, last = _span(result, start, end)
    pace = usual_speed(last - first) if speed is None else speed
    times = _times(first, last, fps, pace)
    scene.mechanism.instant(first), scene.mechanism.instant(last)
    digits = max(0, int(np.ceil(-np.log10(pace / fps)))) if pace < fps else 0

    def drawn() -> Iterator[Image]:
        for k, t in enumerate(times):
            words = f"{title}  t = {t:.{digits}f} s".strip()
            yield scene.still(float(t), title=words, smooth=_SMOOTH)
            if progress is not None:
                progress(k + 1, len(times))

    if kind in BY_PILLOW:
        some = np.unique(np.linspace(0, len(times) - 1, _PALETTE_FRAMES).round().astype(int))
        samples = [scene.still(float(times[k]), smooth=1) for k in some]
        replace_file(path, lambda part: _by_pillow(part, kind, drawn(), len(times), fps, samples))
    else:
        replace_file(path, lambda part: _by_ffmpeg(program, part, kind, drawn(), fps, scene.size))
    return Film(path, len(times), fps, pace)


def checked_film(path: str | Path) -> tuple[Path, str]:
    """The path, if it can be written, and the program that it needs."""
    path = checked_target(path, ENDINGS)
    return path, ffmpeg() if path.suffix.lower() in BY_FFMPEG else ""


def _span(result: Result, start: float | None, end: float | None) -> tuple[float, float]:
    first = float(result.time[0]) if start is None else float(start)
    last = float(result.time[-1]) if end is None else float(end)
    if not last > first:
        raise InputError(f"film: from {first:g} to {last:g} s nothing moves",
                         "pliant picture draws one instant")  # fmt: skip
    return first, last


def usual_speed(span: float) -> float:
    """1 if that is neither too short nor too long, else 1, 2 or 5 times a power of ten."""
    if _SHORTEST <= span <= _LONGEST:
        return 1.0
    wanted = span / (_SHORTEST if span < _SHORTEST else _LONGEST)
    power = 10.0 ** np.floor(np.log10(wanted) + 1e-9)
    steps = (1, 2, 5, 10)
    if span < _SHORTEST:  # slower than that
        return float(power * max(s for s in steps if s * power <= wanted * (1 + 1e-9)))
    return float(power * min(s for s in steps if s * power >= wanted * (1 - 1e-9)))


def _times(first: float, last: float, fps: float, speed: float) -> Array:
    """Of the frames; the last one is the end."""
    if not (np.isfinite(speed) and speed > 0):
        raise InputError(f"film: speed is {speed}", "give a positive factor")
    frames = (last - first) / speed * fps
    if frames > _MOST_FRAMES:
        raise InputError(f"film: {frames:.3g} frames, {_MOST_FRAMES} at most",
                         "play it faster, or name an interval")  # fmt: skip
    return np.linspace(first, last, max(2, round(frames) + 1))


def _by_pillow(part: Path, kind: str, frames: Iterator[Image], count: int, fps: float,
               samples: Sequence[Image]) -> None:  # fmt: skip
    ends = np.round(np.arange(1, count + 1) * 100 / fps) * 10  # GIF counts hundredths of a second
    lasting = [int(ms) for ms in np.diff(ends, prepend=0)]
    options: dict[str, Any] = {"save_all": True, "duration": lasting, "loop": 0}
    if kind == ".webp":
        first = next(frames)
        first.save(part, format="WEBP", append_images=frames, quality=85, method=3, **options)
        return
    from PIL import Image as Images

    width, height = samples[0].size
    mosaic = Images.new("RGB", (width, height * len(samples)))
    for k, sample in enumerate(samples):
        mosaic.paste(sample, (0, k * height))
    palette = mosaic.quantize(256)

    def few_colours() -> Iterator[Image]:
        for frame in frames:
            yield frame.quantize(palette=palette, dither=Images.Dither.NONE)

    mapped = few_colours()
    first = next(mapped)
    first.save(part, format="GIF", append_images=mapped, disposal=1, **options)


def ffmpeg() -> str:
    """The program, or an error that says how to get it."""
    if found := shutil.which("ffmpeg"):
        return found
    with contextlib.suppress(ImportError, RuntimeError):
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    raise InputError("film: MP4 and WebM need ffmpeg, which is not on this machine",
                     "pip install 'pliant[film]', or write a .gif or .webp")  # fmt: skip


def _by_ffmpeg(program: str, part: Path, kind: str, frames: Iterator[Image], fps: float,
               size: tuple[int, int]) -> None:  # fmt: skip
    command = [program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
               "-s", f"{size[0]}x{size[1]}", "-r", f"{fps:g}", "-i", "-", *_CODECS[kind],
               "-f", kind[1:], str(part)]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        with contextlib.suppress(BrokenPipeError):  # it says why by itself
            for frame in frames:
                process.stdin.write(frame.tobytes())
            process.stdin.close()
        said = process.stderr.read().decode("utf-8", "replace").strip()
    if process.returncode:
        raise PliantError(f"film: ffmpeg could not write it: {said.splitlines()[-1:] or ''}",
                          "write a .gif or .webp")  # fmt: skip
