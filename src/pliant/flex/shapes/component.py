"""Component modes of the beam's own finite element model (S2.2).

`craig-bampton`: constraint modes (unit displacement and slope at each interface after the first,
the others held), then modes with all interfaces held. The first interface stays held throughout:
its own constraint modes differ from these by rigid motions, which the floating frame removes.
`free-interface`: elastic modes of the free beam, lowest first; with attachments the last of them
are replaced by residual flexibility under unit force and moment at each interface.
In both, `count` is the number of functions in all. Displacements are scaled to largest size 1
(constraint slopes to the length).

The bases of the finite elements are piecewise polynomials. Nodes carry the interface quantities,
every element some bubbles, so a few tens of elements give many modes to ten digits:

    Euler-Bernoulli bending   v: cubic Hermite and two bubbles (degree 5, C1)
    Timoshenko bending        v: degree 5, psi: degree 4, both C0; the exact static solution of
                              an element (v cubic, psi quadratic) is in the space: no locking
    axial, torsion            degree 4, C0
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.beam import Rates
from pliant.flex.numerics import Rule, symmetric_modes
from pliant.flex.shapes.base import KINDS, Block, Piecewise, Request
from pliant.records import dataclass


def craig_bampton(request: Request) -> tuple[Block, ...]:
    """Constraint modes of the interfaces after the first, then fixed-interface modes."""
    fe = elements(request)
    places = [fe.nodal[fe.node(x * request.beam.length)] for x in request.interfaces]
    held = np.concatenate(places)
    moved = held[fe.nodal.shape[1] :]
    kept = _room(request, len(moved), "constraint modes")
    free = np.setdiff1d(np.arange(len(fe.K)), held)
    static = np.zeros((len(fe.K), len(moved)))
    static[moved, np.arange(len(moved))] = 1.0
    static[free] = -np.linalg.solve(fe.K[np.ix_(free, free)], fe.K[np.ix_(free, moved)])
    if request.bending:
        static[:, 1::2] *= request.beam.length
    _, modes = symmetric_modes(fe.K[np.ix_(free, free)], fe.M[np.ix_(free, free)])
    fixed = np.zeros((len(fe.K), kept))
    fixed[free] = modes[:, :kept]
    return _blocks(request, fe, np.hstack([static, _scaled(request, fe, fixed)]))


def free_interface(request: Request) -> tuple[Block, ...]:
    """Elastic modes of the free beam, and residual attachment modes if asked for."""
    fe = elements(request)
    w2, modes = symmetric_modes(fe.K, fe.M)
    rigid = fe.rigid.shape[1]
    loads = np.zeros((len(fe.K), 0))
    if request.attachments:
        places = [fe.nodal[fe.node(x * request.beam.length)] for x in request.interfaces]
        loads = np.eye(len(fe.K))[:, np.concatenate(places)]
    kept = _room(request, loads.shape[1], "attachment modes")
    rest = slice(rigid + kept, None)
    residual = modes[:, rest] @ ((modes[:, rest].T @ loads) / w2[rest, None])
    chosen = np.hstack([modes[:, rigid : rigid + kept], residual])
    return _blocks(request, fe, _scaled(request, fe, chosen))


def _room(request: Request, used: int, what: str) -> int:
    """How many normal modes remain beside `used` static ones."""
    if request.count < used:
        raise InputError(
            f"{KINDS[request.field]}: {request.count} functions, but the "
            f"{len(request.interfaces)} interfaces need {used} {what}",
            f"ask for at least {used} functions or fewer interfaces",
        )
    return request.count - used


def _scaled(request: Request, fe: FiniteElements, modes: Array) -> Array:
    """Largest displacement +1 on a fixed grid."""
    values = fe.shapes(np.linspace(0.0, request.beam.length, 201))[0] @ modes
    place = np.argmax(np.abs(values) * (1 + 1e-6 * np.arange(201))[:, None], axis=0)
    return np.asarray(modes / values[place, np.arange(modes.shape[1])])


def _blocks(request: Request, fe: FiniteElements, modes: Array) -> tuple[Block, ...]:
    slope = None if fe.slope is None else fe.slope @ modes
    field = request.field
    return (Block(field, KINDS[field], field, fe.shapes @ modes, slope),)


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


def _rigid(count: int, nodal: NDArray[np.intp], nodes: Array) -> Array:
    """Translation, and rotation about x = 0."""
    rigid = np.zeros((count, 2))
    rigid[nodal[:, 0], 0] = 1.0
    rigid[nodal[:, 0], 1] = nodes
    rigid[nodal[:, 1], 1] = 1.0
    return rigid


def _hermite(request: Request, nodes: Array, rule: Rule, r: Rates) -> FiniteElements:
    stiff, rotary = (r.EIz, r.rhoIz) if request.field == "v" else (r.EIy, r.rhoIy)
    shapes = smooth(nodes)
    f = shapes(rule.x)
    nodal = np.arange(2 * len(nodes)).reshape(2, -1).T
    M = _gram(rule, r.rhoA, f[0]) + _gram(rule, rotary, f[1])
    return FiniteElements(_gram(rule, stiff, f[2]), M, shapes, None, nodes, nodal,
                          _rigid(shapes.count, nodal, nodes))  # fmt: skip


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
    return FiniteElements(K, M, shapes, slope, nodes, nodal, _rigid(total, nodal, nodes))


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
