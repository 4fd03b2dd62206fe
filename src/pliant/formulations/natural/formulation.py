"""The natural formulation: points and unit vectors, constant mass matrices, quadratic constraints.

    M q'' = Q + Φ_qᵀ λ          Φ(q, t) = 0          q' = u

Solids that share points and vectors at joints share their coordinates; what a joint holds beyond
that, and every driver, is a row of Φ. Joints that forces, drivers or formulas speak of have their
relative coordinates besides. A flexible body has a moving frame of one point and three vectors, and
its elastic coordinates. Source: S2 (11.1)-(11.35).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pliant.formulations.derivation.tree import TreeDerivation, subtract_load
from pliant.formulations.equations import Equations
from pliant.formulations.natural.constraints import (
    RigidRows,
    joint_rows,
    transmitted,
)
from pliant.formulations.natural.items import Solid, geometry_of
from pliant.formulations.natural.plan import NaturalPlan
from pliant.formulations.natural.solids import (
    InterpolatedInertia,
    ItemState,
    Moments,
    SolidFrame,
    solid_frame,
)
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.inertia import Inertia, Wrench
from pliant.mechanics.motion import BodyMotion
from pliant.mechanics.rows import ConstraintRows, efforts_on_speeds
from pliant.mechanics.unknowns import column
from pliant.spatial.ops import SymbolicOps

NAME = "natural"
States = Callable[[Solid], list[ItemState]]
"""Points and vectors of a solid, member by member."""


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """Equations in natural coordinates, with multipliers."""
    d = Derivation(graph, ops)
    equations = d.skeleton.equations(NAME, d.residual())
    if not observe:
        return equations
    return d.skeleton.observed(equations, transmitted(d))


class Derivation:
    """Motion, constraints and forces of a system in natural coordinates."""

    def __init__(self, graph: SystemGraph, ops: SymbolicOps) -> None:
        self.plan, self.ops = NaturalPlan.of(graph), ops
        self.skeleton = TreeDerivation.of(self.plan.unconnected, ops)
        self.motion = self.skeleton.motion
        places = self.motion.places.__getitem__
        self.geometry = geometry_of(graph.model, self.skeleton.values, self.plan.welds, places)
        for joint in self.plan.kept:
            self.skeleton.unknowns.joint(joint, tied=True)
        self.items = self._items()
        self.frames = {s.name: self.solid_frame(s, self.items_of(s)) for s in self.solids}
        self.motion.bodies |= self.bodies(self.frames)
        self.skeleton.close(self._rows)
        for name, frame in self.frames.items():
            for body in self.bodies_of(name):
                inertia = self.skeleton.inertias[body]
                if isinstance(inertia, Inertia):  # kinetic energy of a constant mass matrix
                    moments = Moments.of(frame, self.geometry.offsets[body], inertia)
                    own = InterpolatedInertia(inertia, moments, frame)
                    self.skeleton.inertias[body] = own
        self.wrenches = self._wrenches()
        self.factors = {name: self._factors(name) for name in self.frames}

    # --- coordinates

    def _items(self) -> list[ItemState]:
        """Symbols of all points and vectors; constants on the ground."""
        on_ground = {m.item: m.place for m in self.plan.solids[GROUND].members}
        zero = self.ops.zeros(3)
        return [
            ItemState(self.geometry.local(on_ground[k]), zero, zero)
            if item.on_ground
            else ItemState(*self.skeleton.unknowns.vector(item.name, "m" if item.is_point else "1"))
            for k, item in enumerate(self.plan.items)
        ]

    def items_of(self, solid: Solid) -> list[ItemState]:
        """Points and vectors of a solid, member by member."""
        return [self.items[m.item] for m in solid.members]

    # --- motion

    @property
    def solids(self) -> list[Solid]:
        """All that move."""
        return [s for s in self.plan.solids.values() if s.name != GROUND]

    def solid_frame(self, solid: Solid, states: list[ItemState]) -> SolidFrame:
        """The basis of a solid whose members are at ``states``."""
        points = [self.plan.items[m.item].is_point for m in solid.members]
        return solid_frame(self.geometry, solid, states, points)

    def bodies_of(self, solid: str) -> list[str]:
        """Bodies that a solid is made of."""
        return [b for b, root in self.plan.root.items() if root == solid and b != GROUND]

    def bodies(self, frames: Mapping[str, SolidFrame]) -> dict[str, BodyMotion]:
        """Motion of all bodies; those fixed to the ground do not move."""
        zero, X = self.ops.zeros(3), self.geometry.offsets
        found = {b: BodyMotion(X[b], zero, zero, zero, zero) for b in self.bodies_of(GROUND)}
        for solid, frame in frames.items():
            for b in self.bodies_of(solid):
                body = frame.body(X[b])
                parts = {k: getattr(body, k) for k in ("w", "v", "alpha", "acc")}
                named = {k: self.ops.named(f"{k}_{b}", x) for k, x in parts.items()}
                found[b] = replace(body, **named)
        return found

    # --- constraints

    def _rows(self) -> list[ConstraintRows]:
        new = self.skeleton.unknowns
        rows = self.rows(self.frames, self.items_of)
        return self.rated(rows, column(self.ops, new.q), column(self.ops, new.qdot))

    def rows(self, frames: Mapping[str, SolidFrame], states: States) -> list[ConstraintRows]:
        """Rows of rigid bodies, joints and drivers; cv only where there is no g."""
        rigid = RigidRows(self.geometry, self.plan)
        own = (r for s in self.solids for r in rigid.of(s, frames[s.name], states(s)))
        return [*own, *joint_rows(self.motion, self.plan), *self.skeleton.driven()]

    def rated(self, rows: Sequence[ConstraintRows], q: Any, qdot: Any) -> list[ConstraintRows]:
        """With cv = dg/dt for all velocities, also those no rigid body can have; these first."""
        jtimes, in_time = self.ops.jtimes, self.skeleton.values.time_derivative
        found = [replace(r, cv=jtimes(r.g, q, qdot) + in_time(r.g))
                 for r in rows if r.g is not None]  # fmt: skip
        return [*found, *(r for r in rows if r.g is None)]

    # --- forces

    def _wrenches(self) -> dict[str, Wrench]:
        """Minus the applied loads on each body that has some; of a flexible one together with its
        inertia less gravity."""
        motion, found = self.motion, dict[str, Wrench]()
        gravity = self.skeleton.values.vector(motion.model.gravity)
        for name in motion.elastic:
            own = motion.bodies[name]
            falling = replace(own, acc=own.acc - own.X_WB.R.T @ gravity)
            found[name] = self.skeleton.inertias[name].wrench(self.ops, falling)
        for action in self.skeleton.actions.values():
            for load in action.loads:
                none = Wrench(self.ops.zeros(3), self.ops.zeros(3))
                found.setdefault(load.frame.partition(".")[0], none)
                subtract_load(motion, found, load)
            for bending in action.bending:
                found[bending.body].e = found[bending.body].e - bending.value
        return found

    def _factors(self, solid: str) -> list[Any]:
        """What each member of a solid needs from joints and constraints: inertia less gravity and
        applied loads, as factors of its virtual displacement."""
        own, frame = self.plan.solids[solid], self.frames[solid]
        gravity = self.skeleton.values.vector(self.motion.model.gravity)
        total: list[Any] = [self.ops.zeros(3)] * len(own.members)
        for body in self.bodies_of(solid):
            inertia, wrench = self.skeleton.inertias[body], self.wrenches.get(body)
            if wrench is not None:
                n, f = (self.ops.named(f"{k}_{body}", getattr(wrench, k)) for k in "nf")
                part = frame.work(self.geometry.offsets[body], n, f)
                _spread(self.plan, own, part, total)
            if isinstance(inertia, InterpolatedInertia):
                _spread(self.plan, own, inertia.moments.inertial(frame, gravity), total)
        return total

    def residual(self) -> Any:
        """M q'' - Q - Φ_qᵀ λ, in the order of u."""
        efforts = efforts_on_speeds(self.motion, self.skeleton.actions.values(), ())
        on_items: dict[int, Any] = {}
        for name, factors in self.factors.items():
            for m, part in zip(self.plan.solids[name].members, factors, strict=True):
                on_items[m.item] = on_items[m.item] + part if m.item in on_items else part
        elastic = [self.wrenches[n].e for n, e in self.motion.elastic.items() if e.count]
        parts = [-self.ops.vec(*efforts)] if efforts else []
        parts += [on_items[k] for k in self.plan.unknown]
        needed = column(self.ops, [*map(self.ops.full, parts), *elastic])
        rows = [r.cv for r in self.skeleton.rows if r.lam is None]  # others act as forces do
        if not rows:
            return needed
        cv, u = column(self.ops, rows), column(self.ops, self.skeleton.unknowns.u)
        return needed - self.ops.gradient(self.ops.dot(self.multipliers(cv), cv), u)

    def multipliers(self, cv: Any) -> Any:
        """λ of rows of its own: those of networks, which come last, act by their efforts."""
        return self.skeleton.lam[: cv.numel()]


def _spread(plan: NaturalPlan, solid: Solid, part: Sequence[Any], total: list[Any]) -> None:
    """Factors of δO and δd_k as factors of the members: d_k is a vector, or a point less O."""
    total[solid.origin] = total[solid.origin] + part[0]
    for k, factor in zip(solid.directions, part[1:], strict=True):
        total[k] = total[k] + factor
        if plan.items[solid.members[k].item].is_point:
            total[solid.origin] = total[solid.origin] - factor
