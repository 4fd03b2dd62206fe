"""A beam as rigid segments joined by springs and dampers. Source: S3.1, S3.2.

Bodies `beam:0`, `beam:1`... follow the axis, each with its origin where the segment begins; joints
`beam:h1`... are between neighbours, with a spring `beam:e1_bending_y`... for each direction. Where
an end is held, its section is a body without mass beyond the spring of half a segment. Frames of
the beam live on the segment they are on; one at a hinge on the segment that begins there.

Mass and inertia of segments, compliance of their halves. Source: S3.1.

    m = ∫ρA dx      x_c = ∫ρA x dx / m      J_z = ∫ρA (x - x_c)² dx + ∫ρI_z dx      (consistent)
    1/k = ∫ dx / EI over half a segment; neighbouring halves act in series:  k = k1 k2 / (k1 + k2)

Lumped: masses at both ends of a segment, m (l - x_c)/l and m x_c/l, as on the pins of a chain of
bars; their moment of inertia about the centre of mass is m x_c (l - x_c).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex import beam as flex
from pliant.flex.large_rotation.shape import SegmentFrame, SegmentShape
from pliant.flex.rewriting.damping import given_dampings, stiffness_time
from pliant.flex.rewriting.names import Rename
from pliant.flex.rewriting.parts import CutAxis, Knot, Numbers, Rewritten, Task, formulas_of
from pliant.flex.segments.damping import Hinge, HingeDamping, Lump, damping_of
from pliant.flex.segments.ends import End, base_of, end_of, welded
from pliant.flex.segments.hinge import joint_between
from pliant.model.bodies import Beam, BodyState, RigidBody, Segments
from pliant.model.bodies.theories import DIRECTIONS, STIFFNESS
from pliant.model.forces import JointSpring
from pliant.model.formulas import Formula, formula
from pliant.model.frames import Frame
from pliant.model.joints import Joint
from pliant.records import dataclass
from pliant.spatial.pose import Pose

_X, _W = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True, slots=True)
class SegmentMass:
    """Mass, centre of mass from the start of the segment, moments of inertia about the centre."""

    mass: float
    com: float
    Jx: float
    Jy: float
    Jz: float


def _points(beam: flex.Beam, a: float, b: float) -> tuple[Array, Array]:
    """Gauss points and weights on [a, b], piece by piece between the stations of the beam."""
    inner = [s * beam.length for s in beam.stations]
    ends = np.array([a, *(x for x in inner if a < x < b), b])
    half = np.diff(ends) / 2
    middle = ends[:-1] + half
    points = middle[:, None] + half[:, None] * _X
    return points.ravel(), (half[:, None] * _W).ravel()


def compliance(beam: flex.Beam, direction: str, a: float, b: float) -> float:
    """∫ dx / stiffness from a to b."""
    x, w = _points(beam, a, b)
    return float(np.sum(w / np.broadcast_to(getattr(beam.rates(x), STIFFNESS[direction]), x.shape)))


def segment_mass(beam: flex.Beam, a: float, b: float, rotary: str, *, lumped: bool) -> SegmentMass:
    """Of the piece from a to b; ``rotary``: inertia of sections that counts (none, axial, full)."""
    x, w = _points(beam, a, b)
    rates = beam.rates(x)
    rhoA, rhoIy, rhoIz = (
        w * np.broadcast_to(getattr(rates, n), x.shape) for n in ("rhoA", "rhoIy", "rhoIz")
    )
    m = float(rhoA.sum())
    com = float(rhoA @ (x - a)) / m
    across = m * com * (b - a - com) if lumped else float(rhoA @ (x - a - com) ** 2)
    Iy, Iz = float(rhoIy.sum()), float(rhoIz.sum())
    full = rotary == "full"
    return SegmentMass(m, com, Iy + Iz if rotary != "none" else 0.0, across + full * Iy,
                       across + full * Iz)  # fmt: skip


_END = ":end"
"""The frame at the far end of a segment."""
_LITTLE = 1e-15
"""Couplings smaller than this part of the largest are rounding."""
_TOGETHER = 1e-9
"""Frames nearer to a hinge or an end than this part of the length are at it."""


@dataclass(frozen=True)
class SegmentBody:
    """A body along the axis: a segment between two stations, or a section at an end; ``mass``: the
    part of the beam whose inertia it has."""

    name: str
    start: float
    stop: float
    mass: tuple[float, float]

    @property
    def is_section(self) -> bool:
        return self.start == self.stop


@dataclass(frozen=True)
class Chain:
    """A beam, cut."""

    task: Task

    @property
    def beam(self) -> Beam:
        return self.task.beam

    @property
    def options(self) -> Segments:
        assert self.beam.theory.segments is not None
        return self.beam.theory.segments

    @cached_property
    def length(self) -> float:
        return self.task.value(self.beam.length)

    @cached_property
    def places(self) -> dict[str, float]:
        """Fraction of the length at which each frame on the axis is, for default parameters."""
        at, whole = self.task.default, self.task.default(self.beam.length)
        frames = self.beam.frames.items()
        return {"": 0.0, **{n: at(f.position[0]) / whole for n, f in frames if not f.on}}

    @cached_property
    def at_ends(self) -> dict[str, str]:
        """Frames on the axis that are at an end, and at which."""
        ends = {0.0: "root", 1.0: "tip"}
        return {n: word for n, x in self.places.items() for end, word in ends.items()
                if abs(x - end) <= _TOGETHER}  # fmt: skip

    @cached_property
    def ends(self) -> dict[str, End]:
        """Springs and sections at the ends."""
        model, beam = self.task.model, self.beam
        directions = beam.segment_directions
        return {e: end_of(model, beam, e, self._places_of, directions) for e in ("root", "tip")}

    def _places_of(self, beam: Beam) -> dict[str, str]:
        return Chain(replace(self.task, beam=beam)).at_ends

    @cached_property
    def neighbours(self) -> dict[str, tuple[Chain, str]]:
        """Beams that the ends are welded to, and at which of their ends."""
        found: dict[str, tuple[Chain, str]] = {}
        for end in (e for e, own in self.ends.items() if own.directions):
            beam_and_frame = welded(self.task.model, self.beam, end, self.at_ends)
            if beam_and_frame is not None:
                other = Chain(replace(self.task, beam=beam_and_frame[0]))
                far = other.at_ends.get(beam_and_frame[1])
                found |= {end: (other, far)} if far else {}
        return found

    def half_segment(self, end: str) -> dict[str, float]:
        """Compliance of the half segment at an end that no spring of its own stands for."""
        stations = self.options.stations
        span = (0.0, stations[1] / 2) if end == "root" else ((stations[-2] + 1) / 2, 1.0)
        a, b = (self.length * x for x in span)
        rest = set(self.beam.segment_directions) - set(self.ends[end].directions)
        rest = set() if getattr(self.options, end) == "none" else rest
        return {d: compliance(self.task.along, d, a, b) for d in rest}

    @cached_property
    def beyond(self) -> dict[str, dict[str, float]]:
        """What is in series with the springs at the ends."""
        return {end: other.half_segment(far) for end, (other, far) in self.neighbours.items()}

    def sprung(self, end: str) -> tuple[str, ...]:
        """Directions of the springs at an end."""
        own, beyond = self.ends[end].directions, self.beyond.get(end, {})
        return tuple(d for d in DIRECTIONS if d in own or d in beyond)

    @cached_property
    def bodies(self) -> tuple[SegmentBody, ...]:
        """From root to tip."""
        spans = list(pairwise(self.options.stations))
        root, tip = self.ends["root"], self.ends["tip"]
        share = 0.25 if root.inert and tip.inert and len(spans) == 1 else 0.5
        (a, b), (c, d) = spans[0], spans[-1]
        first = a + share * (b - a) if root.inert else a
        last = d - share * (d - c) if tip.inert else d
        found = [(x, y, (max(x, first), min(y, last))) for x, y in spans]
        found = [(a, a, (a, first))] * bool(root.directions) + found
        found += [(d, d, (last, d))] * bool(tip.directions)
        return tuple(SegmentBody(f"{self.beam.name}:{k}", *parts) for k, parts in enumerate(found))

    @cached_property
    def owners(self) -> dict[str, SegmentBody]:
        """The body that carries each frame; "" is the body frame."""
        starts = np.array([b.start for b in self.bodies])
        found = {"": self.bodies[0]}
        for frame in self.beam.frames:
            x = self.places[base_of(self.beam, frame)]
            k = int(np.searchsorted(starts, x + _TOGETHER, side="right")) - 1
            k = 0 if x <= _TOGETHER else k
            found[frame] = self.bodies[k]
        return found


def rewritten_segments(task: Task) -> Rewritten:
    """Segments, their joints and springs, and the element that tells the shape."""
    chain = Chain(task)
    others = [other.beam for other, _ in chain.neighbours.values()]
    if any(not f.is_constant for other in others for f in formulas_of(task.model, other)):
        chain = Chain(replace(task, number=Numbers(task.beam.name, free=True)))
    bodies = tuple(_body(chain, k) for k in range(len(chain.bodies)))
    joints: list[Joint] = []
    forces: list[Any] = []
    for k in range(1, len(chain.bodies)):
        joint, springs = _joined(chain, k)
        joints.append(joint)
        forces += springs
    forces += _damping(chain, joints)
    return Rewritten(bodies, tuple(joints), tuple(forces), (_shape(chain),),
                     chain.task.number.parameters, _renaming(chain))  # fmt: skip


def axis_of_segments(task: Task) -> CutAxis:
    """Sections in the middle of segments, and at both ends: the member whose tangents the segments
    are. Source: S3.1."""
    chain = Chain(task)
    found = []
    for k, own in enumerate(chain.bodies):
        first, last = k == 0, k == len(chain.bodies) - 1
        at = [own.start] * first + [(own.start + own.stop) / 2] + [own.stop] * last
        for x in dict.fromkeys(at):
            local, rest = (
                Pose(np.eye(3), np.array([s * chain.length, 0, 0])) for s in (x - own.start, x)
            )
            found.append(Knot(x * chain.length, own.name, local, rest))
    return CutAxis(tuple(found), lambda x: Pose(np.eye(3), np.array([x, 0.0, 0.0])), task.along)


# --- bodies


def _along(chain: Chain, fraction: float) -> Formula:
    """A place on the axis."""
    return chain.beam.length * fraction


def _body(chain: Chain, k: int) -> RigidBody:
    own, beam, number = chain.bodies[k], chain.beam, chain.task.number
    frames = {n: _frame(chain, f) for n, f in beam.frames.items() if chain.owners[n] is own}
    initial = None
    if k == 0 and beam.initial is not None:
        s = beam.initial
        initial = BodyState(s.position, s.orientation, s.velocity, s.angular_velocity)
    shape = None if own.is_section else drawing(beam, _along(chain, own.stop - own.start))
    if not own.is_section:
        frames[_END] = Frame(_END, (_along(chain, own.stop - own.start), 0, 0))
    if own.mass[0] == own.mass[1]:
        return RigidBody(own.name, 0, frames=frames, initial=initial)
    m = _mass_of(chain, k)
    com = m.com + (own.mass[0] - own.start) * chain.length
    moments = [number(f"{n}{k}", getattr(m, n)) for n in ("Jx", "Jy", "Jz")]
    return RigidBody(
        own.name, number(f"m{k}", m.mass), (number(f"c{k}", com), formula(0), formula(0)),
        (*moments, formula(0), formula(0), formula(0)), frames=frames, initial=initial,
        shape=shape,
    )  # fmt: skip


def _mass_of(chain: Chain, k: int) -> SegmentMass:
    """Of body k, which has mass."""
    a, b = (x * chain.length for x in chain.bodies[k].mass)
    lumped = chain.options.inertia == "lumped"
    return segment_mass(chain.task.along, a, b, chain.beam.rotary_choice, lumped=lumped)


def _frame(chain: Chain, frame: Frame) -> Frame:
    """A frame of the beam on the body that carries it."""
    if frame.on:
        return Frame(frame.name, frame.position, frame.orientation, frame.on.rpartition(".")[2])
    start, (x, y, z) = chain.owners[frame.name].start, frame.position
    return Frame(frame.name, (x - _along(chain, start) if start else x, y, z), frame.orientation)


# --- joints and springs


def _joined(chain: Chain, k: int) -> tuple[Joint, Iterator[JointSpring]]:
    """The joint between bodies k - 1 and k, and its springs. It starts straight and at rest, as far
    as loops and what else is given leave it: a beam is assembled as if it were rigid."""
    before, after, name = chain.bodies[k - 1], chain.bodies[k], chain.beam.name
    directions = _directions_at(chain, k)
    parent = before.name if before.is_section else f"{before.name}.{_END}"
    joint, coordinates = joint_between(f"{name}:h{k}", parent, after.name, directions)
    straight = dict.fromkeys((n for c in joint.scalars for n in (c.name, c.rate)), formula(0))
    joint = replace(joint, initial=straight)
    return joint, _springs(chain, k, coordinates.items(), joint)


def _directions_at(chain: Chain, k: int) -> tuple[str, ...]:
    """In which the joint between bodies k - 1 and k moves."""
    if chain.bodies[k - 1].is_section:
        return chain.sprung("root")
    return chain.sprung("tip") if chain.bodies[k].is_section else chain.beam.segment_directions


def _springs(chain: Chain, k: int, coordinates: Any, joint: Joint) -> Iterator[JointSpring]:
    beam, number = chain.beam, chain.task.number
    for direction, coordinate in coordinates:
        stiffness = number(f"k{k}_{direction}", 1 / _series(chain, k, direction))
        beta = stiffness_time(beam.damping, direction, beam.segment_directions)
        damping = formula(0) if beta is None else stiffness * beta
        several = len(joint.scalars) > 1
        yield JointSpring(f"{beam.name}:e{k}_{direction}", joint.name,
                          coordinate if several else None, stiffness, damping)  # fmt: skip


def _series(chain: Chain, k: int, direction: str) -> float:
    """Compliance of the halves on both sides of a hinge."""
    before, after = chain.bodies[k - 1], chain.bodies[k]
    total = 0.0
    for body, first, last in ((before, 0.5, 1.0), (after, 0.0, 0.5)):
        if not body.is_section and direction in chain.beam.segment_directions:
            l = body.stop - body.start
            a, b = (chain.length * (body.start + part * l) for part in (first, last))
            total += compliance(chain.task.along, direction, a, b)
    if not before.is_section and not after.is_section:
        return total
    end = "root" if before.is_section else "tip"
    whole = 2 * total if getattr(chain.options, end) == "full" else total
    return whole + chain.beyond.get(end, {}).get(direction, 0.0)


def _damping(chain: Chain, joints: list[Joint]) -> Iterator[HingeDamping]:
    """What couples the hinges: ratios of modes, damping in proportion to mass."""
    beam = chain.beam
    given = given_dampings(beam.damping, beam.segment_directions, chain.task.value)
    if not given:
        return
    hinges, lumps, along = _hinges(chain, joints)
    D = damping_of(given, hinges, lumps)
    own = [k for k, (joint, _) in enumerate(along) if joint and D[k].any()]
    D[np.abs(D) < _LITTLE * np.abs(D).max(initial=0.0)] = 0.0
    number = chain.task.number
    rows = tuple(tuple(number(f"D{i}_{j}", D[i, j]) if D[i, j] else formula(0) for j in own)
                 for i in own)  # fmt: skip
    yield HingeDamping(f"{beam.name}:damping", chain.bodies[0].name, chain.bodies[-1].name, rows,
                       tuple(along[k] for k in own))  # fmt: skip


def _hinges(
    chain: Chain, joints: list[Joint]
) -> tuple[list[Hinge], list[Lump], list[tuple[str, str | None]]]:
    """Coordinates of the hinges from the root, inertia beyond each of them, and the joints with
    their coordinates; the first half segment has none where its end is free."""
    beam, L, bodies = chain.beam, chain.length, chain.bodies
    hinges: list[Hinge] = []
    along: list[tuple[str, str | None]] = []
    lumps: list[Lump] = []
    if not bodies[0].is_section:
        half = L * chain.options.stations[1] / 2
        for d in beam.segment_directions:
            hinges.append(Hinge(0.0, d, 1 / compliance(chain.task.along, d, 0.0, half)))
            along.append(("", None))
    lumps += _lump(chain, 0, len(hinges))
    for k, joint in enumerate(joints, 1):
        ends = joint.name, joint.parent, joint.child
        _, coordinates = joint_between(*ends, _directions_at(chain, k))
        for direction, coordinate in coordinates.items():
            hinges.append(Hinge(bodies[k].start * L, direction, 1 / _series(chain, k, direction)))
            along.append((joint.name, coordinate if len(joint.scalars) > 1 else None))
        lumps += _lump(chain, k, len(hinges))
    return hinges, lumps, along


def _lump(chain: Chain, k: int, hinges: int) -> Iterator[Lump]:
    """The inertia of body k, if it has any."""
    a, b = (x * chain.length for x in chain.bodies[k].mass)
    if a < b:
        m = _mass_of(chain, k)
        yield Lump(a + m.com, m.mass, (m.Jx, m.Jy, m.Jz), hinges)


# --- names


def _shape(chain: Chain) -> SegmentShape:
    """Frames placed directly on the axis or beside it."""
    beam, frames = chain.beam, dict[str, SegmentFrame]()
    for name, frame in beam.frames.items():
        if not frame.on:
            body, (x, y, z) = chain.owners[name].name, frame.position
            seen = (x, y, z), (x - beam.length, y, z)
            frames[name] = SegmentFrame(f"{body}.{name}", x, seen, body)
    last = chain.bodies[-1]
    tip = last.name if last.is_section else f"{last.name}.{_END}"
    return SegmentShape(f"{beam.name}:shape", chain.bodies[0].name, tip, frames, beam.length, ())


def _renaming(chain: Chain) -> Rename:
    beam, shaped = chain.beam.name, {n for n, f in chain.beam.frames.items() if not f.on}

    def rename(name: str) -> str:
        rest = name.partition(".")[2]
        frame, _, quantity = rest.partition(".")
        if frame in shaped and quantity.startswith(("deflection", "rotation")):
            return f"{beam}:shape.{rest}"
        owner = chain.owners.get(frame, chain.bodies[0]).name
        return f"{owner}.{rest}" if rest else owner

    return rename


def drawing(beam: Beam, length: Formula) -> dict[str, Any]:
    """A shape along x, of the length of the segment."""
    if beam.section is None:
        return {"rod": {"length": length, "along": "x"}}
    return beam.section.drawing(length)
