"""Python, with the standard library only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import casadi as ca

from pliant.code.export.dialect import RTOL, Dialect, functions_by_name, operations, parameter_names
from pliant.code.export.statements import Part

_PLAIN = {"fabs": "abs", "fmin": "min", "fmax": "max"}
_EXACT = ("erf", "atan", "atan2", "hypot", "copysign", "tanh", "asinh")
"""Functions of ``math`` that never raise."""


class Python(Dialect):
    """How Python writes it."""

    operations: ClassVar[Mapping[int, str]] = {
        **operations("1.0 if TEST else 0.0", ("!=", "and", "or"), **_PLAIN),
        ca.OP_DIV: "div({0}, {1})",
        ca.OP_INV: "div(1.0, {0})",
        ca.OP_IF_ELSE_ZERO: "{1} if {0} != 0.0 else 0.0",
        ca.OP_SIGN: "1.0 if {0} > 0.0 else -1.0 if {0} < 0.0 else 0.0",
        ca.OP_FLOOR: "float(floor({0}))",
        ca.OP_CEIL: "float(ceil({0}))",
    }
    comment, ending, apart = "#", ".py.in", ("", "")
    nan, infinity = "math.nan", "math.inf"
    calls = (
        "Functions (they return new lists, M and G row by row):",
        (
            "  forward_dynamics(t, q, u, x, p -> qdot, udot, xdot, lam)",
            "",
            "Run it:  python FILE.py [t_end [every [rtol]]] > motion.csv",
        ),
    )

    def opening(self) -> Iterator[str]:
        program, number = self.program, self.number
        modules = ["bisect"] if program.sizes["NS"] else []
        yield from (f"import {name}" for name in [*modules, "math", "operator", "sys"])
        yield ""
        yield from (f"{k} = {v}" for k, v in program.sizes.items())
        yield f"AUGMENTED = {program.augmented}"
        yield f"QUATERNIONS = {program.quaternions}"
        constants = {"T_START": program.start[0], "T_END": program.t_end, "EVERY": program.every,
                     "RTOL": RTOL}  # fmt: skip
        yield from (f"{k} = {number(float(v))}" for k, v in constants.items())
        names = parameter_names(program)
        yield from self.table(("DEFAULT_PARAMETERS = [", "]"), map(number, program.p), names)
        start = map(number, program.start[1:])
        yield from self.table(("INITIAL_STATE = [", "]"), start, self.states)
        yield from self.table(("COLUMNS = [", "]"), (f'"{c.name}"' for c in program.columns))
        if program.sizes["NS"]:
            slots = program.equations.inputs.slots
            yield f"SIGNAL_START = {[s.offset for s in slots]}"
            yield f"SIGNAL_POINTS = {[s.points for s in slots]}"
        yield from ("", "", *self.runtime("arithmetic").splitlines())
        for name in dict.fromkeys(functions_by_name(**_PLAIN).values()):  # as in other languages
            if name in _EXACT:
                yield f"{name} = math.{name}"
            elif name not in _PLAIN.values():
                yield f"{name} = without_errors(math.{name})"
        yield from ("", "")

    def chunk(self, part: Part, k: int, passed: str, body: Sequence[str]) -> Iterator[str]:
        yield from (f"def {part.name}_{k}({passed}):", *body)

    def head(self, part: Part, split: bool) -> Iterator[str]:
        yield f"def {part.name}({', '.join(a.name for a in part.arguments)}):"
        yield f'    """{part.purpose}"""'
        if split:
            yield f"    w = [0.0] * {max(part.work, 1)}"
        if part.reads_signals:
            yield "    s = look_up(t, p)"
        yield from (f"    {a.name} = [0.0] * ({' * '.join(a.sizes)})" for a in part.outputs)

    def end(self, part: Part) -> str:
        return f"    return {', '.join(self.outputs(part))}"
