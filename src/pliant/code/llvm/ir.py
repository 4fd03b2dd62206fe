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
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import casadi as ca

from pliant.code.llvm.tape import Columns, columns
from pliant.mechanics.signals import SIGNAL_IR, SignalSlot

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


def _hex(x: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(x)))[0]:016X}"


_GIVEN = (_CONST, _INPUT)
_SILENT = (*_GIVEN, TAKEN_IN)
_FMA = "call double @llvm.fma.f64(double {a}, double {b}, double {c})"
_TRUE = " %{0} = fcmp une double {a}, ZERO\n"
_BOTH = _TRUE + " %{1} = fcmp une double {b}, ZERO\n"
_OPERATIONS: dict[int, str] = {
    **{op: f" %{{0}} = {word} double {{a}}, {{b}}" for op, word in _BINARY.items()},
    **{op: f" %{{0}} = call double @llvm.{word}.f64(double {{a}})"
       for op, word in _INTRINSIC.items()},
    **{op: f" %{{0}} = call double @llvm.{word}.f64(double {{a}}, double {{b}})"
       for op, word in _INTRINSIC2.items()},
    **{op: f" %{{0}} = call double @{word}(double {{a}})" for op, word in _LIBM.items()},
    **{op: f" %{{0}} = call double @{word}(double {{a}}, double {{b}})"
       for op, word in _LIBM2.items()},
    **{op: f" %{{0}} = fcmp {word} double {{a}}, {{b}}\n %{{1}} = uitofp i1 %{{0}} to double"
       for op, word in _COMPARE.items()},
    PRODUCT_PLUS: f" %{{0}} = {_FMA}",
    PRODUCT_MINUS: " %{0} = fneg double {c}\n %{1} = " + _FMA.replace("{c}", "%{0}"),
    MINUS_PRODUCT: " %{0} = fneg double {a}\n %{1} = " + _FMA.replace("{a}", "%{0}"),
    ca.OP_SQ: " %{0} = fmul double {a}, {a}",
    ca.OP_TWICE: " %{0} = fadd double {a}, {a}",
    ca.OP_NEG: " %{0} = fneg double {a}",
    ca.OP_INV: " %{0} = fdiv double ONE, {a}",
    ca.OP_ASSIGN: " %{0} = fadd double {a}, -ZERO",
    ca.OP_IF_ELSE_ZERO: _TRUE + " %{1} = select i1 %{0}, double {b}, double ZERO",
    ca.OP_NOT: " %{0} = fcmp oeq double {a}, ZERO\n %{1} = uitofp i1 %{0} to double",
    ca.OP_AND: _BOTH + " %{2} = and i1 %{0}, %{1}\n %{3} = uitofp i1 %{2} to double",
    ca.OP_OR: _BOTH + " %{2} = or i1 %{0}, %{1}\n %{3} = uitofp i1 %{2} to double",
    ca.OP_SIGN: " %{0} = fcmp ogt double {a}, ZERO\n %{1} = fcmp olt double {a}, ZERO\n"
                " %{2} = select i1 %{1}, double -ONE, double ZERO\n"
                " %{3} = select i1 %{0}, double ONE, double %{2}",
}  # fmt: skip
"""The lines of an operation: {0}, {1}, {2}, {3} are the numbers of the values that they define, the
last of which is its own; {a}, {b}, {c} what it reads. Truth values are the numbers 0 and 1; sums of
a product are rounded once."""
for _word, _number in (("-ZERO", -0.0), ("ZERO", 0.0), ("-ONE", -1.0), ("ONE", 1.0)):
    _OPERATIONS = {op: text.replace(_word, _hex(_number)) for op, text in _OPERATIONS.items()}
_LINES = {op: text.count("\n") + 1 for op, text in _OPERATIONS.items()}


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
    program = columns(function)
    if fuse:
        _fuse(program)
    inputs = range(function.n_in())
    read = "ptr noalias nocapture readonly"
    params = ", ".join([*(f"{read} %i{k}" for k in inputs), "ptr noalias nocapture %o0"])
    passed = ", ".join([*(f"ptr %i{k}" for k in inputs), "ptr %o0"])
    slots = _crossing_slots(program)
    lines: list[str] = []
    chunks = range(0, len(program.ops), CHUNK)
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


