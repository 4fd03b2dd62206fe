"""Python, with the standard library only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import casadi as ca

from pliant.equations.export.dialect import (
    RTOL,
    RowByRow,
    calls_of,
    common_operations,
    functions_by_name,
    runtime,
    statements,
)
from pliant.equations.export.header import header, parameter_names
from pliant.equations.export.parts import Program
from pliant.equations.export.statements import Part

_TRUTH = {
    ca.OP_LT: "{0} < {1}", ca.OP_LE: "{0} <= {1}", ca.OP_EQ: "{0} == {1}", ca.OP_NE: "{0} != {1}",
    ca.OP_NOT: "{0} == 0.0", ca.OP_AND: "{0} != 0.0 and {1} != 0.0",
    ca.OP_OR: "{0} != 0.0 or {1} != 0.0",
}  # fmt: skip
_PLAIN = {"fabs": "abs", "fmin": "min", "fmax": "max"}
_EXACT = ("erf", "atan", "atan2", "hypot", "copysign", "tanh", "asinh")
"""Functions of ``math`` that never raise."""
_CALLS = functions_by_name(**_PLAIN)


class Python(RowByRow):
    """How Python writes it."""

    operations: Mapping[int, str] = {
        **common_operations(_CALLS),
        **{op: f"1.0 if {test} else 0.0" for op, test in _TRUTH.items()},
        ca.OP_DIV: "div({0}, {1})",
        ca.OP_INV: "div(1.0, {0})",
        ca.OP_IF_ELSE_ZERO: "{1} if {0} != 0.0 else 0.0",
        ca.OP_SIGN: "1.0 if {0} > 0.0 else -1.0 if {0} < 0.0 else 0.0",
        ca.OP_FLOOR: "float(floor({0}))",
        ca.OP_CEIL: "float(ceil({0}))",
    }
    comment = "#"
    nan, infinity = "math.nan", "math.inf"

    def assignment(self, target: str, expression: str, *, local: bool) -> str:
        """A statement."""
        return f"    {target} = {expression}"


def source(program: Program) -> str:
    """The whole file."""
    calls = [
        "Functions (they return new lists, M and G row by row):",
        *map(calls_of, program.parts),
        "  forward_dynamics(t, q, u, x, p -> qdot, udot, xdot, lam)",
        "",
        "Run it:  python FILE.py [t_end [every [rtol]]] > motion.csv",
    ]
    top = [f"# {line}".rstrip() for line in header(program, 0, calls)]
    lines = [*top, "", *_numbers(program), "", ""]
    lines += runtime("arithmetic.py.in").splitlines()
    lines += _elementary()
    lines += runtime("signals.py.in").splitlines() if program.sizes["NS"] else []
    for part in program.parts:
        lines += [*_function(program, part), "", ""]
    return "\n".join(lines) + "\n" + runtime("dynamics.py.in") + runtime("main.py.in")


def _elementary() -> Iterator[str]:
    """Elementary functions, as they are in compiled languages."""
    for name in dict.fromkeys(_CALLS.values()):
        if name in _EXACT:
            yield f"{name} = math.{name}"
        elif name not in _PLAIN.values():
            yield f"{name} = without_errors(math.{name})"
    yield from ("", "")


def _numbers(program: Program) -> Iterator[str]:
    """Sizes, parameters, initial state and names of columns."""
    number = Python().number
    modules = ["bisect"] if program.sizes["NS"] else []
    yield from (f"import {name}" for name in [*modules, "math", "operator", "sys"])
    yield ""
    yield from (f"{k} = {v}" for k, v in program.sizes.items())
    yield f"AUGMENTED = {program.augmented}"
    yield f"QUATERNIONS = {program.quaternions}"
    constants = {"T_START": program.start[0], "T_END": program.t_end, "EVERY": program.every,
                 "RTOL": RTOL}  # fmt: skip
    yield from (f"{k} = {number(float(v))}" for k, v in constants.items())
    yield from _table("DEFAULT_PARAMETERS", map(number, program.p), parameter_names(program))
    layout = program.equations.layout
    names = [s.name for v in (layout.q, layout.u, layout.x) for s in v]
    yield from _table("INITIAL_STATE", map(number, program.start[1:]), names)
    yield from _table("COLUMNS", (f'"{c.name}"' for c in program.columns))
    if program.sizes["NS"]:
        slots = program.equations.signal_slots
        yield f"SIGNAL_START = {[s.offset for s in slots]}"
        yield f"SIGNAL_POINTS = {[s.points for s in slots]}"


def _table(what: str, entries: Iterable[str], names: Sequence[str] = ()) -> list[str]:
    rows = list(entries)
    names = [*names, *[""] * (len(rows) - len(names))]
    body = [f"    {r},{f'  # {n}' if n else ''}" for r, n in zip(rows, names, strict=True)]
    return [f"{what} = [", *body, "]"]


def _function(program: Program, part: Part) -> Iterator[str]:
    """One function; long ones call their chunks in turn."""
    out = [a.name for a in part.outputs]
    split = len(part.chunks) > 1
    passed = ", ".join([*(a.name for a in part.inputs), "w", *out])
    for k, chunk in enumerate(part.chunks if split else ()):
        yield f"def {part.name}_{k}({passed}):"
        yield from statements(Python(), program, chunk)
        yield from ("", "")
    yield f"def {part.name}({', '.join(a.name for a in part.arguments)}):"
    yield f'    """{part.purpose}"""'
    if split:
        yield f"    w = [0.0] * {max(part.work, 1)}"
    if part.reads_signals:
        yield "    s = look_up(t, p)"
    yield from (f"    {a.name} = [0.0] * ({' * '.join(a.sizes)})" for a in part.outputs)
    for k, chunk in enumerate(part.chunks):
        yield from (
            [f"    {part.name}_{k}({passed})"] if split else statements(Python(), program, chunk)
        )
    yield f"    return {', '.join(out)}"
