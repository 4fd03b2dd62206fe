"""Kinds of pictures of results, registered in ``PLOTS``."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.arguments import refuse_unknown
from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.registry import Registry
from pliant.results.result import Result
from pliant.show import time_plot
from pliant.show.curves.panels import Panels, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Plot:
    """A kind of picture; ``draw(result, *names, **options)`` gives a figure of matplotlib, or the
    axes that it was given by ``axes``."""

    name: str
    draw: Callable[..., Panels | Figure]


def _shape(result: Result, *bodies: str, axes: Any = None, **options: Any) -> Panels:
    from pliant.show.shape_plot import plot_shape

    return plot_shape(result, _only("shape", bodies), axes=axes, **options)


def _rest(result: Result, *names: str, axes: Any = None, **options: Any) -> Panels:
    from pliant.show.shapes.rest import plot_rest

    return plot_rest(result, *names, axes=axes, **options)


def _diagram(
    result: Result, *bodies: str, at: Any = None, axes: Any = None, **options: Any
) -> Panels:
    from pliant.show.diagram_plot import plot_diagram

    return plot_diagram(result.diagram(_only("diagram", bodies), at), axes=axes, **options)


def _only(kind: str, bodies: tuple[str, ...]) -> str:
    """The body that is drawn."""
    if len(bodies) != 1:
        raise InputError(f"plot: kind '{kind}' draws one body", "name it")
    return bodies[0]


def _has_bodies(result: Result) -> bool:
    """Whether it can be drawn as a mechanism."""
    return bool(result.model) and any(n.endswith(".position") for n in result.names())


PLOTS: Registry[Plot] = Registry(
    Plot,
    (
        Plot("time", time_plot.plot),
        Plot("shape", _shape),
        Plot("diagram", _diagram),
        Plot("rest", _rest),
    ),
)


def plot(
    result: Result, *names: str, kind: str | None = None, path: str | Path | None = None,
    axes: Any = None, **options: Any,
) -> Panels:  # fmt: skip
    """A picture of this kind, in ``axes`` if they are given; with ``path`` it is also written
    (.png, .svg or .pdf). Without a kind an equilibrium is drawn as a mechanism, unless observables
    are named, all else over time."""
    if kind is None:
        drawable = not names and not options.keys() - {"title"}
        kind = "rest" if drawable and "stability" in result.info and _has_bodies(result) else "time"
    if kind not in PLOTS:
        raise InputError(f"plot: unknown kind '{kind}'",
                         did_you_mean(kind, PLOTS) or f"known: {', '.join(PLOTS)}")  # fmt: skip
    draw = PLOTS[kind].draw
    if axes is not None:
        if "axes" not in signature(draw).parameters:
            raise InputError(f"plot: kind '{kind}' does not draw in given axes", "leave them out")
        options["axes"] = axes
    refuse_unknown(draw, options)
    drawn = draw(result, *names, **options)
    panels = drawn if isinstance(drawn, Panels) else Panels(drawn.axes)
    if path is not None:
        write(panels.figure, Path(path))
    return panels
