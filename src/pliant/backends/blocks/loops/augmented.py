"""Constraints also as springs: a tangent that can be eliminated in any order of its bodies.

With multipliers lam held at zero, parts of a structure may move freely (a beam that is pinned at
one end and welded to another one at the other), so that eliminating them before their joint meets
a pivot of zero. Springs along the constraints,

    [ K + G^T W G  -G^T ] [ d    ]     [ -r ]         W = diag(w) > 0
    [ G             0   ] [ dlam ]  =  [ -g ]

change nothing: G d = -g, so that d is that of K and dlam - W G d = dlam + W g that of K. If K is
positive definite on the motions with G d = 0 and not negative on others, K + G^T W G is positive
definite, and so is every part of it. The two matrices are congruent: they have the same number of
negative eigenvalues. w is the least stiffness its bodies have along the gradient, (G diag(K) G^T) /
(G G^T)^2, so that no stiffness is lost beside it; rows of G and their multipliers are scaled by its
root, whatever units they have: g' = sqrt(w) g, lam = sqrt(w) lam'. Source: Golub, Greif 2003.
"""

from __future__ import annotations

import numpy as np

from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.assembly import block_record
from pliant.backends.blocks.loops.kernels import subtract_row
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit

LEAST = 1e-12
"""Of the largest stiffness of the system, in comparable unknowns: below is rounding."""


@jit
def unknowns(ic: Integers, block: int) -> int:
    """Number of unknowns of a block."""
    own = block_record(ic, block)
    size: int = 6 * own[sl.B_POSE] + own[sl.B_REALS]
    return size


@jit
def along_row(ic: Integers, touched: Integers, places: Integers, count: int, row: int, body: int,
              A: Reals, weights: Reals, most: float) -> float:  # fmt: skip
    """Stiffness of a body along its part of a row of G; 0 if it has none but rounding."""
    pair, own = at(places, 2 * ((count - 1) * count + body)), at(places, 2 * body * (count + 1))
    if pair[0] < 0:
        return 0.0
    stiffness, square, G = 0.0, 0.0, at(A, pair[0] + row * pair[1])
    start = block_record(ic, touched[body])[sl.B_D]
    for i in range(unknowns(ic, touched[body])):
        part = G[i] / weights[start + i]
        square += part * part
        stiffness += G[i] * G[i] * abs(A[own[0] + i * (own[1] + 1)]) / weights[start + i] ** 4
    return stiffness / (square * square) if stiffness > LEAST * most * square else 0.0


@jit
def length_of(ic: Integers, touched: Integers, places: Integers, count: int, row: int, A: Reals,
              weights: Reals) -> float:  # fmt: skip
    """Square of the length of a row of G."""
    square = 0.0
    for body in range(count - 1):
        pair, start = (at(places, 2 * ((count - 1) * count + body)),
                       block_record(ic, touched[body])[sl.B_D])  # fmt: skip
        if pair[0] >= 0:
            for i in range(unknowns(ic, touched[body])):
                part = A[pair[0] + row * pair[1] + i] / weights[start + i]
                square += part * part
    return square


@jit
def weight_of(ic: Integers, touched: Integers, places: Integers, count: int, row: int, A: Reals,
              weights: Reals, most: float) -> float:  # fmt: skip
    """w of a row: the least stiffness of its bodies; if none has any, the largest there is."""
    least = 0.0
    for body in range(count - 1):
        own = along_row(ic, touched, places, count, row, body, A, weights, most)
        if own > 0.0 and (least == 0.0 or own < least):
            least = own
    if least > 0.0:
        return least
    square = length_of(ic, touched, places, count, row, A, weights)
    return most / square if square > 0.0 and most > 0.0 else 1.0


@jit
def add_springs(ic: Integers, touched: Integers, places: Integers, count: int, row: int,
                w: float, A: Reals) -> None:  # fmt: skip
    """A <- A + w G_row^T G_row."""
    for one in range(count - 1):
        first = at(places, 2 * ((count - 1) * count + one))
        for other in range(count - 1):
            second = at(places, 2 * ((count - 1) * count + other))
            target = at(places, 2 * (one * count + other))
            if first[0] < 0 or second[0] < 0:
                continue
            G = at(A, second[0] + row * second[1])
            for i in range(unknowns(ic, touched[one])):
                factor = w * A[first[0] + row * first[1] + i]
                if factor != 0.0:
                    place = at(A, target[0] + i * target[1])
                    subtract_row(place, -factor, G, unknowns(ic, touched[other]))


@jit
def scale_row(ic: Integers, touched: Integers, places: Integers, count: int, row: int,
              factor: float, A: Reals) -> None:  # fmt: skip
    """Row of G and the column of its multiplier times a factor."""
    for body in range(count - 1):
        own, turned = (at(places, 2 * ((count - 1) * count + body)),
                       at(places, 2 * (body * count + count - 1)))  # fmt: skip
        if own[0] < 0:
            continue
        for i in range(unknowns(ic, touched[body])):
            A[own[0] + row * own[1] + i] *= factor
            A[turned[0] + i * turned[1] + row] *= factor


@entry
def augment(ic: Integers, A: Reals, weights: Reals, most: float, w: Reals) -> int:
    """A <- with springs along all constraints, w <- their stiffnesses, in the order of unknowns;
    constraints and multipliers scaled by the roots of w.

    ``weights`` make unknowns comparable; ``most``: the largest diagonal entry over their squares.
    All stiffnesses are those before: springs of one joint do not count for the next.
    """
    for stage in range(2):
        for k in range(ic[sl.KINDS]):
            kind = at(ic, ic[sl.KIND_TABLE] + sl.KIND_INTS * k)
            count = kind[sl.K_BLOCKS]
            for e in range(kind[sl.K_COUNT]):
                touched = at(ic, kind[sl.K_TOUCHED] + count * e)
                last = block_record(ic, touched[count - 1])
                if last[sl.B_ALGEBRAIC] == 0:
                    break
                places = at(ic, kind[sl.K_PLACES] + 2 * count * count * e)
                for row in range(last[sl.B_REALS]):
                    place = last[sl.B_D] + row
                    if stage == 0:
                        w[place] = weight_of(ic, touched, places, count, row, A, weights, most)
                    else:
                        add_springs(ic, touched, places, count, row, w[place], A)
                        scale_row(ic, touched, places, count, row, np.sqrt(w[place]), A)
    return 0
