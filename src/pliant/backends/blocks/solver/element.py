"""Kinds of elements: residual and exact tangent over a few blocks as machine code.

A block is a pose (position p in the world, unit quaternion) with or without real coordinates, or
real coordinates alone, or multipliers (``algebraic``). Increments and speeds of a pose are in its
own axes, translation first:

    X <- X exp(d),   d = [ d_v | d_w ]        p' = R v,   quat' = 1/2 quat (0, w)

so that the tangent of a body that moves as a whole stays as it is. The residual of an element is
r(t, load, q, u, a) with a = u'; rows of a block of multipliers are constraints, g(t, q) = 0. With
q = q_n exp(psi) over a time step, da = ca dpsi, du = cu dpsi and dpsi = T d, the tangent is

    J = s (cq K + (cu D + ca M) T),    K = dr/dq along d,  D = dr/du,  M = dr/da,  T = T(psi)^-1

Rows of motion and the unit of multipliers are scaled by s: lam = lam' / s, so that the matrix is
well scaled for small steps. Source: Bottasso, Bauchau, Cardona 2007 (scaling).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pliant.backends.blocks.loops import system_layout as sl
from pliant.code import store
from pliant.code.llvm.machine import Machine, host, kept_functions, reproducible
from pliant.records import dataclass

Residual = Callable[["LocalMotion", Any], Any]
"""(motion, numbers) -> rows of all blocks; a potential gives one number."""


@dataclass(frozen=True, slots=True)
class BlockShape:
    """What a block of unknowns consists of."""

    pose: bool = True
    reals: int = 0
    algebraic: bool = False

    @property
    def nq(self) -> int:
        """Coordinates."""
        return 7 * self.pose + self.reals

    @property
    def n(self) -> int:
        """Unknowns: increments of the coordinates."""
        return 6 * self.pose + self.reals


BODY = BlockShape()


def multipliers(m: int) -> BlockShape:
    """Block of m multipliers."""
    return BlockShape(pose=False, reals=m, algebraic=True)


@dataclass(frozen=True, slots=True)
class LocalMotion:
    """Symbols an element may read, one entry per block; u and a of multipliers are None."""

    t: Any
    load: Any
    q: list[Any]
    u: list[Any]
    a: list[Any]

    @classmethod
    def symbols(cls, shapes: Sequence[BlockShape], t: Any = None, load: Any = None) -> LocalMotion:
        """New symbols of blocks; of time and load factor unless they are given."""
        import casadi as ca

        t, load = (ca.SX.sym("s") if given is None else given for given in (t, load))
        q = [ca.SX.sym(f"q{i}", s.nq) for i, s in enumerate(shapes)]
        u, a = (
            [None if s.algebraic else ca.SX.sym(f"{name}{i}", s.n) for i, s in enumerate(shapes)]
            for name in "ua"
        )
        return cls(t, load, q, u, a)

    @property
    def moving(self) -> list[Any]:
        """All speeds, then all accelerations."""
        return [v for v in (*self.u, *self.a) if v is not None]


@dataclass(frozen=True, slots=True)
class Source:
    """What a kind is made of."""

    shapes: tuple[BlockShape, ...]
    parameters: int
    residual: Residual
    potential: Residual | None
    key: str


@dataclass(frozen=True, slots=True)
class ElementKind:
    """Compiled functions of a kind.

    ``residual``: r; ``tangent``: [r | J row by row]; ``load``: dr/dload; ``bias``: first
    and second derivatives in time of the constraints g of the last block, from (t, q, u) with u
    held. ``rates``: whether r reads u or a;
    ``loaded``: whether it reads the load factor.
    """

    name: str
    shapes: tuple[BlockShape, ...]
    parameters: int
    rates: bool
    loaded: bool
    machine: Machine
    operations: tuple[int, int]
    """Length of the code of residual and tangent."""
    source: Source

    @property
    def n(self) -> int:
        return sum(s.n for s in self.shapes)

    @property
    def x_size(self) -> int:
        """Numbers a function reads at most."""
        moving = [s for s in self.shapes if not s.algebraic]
        return sl.X_HEADER + 2 * sum(s.nq for s in self.shapes) + sum(2 * s.n + 18 for s in moving)


def element_kind(
    name: str,
    shapes: Sequence[BlockShape],
    parameters: int,
    residual: Residual,
    stiffness: Residual | None = None,
    *,
    potential: Residual | None = None,
    key: str = "",
) -> ElementKind:
    """Compile a kind. ``stiffness`` may give K for an element without rates in shorter code.

    ``potential``: the energy whose derivative the residual at rest is, if there is one; steps that
    conserve energy make use of it (``discrete``). ``key`` names what the residual computes, if that
    follows from sources of this package: then the machine code is kept on disk.
    """
    reproduced = reproducible()
    place = store.key_of(f"element of {sl.X_HEADER}", key, host(), str(reproduced)) if key else ""
    (rates, loaded, lengths), machine = kept_functions(
        "element", place, partial(_functions, tuple(shapes), parameters, residual, stiffness),
        reproducible=reproduced,
    )  # fmt: skip
    source = Source(tuple(shapes), parameters, residual, potential, key)
    return ElementKind(name, tuple(shapes), parameters, rates, loaded, machine, tuple(lengths),
                       source)  # fmt: skip


def _functions(
    shapes: tuple[BlockShape, ...], parameters: int, residual: Residual, stiffness: Residual | None
) -> tuple[Any, Mapping[str, Any]]:
    """Whether rates and the load factor are read, and lengths of code; functions."""
    import casadi as ca

    symbols = _Symbols(shapes)
    p = ca.SX.sym("p", parameters)
    r = ca.densify(ca.vertcat(residual(symbols.motion, p)))
    rates = bool(ca.depends_on(r, ca.vertcat(*symbols.motion.moving, ca.SX.sym("none"))))
    K = symbols.along(r) if stiffness is None else stiffness(symbols.motion, p)
    rows = ca.densify(ca.vec(ca.densify(symbols.tangent(r, K, rates)).T))
    load = ca.densify(ca.jacobian(r, symbols.motion.load))
    x = symbols.packed(rates)
    functions = {
        "residual": ca.Function("residual", [x, p], [r], {"cse": True}),
        "tangent": ca.Function("tangent", [x, p], [ca.vertcat(r, rows)], {"cse": True}),
        "load": ca.Function("load", [x, p], [load]),
    }
    if shapes[-1].algebraic:
        bias = symbols.bias(r)
        functions["bias"] = ca.Function("bias", [symbols.seen(), p], [bias], {"cse": True})
    lengths = functions["residual"].n_instructions(), functions["tangent"].n_instructions()
    return (rates, not load.is_zero(), lengths), functions


class _Symbols:
    """Symbols of an element and the derivatives along them."""

    def __init__(self, shapes: tuple[BlockShape, ...]) -> None:
        import casadi as ca

        self.ca, self.shapes = ca, shapes
        self.header = ca.SX.sym("header", sl.X_HEADER)
        self.turns = [None if s.algebraic else ca.SX.sym(f"T{i}", 18) for i, s in enumerate(shapes)]
        self.motion = LocalMotion.symbols(shapes, self.header[sl.TIME], self.header[sl.LOAD])

    def packed(self, rates: bool) -> Any:
        """x: header, coordinates and, if they are read, speeds, accelerations and T."""
        more = [*self.motion.moving, *(T for T in self.turns if T is not None)] if rates else []
        return self.ca.vertcat(self.header, *self.motion.q, *more)

    def seen(self) -> Any:
        """(t, q, u), which ``bias`` reads."""
        u = [v for v in self.motion.u if v is not None]
        return self.ca.vertcat(self.motion.t, *self.motion.q, *u)

    def bias(self, r: Any) -> Any:
        """dg/dt and d²g/dt² of the constraints g in the last block, with u held."""
        ca, q, t = self.ca, self.ca.vertcat(*self.motion.q), self.motion.t
        pairs = zip(self.shapes, self.motion.q, self.motion.u, strict=True)
        moving = [ca.SX.zeros(s.nq) if u is None else self._moved(s, own, u) - own
                  for s, own, u in pairs]  # fmt: skip
        found = [r[r.numel() - self.shapes[-1].n :]]
        for _ in range(2):
            g = found[-1]
            found.append(ca.jtimes(g, q, ca.vertcat(*moving)) + ca.jtimes(g, t, 1))
        return ca.densify(ca.vertcat(*found[1:]))

    def along(self, r: Any) -> Any:
        """K: derivative of r along the increments of all blocks."""
        ca = self.ca
        d = [ca.SX.sym(f"d{i}", s.n) for i, s in enumerate(self.shapes)]
        pairs = zip(self.shapes, self.motion.q, d, strict=True)
        moved = [self._moved(shape, q, step) for shape, q, step in pairs]
        q, step = ca.vertcat(*self.motion.q), ca.vertcat(*d)
        K = ca.jacobian(ca.substitute(r, q, ca.vertcat(*moved)), step)
        return ca.substitute(K, step, ca.SX.zeros(step.numel()))

    def _moved(self, shape: BlockShape, q: Any, d: Any) -> Any:
        """Coordinates of a block after a small increment, to first order."""
        ca = self.ca
        if not shape.pose:
            return q + d
        from pliant.spatial.rotation import from_quaternion, quaternion_rate
        from pliant.spatial.symbolic import SYMBOLIC

        p = q[0:3] + from_quaternion(SYMBOLIC, q[3:7]) @ d[0:3]
        return ca.vertcat(p, q[3:7] + quaternion_rate(SYMBOLIC, q[3:7], d[3:6]), q[7:] + d[6:])

    def tangent(self, r: Any, K: Any, rates: bool) -> Any:
        """J, scaled."""
        ca, h = self.ca, self.header
        motion = [not s.algebraic for s in self.shapes for _ in range(s.n)]
        stiff = ca.vertcat(*[h[sl.CQ] * h[sl.SCALE] if m else 1 for m in motion])
        scale = ca.vertcat(*[h[sl.SCALE] if m else 1 for m in motion])
        J = ca.diag(stiff) @ K if all(motion) else self._mixed(K, stiff, motion)
        if rates:
            J += ca.diag(scale) @ self._inertial(r)
        return J

    def _mixed(self, K: Any, stiff: Any, motion: list[bool]) -> Any:
        """Rows scaled, columns of multipliers in their unit."""
        ca, s = self.ca, self.header[sl.SCALE]
        columns = []
        for j, m in enumerate(motion):
            rows = [
                K[i, j] * (stiff[i] if m else 1 if own else 1 / s) for i, own in enumerate(motion)
            ]
            columns.append(ca.vertcat(*rows))
        return ca.horzcat(*columns)

    def _inertial(self, r: Any) -> Any:
        """(cu D + ca M) T."""
        ca, h = self.ca, self.header
        parts = []
        for shape, u, a, T in zip(
            self.shapes, self.motion.u, self.motion.a, self.turns, strict=True
        ):
            if u is None:
                parts.append(ca.SX.zeros(r.numel(), shape.n))
                continue
            both = h[sl.CU] * ca.jacobian(r, u) + h[sl.CA] * ca.jacobian(r, a)
            parts.append(both @ _turn(ca, shape, T))
        return ca.horzcat(*parts)


def _turn(ca: Any, shape: BlockShape, T: Any) -> Any:
    """T of a block from its 18 numbers [A | U]: [ A U; 0 A ] for a pose, 1 for reals."""
    if not shape.pose:
        return ca.SX.eye(shape.n)
    A, U = ca.reshape(T[0:9], 3, 3).T, ca.reshape(T[9:18], 3, 3).T
    pose = ca.vertcat(ca.horzcat(A, U), ca.horzcat(ca.SX.zeros(3, 3), A))
    return ca.diagcat(pose, ca.SX.eye(shape.reals))
