"""Angles of a rotation about three axes in turn: R = R_1(θ1) R_2(θ2) R_3(θ3).

The first axis e is fixed in F, the third one r = R z in M, and the node n is across both. With
c = e · r and D² = 1 - c², which is zero at the singular poses,

    w = e θ1' + n θ2' + r θ3'
    θ1' = w · (e - c r) / D²      θ2' = w · n,  n = ±(e x r) / D      θ3' = w · (r - c e) / D²

all in axes of F. At a singular pose e and r are one axis: what turns about it is told as θ1', and
θ2' has no direction: it is told as zero.

Angles that are prescribed are held by rows a · R b = 0 that are regular at every pose, also at the
singular ones; n_1 and n_3 are the node by the first angle, in F, and by the third one, in M:

    θ1 alone        n_1 · r = 0                     the third axis is across the node
    θ3 alone        e · R n_3 = 0
    θ1 and θ3       the latter, and (e x n_1) · R n_3 = 0
    θ1 and θ2       the first, and (n_1 x t) · r = 0 with t where the third axis should be
    θ2 and θ3       the second, and e · R (s x n_3) = 0 with s where e should be in M
    all             those of θ1 and θ2, and sin of what θ3 is off about r

θ2 alone has no such row: it says nothing of the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.rotation import rot_x, rot_y, rot_z

_E3 = np.eye(3)
_TURNS = (rot_x, rot_y, rot_z)
_NEAR = 1e-24
"""D² below which a pose is singular, as for the angles themselves."""


@dataclass(frozen=True, slots=True)
class AngleSequence:
    """First and second axis by number; the third one is z."""

    first: int
    second: int

    def rates(self, ops: Ops, R: Any) -> list[Any]:
        """Columns d_k with θ_k' = d_k · w, w and d_k in axes of F."""
        e, r = ops.const(_E3[self.first]), R[:, 2]
        c = ops.dot(e, r)
        n = ops.cross(e, r) if self.first == 2 else ops.cross(r, e)
        square = ops.dot(n, n)
        singular = ops.below(square, _NEAR)
        safe = ops.where(singular, 1.0, square)
        own = ops.where(singular, 0.0, c)
        return [(e - own * r) / safe, n / ops.sqrt(safe), (r - c * e) / safe]

    def sine(self, R: Any) -> float:
        """D, of a rotation in numbers."""
        return float(np.linalg.norm(np.cross(_E3[self.first], R[:, 2])))

    def axes(self, ops: Ops, R: Any, given: Mapping[int, Any]) -> list[Any]:
        """Axes e, n, r of the angles in F; n by an angle that is given, if one is."""
        n = self.rates(ops, R)[1]
        if 0 in given:
            n = self._node(ops, given[0])
        elif 2 in given:
            n = R @ self._node_in_child(ops, given[2])
        return [ops.const(_E3[self.first]), n, R[:, 2]]

    def row(self, ops: Ops, k: int, given: Mapping[int, Any]) -> tuple[Any, Any] | None:
        """a and b of the row a · R b = 0 of the k-th angle, one of those that are ``given``; None:
        the angle itself is to be taken."""
        e, z = ops.const(_E3[self.first]), ops.const(_E3[2])
        if k == 0:
            n = self._node(ops, given[0])
            if 2 in given and 1 not in given:
                return ops.cross(e, n), self._node_in_child(ops, given[2])
            return n, z
        if k == 2:
            if len(given) < 3:
                return e, self._node_in_child(ops, given[2])
            whole = self._two(ops, given[0], given[1]) @ rot_z(ops, given[2])
            return whole[:, 1], ops.const(_E3[0])
        if 0 in given:
            t = self._two(ops, given[0], given[1])[:, 2]
            return ops.cross(self._node(ops, given[0]), t), z
        if 2 in given:
            n = self._node_in_child(ops, given[2])
            s = (_TURNS[self.second](ops, given[1]) @ rot_z(ops, given[2])).T @ e
            return e, ops.cross(s, n)
        return None

    def _node(self, ops: Ops, first: Any) -> Any:
        return _TURNS[self.first](ops, first)[:, self.second]

    def _node_in_child(self, ops: Ops, third: Any) -> Any:
        return rot_z(ops, third).T[:, self.second]

    def _two(self, ops: Ops, first: Any, second: Any) -> Any:
        return _TURNS[self.first](ops, first) @ _TURNS[self.second](ops, second)


EULER_313, BRYANT_123 = AngleSequence(2, 0), AngleSequence(0, 1)
