"""What presses on beams along their axis: the numbers from which ``pliant.flex.buckling`` finds N.

With e from root to tip, for every beam in which compression can matter:

    F_P·e at its body frame and its frames P,  (a - g)·e at root and tip

F_P sums what joints, force elements and drivers do there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.mechanics.motion import SystemMotion
from pliant.model.bodies import Beam
from pliant.model.model import Model

ENDS = ("root", "tip")


def compressible(model: Model) -> dict[str, Beam]:
    """Beams that bend and whose foreshortening counts."""
    return {
        name: body
        for name, body in model.bodies.items()
        if isinstance(body, Beam)
        and body.flexible
        and body.geometric_stiffness != "none"
        and (body.shapes.bending_y.count or body.shapes.bending_z.count)
    }


def axial_loads(motion: SystemMotion, forces: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A column of numbers for each of these beams. ``forces``: frames and forces, world axes."""
    ops = motion.ops
    total: dict[str, Any] = {}
    for frame, force in forces:
        total[frame] = total[frame] + force if frame in total else force
    gravity = motion.values.vector(motion.model.gravity)
    loads = {}
    for name, body in compressible(motion.model).items():
        root, tip = (motion.frame(f"{name}.{end}") for end in ENDS)
        chord = tip.p_WP - root.p_WP
        e = chord / ops.sqrt(ops.dot(chord, chord))
        frames = [name, *(f"{name}.{frame}" for frame in body.frames)]
        pressed = [ops.dot(total[frame], e) if frame in total else 0 for frame in frames]
        moved = [ops.dot(end.a_WP - gravity, e) for end in (root, tip)]
        loads[name] = ops.full(ops.vec(*pressed, *moved))
    return loads
