"""Draw the picture of the large-beam examples: python docs/images/make_large_beams.py

The 45 degree bend and its bending moments, the right-angle frame with few and with fine elements,
and the end-effector of the space robot against that of a rigid one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt

import pliant as pl
from pliant.spatial.interpolation import interpolation

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
BLUE, ORANGE, GREEN, GREY = "#1f5a94", "#d1622b", "#3a7d44", "#5b6470"


def main() -> None:
    """Simulate and draw."""
    plt.rcParams.update({"font.size": 9, "axes.edgecolor": GREY, "axes.grid": True})
    plt.rcParams.update({"grid.alpha": 0.25, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(2, 2, figsize=(8.8, 5.8), layout="constrained")
    draw_bend(axes[0, 0], axes[0, 1])
    draw_frame(axes[1, 0])
    draw_robot(axes[1, 1])
    figure.savefig(HERE / "large_beams.png", dpi=80)


def example(name: str, **options: Any) -> pl.System:
    """An example, with other options of its beams."""
    model = pl.load(EXAMPLES / f"{name}.yaml").described
    bodies = [replace(b, **options) if isinstance(b, pl.Beam) else b for b in model.bodies.values()]
    return pl.System(model.with_(bodies=bodies))


def draw_bend(side: Any, along: Any) -> None:
    """Nodes at three loads, from the side; moments at Gauss points and at frames."""
    system = example("bend_45")
    colours = dict(zip((300, 450, 600), (BLUE, GREEN, ORANGE), strict=True))
    for load, colour in colours.items():
        r = system.statics(params={"P": load}, outputs=["bend", "bend.*", "bend:*"])
        nodes = np.array([r[f"bend:{k}.position"].values[-1] for k in range(7)])
        side.plot(nodes[:, 1], nodes[:, 2], "o-", color=colour, ms=3, label=f"P = {load}")
        length, at = 25 * np.pi, interpolation(3, 3).points
        x = [(e + s) * length / 2 for e in range(2) for s in at]
        moments = [r[f"bend:e{e}.internal_moment{k + 1}"].values[-1, 1]
                   for e in range(2) for k in range(3)]  # fmt: skip
        along.plot(x, moments, "o", color=colour, ms=3)
        ends = [r[f"bend.{f}.internal_moment"].values[-1, 1] for f in ("root", "mid", "tip")]
        along.plot([0, length / 2, length], ends, "s", color=colour, ms=5, mfc="none")
    side.set(xlabel="y", ylabel="z", title="45 degree bend from the side", aspect="equal")
    side.legend(frameon=False)
    along.set(xlabel="length along the axis", ylabel="My", title="Bending moment")


def draw_frame(ax: Any) -> None:
    """Out of its plane: the tip of the frame."""
    ways = {
        "4 large-rotation elements": ({"large-rotation": {"elements": 2}}, GREY, 10.0),
        "8 large-rotation elements": ({"large-rotation": {"elements": 4}}, GREEN, 10.0),
        "2 exact elements of order 4": ({"exact": {"elements": 1, "order": 4}}, BLUE, 30.0),
    }
    for label, (theory, colour, t_end) in ways.items():
        r = example("right_angle_frame", theory=theory).simulate(t_end, method="dop853")
        z = r["leg2.tip.position"].values[:, 2]
        ax.plot(r.time, z, color=colour, lw=1.2, label=label)
    ax.set(xlabel="t in s", ylabel="z of the tip", title="Right-angle frame")
    ax.legend(frameon=False, fontsize=7, loc="lower left")


def draw_robot(ax: Any) -> None:
    """Hand of the flexible robot less that of the rigid one."""
    flexible, rigid = (
        example("space_robot", **options).simulate(outputs=["wrist.hand.position"])
        for options in ({}, {"theory": "rigid"})
    )
    off = flexible.values("wrist.hand.position") - rigid.values("wrist.hand.position")
    for axis, colour, values in zip("xyz", (BLUE, ORANGE, GREEN), off.T, strict=True):
        ax.plot(flexible.time, 1e3 * values, color=colour, lw=0.8, label=axis)
    ax.set(xlabel="t in s", ylabel="deviation of the hand in mm", title="Space robot")
    ax.legend(frameon=False)


if __name__ == "__main__":
    main()
