"""Files of given modes, as `pliant.model.bodies.mode_file` reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pliant.arrays import Array
from pliant.flex.given import GivenModes, modal_stiffness, tables_from_unit_loads
from pliant.model.bodies.mode_file import Arrays, read_modes


def load_modes(path: str | Path) -> GivenModes:
    """Read given modes; every fault of the file is reported at once."""
    a = read_modes(path)
    H = a.get("second_order")
    if H is not None:  # only the even part of q^T H q counts
        H = 0.5 * (H + np.swapaxes(H, -1, -2))
    if "geometric_stiffness" in a:
        places = zip(a["load_nodes"].astype(int), a["load_axes"].astype(int), strict=True)
        loads = dict(zip(((int(p), int(i)) for p, i in places), a["geometric_stiffness"],
                         strict=True))  # fmt: skip
        H = tables_from_unit_loads(len(a["nodes"]), a["shapes"].shape[-1], loads)
    return GivenModes(a["nodes"], a["shapes"], a["mass"], _stiffness(a), a.get("rotations"),
                      a.get("inertia"), a.get("damping"), H, a.get("motion_stiffness"))  # fmt: skip


def _stiffness(a: Arrays) -> Array:
    if "stiffness" in a:
        return a["stiffness"]
    w = a["frequencies"] if "frequencies" in a else 2 * np.pi * a["frequencies_hz"]
    return modal_stiffness(w, a["modal_masses"])
