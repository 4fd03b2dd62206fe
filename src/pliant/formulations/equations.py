"""Equations: what every formulation ends in, as expressions (printable, exportable).

    q' = qdot(t, q, u)              residual(t, q, u, x, u', lam) = M u' - h - W lam = 0
    g(t, q) = 0                     cv = G u + b(t, q, x) = 0       ca = d(cv)/dt = G u' + gamma = 0
    x' = f(t, q, u, x)              y = y(t, q, u, x, u', lam)       e = e(t, q, u, x, u', lam)

M, h, G, gamma and every Jacobian are exact derivatives of these; nothing is written twice.
The first ``layout.n_holonomic`` rows of cv are dg/dt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from pliant.arrays import Array
from pliant.mechanics.layout import Layout
from pliant.mechanics.signals import SignalSlot
from pliant.observe.catalogue import SymbolicObservable
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps


@dataclass(frozen=True, slots=True)
class PartialVelocities:
    """∂w/∂u and ∂v/∂u of a body (3 rows each, a column for each of ``speeds``), in its own axes.

    ``axes``: what takes components to the axes of other bodies, by their names.
    """

    speeds: Any
    w: Any
    v: Any
    axes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wishes:
    """Residuals of what is wished of the initial state, each with a name and a unit."""

    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    residuals: Any = None
    wanted: Any = None
    """What the residuals are zero at, as far as it was given as a number."""


@dataclass(frozen=True, slots=True)
class Start:
    """Wishes by rank, (of positions, of velocities): what was given, then what holds by itself
    (``derivation.given``). A rank is met as far as those before it leave it free."""

    ranks: tuple[tuple[Wishes, Wishes], ...] = ()
    upright: Any = None
    """Positive unless a given orientation was met half a turn off."""
    unloaded: Any = None
    """Positive unless springs of a joint were unloaded at a false root."""
    alignment: Any = None
    """Positive unless g = 0 was met at a false root, such as opposed joint axes."""
    x: Any = None
    """x at the beginning, as an expression in t, q, u (x of acceleration drivers)."""

    def mapped(self, change: Callable[[Any], Any]) -> Start:
        """With changed expressions."""
        ranks = tuple(
            (
                replace(q, residuals=change(q.residuals)),
                replace(u, residuals=change(u.residuals)),
            )
            for q, u in self.ranks
        )
        return Start(ranks, *map(change, (self.upright, self.unloaded, self.alignment, self.x)))


@dataclass(frozen=True, slots=True)
class Written:
    """How the equations were written."""

    formulation: str
    tree: str = "joint"
    """Which choice of coordinates the formulation was given."""
    form: str = "augmented"
    """``augmented``: with multipliers; ``embedding``: rows of independent speeds only."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What comes from outside: numbers of the model, and signals."""

    p: Any
    values: Array
    """p as the model has it."""
    parameters: Mapping[str, int] = field(default_factory=dict)
    """Where each named parameter stands in p."""
    tables: Mapping[str, int] = field(default_factory=dict)
    """Where the numbers of each flexible body start in p."""
    signals: Any = None
    """Symbols of the signals: value, first and second derivative of each in turn."""
    slots: tuple[SignalSlot, ...] = ()
    """Where the points of each signal stand in p."""


