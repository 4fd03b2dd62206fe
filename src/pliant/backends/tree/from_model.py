"""From the graph of a system to a tree as arrays, if it is one a kernel can take."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.arrays import Integers
from pliant.backends.tree.code import acting, kind_key, law_key, law_objection, tree_code
from pliant.backends.tree.model import MOMENTUM, MOTION, TreeModel
from pliant.equations.layout import Group, Layout, Scalar
from pliant.graphs import SystemGraph, TreeEdge
from pliant.mechanics.inertia import Inertia, momentum_of, system_momenta
from pliant.mechanics.motion import BodyMotion
from pliant.model.bodies import RigidBody
from pliant.model.forces import ForceElement
from pliant.model.forces.action import Momentum
from pliant.model.joints import Joint
from pliant.spatial.pose import Pose


def tree_objection(graph: SystemGraph) -> str:
    """Why the kernel cannot take a system; empty if it can."""
    model = graph.model
    if graph.cuts:
        return f"joint '{graph.cuts[0].name}' closes a loop"
    for section in ("drivers", "constraints", "signals", "networks"):
        found = getattr(model, section)
        if found:
            return f"{section[:-1]} '{next(iter(found))}' needs expressions of the whole system"
    for edge in graph.edges:
        if any(kind in ("euler313", "bryant123") for kind, _ in edge.joint.groups):
            return f"joint '{edge.joint.name}' has angles in charts"
    free = {e.joint.name for e in graph.edges if e.joint.name not in model.joints}
    carried = _carried(graph)
    for name, body in model.bodies.items():
        if not isinstance(body, RigidBody):
            return f"body '{name}' is not a plain rigid body"
        if body.massless and name not in carried:
            return f"body '{name}' has no mass"
        if body.initial is not None and f"{name}.free" not in free:
            return f"body '{name}' has an initial state of its own besides its joint"
    return next((o for f in acting(model).values() if (o := law_objection(model, f))), "")


def _carried(graph: SystemGraph) -> set[str]:
    """Bodies fixed to the ground or to a body with mass, and sections at the ends of segmented
    beams, which move only with something inert."""
    bodies = graph.model.bodies.items()
    found = {n for n, b in bodies if isinstance(b, RigidBody) and (":" in n or not b.massless)}
    found.add("ground")
    welds = [(e.inner, e.outer) for e in graph.edges if e.joint.kind == "fixed"]
    while more := {n for pair in welds for n in pair if found & set(pair)} - found:
        found |= more
    return found


def tree_model(graph: SystemGraph) -> TreeModel:
    """Arrays and code of a tree."""
    order, parent = depth_first(graph.edges)
    edges = [graph.edges[i] for i in order]
    kinds, kind = _kinds(edges)
    laws, law = _laws(graph)
    code = tree_code(kinds, laws, frozenset(graph.model.parameters), momentum_functions)
    sizes = np.array([(e.joint.nq, e.joint.nu) for e in graph.edges], dtype=np.int64)
    starts = np.cumsum(np.vstack([np.zeros((1, 2), dtype=np.int64), sizes]), axis=0)[order]
    where = {e.joint.name: k for k, e in enumerate(edges)}
    forces: tuple[Any, ...] = tuple(acting(graph.model).values())
    link = np.array([where[f.joint] for f in forces], dtype=np.int64)
    own = np.array([_coordinate(graph.model.joints[f.joint], f) for f in forces], dtype=np.int64)
    return TreeModel(
        kinds=code.kinds, laws=code.laws, machine=code.machine, layout=_layout(graph), kind=kind,
        parent=parent, q=starts[:, 0].copy(), u=starts[:, 1].copy(),
        joints=tuple(e.joint for e in edges),
        bodies=tuple(e.outer for e in edges), forces=tuple(acting(graph.model)), law=law,
        law_link=link, law_u=starts[link, 1] + own,
    )  # fmt: skip


def momentum_functions() -> dict[str, Any]:
    """``momentum``: (motion of O; m, mc, I_o) -> momentum of a link. ``momenta``: (that of all
    links) -> centre of mass and momenta of the system."""
    import casadi as ca

    from pliant.backends.tree.kernel import function, symmetric, unpack_motion
    from pliant.spatial.symbolic import SYMBOLIC

    m, C, none = ca.SX.sym("m", MOTION), ca.SX.sym("C", 10), ca.SX.sym("none", 0)
    R, (p, w, v, alpha, acc) = unpack_motion(m)
    body = BodyMotion(Pose(R, p), w, v, alpha, acc)
    inertia = Inertia(C[0], C[1:4], symmetric(C[4:]))
    own = momentum_of(SYMBOLIC, inertia, body, inertia.momenta(SYMBOLIC, body))
    s = ca.SX.sym("s", MOMENTUM)
    total = system_momenta(SYMBOLIC, Momentum(s[0], s[1:4], s[4:7], s[7:]))
    return {
        "momentum": function("momentum", m, C, [own.mass, own.first, own.linear, own.angular]),
        "momenta": function("momenta", s, none, [*total.values()]),
    }


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


def _kinds(edges: list[TreeEdge]) -> tuple[dict[Any, tuple[Joint, bool]], Integers]:
    """Kinds of links with an example each, and the kind of each link."""
    examples: dict[Any, tuple[Joint, bool]] = {}
    place: dict[Any, int] = {}
    kind = np.zeros(len(edges), dtype=np.int64)
    for i, edge in enumerate(edges):
        key = kind_key(edge.joint, edge.flipped)
        examples.setdefault(key, (edge.joint, edge.flipped))
        kind[i] = place.setdefault(key, len(place))
    return examples, kind


def _laws(graph: SystemGraph) -> tuple[dict[Any, tuple[ForceElement, Joint]], Integers]:
    """Laws with an example each, and the law of each force."""
    model, forces = graph.model, acting(graph.model)
    examples: dict[Any, tuple[ForceElement, Joint]] = {}
    place: dict[Any, int] = {}
    parameters = frozenset(model.parameters)
    law = np.zeros(len(forces), dtype=np.int64)
    for i, element in enumerate(forces.values()):
        joint = model.joints[element.joint]  # type: ignore[union-attr]
        key = law_key(element, joint, parameters)
        examples.setdefault(key, (element, joint))
        law[i] = place.setdefault(key, len(place))
    return examples, law


def _coordinate(joint: Joint, force: Any) -> int:
    """Which scalar coordinate of its joint a force acts on."""
    names = [c.name for c in joint.scalars]
    return 0 if force.coordinate is None else names.index(force.coordinate)


def _layout(graph: SystemGraph) -> Layout:
    """Names and groups as in the recursive formulation."""
    q: list[Scalar] = []
    u: list[Scalar] = []
    groups: list[Group] = []
    for edge in graph.edges:
        joint, start = edge.joint, len(q)
        for kind, size in joint.groups:
            groups.append(Group(kind, start, size))  # type: ignore[arg-type]
            start += size
        q += _named(joint, joint.coordinate_names, joint.coordinate_units)
        u += _named(joint, joint.rate_names, joint.rate_units)
    return Layout(q=tuple(q), u=tuple(u), groups=tuple(groups))


def _named(joint: Joint, names: tuple[str, ...], units: tuple[str, ...]) -> list[Scalar]:
    pairs = zip(names, units, strict=True)
    return [Scalar(f"{joint.name}.{n}", unit, joint.name) for n, unit in pairs]
