"""Conditions of the equations become guards, and their branches are held while a step is taken.

A comparison, ``abs``, ``sign``, ``min``, ``max`` or ``floor`` of something that moves has branches
that are smooth each for itself. Every one of them is written with a mode m, an entry of p:

    a < b      g = a - b     m = -1: true            m = +1: false            m = 0: as written
    |x|        g = x         m x
    min(a, b)  g = a - b     m = -1: a               m = +1: b
    floor(x)   x             m - 1/2                 (m = floor(x) + 1/2 holds the whole number)

so that a right-hand side with its modes set is smooth, and m = 0 gives the law as it was written
(statics, outputs, checks: everything that looks at single states). Where a guard slides along zero
(dry friction that sticks) no branch holds: m = 2 joins the two by a straight ramp over |g| < w, the
width w being another entry of p; m = 0 with w > 0 does so and is right outside as well.

    K: g rate margin margin_rate next here     of every guard; it is valid while its margin is > 0
       pace                                    rad/s: how fast arguments of sines in them turn

A root, power or logarithm inside a branch is continued beyond its domain while that branch is held:
a step may look a little past the point at which it ends. Source: docs/theory/conditions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from pliant.code.llvm.tape import Instruction, operations, tape
from pliant.formulations.equations import Equations
from pliant.records import dataclass

_COMPARED = {ca.OP_LT, ca.OP_LE, ca.OP_FMIN, ca.OP_FMAX}
_CONDITIONS = _COMPARED | {ca.OP_FABS, ca.OP_SIGN, ca.OP_FLOOR, ca.OP_CEIL}
_ROOTS = {ca.OP_SQRT, ca.OP_CONSTPOW, ca.OP_LOG}
_LONGEST_NAME, _FEW_NAMES = 60, 4


@dataclass(frozen=True, slots=True)
class Guard:
    """An expression g whose sign (``whole``: whose whole number) chooses a branch."""

    g: Any
    mode: Any
    width: Any
    whole: bool = False


@dataclass(slots=True)
class _Node:
    """A value of the equations, written with modes."""

    value: Any
    moves: bool
    """It depends on the time or the state."""
    closed: bool = False
    """It depends on accelerations or multipliers: no guard."""
    truth: bool = False
    """It is true or false, or something between where a guard slides."""
    held: bool = False
    """It depends on a mode."""
    positive: bool = False
    """As written it is never below zero."""
    parts: tuple[int, int] | None = None
    """Of a difference: what is subtracted from what."""


def held(e: Equations) -> tuple[Equations, tuple[Guard, ...]]:
    """The equations with a mode for every condition in them, and the guards of the modes."""
    if not _conditional((e.qdot, e.residual, e.cv, e.f)):
        return e, ()
    writer = _Writer(e)
    g, cv, residual, qdot, f = writer.rewritten((e.g, e.cv, e.residual, e.qdot, e.f))
    guards = tuple(writer.guards.values())
    if not guards:
        return e, ()
    more = [k.mode for k in guards] + [k.width for k in guards]
    loops = None if e.loops is None else writer.rewritten((e.loops,))[0]
    made = replace(
        e, g=g, cv=cv, residual=residual, qdot=qdot, f=f, loops=loops,
        inputs=replace(e.inputs, p=ca.vertcat(e.p, *more),
                       values=np.append(e.inputs.values, np.zeros(len(more)))),
        told=replace(e.told, observables=writer.observables()),
    )  # fmt: skip
    return made, guards


def guard_parts(e: Equations, guards: Sequence[Guard]) -> dict[str, Any]:
    """The named parts of function ``guards``."""
    g = ca.vertcat(*[k.g for k in guards])
    rate = e.total_derivative(g)
    margin, margin_rate, following, here = [], [], [], []
    for k, guard in enumerate(guards):
        m, x, v = guard.mode, g[k], rate[k]
        if guard.whole:
            margin.append(ca.if_else(m == 2, 1, 0.25 - (x - m) ** 2))
            margin_rate.append(ca.if_else(m == 2, 0, 2.0 * (m - x) * v))
            following.append(m + ca.sign(x - m))
            here.append(ca.floor(x) + 0.5)
        else:
            w = guard.width + (guard.width == 0)
            margin.append(ca.if_else(m == 2, 1 - (x / w) ** 2, m * x))
            margin_rate.append(ca.if_else(m == 2, -2 * x * v / w**2, m * v))
            following.append(ca.if_else(m == 2, ca.sign(x), -m))
            here.append(ca.if_else(x == 0, ca.if_else(v < 0, -1, 1), ca.sign(x)))
    parts = dict(g=g, rate=rate, margin=ca.vertcat(*margin), margin_rate=ca.vertcat(*margin_rate),
                 next=ca.vertcat(*following), here=ca.vertcat(*here), pace=_pace(e, g))  # fmt: skip
    return {name: ca.densify(part) for name, part in parts.items()}


def _pace(e: Equations, g: Any) -> Any:
    """The fastest rate of all arguments of sines, cosines and tangents in g: nothing else can make
    a guard swing faster than the states do."""
    symbols = ca.symvar(g)
    values: list[Any] = []
    phases: list[Any] = []
    for item in tape(ca.Function("g", [ca.vertcat(*symbols)], [ca.densify(g)])):
        args = [values[k] for k in item.args]
        if item.op == ca.OP_CONST:
            values.append(ca.SX(item.constant))
        elif item.op == ca.OP_INPUT:
            values.append(symbols[item.slot[1]])
        elif item.op == ca.OP_OUTPUT:
            values.append(None)
        else:
            values.append(_plain(item.op, args))
        phases += args if item.op in (ca.OP_SIN, ca.OP_COS, ca.OP_TAN) else []
    fastest = ca.SX(0)
    for phase in phases:
        fastest = ca.fmax(fastest, ca.fabs(e.total_derivative(phase)))
    return fastest


def guard_names(guards: Iterable[Guard]) -> tuple[str, ...]:
    """What the guards look like, for messages: long ones by what they depend on."""
    guards = list(guards)
    own = {str(part) for k in guards for part in (k.mode, k.width)}
    return tuple(_name(k.g, own) for k in guards)


def _name(g: Any, own: set[str]) -> str:
    text = str(g)
    names = [v.name() for v in ca.symvar(g)]
    if len(text) <= _LONGEST_NAME and "@" not in text and not own & set(names):
        return text
    read = [name for name in names if name not in own]
    return f"f({', '.join(read[:_FEW_NAMES])}{', ...' if len(read) > _FEW_NAMES else ''})"


def _conditional(expressions: Iterable[Any]) -> bool:
    """Whether there is any condition at all."""
    whole = ca.vertcat(*[ca.vec(x) for x in expressions])
    f = ca.Function("f", [ca.vertcat(*ca.symvar(whole))], [whole])
    return not _CONDITIONS.isdisjoint(operations(f))


def _which_are_conditional(expressions: Sequence[Any]) -> list[bool]:
    """For each expression whether there is any condition in it; what they share is read once."""
    parts, none = [ca.vec(ca.SX(x)) for x in expressions], ca.SX(0, 1)
    symbols = ca.symvar(ca.vertcat(none, *parts))
    f = ca.Function("f", [ca.vertcat(none, *symbols)], parts)
    marks: list[bool] = []
    found = [False] * len(parts)
    for item in tape(f):
        marks.append(item.op in _CONDITIONS or any(marks[k] for k in item.args))
        if item.op == ca.OP_OUTPUT and marks[-1]:
            found[item.slot[0]] = True
    return found


class _Writer:
    """Writes expressions anew; values that are built alike are one value, and have one guard."""

    def __init__(self, e: Equations) -> None:
        self._e = e
        signals = [] if e.inputs.signals is None else [e.inputs.signals]
        self._moving = _hashes(e.t, e.q, e.u, e.x, *signals)
        self._closed = _hashes(e.a, e.lam)
        self._nodes: list[_Node] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self.guards: dict[tuple[int, int], Guard] = {}
        self._open = True

    def rewritten(self, expressions: Sequence[Any]) -> list[Any]:
        """The expressions with modes; the first call makes the guards."""
        parts = [ca.SX(x) for x in expressions]
        symbols = ca.symvar(ca.vertcat(*[ca.vec(x) for x in parts]))
        function = ca.Function("f", [ca.vertcat(*symbols)], parts)
        out: list[list[Any]] = [[None] * x.nnz() for x in parts]
        self._walk(tape(function), symbols, out)
        self._open = False
        return [
            ca.SX(x.sparsity(), ca.vertcat(*values)) if values else x
            for x, values in zip(parts, out, strict=True)
        ]

    def observables(self) -> dict[str, Any]:
        """Observables in which a guard of the equations occurs follow it."""
        known = self._e.told.observables
        marked = _which_are_conditional([o.expression for o in known.values()])
        names = [k for k, is_conditional in zip(known, marked, strict=True) if is_conditional]
        values = self.rewritten([known[k].expression for k in names]) if names else []
        changed = {k: replace(known[k], expression=x) for k, x in zip(names, values, strict=True)}
        return {k: changed.get(k, o) for k, o in known.items()}

    def _walk(
        self, program: list[Instruction], symbols: Sequence[Any], out: list[list[Any]]
    ) -> None:
        place: list[int] = []
        branch = _inside_branches(program)
        for k, item in enumerate(program):
            if item.op == ca.OP_OUTPUT:
                out[item.slot[0]][item.slot[1]] = self._nodes[place[item.args[0]]].value
                place.append(-1)
            elif item.op == ca.OP_CONST:
                place.append(self._constant(item.constant))
            elif item.op == ca.OP_INPUT:
                place.append(self._symbol(symbols[item.slot[1]]))
            else:
                op, args, inside = item.op, tuple(place[a] for a in item.args), k in branch
                key = (op, *args, inside and op in _ROOTS)
                place.append(self._add(key, partial(self._made, op, args, inside)))

    def _add(self, key: tuple[Any, ...], make: Callable[[], _Node]) -> int:
        if key not in self._known:
            self._nodes.append(make())
            self._known[key] = len(self._nodes) - 1
        return self._known[key]

    def _constant(self, value: float) -> int:
        return self._add(
            ("constant", value), lambda: _Node(ca.SX(value), False, positive=value >= 0)
        )

    def _symbol(self, symbol: Any) -> int:
        key = symbol.element_hash()
        return self._add(
            ("symbol", key), lambda: _Node(symbol, key in self._moving, key in self._closed)
        )

    def _made(self, op: int, args: tuple[int, ...], branch: bool) -> _Node:
        a, b = (self._nodes[args[0]], self._nodes[args[-1]])
        node = _Node(
            _plain(op, [self._nodes[i].value for i in args]), a.moves or b.moves,
            a.closed or b.closed, held=a.held or b.held, positive=_never_negative(op, args, a, b),
            parts=self._parts(op, args),
        )  # fmt: skip
        if op in _CONDITIONS and node.moves and not node.closed:
            self._condition(node, op, args)
        elif op in (ca.OP_IF_ELSE_ZERO, ca.OP_NOT, ca.OP_AND, ca.OP_OR):
            _logic(node, op, a, b)
        elif op in _ROOTS and a.moves and not a.closed:
            self._root(node, op, args, branch)
        return node

    def _parts(self, op: int, args: tuple[int, ...]) -> tuple[int, int] | None:
        """a and b of a - b; x and 0 of x + (x == 0), which stands under roots."""
        if op == ca.OP_SUB:
            return args[0], args[1]
        if op != ca.OP_ADD:
            return None
        zero = self._constant(0.0)
        known = self._known.get((ca.OP_EQ, args[0], zero, False)) == args[1]
        return (args[0], zero) if known else None

    def _condition(self, node: _Node, op: int, args: tuple[int, ...]) -> None:
        """Write a condition with the mode of its guard."""
        if op in (ca.OP_FLOOR, ca.OP_CEIL):
            self._whole(node, op, args[0])
            return
        second = args[1] if len(args) > 1 else self._constant(0.0)
        found = self._guard(args[0], second)
        if found is None:
            return
        guard, sign = found
        m = sign * guard.mode
        a, b = self._nodes[args[0]].value, self._nodes[second].value
        node.held = True
        if op == ca.OP_FABS:
            node.value = _chosen(guard.mode, node.value, m * a)
        elif op in (ca.OP_FMIN, ca.OP_FMAX):
            smaller, larger = (a, b) if op == ca.OP_FMIN else (b, a)
            node.value = _chosen(guard.mode, node.value, ca.if_else(m < 0, smaller, larger))
        else:
            width = guard.width + (guard.width == 0)
            s = sign * guard.g / width
            clipped = ca.fmin(1, ca.fmax(-1, s))
            free = ca.if_else(guard.width == 0, node.value, _side(op, clipped))
            joined = ca.if_else(guard.mode == 2, _side(op, s), _side(op, m))
            node.value = ca.if_else(guard.mode == 0, free, joined)
            node.truth = op != ca.OP_SIGN

    def _whole(self, node: _Node, op: int, arg: int) -> None:
        guard = self._new_guard((arg, -1), self._nodes[arg].value, whole=True)
        if guard is not None:
            half = 0.5 if op == ca.OP_CEIL else -0.5
            node.value, node.held = _chosen(guard.mode, node.value, guard.mode + half), True

    def _root(self, node: _Node, op: int, args: tuple[int, ...], branch: bool) -> None:
        """A root, power or logarithm that is held goes on beyond its domain."""
        z = self._nodes[args[0]]
        power = float(self._nodes[args[1]].value) if op == ca.OP_CONSTPOW else 0.5
        if power == round(power) and op == ca.OP_CONSTPOW:
            return
        beyond = _continued(op, z.value, power)
        if z.positive:
            node.value = beyond if z.held else node.value
            return
        found = self._guard(*(z.parts or (args[0], self._constant(0.0)))) if branch else None
        if found is not None:
            guard, sign = found
            inside = ca.logic_or(sign * guard.mode > 0, guard.mode == 2)
            node.value, node.held = ca.if_else(inside, beyond, node.value), True

    def _guard(self, a: int, b: int) -> tuple[Guard, int] | None:
        """The guard of a < b, and -1 if its g is b - a."""
        sign = 1 if (self._sorted(a), a) <= (self._sorted(b), b) else -1
        a, b = (a, b) if sign == 1 else (b, a)
        parts = self._nodes[a].parts
        if parts is not None and self._known.get(("constant", 0.0)) == b:
            inner = self._guard(*parts)
            return None if inner is None else (inner[0], sign * inner[1])
        guard = self._new_guard((a, b), self._nodes[a].value - self._nodes[b].value)
        return None if guard is None else (guard, sign)

    def _sorted(self, k: int) -> int:
        """What moves comes first."""
        return 0 if self._nodes[k].moves else 1

    def _new_guard(self, key: tuple[int, int], g: Any, whole: bool = False) -> Guard | None:
        if key not in self.guards:
            if not self._open:
                return None
            n = len(self.guards)
            mode, width = ca.SX.sym(f"mode{n}"), ca.SX.sym(f"width{n}")
            self.guards[key] = Guard(g, mode, width, whole)
        return self.guards[key]


def _chosen(mode: Any, plain: Any, chosen: Any) -> Any:
    """``plain`` while no branch is held, else ``chosen``."""
    return ca.if_else(ca.logic_or(mode == 0, mode == 2), plain, chosen)


def _side(op: int, s: Any) -> Any:
    """sign(g), or whether g < 0, from s = -1 below to 1 above."""
    return s if op == ca.OP_SIGN else 0.5 - 0.5 * s


def _logic(node: _Node, op: int, a: _Node, b: _Node) -> None:
    """Truth may lie between 0 and 1: x where it holds is then c x, and so on."""
    if op == ca.OP_IF_ELSE_ZERO:
        if a.truth:
            node.value = node.value * a.value
        return
    node.truth = a.truth or b.truth
    if not node.truth:
        return
    if op == ca.OP_NOT:
        node.value = 1 - a.value
    elif op == ca.OP_AND:
        node.value = a.value * b.value
    else:
        node.value = a.value + b.value - a.value * b.value


def _continued(op: int, z: Any, power: float) -> Any:
    if op == ca.OP_LOG:
        return ca.log(ca.fabs(z))
    size = ca.sqrt(ca.fabs(z)) if op == ca.OP_SQRT else ca.fabs(z) ** power
    return ca.sign(z) * size


def _never_negative(op: int, args: tuple[int, ...], a: _Node, b: _Node) -> bool:
    if op in (ca.OP_SQ, ca.OP_FABS, ca.OP_SQRT, ca.OP_EXP, ca.OP_EQ):
        return True
    if op == ca.OP_FMAX:
        return a.positive or b.positive
    both = a.positive and b.positive
    same = op == ca.OP_MUL and args[0] == args[1]
    return same or (both and op in (ca.OP_ADD, ca.OP_MUL, ca.OP_DIV, ca.OP_FMIN, ca.OP_CONSTPOW))


def _inside_branches(program: list[Instruction]) -> set[int]:
    """Places on the tape that only what is chosen by a condition is made of."""
    inside: set[int] = set()
    for k in range(len(program) - 1, -1, -1):
        item = program[k]
        if k in inside:
            inside.update(item.args)
        elif item.op == ca.OP_IF_ELSE_ZERO:
            inside.add(item.args[1])
    return inside


def _plain(op: int, args: Sequence[Any]) -> Any:
    return ca.SX.unary(op, args[0]) if len(args) == 1 else ca.SX.binary(op, *args)


def _hashes(*columns: Any) -> set[int]:
    return {x.element_hash() for column in columns for x in ca.symvar(ca.SX(column))}
