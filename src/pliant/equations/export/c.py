"""C99, with the standard library only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
from pliant.equations.export.statements import Argument, Part

_TRUTH = {
    ca.OP_LT: "{0} < {1}", ca.OP_LE: "{0} <= {1}", ca.OP_EQ: "{0} == {1}", ca.OP_NE: "{0} != {1}",
    ca.OP_NOT: "{0} == 0.0", ca.OP_AND: "{0} != 0.0 && {1} != 0.0",
    ca.OP_OR: "{0} != 0.0 || {1} != 0.0",
}  # fmt: skip


class C(RowByRow):
    """How C writes it."""

    operations: Mapping[int, str] = {
        **common_operations(functions_by_name()),
        **{op: f"({test}) ? 1.0 : 0.0" for op, test in _TRUTH.items()},
        ca.OP_IF_ELSE_ZERO: "({0} != 0.0) ? {1} : 0.0",
        ca.OP_SIGN: "({0} > 0.0) - ({0} < 0.0)",
    }
    comment = "//"
    nan, infinity = "NAN", "INFINITY"

    def assignment(self, target: str, expression: str, *, local: bool) -> str:
        """A statement."""
        return f"    {'const double ' if local else ''}{target} = {expression};"


def source(program: Program) -> str:
    """The whole file."""
    calls = [
        "Functions (t is a number, all others are arrays, M and G row by row):",
        *map(calls_of, program.parts),
        "  forward_dynamics(t, q, u, x, p -> qdot, udot, xdot, lam)  0, or 1 if undetermined",
        "",
        "Compile the program:  cc -O2 FILE.c -lm -o simulate",
        "Run it:               ./simulate [t_end [every [rtol]]] > motion.csv",
        "Functions only:       cc -O2 -DNO_MAIN -c FILE.c",
    ]
    top = [f"// {line}".rstrip() for line in header(program, 0, calls)]
    lines = [*top, "", *_numbers(program), ""]
    lines += runtime("signals.c").splitlines() if program.sizes["NS"] else []
    for part in program.parts:
        lines += [*_function(program, part), ""]
    return "\n".join(lines) + "\n" + runtime("dynamics.c") + runtime("main.c")


def _numbers(program: Program) -> Iterator[str]:
    """Sizes, parameters, initial state and names of columns."""
    number, p = C().number, program.p
    yield from (f"#include <{name}.h>" for name in ("math", "stdio", "stdlib", "string"))
    yield ""
    sizes = {**program.sizes, "NQUAT": len(program.quaternions), "AUGMENTED": program.augmented}
    yield f"enum {{ {', '.join(f'{k} = {int(v)}' for k, v in sizes.items())} }};"
    yield ""
    yield from _table("const double default_parameters", map(number, p), parameter_names(program))
    yield ""
    if program.sizes["NS"]:
        slots = program.equations.signal_slots
        yield from _table("static const int signal_start", (str(s.offset) for s in slots))
        yield from _table("static const int signal_points", (str(s.points) for s in slots))
    yield "#ifndef NO_MAIN"
    constants = {"T_END": program.t_end, "EVERY": program.every, "RTOL": RTOL}
    yield from (f"#define {k} {number(v)}" for k, v in constants.items())
    yield f"static const double t_start = {number(float(program.start[0]))};"
    layout = program.equations.layout
    names = [s.name for v in (layout.q, layout.u, layout.x) for s in v]
    yield from _table("static const double initial_state", map(number, program.start[1:]), names)
    columns = [f'"{c.name}"' for c in program.columns]
    yield from _table("static const char *const columns", columns)
    yield from _table("static const int quaternions", map(str, program.quaternions))
    yield "#endif"


def _table(
    what: str, entries: Iterator[str] | Sequence[str], names: Sequence[str] = ()
) -> list[str]:
    """An array with its initial values; an empty one has room for one."""
    rows = list(entries) or ["0"]
    names = [*names, *[""] * (len(rows) - len(names))]
    body = [f"    {r},{f'  // {n}' if n else ''}" for r, n in zip(rows, names, strict=False)]
    return [f"{what}[{len(rows)}] = {{", *body, "};"]


def _function(program: Program, part: Part) -> Iterator[str]:
    """One function; long ones call their chunks in turn."""
    out = [f"double *{a.name}" for a in part.outputs]
    split = len(part.chunks) > 1
    for k, chunk in enumerate(part.chunks if split else ()):
        given = ", ".join([*map(_given, part.inputs), "double *w", *out])
        yield f"static void {part.name}_{k}({given})"
        yield "{"
        yield from statements(C(), program, chunk)
        yield "}"
        yield ""
    yield f"// {part.purpose}"
    yield f"void {part.name}({', '.join([*map(_given, part.arguments), *out])})"
    yield "{"
    yield from _opening(program, part, split)
    passed = ", ".join([*(a.name for a in part.inputs), "w", *(a.name for a in part.outputs)])
    for k, chunk in enumerate(part.chunks):
        yield from [f"    {part.name}_{k}({passed});"] if split else statements(C(), program, chunk)
    yield "}"


def _opening(program: Program, part: Part, split: bool) -> Iterator[str]:
    if split:
        yield f"    double w[{max(part.work, 1)}];"
    if part.reads_signals:
        yield f"    double s[{3 * program.sizes['NS']}];"
        yield "    look_up(t, p, s);"
    for a in part.outputs:
        if a.name in part.sparse:
            yield f"    memset({a.name}, 0, sizeof(double) * {' * '.join(a.sizes)});"


def _given(argument: Argument) -> str:
    return f"const double *{argument.name}" if argument.sizes else f"double {argument.name}"