@dataclass(frozen=True, slots=True)
class Speeds:
    """u = N⁺(q' - n): ``u`` as an expression in the symbols ``rates`` of q'."""

    u: Any
    rates: Any


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a motion besides the equations it solves."""

    observables: Mapping[str, SymbolicObservable] = field(default_factory=dict)
    further: Mapping[str, SymbolicObservable] = field(default_factory=dict)
    """Observables that are made only if they are asked for."""
    events: Mapping[str, Any] = field(default_factory=dict)
    bodies: Mapping[str, Any] = field(default_factory=dict)
    """(R_WB column by column, p_WB, v_WB, w_WB) of every body: 18 numbers."""
    axial: Mapping[str, Any] = field(default_factory=dict)
    """What presses on each beam that can buckle (``derivation.supports``)."""
    loads: Mapping[str, Any] = field(default_factory=dict)
    """What internal forces of each beam follow from (``derivation.internal``)."""
    partials: Mapping[str, PartialVelocities] = field(default_factory=dict)
    """Partial velocities of bodies, where equations are written to be read in terms of them."""

    def mapped(self, change: Callable[[Any], Any]) -> Told:
        """With changed expressions; what is not made yet, and partial velocities, are left."""
        observables = {
            name: replace(o, expression=change(o.expression))
            for name, o in self.observables.items()
        }
        events, bodies, axial, loads = (
            {name: change(x) for name, x in own.items()}
            for own in (self.events, self.bodies, self.axial, self.loads)
        )
        return replace(
            self, observables=observables, events=events, bodies=bodies, axial=axial, loads=loads
        )


@dataclass(frozen=True, slots=True)
class Equations:
    """The equations of one model in one formulation."""

    written: Written
    ops: SymbolicOps
    """The numbers that everything below is made of."""
    layout: Layout
    inputs: Inputs
    t: Any
    q: Any
    u: Any
    x: Any
    a: Any
    lam: Any
    qdot: Any
    residual: Any
    g: Any
    cv: Any
    f: Any
    speeds: Speeds
    start: Start = Start()
    told: Told = Told()
    loops: Any = None
    """k of algebraic loops, where the rows of cv are scaled (``pliant.formulations.loops``)."""

    @property
    def p(self) -> Any:
        """The numbers of the model, as symbols."""
        return self.inputs.p

    def total_derivative(self, expression: Any) -> Any:
        """d/dt along the motion: q -> q', u -> u', x -> x', t -> 1."""
        ops = self.ops
        moving, rates = [self.t, self.q, self.u, self.x], [1, self.qdot, self.a, self.f]
        signals = self.inputs.signals
        if signals is not None:
            for k in range(0, signals.numel(), 3):
                moving.append(signals[k : k + 2])
                rates.append(signals[k + 1 : k + 3])
        return ops.jtimes(expression, ops.stack(moving), ops.stack(rates))

    @property
    def ca(self) -> Any:
        """G u' + gamma."""
        return self.total_derivative(self.cv)

    def part(self, column: Any, places: Sequence[int]) -> Any:
        """Some entries of a column; none as an empty column of symbols."""
        return self.ops.stack([column[k] for k in places]) if places else self.ops.symbols(())

    def retold(self, change: Change) -> Equations:
        """With changed expressions of all that is told of the model besides its equations."""

        def both(one: Callable[[Any], Any]) -> tuple[Told, Start]:
            return self.told.mapped(one), self.start.mapped(one)

        asked: list[Any] = []
        both(asked.append)
        changed = iter(all_at_once(change, asked))
        told, start = both(lambda _: next(changed))
        further = mapped(
            told.further, lambda o: replace(o, expression=all_at_once(change, [o.expression])[0])
        )
        return replace(self, told=replace(told, further=further), start=start)

    def in_form(self, form: str) -> Equations:
        """The same, said to be in a form."""
        return replace(self, written=replace(self.written, form=form))

    def telling(self, **changed: Any) -> Equations:
        """With other fields of ``told``."""
        return replace(self, told=replace(self.told, **changed))

    def known(self, *stages: tuple[Any, Any]) -> Change:
        """What puts values in place of symbols, (symbols, values) in turn."""

        def change(expressions: list[Any]) -> list[Any]:
            for symbols, values in stages:
                expressions = self.ops.substitute(expressions, symbols, values)
            return expressions

        return change

    def less(
        self, change: Change, residual: Any, *, q: Sequence[int] | None = None,
        u: Sequence[int] | None = None, rows: Sequence[int] | None = None,
    ) -> Equations:  # fmt: skip
        """With fewer unknowns: those of q, u and the rows of constraints at these places are left
        (all by default), the others are put in by ``change``; ``residual``: rows of motion."""
        layout, part = self.layout, self.part
        q, u, rows = (range(len(every)) if kept is None else kept for every, kept in
                      ((layout.q, q), (layout.u, u), (layout.rows, rows)))  # fmt: skip
        held = [k for k in rows if k < layout.n_holonomic]
        g, cv, qdot, u_of_qdot, residual, f = all_at_once(
            change, (part(self.g, held), part(self.cv, rows), part(self.qdot, q),
                     part(self.speeds.u, u), residual, self.f),
        )  # fmt: skip
        return replace(
            self.retold(change), q=part(self.q, q), u=part(self.u, u), a=part(self.a, u),
            lam=part(self.lam, rows), g=g, cv=cv, qdot=qdot, residual=residual, f=f,
            speeds=Speeds(u_of_qdot, part(self.speeds.rates, q)), layout=layout.less(q, u, rows),
        )  # fmt: skip


Change = Callable[[list[Any]], list[Any]]
"""Changes expressions, all of them at once."""


def all_at_once(change: Change, expressions: Sequence[Any]) -> list[Any]:
    """Changed expressions; what they share is changed once, and stays shared. None and what is
    empty stay as they are."""
    some = [k for k, x in enumerate(expressions) if x is not None and x.numel()]
    found = list(expressions)
    for k, x in zip(some, change([expressions[k] for k in some]) if some else (), strict=True):
        found[k] = x
    return found


Maker = Callable[[], SymbolicObservable]


class LazyObservables(Mapping[str, SymbolicObservable]):
    """Observables by name, each made when it is looked up: of the bonds of a graph there are many,
    and few runs want them. ``list_them`` gives the makers, once and not before they are needed."""

    def __init__(self, list_them: Callable[[], Mapping[str, Maker]] = dict) -> None:
        self._list_them = list_them

    @cached_property
    def makers(self) -> Mapping[str, Maker]:
        """How each is made."""
        return self._list_them()

    def __getitem__(self, name: str) -> SymbolicObservable:
        return self.makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)

    def __contains__(self, name: object) -> bool:
        return name in self.makers

    def __or__(self, other: LazyObservables) -> LazyObservables:
        return LazyObservables(lambda: {**self.makers, **other.makers})


def mapped(
    observables: Mapping[str, SymbolicObservable],
    change: Callable[[SymbolicObservable], SymbolicObservable],
) -> LazyObservables:
    """The same observables, each changed when it is made."""

    def changed(name: str) -> Maker:
        return lambda: change(observables[name])

    return LazyObservables(lambda: {name: changed(name) for name in observables})
