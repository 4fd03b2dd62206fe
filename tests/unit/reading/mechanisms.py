"""Equations of chains of revolute joints, written over any operations."""

import numpy as np

from pliant.reading.algebra import Space, readable_ops
from pliant.spatial.rotation import rot_x, rot_y, rot_z

TURNS = {"x": rot_x, "y": rot_y, "z": rot_z}


class Link:
    """axis ("z", "-y"), place of the joint on the inner link, mass centre, mass, inertia."""

    def __init__(self, axis, place, com, mass, inertia):
        self.sign = -1 if axis.startswith("-") else 1
        self.axis, self.place, self.com = axis[-1], place, com
        self.mass, self.inertia = mass, inertia


def chain(ops, links, q, u, a, gravity):
    """Σ Jv^T m (a_c - g) + Jw^T (I alpha + w x I w), by recursion in body axes."""
    cross, named = ops.cross, ops.named
    w = alpha = ops.zeros(3)
    acc = -gravity
    turning, moving, rows = [], [], [0] * len(links)
    for i, link in enumerate(links):
        R = TURNS[link.axis](ops, link.sign * q[i])
        r, c = link.place, link.com
        axis = ops.const(link.sign * np.eye(3)["xyz".index(link.axis)])
        acc = named(f"acc{i + 1}", R.T @ (acc + cross(alpha, r) + cross(w, cross(w, r))))
        moving = [R.T @ (v + cross(x, r)) for v, x in zip(moving, turning, strict=True)]
        turning = [named(f"Jw{i + 1}{j + 1}", R.T @ x) for j, x in enumerate(turning)]
        carried = R.T @ w
        alpha = named(f"alpha{i + 1}", R.T @ alpha + a[i] * axis + cross(carried, u[i] * axis))
        w = named(f"w{i + 1}", carried + u[i] * axis)
        turning.append(axis)
        moving.append(ops.zeros(3))
        moving = [named(f"Jv{i + 1}{j + 1}", x) for j, x in enumerate(moving)]
        force = link.mass * (acc + cross(alpha, c) + cross(w, cross(w, c)))
        torque = link.inertia @ alpha + cross(w, link.inertia @ w)
        force, torque = named(f"F{i + 1}", force), named(f"T{i + 1}", torque)
        for j in range(i + 1):
            lever = moving[j] + cross(turning[j], c)
            rows[j] = rows[j] + ops.dot(lever, force) + ops.dot(turning[j], torque)
    return rows


def diagonal(ops, x, y, z):
    return ops.mat([[x, 0, 0], [0, y, 0], [0, 0, z]])


class SliderCrank:
    """Planar slider-crank of S1: crank and rod, cut at the slider."""

    def __init__(self):
        self.space = s = Space(runs=[["alpha1", "alpha2"]])
        self.ops = ops = readable_ops(s)
        names = ("I11", "I12", "m11", "m12", "l11", "l12", "T", "s")
        self.I11, self.I12, self.m11, self.m12, self.l11, self.l12, self.T, self.s = (
            s.symbol(n) for n in names
        )
        self.q, self.u, self.a = zip(*(s.coordinate(f"alpha{k}") for k in (1, 2)), strict=True)
        links = [
            Link("z", ops.zeros(3), ops.vec(self.l11 / 2, 0, 0), self.m11,
                 diagonal(ops, 0, 0, self.I11)),
            Link("z", ops.vec(self.l11, 0, 0), ops.vec(-self.l12 / 2, 0, 0), self.m12,
                 diagonal(ops, 0, 0, self.I12)),
        ]  # fmt: skip
        Q = chain(ops, links, self.q, self.u, self.a, ops.zeros(3))
        self.Q1, self.Q2 = self.T - Q[0], -Q[1]


class Rotor:
    """Pendulating rotor of S1: psi about the vertical, nutation theta, spin phi."""

    def __init__(self):
        self.space = s = Space()
        self.ops = ops = readable_ops(s)
        self.m3, self.L, self.R, self.g, self.T1, self.T2 = (
            s.symbol(n) for n in ("m3", "L", "R", "g", "T1", "T2")
        )
        self.q, self.u, self.a = zip(
            *(s.coordinate(n) for n in ("psi", "theta", "phi")), strict=True
        )
        light = (ops.zeros(3), ops.zeros(3), 0, ops.zeros(3, 3))
        quarter = self.m3 * self.R**2 / 4
        disk = diagonal(ops, quarter, quarter, 2 * quarter)
        shaft = ops.vec(0, 0, -self.L)
        links = [Link("z", *light), Link("-y", *light), Link("-z", shaft, light[0], self.m3, disk)]
        Q = chain(ops, links, self.q, self.u, self.a, ops.vec(0, 0, -self.g))
        self.rows = [Q[0] - self.T1, Q[1], Q[2] - self.T2]


AXES = ("z", "y", "y", "x", "y", "x")


def arm_runs(n, spatial):
    """Consecutive parallel axes."""
    runs = []
    for i in range(n):
        if i and (not spatial or AXES[i % 6] == AXES[(i - 1) % 6]):
            runs[-1].append(f"q{i + 1}")
        else:
            runs.append([f"q{i + 1}"])
    return runs


def arm_parameters(n, spatial):
    own = [(f"m{i}", f"l{i}", *(f"J{i}{c}" for c in ("xyz" if spatial else "z")))
           for i in range(1, n + 1)]  # fmt: skip
    return [name for names in own for name in names] + ["g"]


def arm(ops, get, coordinates, n, spatial):
    """Equations of an arm of n links; ``get(name)`` gives a parameter."""
    links = []
    for i in range(n):
        inner = get(f"l{i}") if i else 0
        J = [get(f"J{i + 1}{c}") if spatial or c == "z" else 0 for c in "xyz"]
        com = ops.vec(get(f"l{i + 1}") / 2, 0, 0)
        axis = AXES[i % 6] if spatial else "z"
        links.append(Link(axis, ops.vec(inner, 0, 0), com, get(f"m{i + 1}"), diagonal(ops, *J)))
    g = get("g")
    gravity = ops.vec(0, 0, -g) if spatial else ops.vec(0, -g, 0)
    return chain(ops, links, *coordinates, gravity)


def readable_arm(space, n, spatial):
    """The equations in a space."""
    for name in arm_parameters(n, spatial):
        space.symbol(name)
    coordinates = zip(*(space.coordinate(f"q{i + 1}") for i in range(n)), strict=True)
    return arm(readable_ops(space), space.symbol, list(coordinates), n, spatial)
