"""Sensitivities: derivatives of observables over time, and gradients of functionals."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.display import Plotted
from pliant.errors import UnknownName
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.registry import ABOVE
from pliant.writing import checked_target, replace_file, replace_text

if TYPE_CHECKING:
    import xarray


AT_THE_END = " at the end"
"""What is said behind an observable at the last sample."""


@dataclass(frozen=True)
class Sensitivities(Plotted):
    """Derivatives by ``parameters``, which stand at ``at``.

    ``values``: of observables (time, observable, parameter), of which ``nominal`` (time,
    observable) are the numbers; ``gradient``: of functionals (functional, parameter), of which
    ``value`` are the numbers. Components of vectors stand by themselves (``tip.position.x``).
    """

    time: Array
    observables: tuple[str, ...]
    parameters: tuple[str, ...]
    nominal: Array
    values: Array
    functionals: tuple[str, ...]
    value: Array
    gradient: Array
    at: Array
    units: Mapping[str, str] = field(default_factory=dict)
    """Of observables, functionals and parameters, as far as they are known."""
    info: Mapping[str, Any] = field(default_factory=dict)
    """Method, error, steps, seconds."""
    warnings: tuple[str, ...] = ()

    def unit(self, what: str, parameter: str) -> str:
        """That of a derivative; empty if it is not known."""
        own, per = (self.units.get(name) for name in (what, parameter))
        if own is None or per is None:
            return ""
        if per in ("", "1"):
            return own or "1"
        return (
            f"{own if own not in ('', '1') else '1'}/{f'({per})' if set('*/') & set(per) else per}"
        )

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Derivatives of an observable (time, parameter), or of a functional (parameter)."""
        import xarray

        coords: dict[str, Any] = {"parameter": list(self.parameters)}
        about = {"units": self.units.get(name, "")}
        if name in self.functionals:
            row = self.gradient[self.functionals.index(name)]
            return xarray.DataArray(row, coords, ["parameter"], name, about)
        if name not in self.observables:
            known = (*self.observables, *self.functionals)
            cure = did_you_mean(name, known) or f"known: {', '.join(known[:8])}"
            raise UnknownName(f"no sensitivities of '{name}'", cure)
        coords["time"] = ("time", self.time, {"units": "s"})
        own = self.values[:, self.observables.index(name)]
        return xarray.DataArray(own, coords, ["time", "parameter"], name, about)

    def relative(self) -> Sensitivities:
        """By relative changes: p ∂y/∂p, over the largest |y| of the observable or the value of the
        functional; 0.1 means that 1 % more of the parameter changes it by 0.1 %."""
        largest = np.abs(self.nominal).max(axis=0, initial=0.0)
        scale, size = (np.where(v > 0, v, 1.0) for v in (largest, np.abs(self.value)))
        return Sensitivities(
            self.time, self.observables, self.parameters, self.nominal,
            self.values * self.at / scale[:, None], self.functionals, self.value,
            self.gradient * self.at / size[:, None], self.at,
            dict.fromkeys(self.units, "1"), self.info, self.warnings,
        )  # fmt: skip

    def to_dataset(self) -> xarray.Dataset:
        """Everything as one data set: dimensions time, observable, functional, parameter."""
        import xarray

        coords = {
            "time": ("time", self.time, {"units": "s"}), "observable": list(self.observables),
            "functional": list(self.functionals), "parameter": list(self.parameters),
        }  # fmt: skip
        return xarray.Dataset(
            {
                "values": (("time", "observable", "parameter"), self.values),
                "nominal": (("time", "observable"), self.nominal),
                "gradient": (("functional", "parameter"), self.gradient),
                "value": (("functional",), self.value),
                "at": (("parameter",), self.at),
            },
            coords,
        )

    def save(self, path: str | Path) -> Path:
        """Everything as ``.nc``, or a row for each number and parameter as ``.csv`` (``rows``)."""
        target = checked_target(path, (".nc", ".csv"))
        if target.suffix.lower() == ".nc":
            return replace_file(target, lambda part: self.to_dataset().to_netcdf(part))
        with io.StringIO(newline="") as stream:
            table = csv.writer(stream)
            table.writerow(("what", "parameter", "value", "derivative", "relative", "unit"))
            table.writerows((*row, self._unit_of_row(row)) for row in self.rows())
            return replace_text(target, stream.getvalue())

    def as_dict(self) -> dict[str, Any]:
        """For machines: those of functionals, and of observables at the last sample."""
        keys = ("what", "parameter", "value", "derivative", "relative")
        return {
            "model": self.info.get("model"), "method": self.info.get("method"),
            "error": self.info.get("error"), "tables": dict(self.info.get("tables", {})),
            "at": dict(zip(self.parameters, self.at.tolist(), strict=True)),
            "units": dict(self.units), "warnings": list(self.warnings),
            "derivatives": [dict(zip(keys, row, strict=True)) | {"unit": self._unit_of_row(row)}
                            for row in self.rows()],
        }  # fmt: skip

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Any:
        """Derivatives over time, a curve for each parameter; bars of functionals; ``relative=True``
        those by relative changes. A figure of matplotlib, which is also written to ``path``."""
        return ABOVE["plot_sensitivities"](self, *names, path=path, **options)

    def _ipython_key_completions_(self) -> list[str]:
        return [*self.observables, *self.functionals]

    def __repr__(self) -> str:
        what = (*self.observables, *self.functionals)
        listed = ", ".join(what[:3]) + (", ..." if len(what) > 3 else "")
        return f"<pliant.Sensitivities: of {listed} by {', '.join(self.parameters)}>"

    def rows(self) -> list[tuple[str, str, float, float, float]]:
        """(what, parameter, value, derivative, relative) of functionals, and of observables at the
        last sample."""
        own = self.relative()
        found = []
        tables = [(self.functionals, self.value, self.gradient, own.gradient)]
        if len(self.time):
            ends = tuple(f"{name}{AT_THE_END}" for name in self.observables)
            tables.append((ends, self.nominal[-1], self.values[-1], own.values[-1]))
        for names, value, slope, relative in tables:
            for i, name in enumerate(names):
                for k, parameter in enumerate(self.parameters):
                    numbers = float(value[i]), float(slope[i, k]), float(relative[i, k])
                    found.append((name, parameter, *numbers))
        return found

    def _unit_of_row(self, row: Sequence[Any]) -> str:
        return self.unit(str(row[0]).removesuffix(AT_THE_END), row[1])

    def __str__(self) -> str:
        lines = [f"{'':38s}{'value':>14s}{'derivative':>16s}{'relative':>12s}  unit of derivative"]
        for name, parameter, value, slope, relative in self.rows():
            what = f"{name} by {parameter}"
            row = f"{what:38s}{value:14.6g}{slope:16.8g}{relative:12.4g}"
            lines.append(f"{row}  {self._unit_of_row((name, parameter))}".rstrip())
        tables = self.info.get("tables", {})
        if tables:
            sure = f"they agree to {max(tables.values()):.0e}"
            lines.append(f"tables of flexible bodies by differences: {', '.join(tables)} ({sure})")
        return "\n".join([*lines, *(f"warning: {text}" for text in self.warnings)])
