"""Where the elements of a group stand, in units of a grid. Source: S0 figs. 2-3, 6-2, 7-2 to 7-14.

Velocities are at y = 0, angular velocities at y = 3 (downwards), in bodies and joints alike, so
that the bonds between them are level.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import count

from pliant.plots.bond_groups import Group

Point = tuple[float, float]

_TURNING = 3.0
"""Height of angular velocities."""
_BODY: dict[str, Point] = {
    "R": (0, 0), "W": (0, _TURNING), "0c": (0, -1.4), "TFc": (-0.95, 0.9), "A": (0, -2.6),
    "Pc": (0, -3.8), "m": (-0.8, -4.9), "g": (0.8, -4.9),
}  # fmt: skip
_RIGID: dict[str, Point] = {"xi": (0, 4.3), "xi.M": (-0.8, 5.4), "EJS": (0.8, 5.4)}
_FLEXIBLE: dict[str, Point] = {
    "E": (0.5, 4.7), "TFS": (0.98, 0.45), "SUM": (-0.7, 5.8), "xi": (-0.7, 7.1),
    "xi.M": (-1.5, 8.2), "EJS": (0.1, 8.2), "K": (1.6, 5.8), "D": (1.3, 6.8),
}  # fmt: skip
_GROUND: dict[str, Point] = {
    "R": (0, 0), "W": (0, _TURNING), "R.Sf": (-1, 0), "W.Sf": (-1, _TURNING)
}  # fmt: skip
_RIGID_FRAME: dict[str, Point] = {"0v": (1.7, 0), "TFp": (1.7, 1.1), "v": (2.7, 0)}
_FLEXIBLE_FRAME: dict[str, Point] = {
    "0v": (2.6, 0), "TFp": (1.8, 0.9), "TFv": (2.6, 1.4), "v": (3.6, 0), "0w": (2.6, _TURNING),
    "TFw": (1.7, 4.0), "w": (3.6, _TURNING),
}  # fmt: skip
_INNER = {"TFw": 1.47}
"""Of a second frame, between its bonds to W and to E."""
_PITCH = {"rigid": -2.2, "flexible": -4.9}
_JOINT: dict[str, Point] = {
    "Av": (0, 0), "0v": (1, 0), "Aw": (0, _TURNING), "0w": (1, _TURNING), "TFr": (0, 1.5),
    "u": (2.75, 1.5), "": (1.4, 1.5), "Hv": (1.75, 0.72), "Hw": (1.75, 2.28),
    "0c": (2.75, 1.5), "CN": (1.4, 1.5), "Cv": (1.75, 0.72), "Cw": (1.75, 2.28), "Sf": (1, -0.95),
    "s": (3.7, 0.4), "K": (4.6, -0.3), "D": (4.6, 1.1),
}  # fmt: skip
_KEPT: dict[str, Point] = {"u": (3.7, 1.5), "": (3.7, 2.5)}
"""Speeds of a joint that is cut, beside its constraintor."""
HELD: dict[str, Point] = {"0v": (1, -0.95), "0w": (1, _TURNING + 0.95)}
"""Sf:0 of a tree joint, at the junctions whose motion it restricts."""
_DRIVER: dict[str, Point] = {"TF": (0, 0), "0": (0, -1), "Sf": (-0.7, -2), "CN": (0.7, -2)}
_ROW = 0.95


@dataclass(slots=True)
class Layout:
    """Places of the nodes of a group by their names in it, of frame names, and of Sf:0."""

    places: dict[str, Point] = field(default_factory=dict)
    frames: dict[str, Point] = field(default_factory=dict)
    held: dict[str, Point] = field(default_factory=dict)

    def mirrored(self) -> Layout:
        """Left is right."""
        parts = (self.places, self.frames, self.held)
        return Layout(*({k: (-x, y) for k, (x, y) in part.items()} for part in parts))


def frame_of(local: str) -> str:
    """The frame of a body to which a node belongs, or none."""
    frame, _, part = local.rpartition(".")
    return frame if part in _FLEXIBLE_FRAME and frame else ""


def body(group: Group, sides: Mapping[str, str], origin: Collection[str]) -> Layout:
    """A body or the ground; ``sides``: of its frames; ``origin``: where its own origin is used."""
    flexible = "E" in group.nodes
    own = dict(_GROUND) if group.kind == "ground" else _BODY | (_FLEXIBLE if flexible else _RIGID)
    layout = Layout({k: p for k, p in own.items() if k in group.nodes})
    part = _FLEXIBLE_FRAME if flexible else _RIGID_FRAME
    used = {side: int(side in origin) for side in ("left", "right")}
    for frame in dict.fromkeys(f for f in map(frame_of, group.nodes) if f):
        side = sides.get(frame, "right")
        shift = _PITCH["flexible" if flexible else "rigid"] * used[side]
        used[side] += 1
        sign = -1 if side == "left" else 1
        for name, (x, y) in part.items():
            if f"{frame}.{name}" in group.nodes:
                inner = _INNER.get(name, x) if shift else x
                layout.places[f"{frame}.{name}"] = (sign * inner, y + shift)
        layout.frames[frame] = (sign * part["v"][0], shift - 0.55)
    return _rest(group, layout)


def joint(group: Group, held: Collection[str]) -> Layout:
    """A joint, its parent at the left; ``held``: the junctions at which Sf:0 is drawn."""
    own = _JOINT | (_KEPT if "0c" in group.nodes else {})
    layout = Layout({k: p for k, p in own.items() if k in group.nodes})
    layout.held = {k: p for k, p in HELD.items() if k in held}
    return _rest(group, layout)


def driver(group: Group) -> Layout:
    """A driver of a joint coordinate, or sources one below the other."""
    if "TF" in group.nodes:
        return _rest(group, Layout({k: p for k, p in _DRIVER.items() if k in group.nodes}))
    return Layout({k: (0, i * _ROW) for i, k in enumerate(group.nodes)})


def _rest(group: Group, layout: Layout) -> Layout:
    """Elements that no figure knows stand below the others, one below the other."""
    low = max((y for _, y in layout.places.values()), default=-_ROW) + 0.2
    for k in group.nodes:
        if k not in layout.places:
            low += _ROW
            layout.places[k] = (0, low)
    return layout


def ports(group: Group, sides: Mapping[str, Collection[str]]) -> Layout:
    """A collapsed group: nothing but the nodes with bonds to others, velocities uppermost. Every
    bond to the side has the row of its node for itself. ``sides``: by node."""
    taken: set[tuple[float, str]] = set()
    layout = Layout()
    for k in sorted((k for k, n in group.nodes.items() if n in sides), key=_rank):
        own = set(sides[group.nodes[k]])
        level = own & {"left", "right"}
        if not level:
            up = "top" in own
            row = next(r for r in count(1) if (r, "top" if up else "bottom") not in taken)
            taken.add((row, "top" if up else "bottom"))
            layout.places[k] = (0, -0.8 * row if up else 0.8 * (row - 1))
            continue
        row = next(r for r in count(min(_rank(k), 1)) if not any((r, s) in taken for s in level))
        taken |= {(row, s) for s in level}
        x = 0.0 if len(level) == 2 else -0.8 if "left" in level else 0.8
        layout.places[k] = (x, 0.8 * row)
    return layout


def _rank(local: str) -> int:
    part = local.rpartition(".")[2]
    return 0 if part in ("R", "v", "Av", "0v") else 1 if part in ("W", "w", "Aw", "0w") else 2
