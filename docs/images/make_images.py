"""Make the picture of the README from a real simulation: python docs/images/make_images.py

Left: the planar slider-crank at equal intervals of time, old positions faded. Right: position of
the slider and the force in the pin between crank and rod; grey lines mark the times on the left.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Circle, FancyBboxPatch

import pliant as pl
from pliant.results import Result

HERE = Path(__file__).parent
MODEL = HERE.parents[1] / "examples" / "planar_slider_crank.yaml"
CRANK, ROD, SLIDER, GREY = "#1f5a94", "#d1622b", "#3a7d44", "#5b6470"
FLASHES = np.linspace(0.62, 1.0, 7)


def main() -> None:
    """Simulate, draw, write slider_crank.png."""
    plt.rcParams.update({"font.size": 10, "font.family": "DejaVu Sans", "axes.spines.top": False,
                         "axes.spines.right": False, "axes.edgecolor": GREY})  # fmt: skip
    result = pl.load(MODEL).simulate()
    figure = plt.figure(figsize=(11, 4.3), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.35, 1))
    draw_mechanism(figure.add_subplot(grid[:, 0]), result)
    top = figure.add_subplot(grid[0, 1])
    bottom = figure.add_subplot(grid[1, 1], sharex=top)
    draw_curves(top, bottom, result)
    figure.savefig(HERE / "slider_crank.png", dpi=130)


def draw_mechanism(axis: Any, result: Result) -> None:
    """Several positions of the mechanism, the last one in full colour."""
    crank_pin = result.values("crank.A.position")
    middle = (crank_pin + result.values("rod.B.position")) / 2
    axis.plot(middle[:, 0], middle[:, 1], color=ROD, linewidth=0.9, alpha=0.45)
    axis.plot([0.16, 0.86], [-0.03, -0.03], color=GREY, linewidth=1.2, zorder=0)
    for time in FLASHES:
        draw_position(axis, result, time, last=time == FLASHES[-1])
    end = result.sample(-1)
    label(axis, "crank", end.values("crank.A.position")[0] / 2, (-0.125, 0.02), CRANK)
    label(axis, "rod", middle[-1], (0.03, 0.05), ROD)
    label(axis, "slider", end.values("slider.position")[0], (-0.02, -0.085), SLIDER)
    axis.set_title("seven flashes, 63 ms apart", color=GREY, fontsize=10)
    axis.set_aspect("equal")
    axis.set_xlim(-0.24, 0.86)
    axis.set_ylim(-0.26, 0.28)
    axis.axis("off")


def draw_position(axis: Any, result: Result, time: float, *, last: bool) -> None:
    """Crank, rod and slider at one time."""
    now = result.at(time)
    A, B = (now.values(n)[0, :2] for n in ("crank.A.position", "rod.B.position"))
    age = (time - FLASHES[0]) / (FLASHES[-1] - FLASHES[0])
    alpha = 1.0 if last else 0.12 + 0.3 * age
    order = 3 if last else 1 + age
    bar = dict(solid_capstyle="round", alpha=alpha, zorder=order)
    axis.plot([0, A[0]], [0, A[1]], color=CRANK, linewidth=8, **bar)
    axis.plot([A[0], B[0]], [A[1], B[1]], color=ROD, linewidth=5, **bar)
    corner, style = (B[0] - 0.045, -0.028), "round,pad=0,rounding_size=0.008"
    box = FancyBboxPatch(corner, 0.09, 0.056, boxstyle=style)
    box.set(color=SLIDER, alpha=alpha, zorder=order, linewidth=0)
    axis.add_patch(box)
    if last:
        for pin in ((0, 0), A, B):
            axis.add_patch(Circle(pin, 0.012, facecolor="white", edgecolor="black", zorder=4))


def label(axis: Any, text: str, place: Any, offset: tuple[float, float], color: str) -> None:
    """A word beside a body."""
    x, y = place[0] + offset[0], place[1] + offset[1]
    axis.text(x, y, text, color=color, fontweight="bold", zorder=5)


def draw_curves(top: Any, bottom: Any, result: Result) -> None:
    """Slider position above, pin force below."""
    time = result.time
    top.plot(time, result.values("S.displacement"), color=SLIDER)
    top.set_ylabel("slider position in m")
    force = result.values("A.force")
    bottom.plot(time, np.hypot(force[:, 0], force[:, 1]), color=ROD)
    bottom.set_ylabel("force on rod, pin A, in N")
    bottom.set_xlabel("time in s")
    for axis in (top, bottom):
        axis.grid(alpha=0.25)
        axis.set_xlim(0, 1)
        for flash in FLASHES:
            axis.axvline(flash, color=GREY, linewidth=0.6, alpha=0.35)
    plt.setp(top.get_xticklabels(), visible=False)


if __name__ == "__main__":
    main()
