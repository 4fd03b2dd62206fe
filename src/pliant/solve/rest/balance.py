"""Balance of forces at one position: what statics and modes are made of.

With a = 0 and speeds u given (none at rest), forces at a position q of the constraints leave

    r = -h(t, q, u) - A^T lam,      A = [G; E],      lam of least norm with |r| smallest,

E the rows of coordinates that are held. Z spans the null space of A: f = Z^T r is what is not in
balance, whatever the redundancy of the constraints. Its tangent along Z is Z^T K Z with the total
K = dr/dq N, which contains d(G^T lam)/dq.

States x of networks come to rest, f(t, q, u, x) = 0, at every position (``settled``); what they
follow q with adds to the tangent: K - (dr/dx) (df/dx)^-1 df/dq N.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array, Flags
from pliant.code.compiled import CompiledEquations
from pliant.errors import CapabilityError, StepError
from pliant.mechanics.layout import Layout, Scalar
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError, require_finite
from pliant.solve.start.assembly import Assembler

_RANK = 1e-9
_CLOSED = 1e-12
_SETTLINGS = 60
_EPS = float(np.finfo(np.float64).eps)
SLOWEST = 1e-9
"""Eigenvalues of M^-1 K below that, in 1/s^2, are zero: a period of two days."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Forces and tangents at one position. ``x`` is packed, with lam and without accelerations."""

    x: Array
    r: Array
    M: Array
    D: Array
    K: Array
    G: Array
    Z: Array
    gap: float
    """Largest constraint acceleration that a = 0 leaves."""
    load: float
    """Size of the forces in it."""

    @property
    def small(self) -> Array:
        """Forces along Z below are none: rounding of those in it, accelerations of 1e-11 of what
        moves there."""
        rounding = 1e-10 * self.load + 1e-14 * float(np.abs(self.K).max(initial=0.0))
        moved: Array = np.abs(self.Z).T @ np.abs(self.M).max(axis=1, initial=0.0)
        return rounding + 1e-11 * moved

    @property
    def f(self) -> Array:
        """What is not in balance, along Z."""
        out: Array = self.Z.T @ self.r
        return out

    def along(self, matrix: Array) -> Array:
        """Z^T matrix Z."""
        out: Array = self.Z.T @ matrix @ self.Z
        return out


