"""Fortran 2008: a module and a program that uses it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import casadi as ca

from pliant.equations.export.dialect import (
    RTOL,
    calls_of,
    common_operations,
    functions_by_name,
    runtime,
    statements,
)
from pliant.equations.export.header import digits, header, identifier, parameter_names
from pliant.equations.export.parts import Program
from pliant.equations.export.statements import Argument, Local, Part, Statement

_RENAMED = {"M": "mass", "G": "jac"}
"""Fortran does not tell G from g."""
_TRUTH = {
    ca.OP_LT: "{0} < {1}", ca.OP_LE: "{0} <= {1}", ca.OP_EQ: "{0} == {1}", ca.OP_NE: "{0} /= {1}",
    ca.OP_NOT: "{0} == 0.0_dp", ca.OP_AND: "{0} /= 0.0_dp .and. {1} /= 0.0_dp",
    ca.OP_OR: "{0} /= 0.0_dp .or. {1} /= 0.0_dp",
}  # fmt: skip
_NAMES = functions_by_name(fabs="abs", fmin="min", fmax="max", copysign="sign", fmod="mod")


class Fortran:
    """How Fortran writes it."""

    operations: Mapping[int, str] = {
        **common_operations(_NAMES),
        **{op: f"merge(1.0_dp, 0.0_dp, {test})" for op, test in _TRUTH.items()},
        ca.OP_INV: "1.0_dp / {0}",
        ca.OP_POW: "{0} ** {1}",
        ca.OP_CONSTPOW: "{0} ** {1}",
        ca.OP_IF_ELSE_ZERO: "merge({1}, 0.0_dp, {0} /= 0.0_dp)",
        ca.OP_SIGN: "merge(1.0_dp, 0.0_dp, {0} > 0.0_dp) - merge(1.0_dp, 0.0_dp, {0} < 0.0_dp)",
        ca.OP_FLOOR: "real(floor({0}, int64), dp)",
        ca.OP_CEIL: "real(ceiling({0}, int64), dp)",
    }
    comment = "!"

    def number(self, x: float) -> str:
        """A number with 17 significant digits."""
        if not math.isfinite(x):
            return "nan" if math.isnan(x) else "inf" if x > 0 else "(-inf)"
        return f"({digits(x)}_dp)" if x < 0 else f"{digits(x)}_dp"

    def entry(self, array: str, index: tuple[int, ...], sizes: Mapping[str, int]) -> str:
        """Arrays are counted from one."""
        name = _RENAMED.get(array, array)
        return f"{name}({','.join(str(i + 1) for i in index)})" if index else name

    def assignment(self, target: str, expression: str, *, local: bool) -> str:
        """A statement."""
        return f"    {target} = {expression}"


def source(program: Program) -> str:
    """The whole file."""
    module = f"model_{identifier(program.name)}"
    calls = [
        "Subroutines (M is called mass, and G jac):",
        *map(calls_of, program.parts),
        "  forward_dynamics(t, q, u, x, p -> qdot, udot, xdot, lam, status)  1 if undetermined",
        "",
        "Compile the program:  gfortran -O2 FILE.f90 -o simulate",
        "Run it:               ./simulate [t_end [every [rtol]]] > motion.csv",
    ]
    top = [f"! {line}".rstrip() for line in header(program, 1, calls)]
    lines = [*top, "", f"module {module}", *_declarations(program), "", "contains", ""]
    lines += [*_numbers(program), ""]
    lines += runtime("signals.f90").splitlines() if program.sizes["NS"] else []
    for part in program.parts:
        lines += [*_function(program, part), ""]
    text = "\n".join(lines) + "\n" + runtime("dynamics.f90") + runtime("main.f90")
    return text.replace("@module@", module)


def _declarations(program: Program) -> Iterator[str]:
    """Sizes and other constants."""
    number = Fortran().number
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
        yield from _integers("signal_start", [s.offset for s in program.equations.signal_slots])
        yield from _integers("signal_points", [s.points for s in program.equations.signal_slots])
    yield "  interface"
    for name, arguments in (("log1p", "x"), ("expm1", "x"), ("remainder", "x, y")):
        yield f'    real(c_double) function {name}({arguments}) bind(c, name="{name}")'
        yield "      use, intrinsic :: iso_c_binding, only: c_double"
        yield f"      real(c_double), value :: {arguments}"
        yield f"    end function {name}"
    yield "  end interface"


def _integers(name: str, values: Sequence[int]) -> Iterator[str]:
    lines = [", ".join(map(str, values[k : k + 10])) for k in range(0, len(values), 10)]
    yield f"  integer, parameter :: {name}({len(values)}) = [integer :: &"
    yield ", &\n".join(f"    {line}" for line in lines or [""]) + "]"


def _numbers(program: Program) -> Iterator[str]:
    """Parameters, initial state and names of columns."""
    number = Fortran().number
    layout = program.equations.layout
    states = [s.name for v in (layout.q, layout.u, layout.x) for s in v]
    yield from _setter("default_parameters", "p", "np", map(number, program.p),
                       parameter_names(program))  # fmt: skip
    yield ""
    yield from _setter("initial_state", "y", "n_state", map(number, program.start[1:]), states)
    yield ""
    yield "  subroutine write_columns()"
    yield "    write (*, '(a)', advance='no') 'time'"
    yield from (f"    write (*, '(a)', advance='no') ',{c.name}'" for c in program.columns)
    yield "    write (*, '(a)') ''"
    yield "  end subroutine write_columns"


def _setter(
    name: str, array: str, size: str, values: Iterator[str], names: Sequence[str]
) -> Iterator[str]:
    yield f"  subroutine {name}({array})"
    yield f"    real(dp), intent(out) :: {array}({size})"
    for k, (value, label) in enumerate(zip(values, names, strict=True)):
        yield f"    {array}({k + 1}) = {value}{f'  ! {label}' if label else ''}"
    yield f"  end subroutine {name}"


def _function(program: Program, part: Part) -> Iterator[str]:
    """One subroutine; long ones call their chunks in turn."""
    split = len(part.chunks) > 1
    outputs = [_RENAMED.get(a.name, a.name) for a in part.outputs]
    passed = ", ".join([*(a.name for a in part.inputs), "w", *outputs])
    for k, chunk in enumerate(part.chunks if split else ()):
        yield f"  subroutine {part.name}_{k}({passed})"
        yield from _arguments(part, part.inputs, "inout")
        yield f"    real(dp), intent(inout) :: w({max(part.work, 1)})"
        yield from _locals(chunk)
        yield from statements(Fortran(), program, chunk)
        yield f"  end subroutine {part.name}_{k}"
        yield ""
    yield f"  ! {part.purpose}"
    yield f"  subroutine {part.name}({', '.join([*(a.name for a in part.arguments), *outputs])})"
    yield from _arguments(part, part.arguments, "out")
    yield from [f"    real(dp) :: w({max(part.work, 1)})"] if split else []
    yield from ["    real(dp) :: s(3*ns)"] if part.reads_signals else []
    yield from () if split else (x for chunk in part.chunks for x in _locals(chunk))
    yield from ["    call look_up(t, p, s)"] if part.reads_signals else []
    for a, name in zip(part.outputs, outputs, strict=True):
        yield from [f"    {name} = 0.0_dp"] if a.name in part.sparse else []
    for k, chunk in enumerate(part.chunks):
        yield from (
            [f"    call {part.name}_{k}({passed})"]
            if split
            else statements(Fortran(), program, chunk)
        )
    yield f"  end subroutine {part.name}"


def _arguments(part: Part, inputs: Sequence[Argument], out: str) -> Iterator[str]:
    yield f"    real(dp), intent(in) :: {', '.join(map(_shaped, inputs))}"
    yield f"    real(dp), intent({out}) :: {', '.join(map(_shaped, part.outputs))}"


def _shaped(a: Argument) -> str:
    name = _RENAMED.get(a.name, a.name)
    return f"{name}({','.join(a.sizes).lower()})" if a.sizes else name


def _locals(chunk: Sequence[Statement]) -> Iterator[str]:
    """Declarations of the values of a chunk, some in a line."""
    names = [f"v{s.target.number}" for s in chunk if isinstance(s.target, Local)]
    for k in range(0, len(names), 12):
        yield f"    real(dp) :: {', '.join(names[k : k + 12])}"
