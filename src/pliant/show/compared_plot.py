"""Two results in one picture: a panel for each observable, one curve over the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pliant.errors import InputError
from pliant.results.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_compared(
    result: Result, *names: str, other: Result, labels: tuple[str, str] = ("first", "second"),
    title: str | None = None,
) -> Figure:  # fmt: skip
    """Observables of both: the first as a wide pale line, the second thin and dark above it, so
    that equal curves are both seen."""
    from matplotlib.figure import Figure

    chosen = [n for n in result.components(names) if n in other]
    if not chosen:
        raise InputError("plot: nothing that both results have", "name observables of both")
    figure = Figure(figsize=(8, 1.2 + 2.0 * len(chosen)), layout="constrained")
    axes = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
    for axis, name in zip(axes, chosen, strict=True):
        unit = result.unit(name) or other.unit(name)
        axis.plot(result.time, result.values(name), color="#f0a202", linewidth=3.5, label=labels[0])
        axis.plot(other.time, other.values(name), color="#1b4965", linewidth=1.2, label=labels[1])
        axis.set_ylabel(f"{name}\n{unit}" if unit and unit != "1" else name, fontsize="small")
        axis.grid(alpha=0.3)
    axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False,
                   fontsize="small")  # fmt: skip
    axes[-1].set_xlabel("time in s")
    name = str(result.info.get("model", ""))
    figure.suptitle(name if title is None else title, parse_math=False)
    for axis in axes:
        axis.yaxis.label.set_parse_math(False)  # names are shown as they are written
    return figure
