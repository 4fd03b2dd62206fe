"""ModesResult: natural frequencies, damping and shapes of small motions."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pliant.arrays import Array, Complex
from pliant.display import Plotted
from pliant.errors import InputError
from pliant.records import dataclass
from pliant.registry import ABOVE
from pliant.results.result import Result
from pliant.writing import checked_target, replace_text

_COLUMNS = ("mode", "frequency", "omega", "damping", "growth", "label")


@dataclass(frozen=True, slots=True)
class Mode:
    """One small motion Re(shape e^(st)).

    ``shape`` has one entry per coordinate, the largest is 1; ``shares`` says which coordinates
    hold its energy.
    """

    number: int
    eigenvalue: complex
    """s, in 1/s."""
    label: str
    rigid: bool
    shape: Complex = field(repr=False)
    shares: Array = field(repr=False)

    @property
    def omega(self) -> float:
        """Circular frequency at which it swings, |Im s|, in rad/s."""
        return abs(self.eigenvalue.imag)

    @property
    def frequency(self) -> float:
        """Frequency in Hz."""
        return self.omega / (2 * np.pi)

    @property
    def damping(self) -> float:
        """Damping ratio -Re s / |s|; negative if it grows, 0 for a rigid motion."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size + 0.0 if size else 0.0

    @property
    def stable(self) -> bool:
        """Whether it does not grow."""
        return self.eigenvalue.real <= 0.0

    def row(self) -> dict[str, Any]:
        """Number, frequency, damping, growth rate and label."""
        values = (self.number, self.frequency, self.omega, self.damping, self.eigenvalue.real)
        return dict(zip(_COLUMNS, (*values, self.label), strict=True))


@dataclass(frozen=True, repr=False)
class ModesResult(Plotted):
    """Modes of one model, slowest first (rigid motions before all others)."""

    modes: tuple[Mode, ...]
    coordinates: tuple[str, ...]
    """Names of the entries of a shape."""
    info: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    about: Result | None = field(default=None, repr=False)
    """The state they are about."""
    mover: Callable[[Mode, int, float, float | None], Result] | None = field(
        default=None, repr=False, compare=False
    )
    """Frames of a moving mode; of the model, so it does not travel with the result."""

    def warned(self, warnings: Iterable[str]) -> ModesResult:
        """The same with further warnings before its own."""
        return replace(self, warnings=(*warnings, *self.warnings))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "mover": None}

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __getitem__(self, index: int) -> Mode:
        return self.modes[index]

    @property
    def eigenvalues(self) -> Complex:
        """s of every mode, in 1/s."""
        return np.array([m.eigenvalue for m in self.modes], dtype=np.complex128)

    @property
    def frequencies(self) -> Array:
        """Frequencies in Hz."""
        return np.array([m.frequency for m in self.modes])

    @property
    def omega(self) -> Array:
        """Circular frequencies in rad/s."""
        return np.array([m.omega for m in self.modes])

    @property
    def damping(self) -> Array:
        """Damping ratios."""
        return np.array([m.damping for m in self.modes])

    @property
    def labels(self) -> tuple[str, ...]:
        """What moves most in each mode."""
        return tuple(m.label for m in self.modes)

    @property
    def shapes(self) -> Complex:
        """Columns of shapes, one row per coordinate."""
        columns = [m.shape for m in self.modes]
        return np.array(columns, dtype=np.complex128).reshape(len(self), len(self.coordinates)).T

    @property
    def stable(self) -> bool:
        """Whether no mode grows."""
        return all(m.stable for m in self.modes)

    def __str__(self) -> str:
        head = f"{self.info.get('model') or 'model'}: {len(self)} modes {self.info.get('about')}"
        lines = [head, f"{'mode':>4s} {'Hz':>12s} {'rad/s':>12s} {'damping':>10s}  label"]
        for m in self.modes:
            grows = "" if m.stable else f"  GROWS at {m.eigenvalue.real:.4g} 1/s"
            lines.append(f"{m.number:4d} {m.frequency:12.6g} {m.omega:12.6g} {m.damping:10.4g}  "
                         f"{m.label}{grows}")  # fmt: skip
        return "\n".join([*lines, *(f"  warning: {w}" for w in self.warnings)])

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        rows = [
            {**m.row(), "rigid": m.rigid, "eigenvalue": [m.eigenvalue.real, m.eigenvalue.imag],
             "shape": {n: [v.real, v.imag] for n, v in zip(self.coordinates, m.shape, strict=True)}}
            for m in self.modes
        ]  # fmt: skip
        return {"model": self.info.get("model"), "at": self.info.get("at"), "modes": rows,
                "warnings": list(self.warnings)}  # fmt: skip

    def to_csv(self, path: str | Path) -> None:
        """One row per mode: the table, then the shape (real and imaginary parts if complex)."""
        path = checked_target(path, (".csv",))
        real = bool(np.all(self.shapes.imag == 0))
        names = [n if real else f"{n}.{part}" for n in self.coordinates
                 for part in (("re",) if real else ("re", "im"))]  # fmt: skip
        file = io.StringIO(newline="")
        writer = csv.writer(file)
        writer.writerow([*_COLUMNS, *names])
        for m in self.modes:
            parts = m.shape.real if real else m.shape.view(np.float64)
            writer.writerow([*(_text(v) for v in m.row().values()), *map(_text, parts)])
        replace_text(path, file.getvalue())

    def plot(self, path: str | Path | None = None, **options: Any) -> Any:
        """A panel for each mode, the mechanism in it deformed, with frequency and damping; with
        ``kind="heat"`` frequencies beside a table of the coordinates that move. ``modes``: numbers
        of those to draw; ``axes``: where to draw, ``title``. Gives axes of matplotlib."""
        return ABOVE["plot_modes"](self, path=path, **options)

    def animate(
        self, mode: int, *, samples: int = 61, duration: float = 2.0, amplitude: float | None = None
    ) -> Result:
        """One cycle of a mode (numbered from 1) as a result that can be plotted and reported.

        The cycle takes ``duration`` seconds, whatever its frequency. ``amplitude`` multiplies the
        shape; by default the motion is about a tenth of the size of the mechanism.
        """
        if self.mover is None:
            raise InputError("modes: this copy does not hold the model", "compute the modes again")
        return self.mover(self._numbered(mode), samples, duration, amplitude)

    def _numbered(self, mode: int) -> Mode:
        if not 1 <= mode <= len(self):
            raise InputError(f"mode {mode}: there are modes 1 to {len(self)}")
        return self.modes[mode - 1]

    def report(self, path: str | Path, mode: int | None = None, **options: Any) -> Path:
        """Write the moving page: one HTML file with all modes, one of which is chosen from a list
        and swings, or with one mode. ``title``, ``plots`` and ``meshes`` as in ``Result.report``.
        """
        written: Path = ABOVE["report_modes"](self, path, mode, **options)
        return written


def _text(value: Any) -> str:
    return f"{float(value):.17g}" if isinstance(value, float | np.floating) else str(value)
