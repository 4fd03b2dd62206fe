"""Beams of large rotation in equilibrium: Newton's method on the poses of their nodes.

A small solver of its own, so that elements are tested without the rest of the package. A node is
moved by x = (θ, d): R exp([θ]x), p + d; torques are in section axes, forces in world axes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import casadi as ca
import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import spsolve

from pliant.model.forces.director_element import (
    director_loads,
    director_points,
    director_rule,
    directors,
)
from pliant.model.forces.exact_element import PointData, exact_loads, exact_strains
from pliant.spatial.interpolation import lobatto
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import exponential
from pliant.spatial.screws import Screw
from pliant.spatial.symbolic import SYMBOLIC


@dataclass(frozen=True)
class Stiffness:
    """Of a section; shear stiffness includes its factor."""

    EA: float
    GAy: float
    GAz: float
    GJ: float
    EIy: float
    EIz: float


@lru_cache
def element_function(theory: str, order: int) -> tuple[ca.Function, ca.Function]:
    """Forces and energy of an element from motions x and poses of its nodes and from its numbers;
    and their exact derivatives along all entries of x."""
    loads, size = _LOADS[theory]
    n = order + 1
    R, p = ca.SX.sym("R", 3, 3 * n), ca.SX.sym("p", 3, n)
    x, data = ca.SX.sym("x", 6 * n), ca.SX.sym("data", size(order))
    nodes = [
        SimpleNamespace(
            R_WP=R[:, 3 * i : 3 * i + 3] @ exponential(SYMBOLIC, x[6 * i : 6 * i + 3]),
            p_WP=p[:, i] + x[6 * i + 3 : 6 * i + 6],
        )
        for i in range(n)
    ]
    offsets = [ca.reshape(data[9 * i : 9 * i + 9], 3, 3) for i in range(n)]
    placed = [
        SimpleNamespace(R_WP=a.R_WP @ O, p_WP=a.p_WP) for a, O in zip(nodes, offsets, strict=True)
    ]
    found = loads(order, placed, data[9 * n :])
    forces = [
        part
        for node, torque, force in zip(nodes, found.torques, found.forces, strict=True)
        for part in (node.R_WP.T @ torque, force)
    ]
    f = ca.Function("element", [x, R, p, data], [ca.vertcat(*forces), found.energy])
    return f, f.forward(1).map(6 * n)


def _exact(order: int, nodes: list[Any], data: Any) -> Any:
    C, free = data[1:7], data[7:]
    points = [
        PointData(C[3:], C[:3], Screw(free[6 * k : 6 * k + 3], free[6 * k + 3 : 6 * k + 6]))
        for k in range(order)
    ]
    return exact_loads(SYMBOLIC, data[0], nodes, points)


def _director(order: int, nodes: list[Any], data: Any) -> Any:
    EA, GAy, GAz, GJ, EIy, EIz = (data[1 + k] for k in range(6))
    free = [[data[7 + 6 * k + j] for j in range(6)] for k in range(order)]
    C = [(EA, EIy, EIz, GAy, GAz, GJ)] * order
    return director_loads(SYMBOLIC, data[0], nodes, C, free)


_LOADS: dict[str, tuple[Any, Callable[[int], int]]] = {
    "exact": (_exact, lambda order: 9 * (order + 1) + 7 + 6 * order),
    "large-rotation": (_director, lambda order: 9 * (order + 1) + 7 + 6 * order),
}


def _free_strains(theory: str, length: float, poses: list[Pose]) -> list[float]:
    if theory == "exact":
        return [x for e in exact_strains(NUMERIC, length, poses) for x in (*e.real, *e.dual)]
    parts = [directors(SimpleNamespace(R_WP=X.R, p_WP=X.p)) for X in poses]
    points = director_points(director_rule(len(poses)), length, parts)
    return [x for point in points for x in point.strains(NUMERIC)]


@dataclass
class Structure:
    """Nodes, and elements as numbers of nodes with their data."""

    theory: str
    order: int
    R: np.ndarray
    p: np.ndarray
    members: list[list[int]]
    data: list[np.ndarray]

    def assembled(self, R: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, csc_matrix, float]:
        """Elastic forces on the nodes, their tangent, and the energy."""
        f, derivatives = element_function(self.theory, self.order)
        F, energy, size = np.zeros(6 * len(R)), 0.0, 6 * len(R)
        n = 6 * (self.order + 1)
        places, entries = [], []
        for member, data in zip(self.members, self.data, strict=True):
            given = [ca.DM.zeros(n), np.hstack(R[member]), p[member].T, data]
            force, own = f(*given)
            spread = [ca.repmat(ca.DM(g), 1, n) for g in (*given, force, own)]
            seeds = [ca.DM.eye(n), ca.DM.zeros(3, n // 2 * n), ca.DM.zeros(3, n // 6 * n),
                     ca.DM.zeros(len(data), n)]  # fmt: skip
            tangent, _ = derivatives(*spread, *seeds)
            where = (6 * np.array(member)[:, None] + np.arange(6)).ravel()
            F[where] += force.full().ravel()
            energy += float(own)
            places.append(np.array(np.meshgrid(where, where, indexing="ij")).reshape(2, -1))
            entries.append(tangent.full().ravel())
        K = csc_matrix((np.concatenate(entries), np.hstack(places)), shape=(size, size))
        return F, K, energy

    def equilibrium(
        self, load: np.ndarray, steps: int = 1, held: Any = range(6), tol: float = 1e-13
    ) -> Structure:
        """The nodes under a constant load (moments in section axes), from these on."""
        R, p, size = self.R.copy(), self.p.copy(), np.abs(self.p).max()
        free = np.setdiff1d(np.arange(6 * len(R)), list(held))
        for step in range(1, steps + 1):
            for _ in range(80):
                F, K, _ = self.assembled(R, p)
                x = np.zeros(6 * len(R))
                x[free] = spsolve(-K[free][:, free], (F + load * (step / steps))[free])
                turns = x.reshape(-1, 6)
                R = np.array(
                    [A @ exponential(NUMERIC, t) for A, t in zip(R, turns[:, :3], strict=True)]
                )
                p = p + turns[:, 3:]
                if np.abs(turns[:, 3:]).max() < 10 * tol * size:
                    break
            else:
                raise AssertionError("no equilibrium found")
        return Structure(self.theory, self.order, R, p, self.members, self.data)

    def tip_load(self, force: Any = (0, 0, 0), moment: Any = (0, 0, 0)) -> np.ndarray:
        """A load on the last node."""
        load = np.zeros(6 * len(self.R))
        load[-6:-3], load[-3:] = moment, force
        return load


def beam(
    theory: str, axis: Callable[[float], Pose], length: float, C: Stiffness, elements: int,
    order: int, *, chords: bool = False,
) -> Structure:  # fmt: skip
    """A beam along an axis, stress-free there; with ``chords``, of straight elements."""
    where, _ = lobatto(order)
    h = length / elements
    at = [*(h * (e + x) for e in range(elements) for x in where[:-1]), length]
    poses = [axis(s) for s in at]
    members = [list(range(e * order, (e + 1) * order + 1)) for e in range(elements)]
    stiffness = [C.EA, C.GAy, C.GAz, C.GJ, C.EIy, C.EIz]
    data = []
    for member in members:
        own = [poses[i] for i in member]
        offsets = [np.eye(3)] * len(own)
        span = h
        if chords:
            chord = own[-1].p - own[0].p
            span = float(np.linalg.norm(chord))
            e1, e3 = chord / span, own[0].R[:, 2]
            offsets = [X.R.T @ np.column_stack([e1, np.cross(e3, e1), e3]) for X in own]
        placed = [Pose(X.R @ O, X.p) for X, O in zip(own, offsets, strict=True)]
        turned = [O.T.ravel() for O in offsets]
        free = _free_strains(theory, span, placed)
        data.append(np.concatenate([*turned, [span], stiffness, free]))
    R, p = np.array([X.R for X in poses]), np.array([X.p for X in poses])
    return Structure(theory, order, R, p, members, data)


def straight(s: float) -> Pose:
    """Along x."""
    return Pose(np.eye(3), np.array([s, 0.0, 0.0]))


def bend(s: float, radius: float = 100.0) -> Pose:
    """An arc in the x-y plane from the origin, tangent to y there, towards x."""
    a = s / radius
    t, e3 = np.array([np.sin(a), np.cos(a), 0.0]), np.array([0.0, 0.0, 1.0])
    p = radius * np.array([1 - np.cos(a), np.sin(a), 0.0])
    return Pose(np.column_stack([t, np.cross(e3, t), e3]), p)
