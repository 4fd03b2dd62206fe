"""Kinds of pictures of results, registered in ``PLOTS``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.arguments import refuse_unknown
from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.registry import Registry
from pliant.results.result import Result
from pliant.show import time_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Plot:
    """A kind of picture; ``draw(result, *names, **options)`` gives a figure of matplotlib."""

    name: str
    draw: Callable[..., Figure]


def _shape(result: Result, body: str, **options: Any) -> Figure:
    from pliant.show.shape_plot import plot_shape

    return plot_shape(result, body, **options)


def _compared(result: Result, *names: str, **options: Any) -> Figure:
    from pliant.show.compared_plot import plot_compared

    return plot_compared(result, *names, **options)


def _diagram(result: Result, body: str, *, at: Any = None, **options: Any) -> Figure:
    from pliant.show.diagram_plot import plot_diagram

    return plot_diagram(result.diagram(body, at), **options)


PLOTS: Registry[Plot] = Registry(
    Plot,
    (
        Plot("time", time_plot.plot),
        Plot("shape", _shape),
        Plot("diagram", _diagram),
        Plot("compared", _compared),
    ),
)


def plot(
    result: Result, *names: str, kind: str = "time", path: str | Path | None = None, **options: Any
) -> Figure:
    """A picture of this kind; with ``path`` it is also written (.png, .svg or .pdf)."""
    if kind not in PLOTS:
        raise InputError(f"plot: unknown kind '{kind}'",
                         did_you_mean(kind, PLOTS) or f"known: {', '.join(PLOTS)}")  # fmt: skip
    refuse_unknown(PLOTS[kind].draw, options)
    figure = PLOTS[kind].draw(result, *names, **options)
    if path is not None:
        time_plot.write(figure, Path(path))
    return figure
