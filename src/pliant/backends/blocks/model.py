"""Blocks and elements of a system: ``block_model``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.elements.parts import BlockElement, Kinds, parts_of
from pliant.backends.blocks.independent import independent_rows, refuse_in_pose
from pliant.backends.blocks.objections import refuse
from pliant.backends.blocks.solver.element import BlockShape, multipliers
from pliant.backends.blocks.solver.system import SparseSystem, SystemBuilder
from pliant.backends.blocks.start import assembled
from pliant.backends.expressions.undefined_starts import refuse_without_direction
from pliant.backends.resume import State, nearest_turn
from pliant.code import phases
from pliant.mechanics.flexible import rigid_offset
from pliant.mechanics.layout import PoseAndTwist
from pliant.mechanics.placed import Placed
from pliant.mechanics.values import Values
from pliant.model.joints import Joint
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion, to_quaternion
from pliant.study import Study

Kept = tuple[tuple[int, ...], ...]
"""Rows of every part that are not left out."""


@dataclass(frozen=True, slots=True)
class BlockModel:
    """A system of blocks with its initial state; ``left_out`` names dependent constraints."""

    numbers: Values
    parts: tuple[BlockElement, ...]
    kept: Kept
    kinds: Kinds
    system: SparseSystem
    bodies: Mapping[str, int]
    coordinates: Mapping[str, int]
    multipliers: Mapping[int, int]
    """Block of bodies, of asked joint coordinates, and of the multipliers of parts by place."""
    start: State
    q: Array
    u: Array
    left_out: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """Of assembly."""

    def state(self, t: float, q: Array, u: Array) -> State:
        """For runs that go on from here."""
        bodies = {}
        for name, block in self.bodies.items():
            at, go = self.system.own[block]
            own, speeds = q[at], u[go]
            R = from_quaternion(NUMERIC, own[3:7])
            w, arm = R @ speeds[3:6], R @ _home(self.numbers, name)
            p, v = own[:3] + arm, R @ speeds[:3] + np.cross(w, arm)
            bodies[name] = PoseAndTwist(R, p, v, w, own[7:], speeds[6:])
        joints = self.numbers.model.joints
        known = {
            f"{name}.{c.name}": float(q[self.system.coordinates[block] + k])
            for name, block in self.coordinates.items()
            for k, c in enumerate(joints[name].scalars)
        }
        return State(t, bodies, known, {})

    def missed(self, state: State) -> tuple[str, float]:
        """By how much a state misses the rows that were left out, and where most: rows that depend
        on others in the first pose need not do so in another one. Rotations count as lengths of
        the whole."""
        placed, size = Placed(self.numbers, state.bodies), self.numbers.size
        worst = "", 0.0
        for part, rows in zip(self.parts, self.kept, strict=True):
            joint = self.numbers.model.joints.get(part.owner)
            if joint is None or part.role != "joint" or len(rows) == part.rows:
                continue
            own = joint.evaluated(self.numbers.number)
            off = np.abs(np.asarray(own.residual(NUMERIC, placed.across(joint)[0]), dtype=float))
            lengths = np.array([1.0 if unit == "m" else size for unit in own.row_units])
            worst = max(worst, (part.owner, float((off * lengths).max())), key=lambda w: w[1])
        return worst

    def vectors(self, state: State) -> tuple[Array, Array]:
        """q and u of a state."""
        system, numbers = self.system, self.numbers
        q, u = np.zeros(system.nq), np.zeros(system.n_all)
        for name, block in self.bodies.items():
            m, (at, go) = state.bodies[name], system.own[block]
            arm = m.R_WB @ _home(numbers, name)
            q[at] = np.r_[m.p_WB - arm, to_quaternion(m.R_WB), m.elastic]
            v = m.v_WB - np.cross(m.w_WB, arm)
            u[go] = np.r_[m.R_WB.T @ v, m.R_WB.T @ m.w_WB, m.elastic_rates]
        for name, block in self.coordinates.items():
            at, go = system.own[block]
            q[at], u[go] = _joint_motion(numbers.model.joints[name], numbers, state)
        return q, u

    def blocks(self, k: int) -> list[int]:
        """Blocks of the k-th part."""
        part = self.parts[k]
        own = [self.bodies[b] for b in part.bodies] + [self.coordinates[j] for j in part.joints]
        return [*own, self.multipliers[k]] if k in self.multipliers else own


def block_model(
    system: Study, params: Mapping[str, Any] | None = None, *, t: float = 0.0,
    moving: bool = True, saved: State | None = None,
) -> BlockModel:  # fmt: skip
    """The blocks of a system at its initial state; raises CapabilityError with all objections.

    ``moving``: for motion, where bodies resist by their inertia; otherwise for rest, where only
    elastic elements do. ``saved``: the state of an earlier result to begin in.
    """
    refuse(system, moving=moving)
    phases.entered("assembling")
    numbers = system.values(params)
    parts = tuple(parts_of(numbers))
    start, remarks = (assembled(system, numbers, params, t) if saved is None
                      else (saved.of(numbers.model.bodies), ()))  # fmt: skip
    refuse_without_direction(system, start.bodies, params, start.t)
    kinds = Kinds(numbers)
    light = light_bodies(numbers, parts, moving=moving)
    hanging = {} if moving else hanging_on_springs(numbers, light)
    every: Kept = tuple(tuple(range(part.rows)) for part in parts)
    whole = _built(numbers, parts, every, kinds, start, light, (), hanging)
    kept, left_out = independent_rows(whole)
    if kept != every:
        if moving:
            refuse_in_pose(whole)
        whole = _built(numbers, parts, kept, kinds, start, light, left_out, hanging)
    return replace(whole, remarks=remarks)


def light_bodies(
    numbers: Values, parts: tuple[BlockElement, ...], *, moving: bool
) -> frozenset[str]:
    """Bodies that nothing of their own holds in all directions: without mass or moment of inertia
    if they move, without an elastic element at rest."""
    acting = [part for part in parts if part.role == "force"]
    held = {
        body for part in acting
        if (part.element.has_mass if moving else part.element.is_elastic) for body in part.bodies
    }  # fmt: skip
    if moving:
        own = (part for part in parts if part.role == "inertia")
        held |= {
            part.owner for part in own
            if np.all(_inertia(numbers, part) > 0)
        }  # fmt: skip
    return frozenset(numbers.model.bodies.keys() - held)


def hanging_on_springs(numbers: Values, light: frozenset[str]) -> dict[str, str]:
    """Light bodies that stiff springs along all coordinates of a joint, or a weld, hold in the
    body before them, with that joint: from the ground outwards."""
    model = numbers.model
    stiff: dict[str, set[str | None]] = {}
    for force in model.forces.values():
        if force.by_coordinate and force.stiff(numbers.number):
            stiff.setdefault(force.joint, set()).add(force.coordinate)
    at: dict[str, list[tuple[str, Joint]]] = {}
    for joint in model.joints.values():
        names = stiff.get(joint.name, set())
        every = all(c in names for c in joint.coordinate_names) or (joint.nu == 1 and None in names)
        if not every or joint.springs is not None or joint.multi_turn or not joint.in_tree:
            continue
        ends = [reference.partition(".")[0] for reference in (joint.parent, joint.child)]
        for own, other in (ends, ends[::-1]):
            at.setdefault(own, []).append((other, joint))
    found: dict[str, str] = {}
    seen = {"ground"}
    for root in ["ground", *(b for b in model.bodies if b not in light), *model.bodies]:
        seen.add(root)
        waiting = [root]
        while waiting:
            for other, joint in at.get(waiting.pop(), []):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
                    found |= {other: joint.name} if other in light else {}
    return found


def _inertia(numbers: Values, part: BlockElement) -> Array:
    """Mass and moments of inertia of a body."""
    if part.owner not in numbers.flexible:
        return part.numbers[[0, 4, 5, 6]]
    tables = numbers.tables(part.owner).tables
    return np.array([tables["m"][()], *(tables["J0"].get((i, i), 0.0) for i in range(3))])


def _built(
    numbers: Values, parts: tuple[BlockElement, ...], kept: Kept, kinds: Kinds, start: State,
    light: frozenset[str], left_out: tuple[str, ...], hanging: Mapping[str, str],
) -> BlockModel:  # fmt: skip
    builder = SystemBuilder()
    bodies, coordinates = {}, {}
    for name in numbers.model.bodies:
        reals = len(numbers.tables(name).data.names) if name in numbers.flexible else 0
        bodies[name] = builder.add_one(
            BlockShape(reals=reals), name, light=name in light and name not in hanging
        )
    asked = {j: numbers.model.joints[j] for part in parts for j in part.joints}
    bound = {j for part in parts if part.role in ("driver", "turns") for j in part.joints}
    for name, joint in asked.items():
        coordinates[name] = builder.add_one(
            BlockShape(pose=False, reals=joint.nu), f"coordinates of {name}",
            light=name in bound, bare=name not in bound,
        )  # fmt: skip
    own = {k: builder.add_one(multipliers(len(rows)), f"reactions of {parts[k].owner}")
           for k, rows in enumerate(kept) if rows}  # fmt: skip
    for body, name in hanging.items():
        tied = [k for k in own if parts[k].role in ("joint", "tie") and parts[k].owner == name]
        moving = [bodies[body], *(coordinates[j] for j in (name,) if j in asked)]
        builder.hang([*moving, *(own[k] for k in tied)])
    groups: dict[Any, tuple[Any, list[list[int]], list[Array]]] = {}
    for k, part in enumerate(parts):  # elements of one kind are coupled together
        weightless = part.role == "inertia" and not np.any(part.numbers[:-3])
        if not part.acts or (part.rows and not kept[k]) or weightless:
            continue
        key = part.form, kept[k]
        if key not in groups:
            groups[key] = kinds.kind(part, kept[k]), [], []
        touched = [bodies[b] for b in part.bodies] + [coordinates[j] for j in part.joints]
        groups[key][1].append([*touched, own[k]] if k in own else touched)
        groups[key][2].append(part.numbers)
    for kind, blocks, rows in groups.values():
        builder.couple(kind, blocks, np.array(rows))
    system, none = builder.build(numbers.reach), np.zeros(0)
    made = BlockModel(numbers, parts, kept, kinds, system, bodies, coordinates, own, start, none,
                      none, left_out)  # fmt: skip
    q, u = made.vectors(start)
    return replace(made, q=q, u=u)


def _home(numbers: Values, name: str) -> Array:
    """From the origin of the floating frame, whose motion a block is, to that of the body frame."""
    if name not in numbers.flexible:
        return np.zeros(3)
    return np.asarray(rigid_offset(NUMERIC, numbers.tables(name).tables).p, dtype=float).ravel()


def _joint_motion(joint: Joint, numbers: Values, state: State) -> tuple[Array, Array]:
    """Coordinates and rates of a joint: those of its pose, but on the turn of the state."""
    own = joint.evaluated(numbers.number)
    X, V = Placed(numbers, state.bodies).across(joint)
    q = np.asarray(own.coordinates_of(NUMERIC, X), dtype=float)
    u = np.asarray(own.effort(NUMERIC, q).T @ V, dtype=float)
    for k, scalar in enumerate(joint.scalars):
        if scalar.wraps and not (joint.multi_turn and not joint.springs):
            q[k] = nearest_turn(q[k], state.q.get(f"{joint.name}.{scalar.name}", q[k]))
    return q, u
