"""Which speeds the embedding form keeps.

Can the coordinates that are named be independent, and if not, why not? Speeds u_k, k in K, are
independent if constraints G u + b = 0 leave them free: the rows of K in a basis of the null space
of G are linearly independent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.start import initial_state
from pliant.code import background
from pliant.errors import CapabilityError
from pliant.formulations.derivation.speed_map import SPEEDS
from pliant.formulations.forms import Partition, choose_partition, speeds_named
from pliant.records import dataclass
from pliant.solve.start.random_state import random_state
from pliant.solve.start.redundancy import constraint_matrix, independent_rows
from pliant.solve.start.reference_rows import independent_in_all

if TYPE_CHECKING:
    from pliant.study import Study


_SMALL = 1e-8
"""Singular values smaller than this, compared with the largest, count as none."""
_NEAR = 0.3
"""How far (m, rad) the states are moved at which independent speeds must be good choices."""
_KNOWN: WeakKeyDictionary[Study, dict[Choice, Partition]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Named:
    """Speeds that are to be independent, with the names they were given; ``owners``: of the rows
    of G; ``drivers``: those of the owners that are drivers."""

    names: tuple[str, ...]
    speeds: tuple[int, ...]
    owners: tuple[str, ...]
    drivers: Collection[str]


def _check_independent(named: Named, samples: Sequence[Array]) -> None:
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
    rank = int((s > _SMALL * max(float(s.max(initial=0.0)), 1e-300)).sum())
    return Vt[rank:].T


def _rank(A: Array) -> int:
    return int((np.linalg.svd(A, compute_uv=False) > _SMALL).sum()) if A.size else 0


def _degrees(count: int) -> str:
    return f"{count or 'no'} degree{'' if count == 1 else 's'} of freedom"


def partition(system: Study, choice: Choice) -> Partition:
    """Independent speeds: those named, otherwise by pivoting on the constraint Jacobian."""
    if choice.split is not None:
        return Partition(*choice.split)
    known = _KNOWN.setdefault(system, {})
    if choice not in known:
        known[choice] = _chosen(system, choice)
    return known[choice]


def _chosen(system: Study, choice: Choice) -> Partition:
    """At the initial state and states around it."""
    base = prepare(system, choice.augmented, functions=STATES, interpret=background.quick())
    start = initial_state(system, base, None, 0.0)
    c = base.compiled
    wanted = speeds_named(c.layout, choice.independent)
    elastic = [k for _, u, n in c.layout.elastic.values() for k in range(u, u + n)]
    rng, size = np.random.default_rng(0), np.full(c.nu, _NEAR)
    size[elastic] = 0.0
    states = [start.x, *(random_state(c, start.p, start.x, rng, size) for _ in range(4))]
    samples = [constraint_matrix(c, x, start.p) for x in states]
    owners = tuple(row.owner for row in c.layout.rows)
    named = Named(choice.independent, tuple(wanted), owners, system.model.drivers)
    _check_independent(named, samples)
    rank = int(independent_rows(samples[0]).sum())
    rows = independent_in_all(samples, rank)
    chosen = [k for k, s in enumerate(c.layout.u) if s.owner == SPEEDS]
    return choose_partition(np.array(samples), rows, wanted, [*elastic, *chosen])
