"""Equations to machine code: the functions that solvers call, by address.

Every function is ``void f(const double *x, const double *p, double *y)`` with

    x = [ t | q | u | xs | a | lam ]          (sizes 1, nq, nu, nx, nu, m)

Matrices are given by their structural non-zeros; ``blocks[function][name]`` says where they are in
y and which entries they are. Vectors are dense.

    F: M G h gamma g cv qdot xdot        everything an explicit step needs
    C: G g cv                            constraints
    R: r ca cv g qdot xdot               residual for given a, lam
    J: M D K G Au Aq B Rx Fu Fq Fx       D = dr/du, K = dr/dq N, Au = dca/du, Aq = dca/dq N,
                                         B = dcv/dq N, Rx = dr/dx, Fu = df/du, Fq = df/dq N,
                                         Fx = df/dx
    T: dq                                dq = N v with v in the u slot
    S: qdot qddot                        for dense output
    U: u                                 u from q'; here x = [ t | q | q' ]
    O: y                                 observables, concatenated
    E: e                                 events
    W: y                                 powers to be integrated to work
    A: y                                 angles known modulo a turn, each followed by its rate
    L: Y                                 dy/dlam of the reactions (their uniqueness)
    I: eq Eq eu Eu up                    what was given of the start: residuals and d/dv, d/du;
                                         alignment of joints (negative at a false root)
    P: y                                 motion of the bodies, 18 numbers each
    X: xs                                x at the start, from t, q, u
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from pliant.engine import Machine, compile_functions
from pliant.equations.contract import Equations, Observable
from pliant.equations.layout import Layout

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Block:
    """A matrix by its non-zeros: y[offset + k] is entry (rows[k], cols[k])."""

    offset: int
    shape: tuple[int, int]
    rows: NDArray[np.int64]
    cols: NDArray[np.int64]

    def dense(self, y: Array) -> Array:
        """The matrix in full, for Python callers."""
        full = np.zeros(self.shape)
        full[self.rows, self.cols] = y[self.offset : self.offset + len(self.rows)]
        return full


@dataclass(frozen=True, slots=True)
class CompiledEquations:
    """Machine code of one model. ``nd`` rows of M; ``m`` rows of G, ``mh`` of them holonomic."""

    equations: Equations
    machine: Machine
    nq: int
    nu: int
    nx: int
    nd: int
    m: int
    mh: int
    has_lam: bool
    p: Array
    blocks: Mapping[str, Mapping[str, Block]]
    size: Mapping[str, int]
    observed: Mapping[str, tuple[int, Observable]]
    """Where each observable starts in the output of O."""

    @property
    def powers(self) -> tuple[str, ...]:
        """Observables in the output of W, in order."""
        return tuple(_powers({k: o for k, (_, o) in self.observed.items()}))

    @property
    def wrapped(self) -> tuple[str, ...]:
        """Angles in the output of A, in order."""
        return tuple(k for k, (_, o) in self.observed.items() if o.wraps)

    @property
    def layout(self) -> Layout:
        return self.equations.layout

    @property
    def x_size(self) -> int:
        """Length of the packed vector x."""
        return 1 + self.nq + 2 * self.nu + self.nx + self.m

    def call(self, name: str, x: Array, p: Array | None = None) -> Array:
        """Output of one function, from Python."""
        y = np.zeros(self.size[name])
        self.machine.call(name, x, self.p if p is None else p, y)
        return y

    def block(self, function: str, name: str, y: Array) -> Array:
        """One block of an output as a dense array (vectors as 1-D)."""
        block = self.blocks[function][name]
        full = block.dense(y)
        return full[:, 0] if block.shape[1] == 1 and name in _VECTORS else full


_VECTORS = frozenset(["h", "gamma", "g", "cv", "qdot", "xdot", "r", "ca", "dq", "qddot", "u", "y", "e", "eq", "eu", "xs", "up"])


def compile_equations(
    equations: Equations,
    *,
    observe: Sequence[str] | None = None,
    functions: Sequence[str] | None = None,
    optimise: int = 1,
    reproducible: bool = False,
) -> CompiledEquations:
    """Compile. ``observe`` limits the observables to those named, ``functions`` the functions
    (all by default)."""
    e = equations
    chosen = {k: v for k, v in e.observables.items() if observe is None or k in set(observe)}
    outputs = _outputs(e, chosen)
    x = ca.vertcat(e.t, e.q, e.u, e.x, e.a, e.lam)
    x_of_rates = ca.vertcat(e.t, e.q, e.qdot_symbol)
    code, blocks, size = {}, {}, {}
    for name, make in outputs.items():
        if functions is not None and name not in functions:
            continue
        parts = make()
        vector, where = _pack(parts)
        inputs = [x_of_rates if name == "U" else x, e.p]
        inputs += [e.signals] if e.signal_slots else []
        code[name] = ca.Function(name, inputs, [vector])
        blocks[name], size[name] = where, vector.numel()
    position, observed = 0, {}
    for key, o in chosen.items():
        observed[key] = (position, o)
        position += o.expression.numel()
    return CompiledEquations(
        equations=e,
        machine=compile_functions(
            code, optimise=optimise, reproducible=reproducible, signals=e.signal_slots
        ),
        nq=e.q.numel(), nu=e.u.numel(), nx=e.x.numel(), nd=e.residual.numel(),
        m=e.cv.numel(), mh=e.g.numel(), has_lam=e.residual.numel() == e.u.numel(),
        p=e.p_default.copy(), blocks=blocks, size=size, observed=observed,
    )  # fmt: skip


def _outputs(
    e: Equations, chosen: Mapping[str, Observable]
) -> dict[str, Callable[[], dict[str, Any]]]:
    """How to write the named parts of every function."""
    acceleration = e.ca
    N, G = ca.jacobian(e.qdot, e.u), ca.jacobian(e.cv, e.u)
    return {
        "F": lambda: _explicit(e, acceleration, G),
        "C": lambda: dict(G=G, g=e.g, cv=e.cv),
        "R": lambda: dict(r=e.residual, ca=acceleration, cv=e.cv, g=e.g, qdot=e.qdot, xdot=e.f),
        "J": lambda: _jacobians(e, acceleration, G, N),
        "T": lambda: dict(dq=N @ e.u),
        "S": lambda: dict(qdot=e.qdot, qddot=e.total_derivative(e.qdot)),
        "U": lambda: dict(u=e.u_of_qdot),
        "O": lambda: dict(y=_stack([o.expression for o in chosen.values()])),
        "E": lambda: dict(e=_stack(list(e.events.values()))),
        "W": lambda: dict(y=_stack([o.expression for o in _powers(chosen).values()])),
        "A": lambda: dict(y=_stack(_wrapped(e, chosen))),
        "L": lambda: dict(Y=ca.jacobian(
            _stack([o.expression for o in chosen.values() if o.kind == "reaction"]), e.lam)),
        "I": lambda: _given(e, N),
        "P": lambda: dict(y=_stack(list(e.bodies.values()))),
        "X": lambda: dict(xs=ca.SX.zeros(0, 1) if e.x_start is None else e.x_start),
    }  # fmt: skip


def _explicit(e: Equations, acceleration: Any, G: Any) -> dict[str, Any]:
    at_rest = ca.vertcat(e.a, e.lam)
    zero = ca.SX.zeros(at_rest.numel())
    h = -ca.substitute(e.residual, at_rest, zero)
    gamma = ca.substitute(acceleration, at_rest, zero)
    M = ca.jacobian(e.residual, e.a)
    return dict(M=M, G=G, h=h, gamma=gamma, g=e.g, cv=e.cv, qdot=e.qdot, xdot=e.f)


def _jacobians(e: Equations, acceleration: Any, G: Any, N: Any) -> dict[str, Any]:
    return dict(
        M=ca.jacobian(e.residual, e.a), D=ca.jacobian(e.residual, e.u),
        K=_along(e.residual, e.q, N), G=G, Au=ca.jacobian(acceleration, e.u),
        Aq=_along(acceleration, e.q, N), B=_along(e.cv, e.q, N), Rx=ca.jacobian(e.residual, e.x),
        Fu=ca.jacobian(e.f, e.u), Fq=_along(e.f, e.q, N), Fx=ca.jacobian(e.f, e.x),
    )  # fmt: skip


def _powers(chosen: Mapping[str, Observable]) -> dict[str, Observable]:
    """Powers of elements whose power is observed; their integral is the work."""
    return {k: o for k, o in chosen.items() if o.kind == "power" and o.owner}


def _wrapped(e: Equations, chosen: Mapping[str, Observable]) -> list[Any]:
    pairs = [(o, e.observables[o.wraps]) for o in chosen.values() if o.wraps]
    return [part.expression for pair in pairs for part in pair]


def _given(e: Equations, N: Any) -> dict[str, Any]:
    none = ca.SX.zeros(0, 1)
    eq = none if e.given.positions is None else e.given.positions
    eu = none if e.given.velocities is None else e.given.velocities
    up = none if e.alignment is None else e.alignment
    return dict(eq=eq, Eq=_along(eq, e.q, N), eu=eu, Eu=ca.jacobian(eu, e.u), up=up)


def _stack(items: list[Any]) -> Any:
    return ca.densify(ca.vertcat(*[ca.vec(i) for i in items])) if items else ca.SX.zeros(0, 1)


def _along(expression: Any, q: Any, N: Any) -> Any:
    """d(expression)/dq N: the derivative along retract(q, dv), one column per speed."""
    return ca.jacobian(expression, q) @ N


def _pack(parts: Mapping[str, Any]) -> tuple[Any, dict[str, Block]]:
    """One output vector from named parts: non-zeros of matrices, all entries of vectors."""
    pieces, blocks, offset = [], {}, 0
    for name, part in parts.items():
        part = ca.SX(part)
        part = ca.densify(part) if name in _VECTORS else ca.sparsify(part)
        rows, cols = (np.array(i, dtype=np.int64) for i in part.sparsity().get_triplet())
        blocks[name] = Block(offset, part.shape, rows, cols)
        values: Any = part.nonzeros()
        pieces.append(ca.vertcat(*values) if values else ca.SX.zeros(0, 1))
        offset += part.nnz()
    return ca.vertcat(*pieces), blocks
