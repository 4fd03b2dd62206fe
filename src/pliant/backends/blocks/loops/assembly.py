"""Residual and tangent of a block-sparse system: gather, call, scatter, element after element.

q: coordinates block by block; u, a, r: in the order of the unknowns, fixed blocks behind them;
T: 18 numbers per block. The first numbers of dc are what every element reads (time, load, ...).
"""

from __future__ import annotations

from typing import Any

from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.kernels import subtract_row
from pliant.solve.machine.abi import Integers, Reals, at, call_model, entry, jit


@jit
def block_record(ic: Integers, block: int) -> Any:
    """Table row of a block."""
    return at(ic, ic[sl.BLOCK_TABLE] + sl.BLOCK_INTS * block)


@jit
def gather_coordinates(
    ic: Integers, kind: Integers, touched: Integers, q: Reals, x: Reals, place: int
) -> int:
    """Coordinates of the blocks of an element into x; the next place there."""
    for k in range(kind[sl.K_BLOCKS]):
        block = block_record(ic, touched[k])
        for i in range(7 * block[sl.B_POSE] + block[sl.B_REALS]):
            x[place] = q[block[sl.B_Q] + i]
            place += 1
    return place


@jit
def gather_rates(
    ic: Integers, kind: Integers, touched: Integers, u: Reals, x: Reals, place: int
) -> int:
    """The same with speeds or accelerations; multipliers have none."""
    for k in range(kind[sl.K_BLOCKS]):
        block = block_record(ic, touched[k])
        if block[sl.B_ALGEBRAIC] == 0:
            for i in range(6 * block[sl.B_POSE] + block[sl.B_REALS]):
                x[place] = u[block[sl.B_D] + i]
                place += 1
    return place


@jit
def gather(
    ic: Integers, kind: Integers, touched: Integers, q: Reals, u: Reals, a: Reals, T: Reals,
    x: Reals,
) -> None:  # fmt: skip
    """x <- what the element reads after the header."""
    place = gather_coordinates(ic, kind, touched, q, x, 0)
    if kind[sl.K_RATES] == 0:
        return
    place = gather_rates(ic, kind, touched, u, x, place)
    place = gather_rates(ic, kind, touched, a, x, place)
    for k in range(kind[sl.K_BLOCKS]):
        if block_record(ic, touched[k])[sl.B_ALGEBRAIC] == 0:
            for i in range(sl.TURN):
                x[place] = T[sl.TURN * touched[k] + i]
                place += 1


@jit
def gather_step(
    ic: Integers, kind: Integers, touched: Integers, q0: Reals, q: Reals, u: Reals, a: Reals,
    x: Reals,
) -> None:  # fmt: skip
    """x <- what the discrete residual of an element reads after the header: both ends of a step."""
    place = gather_coordinates(ic, kind, touched, q0, x, 0)
    place = gather_coordinates(ic, kind, touched, q, x, place)
    place = gather_rates(ic, kind, touched, u, x, place)
    gather_rates(ic, kind, touched, a, x, place)


@jit
def add_rows(ic: Integers, kind: Integers, touched: Integers, y: Reals, r: Reals) -> None:
    """r <- r + residual of an element."""
    place = 0
    for k in range(kind[sl.K_BLOCKS]):
        block = block_record(ic, touched[k])
        for i in range(6 * block[sl.B_POSE] + block[sl.B_REALS]):
            r[block[sl.B_D] + i] += y[place]
            place += 1


@jit
def add_matrix(
    ic: Integers, kind: Integers, touched: Integers, places: Integers, J: Reals, A: Reals
) -> None:
    """A <- A + tangent of an element; blocks without a place belong to fixed bodies."""
    row, n, count = 0, kind[sl.K_SIZE], kind[sl.K_BLOCKS]
    for i in range(count):
        one = block_record(ic, touched[i])
        rows, col = 6 * one[sl.B_POSE] + one[sl.B_REALS], 0
        for j in range(count):
            other, pair = block_record(ic, touched[j]), at(places, 2 * (i * count + j))
            columns = 6 * other[sl.B_POSE] + other[sl.B_REALS]
            if pair[0] >= 0:
                for k in range(rows):
                    source = at(J, (row + k) * n + col)
                    subtract_row(at(A, pair[0] + k * pair[1]), -1.0, source, columns)
            col += columns
        row += rows


@jit
def prepare(ic: Integers, dc: Reals, r: Reals) -> None:
    """r <- 0; the header is what every element reads first."""
    for i in range(ic[sl.ALL]):
        r[i] = 0.0
    for i in range(sl.X_HEADER):
        dc[sl.X_LOCAL + i] = dc[i]


@jit
def add_elements(
    ic: Integers, dc: Reals, q: Reals, u: Reals, a: Reals, T: Reals, r: Reals, slot: int
) -> None:
    """r <- sum over the elements of the function at ``slot`` of their kind. Discrete residuals
    read the start of the step in the place of T."""
    prepare(ic, dc, r)
    x, y = at(dc, sl.X_LOCAL), at(dc, ic[sl.Y_LOCAL])
    for k in range(ic[sl.KINDS]):
        kind = at(ic, ic[sl.KIND_TABLE] + sl.KIND_INTS * k)
        if kind[slot] == 0:
            continue
        for e in range(kind[sl.K_COUNT]):
            touched = at(ic, kind[sl.K_TOUCHED] + kind[sl.K_BLOCKS] * e)
            if slot == sl.K_DISCRETE:
                gather_step(ic, kind, touched, T, q, u, a, at(x, sl.X_HEADER))
            else:
                gather(ic, kind, touched, q, u, a, T, at(x, sl.X_HEADER))
            call_model(kind[slot], x, at(dc, kind[sl.K_NUMBERS] + kind[sl.K_STRIDE] * e), y)
            add_rows(ic, kind, touched, y, r)


@jit
def linearise(
    ic: Integers, dc: Reals, q: Reals, u: Reals, a: Reals, T: Reals, r: Reals, A: Reals
) -> None:
    """r <- residual, A <- tangent."""
    prepare(ic, dc, r)
    for i in range(ic[sl.LENGTH]):
        A[i] = 0.0
    x, y = at(dc, sl.X_LOCAL), at(dc, ic[sl.Y_LOCAL])
    for k in range(ic[sl.KINDS]):
        kind = at(ic, ic[sl.KIND_TABLE] + sl.KIND_INTS * k)
        count = kind[sl.K_BLOCKS]
        for e in range(kind[sl.K_COUNT]):
            touched = at(ic, kind[sl.K_TOUCHED] + count * e)
            gather(ic, kind, touched, q, u, a, T, at(x, sl.X_HEADER))
            call_model(kind[sl.K_TANGENT], x, at(dc, kind[sl.K_NUMBERS] + kind[sl.K_STRIDE] * e), y)
            add_rows(ic, kind, touched, y, r)
            places = at(ic, kind[sl.K_PLACES] + 2 * count * count * e)
            add_matrix(ic, kind, touched, places, at(y, kind[sl.K_SIZE]), A)


@entry
def residual(
    ic: Integers, dc: Reals, q: Reals, u: Reals, a: Reals, T: Reals, r: Reals, slot: int
) -> int:
    """r <- residual of the system (slot K_RESIDUAL), or its derivative by the load factor."""
    add_elements(ic, dc, q, u, a, T, r, slot)
    return 0


@entry
def tangent(
    ic: Integers, dc: Reals, q: Reals, u: Reals, a: Reals, T: Reals, r: Reals, A: Reals
) -> int:
    """r <- residual, A <- tangent of the system."""
    linearise(ic, dc, q, u, a, T, r, A)
    return 0
