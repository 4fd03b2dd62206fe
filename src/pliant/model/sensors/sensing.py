"""What a sensor says: quantities of the motion, and nothing that acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from pliant.model.forces.action import Acting, Motion
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC

Outputs = Mapping[str, tuple[Any, str]]
"""Quantities by name: value and unit."""
PART = "P"
"""What a part of a sensor calls what it is the part of."""
TOLD_OF_FRAMES = {
    "p_WP": "position", "R_WP": "orientation", "v_WP": "velocity", "w_WP": "angular_velocity",
    "a_WP": "acceleration", "alpha_WP": "angular_acceleration",
}  # fmt: skip
"""Observables of frames by the names they have in a motion."""


class Sensing(Acting):
    """A sensor: it exerts nothing, and is asked only for what is told of a motion."""

    __slots__ = ()
    belongs: ClassVar[tuple[str, str]] = ("sensors", "sensor")

    name: str

    def sense(self, motion: Motion) -> Outputs:
        """What it tells; frames have also accelerations, ``a_WP`` and ``alpha_WP``."""
        raise NotImplementedError

    def parts(self) -> Iterator[tuple[str, Sensing]]:
        """Sensors that tell the same one by one. A label stands before the outputs of a part, which
        calls it ``PART`` itself; without one the part is whole."""
        yield "", self


@dataclass(frozen=True, slots=True)
class Told:
    """What a sensor reads and tells: frames, coordinates of joints, sizes and units by output."""

    frames: tuple[str, ...]
    coordinates: tuple[tuple[str, str | None], ...]
    outputs: Mapping[str, tuple[int, str]]


def told_by(sensor: Sensing) -> Told:
    """Found out by asking it at some motion, with ones for all its numbers."""
    frames: dict[str, Any] = {}
    coordinates: dict[tuple[str, str | None], tuple[float, float]] = {}

    def frame(reference: str) -> Any:
        return frames.setdefault(reference, _somewhere(len(frames)))

    def coordinate(joint: str, name: str | None) -> tuple[float, float]:
        return coordinates.setdefault((joint, name), (0.3, 0.1))

    motion: Any = SimpleNamespace(ops=NUMERIC, frame=frame, coordinate=coordinate,
                                  value=lambda formula, **_: 1.0)  # fmt: skip
    outputs = {n: (int(np.size(v)), unit) for n, (v, unit) in sensor.sense(motion).items()}
    return Told(tuple(frames), tuple(coordinates), outputs)


def _somewhere(k: int) -> Any:
    """A frame that moves, another one for each number."""
    c, s = np.cos(0.3 + 0.2 * k), np.sin(0.3 + 0.2 * k)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    vectors = {n: R @ (1.0 + k, 0.5 * k, 0.2) for n in TOLD_OF_FRAMES if n != "R_WP"}
    return SimpleNamespace(R_WP=R, **vectors)