class Balancer:
    """Evaluates balances of one model at time t; ``held`` are speeds whose coordinates stay.

    ``u0`` None: at rest. Otherwise the speeds nearest to u0 that meet the constraints.
    ``networks``: which states x are of networks; they come to rest unless ``settles`` is False,
    the others stay as they are. ``size``: of the model.
    """

    def __init__(
        self,
        compiled: CompiledEquations,
        p: Array,
        start: Array,
        held: tuple[int, ...] = (),
        u0: Array | None = None,
        networks: tuple[int, ...] = (),
        settles: bool = True,
        size: float = 1.0,
    ) -> None:
        self.c, self.p, self.u0 = compiled, p, u0
        self.networks = np.array(networks, dtype=int)
        self.settles = settles and bool(networks)
        self.t = float(start[0])
        self.assembler = Assembler(compiled, p, self.t, size)
        self.E = np.eye(compiled.nu)[list(held)]
        first = 1 + compiled.nq + compiled.nu
        self.xs = start[first : first + compiled.nx].copy()

    def packed(self, q: Array, u: Array | None = None) -> Array:
        """x at rest, or with speeds."""
        x = self.assembler.packed(q, u)
        first = 1 + self.c.nq + self.c.nu
        x[first : first + self.c.nx] = self.xs
        return x

    def q_of(self, x: Array) -> Array:
        """The coordinates in a packed x."""
        return x[1 : 1 + self.c.nq]

    def moved(self, q: Array, dv: Array, still: Sequence[int] = ()) -> Array | None:
        """q moved along the tangent and back onto the constraints; None if that fails, or ends at
        a false root of them. On the way back speeds ``still`` stay nought."""
        try:
            found = self._closed(self.assembler.moved(q, dv), still)
        except UndefinedError:
            return None
        if found is None or not self.assembler.aligned(self.packed(found)):
            return None
        return found

    def near(self, q: Array) -> Balance | None:
        """The balance at a position that is only tried: None where something has no value."""
        try:
            return self.at(q)
        except UndefinedError:
            return None

    def _closed(self, q: Array, still: Sequence[int] = ()) -> Array | None:
        """q back on the constraints, what is held kept still."""
        best, kept = np.inf, np.vstack([self.E, np.eye(self.c.nu)[list(still)]])
        for _ in range(30):
            g, _, G = self.assembler.constraints(self.packed(q))
            gap = np.concatenate([g, np.zeros(self.c.m - self.c.mh + len(kept))])
            size = float(np.abs(g).max(initial=0.0))
            if size < 1e-15 or (size < _CLOSED and size > 0.5 * best):
                return q
            if not np.isfinite(size) or size > 1e3:
                return None
            best = min(best, size)
            step = np.linalg.lstsq(np.vstack([G, kept]), -gap, rcond=1e-10)[0]
            q = self.assembler.moved(q, step)
        return q if best < 1e-9 else None

    def at(self, q: Array) -> Balance:
        """The balance at a position that meets the constraints."""
        c = self.c
        x = self.packed(q)
        _, b, G = self.assembler.constraints(x)
        A = np.vstack([G, self.E])
        U, s, Vt = np.linalg.svd(A) if A.size else (np.eye(len(A)), np.zeros(0), np.eye(c.nu))
        rank = int((s > _RANK * max(float(s.max(initial=0.0)), 1e-300)).sum())
        inverse = (Vt[:rank].T / s[:rank]) @ U[:, :rank].T
        if self.u0 is not None:
            off = np.concatenate([G @ self.u0 + b, np.zeros(len(self.E))])
            x[1 + c.nq : 1 + c.nq + c.nu] = self.u0 - inverse @ off
        x = self.settled(x) if self.settles else x
        y = c.call("residual", x, self.p)
        require_finite("the forces", x, self.p, y)
        h, moving = c.block("residual", "r", y), c.block("residual", "ca", y)
        lam = inverse.T @ h
        if c.m:
            x[-c.m :] = lam[: c.m]
        y = c.call("jacobians", x, self.p)
        require_finite("stiffness and damping", x, self.p, y)
        M, D, K, B = (c.block("jacobians", k, y) for k in ("M", "D", "K", "B"))
        if self.settles:
            Rx, Fx, Fq, Fu = (c.block("jacobians", k, y) for k in ("Rx", "Fx", "Fq", "Fu"))
            own = self.networks
            back = solve(Fx[np.ix_(own, own)].T, Rx[:, own].T).T
            D, K = D - back @ Fu[own], K - back @ Fq[own]
        if self.u0 is not None:
            K = K - D @ inverse[:, : c.m] @ B
        size = max(float(np.abs(v).max(initial=0.0)) for v in (h, A.T @ lam))
        gap = float(np.abs(moving).max(initial=0.0)) if self.u0 is not None else 0.0
        return Balance(x, h - A.T @ lam, M, D, K, G, Vt[rank:].T, gap, size)

    def settled(self, x: Array) -> Array:
        """x with the states of networks at f = 0: Newton, steps halved until they shrink."""
        own = self.networks + 1 + self.c.nq + self.c.nu
        x, step, slope = x.copy(), *self._towards_rest(x)
        for _ in range(_SETTLINGS):
            share = 1.0
            while share > 1e-6:
                tried = x.copy()
                tried[own] += share * step
                rest = -solve(slope, self._rates(tried))
                if np.abs(rest).max() <= (1 - 0.5 * share) * np.abs(step).max():
                    break
                share *= 0.5
            x, size = tried, float(np.abs(share * step).max())
            step, slope = self._towards_rest(x)
            if size <= 1e-14 * float(np.abs(x[own]).max()) or not step.any():
                return x
        names = ", ".join(self.c.layout.x[int(k)].name for k in self.networks)
        raise StepError(f"statics: {names} do not come to rest; begin nearer to the equilibrium")

    def _rates(self, x: Array) -> Array:
        rates: Array = self.c.block("residual", "xdot", self.c.call("residual", x, self.p))[
            self.networks
        ]
        return rates

    def _towards_rest(self, x: Array) -> tuple[Array, Array]:
        """Newton's step to f = 0, and df/dx."""
        y = self.c.call("jacobians", x, self.p)
        require_finite("the rates of networks", x, self.p, y, self._rates(x))
        Fx = self.c.block("jacobians", "Fx", y)
        own = Fx[np.ix_(self.networks, self.networks)]
        scale = np.abs(own).max(axis=1, initial=0.0)
        scaled = own / np.where(scale > 0, scale, 1.0)[:, None]
        loose = np.linalg.svd(scaled / np.maximum(np.abs(scaled).max(axis=0), 1e-300))
        if loose[1][-1] < _RANK:
            raise CapabilityError(self._restless(loose[0][:, -1] / np.where(scale > 0, scale, 1.0),
                                                 loose[2][-1], self._rates(x)))  # fmt: skip
        return -solve(own, self._rates(x)), own

    def _restless(self, balance: Array, change: Array, rates: Array) -> str:
        """States that may change without any effect on the rates: then these sum up to zero at
        every value, or at none."""
        weak = np.abs(change)
        found = [self.c.layout.x[int(k)] for k in self.networks[weak > 0.3 * weak.max()]]
        names = ", ".join(s.name for s in found)
        sums = balance * rates
        if abs(sums.sum()) <= _RANK * np.abs(sums).sum():
            return (f"statics: nothing brings {names} of a network to rest: any value is an "
                    "equilibrium; let it flow off through a resistance (R)")  # fmt: skip
        largest = int(np.argmax(np.abs(sums)))
        own = self.c.layout.x[int(self.networks[largest])]
        value = "its value" if names == own.name else names
        return (f"statics: there is no equilibrium: while the mechanism rests, {own.name} changes "
                f"by {rates[largest]:.4g} {own.unit}/s, whatever {value} is; let it flow off "
                "through a resistance (R), or stop the source")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stiffness:
    """Z^T K Z in coordinates in which the mass is the unit matrix: L^-1 (.) L^-T.

    ``values`` are eigenvalues of its symmetric part in 1/s^2, in rising order; ``zero`` is how
    large rounding makes each.
    """

    L: Array
    values: Array
    vectors: Array
    zero: Array

    @property
    def loose(self) -> Flags:
        """Which directions no stiffness holds."""
        return np.abs(self.values) <= self.zero

    @property
    def definite(self) -> bool:
        """Whether every direction is held or indifferent."""
        return bool(np.all(self.values > -self.zero))

    @property
    def verdict(self) -> str:
        """stable, indifferent (nothing holds some motion) or unstable."""
        if not self.definite:
            return "unstable"
        return "indifferent" if self.loose.any() else "stable"

    def motion(self, k: int) -> Array:
        """Direction k in reduced coordinates, its mass 1."""
        return solve(self.L.T, self.vectors[:, k])


