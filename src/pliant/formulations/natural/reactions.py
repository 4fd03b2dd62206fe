"""Forces of joints that share coordinates and so have no rows of their own.

A joint that closes a loop acts on one of its solids through a point or vector that nothing else
shares there: what this member needs beyond inertia, loads and the solid's own constraints is the
force of the joint, f at the point, v x f as a torque. The tree joints then follow by equilibrium
from the outside in. Rows that a joint has besides add their reaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pliant.formulations.natural.solids import ItemState
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.inertia import Wrench
from pliant.mechanics.natural_items import Solid
from pliant.mechanics.skeleton import subtract_load
from pliant.mechanics.unknowns import column
from pliant.model.forces.action import Load

if TYPE_CHECKING:
    from pliant.formulations.natural.formulation import Derivation

Key = tuple[str, int]
"""A member of a solid."""


def transmitted(d: Derivation) -> dict[str, tuple[Any, Any]]:
    """Torque and force of every joint that shares coordinates, on its child, in world axes about
    the origin of its frame M."""
    closing = dict(_closing(d))
    found = {**closing, **dict(_tied(d, closing))}
    for row, reaction in zip(d.skeleton.rows, d.skeleton.reactions, strict=True):
        if row.owner in found and row.owner in d.motion.model.joints:
            own, (torque, force) = reaction.loads[0], found[row.owner]
            found[row.owner] = torque + own.torque, force + own.force
    return found


def _closing(d: Derivation) -> Iterator[tuple[str, tuple[Any, Any]]]:
    shares = {name: s for name, s in d.plan.shares.items() if s.closing}
    if not shares:
        return
    pulls = _pulls(d)
    for name, share in shares.items():
        solid, torque, force = d.plan.solids[share.solid], d.ops.zeros(3), d.ops.zeros(3)
        for k, member in enumerate(solid.members):
            if member.closing and member.via == name:
                needed = d.factors[solid.name][k] - pulls[solid.name, k]
                if d.plan.items[member.item].is_point:
                    force = force + needed
                else:
                    torque = torque + d.ops.cross(d.items[member.item].q, needed)
        child = d.plan.root[d.motion.model.joints[name].child.partition(".")[0]]
        sign = 1 if child == solid.name else -1
        yield name, (sign * torque, sign * force)


def _pulls(d: Derivation) -> dict[Key, Any]:
    """Of the constraint forces Φ_qᵀ λ on shared points and vectors, the part that acts through the
    solid a joint closes on: there the member counts as a coordinate of its own."""
    own = {
        (s.name, k): ItemState(*(d.ops.symbols([f"{s.name}.{k}.{c}{level}" for c in "xyz"])
                                 for level in ("q", "u", "a")))
        for s in d.solids for k, m in enumerate(s.members) if m.closing
    }  # fmt: skip

    def states(solid: Solid) -> list[ItemState]:
        return [own.get((solid.name, k), d.items[m.item]) for k, m in enumerate(solid.members)]

    closed = [d.plan.solids[name] for name in {name: None for name, _ in own}]
    frames = {s.name: d.solid_frame(s, states(s)) for s in closed}
    real = dict(d.motion.bodies)
    d.motion.bodies |= d.bodies(frames)
    rows = d.rows({**d.frames, **frames}, states)
    d.motion.bodies |= real
    new = d.skeleton.unknowns
    q = column(d.ops, [*new.q, *(s.q for s in own.values())])
    rated = d.rated(rows, q, column(d.ops, [*new.qdot, *(s.u for s in own.values())]))
    speeds = column(d.ops, [s.u for s in own.values()])
    cv = column(d.ops, [r.cv for r in rated])
    pull = d.ops.gradient(d.ops.dot(d.skeleton.lam, cv), speeds)
    shared = [d.items[d.plan.solids[name].members[k].item] for name, k in own]
    symbols = column(d.ops, [part for s in own.values() for part in (s.q, s.u)])
    actual = column(d.ops, [d.ops.full(part) for s in shared for part in (s.q, s.u)])
    found = d.ops.substitute([pull], symbols, actual)[0]
    return {key: found[3 * i : 3 * i + 3] for i, key in enumerate(own)}


def _tied(
    d: Derivation, closing: dict[str, tuple[Any, Any]]
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Tree joints: what all bodies beyond still need, from the outside in."""
    ops, bodies = d.ops, d.motion.bodies
    wrenches = {name: Wrench(w.n, w.f, w.e) for name, w in d.skeleton.wrenches.items()}
    for name, (torque, force) in closing.items():
        joint = d.motion.model.joints[name]
        subtract_load(d.motion, wrenches, Load(joint.child, force, torque))
        subtract_load(d.motion, wrenches, Load(joint.parent, -force, -torque))
    needed = {b: (bodies[b].X_WB.R @ w.n, bodies[b].X_WB.R @ w.f) for b, w in wrenches.items()}
    for edge in reversed(d.plan.graph.edges):
        share = d.plan.shares.get(edge.joint.name)
        if edge not in d.plan.welds and (share is None or share.closing):
            continue
        n, f = needed[edge.outer]
        p = bodies[edge.outer].X_WB.p
        sign = -1 if edge.flipped else 1
        arm = p - d.motion.frame(edge.joint.child).p_WP
        yield edge.joint.name, (sign * (n + ops.cross(arm, f)), sign * f)
        if edge.inner != GROUND:
            inner_n, inner_f = needed[edge.inner]
            arm = p - bodies[edge.inner].X_WB.p
            needed[edge.inner] = inner_n + n + ops.cross(arm, f), inner_f + f
