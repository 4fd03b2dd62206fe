"""Small motions about a balance: M v'' + D v' + K v = G^T mu, G v = 0.

Coordinates of a small motion are tangent: q + N v. Where the balance moves at speeds u, N changes
along the motion, and

    v' = du + C v,      C v = N⁺ (d(N u)/dq N v - N' v),

du the change of the speeds. With v = Z y, Z the null space of the constraints,

    Z^T M Z y'' + Z^T (D - M C) Z y' + Z^T (K - D C) Z y = 0,

a quadratic eigenproblem in s. Without velocity terms and with symmetric K it is solved as the
symmetric problem it is; otherwise as a first-order system in coordinates of unit mass, from which
the coordinates that nothing holds are left out (only their rates count), so that rigid motions do
not spoil the accuracy of the others.

States x of networks belong to the first-order system:

    ... + Z^T Rx x = 0,      x' = (Fq - Fu C) Z y + Fu Z y' + Fx x

Those of algebraic loops have no rate, 0 = ..., and are solved for.

Is a motion at constant speeds steady: in balance, and with the same small motions about it?

Frequencies follow from the matrices of small motions at one instant only if these stay the same
along the motion, entry by entry:

    M y'' + D y' + K y + Rx x = 0,      x' = Fq y + Fu y' + Fx x

Where a turning part and a part that does not turn are both free to move, the entries change
periodically. Their eigenvalues may stay the same and mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from functools import partial

import numpy as np

from pliant.arrays import Array, Complex, Flags
from pliant.errors import CapabilityError
from pliant.records import dataclass
from pliant.solve.rest.balance import (
    SLOWEST,
    Balance,
    Balancer,
    mass_factor,
    mass_modes,
    moving,
    per_mass,
    smallest_of,
    solve,
)

_SYMMETRIC = 1e-9
_ROUNDING = 1e-11
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Modes:
    """Eigenvalues s (1/s) and shapes v (columns, one row per speed), slowest first.

    Of a pair of conjugates the one with positive imaginary part is kept; ``rigid``: s = 0.
    ``network``: what part the states of networks take in each (participation factors, of one).
    """

    s: Complex
    shapes: Complex
    rigid: Flags
    symmetric: bool
    network: Array = field(default_factory=lambda: np.zeros((0, 0)))


@dataclass(frozen=True, slots=True)
class Coupling:
    """States x of networks: Rx x on the motion; x' from y, y' and x itself."""

    Rx: Array
    Fq: Array
    Fu: Array
    Fx: Array


@dataclass(frozen=True, slots=True)
class Reduced:
    """The matrices of small motions along Z."""

    M: Array
    D: Array
    K: Array
    Z: Array
    coupling: Coupling | None = None


def linearised(balancer: Balancer, b: Balance) -> Reduced:
    """Small motions about a balance, at rest or at constant speeds."""
    c, y = balancer.c, balancer.c.call("jacobians", b.x, balancer.p)
    D, K = (c.block("jacobians", k, y) for k in ("D", "K"))
    C = np.zeros((c.nu, c.nu)) if balancer.u0 is None else transport(balancer, b)
    coupling, own, Z = None, balancer.networks, b.Z
    if len(own):
        Rx, Fq, Fu, Fx = (c.block("jacobians", k, y) for k in ("Rx", "Fq", "Fu", "Fx"))
        coupling = Coupling(Z.T @ Rx[:, own], (Fq - Fu @ C)[own] @ Z, Fu[own] @ Z,
                            Fx[np.ix_(own, own)])  # fmt: skip
    full = Reduced(b.along(b.M), b.along(D - b.M @ C), b.along(K - D @ C), b.Z, coupling)
    return _without_loops(full, c.layout.algebraic)


def _without_loops(full: Reduced, count: int) -> Reduced:
    """The last ``count`` states follow: 0 = Fq y + Fu y' + Fx x of their rows."""
    net = full.coupling
    if net is None or not count:
        return full
    n = len(net.Fx) - count
    by_y, by_rate, by_x = (-solve(net.Fx[n:, n:], F[n:]) for F in (net.Fq, net.Fu, net.Fx[:, :n]))
    Rz, Fz = net.Rx[:, n:], net.Fx[:n, n:]
    left = Coupling(net.Rx[:, :n] + Rz @ by_x, net.Fq[:n] + Fz @ by_y,
                    net.Fu[:n] + Fz @ by_rate, net.Fx[:n, :n] + Fz @ by_x)  # fmt: skip
    return replace(full, D=full.D + Rz @ by_rate, K=full.K + Rz @ by_y,
                   coupling=left if n else None)  # fmt: skip


