"""Draw figure 9 of Shi and McPhee (2000): python docs/images/make_figure9.py

Deflection of the middle of the rod of the spatial slider-crank, projected on the planes XOY and
XOZ, over two turns of the crank. Three Taylor monomials in each plane, frame tangent at the slider;
the deflection is normal to the chord as it is seen in the plane.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt

import pliant as pl

HERE = Path(__file__).parent
FRAMES = ("rod.mid.position", "rod.root.position", "rod.tip.position")


def slider_crank() -> pl.System:
    """The example with the shapes and the floating frame of the source."""
    model = pl.load(HERE.parents[1] / "examples" / "spatial_slider_crank.yaml").model
    rod = replace(
        model.bodies["rod"], shapes={"bending": {"taylor": 3}}, floating_frame="tip"
    )  # fmt: skip
    return pl.System(model, bodies=[*(b for b in model.bodies.values() if b.name != "rod"), rod])


def deflection(result: pl.Result, plane: int) -> np.ndarray:
    """Of the middle, in the plane of X and of Y (1) or Z (2), normal to the chord seen there."""
    mid, root, tip = (result.values(n)[:, [0, plane]] for n in FRAMES)
    chord = tip - root
    normal = np.column_stack([-chord[:, 1], chord[:, 0]])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return np.sum((mid - (root + tip) / 2) * normal, axis=1)


def main() -> None:
    """Simulate to second order and to first order, and draw."""
    system = slider_crank()
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
    for axis, order in zip(axes, (2, 1), strict=True):
        result = system.simulate(
            formulation="linear-graph", tree=["O", "S", "B"], truncate=order,
            outputs=[*FRAMES, "O.angle"],
        )  # fmt: skip
        turns = result.values("O.angle") / (2 * np.pi)
        for plane, style, name in ((1, "-", "XOY"), (2, "--", "XOZ")):
            axis.plot(turns, 1e3 * deflection(result, plane), style, color="#1f5a94", label=name)
        axis.set(title=f"elastic coordinates to order {order}", xlabel="turns of the crank")
        axis.grid(alpha=0.25)
    axes[0].set_ylabel("deflection of the middle in mm")
    axes[0].legend()
    figure.savefig(HERE / "figure9.png", dpi=80)


if __name__ == "__main__":
    main()
