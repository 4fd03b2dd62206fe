"""C99, with the standard library only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

import casadi as ca

from pliant.code.export.dialect import RTOL, Dialect, operations, parameter_names
from pliant.code.export.statements import Argument, Part


class C(Dialect):
    """How C writes it."""

    operations: ClassVar[Mapping[int, str]] = {
        **operations("(TEST) ? 1.0 : 0.0", ("!=", "&&", "||")),
        ca.OP_IF_ELSE_ZERO: "({0} != 0.0) ? {1} : 0.0",
        ca.OP_SIGN: "({0} > 0.0) - ({0} < 0.0)",
    }
    comment, ending = "//", ".c"
    nan, infinity = "NAN", "INFINITY"
    calls = (
        "Functions (t is a number, all others are arrays, M and G row by row):",
        (
            "  forward_dynamics(t, q, u, x, p -> qdot, udot, xdot, lam)  0, or 1 if undetermined",
            "",
            "Compile the program:  cc -O2 FILE.c -lm -o simulate",
            "Run it:               ./simulate [t_end [every [rtol]]] > motion.csv",
            "Functions only:       cc -O2 -DNO_MAIN -c FILE.c",
        ),
    )

    def opening(self) -> Iterator[str]:
        program, number = self.program, self.number
        yield from (f"#include <{name}.h>" for name in ("math", "stdio", "stdlib", "string"))
        yield ""
        sizes = {**program.sizes, "NQUAT": len(program.quaternions), "AUGMENTED": program.augmented}
        yield f"enum {{ {', '.join(f'{k} = {int(v)}' for k, v in sizes.items())} }};"
        yield ""
        names = parameter_names(program)
        yield from self._array("const double default_parameters", map(number, program.p), names)
        yield ""
        if program.sizes["NS"]:
            slots = program.equations.inputs.slots
            yield from self._array("static const int signal_start", (str(s.offset) for s in slots))
            yield from self._array("static const int signal_points", (str(s.points) for s in slots))
        yield "#ifndef NO_MAIN"
        constants = {"T_END": program.t_end, "EVERY": program.every, "RTOL": RTOL}
        yield from (f"#define {k} {number(v)}" for k, v in constants.items())
        yield f"static const double t_start = {number(float(program.start[0]))};"
        start = map(number, program.start[1:])
        yield from self._array("static const double initial_state", start, self.states)
        columns = [f'"{c.name}"' for c in program.columns]
        yield from self._array("static const char *const columns", columns)
        yield from self._array("static const int quaternions", map(str, program.quaternions))
        yield "#endif"
        yield ""

    def _array(self, what: str, entries: Iterable[str], names: Sequence[str] = ()) -> list[str]:
        """An empty one has room for one."""
        rows = list(entries) or ["0"]
        return self.table((f"{what}[{len(rows)}] = {{", "};"), rows, names)

    def assignment(self, target: str, expression: str, *, local: bool) -> str:
        return f"    {'const double ' if local else ''}{target} = {expression};"

    def chunk(self, part: Part, k: int, passed: str, body: Sequence[str]) -> Iterator[str]:
        yield f"static void {part.name}_{k}({self._arguments(part, part.inputs, 'double *w')})"
        yield from ("{", *body, "}")

    def head(self, part: Part, split: bool) -> Iterator[str]:
        yield f"// {part.purpose}"
        yield f"void {part.name}({self._arguments(part, part.arguments)})"
        yield "{"
        if split:
            yield f"    double w[{max(part.work, 1)}];"
        if part.reads_signals:
            yield f"    double s[{3 * self.program.sizes['NS']}];"
            yield "    look_up(t, p, s);"
        for a in part.outputs:
            if a.name in part.sparse:
                yield f"    memset({a.name}, 0, sizeof(double) * {' * '.join(a.sizes)});"

    def call(self, name: str, passed: str) -> str:
        return f"    {name}({passed});"

    def end(self, part: Part) -> str:
        return "}"

    def _arguments(self, part: Part, inputs: Sequence[Argument], *work: str) -> str:
        given = [f"const double *{a.name}" if a.sizes else f"double {a.name}" for a in inputs]
        return ", ".join([*given, *work, *(f"double *{a.name}" for a in part.outputs)])