def transport(balancer: Balancer, b: Balance) -> Array:
    """C: how tangent vectors change along a motion at constant speeds.

    Central differences, exact where N is at most quadratic in q, as for quaternions.
    """
    c = balancer.c
    q, u = b.x[1 : 1 + c.nq], b.x[1 + c.nq : 1 + c.nq + c.nu]
    N = np.array([_tangent(balancer, e, q) for e in np.eye(c.nu)]).T
    rate = N @ u
    bent = [_central(partial(_tangent, balancer, u), q, along) for along in N.T]
    turned = [_central(partial(_tangent, balancer, e), q, rate) for e in np.eye(c.nu)]
    change = (np.array(bent) - np.array(turned)).T
    return np.asarray(np.linalg.lstsq(N, change, rcond=None)[0], dtype=np.float64)


def _tangent(balancer: Balancer, v: Array, q: Array) -> Array:
    """N(q) v."""
    return balancer.c.call("tangent", balancer.packed(q, v), balancer.p)


def _central(f: Callable[[Array], Array], q: Array, direction: Array) -> Array:
    """Derivative of f at q along a direction, of fourth order."""
    size = 1.0 / max(1.0, float(np.abs(direction).max(initial=0.0)))
    near, far = (f(q + k * size * direction) - f(q - k * size * direction) for k in (1, 2))
    return np.asarray((8 * near - far) / (12 * size), dtype=np.float64)


def solve_modes(system: Reduced) -> Modes:
    """All modes of small motions."""
    if system.coupling is not None:
        return _with_networks(system, system.coupling)
    if not len(system.M):
        return Modes(np.zeros(0, complex), np.zeros((len(system.Z), 0), complex),
                     np.zeros(0, dtype=bool), True)  # fmt: skip
    L = mass_factor(system.M)
    D, K = per_mass(L, system.D), per_mass(L, system.K)
    size = float(np.abs(K).max())
    still = float(np.abs(D).max()) <= _ROUNDING * np.sqrt(max(size, SLOWEST))
    symmetric = still and bool(np.abs(K - K.T).max() <= _SYMMETRIC * size)
    s, y, rigid = _undamped(L, system.K) if symmetric else _general(D, K, _loose(L, system.K))
    shapes = system.Z @ np.linalg.solve(L.T, y)
    order = np.lexsort((s.real, np.abs(s), ~rigid))
    return Modes(s[order], _turned(shapes[:, order]), rigid[order], symmetric)


def _undamped(L: Array, K: Array) -> tuple[Complex, Complex, Flags]:
    """s = i omega, or the growing one of a pair s = +-sigma."""
    values, y, zero = mass_modes(L, (K + K.T) / 2)
    rigid = np.abs(values) <= zero
    s = np.where(rigid, 0.0, np.where(values > 0, 1j, 1.0) * np.sqrt(np.abs(values)))
    return s.astype(np.complex128), y.astype(np.complex128), rigid


