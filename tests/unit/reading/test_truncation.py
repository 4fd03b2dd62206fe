"""Truncation in small quantities, inside products and afterwards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.mechanics.flexible import elastic_frame, masses
from pliant.reading.algebra import Space, readable_ops
from pliant.spatial.rotation import exponential

NAMES = ("m", "q", "x", "y")
monomial = st.lists(st.sampled_from(NAMES), max_size=4)
polynomial = st.lists(st.tuples(st.integers(-5, 5), monomial, st.booleans()), max_size=4)


def build(space, terms):
    total = space.constant(0)
    for c, names, with_sine in terms:
        product = space.constant(c)
        for name in names:
            product = product * space.symbol(name)
        total = total + (product * space.sin(space.symbol("q")) if with_sine else product)
    return total


def same(a, b):
    """Equal values of two spaces with the same symbols, by their names."""
    return named(a) == named(b)


def named(value):
    space, found = value.space, {}
    for (monomial, wave), c in value.coefficients():
        powers = {space.symbols[k].name: e for k, e in space.monomials.powers[monomial]}
        waves = tuple(
            (w.is_sine, tuple((space.symbols[k].name, n) for k, n in w.angle))
            for w in space.waves.waves[wave]
        )
        found[frozenset(powers.items()), waves] = c
    return found


@given(a=polynomial, b=polynomial, c=polynomial, order=st.integers(0, 3))
def test_truncated_products_are_products_truncated(a, b, c, order):
    small, full = Space(elastic=["x", "y"], order=order), Space()
    for space in (small, full):
        for name in NAMES:
            space.symbol(name)
    early = (build(small, a) * build(small, b) + build(small, c)) * build(small, c)
    late = (build(full, a) * build(full, b) + build(full, c)) * build(full, c)
    assert same(early.truncate(order), late.truncate(order, ["x", "y"]))


def test_sines_of_small_angles_are_series():
    space = Space(elastic=["x"], order=3)
    q, x, k = (space.symbol(n) for n in ("q", "x", "k"))
    assert space.sin(k * x) == k * x - (k * x) ** 3 / 6
    assert space.cos(x) == 1 - x**2 / 2
    assert space.cos(q + x).truncate(1) == space.cos(q) - x * space.sin(q)


def test_rates_of_small_quantities_are_small():
    space = Space(elastic=["eta"], order=1)
    eta, rate, _ = space.coordinate("eta")
    assert eta * rate == 0
    assert eta * space.symbol("m") != 0


@pytest.mark.parametrize("order", [1, 2, 4])
def test_rotations_of_small_vectors_are_orthogonal_to_the_order(order):
    space = Space(elastic=["x", "y", "z"], order=order)
    ops = readable_ops(space)
    R = exponential(ops, ops.vec(*(space.symbol(n) for n in "xyz")))
    assert ops.const(np.eye(3)) == R.T @ R
    w = R.T @ ops.jtimes(R, space.symbol("x"), 1)
    assert all(not entry.truncate(order - 1) for entry in (w + w.T))


def bar(ops, coordinates):
    """Tables of a body with two shapes, bending in y and z, all entries symbols."""

    def table(label, *indices):
        return {i: ops.symbol(f"{label}{''.join(map(str, i))}") for i in indices}

    pairs = [(a, b) for a in range(2) for b in range(2)]
    return {
        "m": {(): ops.symbol("m")}, "s0": table("s0", (0,)),
        "s1": table("s1", (1, 0), (2, 1)), "s2": table("s2", (0, 0, 0), (0, 1, 1)),
        "J0": table("J0", (1, 1), (2, 2)), "J1": table("J1", (0, 1, 0), (1, 0, 0)),
        "J2": table("J2", *((0, 0, a, b) for a, b in pairs)),
        "B0": table("B0", (2, 0), (1, 1)), "B1": table("B1", (0, 0, 1), (0, 1, 0)),
        "M": table("M", *pairs),
        "tip:p0": table("p0", (0,)), "tip:L": table("L", (1, 0), (2, 1)),
        "tip:H": table("H", (0, 0, 0), (0, 1, 1)), "tip:psi": table("psi", (2, 0), (1, 1)),
        "tip:phi": {}, "tip:a": {},
    }  # fmt: skip


def flexible_force(order):
    """d/dt ∂T/∂u - ∂T/∂q of a flexible body that turns with w, with a point mass at its tip."""
    space = Space(elastic=["v", "w"], order=order)
    ops = readable_ops(space)
    q, u, a = (ops.stack(x) for x in zip(*map(space.coordinate, "vw"), strict=True))
    tables = bar(ops, "vw")
    turning = ops.symbols(["wx", "wy", "wz"])
    m = masses(ops, tables, (), q, 2)
    tip = elastic_frame(ops, tables, "tip", ops.const(np.eye(3)), q, u)
    velocity = ops.cross(turning, tip.pose.p) + tip.v
    T = ops.dot(turning, m.J @ turning) / 2 + ops.dot(turning, m.B @ u) + ops.dot(u, m.M @ u) / 2
    T = T + ops.symbol("mp") * ops.dot(velocity, velocity) / 2
    momentum = ops.gradient(T, u)
    rate = ops.jtimes(momentum, ops.stack([q, u]), ops.stack([u, a]))
    return [x.truncate(1) for x in rate - ops.gradient(T, q)]


def test_one_order_more_gives_equations_of_the_order():
    """Derivatives lose one degree, so first-order forces need the energy to second order."""
    second, third = flexible_force(2), flexible_force(3)
    assert all(map(same, second, third))
    assert not all(map(same, flexible_force(1), third))


def test_names_keep_the_degrees_apart():
    space = Space(elastic=["x"], order=1, naming_limit=1)
    x, a, b = (space.symbol(n) for n in "xab")
    value = space.name("v", a + b + a * x + b * x)
    assert value * value * x == space.symbol("v") ** 2 * x
    assert (value * value).by_degree().keys() == {0, 1}
