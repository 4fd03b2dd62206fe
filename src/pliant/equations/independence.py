"""Can the coordinates that are named be independent, and if not, why not?

Speeds u_k, k in K, are independent if constraints G u + b = 0 leave them free: the rows of K in a
basis of the null space of G are linearly independent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.errors import CapabilityError

_SMALL = 1e-8
"""Singular values smaller than this, compared with the largest, count as none."""


@dataclass(frozen=True, slots=True)
class Named:
    """Speeds that are to be independent, with the names they were given; ``owners``: of the rows
    of G; ``drivers``: those of the owners that are drivers."""

    names: tuple[str, ...]
    speeds: tuple[int, ...]
    owners: tuple[str, ...]
    drivers: Collection[str]


def check_independent(named: Named, samples: Sequence[Array]) -> None:
    """Raise unless the speeds are independent at one of the states at least."""
    found = [_rank(_free(G)[list(named.speeds)]) for G in samples]
    if not named.speeds or max(found) == len(named.speeds):
        return
    G = samples[int(np.argmax(found))]
    freedom = _free(G).shape[1]
    fixed = [k for k in named.speeds if not _rank(_free(G)[[k]])]
    if fixed:
        raise CapabilityError(f"independent: {_fixed(named, G, fixed, freedom)}")
    raise CapabilityError(
        f"independent: {', '.join(named.names)} depend on each other through the constraints; "
        f"name fewer, or others ({_degrees(freedom)})"
    )


def _fixed(named: Named, G: Array, fixed: list[int], freedom: int) -> str:
    """Who prescribes the speeds that are not free, and what is left."""
    names = ", ".join(n for n, k in zip(named.names, named.speeds, strict=True) if k in fixed)
    drivers = _drivers_of(named, G, fixed)
    if not drivers:
        return f"{names} cannot move: the joints hold it; leave it out"
    by = ", ".join(f"'{d}'" for d in drivers)
    return (f"{names} is given by driver {by}, with {_degrees(freedom)} left; leave it out: "
            "what the driver has to do is found all the same")  # fmt: skip


def _drivers_of(named: Named, G: Array, fixed: list[int]) -> list[str]:
    """Drivers without which one of the speeds would be free; all together if none of them alone."""
    drivers = [d for d in dict.fromkeys(named.owners) if d in named.drivers]

    def freed(left_out: Collection[str]) -> bool:
        rows = [k for k, owner in enumerate(named.owners) if owner not in left_out]
        return _rank(_free(G[rows])[fixed]) > 0

    alone = [d for d in drivers if freed({d})]
    return alone or (drivers if freed(drivers) else [])


def _free(G: Array) -> Array:
    """Basis of the null space of G, as columns."""
    if not G.size:
        return np.eye(G.shape[1])
    _, s, Vt = np.linalg.svd(G)
    return Vt[_count(s) :].T


def _rank(A: Array) -> int:
    return int((np.linalg.svd(A, compute_uv=False) > _SMALL).sum()) if A.size else 0


def _count(s: Array) -> int:
    return int((s > _SMALL * max(float(s.max(initial=0.0)), 1e-300)).sum())


def _degrees(count: int) -> str:
    return f"{count or 'no'} degree{'' if count == 1 else 's'} of freedom"