def _general(D: Array, K: Array, null: tuple[Array, Array]) -> tuple[Complex, Complex, Flags]:
    """Eigenvalues of y'' + D y' + K y = 0; coordinates that K does not hold count by rates."""
    loose, tight = null
    n, k = len(K), tight.shape[1]
    scale = max(np.sqrt(float(np.abs(K).max())), float(np.abs(D).max()), 1e-9)
    A = np.zeros((k + n, k + n))
    A[:k, k:] = tight.T * scale
    A[k:, :k] = -K @ tight / scale
    A[k:, k:] = -D
    s, z = np.linalg.eig(A)
    s, z = s.astype(np.complex128), z.astype(np.complex128)
    fastest = float(np.abs(s).max(initial=0.0))
    zero = np.abs(s) <= 1e-9 * fastest
    conservative = np.abs(D + D.T).max() <= _SYMMETRIC * np.abs(D).max(initial=1e-300) and (
        np.abs(K - K.T).max() <= _SYMMETRIC * max(float(np.abs(K).max()), 1e-300)
    )
    s = _clean(s, 1e-9 if conservative else 1e-13)
    kept = (s.imag >= 0) & ~zero
    moving = s[kept]
    y = z[k:, kept] / moving
    rest = loose.astype(np.complex128)
    return (
        np.concatenate([np.zeros(rest.shape[1], complex), moving]),
        np.concatenate([rest, y], axis=1),
        np.concatenate([np.ones(rest.shape[1], bool), np.zeros(len(moving), bool)]),
    )


def _with_networks(system: Reduced, net: Coupling) -> Modes:
    """Modes of [y, y', x], directions that neither K nor the networks hold by their rates."""
    L = mass_factor(system.M)
    D, K = per_mass(L, system.D), per_mass(L, system.K)
    Rx = solve(L, net.Rx)
    Fq, Fu = (solve(L, F.T).T for F in (net.Fq, net.Fu))
    loose, tight = _loose(L, system.K) if len(K) else (np.zeros((0, 0)), np.zeros((0, 0)))
    if np.abs(Fq @ loose).max(initial=0.0) > 0.0:
        loose, tight = np.zeros((len(K), 0)), np.eye(len(K))
    n, k, m = len(K), tight.shape[1], len(net.Fx)
    A = np.block([
        [np.zeros((k, k)), tight.T, np.zeros((k, m))],
        [-K @ tight, -D, -Rx],
        [Fq @ tight, Fu, net.Fx],
    ])  # fmt: skip
    values, vectors = np.linalg.eig(A)
    taking = np.abs(vectors * np.linalg.pinv(vectors).T)
    taking = taking / taking.sum(axis=0)
    zero = np.abs(values) <= 1e-12 * float(np.abs(values).max(initial=0.0))
    kept = (values.imag >= 0) & ~zero
    s = np.concatenate([np.zeros(loose.shape[1], complex), _clean(values[kept], 1e-13)])
    y = np.concatenate([loose, vectors[k : k + n, kept] / values[kept]], axis=1)
    network = np.concatenate([np.zeros((m, loose.shape[1])), taking[k + n :, kept]], axis=1)
    rigid = np.arange(len(s)) < loose.shape[1]
    shapes: Complex = np.zeros((len(system.Z), len(s)), complex)
    order = np.lexsort((s.real, np.abs(s), ~rigid))
    if n:
        moved: Complex = np.linalg.solve(L.T, y[:, order]).astype(np.complex128)
        shapes = _turned((system.Z @ moved).astype(np.complex128))
    return Modes(s[order], shapes, rigid[order], False, network[:, order])


def _loose(L: Array, K: Array) -> tuple[Array, Array]:
    """Directions (in coordinates of unit mass) that K does not hold, and those that it does."""
    _, sigma, Vt = np.linalg.svd(per_mass(L, K))
    coarse = sigma <= np.maximum(SLOWEST, 64 * _EPS * len(K) * sigma.max(initial=0.0))
    Y = solve(L.T, Vt.T)
    stiff = np.abs(np.einsum("ik,ij,jk->k", Y, K, Y))
    loose = coarse & (stiff <= smallest_of(L, K, Vt.T))
    return Vt[loose].T, Vt[~loose].T


def _clean(s: Complex, rounding: float) -> Complex:
    """Real or imaginary parts that are rounding only become zero."""
    real = np.where(np.abs(s.real) <= rounding * np.abs(s), 0.0, s.real)
    imaginary = np.where(np.abs(s.imag) <= 1e-13 * np.abs(s), 0.0, s.imag)
    return np.asarray(real + 1j * imaginary, dtype=np.complex128)


def _turned(shapes: Complex) -> Complex:
    """Shapes whose largest component is 1."""
    largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
    return np.asarray(shapes / np.where(largest == 0, 1.0, largest), dtype=np.complex128)


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
