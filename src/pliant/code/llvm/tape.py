"""The instruction tape of a CasADi SX function: SSA form, common subexpressions shared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any, NamedTuple

import casadi as ca

_CONST, _INPUT, _OUTPUT = ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT


class Instruction(NamedTuple):
    """One operation. ``args`` are the positions on the tape of the values it reads."""

    op: int
    args: tuple[int, ...] = ()
    slot: tuple[int, int] = (0, 0)
    """(argument number, non-zero index) of an input or output instruction."""
    constant: float = 0.0


def tape(function: Any) -> list[Instruction]:
    """The SSA tape of ``function``: registers of the CasADi machine become tape positions."""
    t = columns(function)
    slot, constant, none = t.slots.get, t.constants.get, (0, 0)
    whole = Instruction._make  # without a call that fills in what is not given
    return [
        whole((op, args, slot(k, none), constant(k, 0.0)))
        for k, (op, args) in enumerate(zip(t.ops, t.args, strict=True))
    ]


class Columns(NamedTuple):
    """The same by columns, which are sooner made and read."""

    ops: list[int]
    args: list[tuple[int, ...]]
    slots: dict[int, tuple[int, int]]
    """Of inputs and outputs, by position."""
    constants: dict[int, float]


def columns(function: Any) -> Columns:
    """The SSA tape of ``function`` by columns."""
    written: dict[int, int] = {}
    found: list[tuple[int, ...]] = []
    slots, constants = dict[int, tuple[int, int]](), dict[int, float]()
    ops = list(operations(function))
    for k, (op, outputs, inputs) in enumerate(
        zip(ops, _each("output", function), _each("input", function), strict=True)
    ):
        if op == _INPUT:
            slots[k] = (inputs[0], inputs[1])
            found.append(())
        elif op == _OUTPUT:
            slots[k] = (outputs[0], outputs[1])
            found.append((written[inputs[0]],))
            continue
        elif op == _CONST:
            constants[k] = function.instruction_constant(k)
            found.append(())
        elif len(inputs) == 2:
            found.append((written[inputs[0]], written[inputs[1]]))
        else:
            found.append(tuple([written[i] for i in inputs]))
        written[outputs[0]] = k
    return Columns(ops, found, slots, constants)


def operations(function: Any) -> Iterator[int]:
    """The operations of an SX function in order."""
    return _each("id", function)


_swig: Any = vars(ca).get("_casadi")


def _each(what: str, function: Any) -> Iterator[Any]:
    """What CasADi tells of every instruction: its "id", "input" or "output". The module below its
    classes is given the function without its wrapping, which it would look into each time: that
    takes four times as long as the answer."""
    places = range(function.n_instructions())
    direct = getattr(_swig, f"Function_instruction_{what}", None)
    if direct is None:
        return map(getattr(function, f"instruction_{what}"), places)
    return map(direct, repeat(function.this), places)
