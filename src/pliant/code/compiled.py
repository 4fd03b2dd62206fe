"""Equations to machine code: the functions that solvers call, by address.

Every function is ``void f(const double *x, const double *p, double *y)`` with

    x = [ t | q | u | xs | a | lam ]          (sizes 1, nq, nu, nx, nu, m)

Matrices are given by their structural non-zeros; ``blocks[function][name]`` says where they are in
y and which entries they are. Vectors are dense.

    explicit: M G h gamma g cv qdot xdot P Pz     everything an explicit step needs; powers
                                 (``energy``) as P + Pz [a | lam]
    constraints: G g cv
    residual: r ca cv g qdot xdot                 for given a, lam
    jacobians: M D K G Au Aq B Rx Fu Fq Fx        D = dr/du, K = dr/dq N, Au = dca/du,
                                 Aq = dca/dq N, B = dcv/dq N, Rx = dr/dx, Fu = df/du,
                                 Fq = df/dq N, Fx = df/dx
    tangent: dq                  dq = N v with v in the u slot
    kinematics: qdot qddot       for dense output
    speeds: u                    u from q'; here x = [ t | q | q' ]
    observables: y               concatenated
    events: e
    powers: y                    powers to be integrated to work
    angles: y                    angles known modulo a turn, each followed by its rate
    initial: eqK EqK euK EuK wqK wuK              what is wished of the start, rank K = 0, 1, ...:
             up upright unloaded residuals of positions and velocities with d/dv and d/du, values
                                 wanted; alignment of joints, of what was given and of springs
                                 (negative at a false root)
    bodies: y                    motion of the bodies, 18 numbers each
    buckling: y                  what presses on the beams that can buckle
    loads: y                     what internal forces of beams follow from
    network_slopes: xdot Fx Fz k kx kz            of x' and of algebraic loops (``state_sizes``)
    energies: y                  kinetic energy, energy
    power_balance: P             powers that change the energy (``energy``)
    start_states: xs             x at the start, from t, q, u
    direct: qdot xdot a lam P guard               accelerations by elimination in fixed order
                                 (``direct``)
    correction: dq du g cv guard                  towards the constraints, likewise
    guards: g rate margin margin_rate next here pace   guards of conditions (``conditions``)

As bytes they are machine code with all it takes to call it; no symbols are needed.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import field, replace
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code.functions import FunctionTable
from pliant.code.llvm.machine import Machine
from pliant.mechanics.layout import Layout
from pliant.mechanics.signals import SignalSlot
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass

T = TypeVar("T")
Names = tuple[tuple[str, str], ...]
"""Rows by name and unit."""
VECTORS = frozenset(
    (
        *("h", "gamma", "g", "cv", "qdot", "xdot", "r", "ca", "dq", "qddot"),
        *("u", "y", "e", "xs", "up", "upright", "unloaded", "a", "lam", "guard", "du"),
        *("rate", "margin", "margin_rate", "next", "here", "pace", "P"),
    )
)
"""Parts of outputs that are dense vectors; all others are matrices by their non-zeros."""
_RANKED = ("eq", "eu", "wq", "wu")
"""Parts of I that are dense vectors, followed by their rank."""
_DIGEST = 32
"""Bytes of a digest."""


@dataclass(frozen=True, slots=True)
class Block:
    """A matrix by its non-zeros: y[offset + k] is entry (rows[k], cols[k])."""

    offset: int
    shape: tuple[int, int]
    rows: Integers
    cols: Integers

    def dense(self, y: Array) -> Array:
        """The matrix in full, for Python callers."""
        full = np.zeros(self.shape)
        full[self.rows, self.cols] = y[self.offset : self.offset + len(self.rows)]
        return full

    def vector(self, y: Array) -> Array:
        """Its only column."""
        full = np.zeros(self.shape[0])
        full[self.rows] = y[self.offset : self.offset + len(self.rows)]
        return full


@dataclass(frozen=True, slots=True)
class Observed(Quantity):
    """An observable in the output of O: what it is, and where it starts."""

    start: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """A condition that time alone decides (``pliant.code.clocks``): operations (name, places
    of arguments, number) that end in g and dg/dt; ``whole``: it changes at whole numbers of g."""

    program: tuple[tuple[str, tuple[int, ...], float], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class CompiledEquations:
    """Machine code of one model. ``nd`` rows of M; ``m`` rows of G, ``mh`` of them holonomic."""

    formulation: str
    tree: str
    layout: Layout
    code: FunctionTable
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
    observed: Mapping[str, Observed]
    parameters: Mapping[str, int]
    """Where each named parameter stands in p."""
    bodies: tuple[str, ...]
    """Bodies in the output of P, in order."""
    wishes: tuple[tuple[Names, Names], ...] = ()
    """Names and units of the rows of I, by rank: of positions and of velocities."""
    tables: Mapping[str, int] = field(default_factory=dict)
    """Where the numbers of each flexible body start in p."""
    reads: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Which entries of p assembly (C, I, T, P, X) and the mass matrix (M) read."""
    direct_rows: tuple[int, ...] = ()
    """Rows of G that ``direct`` and ``correction`` were written for."""
    guards: tuple[str, ...] = ()
    """Conditions whose modes and widths are the last entries of p, as they read."""
    clocks: tuple[Clock, ...] = ()
    """Those conditions that time alone decides."""
    chosen: tuple[str, ...] | None = None
    """Observables that were asked for; None: all of them."""
    contexts: dict[str, Any] = field(default_factory=dict, repr=False, init=False)
    """What solvers have laid out for this record, by name; a changed copy begins anew."""

    @property
    def asked(self) -> Mapping[str, Observed]:
        """Observables that were asked for."""
        if self.chosen is None:
            return self.observed
        chosen = self.chosen
        return self.remembered("asked", chosen, lambda: {k: self.observed[k] for k in chosen})

    @property
    def powers(self) -> tuple[str, ...]:
        """Observables in the output of W, in order."""
        return self.remembered("powers", 0, lambda: self._which(lambda o: o.is_element_power))

    @property
    def wrapped(self) -> tuple[str, ...]:
        """Angles in the output of A, in order."""
        return self.remembered("wrapped", 0, lambda: self._which(lambda o: bool(o.wraps)))

    def _which(self, holds: Callable[[Observed], bool]) -> tuple[str, ...]:
        return tuple(name for name, o in self.observed.items() if holds(o))

    def remembered(self, what: str, key: Hashable, make: Callable[[], T]) -> T:
        """make(), or what it gave last, if that was for an equal key."""
        if what not in self.contexts or self.contexts[what][0] != key:
            self.contexts[what] = key, make()
        found: T = self.contexts[what][1]
        return found

    def read(self, p: Array, *functions: str) -> Array:
        """The entries of p that some functions read; all of them if there are signals."""
        if self.signals:
            return p

        def places() -> Integers:
            return np.array(sorted({k for f in functions for k in self.reads[f]}), dtype=np.int64)

        return p[self.remembered(f"read by {functions}", 0, places)]

    def place(self, x: Array, p: Array, *functions: str) -> tuple[bytes, bytes]:
        """What some functions depend on at x, a and lam apart: they are equal where it is."""
        state = x[: 1 + self.nq + self.nu + self.nx]
        return state.tobytes(), self.read(p, *functions).tobytes()

    @property
    def x_size(self) -> int:
        """Length of the packed vector x."""
        return 1 + self.nq + 2 * self.nu + self.nx + self.m

    @property
    def functions(self) -> frozenset[str]:
        """All functions, those whose code is still to be made included."""
        return frozenset(self.size)

    @property
    def signals(self) -> tuple[SignalSlot, ...]:
        """Signals that the code looks up."""
        return self.code.signals

    @property
    def unfinished(self) -> bool:
        """Whether better code is still to be made."""
        return self.code.unfinished

    @property
    def blob(self) -> bytes:
        """As it is kept on disk; ``from_bytes`` reads it."""
        return to_bytes(self)

    def kept_by(self, key: str) -> CompiledEquations:
        """The same, kept on disk under a key."""
        return replace(self, code=replace(self.code, key=key))

    def address(self, name: str) -> int:
        """Where the machine code of a function is; 0 if it was not made."""
        return self.code.address(name)

    def asking(self, names: Collection[str]) -> CompiledEquations:
        """The same, of which some observables are asked for."""
        chosen = tuple(name for name in self.observed if name in names)
        if len(chosen) == len(self.observed):
            return self
        asked = replace(self, chosen=chosen)
        asked.contexts.update(self.contexts)
        return asked

    def call(self, name: str, x: Array, p: Array | None = None) -> Array:
        """Output of one function, from Python."""
        y, p = np.zeros(self.size[name]), self.p if p is None else p
        self.code.call(name, x, p, y)
        return y

    def block(self, function: str, name: str, y: Array) -> Array:
        """One block of an output as a dense array (vectors as 1-D)."""
        block = self.blocks[function][name]
        return block.vector(y) if is_vector(name) else block.dense(y)


@cache
def is_vector(part: str) -> bool:
    """Whether a part of an output is a dense vector."""
    return part in VECTORS or part.rstrip("0123456789") in _RANKED


class _Pickler(pickle.Pickler):
    """Machines go as their code. Whoever loads that trusts the file; pickling asks no more."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Machine):
            return Machine.read, (obj.blob, tuple(obj.address))
        return NotImplemented


def to_bytes(c: CompiledEquations) -> bytes:
    """Everything but what belongs to a run, after a digest of it."""
    stream = io.BytesIO()
    _Pickler(stream).dump(replace(c, chosen=None, code=c.code.as_kept()))
    return sha256(stream.getvalue()).digest() + stream.getvalue()


def from_bytes(blob: bytes) -> CompiledEquations:
    """The inverse of ``to_bytes``; ValueError if the blob is not one."""
    digest, data = blob[:_DIGEST], blob[_DIGEST:]
    if digest != sha256(data).digest():
        raise ValueError("not compiled equations, or damaged")
    found: CompiledEquations = pickle.loads(data)
    return found
