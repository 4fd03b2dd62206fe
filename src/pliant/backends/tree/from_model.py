"""From the graph of a system to a tree as arrays, if it is one a kernel can take; its numbers:
constants of links and forces for one set of parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from pliant.arrays import Array, Integers
from pliant.backends.tree import code
from pliant.backends.tree.model import TreeModel, TreeNumbers
from pliant.backends.tree.sensors import sensor_objection
from pliant.graphs import SystemGraph, TreeEdge
from pliant.mechanics.layout import Layout, Rotation, Scalar
from pliant.mechanics.values import Values

T = TypeVar("T")


def tree_objection(graph: SystemGraph) -> str:
    """Why the kernel cannot take a system; empty if it can."""
    model = graph.model
    if graph.cuts:
        return f"joint '{graph.cuts[0].name}' closes a loop"
    for section in ("drivers", "constraints", "signals", "networks"):
        found = getattr(model, section)
        if found:
            return f"{section[:-1]} '{next(iter(found))}' needs expressions of the whole system"
    free = {e.joint.name for e in graph.edges if e.joint.name not in model.joints}
    carried = _carried(graph)
    for name, body in model.bodies.items():
        if name in model.elastic:
            return f"body '{name}' is not a plain rigid body"
        if body.massless and name not in carried:
            return f"body '{name}' has no mass"
        if body.initial is not None and f"{name}.free" not in free:
            return f"body '{name}' has an initial state of its own besides its joint"
    laws = (code.law_objection(model, force) for force in model.forces.values())
    seen = (sensor_objection(model, s) for n, s in model.sensors.items() if n not in model.origin)
    return next((o for o in chain(laws, seen) if o), "")


def _carried(graph: SystemGraph) -> set[str]:
    """Bodies fixed to the ground or to a body with mass, and sections at the ends of segmented
    beams, which move only with something inert."""
    model = graph.model
    found = {n for n, b in model.rigid.items() if n in model.origin or not b.massless}
    found.add("ground")
    welds = [(e.inner, e.outer) for e in graph.edges if e.joint.welds]
    while more := {n for pair in welds for n in pair if found & set(pair)} - found:
        found |= more
    return found


def tree_model(graph: SystemGraph) -> TreeModel:
    """Arrays and code of a tree."""
    order, parent = depth_first(graph.edges)
    edges = [graph.edges[i] for i in order]
    forces: dict[str, Any] = {**graph.model.forces}
    parameters, pairs = frozenset(graph.model.parameters), [(e.joint, e.flipped) for e in edges]
    acted = [(f, graph.model.joints[f.joint]) for f in forces.values()]
    kinds, kind = _numbered([(code.kind_key(*pair), pair) for pair in pairs])
    laws, law = _numbered([(code.law_key(*pair, parameters), pair) for pair in acted])
    made = code.tree_code(kinds, laws, parameters)
    sizes = np.array([(e.joint.nq, e.joint.nu) for e in graph.edges], dtype=np.int64)
    starts = np.cumsum(np.vstack([np.zeros((1, 2), dtype=np.int64), sizes]), axis=0)[order]
    where = {e.joint.name: k for k, e in enumerate(edges)}
    link = np.array([where[f.joint] for f in forces.values()], dtype=np.int64)
    own = np.array([  # which scalar coordinate of its joint a force acts on
        0 if f.coordinate is None else [c.name for c in joint.scalars].index(f.coordinate)
        for f, joint in acted
    ], dtype=np.int64)  # fmt: skip
    return TreeModel(
        kinds=made.kinds, laws=made.laws, machine=made.machine, layout=_layout(graph), kind=kind,
        parent=parent, q=starts[:, 0].copy(), u=starts[:, 1].copy(),
        joints=tuple(e.joint for e in edges),
        bodies=tuple(e.outer for e in edges), forces=tuple(forces), law=law,
        law_link=link, law_u=starts[link, 1] + own,
    )  # fmt: skip


def depth_first(edges: tuple[TreeEdge, ...]) -> tuple[Integers, Integers]:
    """Edges in depth-first order, and for each the position of the one it hangs on."""
    hanging: dict[str, list[int]] = {}
    for i, edge in enumerate(edges):
        hanging.setdefault(edge.inner, []).append(i)
    order: list[int] = []
    parent: list[int] = []
    place: dict[str, int] = {"ground": -1}
    waiting = hanging.get("ground", [])[::-1]
    while waiting:
        i = waiting.pop()
        place[edges[i].outer] = len(order)
        order.append(i)
        parent.append(place[edges[i].inner])
        waiting += hanging.get(edges[i].outer, [])[::-1]
    return np.array(order, dtype=np.int64), np.array(parent, dtype=np.int64)


def _numbered(keyed: Sequence[tuple[Any, T]]) -> tuple[dict[Any, T], Integers]:
    """Keys with an example each, in the order of their first use, and the number of each key."""
    examples: dict[Any, T] = {}
    for key, example in keyed:
        examples.setdefault(key, example)
    place = {key: k for k, key in enumerate(examples)}
    return examples, np.array([place[key] for key, _ in keyed], dtype=np.int64)


def _layout(graph: SystemGraph) -> Layout:
    """As in the recursive formulation."""
    q: list[Scalar] = []
    u: list[Scalar] = []
    rotations: list[Rotation] = []
    for joint in (edge.joint for edge in graph.edges):
        rotations += [Rotation(kind, len(q) + k) for kind, k in joint.rotations]
        for named, names, units in ((q, joint.coordinate_names, joint.coordinate_units),
                                    (u, joint.rate_names, joint.rate_units)):  # fmt: skip
            named += [Scalar(f"{joint.name}.{n}", unit, joint.name)
                      for n, unit in zip(names, units, strict=True)]  # fmt: skip
    return Layout(q=tuple(q), u=tuple(u), rotations=tuple(rotations))


_UPPER = ([0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2])


def tree_numbers(values: Values, tree: TreeModel) -> TreeNumbers:
    """Constants of every link in its own frame O, and numbers of every force."""
    model = values.model
    places = {name: values.places(name) for name in ("ground", *model.bodies)}
    R_PF, p_PF, R_BM, p_BM = _joint_frames(tree, places)
    inner = tree.parent
    R_PB, p_PB = _of_parent(R_BM, inner, np.eye(3)), _of_parent(p_BM, inner, np.zeros(3))
    R_PI = np.einsum("nji,njk->nik", R_PB, R_PF)
    p_PI = np.einsum("nji,nj->ni", R_PB, p_PF - p_PB)
    inertia = _inertias(values, tree, R_BM, p_BM)
    extra = _table([code.joint_numbers(j, values.number) for j in tree.joints])
    constants = np.column_stack([R_PI.reshape(-1, 9), p_PI, inertia, extra])
    forces = zip(model.forces.values(), tree.law, strict=True)
    laws = _table([code.law_values(tree.laws[k], f, values.parameters, values.number)
                   for f, k in forces])  # fmt: skip
    return TreeNumbers(
        parameters=values.parameters, gravity=values.vector(model.gravity),
        constants=constants, laws=laws, places=places, R_BO=R_BM, p_BO=p_BM,
    )  # fmt: skip


def _table(rows: Sequence[Sequence[float]]) -> Array:
    """Rows of numbers, filled up with zeros."""
    out = np.zeros((len(rows), max((len(r) for r in rows), default=0)))
    for row, numbers in zip(out, rows, strict=True):
        row[: len(numbers)] = numbers
    return out


def _of_parent(values: Array, parent: Any, ground: Array) -> Array:
    """Values of the link each link hangs on."""
    found: Array = np.concatenate([values, ground[None]])[parent]
    return found


def _joint_frames(tree: TreeModel, places: Mapping[str, Any]) -> tuple[Array, ...]:
    """R, p of the joint frame on the inner and on the outer body, canonical axes."""
    R, p = np.zeros((2, tree.n, 3, 3)), np.zeros((2, tree.n, 3))
    for i, joint in enumerate(tree.joints):
        R_FJ = joint.canonical_axes()
        ends = (joint.parent, joint.child)
        for k, reference in enumerate(ends[::-1] if tree.kinds[tree.kind[i]].flipped else ends):
            body, _, frame = reference.partition(".")
            X = places[body][frame]
            R[k, i], p[k, i] = X.R @ R_FJ, X.p
    return R[0], p[0], R[1], p[1]


def _inertias(values: Values, tree: TreeModel, R_BO: Array, p_BO: Array) -> Array:
    """m, mc, I_o of each link about O in axes of O: I_o = I_c + m (c.c 1 - c c^T)."""
    n = tree.n
    mass, com, moments = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 6))
    about_origin = np.zeros(n, dtype=bool)
    for i, name in enumerate(tree.bodies):
        body: Any = values.model.bodies[name]
        mass[i], com[i] = values.number(body.mass), values.vector(body.com)
        moments[i] = values.vector(body.inertia)
        about_origin[i] = body.inertia_about == "origin"
    I = moments[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
    I = I - about_origin[:, None, None] * _steiner(mass, com)
    c = np.einsum("nji,nj->ni", R_BO, com - p_BO)
    I = np.einsum("nji,njk,nkl->nil", R_BO, I, R_BO) + _steiner(mass, c)
    return np.column_stack([mass, mass[:, None] * c, I[:, _UPPER[0], _UPPER[1]]])


def _steiner(mass: Array, c: Array) -> Array:
    square = np.einsum("ni,ni->n", c, c)[:, None, None] * np.eye(3)
    found: Array = mass[:, None, None] * (square - c[:, :, None] * c[:, None, :])
    return found
