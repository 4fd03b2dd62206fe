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
    for k, (op, outputs, inputs) in enumerate(_instructions(function)):
        if op == _CONST:
            item = Instruction(op, constant=function.instruction_constant(k))
        elif op == _INPUT:
            item = Instruction(op, slot=(inputs[0], inputs[1]))
        elif op == _OUTPUT:
            result.append(Instruction(op, (written[inputs[0]],), slot=(outputs[0], outputs[1])))
            continue
        else:
            item = Instruction(op, tuple([written[i] for i in inputs]))
        written[outputs[0]] = len(result)
        result.append(item)
    return result


def operations(function: Any) -> Iterator[int]:
    """The operations of an SX function in order."""
    places = range(function.n_instructions())
    return map(ca.Function.instruction_id, repeat(function), places)


def _instructions(function: Any) -> Iterator[tuple[int, list[int], list[int]]]:
    """Operation, outputs and inputs of every instruction, without a call in Python for each."""
    places = range(function.n_instructions())
    return zip(
        operations(function),
        map(ca.Function.instruction_output, repeat(function), places),
        map(ca.Function.instruction_input, repeat(function), places),
        strict=True,
    )
