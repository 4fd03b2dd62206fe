"""Rows of six numbers as vectors of the processor, for ``kernels`` (developers; needs numba).

LLVM splits them as the processor needs; products and sums are rounded separately, so that results
do not depend on it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WIDTH = 6
_ROW = ir.VectorType(ir.DoubleType(), WIDTH)


def _load(builder: Any, pointer: Any, offset: int) -> Any:
    place = builder.gep(pointer, [ir.Constant(ir.IntType(64), offset)])
    return builder.load(builder.bitcast(place, _ROW.as_pointer()), align=8)


def _splat(builder: Any, value: Any) -> Any:
    one = builder.insert_element(
        ir.Constant(_ROW, ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
    )
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(_ROW, ir.Undefined), zeros)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def row_minus_product(typing: Any, c: Any, a: Any, B: Any) -> Any:
    """c[0:6] <- c - sum over k of a[k] B[k, 0:6]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, factors, rows = arguments
        total = _load(builder, target, 0)
        for k in range(WIDTH):
            place = builder.gep(factors, [ir.Constant(ir.IntType(64), k)])
            factor = _splat(builder, builder.load(place))
            product = builder.fmul(factor, _load(builder, rows, WIDTH * k))
            total = builder.fsub(total, product)
        builder.store(total, builder.bitcast(target, _ROW.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(c, a, B), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def row_minus(typing: Any, y: Any, factor: Any, x: Any) -> Any:
    """y[0:6] <- y - factor x[0:6]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, factor, source = arguments
        product = builder.fmul(_splat(builder, factor), _load(builder, source, 0))
        total = builder.fsub(_load(builder, target, 0), product)
        builder.store(total, builder.bitcast(target, _ROW.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(y, factor, x), generate
