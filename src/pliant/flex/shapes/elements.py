"""Finite element bases as piecewise polynomials, and the beam's own matrices on them.

Nodes carry the interface quantities, every element some bubbles, so a few tens of elements give
many modes to ten digits:

    Euler-Bernoulli bending   v: cubic Hermite and two bubbles (degree 5, C1)
    Timoshenko bending        v: degree 5, psi: degree 4, both C0; the exact static solution of
                              an element (v cubic, psi quadratic) is in the space: no locking
    axial, torsion            degree 4, C0
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from pliant.arrays import Array
from pliant.flex.beam import Rates
from pliant.flex.rule import Rule
from pliant.flex.shapes.base import Request
from pliant.flex.shapes.piecewise import Piecewise


@dataclass(frozen=True, slots=True)
class FiniteElements:
    """K and M of one field, its functions, and which degree of freedom is what at which node.

    `nodal` has shape (nodes, per node): displacement and, for bending, slope; `rigid` holds the
    motions without strain as columns.
    """

    K: Array
    M: Array
    shapes: Piecewise
    slope: Piecewise | None
    nodes: Array
    nodal: NDArray[np.intp]
    rigid: Array

    def node(self, x: float) -> int:
        """The node at x, which is always in the mesh."""
        return int(np.argmin(np.abs(self.nodes - x)))


def mesh(request: Request) -> Array:
    """About `elements` equal elements with nodes at all stations and interfaces."""
    marks = np.unique(np.round([*request.beam.stations, *request.interfaces], 12))
    parts = [
        np.linspace(a, b, max(1, round((b - a) * request.elements)) + 1)[:-1]
        for a, b in pairwise(marks)
    ]
    return np.append(np.concatenate(parts), 1.0) * request.beam.length


def elements(request: Request) -> FiniteElements:
    """The finite element model of one field of the beam."""
    nodes = mesh(request)
    rule = Rule.over(nodes, 0)
    rates = request.beam.rates(rule.x)
    if not request.bending:
        return _bar(request, nodes, rule, rates)
    return (
        _timoshenko(request, nodes, rule, rates)
        if request.shear
        else _hermite(request, nodes, rule, rates)
    )


def _gram(rule: Rule, rate: Array | float, f: Array) -> Array:
    """∫ rate f_a f_b dx."""
    return np.asarray((f * (rule.w * rate)[:, None]).T @ f)


def _bar(request: Request, nodes: Array, rule: Rule, r: Rates) -> FiniteElements:
    stiff, mass = (r.EA, r.rhoA) if request.field == "s" else (r.GJ, r.rhoIy + r.rhoIz)
    shapes = continuous(nodes, 4)
    f = shapes(rule.x)
    count = len(nodes)
    rigid = np.zeros((shapes.count, 1))
    rigid[:count] = 1.0
    return FiniteElements(
        _gram(rule, stiff, f[1]),
        _gram(rule, mass, f[0]),
        shapes,
        None,
        nodes,
        np.arange(count)[:, None],
        rigid,
    )


def _hermite(request: Request, nodes: Array, rule: Rule, r: Rates) -> FiniteElements:
    stiff, rotary = (r.EIz, r.rhoIz) if request.field == "v" else (r.EIy, r.rhoIy)
    shapes = smooth(nodes)
    f = shapes(rule.x)
    nodal = np.arange(2 * len(nodes)).reshape(2, -1).T
    rigid = np.zeros((shapes.count, 2))
    rigid[nodal[:, 0], 0] = 1.0
    rigid[nodal[:, 0], 1] = nodes
    rigid[nodal[:, 1], 1] = 1.0
    M = _gram(rule, r.rhoA, f[0]) + _gram(rule, rotary, f[1])
    return FiniteElements(_gram(rule, stiff, f[2]), M, shapes, None, nodes, nodal, rigid)


def _timoshenko(request: Request, nodes: Array, rule: Rule, r: Rates) -> FiniteElements:
    y = request.field == "v"
    stiff, shear, rotary = (r.EIz, r.GAy, r.rhoIz) if y else (r.EIy, r.GAz, r.rhoIy)
    v, psi = continuous(nodes, 5), continuous(nodes, 4)
    nv, total = v.count, v.count + psi.count
    shapes, slope = v @ np.eye(nv, total), psi @ np.eye(psi.count, total, nv)
    f, g = shapes(rule.x), slope(rule.x)
    K = _gram(rule, stiff, g[1]) + _gram(rule, shear, f[1] - g[0])
    M = _gram(rule, r.rhoA, f[0]) + _gram(rule, rotary, g[0])
    count = len(nodes)
    nodal = np.stack([np.arange(count), nv + np.arange(count)], axis=1)
    rigid = np.zeros((total, 2))
    rigid[nodal[:, 0], 0] = 1.0
    rigid[nodal[:, 0], 1] = nodes
    rigid[nodal[:, 1], 1] = 1.0
    return FiniteElements(K, M, shapes, slope, nodes, nodal, rigid)


def continuous(nodes: Array, degree: int) -> Piecewise:
    """C0: hat functions of the nodes, then integrated Legendre bubbles of each element."""
    count = len(nodes) - 1
    bubbles = degree - 1
    c = np.zeros((count, degree + 1, count + 1 + count * bubbles))
    e = np.arange(count)
    c[e, 0, e] = c[e, 0, e + 1] = 0.5
    c[e, 1, e], c[e, 1, e + 1] = -0.5, 0.5
    for k in range(bubbles):
        place = count + 1 + e * bubbles + k
        c[e, k + 2, place] = 1.0
        c[e, k, place] = -1.0
    return Piecewise(nodes, c)


def smooth(nodes: Array) -> Piecewise:
    """C1: Hermite functions (all values, then all slopes), then two bubbles (1 - t²)² P_k."""
    count = len(nodes) - 1
    c = np.zeros((count, 6, 2 * (count + 1) + 2 * count))
    e = np.arange(count)
    half = np.diff(nodes)[:, None] / 2
    value = np.array([0.5, -0.6, 0.0, 0.1])
    slope = np.array([1 / 6, -1 / 10, -1 / 6, 1 / 10])
    mirror = np.array([1.0, -1.0, 1.0, -1.0])
    c[e, :4, e], c[e, :4, e + 1] = value, value * mirror
    c[e, :4, count + 1 + e] = slope * half
    c[e, :4, count + 2 + e] = -slope * mirror * half
    quartic = legendre.poly2leg([1.0, 0.0, -2.0, 0.0, 1.0])
    for k in range(2):
        bubble = legendre.legmul(quartic, np.eye(2)[k])
        c[e, : len(bubble), 2 * (count + 1) + 2 * e + k] = bubble
    return Piecewise(nodes, c)
