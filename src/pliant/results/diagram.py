"""Internal forces along a beam at some times: normal force, shear, torsion, bending, stress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.display import Plotted
from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.registry import ABOVE

if TYPE_CHECKING:
    from pliant.mechanics.values import Values
    from pliant.model.bodies import Beam
    from pliant.results.result import Result
    from pliant.results.series import Along

_SLACK = 1e-9
_COLUMNS = {"N": ("force", 0), "Qy": ("force", 1), "Qz": ("force", 2),
            "Mx": ("moment", 0), "My": ("moment", 1), "Mz": ("moment", 2)}  # fmt: skip
UNITS = {"N": "N", "Qy": "N", "Qz": "N", "Mx": "N*m", "My": "N*m", "Mz": "N*m"}


@dataclass(frozen=True, repr=False)
class Diagram(Plotted):
    """What the part beyond a section exerts on the part before it, in axes of the section.

    ``x`` are the stations; where loads act a station stands twice, first the side of the root.
    ``force`` (N, Qy, Qz) and ``moment`` (Mx, My, Mz) have the shape (times, stations, 3),
    ``stress`` (times, stations, points). ``unique``: whether N, Qy, Qz, Mx, My, Mz are determined
    by the constraints.
    """

    beam: str
    time: Array
    x: Array
    force: Array
    moment: Array
    stress: Array
    unique: tuple[bool, ...]

    def __getitem__(self, name: str) -> Array:
        """``N``, ``Qy``, ``Qz``, ``Mx``, ``My`` or ``Mz``: (times, stations), or (stations) of one
        time."""
        if name not in _COLUMNS:
            raise UnknownName(f"diagram: nothing is named '{name}'", did_you_mean(name, _COLUMNS))
        return self.of(name)[0] if len(self.time) == 1 else self.of(name)

    def of(self, name: str) -> Array:
        """The same as (times, stations)."""
        part, k = _COLUMNS[name]
        values: Array = getattr(self, part)[:, :, k]
        return values

    def _ipython_key_completions_(self) -> list[str]:
        return [*_COLUMNS]

    def __str__(self) -> str:
        times = f"t = {self.time[0]:g}" + (f"..{self.time[-1]:g}" if len(self.time) > 1 else "")
        lines = [f"internal forces of {self.beam} at {times} s, {len(self.x)} stations"]
        for name in self.carried:
            worst = np.unravel_index(np.argmax(np.abs(self.of(name))), self.of(name).shape)
            value, at = self.of(name)[worst], self.x[worst[1]]
            lines.append(f"  {name:2s} {value:12.6g} {UNITS[name]:3s} at x = {at:.4g} m, "
                         f"t = {self.time[worst[0]]:g} s")  # fmt: skip
        return "\n".join(lines)

    @property
    def carried(self) -> tuple[str, ...]:
        """Those that are not zero anywhere."""
        most = {name: float(np.abs(self[name]).max(initial=0.0)) for name in _COLUMNS}
        size = {unit: max(m for n, m in most.items() if UNITS[n] == unit) for unit in ("N", "N*m")}
        return tuple(n for n, m in most.items() if m > 1e-9 * size[UNITS[n]])

    def plot(self, path: str | Path | None = None, **options: Any) -> Any:
        """Plot them along the beam; returns the matplotlib figure."""
        return ABOVE["plot_diagram"](self, path=path, **options)


def diagram_of(
    result: Result, body: str, at: float | Sequence[float] | None, stations: Sequence[float] | None
) -> Diagram:
    """See ``Result.diagram``."""
    beam, values = _beam(result, body)
    times, length, grid = _times(result, at), values.number(beam.length), result.time
    places = None if stations is None else [float(x) for x in stations]
    wrong = [x for x in places or () if not -_SLACK * length <= x <= (1 + _SLACK) * length]
    if wrong:
        raise InputError(f"diagram: x = {wrong[0]:g} m is not on '{body}'",
                         f"give places from 0 to {length:g} m")  # fmt: skip
    last = len(grid) - 1
    before = np.clip(np.searchsorted(grid, times, side="right") - 1, 0, max(last - 1, 0))
    after = np.minimum(before + 1, last)
    span = np.where(after > before, grid[after] - grid[before], 1.0)
    share = np.clip((times - grid[before]) / span, 0.0, 1.0)[:, None, None]
    rows = np.unique([before, after])
    first, second = np.searchsorted(rows, before), np.searchsorted(rows, after)
    told = _teller(result, beam, values)(body, rows.tolist(), places)

    def between(values: Array) -> Array:
        return np.asarray((1 - share) * values[first] + share * values[second])

    return replace(told, time=times, force=between(told.force), moment=between(told.moment),
                   stress=between(told.stress))  # fmt: skip


def sections_of(
    result: Result, body: str, rows: Sequence[int], stations: Sequence[float]
) -> Diagram:  # fmt: skip
    """What sections of a beam pass on at some samples, at places along it."""
    beam, values = _beam(result, body)
    return _teller(result, beam, values)(body, rows, stations)


def _teller(result: Result, beam: Beam, values: Values) -> Along:
    large = beam.theory.large
    return _of_elements(result, beam, values) if large else _along(result, beam.name)


def _along(result: Result, body: str) -> Along:
    found = None if result.recorded is None else result.recorded.diagram
    if found is None:
        raise InputError(f"diagram: this result does not tell internal forces along '{body}'",
                         "run the model by expressions, with fewer samples if there are millions, "
                         "and save it as .nc")  # fmt: skip
    return found


def _of_elements(result: Result, beam: Beam, values: Values) -> Along:
    """Of a beam of large rotation: at its ends and at the Gauss points of its elements."""

    def tell(body: str, rows: Sequence[int], stations: Sequence[float] | None) -> Diagram:
        from pliant.flex.from_model import beam_of
        from pliant.flex.integrals import normal_stress
        from pliant.flex.rewriting.model import expanded
        from pliant.mechanics.values import Values

        params, length = result.info.get("params"), values.number(beam.length)
        cut = expanded(values.model, params)
        number, names, x, start = Values.of(cut, params).number, [f"{body}.root"], [0.0], 0.0
        elements: Mapping[str, Any] = cut.forces
        for element in elements.values():
            if element.is_elastic and cut.origin.get(element.name) == body:
                own = number(element.length)
                x += [start + own * share for share in element.told_at]
                names += [f"{element.name}.{k + 1}" for k in range(len(element.told_at))]
                start += own
        names, x = [*names, f"{body}.tip"], [*x, length]
        table = np.stack([_read(result, name)[rows] for name in names], axis=1)
        if stations is not None:
            columns = [[np.interp(stations, x, c) for c in row.T] for row in table]
            table = np.array(columns).swapaxes(1, 2)
            x = [*stations]
        described = beam_of(beam, values.number, values.model.materials)
        per_load = [normal_stress(described, np.eye(6), place) for place in x]
        stress = np.zeros((*table.shape[:2], 0))
        if per_load[0] is not None:
            stress = np.einsum("ski,tsi->tsk", np.array(per_load), table)
        return Diagram(body, np.zeros(len(rows)), np.array(x), table[:, :, :3], table[:, :, 3:],
                       stress, (True,) * 6)  # fmt: skip

    return tell


def _read(result: Result, name: str) -> Array:
    """Force and moment at an end, or at a point of an element, at all samples."""
    owner, _, point = name.rpartition(".")
    where, k = (owner, point) if point.isdigit() else (name, "")
    parts = [result.values(f"{where}.internal_{what}{k}") for what in ("force", "moment")]
    return np.concatenate(parts, axis=1)


def _beam(result: Result, name: str) -> tuple[Beam, Values]:
    """A beam that has sections, with the numbers of its model."""
    from pliant.mechanics.values import Values
    from pliant.model.files import loads

    if not result.model:
        raise InputError("diagram: this result does not hold its model", "save it as .nc")
    model = loads(result.model)
    if name not in model.bodies:
        raise UnknownName(f"no body '{name}'", did_you_mean(name, model.bodies))
    if name not in model.beams:
        known = f"beams: {', '.join(model.beams)}" if model.beams else "the model has none"
        raise InputError(f"diagram: '{name}' is not a beam", known)
    beam = model.beams[name]
    if beam.theory.segments is not None:
        raise InputError(f"diagram: '{name}' is cut into segments",
                         f"look at its hinges ({name}:h1.force) and the springs there")  # fmt: skip
    return beam, Values.of(model, result.info.get("params"))


def _times(result: Result, at: float | Sequence[float] | None) -> Array:
    grid = result.time
    if not len(grid):
        raise InputError("diagram: the result is empty", "nothing can be shown")
    if at is None:
        return np.array(grid[-1:])
    wanted: Array = np.atleast_1d(np.asarray(at, dtype=np.float64))
    slack = _SLACK * max(abs(grid[0]), abs(grid[-1]))
    outside = wanted[~((wanted >= grid[0] - slack) & (wanted <= grid[-1] + slack))]
    if not wanted.size or outside.size:
        raise InputError(f"diagram: at {', '.join(f'{t:g}' for t in outside) or 'no time'} s",
                         f"give times from {grid[0]:g} to {grid[-1]:g} s")  # fmt: skip
    return np.clip(wanted, grid[0], grid[-1])
