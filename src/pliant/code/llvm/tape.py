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
    written: dict[int, int] = {}
    result: list[Instruction] = []
    whole = Instruction._make  # without a call that fills in what is not given
    none = (0, 0)
    for k, (op, outputs, inputs) in enumerate(_instructions(function)):
        if op == _CONST:
            item = whole((op, (), none, function.instruction_constant(k)))
        elif op == _INPUT:
            item = whole((op, (), (inputs[0], inputs[1]), 0.0))
        elif op == _OUTPUT:
            place = (outputs[0], outputs[1])
            result.append(whole((op, (written[inputs[0]],), place, 0.0)))
            continue
        elif len(inputs) == 2:
            item = whole((op, (written[inputs[0]], written[inputs[1]]), none, 0.0))
        else:
            item = whole((op, tuple([written[i] for i in inputs]), none, 0.0))
        written[outputs[0]] = len(result)
        result.append(item)
    return result


def operations(function: Any) -> Iterator[int]:
    """The operations of an SX function in order."""
    return _each(ca.Function.instruction_id, function)


def _instructions(function: Any) -> Iterator[tuple[int, list[int], list[int]]]:
    """Operation, outputs and inputs of every instruction, without a call in Python for each."""
    return zip(
        operations(function),
        _each(ca.Function.instruction_output, function),
        _each(ca.Function.instruction_input, function),
        strict=True,
    )


def _each(what: Any, function: Any) -> Iterator[Any]:
    """What CasADi tells of every instruction. It is given the function without its wrapping,
    which it would look into each time: that takes four times as long as the answer."""
    return map(what, repeat(function.this), range(function.n_instructions()))
