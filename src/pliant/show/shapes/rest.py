"""An equilibrium: deformed over undeformed, forces and reactions as arrows, the way of the load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.registry import ABOVE
from pliant.results.result import Result
from pliant.show.colours import CURVES, FORCE, GRID_STRONG, MOMENT, REACTION, TORQUE
from pliant.show.curves.panels import Panels, given, write
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.shape_plot import clear_factor
from pliant.show.shapes.drawn import drawn, put

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE, _DPI = (960, 720), 120
_ARROWS = {("applied", "force"): FORCE, ("applied", "torque"): TORQUE,
           ("reaction", "force"): REACTION, ("reaction", "torque"): MOMENT}  # fmt: skip


def plot_rest(
    result: Result, *names: str, arrows: Sequence[str] = ("applied", "reaction"),
    magnification: float | None = None, axes: Any = None, path: str | Path | None = None,
    title: str | None = None,
) -> Panels:  # fmt: skip
    """The last equilibrium over the position before it, in grey; ``arrows`` of ``applied`` loads
    and of each ``reaction``. Along a path of loads a second panel shows what the load factor
    does to ``names`` (the displacement that is largest at the end).

    Deflections are drawn larger by ``magnification`` (as large as it is well seen). ``axes``: one,
    along a path two. With ``path`` the figure is also written.
    """
    if not len(result):
        raise InputError(f"plot: the result is empty: {result.failure}", "nothing can be shown")
    loads = result.series.get("load_factor")
    along = loads is not None and len(result) > 1
    places = _new(1 + along) if axes is None else given(axes, 1 + along)
    mechanism = Mechanism(_beside(result))
    before, after = Instant(0, 0.0), Instant(len(result), 0.0)
    factor = _clear(mechanism, before, after) if magnification is None else magnification
    image = drawn(mechanism, after, before, _SIZE, arrows=arrows, magnification=factor)
    put(places[0], image, _said(result, factor))
    _tell_arrows(places[0], mechanism, arrows, len(result))
    if along:
        _load_path(places[1], result, _named(result, names) or [_farthest(mechanism)])
    figure: Any = places[0].figure
    if axes is None or title is not None:
        name = str(result.info.get("model", "")) if title is None else title
        figure.suptitle(name, parse_math=title is not None)
    if path is not None:
        write(figure, Path(path))
    return Panels(places)


def _new(count: int) -> list[Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_SIZE[0] / _DPI * (1 + 0.6 * (count - 1)), _SIZE[1] / _DPI + 1.0),
                    layout="constrained")  # fmt: skip
    ratios = (1.0, 0.6)[:count]
    return list(figure.subplots(1, count, squeeze=False, width_ratios=ratios)[0])


def _beside(result: Result) -> Result:
    """The start, without load, then the equilibria."""
    start = ABOVE["start_of"](result)
    arrows = [n for n in result.names() if n.endswith((".force", ".torque"))]
    whole = result.also([*start.series, *arrows])
    series = {}
    for name, s in whole.series.items():
        first = start.series[name].values if name in start.series else 0 * s.values[:1]
        series[name] = replace(s, values=np.concatenate([first, s.values]))
    time = np.concatenate([[0.0], 1.0 + np.arange(len(result))])
    return replace(whole, time=time, series=series, recorded=None)


def _clear(mechanism: Mechanism, before: Instant, after: Instant) -> float:
    """At which deflections are seen, if joints do not move much more."""
    factor = moved = size = np.inf
    for body, skin in mechanism.skins.items():
        flat, bent = (skin.surface(mechanism.state(body, at), 1.0).corners
                      for at in (before, after))  # fmt: skip
        factor = min(factor, clear_factor(flat, bent[None]))
        size = min(size, float(np.linalg.norm(np.ptp(flat, axis=0))))
    if not np.isfinite(factor):
        return 1.0
    moved = max(float(np.abs(mechanism.pose(b, after).p - mechanism.pose(b, before).p).max())
                for b in mechanism.surfaces)  # fmt: skip
    return max(1.0, factor) if moved < size else 1.0


def _said(result: Result, factor: float) -> str:
    info = result.info
    state = "no equilibrium" if result.failure else f"{info.get('stability', '')} equilibrium"
    loads = result.series.get("load_factor")
    if "critical_load" in info:
        state = f"gives way at {info['critical_load']:.4g} times the load"
    elif loads is not None and abs(loads.values[-1] - 1) > 1e-12:
        state += f" at {loads.values[-1]:.4g} times the load"
    return state.strip() + (f", deflections × {factor:g}" if factor != 1 else "")


def _tell_arrows(axis: Axes, mechanism: Mechanism, groups: Sequence[str], last: int) -> None:
    """What is drawn in which colour, and how large it is at most."""
    from matplotlib.lines import Line2D

    shown = []
    for group in groups:
        for quantity in ("force", "torque"):
            values = _sizes(mechanism, group, quantity, last)
            name, largest = max(values.items(), key=lambda item: item[1], default=("", 0.0))
            if largest > 0 and (group, quantity) in _visible(mechanism, groups, last):
                unit = "N" if quantity == "force" else "N m"
                text = f"{group} {quantity}s, largest {largest:.4g} {unit} ({name})"
                shown.append(Line2D([], [], color=_ARROWS[group, quantity], linewidth=3,
                                    label=text))  # fmt: skip
    if shown:
        made = axis.legend(handles=shown, loc="upper center", bbox_to_anchor=(0.5, -0.01),
                           ncols=2, fontsize="small", frameon=False)  # fmt: skip
        for said in made.get_texts():
            said.set_parse_math(False)


def _sizes(mechanism: Mechanism, group: str, quantity: str, last: int) -> dict[str, float]:
    found = {}
    for arrow in mechanism.scene["arrows"]:
        own = arrow["group"] == group and arrow["quantity"] == quantity
        if own and arrow["series"] in mechanism.result.series:
            found[arrow["name"]] = float(
                np.linalg.norm(mechanism.result.values(arrow["series"])[last])
            )
    return found


def _visible(mechanism: Mechanism, groups: Sequence[str], last: int) -> set[tuple[str, str]]:
    """Quantities that are more than rounding of the others."""
    found = set()
    for group in groups:
        forces, torques = (max(_sizes(mechanism, group, q, last).values(), default=0.0)
                           for q in ("force", "torque"))  # fmt: skip
        if forces * mechanism.scale > 1e-9 * torques:
            found.add((group, "force"))
        if torques > 1e-9 * forces * mechanism.scale:
            found.add((group, "torque"))
    return found


def _load_path(axis: Axes, result: Result, curves: Sequence[tuple[str, Array]]) -> None:
    """The load factor over what moves."""
    load = np.asarray(result.series["load_factor"].values)
    for k, (label, values) in enumerate(curves):
        axis.plot(values, load, color=CURVES[k % len(CURVES)], linewidth=1.5, label=label,
                  marker="o" if len(load) <= 30 else "", markersize=3)  # fmt: skip
    for limit in result.info.get("limit_loads", ()):
        axis.axhline(limit, color="0.4", linestyle=":", linewidth=1)
        axis.annotate(f"limit point {limit:.4g}", (1.0, limit), xycoords=("axes fraction", "data"),
                      ha="right", va="bottom", fontsize="small")  # fmt: skip
    axis.axhline(0, color=GRID_STRONG, linewidth=0.8, zorder=0)
    axis.set_ylabel("load factor")
    axis.grid(alpha=0.3)
    if len(curves) == 1:
        axis.set_xlabel(curves[0][0], parse_math=False)
    else:
        for text in axis.legend(fontsize="small", frameon=False).get_texts():
            text.set_parse_math(False)


def _named(result: Result, names: Sequence[str]) -> list[tuple[str, Array]]:
    for name in names:
        result.unit(name)  # an unknown name is reported here
    result = result.also(n for name in names for n in (name, name.rpartition(".")[0]))
    found = []
    for name in result.components(names):
        unit = result.unit(name)
        found.append((f"{name} in {unit}" if unit not in ("", "1") else name, result.values(name)))
    if len({result.unit(name) for name in result.components(names)}) > 1:
        raise InputError("plot: names of several units along one load path",
                         "name those of one unit")  # fmt: skip
    return found


def _farthest(mechanism: Mechanism) -> tuple[str, Array]:
    """The displacement of the frame that is moved most, from where it is without load."""
    count = len(mechanism.result)
    best: tuple[str, Array] = ("displacement in m", np.zeros(count - 1))
    for body in mechanism.scene["bodies"]:
        names = [body["name"], *(f"{body['name']}.{frame['name']}" for frame in body["frames"])]
        for name in names:
            p = np.array([mechanism.frame(name, Instant(k, 0.0)).p for k in range(count)])
            way = np.linalg.norm(p[1:] - p[0], axis=1)
            if way[-1] > best[1][-1]:
                best = (f"displacement of {name} in m", way)
    return best
