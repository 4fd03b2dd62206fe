"""Observables over time: one panel per quantity, every curve labelled."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import InputError
from pliant.results.result import Result
from pliant.writing import checked_target, replace_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_PANELS = 6
_ENDINGS = (".png", ".svg", ".pdf")


def plot(
    result: Result, *names: str, path: str | Path | None = None, title: str | None = None
) -> Figure:
    """Plot observables, components or whole vectors; by default coordinates and energies.

    With ``path`` the figure is also written (.png, .svg or .pdf).
    """
    from matplotlib.figure import Figure

    for name in names:
        result.unit(name)  # an unknown name is reported here
    result = result.also(n for name in names for n in (name, name.rpartition(".")[0]))
    panels: dict[str, list[str]] = {}
    for name in result.components(names or default_names(result)):
        panels.setdefault(_quantity(result, name), []).append(name)
    if not panels:
        raise InputError("plot: nothing to plot", "name an observable")
    figure = Figure(figsize=(8, 1.2 + 2.2 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    over, label = result.time, "part of a swing" if "critical_load" in result.info else "time in s"
    loads = result.series.get("load_factor")
    if loads is not None and np.ptp(loads.values) > 0:  # along a path of equilibria
        over, label = loads.values, "load factor"
    for axis, (quantity, curves) in zip(axes, panels.items(), strict=True):
        for name in curves:
            axis.plot(over, result.values(name), label=name, linewidth=1.4)
        axis.set_ylabel(quantity)
        axis.grid(alpha=0.3)
        axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small", frameon=False)
        for event in result.events:
            axis.axvline(event.time, color="0.6", linestyle=":", linewidth=1)
    axes[-1].set_xlabel(label)
    name = str(result.info.get("model", ""))
    figure.suptitle(name if title is None else title, parse_math=title is not None)
    if path is not None:
        write(figure, Path(path))
    return figure


def default_names(result: Result) -> tuple[str, ...]:
    """Joint coordinates and rates, driving efforts, deflections, energies: a first look."""
    kinds = ("coordinate", "rate", "effort", "reaction")
    bent = [
        f"{n}.{x}" for n, s in result.series.items() if n.endswith(".mid.deflection")
        for k, x in enumerate(s.labels) if k and np.any(s.values[:, k])
    ]  # fmt: skip
    drivers = [
        n
        for n, s in result.series.items()
        if s.kind in kinds and not s.labels and not (bent and not s.unit)
    ] + bent  # deflections say more than elastic coordinates, which have no unit
    totals = ("kinetic_energy", "potential_energy", "energy")
    stored = [n for n, s in result.series.items() if n.endswith(".energy") and s.kind == "energy"]
    energies = [n for n in (*totals, *stored) if n in result.series and np.any(result.values(n))]
    names = (drivers or list(result.columns())[:8]) + energies
    panels: list[str] = []
    chosen = []
    for name in names:
        quantity = _quantity(result, name)
        if quantity not in panels:
            panels.append(quantity)
        if panels.index(quantity) < _MOST_PANELS:
            chosen.append(name)
    return tuple(chosen)


def _quantity(result: Result, name: str) -> str:
    """What a panel shows, with its unit; deflections are small beside other lengths and angles."""
    unit = result.unit(name)
    series = result.series.get(name) or result.series[name.rpartition(".")[0]]
    if series.kind == "deflection":
        return f"{'deflection' if unit == 'm' else 'rotation'} in {unit}"
    words = {
        "m": "length", "rad": "angle", "m/s": "velocity", "rad/s": "rate", "N": "force",
        "N*m": "torque", "J": "energy", "W": "power",
        "V": "voltage", "A": "current", "C": "charge", "Pa": "pressure", "m^3/s": "flow",
        "K": "temperature", "m/s^2": "acceleration",
        "rad/s^2": "angular acceleration", "kg*m/s": "momentum", "kg*m^2/s": "angular momentum",
    }  # fmt: skip
    if unit in ("", "1"):
        return ""
    return f"{words[unit]} in {unit}" if unit in words else unit


def write(figure: Any, path: Path) -> None:
    """Write a figure, by the ending of the name."""
    write_figure(figure, checked_target(path, _ENDINGS), dpi=120)


def write_figure(figure: Any, path: Path, dpi: float) -> None:
    """Write a figure whole or not at all, by the ending of the name."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=dpi)
    replace_bytes(path, drawn.getbuffer())
