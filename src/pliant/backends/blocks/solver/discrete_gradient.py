"""Forces of elements over a whole step that conserve energy and both momenta.

Body i moves from (x, R) to (x', R') by dx = x' - x and the Cayley vector th (world axes):
R' - R = th x (R' + R)/2. Forces f and moments m (about the origin) of an element over the step obey

    sum f = 0,   sum xm x f + m = 0,   sum f . dx + m . th = V' - V        xm = (x + x')/2

An element that does not care where it is as a whole sees poses relative to its first body a: rho
in axes of a, and the quaternion r. Their increments over the step follow linearly from dx and th,

    drho = Rm_a^T (dx - dx_a - th_a x (xm - xm_a)),          Rm = (R + R')/2
    eta  = R^T (1 - [th_a]x/2) (th - th_a) / (1 + th . th_a/4)

so that forces (f, m) at half way between the two relative poses, with the correction of Gonzalez

    (f, m) + c (w drho, eta),   c = (V' - V - f . drho - m . eta) / (w |drho|^2 + |eta|^2)

give forces on the bodies by the transposed maps: the three laws hold exactly. The correction is of
second order and left out where nothing is deformed; 1/w is |rho|^2 and a hundredth of the size of
the system squared (joined bodies may share their origin), in the world that size. Multipliers
work on the potential -lam . g. An element without a potential takes two Gauss points along the way
instead: energy to fourth order.

Damping adds (xi/2) (F' - F), of the forces at both ends: it takes energy wherever V is convex.
Sources: Gonzalez 1996; Simo, Tarnow 1992; Simo, Wong 1991 (rotations).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.solver.element import LocalMotion, Source
from pliant.records import dataclass
from pliant.spatial.rotation import from_quaternion, quaternion_product, relative_quaternion
from pliant.spatial.symbolic import SYMBOLIC

GAUSS = 1 / np.sqrt(3)
STILL = 1e-6
"""Size of a deformation over a step (angles, translations over distances) that needs no
correction: what is left out is its third power."""
NEAR = 1e-2
"""Of the size of the system: least distance that translations are compared with."""


def rotation_of(quat: Any) -> Any:
    """R of a unit quaternion."""
    return from_quaternion(SYMBOLIC, quat)


def _unit(v: Any) -> Any:
    return v / ca.norm_2(v)


@dataclass(frozen=True, slots=True)
class Step:
    """Motion of a pose over a step: translation, quaternions at its ends and half way; Cayley
    vector and half-angle vector tan(angle/4) in axes of the body."""

    p0: Any
    p1: Any
    e0: Any
    e1: Any
    middle: Any
    eta: Any
    kappa: Any

    @classmethod
    def of(cls, p0: Any, e0: Any, p1: Any, e1: Any) -> Step:
        e1 = e1 * ca.if_else(ca.dot(e0, e1) < 0, -1, 1)  # on the side of the first
        turned = relative_quaternion(SYMBOLIC, e0, e1)
        eta, kappa = 2 * turned[1:4] / turned[0], turned[1:4] / (1 + turned[0])
        return cls(p0, p1, e0, e1, _unit(e0 + e1), eta, kappa)

    @property
    def dp(self) -> Any:
        return self.p1 - self.p0

    @property
    def mean(self) -> Any:
        return (self.p0 + self.p1) / 2

    @property
    def turn(self) -> Any:
        """Cayley vector in world axes."""
        return rotation_of(self.e0) @ self.eta

    @property
    def mean_R(self) -> Any:
        return (rotation_of(self.e0) + rotation_of(self.e1)) / 2

    def at(self, s: float) -> tuple[Any, Any]:
        """Place and quaternion on the way, s from -1 to 1."""
        half = _unit(ca.vertcat(1, s * self.kappa))
        return self.mean + s / 2 * self.dp, quaternion_product(SYMBOLIC, self.middle, half)


@dataclass(slots=True)
class Loads:
    """Forces on the relative motion: f along rho, m along eta (axes half way), g on reals."""

    f: list[Any]
    m: list[Any]
    g: list[Any]


class Laws:
    """Residual and potential of an element, to be evaluated where one likes: they may be
    derivatives, which are taken of symbols only."""

    def __init__(self, source: Source) -> None:
        self._rest = [ca.SX.zeros(s.n) for s in source.shapes if not s.algebraic]
        motion, p = LocalMotion.symbols(source.shapes), ca.SX.sym("p", source.parameters)
        inputs = [motion.t, motion.load, p, *motion.q, *motion.moving]
        self._residual = ca.Function("r", inputs, [ca.vertcat(source.residual(motion, p))])
        self._potential = None
        if source.potential is not None:
            self._potential = ca.Function(
                "V", inputs[: 3 + len(motion.q)], [source.potential(motion, p)]
            )

    def residual(self, first: Sequence[Any], q: Sequence[Any], rates: Sequence[Any] = ()) -> Any:
        """r at t, load, p and q; at rest if no speeds and accelerations are given."""
        return self._residual(*first, *q, *(rates or (*self._rest, *self._rest)))

    def potential(self, first: Sequence[Any], q: Sequence[Any]) -> Any:
        """V, None if there is none."""
        return None if self._potential is None else self._potential(*first, *q)


class DiscreteResidual:
    """Rows of one element over a step, in axes of the bodies half way."""

    def __init__(
        self, source: Source, *, relative: bool, bound: bool, rigid: bool, dissipative: bool
    ) -> None:
        self.laws, self.rigid, self.dissipative = Laws(source), rigid, dissipative
        self.shapes, self.given = source.shapes, source.potential is not None
        self.known = self.given or bound
        self.header, self.p = ca.SX.sym("header", sl.X_HEADER), ca.SX.sym("p", source.parameters)
        motion = LocalMotion.symbols(self.shapes)
        self.q0, self.q1 = motion.q, LocalMotion.symbols(self.shapes).q
        self.moving = motion.moving
        self.poses = [i for i, s in enumerate(self.shapes) if s.pose]
        self.base = self.poses[0] if relative and len(self.poses) > 1 else None
        self.world = {
            i: Step.of(self.q0[i][0:3], self.q0[i][3:7], self.q1[i][0:3], self.q1[i][3:7])
            for i in self.poses
        }
        self.seen = {i: self._seen(i) for i in self.poses if i != self.base}

    def inputs(self) -> Any:
        return ca.vertcat(self.header, *self.q0, *self.q1, *self.moving)

    def _seen(self, i: int) -> Step:
        """Motion of a body relative to the first one."""
        own = self.world[i]
        if self.base is None:
            return own
        first = self.world[self.base]
        ends = []
        for p, e, pa, ea in (
            (own.p0, own.e0, first.p0, first.e0), (own.p1, own.e1, first.p1, first.e1)
        ):  # fmt: skip
            ends += [rotation_of(ea).T @ (p - pa), relative_quaternion(SYMBOLIC, ea, e)]
        return Step.of(*ends)

    def _residual(self, time: int, q: list[Any], rates: Sequence[Any] = ()) -> list[Any]:
        """Rows of every block at a time of the header."""
        first = self.header[time], self.header[sl.LOAD], self.p
        r = self.laws.residual(first, q, rates)
        ends = np.cumsum([0, *(s.n for s in self.shapes)])
        return [r[int(a) : int(b)] for a, b in itertools.pairwise(ends)]

    def _placed(self, s: float) -> list[Any]:
        """Coordinates of all blocks on the way, relative to the first body; multipliers as at the
        end."""
        found = []
        for i, shape in enumerate(self.shapes):
            own = self.q0[i] + (1 + s) / 2 * (self.q1[i] - self.q0[i])
            if shape.algebraic:
                found.append(self.q1[i])
            elif not shape.pose:
                found.append(own)
            elif i == self.base:
                found.append(ca.vertcat(0, 0, 0, 1, 0, 0, 0, own[7:]))
            else:
                found.append(ca.vertcat(*self.seen[i].at(s), own[7:]))
        return found

    def _loads(self, s: float) -> Loads:
        """Forces of the element on the way."""
        q = self._placed(s)
        rows = self._residual(sl.TIME, q)
        found = Loads([], [], [])
        for i, step in self.seen.items():
            R, half = rotation_of(q[i][3:7]), rotation_of(step.middle)
            found.f.append(R @ rows[i][0:3])
            found.m.append(half.T @ R @ rows[i][3:6])
        for i, shape in enumerate(self.shapes):
            if shape.reals and not shape.algebraic:
                found.g.append(rows[i][6 * shape.pose :])
        return found

    def _averaged(self) -> Loads:
        """Two Gauss points; m belongs to d eta, the way turns by 2 kappa ds/(1 + s^2 kappa^2)."""
        ends = [self._loads(-GAUSS), self._loads(GAUSS)]
        shares = [
            (1 - ca.dot(k, k)) / (1 + GAUSS**2 * ca.dot(k, k)) / 2
            for k in (step.kappa for step in self.seen.values())
        ]
        f, g = ([(x + y) / 2 for x, y in zip(*pair, strict=True)] for pair in (
            (ends[0].f, ends[1].f), (ends[0].g, ends[1].g)))  # fmt: skip
        m = [c * (x + y) for c, x, y in zip(shares, ends[0].m, ends[1].m, strict=True)]
        return Loads(f, m, g)

    def _increments(self) -> Loads:
        """drho, eta and the increments of reals."""
        steps = self.seen.values()
        reals = [
            (self.q1[i] - self.q0[i])[7 * s.pose :]
            for i, s in enumerate(self.shapes)
            if s.reals and not s.algebraic
        ]
        return Loads([s.dp for s in steps], [s.eta for s in steps], reals)

    def _potential(self, q: list[Any]) -> Any:
        """V, or -lam . g with the multipliers of the end."""
        q = [
            self.q1[i] if s.algebraic else v
            for i, (s, v) in enumerate(zip(self.shapes, q, strict=True))
        ]
        if self.given:
            return self.laws.potential((self.header[sl.TIME], self.header[sl.LOAD], self.p), q)
        rows = self._residual(sl.TIME, q)
        pairs = [(rows[i], self.q1[i]) for i, s in enumerate(self.shapes) if s.algebraic]
        return -sum(ca.dot(g, lam) for g, lam in pairs)

    def _conserving(self) -> Loads:
        """Forces half way, corrected."""
        loads, d = self._loads(0.0), self._increments()
        missing = self._potential(self.q1) - self._potential(self.q0)
        size, weights = ca.SX(0), []
        for k, step in enumerate(self.seen.values()):
            missing -= ca.dot(loads.f[k], d.f[k]) + ca.dot(loads.m[k], d.m[k])
            extent = (
                self.header[sl.EXTENT] ** 2
            )  # the square of what translations are compared with
            near = ca.dot(step.mean, step.mean) + NEAR**2 * extent
            weights.append(1 / (extent if self.base is None else near))
            size += weights[k] * ca.dot(d.f[k], d.f[k]) + ca.dot(d.m[k], d.m[k])
        for own, change in zip(loads.g, d.g, strict=True):
            missing -= ca.dot(own, change)
            size += ca.dot(change, change)
        c = missing * size / (size**2 + STILL**4)
        return Loads(
            [f + c * w * x for f, w, x in zip(loads.f, weights, d.f, strict=True)],
            [m + c * x for m, x in zip(loads.m, d.m, strict=True)],
            [g + c * x for g, x in zip(loads.g, d.g, strict=True)],
        )

    def _damped(self, loads: Loads) -> Loads:
        first, last, half = self._loads(-1.0), self._loads(1.0), self.header[sl.DISSIPATION] / 2
        parts = [
            [x + half * (b - a) for x, a, b in zip(*three, strict=True)]
            for three in zip(
                (loads.f, loads.m, loads.g), (first.f, first.m, first.g), (last.f, last.m, last.g),
                strict=True,
            )
        ]  # fmt: skip
        return Loads(*parts)

    def rows(self) -> Any:
        """r of all blocks."""
        constrained = any(s.algebraic for s in self.shapes)
        loads = self._conserving() if self.known else self._averaged()
        if self.dissipative and not constrained:
            loads = self._damped(loads)
        found = self._on_blocks(loads)
        for i, extra in enumerate(self._rate_rows()):
            if extra is not None:
                found[i] += extra
        if constrained:
            closed = self._residual(sl.END_TIME, self.q1)
            for i, shape in enumerate(self.shapes):
                if shape.algebraic:
                    found[i] = closed[i]
        return ca.densify(ca.vertcat(*found))

    def _on_blocks(self, loads: Loads) -> list[Any]:
        """Forces on the bodies in their own axes half way, and on reals."""
        forces = {i: ca.SX.zeros(3) for i in self.poses}
        moments = {i: ca.SX.zeros(3) for i in self.poses}
        for (i, step), f, m in zip(self.seen.items(), loads.f, loads.m, strict=True):
            F, M = f, rotation_of(step.middle) @ m
            if self.base is not None:
                first, own = self.world[self.base], self.world[i]
                F, mu = first.mean_R @ F, rotation_of(first.e0) @ M
                M = (mu + ca.cross(first.turn, mu) / 2) / (1 + ca.dot(first.turn, own.turn) / 4)
                forces[self.base] -= F
                moments[self.base] -= ca.cross(own.mean - first.mean, F) + M
            forces[i] += F
            moments[i] += M
        reals, found = iter(loads.g), []
        for i, shape in enumerate(self.shapes):
            parts = []
            if shape.pose:
                R = rotation_of(self.world[i].middle)
                parts += [R.T @ forces[i], R.T @ moments[i]]
            if shape.reals and not shape.algebraic:
                parts.append(next(reals))
            found.append(ca.vertcat(*parts) if parts else ca.SX.zeros(shape.n))
        return found

    def _rate_rows(self) -> list[Any]:
        """What speeds and accelerations add, half way; inertia of rigid bodies is not in it."""
        if self.rigid:
            return [None] * len(self.shapes)
        q = [
            ca.vertcat(self.world[i].mean, self.world[i].middle, (self.q0[i] + self.q1[i])[7:] / 2)
            if s.pose
            else self.q1[i] if s.algebraic else (self.q0[i] + self.q1[i]) / 2
            for i, s in enumerate(self.shapes)
        ]  # fmt: skip
        pairs = zip(
            self._residual(sl.TIME, q, self.moving), self._residual(sl.TIME, q), strict=True
        )
        return [moving - resting for moving, resting in pairs]
