"""Conditions that time alone decides, as programs whose changes can be found before a run.

A guard g(t, p) reads no state. g and dg/dt, with conditions inside them as they are written, become
lists of plain operations: intervals are put through them (``pliant.solve.motion.instants``), and no
symbols are needed for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import casadi as ca

from pliant.code.compiled import Clock
from pliant.code.conditions import Guard
from pliant.code.llvm.tape import Instruction, tape
from pliant.formulations.equations import Equations

_NAMES = {
    ca.OP_ADD: "add", ca.OP_SUB: "sub", ca.OP_MUL: "mul", ca.OP_DIV: "div", ca.OP_NEG: "neg",
    ca.OP_SQ: "sq", ca.OP_TWICE: "twice", ca.OP_INV: "inv", ca.OP_SQRT: "sqrt", ca.OP_EXP: "exp",
    ca.OP_LOG: "log", ca.OP_SIN: "sin", ca.OP_COS: "cos", ca.OP_ATAN: "atan", ca.OP_TANH: "tanh",
    ca.OP_SINH: "sinh", ca.OP_FABS: "abs", ca.OP_SIGN: "sign", ca.OP_FLOOR: "floor",
    ca.OP_CEIL: "ceil", ca.OP_FMIN: "min", ca.OP_FMAX: "max", ca.OP_LT: "lt", ca.OP_LE: "le",
    ca.OP_EQ: "eq", ca.OP_NE: "ne", ca.OP_NOT: "not", ca.OP_AND: "and", ca.OP_OR: "or",
    ca.OP_IF_ELSE_ZERO: "if", ca.OP_CONSTPOW: "power", ca.OP_POW: "power",
}  # fmt: skip


def with_corners(e: Equations, guards: Sequence[Guard]) -> Equations:
    """The equations with those signals marked that have corners for them or for guards."""
    if not e.inputs.slots:
        return e
    motion, conditions = _read(e.g, e.cv, e.residual, e.qdot, e.f), _read(*[k.g for k in guards])
    slots = []
    for k, slot in enumerate(e.inputs.slots):
        own = _read(e.inputs.signals[3 * k : 3 * k + 3])
        linear = e.inputs.values[slot.offset] == 1.0
        corners, guarded = bool(linear and own & motion), bool(own & conditions)
        slots.append(replace(slot, corners=corners, guarded=guarded))
    return replace(e, inputs=replace(e.inputs, slots=tuple(slots)))


def _read(*expressions: Any) -> set[int]:
    """The symbols that expressions are made of."""
    return {v.element_hash() for x in expressions for v in ca.symvar(ca.SX(x))}


def clocks(e: Equations, guards: Iterable[Guard]) -> tuple[Clock, ...]:
    """Those guards that time alone decides and whose operations are known."""
    known = _read(e.t, e.p)
    alone = [k for k in guards if _read(k.g) <= known]
    made = [(_program(e, k.g), k.whole) for k in alone]
    return tuple(Clock(program, whole) for program, whole in made if program)


def _program(e: Equations, g: Any) -> tuple[tuple[str, tuple[int, ...], float], ...]:
    """Operations that end in g and dg/dt; empty if one of them is not known."""
    rate = ca.jtimes(g, e.t, ca.SX(1))
    function = ca.Function("g", [e.t, e.p], [ca.densify(g), ca.densify(rate)])
    items = tape(function)
    if any(i.op not in _NAMES and i.op not in _PLAIN for i in items):
        return ()
    values = [k for k, i in enumerate(items) if i.op != ca.OP_OUTPUT]
    place = {k: n for n, k in enumerate(values)}
    program = [_step(items[k], place) for k in values]
    ends = sorted((i.slot[0], place[i.args[0]]) for i in items if i.op == ca.OP_OUTPUT)
    return (*program, *(("end", (k,), 0.0) for _, k in ends))


_PLAIN = {ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT}


def _step(item: Instruction, place: dict[int, int]) -> tuple[str, tuple[int, ...], float]:
    if item.op == ca.OP_CONST:
        return "number", (), float(item.constant)
    if item.op == ca.OP_INPUT:
        return ("t", (), 0.0) if item.slot[0] == 0 else ("p", (item.slot[1],), 0.0)
    return _NAMES[item.op], tuple(place[a] for a in item.args), 0.0
