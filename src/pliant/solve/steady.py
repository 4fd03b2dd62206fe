"""Is a motion at constant speeds steady: in balance, and with the same small motions about it?

Frequencies follow from the matrices of small motions at one instant only if these stay the same
along the motion, entry by entry:

    M y'' + D y' + K y + Rx x = 0,      x' = Fq y + Fu y' + Fx x

Where a turning part and a part that does not turn are both free to move, the entries change
periodically. Their eigenvalues may stay the same and mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.arrays import Array
from pliant.errors import CapabilityError
from pliant.solve.balance import Balance, Balancer, moving
from pliant.solve.eigen import Reduced, linearised

_LATER = (0.1, 1.0)
"""Where the motion is looked at again: the fastest coordinate has moved so far (rad, m)."""
_UNEVEN = 1e-5
"""Part by which entries may change: they are computed at a balance found by iteration."""


def require_steady(balancer: Balancer, b: Balance) -> None:
    """Refuse a motion that leaves its balance, or whose small motions change along it."""
    c = balancer.c
    u = b.x[1 + c.nq : 1 + c.nq + c.nu]
    speed = float(np.abs(u).max(initial=0.0))
    if speed == 0.0:
        return
    for turned in _LATER:
        later, after = _after(balancer, b, turned / speed)
        if after is None or not _balanced(b, after, speed):
            raise CapabilityError(
                "modes at 'steady': the motion at these constant speeds does not stay in balance; "
                "steady motion needs coordinates whose speeds stay constant (tree='joint') and "
                "nothing that depends on where in its turn the mechanism is"
            )
        changing = _changing(b, balancer, after, later, speed)
        if changing.any():
            raise CapabilityError(
                f"modes at 'steady': small motions along {moving(c.layout, changing)} change "
                "periodically while the mechanism turns; a periodic system has no frequencies of "
                "one instant: run it, and take the spectrum of what it does"
            )


def _after(balancer: Balancer, b: Balance, dt: float) -> tuple[Balancer, Balance | None]:
    """The balance that the motion has come to after dt."""
    c = balancer.c
    u = b.x[1 + c.nq : 1 + c.nq + c.nu]
    start = b.x.copy()
    start[0] += dt
    held = tuple(int(np.argmax(row)) for row in balancer.E)
    later = Balancer(c, balancer.p, start, held, u, tuple(map(int, balancer.networks)))
    q = later.moved(balancer.q_of(b.x), dt * u)
    return later, None if q is None else later.at(q)


def _balanced(b: Balance, after: Balance, speed: float) -> bool:
    """Whether forces and constraints are still met, and the same motions free."""
    load = max(b.load, float(np.abs(b.M).max()) * speed**2)
    if np.abs(after.f).max(initial=0.0) > 1e-6 * load:
        return False
    if max(b.gap, after.gap) > 1e-7 * max(1.0, speed**2) or b.Z.shape != after.Z.shape:
        return False
    return bool(np.abs(b.Z @ b.Z.T - after.Z @ after.Z.T).max(initial=0.0) <= 1e-6)


def _changing(
    b: Balance, balancer: Balancer, after: Balance, later: Balancer, speed: float
) -> Array:
    """By how much matrices of small motions change along each speed, where it is not rounding; in
    coordinates of unit mass, D against the speed and K against its square."""
    size = np.sqrt(np.abs(np.diag(b.M)))
    size = np.where(size > 1e-8 * size.max(initial=0.0), size, 1.0)
    found = np.zeros(len(size))
    now, then = linearised(balancer, b), linearised(later, after)
    pairs = zip(_matrices(now, b.Z, size), _matrices(then, after.Z, size), strict=True)
    for (power, one), (_, other) in pairs:
        rounding = 1e-9 * max(float(np.abs(one).max(initial=0.0)), 1e-300)
        change = np.abs(other - one)
        change = np.where(change > _UNEVEN * speed**power + rounding, change / speed**power, 0.0)
        found = np.maximum(found, change.max(axis=1, initial=0.0))
    return found


def _matrices(r: Reduced, Z: Array, size: Array) -> Iterator[tuple[int, Array]]:
    """M, D, K and what networks add to them, one row per speed, with the power of speed in each."""
    for power, matrix in enumerate((r.M, r.D, r.K)):
        yield power, (Z @ matrix @ Z.T) / np.outer(size, size)
    if r.coupling is not None:
        for power, matrix in ((1, r.coupling.Rx), (1, r.coupling.Fu.T), (1, r.coupling.Fq.T)):
            yield power, (Z @ matrix) / size[:, None]
