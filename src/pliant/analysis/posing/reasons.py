"""Why a mechanism does not get to where it is dragged, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.posing.linkage import Linkage
from pliant.analysis.posing.wishes import CoordinateWish, Wish
from pliant.arrays import Array
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.analysis.posing.posing import Freedom

_NOTHING = 1e-7
_WEAK = 3e-2
"""Of what pulls at the mechanism, next to what it usually is."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What holds it, what to do, and the elements that are spoken of."""

    what: str
    cure: str
    elements: tuple[str, ...]


def why_not(linkage: Linkage, q: Array, wish: Wish, free: Freedom, JZ: Array) -> Reason | None:
    """The reason; None: it is as near as its freedom lets it, as a point beside its path is."""
    pull = np.linalg.svd(JZ, compute_uv=False) if JZ.size else np.zeros(1)
    if float(pull[0]) < _NOTHING and not _moves_elsewhere(linkage, wish):
        return locked(linkage, wish)
    if free.share < 0.05:
        return _singular(linkage, q, wish, free)
    if isinstance(wish, CoordinateWish) or float(pull[0]) < _WEAK:
        return _stretched(linkage, q, wish, free)
    weakest = float(pull[min(len(pull), free.Z.shape[1], _grip(linkage, JZ)) - 1])
    return _stretched(linkage, q, wish, free) if weakest < _WEAK * float(pull[0]) else None


def _moves_elsewhere(linkage: Linkage, wish: Wish) -> bool:
    """Whether it could be moved at the start, so that it is the pose that holds it."""
    q = linkage.start
    J, A = wish.rows(linkage, q, linkage.coordinates(q))[0], linkage.holding(q)
    _, s, Vt = np.linalg.svd(A) if A.size else (None, np.zeros(0), np.eye(A.shape[1]))
    free = Vt[int((s > 1e-6 * max(s, default=0.0)).sum()) :]
    return bool(free.size) and float(np.abs(J @ free.T).max(initial=0.0)) > 1e-4


def locked(linkage: Linkage, wish: Wish) -> Reason:
    """Nothing moves it: a driver, or its joints."""
    drivers = _holding_drivers(linkage, wish)
    if drivers:
        return _driven(wish, drivers)
    what = f"'{wish.element}' cannot move: its joints leave it no freedom"
    return Reason(what, "", (wish.element,))


def _grip(linkage: Linkage, JZ: Array) -> int:
    """How many directions a point can usually be moved in."""
    return min(int(JZ.shape[0]), int(JZ.shape[1]), 2 if _planar(linkage) else 3)


def _planar(linkage: Linkage) -> bool:
    """Whether bodies move in planes that are all alike: no point can leave its own."""
    V = linkage.body_rows(linkage.start)[:, :3]
    reach = np.linalg.svd(np.concatenate(list(V), axis=1), compute_uv=False) if V.size else [1.0]
    return len(reach) < 3 or float(reach[2]) < 1e-9 * max(float(reach[0]), 1e-300)


def _motion(linkage: Linkage, wish: Wish) -> str:
    if isinstance(wish, CoordinateWish):
        does = "slide" if linkage.unit[wish.joint, wish.coordinate] == "m" else "turn"
        return f"joint '{wish.joint}' cannot {does} further"
    return f"'{wish.element}' cannot be moved further this way"


def _driven(wish: Wish, drivers: Sequence[str]) -> Reason:
    several = "drivers" if len(drivers) > 1 else "driver"
    what = f"'{wish.element}' is held by the {several} {_listed(drivers)}"
    return Reason(what, "change the driver instead, or take it away", (wish.element, *drivers))


def _singular(linkage: Linkage, q: Array, wish: Wish, free: Freedom) -> Reason:
    others = _moving(linkage, q, free, wish.element)
    what = (f"{_motion(linkage, wish)}: here the linkage could go on in two ways"
            f"{_by(others)}")  # fmt: skip
    return Reason(what, "drag another joint past this pose", (wish.element, *others))


def _stretched(linkage: Linkage, q: Array, wish: Wish, free: Freedom) -> Reason:
    others = _moving(linkage, q, free, wish.element)
    what = f"the linkage is stretched out or folded{_by(others)}: {_motion(linkage, wish)}"
    return Reason(what, "drag the other way, or another joint", (wish.element, *others))


def _by(joints: Sequence[str]) -> str:
    return f" at {_listed(joints)}" if joints else ""


def _moving(linkage: Linkage, q: Array, free: Freedom, but: str) -> list[str]:
    """Joints that can still move here, those that move most first; at most four."""
    E = linkage.joint_rows(q) @ free.Z
    speed = {name: float(np.linalg.norm(E[rows])) for name, rows in linkage.rows_of.items()}
    most = max(speed.values(), default=0.0)
    found = [n for n, v in speed.items() if n != but and v > 0.1 * most > 0]
    return sorted(found, key=lambda n: -speed[n])[:4]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _holding_drivers(linkage: Linkage, wish: Wish) -> list[str]:
    """Drivers of positions that may be what holds it: its own, else all."""
    drivers: dict[str, Any] = {n: d for n, d in linkage.model.drivers.items()
                               if d.level == "position"}  # fmt: skip
    own = [n for n, d in drivers.items() if getattr(d, "joint", "") == wish.element]
    return own or list(drivers)
