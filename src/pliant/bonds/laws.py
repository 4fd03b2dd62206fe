"""Constitutive laws of bond-graph elements.

A law is made of constants or of functions ``(ops, state) -> value``; those that relate effort and
flow are functions ``(ops, state, argument) -> value`` of whole columns. They are written over
``pliant.spatial.ops``, so that one law gives machine code and readable equations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.spatial.linear import solve_definite
from pliant.spatial.ops import SymbolicOps


class Numbers(Protocol):
    """Time, parameters and signals by name (``mechanics.SymbolicValues`` are some)."""

    @property
    def t(self) -> Any: ...

    @property
    def p(self) -> Any: ...

    @property
    def p_default(self) -> Any: ...

    def look_up(self, name: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class WithReadings:
    """Numbers, and by name what laws see of other elements."""

    numbers: Numbers
    seen: Mapping[str, Any]

    @property
    def t(self) -> Any:
        return self.numbers.t

    @property
    def p(self) -> Any:
        return self.numbers.p

    @property
    def p_default(self) -> Any:
        return self.numbers.p_default

    def look_up(self, name: str) -> Any:
        return self.seen[name] if name in self.seen else self.numbers.look_up(name)


class Computed(Mapping[str, Any]):
    """Variables by name, as far as they are computed."""

    def __init__(self, variables: list[Any], places: Mapping[str, int]) -> None:
        self._variables, self._places = variables, places

    def __getitem__(self, name: str) -> Any:
        return self._variables[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True, slots=True)
class State:
    """Symbols (or numbers) of everything a law may depend on.

    x: displacements of compliances; u: flows of inertias, and efforts of compliances that depend on
    others. ``state["R"]`` is a parameter, a signal or, as "t", the time.
    """

    ops: SymbolicOps
    numbers: Numbers
    x: Mapping[str, Any] = field(default_factory=dict)
    u: Mapping[str, Any] = field(default_factory=dict)

    @property
    def t(self) -> Any:
        return self.numbers.t

    def __getitem__(self, name: str) -> Any:
        return self.numbers.look_up(name)


Value = Callable[[SymbolicOps, State], Any] | float | Sequence[Any] | Array
"""A constant, or a function of the state."""
Relation = Callable[[SymbolicOps, State, Any], Any]
"""A column from a column: e(f), f(e), e(q) or q(e)."""
TRANSPOSE: Literal["transpose"] = "transpose"
"""The inverse of a rotation."""
Inverse = Value | Literal["transpose"]


@dataclass(frozen=True, slots=True)
class Source:
    """Se: e = value.  Sf: f = value, in the direction of the half arrow."""

    value: Value


@dataclass(frozen=True, slots=True)
class Inertia:
    """I: e = M u' + bias, where u is the flow into the element.

    ``momentum``: of the flow, where it is not M u. ``coenergy``: T*(u) = ∫ pᵀ du.
    """

    matrix: Value
    bias: Value | None = None
    momentum: Relation | None = None
    coenergy: Relation | None = None


@dataclass(frozen=True, slots=True)
class Compliance:
    """C: e = effort(q), q' = flow into the element.

    ``inverse``: q of e, which a compliance needs whose effort others determine.
    ``displacement``: q from coordinates of the model; without it q is a state of its own.
    ``energy``: of q. ``drift``: what changes q at a given effort. ``of``: the store whose port at a
    joint this is, which counts the energy.
    """

    effort: Relation
    inverse: Relation | None = None
    displacement: Value | None = None
    energy: Relation | None = None
    drift: Relation | None = None
    of: str = ""

    @classmethod
    def capacity(cls, C: Value) -> Compliance:
        """e = C⁻¹ q, C a number, a column for the components, or a positive definite matrix."""

        def effort(ops: SymbolicOps, state: State, q: Any) -> Any:
            found = _full(ops, evaluated(ops, state, C))
            return solve_definite(ops, found, q) if _is_square(found) else quotient(ops, q, found)

        def inverse(ops: SymbolicOps, state: State, e: Any) -> Any:
            found = _full(ops, evaluated(ops, state, C))
            return found @ e if _is_square(found) else product(ops, e, found)

        return cls(effort, inverse)

    @classmethod
    def stiffness(cls, K: Value, displacement: Value | None = None) -> Compliance:
        """e = K q, K a number or a positive definite matrix."""

        def inverse(ops: SymbolicOps, state: State, e: Any) -> Any:
            return solve_definite(ops, matrix(ops, state, K, e.numel(), e.numel()), e)

        return cls(
            lambda ops, state, q: matrix(ops, state, K, q.numel(), q.numel()) @ q,
            inverse,
            displacement,
        )


@dataclass(frozen=True, slots=True)
class Resistance:
    """R: e = R f with a number or matrix, or e = effort_of_flow(f), or f = flow_of_effort(e).

    One of them is enough: where the causality asks a relation the other way round, it holds
    implicitly, and what it gives is an unknown of the equations.
    """

    matrix: Value | None = None
    effort_of_flow: Relation | None = None
    flow_of_effort: Relation | None = None

    @property
    def effort(self) -> Relation | None:
        """e of f, if given."""
        R = self.matrix
        if R is None:
            return self.effort_of_flow
        return lambda ops, state, f: matrix(ops, state, R, f.numel(), f.numel()) @ f

    @property
    def flow(self) -> Relation | None:
        """f of e, if given; of a matrix by elimination (R is positive definite)."""
        R = self.matrix
        if R is None:
            return self.flow_of_effort
        return lambda ops, state, e: solve_definite(
            ops, matrix(ops, state, R, e.numel(), e.numel()), e
        )


@dataclass(frozen=True, slots=True)
class Transformer:
    """TF: f₂ = T f₁, e₁ = Tᵀ e₂; side 1 is where the half arrow enters.

    ``inverse`` (a matrix, or ``TRANSPOSE``) allows the flow to go from side 2 to side 1; constant
    regular blocks and single ratios of parameters are inverted without it.
    """

    matrix: Value
    inverse: Inverse | None = None


@dataclass(frozen=True, slots=True)
class Gyrator:
    """GY: e₂ = T f₁, e₁ = Tᵀ f₂; side 1 is where the half arrow enters."""

    matrix: Value
    inverse: Inverse | None = None


@dataclass(frozen=True, slots=True)
class Permutation:
    """SUM: component k of side 2 is component ``order[k]`` of what side 1 stacks, or k."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class JunctionStructure:
    """EJS: e = effort(f) with eᵀ f = 0 for every f (gyroscopic forces), or f = flow(e)."""

    effort: Relation | None = None
    flow: Relation | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """MR: e = effort(f), never asked for the flow."""

    effort: Relation


