"""Draw the pictures of the flexible examples: python docs/images/make_flexible_examples.py

Each shows what the figure of its source shows: the lag of a beam that is spun up, the deflection
of the rod of a spatial slider-crank over two turns, the coupler of a crank-rocker, tip deviations and
joint torques of a manipulator, frequencies over the speed of a blade, and a column that buckles.
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
from pliant.results import Result

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
BLUE, ORANGE, GREEN, GREY = "#1f5a94", "#d1622b", "#3a7d44", "#5b6470"


def main() -> None:
    """Simulate and draw all of them."""
    plt.rcParams.update({"font.size": 9, "axes.edgecolor": GREY, "axes.grid": True})
    plt.rcParams.update({"grid.alpha": 0.25, "axes.spines.top": False, "axes.spines.right": False})
    draw_rotating_beam()
    draw_slider_crank()
    draw_crank_rocker()
    draw_manipulator()
    draw_spinning_blade()
    draw_column()


def run(
    name: str, outputs: list[str], bodies: dict[str, Any] | None = None, **params: float
) -> Result:
    """An example, with other options of some bodies and other parameters."""
    model = pl.load(EXAMPLES / f"{name}.yaml").model
    changed = [replace(b, **(bodies or {}).get(n, {})) for n, b in model.bodies.items()]
    return pl.System(model, bodies=changed).simulate(outputs=outputs, params=params)


def page(rows: int, columns: int) -> tuple[Any, Any]:
    """A figure with axes side by side."""
    size = (4.4 * columns, 2.9 * rows)
    return plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)


def save(figure: Any, name: str) -> None:
    figure.savefig(HERE / f"{name}.png", dpi=80)
    plt.close(figure)


def draw_rotating_beam() -> None:
    """Tip lag at three speeds, with geometric stiffness and without."""
    tip = "blade.tip.deflection.tangent(root)"
    figure, ((left, right),) = page(1, 2)
    for axis, kind in ((left, "second-order"), (right, "none")):
        for speed, color in ((2, GREEN), (4, ORANGE), (6, BLUE)):
            result = run(
                "rotating_beam", [tip], {"blade": {"geometric_stiffness": kind}}, speed=speed
            )
            axis.plot(result.time, result.values(f"{tip}.y"), color=color, label=f"{speed} rad/s")
        axis.set(title=f"geometric stiffness: {kind}", xlabel="time in s", ylim=(-0.7, 0.1))
    left.set_ylabel("tip displacement in m")
    left.legend()
    save(figure, "rotating_beam")


def draw_slider_crank() -> None:
    """Deflection of the middle of the rod, in two planes, over two turns."""
    result = run("spatial_slider_crank", ["dy", "dz", "O.angle"])
    figure, ((axis,),) = page(1, 1)
    turns = result.values("O.angle") / (2 * np.pi)
    axis.plot(turns, 1000 * result.values("dy"), color=BLUE, label="along Y")
    axis.plot(turns, 1000 * result.values("dz"), color=ORANGE, label="along Z")
    axis.set(xlabel="turns of the crank", ylabel="deflection of the middle in mm")
    axis.legend()
    save(figure, "spatial_slider_crank")


def draw_crank_rocker() -> None:
    """Deflection of the coupler; with a heavy rocker it buckles."""
    mid = "coupler.mid.deflection"
    figure, ((left, right),) = page(1, 2)
    for kind, color in (("none", ORANGE), ("second-order", BLUE)):
        for axis, heavier in ((left, 1), (right, 200)):
            options = {"coupler": {"geometric_stiffness": kind}}
            result = run("crank_rocker", [mid], options, heavier=heavier)
            axis.plot(result.time, 1000 * result.values(f"{mid}.y"), color=color, label=kind)
    left.set(title="rocker as given", xlabel="time in s", ylabel="deflection of the middle in mm")
    right.set(
        title="rocker 200 times heavier", xlabel="time in s", xlim=(0.4, 0.6), ylim=(-20, 120)
    )
    left.legend(title="geometric stiffness")
    save(figure, "crank_rocker")


def draw_manipulator() -> None:
    """Tip deviation from the rigid arm, and torques of both, of the manoeuvre in space."""
    tip, torques = "payload.tip.position", [f"motor{i}.torque" for i in (1, 2, 3)]
    flexible = run("manipulator", [tip, *torques])
    rigid = run(
        "manipulator", [tip, *torques], {n: {"theory": "rigid"} for n in ("link2", "link3")}
    )
    figure, ((left, right),) = page(1, 2)
    for axis, color in zip("xyz", (BLUE, ORANGE, GREEN), strict=True):
        off = flexible.values(f"{tip}.{axis}") - rigid.values(f"{tip}.{axis}")
        left.plot(flexible.time, off, color=color, label=axis.upper())
    for name, color in zip(torques, (BLUE, ORANGE, GREEN), strict=True):
        right.plot(flexible.time, flexible.values(name), color=color, label=name.partition(".")[0])
        right.plot(rigid.time, rigid.values(name), color=color, linestyle="--", linewidth=0.8)
    left.set(title="tip deviation", xlabel="time in s", ylabel="m")
    right.set(title="torques (dashed: rigid arm)", xlabel="time in s", ylabel="N m")
    left.legend()
    right.legend()
    save(figure, "manipulator")


def draw_spinning_blade() -> None:
    """Frequencies of flap and lag over the speed, as Southwell drew them."""
    blade = pl.load(EXAMPLES / "spinning_blade.yaml")
    speeds = np.linspace(0, 12, 25)
    flap, lag = [], []
    for speed in speeds:
        modes = blade.modes(at="steady", params={"speed": float(speed)})
        for found, plane in ((flap, "bending z"), (lag, "bending y")):
            found.append([2 * np.pi * m.frequency for m in modes if plane in m.label][:2])
    figure, ((left, right),) = page(1, 2)
    for axis, mode in ((left, 0), (right, 1)):
        axis.plot(speeds, np.array(flap)[:, mode], color=BLUE, label="flap")
        axis.plot(speeds, np.array(lag)[:, mode], color=ORANGE, label="lag")
        axis.set(title=f"mode {mode + 1}", xlabel="speed")
    left.plot(speeds, speeds, "--", color=GREY, label="speed itself")
    left.set_ylabel("frequency")
    left.legend()
    save(figure, "spinning_blade")


def draw_column() -> None:
    """Frequency squared against the load, and the deflection as the load grows in time."""
    column = pl.load(EXAMPLES / "column.yaml")
    euler = np.pi**2
    loads = np.linspace(0, 0.999 * euler, 30)
    first = [column.modes(at="equilibrium", params={"start": float(P)})[0].frequency for P in loads]
    result = column.simulate(outputs=["column.mid.deflection"])
    figure, ((left, right),) = page(1, 2)
    left.plot(loads / euler, (np.array(first) / first[0]) ** 2, color=BLUE)
    left.set(xlabel="load / buckling load", ylabel="(frequency / unloaded frequency)^2")
    right.plot(9 + result.time, 1000 * result.values("column.mid.deflection.y"), color=ORANGE)
    right.axvline(euler, linestyle="--", color=GREY)
    right.set(xlabel="load in N", ylabel="deflection of the middle in mm")
    save(figure, "column")


if __name__ == "__main__":
    main()
