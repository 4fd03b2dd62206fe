"""Which speeds the embedding form keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from pliant.analysis.choice import Choice
from pliant.analysis.prepare import STATES, initial_state, prepare
from pliant.equations.embedding import Partition, choose_partition, speeds_named
from pliant.equations.independence import Named, check_independent
from pliant.mechanics.speed_map import SPEEDS
from pliant.solve.degrees import constraint_matrix, independent_rows
from pliant.solve.random_state import random_state
from pliant.solve.reference_rows import independent_in_all

if TYPE_CHECKING:
    from pliant.system import System

_NEAR = 0.3
"""How far (m, rad) the states are moved at which independent speeds must be good choices."""
_KNOWN: WeakKeyDictionary[System, dict[Choice, Partition]] = WeakKeyDictionary()


def partition(system: System, choice: Choice) -> Partition:
    """Independent speeds: those named, otherwise by pivoting on the constraint Jacobian."""
    if choice.split is not None:
        return Partition(*choice.split)
    known = _KNOWN.setdefault(system, {})
    if choice not in known:
        known[choice] = _chosen(system, choice)
    return known[choice]


def _chosen(system: System, choice: Choice) -> Partition:
    """At the initial state and states around it."""
    base = prepare(system, choice.base, functions=STATES)
    start = initial_state(system, base, None, 0.0)
    c = base.compiled
    wanted = speeds_named(c.layout, choice.independent)
    elastic = [k for _, u, n in c.elastic.values() for k in range(u, u + n)]
    rng, size = np.random.default_rng(0), np.full(c.nu, _NEAR)
    size[elastic] = 0.0
    states = [start.x, *(random_state(c, start.p, start.x, rng, size) for _ in range(4))]
    samples = [constraint_matrix(c, x, start.p) for x in states]
    owners = tuple(row.owner for row in c.layout.rows)
    named = Named(choice.independent, tuple(wanted), owners, system.model.drivers)
    check_independent(named, samples)
    rank = int(independent_rows(samples[0]).sum())
    rows = independent_in_all(samples, rank)
    chosen = [k for k, s in enumerate(c.layout.u) if s.owner == SPEEDS]
    return choose_partition(np.array(samples), rows, wanted, [*elastic, *chosen])