def _crossing_slots(program: Columns) -> dict[int, int]:
    """Work-array slot of every value read in a later chunk; reused after the last read."""
    ops, args, _, _ = program
    last: dict[int, int] = {}
    for first in range(CHUNK, len(ops), CHUNK):
        chunk = first // CHUNK
        for s in chain.from_iterable(args[first : first + CHUNK]):
            if s < first and ops[s] not in _GIVEN:
                last[s] = chunk
    born: dict[int, list[int]] = {}
    for s in sorted(last):
        born.setdefault(s // CHUNK, []).append(s)
    slots: dict[int, int] = {}
    free: list[int] = []
    dying: dict[int, list[int]] = {}
    count = 0
    for c in range(len(ops) // CHUNK + 1):
        for s in born.get(c, ()):
            if free:
                slots[s] = free.pop()
            else:
                slots[s], count = count, count + 1
            dying.setdefault(last[s], []).append(s)
        free += [slots[s] for s in dying.pop(c, ())]
    return slots


def _fuse(program: Columns) -> None:
    """Take every product that is read once, by a sum, into that sum.

    Of two products in a sum the later one is taken in.
    """
    ops, args, _, _ = program
    readers = Counter(chain.from_iterable(args))
    for k in [k for k, op in enumerate(ops) if op in _PRODUCT_FIRST]:
        left, right = args[k]
        product = -1
        if ops[left] in _PRODUCTS and readers[left] == 1:
            product = left
        if right > product and ops[right] in _PRODUCTS and readers[right] == 1:
            product = right
        if product < 0:
            continue
        op, other = (_PRODUCT_FIRST[ops[k]], right) if product == left else (
            _PRODUCT_LAST[ops[k]], left)  # fmt: skip
        factors = args[product]
        ops[k], args[k] = op, (factors[0], factors[-1], other)
        ops[product], args[product] = TAKEN_IN, ()


def _emit_chunk(
    out: Callable[[str], None], program: Columns, start: int, crossing: dict[int, int]
) -> None:
    """Values have numbers, which LLVM reads in two thirds of the time that names take."""
    ops, arguments, slots, constants = program
    names: dict[int, str] = {}
    known = names.get
    free = 1  # the next number; 0 is that of the block

    def read(s: int) -> str:
        """A value that this chunk has not met yet."""
        nonlocal free
        op = ops[s]
        if op == _CONST:
            names[s] = _hex(constants[s])
            return names[s]
        base, index = slots[s] if op == _INPUT else ("", crossing[s])
        where = f"%i{base}" if op == _INPUT else "%w"
        out(
            f" %{free} = getelementptr inbounds double, ptr {where}, i64 {index}\n"
            f" %{free + 1} = load double, ptr %{free}, align 8"
        )
        names[s] = f"%{free + 1}"
        free += 2
        return names[s]

    def write(value: str, where: str, index: int) -> None:
        nonlocal free
        out(
            f" %{free} = getelementptr inbounds double, ptr {where}, i64 {index}\n"
            f" store double {value}, ptr %{free}, align 8"
        )
        free += 1

    for k in range(start, min(start + CHUNK, len(ops))):
        op = ops[k]
        if op in _SILENT:
            continue
        words = [known(s) or read(s) for s in arguments[k]]
        if op == PRODUCT_PLUS:  # this one and sums are most of them: not by their lines above
            a, b, c = words
            out(f" %{free} = call double @llvm.fma.f64(double {a}, double {b}, double {c})")
        elif op in _BINARY:
            out(f" %{free} = {_BINARY[op]} double {words[0]}, {words[1]}")
        elif op == _OUTPUT:
            base, index = slots[k]
            write(words[0], f"%o{base}", index)
            continue
        elif op in _OPERATIONS:
            numbers = range(free, free + _LINES[op])
            out(_OPERATIONS[op].format(*numbers, **dict(zip("abc", words, strict=False))))
            free = numbers[-1]
        else:
            raise UnsupportedOperationError(_NAMES.get(op, str(op)))
        names[k] = f"%{free}"
        free += 1
        if k in crossing:
            write(names[k], "%w", crossing[k])


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
