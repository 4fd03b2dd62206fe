"""Small flexible models that pages and plots are made of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.model.files import dump, loads
from pliant.results.result import Result, Series

PENDULUM = """
pliant: 1
name: flexible pendulum
gravity: [0, -9.81, 0]
parameters: {l: 1 m}
materials: {nylon: {E: 1 GPa, nu: 0.4, density: 1200}}
bodies:
  rod:
    beam: {length: l, section: {rectangle: {width: 30 mm, height: 40 mm}}, material: nylon}
    shapes: {bending_y: 2}
    frames: {F: {at: [0.75*l, 3 mm, 10 mm], orientation: {axis: x, angle: 90 deg}},
             G: {at: [0, 20 mm, 0], on: F, orientation: {axis: z, angle: 30 deg}}}
    damping: {modal: 0.05}
joints:
  A: {revolute: {axis: z}, between: [ground, rod.root]}
simulate: {t_end: 1 s, every: 10 ms, rtol: 1e-6}
"""


def pendulum(**options: object) -> Result:
    """A slender rod that falls from the horizontal; mid-chord it bends by a millimetre."""
    return pl.System(loads(PENDULUM)).simulate(**options)  # type: ignore[arg-type]


def plate(folder: Path, *, frame: str = "as-given") -> Result:
    """A square of 3 x 3 nodes that bends and twists; frames at nodes 0 and 8."""
    nodes = np.array([[x, y, 0] for x in (0, 0.5, 1) for y in (0, 0.5, 1)], dtype=float)
    shapes, rotations = np.zeros((9, 3, 2)), np.zeros((9, 3, 2))
    shapes[:, 2, 0], rotations[:, 1, 0] = nodes[:, 0] ** 2, -2 * nodes[:, 0]
    shapes[:, 2, 1] = nodes[:, 0] * nodes[:, 1]
    rotations[:, 0, 1], rotations[:, 1, 1] = nodes[:, 0], -nodes[:, 1]
    arrays = {"nodes": nodes, "shapes": shapes, "rotations": rotations, "mass": np.full(9, 0.2),
              "stiffness": np.eye(2)}  # fmt: skip
    text = json.dumps({name: array.tolist() for name, array in arrays.items()})
    (folder / "plate.json").write_text(text)
    body = pl.Modes("plate", str(folder / "plate.json"), floating_frame=frame, frames={
        "base": {"node": 0}, "tip": {"node": 8, "at": [0, 0, 0.1]},
        "arm": {"at": [0.2, 0, 0], "on": "tip"},
    })  # fmt: skip
    model = pl.System(bodies=[body]).model
    time = np.linspace(0, 1, 11)
    still = np.zeros((11, 3))
    series = {
        "plate.position": Series(still, "m", ("x", "y", "z"), "position"),
        "plate.orientation": Series(
            np.tile([1.0, 0, 0, 0], (11, 1)), "1", ("w", "x", "y", "z"), "rotation"
        ),
        "plate.q1": Series(0.2 * np.sin(2 * np.pi * time), "", (), "coordinate"),
        "plate.q2": Series(0.1 * time, "", (), "coordinate"),
    }
    return Result(time, series, model=dump(model))
