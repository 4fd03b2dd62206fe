"""Constraints in natural coordinates: rigid bodies, and what sharing leaves of the joints.

The three directions of a solid keep their lengths and angles, six conditions; a further vector
keeps its angles to two of them, a further point its place:

    d_i · d_j = s_i · s_j             v · d_i = n · s_i             P = O + D y

Lengths are squared and divided by twice the length, so that every row is a length or an angle.
Conditions among members that came by the same joint are those of the other body. Source: S2.1.

Forces of joints that share coordinates and so have no rows of their own.

A joint that closes a loop acts on one of its solids through a point or vector that nothing else
shares there: what this member needs beyond inertia, loads and the solid's own constraints is the
force of the joint, f at the point, v x f as a torque. The tree joints then follow by equilibrium
from the outside in. Rows that a joint has besides add their reaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.formulations.derivation.tree import subtract_load
from pliant.formulations.natural.items import Geometry, Item, Solid
from pliant.formulations.natural.plan import NaturalPlan
from pliant.formulations.natural.solids import ItemState, SolidFrame, entries
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.inertia import Wrench
from pliant.mechanics.joint_springs import spring_coordinate_rows
from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import ConstraintRows, Reaction, coordinate_rows, cut_rows
from pliant.mechanics.unknowns import column
from pliant.model.forces.action import Load
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.formulations.natural.formulation import Derivation

_POSE = ("x", "y", "z", "rx", "ry", "rz")
"""Rows that tie coordinates of a joint to its pose."""
Key = tuple[str, int]
"""A member of a solid."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction of a solid: in space, its components in the solid, its length, its members."""

    label: str
    d: Any
    local: list[Any]
    length: Any
    members: tuple[int, ...]
    number: Any
    """The components in numbers."""


class RigidRows:
    """Rows of all solids; a unit vector has unit length once."""

    def __init__(self, geometry: Geometry, plan: NaturalPlan) -> None:
        self.geometry, self.plan = geometry, plan
        self._unit: set[int] = set()

    def of(
        self, solid: Solid, frame: SolidFrame, states: list[ItemState]
    ) -> Iterator[ConstraintRows]:
        """Rows of a solid whose members are at ``states``."""
        own = _SolidRows(self.geometry, self.plan.items, solid, frame, states)
        rows = [*own.basis(self._unit), *own.vectors(self._unit), *own.points()]
        if rows:
            g = self.geometry.ops.stack([r for _, _, r in rows])
            names = tuple(name for name, _, _ in rows)
            units = tuple(unit for _, unit, _ in rows)
            yield ConstraintRows(solid.name, names, units, g, None, lambda lam: Reaction())