Law = (
    Source | Inertia | Compliance | Resistance | Transformer | Gyrator | Permutation
    | JunctionStructure | Field
)  # fmt: skip


def evaluated(ops: SymbolicOps, state: State, value: Value) -> Any:
    """The value of a constant or function."""
    return value(ops, state) if callable(value) else value


def column(ops: SymbolicOps, state: State, value: Value, size: int) -> Any:
    """A column of ``size`` entries; one number stands for all of them."""
    found = _full(ops, evaluated(ops, state, value))
    return ops.vec(*[found[0]] * size) if found.numel() == 1 else found


def matrix(ops: SymbolicOps, state: State, value: Value, rows: int, cols: int) -> Any:
    """A matrix; one number is a multiple of the identity, a column of square ones the diagonal."""
    found = _full(ops, evaluated(ops, state, value))
    if found.shape == (rows, cols):
        return found
    if found.shape == (cols, rows) and 1 in (rows, cols):
        return found.T
    if found.numel() not in (1, rows) or rows != cols:
        raise ValueError(f"a matrix of {found.shape[0]} x {found.shape[1]}, not {rows} x {cols}")
    diagonal = [found[0] if found.numel() == 1 else found[k] for k in range(rows)]
    return ops.mat([[diagonal[i] if i == j else 0 for j in range(cols)] for i in range(rows)])


def quotient(ops: SymbolicOps, a: Any, b: Any) -> Any:
    """a_k / b_k as a column; b may be one number."""
    a, b = _full(ops, a), _full(ops, b)
    return ops.vec(*(a[k] / b[k if b.numel() > 1 else 0] for k in range(a.numel())))


def product(ops: SymbolicOps, a: Any, b: Any) -> Any:
    """a_k b_k as a column; b may be one number."""
    a, b = _full(ops, a), _full(ops, b)
    return ops.vec(*(a[k] * b[k if b.numel() > 1 else 0] for k in range(a.numel())))


def _is_square(value: Any) -> bool:
    """Whether it is a matrix rather than a number or a column."""
    rows, cols = value.shape
    return bool(rows == cols > 1)


def _full(ops: SymbolicOps, value: Any) -> Any:
    plain = isinstance(value, int | float | Sequence | np.ndarray)
    return ops.full(ops.const(value) if plain and np.ndim(value) else value)
