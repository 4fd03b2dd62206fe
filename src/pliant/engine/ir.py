"""Tape to LLVM IR text.

Long tapes are cut into internal functions of a few hundred instructions: register allocation is
superlinear in the length of a function. Values that cross a cut live in a work array on the stack.

Products that are added to something are written as fused multiply-add where the processor has it.
What is fused is thus decided here, once: LLVM, left to itself, fuses in good code and not in quick
code, and the two would give different bits.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import casadi as ca

from pliant.engine.signal import SIGNAL_IR, SignalSlot
from pliant.engine.tape import Instruction, tape

CHUNK = 500
"""Instructions per internal function."""

_BINARY = {ca.OP_ADD: "fadd", ca.OP_SUB: "fsub", ca.OP_MUL: "fmul", ca.OP_DIV: "fdiv"}
_INTRINSIC = {
    ca.OP_SIN: "sin", ca.OP_COS: "cos", ca.OP_EXP: "exp", ca.OP_LOG: "log", ca.OP_SQRT: "sqrt",
    ca.OP_FABS: "fabs", ca.OP_FLOOR: "floor", ca.OP_CEIL: "ceil",
}  # fmt: skip
_INTRINSIC2 = {
    ca.OP_POW: "pow", ca.OP_CONSTPOW: "pow", ca.OP_FMIN: "minnum", ca.OP_FMAX: "maxnum",
    ca.OP_COPYSIGN: "copysign",
}  # fmt: skip
_LIBM = {
    ca.OP_TAN: "tan", ca.OP_ASIN: "asin", ca.OP_ACOS: "acos", ca.OP_ATAN: "atan",
    ca.OP_SINH: "sinh", ca.OP_COSH: "cosh", ca.OP_TANH: "tanh", ca.OP_ASINH: "asinh",
    ca.OP_ACOSH: "acosh", ca.OP_ATANH: "atanh", ca.OP_ERF: "erf", ca.OP_LOG1P: "log1p",
    ca.OP_EXPM1: "expm1",
}  # fmt: skip
_LIBM2 = {
    ca.OP_ATAN2: "atan2", ca.OP_FMOD: "fmod", ca.OP_HYPOT: "hypot", ca.OP_REMAINDER: "remainder",
}  # fmt: skip
_COMPARE = {ca.OP_LT: "olt", ca.OP_LE: "ole", ca.OP_EQ: "oeq", ca.OP_NE: "une"}
_PRODUCTS = (ca.OP_MUL, ca.OP_SQ)
PRODUCT_PLUS, PRODUCT_MINUS, MINUS_PRODUCT, TAKEN_IN = -1, -2, -3, -4
"""Operations of this module: a b + c, a b - c, c - a b; a product that became part of a sum."""
_PRODUCT_FIRST = {ca.OP_ADD: PRODUCT_PLUS, ca.OP_SUB: PRODUCT_MINUS}
_PRODUCT_LAST = {ca.OP_ADD: PRODUCT_PLUS, ca.OP_SUB: MINUS_PRODUCT}
_NAMES = {getattr(ca, k): k for k in dir(ca) if k.startswith("OP_")}
_CONST, _INPUT, _OUTPUT = ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT
ONE, ZERO, MINUS_ZERO = "0x3FF0000000000000", "0x0000000000000000", "0x8000000000000000"


class UnsupportedOperationError(Exception):
    """The tape holds an operation the code generator does not know."""


def module_ir(
    functions: dict[str, Any], *, fuse: bool = True, signals: Sequence[SignalSlot] = ()
) -> str:
    """IR of ``void name(double* x, double* p, double* y)`` for each SX function.

    ``fuse``: with fused multiply-add, for a processor that has it.
    With signals the SX function is f(x, p, s) and s is looked up first: for each signal its value
    and two derivatives at the time x[0].
    """
    parts = [_function_ir(name, f, fuse, signals) for name, f in functions.items()]
    return "\n".join([*parts, SIGNAL_IR if signals else "", *_declarations()])


def _function_ir(name: str, function: Any, fuse: bool, signals: Sequence[SignalSlot]) -> str:
    program = _with_fused(tape(function)) if fuse else tape(function)
    inputs = range(function.n_in())
    read = "ptr noalias nocapture readonly"
    params = ", ".join([*(f"{read} %i{k}" for k in inputs), "ptr noalias nocapture %o0"])
    passed = ", ".join([*(f"ptr %i{k}" for k in inputs), "ptr %o0"])
    slots = _crossing_slots(program)
    lines: list[str] = []
    chunks = range(0, len(program), CHUNK)
    for c, start in enumerate(chunks):
        lines.append(
            f"define internal fastcc void @{name}.{c}({params}, ptr noalias nocapture %w) #1 {{"
        )
        _emit_chunk(lines.append, program, start, slots)
        lines += [" ret void", "}"]
    work = max(slots.values(), default=0) + 1
    lines.append(f"define void @{name}({read} %i0, {read} %i1, ptr noalias nocapture %o0) #0 {{")
    lines.append(f" %w = alloca [{work} x double], align 64")
    lines += _look_up(signals)
    lines += [f" call fastcc void @{name}.{c}({passed}, ptr %w)" for c in range(len(chunks))]
    return "\n".join([*lines, " ret void", "}"])


def _look_up(signals: Sequence[SignalSlot]) -> list[str]:
    """Fill the third input with the signals at time x[0]."""
    if not signals:
        return []
    lines = [
        f" %i2 = alloca [{3 * len(signals)} x double], align 64",
        " %t = load double, ptr %i0, align 8",
    ]
    for k, s in enumerate(signals):
        lines += [
            f" %table{k} = getelementptr inbounds double, ptr %i1, i64 {s.offset}",
            f" %place{k} = getelementptr inbounds double, ptr %i2, i64 {3 * k}",
            f" call void @pliant.signal(ptr %table{k}, i64 {s.points}, double %t, ptr %place{k})",
        ]
    return lines


def _crossing_slots(program: list[Instruction]) -> dict[int, int]:
    """Work-array slot of every value read in a later chunk; reused after the last read."""
    last: dict[int, int] = {}
    for k, item in enumerate(program):
        for s in item.args:
            if program[s].op not in (_CONST, _INPUT) and s // CHUNK != k // CHUNK:
                last[s] = k // CHUNK
    born: dict[int, list[int]] = {}
    for s in sorted(last):
        born.setdefault(s // CHUNK, []).append(s)
    slots: dict[int, int] = {}
    free: list[int] = []
    dying: dict[int, list[int]] = {}
    count = 0
    for c in range(len(program) // CHUNK + 1):
        for s in born.get(c, ()):
            if free:
                slots[s] = free.pop()
            else:
                slots[s], count = count, count + 1
            dying.setdefault(last[s], []).append(s)
        free += [slots[s] for s in dying.pop(c, ())]
    return slots


def _with_fused(program: list[Instruction]) -> list[Instruction]:
    """The tape with every product that is read once, by a sum, taken into that sum.

    Of two products in a sum the later one is taken in.
    """
    readers = Counter(s for item in program for s in item.args)
    new = list(program)
    for k, item in enumerate(program):
        if item.op not in (ca.OP_ADD, ca.OP_SUB):
            continue
        products = [s for s in item.args if program[s].op in _PRODUCTS and readers[s] == 1]
        if products:
            product = max(products)
            left, right = item.args
            op, other = (_PRODUCT_FIRST[item.op], right) if product == left else (
                _PRODUCT_LAST[item.op], left)  # fmt: skip
            factors = program[product].args
            new[k] = Instruction(op, (factors[0], factors[-1], other))
            new[product] = Instruction(TAKEN_IN)
    return new


def _emit_chunk(
    out: Callable[[str], None],
    program: list[Instruction],
    start: int,
    slots: dict[int, int],
) -> None:
    known: set[int] = set()

    def value(s: int) -> str:
        item = program[s]
        if item.op == _CONST:
            return _hex(item.constant)
        if s not in known:
            known.add(s)
            base, index = (f"%i{item.slot[0]}", item.slot[1]) if item.op == _INPUT else (
                "%w", slots[s])  # fmt: skip
            out(f" %g{s} = getelementptr inbounds double, ptr {base}, i64 {index}")
            out(f" %v{s} = load double, ptr %g{s}, align 8")
        return f"%v{s}"

    for k in range(start, min(start + CHUNK, len(program))):
        item = program[k]
        if item.op in (_CONST, _INPUT, TAKEN_IN):
            continue
        args = [value(s) for s in item.args]
        if item.op == _OUTPUT:
            out(f" %p{k} = getelementptr inbounds double, ptr %o{item.slot[0]}, i64 {item.slot[1]}")
            out(f" store double {args[0]}, ptr %p{k}, align 8")
            continue
        for line in _operation(k, item.op, args):
            out(line)
        known.add(k)
        if k in slots:
            out(f" %q{k} = getelementptr inbounds double, ptr %w, i64 {slots[k]}")
            out(f" store double %v{k}, ptr %q{k}, align 8")


def _operation(k: int, op: int, args: list[str]) -> Iterable[str]:
    """IR of one arithmetic instruction; truth values are the numbers 0 and 1."""
    x, y, v = args[0], args[-1], f"%v{k}"
    if op in _BINARY:
        return (f" {v} = {_BINARY[op]} double {x}, {y}",)
    if op in (PRODUCT_PLUS, PRODUCT_MINUS, MINUS_PRODUCT):
        return _fused_sum(k, op, *args)
    if op in _INTRINSIC:
        return (f" {v} = call double @llvm.{_INTRINSIC[op]}.f64(double {x})",)
    if op in _INTRINSIC2:
        return (f" {v} = call double @llvm.{_INTRINSIC2[op]}.f64(double {x}, double {y})",)
    if op in _LIBM:
        return (f" {v} = call double @{_LIBM[op]}(double {x})",)
    if op in _LIBM2:
        return (f" {v} = call double @{_LIBM2[op]}(double {x}, double {y})",)
    if op in _COMPARE:
        return (
            f" %c{k} = fcmp {_COMPARE[op]} double {x}, {y}",
            f" {v} = uitofp i1 %c{k} to double",
        )
    simple = {
        ca.OP_SQ: f"fmul double {x}, {x}",
        ca.OP_TWICE: f"fadd double {x}, {x}",
        ca.OP_NEG: f"fneg double {x}",
        ca.OP_INV: f"fdiv double {ONE}, {x}",
        ca.OP_ASSIGN: f"fadd double {x}, {MINUS_ZERO}",
    }
    if op in simple:
        return (f" {v} = {simple[op]}",)
    if op == ca.OP_IF_ELSE_ZERO:
        return (
            f" %c{k} = fcmp une double {x}, {ZERO}",
            f" {v} = select i1 %c{k}, double {y}, double {ZERO}",
        )
    if op == ca.OP_NOT:
        return (f" %c{k} = fcmp oeq double {x}, {ZERO}", f" {v} = uitofp i1 %c{k} to double")
    if op in (ca.OP_AND, ca.OP_OR):
        word = "and" if op == ca.OP_AND else "or"
        return (
            f" %a{k} = fcmp une double {x}, {ZERO}",
            f" %b{k} = fcmp une double {y}, {ZERO}",
            f" %c{k} = {word} i1 %a{k}, %b{k}",
            f" {v} = uitofp i1 %c{k} to double",
        )
    if op == ca.OP_SIGN:
        return (
            f" %a{k} = fcmp ogt double {x}, {ZERO}",
            f" %b{k} = fcmp olt double {x}, {ZERO}",
            f" %s{k} = select i1 %b{k}, double {_hex(-1.0)}, double {ZERO}",
            f" {v} = select i1 %a{k}, double {ONE}, double %s{k}",
        )
    raise UnsupportedOperationError(_NAMES.get(op, str(op)))


def _fused_sum(k: int, op: int, a: str, b: str, c: str) -> Iterable[str]:
    """a b + c, a b - c or c - a b, rounded once."""
    if op == PRODUCT_MINUS:
        yield f" %n{k} = fneg double {c}"
        c = f"%n{k}"
    elif op == MINUS_PRODUCT:
        yield f" %n{k} = fneg double {a}"
        a = f"%n{k}"
    yield f" %v{k} = call double @llvm.fma.f64(double {a}, double {b}, double {c})"


def _declarations() -> list[str]:
    one = [f"@llvm.{n}.f64" for n in sorted(set(_INTRINSIC.values()))]
    one += [f"@{n}" for n in _LIBM.values()]
    two = [f"@llvm.{n}.f64" for n in sorted(set(_INTRINSIC2.values()))]
    two += [f"@{n}" for n in _LIBM2.values()]
    return [
        *(f"declare double {n}(double) #2" for n in one),
        *(f"declare double {n}(double, double) #2" for n in two),
        "declare double @llvm.fma.f64(double, double, double) #2",
        "attributes #0 = { nounwind }",
        "attributes #1 = { nounwind noinline }",
        "attributes #2 = { nounwind willreturn memory(none) }",
    ]


def _hex(x: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(x)))[0]:016X}"