class _SolidRows:
    def __init__(
        self, geometry: Geometry, items: tuple[Item, ...], solid: Solid, frame: SolidFrame,
        states: list[ItemState],
    ) -> None:  # fmt: skip
        self.ops, self.items, self.solid, self.frame = geometry.ops, items, solid, frame
        self.states = states
        self.local = [entries(geometry, solid, k) for k in range(len(solid.members))]
        self.d = [self._direction(k) for k in solid.directions]

    def _direction(self, k: int) -> Direction:
        item, o = self.items[self.solid.members[k].item], self.solid.origin
        label, number = self._label(k), self.solid.members[k].at[0]
        if not item.is_point:
            return Direction(label, self.states[k].q, self.local[k], 1.0, (k,), number)
        local = [a - b for a, b in zip(self.local[k], self.local[o], strict=True)]
        number = number - self.solid.members[o].at[0]
        label = f"{self._label(o)}_{label}"
        d = self.states[k].q - self.states[o].q
        return Direction(label, d, local, _length(local, number), (o, k), number)

    def _label(self, k: int) -> str:
        """A for the point of joint A, A_axis for its axis, n1 for a vector of the solid itself."""
        name = self.items[self.solid.members[k].item].name.removesuffix(".point")
        return name.removeprefix(f"{self.solid.name}.").replace(".", "_")

    def basis(self, unit: set[int]) -> Iterator[tuple[str, str, Any]]:
        """Lengths and angles of the three directions."""
        for i, a in enumerate(self.d):
            if self._is_new(a, unit):
                name, what = ("unit", "1") if len(a.members) == 1 else ("length", "m")
                yield f"{name}_{a.label}", what, self._angle(a, a) / 2
            for b in self.d[i + 1 :]:
                if self._is_open(*a.members, *b.members):
                    yield f"angle_{a.label}_{b.label}", "1", self._angle(a, b)

    def vectors(self, unit: set[int]) -> Iterator[tuple[str, str, Any]]:
        """Angles of further vectors to two directions."""
        for k in self.solid.further:
            if self.items[self.solid.members[k].item].is_point:
                continue
            v = self._direction(k)
            if self._is_new(v, unit):
                yield f"unit_{v.label}", "1", self._angle(v, v) / 2
            for d in self._across(v):
                if self._is_open(*v.members, *d.members):
                    yield f"angle_{v.label}_{d.label}", "1", self._angle(v, d)

    def points(self) -> Iterator[tuple[str, str, Any]]:
        """Places of further points."""
        for k in self.solid.further:
            item = self.items[self.solid.members[k].item]
            if not item.is_point or not self._is_open(k, self.solid.origin, *self.solid.directions):
                continue
            y = self.frame.place(self.ops.vec(*self.local[k]))
            gap = self.states[k].q - self.frame.O.q - self.frame.D @ y
            for i, c in enumerate("xyz"):
                yield f"place_{self._label(k)}_{c}", "m", gap[i]

    def _angle(self, a: Direction, b: Direction) -> Any:
        """(a · b - its value) / lengths."""
        value = sum(x * y for x, y in zip(a.local, b.local, strict=True))
        return (self.ops.dot(a.d, b.d) - value) / (a.length if a is b else a.length * b.length)

    def _across(self, v: Direction) -> tuple[Direction, Direction]:
        """The two directions that hold a vector best: those with the largest volume."""

        def volume(pair: tuple[Direction, Direction]) -> float:
            columns = [d.number / np.linalg.norm(d.number) for d in (*pair, v)]
            return abs(float(np.linalg.det(np.column_stack(columns))))

        return max(combinations(self.d, 2), key=volume)

    def _is_new(self, a: Direction, unit: set[int]) -> bool:
        """Whether the length is not held yet."""
        if len(a.members) > 1:
            return self._is_open(*a.members)
        item = self.solid.members[a.members[0]].item
        if self.items[item].on_ground or item in unit:
            return False
        unit.add(item)
        return True

    def _is_open(self, *members: int) -> bool:
        """Whether a condition among members is to be written: not if all came by one joint, nor if
        nothing in it moves and no joint that closes a loop acts through it."""
        own = [self.solid.members[k] for k in members]
        if own[0].via and all(m.via == own[0].via for m in own):
            return False
        return any(m.closing or not self.items[m.item].on_ground for m in own)


def _length(local: list[Any], number: Any) -> Any:
    """A component where it is the only one, otherwise a number of the right size."""
    present = [k for k, x in enumerate(local) if not (isinstance(x, float) and x == 0.0)]
    if len(present) == 1:
        return local[present[0]] * float(np.sign(number[present[0]]))
    return float(np.linalg.norm(number))


def joint_rows(motion: SystemMotion, plan: NaturalPlan) -> Iterator[ConstraintRows]:
    """What sharing leaves of every joint."""
    welded, kept = {e.joint.name for e in plan.welds}, {j.name for j in plan.kept}
    for name, joint in motion.model.joints.items():
        if joint.springs and name in kept:
            yield spring_coordinate_rows(motion, joint)
        if joint.springs or name in welded or (name not in kept and not joint.m):
            continue
        share, names = plan.shares.get(name), _POSE if name in kept else joint.row_names
        left = [k for k, row in enumerate(names) if share is None or row not in share.held]
        if left:
            rows = (coordinate_rows if name in kept else cut_rows)(motion, joint)
            yield rows if len(left) == rows.size else chosen(motion, rows, left)


def chosen(motion: SystemMotion, rows: ConstraintRows, left: list[int]) -> ConstraintRows:
    """Some rows of a joint."""
    ops = motion.ops

    def react(lam: Any) -> Reaction:
        full: list[Any] = [0] * rows.size
        for i, k in enumerate(left):
            full[k] = lam[i]
        return rows.react(ops.vec(*full))

    return replace(
        rows, names=tuple(rows.names[k] for k in left), units=tuple(rows.units[k] for k in left),
        g=ops.vec(*(rows.g[k] for k in left)), cv=ops.vec(*(rows.cv[k] for k in left)), react=react,
    )  # fmt: skip


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
    pull = d.ops.gradient(d.ops.dot(d.multipliers(cv), cv), speeds)
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
