"""Fortran 2008: a module and a program that uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

import casadi as ca

from pliant.code.export.dialect import RTOL, Dialect, identifier, operations, parameter_names
from pliant.code.export.statements import Argument, Local, Part, Statement


class Fortran(Dialect):
    """How Fortran writes it. It does not tell G from g, and counts from one."""

    operations: ClassVar[Mapping[int, str]] = {
        **operations("merge(1.0_dp, 0.0_dp, TEST)", ("/=", ".and.", ".or."), "0.0_dp", fabs="abs",
                     fmin="min", fmax="max", copysign="sign", fmod="mod"),
        ca.OP_INV: "1.0_dp / {0}",
        ca.OP_POW: "{0} ** {1}",
        ca.OP_CONSTPOW: "{0} ** {1}",
        ca.OP_IF_ELSE_ZERO: "merge({1}, 0.0_dp, {0} /= 0.0_dp)",
        ca.OP_SIGN: "merge(1.0_dp, 0.0_dp, {0} > 0.0_dp) - merge(1.0_dp, 0.0_dp, {0} < 0.0_dp)",
        ca.OP_FLOOR: "real(floor({0}, int64), dp)",
        ca.OP_CEIL: "real(ceiling({0}, int64), dp)",
    }  # fmt: skip
    comment, ending, first = "!", ".f90", 1
    nan, infinity, suffix = "nan", "inf", "_dp"
    renamed: ClassVar[Mapping[str, str]] = {"M": "mass", "G": "jac"}
    calls = (
        "Subroutines (M is called mass, and G jac):",
        (
            "  forward_dynamics(t, q, u, x, p -> qdot, udot, xdot, lam, status)  1 if undetermined",
            "",
            "Compile the program:  gfortran -O2 FILE.f90 -o simulate",
            "Run it:               ./simulate [t_end [every [rtol]]] > motion.csv",
        ),
    )

    def source(self) -> str:
        return super().source().replace("@module@", f"model_{identifier(self.program.name)}")

    def opening(self) -> Iterator[str]:
        program, number = self.program, self.number
        yield "module @module@"
        yield "  use, intrinsic :: iso_fortran_env, only: dp => real64, int64"
        yield "  implicit none"
        for name, value in program.sizes.items():
            yield f"  integer, parameter :: {name.lower()} = {value}"
        yield "  integer, parameter :: n_state = nq + nu + nx"
        yield f"  logical, parameter :: augmented = .{str(program.augmented).lower()}."
        constants = {"t_start": float(program.start[0]), "default_t_end": program.t_end,
                     "default_every": program.every, "default_rtol": RTOL}  # fmt: skip
        yield from (f"  real(dp), parameter :: {k} = {number(v)}" for k, v in constants.items())
        yield "  real(dp), parameter :: inf = transfer(int(z'7FF0000000000000', int64), 1.0_dp)"
        yield "  real(dp), parameter :: nan = transfer(int(z'7FF8000000000000', int64), 1.0_dp)"
        yield from _integers("quaternions", [k + 1 for k in program.quaternions])
        if program.sizes["NS"]:
            slots = program.equations.inputs.slots
            yield from _integers("signal_start", [s.offset for s in slots])
            yield from _integers("signal_points", [s.points for s in slots])
        yield "  interface"
        for name, arguments in (("log1p", "x"), ("expm1", "x"), ("remainder", "x, y")):
            yield f'    real(c_double) function {name}({arguments}) bind(c, name="{name}")'
            yield "      use, intrinsic :: iso_c_binding, only: c_double"
            yield f"      real(c_double), value :: {arguments}"
            yield f"    end function {name}"
        yield from ("  end interface", "", "contains", "")
        names = parameter_names(program)
        yield from _setter("default_parameters", "p(np)", map(number, program.p), names)
        yield ""
        start = map(number, program.start[1:])
        yield from _setter("initial_state", "y(n_state)", start, self.states)
        yield ""
        yield "  subroutine write_columns()"
        yield "    write (*, '(a)', advance='no') 'time'"
        yield from (f"    write (*, '(a)', advance='no') ',{c.name}'" for c in program.columns)
        yield "    write (*, '(a)') ''"
        yield "  end subroutine write_columns"
        yield ""

    def entry(self, array: str, index: tuple[int, ...]) -> str:
        name = self.renamed.get(array, array)
        return f"{name}({','.join(str(i + 1) for i in index)})" if index else name

    def chunk(self, part: Part, k: int, passed: str, body: Sequence[str]) -> Iterator[str]:
        yield f"  subroutine {part.name}_{k}({passed})"
        yield from self._arguments(part, part.inputs, "inout")
        yield f"    real(dp), intent(inout) :: w({max(part.work, 1)})"
        yield from (*_locals(part.chunks[k]), *body)
        yield f"  end subroutine {part.name}_{k}"

    def head(self, part: Part, split: bool) -> Iterator[str]:
        given = ", ".join([*(a.name for a in part.arguments), *self.outputs(part)])
        yield f"  ! {part.purpose}"
        yield f"  subroutine {part.name}({given})"
        yield from self._arguments(part, part.arguments, "out")
        yield from [f"    real(dp) :: w({max(part.work, 1)})"] if split else []
        yield from ["    real(dp) :: s(3*ns)"] if part.reads_signals else []
        yield from () if split else (x for chunk in part.chunks for x in _locals(chunk))
        yield from ["    call look_up(t, p, s)"] if part.reads_signals else []
        for a, name in zip(part.outputs, self.outputs(part), strict=True):
            yield from [f"    {name} = 0.0_dp"] if a.name in part.sparse else []

    def call(self, name: str, passed: str) -> str:
        return f"    call {name}({passed})"

    def end(self, part: Part) -> str:
        return f"  end subroutine {part.name}"

    def _arguments(self, part: Part, inputs: Sequence[Argument], out: str) -> Iterator[str]:
        for intent, arguments in (("in", inputs), (out, part.outputs)):
            names = (
                (self.renamed.get(a.name, a.name), ",".join(a.sizes).lower()) for a in arguments
            )
            shaped = ", ".join(f"{name}({size})" if size else name for name, size in names)
            yield f"    real(dp), intent({intent}) :: {shaped}"


def _integers(name: str, values: Sequence[int]) -> Iterator[str]:
    lines = [", ".join(map(str, values[k : k + 10])) for k in range(0, len(values), 10)]
    yield f"  integer, parameter :: {name}({len(values)}) = [integer :: &"
    yield ", &\n".join(f"    {line}" for line in lines or [""]) + "]"


def _setter(name: str, array: str, values: Iterable[str], names: Sequence[str]) -> Iterator[str]:
    """A subroutine that fills an array, ``p(np)``."""
    own = array.partition("(")[0]
    yield f"  subroutine {name}({own})"
    yield f"    real(dp), intent(out) :: {array}"
    for k, (value, label) in enumerate(zip(values, names, strict=True)):
        yield f"    {own}({k + 1}) = {value}{f'  ! {label}' if label else ''}"
    yield f"  end subroutine {name}"


def _locals(chunk: Sequence[Statement]) -> Iterator[str]:
    """Declarations of the values of a chunk, some in a line."""
    names = [f"v{s.target.number}" for s in chunk if isinstance(s.target, Local)]
    for k in range(0, len(names), 12):
        yield f"    real(dp) :: {', '.join(names[k : k + 12])}"
