"""The instruction tape of a CasADi SX function: SSA form, common subexpressions shared."""

from __future__ import annotations

from typing import Any, NamedTuple

import casadi as ca


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
    for k in range(function.n_instructions()):
        op = function.instruction_id(k)
        outputs = function.instruction_output(k)
        inputs = function.instruction_input(k)
        if op == ca.OP_CONST:
            item = Instruction(op, constant=function.instruction_constant(k))
        elif op == ca.OP_INPUT:
            item = Instruction(op, slot=(inputs[0], inputs[1]))
        elif op == ca.OP_OUTPUT:
            result.append(Instruction(op, (written[inputs[0]],), slot=(outputs[0], outputs[1])))
            continue
        else:
            item = Instruction(op, tuple(written[i] for i in inputs))
        written[outputs[0]] = len(result)
        result.append(item)
    return result
