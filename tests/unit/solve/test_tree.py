"""Order and rooms of the tree kernel."""

import numpy as np
import pytest

from pliant.backends.tree.from_model import depth_first
from pliant.backends.tree.loops.tree_layout import inertia_slots
from pliant.graphs import TreeEdge
from pliant.model.joints import Fixed


def random_parents(rng, n):
    return [int(rng.integers(-1, i)) if i else -1 for i in range(n)]


def edges_of(parents):
    names = ["ground", *(f"b{i}" for i in range(len(parents)))]
    return tuple(
        TreeEdge(Fixed(f"j{i}", names[k + 1], f"b{i}"), names[k + 1], f"b{i}", False)
        for i, k in enumerate(parents)
    )


@pytest.mark.parametrize("seed", range(5))
def test_depth_first_order_keeps_who_hangs_on_whom(seed):
    parents = random_parents(np.random.default_rng(seed), 40)
    order, parent = depth_first(edges_of(parents))
    assert sorted(order) == list(range(40))
    for place, (i, k) in enumerate(zip(order, parent, strict=True)):
        assert k < place
        assert parents[i] == (-1 if k < 0 else order[k])


@pytest.mark.parametrize("seed", range(5))
def test_rooms_are_never_shared_while_in_use(seed):
    """Replay the inward sweep: every link must find exactly what hangs on it."""
    _, parent = depth_first(edges_of(random_parents(np.random.default_rng(seed), 60)))
    own, inner, count = inertia_slots(parent)
    rooms = [set() for _ in range(count)]
    for i in range(len(parent) - 1, -1, -1):
        assert rooms[own[i]] == {k for k in range(len(parent)) if parent[k] == i}
        if inner[i] > 0:
            rooms[inner[i]] = {i}
        elif inner[i] < 0:
            rooms[-inner[i]].add(i)
        assert own[i] == 0 or own[i] != abs(inner[i])


def test_a_chain_needs_two_rooms_besides_the_empty_one():
    assert inertia_slots(np.arange(-1, 999))[2] == 3
