r"""Order of elimination over blocks: minimum degree on the quotient graph.

Eliminating p joins all its neighbours: they form the element L_p, which is also the pattern of
column p of the factor. Neighbours are kept as sets of nodes (A_i, original edges) and of elements
(E_i); an element swallows those it was made of. The degree of i is bounded by

    d_i = |A_i \ i| + |L_p \ i| + sum over e in E_i, e != p, of |L_e \ L_p|

Source: Amestoy, Davis, Duff, An approximate minimum degree ordering algorithm (1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

Columns = list[list[int]]


class Elimination:
    """State of the elimination by minimum degree. ``neighbours`` are consumed. Node i is eliminated
    only after all nodes in ``after[i]``; equal degrees are taken in the order of the numbers."""

    def __init__(
        self, neighbours: Sequence[set[int]], after: Sequence[Sequence[int]] = ()
    ) -> None:  # fmt: skip
        n = len(neighbours)
        self.nodes = list(neighbours)
        self.elements: list[set[int]] = [set() for _ in range(n)]
        self.members: list[set[int]] = [set() for _ in range(n)]
        self.degree = [len(s) for s in self.nodes]
        self.waits = [0] * n
        self.releases: list[list[int]] = [[] for _ in range(n)]
        for i, first in enumerate(after):
            self.waits[i] = len(first)
            for j in first:
                self.releases[j].append(i)

    def run(self) -> tuple[list[int], Columns]:
        """Order of the nodes, and for each of them (in that order) the later nodes its column
        meets."""
        n = len(self.nodes)
        queue = [(self.degree[i], i) for i in range(n) if not self.waits[i]]
        heapify(queue)
        order: list[int] = []
        columns: Columns = []
        done = [False] * n
        while queue:
            degree, p = heappop(queue)
            if done[p] or degree != self.degree[p]:
                continue
            done[p] = True
            order.append(p)
            columns.append(sorted(self._eliminate(p, queue)))
            for i in self.releases[p]:
                self.waits[i] -= 1
                if not self.waits[i]:
                    heappush(queue, (self.degree[i], i))
        if len(order) < n:
            raise ValueError("blocks that wait for each other cannot be ordered")
        return order, columns

    def _eliminate(self, p: int, queue: list[tuple[int, int]]) -> set[int]:
        """Make the element of p and renew the degrees of its members."""
        joined, old = self.nodes[p], self.elements[p]
        for e in old:
            joined |= self.members[e]
        joined.discard(p)
        outside: dict[int, int] = {}
        for i in joined:
            self.nodes[i] -= joined
            self.nodes[i].discard(p)
            self.elements[i] -= old
            for e in self.elements[i]:
                outside[e] = outside.get(e, len(self.members[e])) - 1
        for e in old:
            self.members[e] = set()
        self.members[p] = joined
        self.nodes[p], self.elements[p] = set(), set()
        for i in joined:
            swallowed = [e for e in self.elements[i] if outside[e] == 0]
            self.elements[i].difference_update(swallowed)
            beyond = sum(outside[e] for e in self.elements[i])
            self.elements[i].add(p)
            self.degree[i] = len(self.nodes[i]) + len(joined) - 1 + beyond
            if not self.waits[i]:
                heappush(queue, (self.degree[i], i))
        return joined
