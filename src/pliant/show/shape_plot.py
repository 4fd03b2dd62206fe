"""The deformed axis of a beam at some times, in the axes of its chord or of one of its ends.

Bodies with given modes are drawn by their nodes instead, in their floating frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, UnknownName
from pliant.flex.data import FrameData
from pliant.mechanics.values import Values
from pliant.model.bodies import Deformable
from pliant.model.bodies.mode_file import read_modes
from pliant.model.files import loads
from pliant.model.frozen import did_you_mean
from pliant.model.model import Model
from pliant.results.result import Result
from pliant.show.curves.panels import Panels, given, stacked, write
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import exponential

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ABOUT = ("chord", "root", "tip")
_POINTS = 101
_TIMES = 5
_NONE = 1e-9
"""Deflections below this part of the length are none."""
_SHARE = 0.1
"""Of the size of the body: how large displacements are drawn if no factor is asked for."""


def plot_shape(
    result: Result,
    body: str,
    *,
    times: Sequence[float] | None = None,
    magnification: float | None = None,
    about: str = "chord",
    axes: Any = None,
    path: str | Path | None = None,
    title: str | None = None,
) -> Panels:
    """Plot the deflection along a beam, one curve for each time, or the nodes of given modes.

    ``about`` says where the undeformed beam lies: along the ``chord`` between its ends, or at its
    ``root`` or ``tip``, along the tangent there. Deflections have a scale of their own; with
    ``magnification`` they are multiplied by it and drawn to the same scale as the length.

    Of a body with given modes nodes are drawn in its floating frame, with the ``lines`` of its
    file. Without ``magnification`` a factor is chosen that shows the deformation; ``axes`` of these
    are three-dimensional.
    """
    if magnification is not None and not magnification > 0:
        raise InputError(f"plot_shape: magnification is {magnification}", "give a positive factor")
    at = _times(result, times)
    found = _body(result, body)
    if found.by_nodes:
        places = [_of_nodes(result, found, at, magnification, about, axes)]
    else:
        places = _of_axis(result, body, at, magnification, about, axes)
    figure: Any = places[0].figure
    if axes is None or title is not None:
        figure.suptitle(title if title is not None else body)
    if path is not None:
        write(figure, Path(path))
    return Panels(places)


def _of_nodes(
    result: Result, body: Deformable, at: Array, magnification: float | None, about: str, axes: Any
) -> Axes:
    if about != "chord":
        raise InputError(f"plot_shape: '{body.name}' has no {about}",
                         "leave about away: given modes are shown in their frame")  # fmt: skip
    data = _values(result).tables(body.name).data
    q = _elastic_coordinates(result, body.name, data.names, at)
    frames = [data.frame(node) for node in range(body.nodes)]
    p0 = np.array([f.p0 for f in frames])
    points = np.stack([f.positions(q) for f in frames], axis=1)
    factor = clear_factor(p0, points) if magnification is None else magnification
    given = (read_modes(path) for path in body.files)
    lines = next((a["lines"] for a in given if "lines" in a), np.zeros((0, 2)))
    return draw_nodes(p0, points, lines, [f"{t:.4g} s" for t in at], factor, axes)


def _of_axis(
    result: Result, body: str, at: Array, magnification: float | None, about: str, axes: Any
) -> list[Axes]:
    from matplotlib import colormaps

    shapes = axis_shapes(result, body, at, about=about)
    across = [k for k in (1, 2) if np.abs(shapes[:, :, k]).max() > _NONE * shapes[0, -1, 0]] or [1]
    places = stacked(len(across), height=2.6)[1] if axes is None else given(axes, len(across))
    factor = 1.0 if magnification is None else magnification
    colors = colormaps["viridis"](np.linspace(0.0, 0.9, len(at)))
    for axis, k in zip(places, across, strict=True):
        for t, shape, color in zip(at, shapes, colors, strict=True):
            axis.plot(shape[:, 0], factor * shape[:, k], label=f"{t:.4g} s", color=color)
        times_factor = "" if factor == 1 else f" × {factor:g}"
        axis.set_ylabel(f"{'xyz'[k]} deflection{times_factor} in m")
        axis.axhline(0, color="0.5", linewidth=0.8, linestyle=":")
        axis.grid(alpha=0.3)
        if magnification is not None:
            axis.set_aspect("equal", adjustable="datalim")
        axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small", frameon=False)
    along = "chord" if about == "chord" else f"tangent at the {about}"
    places[-1].set_xlabel(f"along the {along} in m")
    return places


def axis_shapes(
    result: Result, body: str, times: Sequence[float] | Array, *, about: str = "chord"
) -> Array:
    """Points of the deformed axis, (times, points, 3): x along the axes ``about``, then y and z."""
    if about not in ABOUT:
        raise InputError(f"plot_shape: about is '{about}'", did_you_mean(about, ABOUT))
    if _body(result, body).by_nodes:
        raise InputError(f"plot_shape: '{body}' is not a beam", "its nodes can be plotted")
    values = _values(result)
    data, length = values.tables(body).data, values.number(values.model.beams[body].length)
    at = np.asarray(times, dtype=np.float64)
    q = _elastic_coordinates(result, body, data.names, at)
    frames = [data.frame(x) for x in np.linspace(0.0, length, _POINTS)]
    points = np.stack([frame.positions(q) for frame in frames], axis=1)
    for k in range(len(q)):
        origin, R = _axes(points[k], frames, q[k], about)
        points[k] = (points[k] - origin) @ R
        if about == "tip":
            points[k, :, 0] += length
    return points


def _model(result: Result) -> Model:
    if not result.model:
        raise InputError("plot_shape: this result does not hold its model", "save it as .nc")
    return loads(result.model)


def _body(result: Result, name: str) -> Deformable:
    """A body that deforms."""
    model = _model(result)
    if name not in model.bodies:
        raise UnknownName(f"no body '{name}'", did_you_mean(name, model.bodies))
    deform = {n: b for n, b in model.elastic.items() if b.flexible}
    if name not in deform:
        known = f"bodies that deform: {', '.join(deform)}" if deform else "the model has none"
        raise InputError(f"plot_shape: '{name}' does not deform", known)
    return deform[name]


def _values(result: Result) -> Values:
    return Values.of(_model(result), result.info.get("params"))


def _elastic_coordinates(result: Result, body: str, names: Sequence[str], times: Array) -> Array:
    """(times, n), linear between samples."""
    names = [f"{body}.{c}" for c in names]
    missing = [name for name in names if name not in result]
    if missing:
        raise InputError(f"plot_shape: not observed: {', '.join(missing)}",
                         "leave out outputs, or add them")  # fmt: skip
    return np.stack([np.interp(times, result.time, result.values(n)) for n in names], axis=1)


def _axes(points: Array, frames: Sequence[FrameData], q: Array, about: str) -> tuple[Array, Array]:
    """Origin and axes in which the undeformed beam lies along x."""
    if about != "chord":
        end = 0 if about == "root" else -1
        bend = exponential(NUMERIC, frames[end].psi @ q, (True, True, True))
        twist = exponential(NUMERIC, np.array([frames[end].phi @ q, 0, 0]), (True, False, False))
        return points[end], np.asarray(bend @ twist)
    x = points[-1] - points[0]
    x = x / np.linalg.norm(x)
    z = np.array([0.0, 0.0, 1.0]) - x[2] * x
    z = z / np.linalg.norm(z)
    return points[0], np.stack([x, np.cross(z, x), z], axis=1)


def _times(result: Result, times: Sequence[float] | None) -> Array:
    if not len(result):
        raise InputError("plot_shape: the result is empty", "nothing can be shown")
    first, last = result.time[0], result.time[-1]
    if times is None:
        return np.unique(np.linspace(first, last, _TIMES))
    wanted: Array = np.atleast_1d(np.asarray(times, dtype=np.float64))
    slack = 1e-9 * (last - first)
    outside = wanted[(wanted < first - slack) | (wanted > last + slack) | np.isnan(wanted)]
    if not wanted.size or outside.size:
        raise InputError(f"plot_shape: times {list(map(float, outside))}",
                         f"give times from {first:g} to {last:g} s")  # fmt: skip
    return wanted


__all__ = ["axis_shapes", "plot_shape"]


def clear_factor(p0: Array, points: Array) -> float:
    """1, 2 or 5 times a power of ten: displacements are drawn up to a tenth of the body."""
    largest = float(np.linalg.norm(points - p0, axis=-1).max(initial=0.0))
    size = float(np.linalg.norm(np.ptp(p0, axis=0)))
    if largest <= 1e-12 * size:
        return 1.0
    wanted = _SHARE * size / largest
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(power * max(step for step in (1, 2, 5) if step * power <= wanted * (1 + 1e-9)))


def draw_nodes(
    p0: Array, points: Array, lines: Array, labels: list[str], factor: float, given_axes: Any = None
) -> Axes:
    """Undeformed nodes in grey, then one colour for each time; lines join nodes."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    axes: Any
    if given_axes is None:
        axes = Figure(figsize=(8, 5), layout="constrained").add_subplot(
            projection="3d", proj_type="ortho"
        )
    elif not hasattr(axes := given(given_axes, 1)[0], "set_zlabel"):
        raise InputError("plot_shape: nodes are drawn in three dimensions",
                         "give axes made with projection='3d'")  # fmt: skip
    colors = colormaps["viridis"](np.linspace(0.0, 0.9, len(points)))
    shown = [p0, *(p0 + factor * (p - p0) for p in points)]
    for p, color, label in zip(shown, ["0.7", *colors], ["undeformed", *labels], strict=True):
        for a, b in lines.astype(int):
            axes.plot(*p[[a, b]].T, color=color, linewidth=1)
        axes.plot(*p.T, linestyle="", marker="o", markersize=3, color=color, label=label)
    axes.set_aspect("equal")
    spans = {k: float(np.ptp(getattr(axes, f"get_{k}lim")())) for k in "xyz"}
    for k, span in spans.items():  # names, and as many numbers as an axis is long
        axis, share = getattr(axes, f"{k}axis"), span / max(spans.values())
        axis.set_major_locator(MaxNLocator(max(1, round(5 * share))))
        axis.set_tick_params(labelsize="small")
        getattr(axes, f"set_{k}label")(f"{k} in m", labelpad=4 + 10 * share)
    axes.legend(loc="center left", bbox_to_anchor=(1.05, 0.5), fontsize="small", frameon=False)
    if factor != 1:
        axes.set_title(f"displacements × {factor:g}", fontsize="small")
    return axes  # type: ignore[no-any-return]