def stiffness(balance: Balance) -> Stiffness:
    """The reduced tangent stiffness at a balance, measured by the mass it moves."""
    M, K = balance.along(balance.M), balance.along(balance.K)
    L = mass_factor(M)
    values, vectors, zero = mass_modes(L, (K + K.T) / 2)
    return Stiffness(L, values, vectors, zero)


def mass_modes(L: Array, K: Array) -> tuple[Array, Array, Array]:
    """Eigenvalues and vectors of L^-1 K L^-T, K symmetric, and how large rounding makes each.

    Rounding of the largest eigenvalues would hide the smallest, as a swing is hidden by the
    stretching of a rod: those are computed again from K itself in the space of their vectors.
    """
    A = per_mass(L, K)
    values, vectors = np.linalg.eigh((A + A.T) / 2)
    for _ in range(3):
        soft = np.abs(values) < 1e-6 * np.abs(values).max(initial=0.0)
        if not soft.any():
            break
        Y = solve(L.T, vectors[:, soft])
        again, turn = np.linalg.eigh(Y.T @ K @ Y)
        values[soft], vectors[:, soft] = again, vectors[:, soft] @ turn
        if np.abs(again).max() > 1e-6 * np.abs(values).max():
            break
    order = np.argsort(values)
    values, vectors = values[order], vectors[:, order]
    return values, vectors, smallest_of(L, K, vectors)


def mass_factor(M: Array) -> Array:
    """L with L L^T = M; directions without mass are given a little."""
    if not len(M):
        return M.copy()
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    least = 1e-12 * max(float(values.max()), 1e-300)
    if values[0] > 1e-3 * least:
        return np.asarray(np.linalg.cholesky((M + M.T) / 2), dtype=np.float64)
    return np.asarray(vectors * np.sqrt(np.maximum(values, least)), dtype=np.float64)


def solve(A: Array, b: Array) -> Array:
    """A^-1 b."""
    return np.asarray(np.linalg.solve(A, b), dtype=np.float64)


def least_squares(A: Array, b: Array) -> Array:
    """y of least norm with |A y - b| smallest."""
    return np.asarray(np.linalg.lstsq(A, b, rcond=1e-14)[0], dtype=np.float64)


def per_mass(L: Array, A: Array) -> Array:
    """L^-1 A L^-T: a matrix in coordinates of unit mass."""
    return solve(L, solve(L, A).T).T


def smallest_of(L: Array, K: Array, vectors: Array) -> Array:
    """Below that the eigenvalue (in 1/s^2) of each vector is zero: rounding of y^T K y."""
    Y = np.abs(solve(L.T, vectors))
    rounding: Array = 64 * _EPS * len(K) * np.einsum("ik,ij,jk->k", Y, np.abs(K), Y)
    return np.maximum(SLOWEST, rounding)


def coordinate_of(speed: Scalar) -> str:
    """What moves at a speed: ``J.angle_rate`` is the rate of ``J.angle``, ``b.free.vx`` of ``b.x``,
    ``S.wx`` turns ``S`` about x."""
    owner = speed.owner.removesuffix(".free")
    kind = speed.name.removeprefix(f"{speed.owner}.").removesuffix("_rate")
    if len(kind) == 2 and kind[1] in "xyz" and kind[0] in "vw":
        kind = kind[1] if kind[0] == "v" else f"rotation {kind[1]}"
    return f"{owner}.{kind}"


def moving(layout: Layout, v: Array, share: float = 0.3) -> str:
    """Coordinates that take part in a motion v, the largest first, as a text."""
    size = np.abs(v)
    order = [int(k) for k in np.argsort(-size) if size[k] > share * size.max(initial=0.0)]
    names = [f"'{coordinate_of(layout.u[k])}'" for k in order]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
