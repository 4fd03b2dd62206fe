"""One beam of large rotation as bodies at its nodes, free joints to the first of them, elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.flex import beam as flex
from pliant.flex.from_model import beam_of
from pliant.flex.large.mesh import Mesh, Value
from pliant.flex.large.shape import BeamShape, ShapeFrame
from pliant.model.bodies import Beam, BodyState, RigidBody
from pliant.model.forces.beam_element import (
    BeamElement,
    DirectorElement,
    DirectorMass,
    DirectorWeight,
    ExactElement,
    NodeElement,
)
from pliant.model.forces.director_element import director_points, director_rule, directors
from pliant.model.forces.director_inertia import mass_rule
from pliant.model.forces.exact_element import exact_rule
from pliant.model.formulas import Formula, formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.model.frames import Frame
from pliant.model.joints import Free
from pliant.model.materials import Material
from pliant.spatial.curves import pose_of
from pliant.spatial.interpolation import Interpolation, lobatto
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose, identity
from pliant.spatial.rotation import to_quaternion
from pliant.spatial.screws import Screw

Array = NDArray[np.float64]
_EXACT = ("GJ", "EIy", "EIz", "EA", "GAy", "GAz")
_DIRECTOR = ("EA", "EIy", "EIz", "GAy", "GAz", "GJ")
_MASS = ("rhoA", "rhoIy", "rhoIz")


@dataclass(slots=True)
class Numbers:
    """Numbers of a beam as formulas: themselves, or hidden parameters where the beam depends on
    parameters, so that new values need no new code."""

    beam: str
    free: bool
    parameters: dict[str, Formula] = field(default_factory=dict)

    def __call__(self, name: str, number: float) -> Formula:
        if not self.free:
            return formula(float(number))
        key = f"{self.beam}:{name}"
        self.parameters[key] = formula(float(number))
        return from_tree(Name(key))


@dataclass(frozen=True, slots=True)
class Parts:
    """What a beam becomes."""

    bodies: tuple[RigidBody, ...]
    joints: tuple[Free, ...]
    elements: tuple[NodeElement, ...]
    shape: BeamShape
    parameters: Mapping[str, Formula]


@dataclass(frozen=True)
class BeamNumbers:
    """A beam, its mesh, and its numbers for one set of parameters."""

    beam: Beam
    mesh: Mesh
    value: Value
    materials: Mapping[str, Material]
    number: Numbers

    @cached_property
    def lengths(self) -> Array:
        """Of the elements."""
        return self.mesh.lengths(self.value)

    @cached_property
    def starts(self) -> Array:
        """Where elements begin along the beam."""
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def along(self) -> flex.Beam:
        """Stiffness and mass along the beam."""
        return beam_of(self.beam, self.value, self.materials)

    @property
    def uniform(self) -> bool:
        """Whether the section is the same everywhere."""
        return self.beam.sections is None

    def poses(self) -> list[Pose]:
        """Nodes of the stress-free beam, relative to the first."""
        given = self.beam.curvature
        kappa = np.zeros(3) if given is None else np.array([self.value(f) for f in given])
        unit = Screw(kappa, np.array([1.0, 0.0, 0.0]))
        x, _ = lobatto(self.mesh.order)
        start, found = identity(NUMERIC), []
        for h in self.lengths:
            found += [start @ pose_of(NUMERIC, unit.times(h * at)) for at in x[:-1]]
            start = start @ pose_of(NUMERIC, unit.times(h))
        return [*found, start]

    def section(self, names: Sequence[str], e: int, rule: Interpolation) -> tuple[Any, ...]:
        """Numbers of the section at the points of an element."""
        at = self.starts[e] + self.lengths[e] * rule.points
        rates = self.along.rates(at)
        found = []
        for k in range(len(at)):
            own = {n: float(np.broadcast_to(getattr(rates, n), at.shape)[k]) for n in names}
            label = "" if self.uniform else f"_{e}_{k}"
            found.append(tuple(self.number(f"{n}{label}", v) for n, v in own.items()))
        return tuple(found)


def parts_of(numbers: BeamNumbers, gravity: tuple[Formula, ...]) -> Parts:
    """Bodies, joints and elements; their order follows the axis of the beam."""
    poses = numbers.poses()
    elements: list[NodeElement] = []
    for e, member in enumerate(numbers.mesh.members()):
        elements.append(_element(numbers, e, member, poses))
        if numbers.beam.theory.kind != "exact":
            elements += _masses(numbers, e, member, gravity)
    joints = [_joint(numbers, k, X) for k, X in enumerate(poses) if k]
    bodies, shape = tuple(_bodies(numbers)), _shape(numbers, poses)
    return Parts(bodies, tuple(joints), tuple(elements), shape, numbers.number.parameters)


def node_name(beam: str, k: int) -> str:
    """The body at node k."""
    return f"{beam}:{k}"


def _bodies(numbers: BeamNumbers) -> list[RigidBody]:
    beam, mesh = numbers.beam, numbers.mesh
    masses = _lumped(numbers)
    found = []
    for k in range(mesh.size):
        m, Iy, Iz = (
            numbers.number(f"{name}{k}", v)
            for name, v in zip(("m", "Jy", "Jz"), masses[k], strict=True)
        )
        frames = {n: _on_node(beam.frames[n]) for n, node in mesh.nodes.items() if node == k}
        initial = None
        if k == 0 and beam.initial is not None:
            s = beam.initial
            initial = BodyState(s.position, s.orientation, s.velocity, s.angular_velocity)
        found.append(RigidBody(node_name(beam.name, k), m, inertia=(Iy + Iz, Iy, Iz, 0, 0, 0),
                               frames=frames, initial=initial))  # fmt: skip
    return found


def _lumped(numbers: BeamNumbers) -> Array:
    """Mass and rotary inertia of the nodes by Lobatto's rule; none where elements carry it."""
    mesh = numbers.mesh
    found = np.zeros((mesh.size, 3))
    if numbers.beam.theory.kind != "exact":
        return found
    rates = numbers.along.rates(mesh.places(numbers.value))
    per_length = np.column_stack([np.broadcast_to(getattr(rates, n), mesh.size) for n in _MASS])
    _, weights = lobatto(mesh.order)
    for member, h in zip(mesh.members(), numbers.lengths, strict=True):
        found[list(member)] += h * weights[:, None] * per_length[list(member)]
    return found


def _on_node(frame: Frame) -> Frame:
    """A frame of the beam on the body of its node."""
    if frame.on:
        return Frame(frame.name, frame.position, frame.orientation, frame.on.rpartition(".")[2])
    _, y, z = frame.position
    return Frame(frame.name, (0, y, z), frame.orientation)


def _joint(numbers: BeamNumbers, k: int, X: Pose) -> Free:
    """A free joint whose guess is the stress-free place, from where assembly begins."""
    name = numbers.beam.name
    coordinates = dict(zip("xyz", X.p, strict=True))
    coordinates |= {f"e{i}": v for i, v in enumerate(to_quaternion(X.R))}
    guess = {c: numbers.number(f"{c}{k}", v) for c, v in coordinates.items()}
    return Free(f"{name}:j{k}", node_name(name, 0), node_name(name, k), guess=guess)


def _element(numbers: BeamNumbers, e: int, member: range, poses: Sequence[Pose]) -> BeamElement:
    beam = numbers.beam
    own = _between(numbers, e, member)
    own |= {"damping": None if beam.damping is None else beam.damping.values[-1]}
    if beam.theory.kind == "exact":
        rule = exact_rule(len(member) - 1)
        kappa: Sequence[Any] = (0, 0, 0) if beam.curvature is None else beam.curvature
        free = tuple(formula(f) for f in (*kappa, 1, 0, 0))
        return ExactElement(f"{beam.name}:e{e}", **own, stiffness=numbers.section(_EXACT, e, rule),
                            free=(free,) * len(rule.points))  # fmt: skip
    rule = director_rule(len(member))
    return DirectorElement(
        f"{beam.name}:e{e}", **own, stiffness=numbers.section(_DIRECTOR, e, rule),
        free=_director_strains(numbers, e, rule, [poses[k] for k in member]),
    )  # fmt: skip


def _shape(numbers: BeamNumbers, poses: Sequence[Pose]) -> BeamShape:
    """Frames that sit directly at nodes, and where they are without stress."""
    beam, mesh, number = numbers.beam, numbers.mesh, numbers.number
    frames = {}
    for name, k in mesh.nodes.items():
        frame = beam.frames[name]
        if frame.on:
            continue
        arm = np.array([0.0, *(numbers.value(f) for f in frame.position[1:])])
        p = poses[k].p + poses[k].R @ arm
        seen = [X.R.T @ (p - X.p) for X in (poses[0], poses[-1])]
        first, last = (
            tuple(number(f"{name}_{end}{i}", v) for i, v in enumerate(place))
            for end, place in zip("ab", seen, strict=True)
        )
        at = f"{node_name(beam.name, k)}.{name}"
        frames[name] = ShapeFrame(at, frame.position[0], (first, last))
    members = tuple(tuple(node_name(beam.name, k) for k in member) for member in mesh.members())
    ends = node_name(beam.name, 0), node_name(beam.name, mesh.size - 1)
    return BeamShape(f"{beam.name}:shape", *ends, frames, beam.length, members)


def _between(numbers: BeamNumbers, e: int, member: range) -> dict[str, Any]:
    """Frames and length of an element."""
    span = int(np.searchsorted(np.cumsum(numbers.mesh.counts), e, side="right"))
    return {
        "frames": tuple(node_name(numbers.beam.name, k) for k in member),
        "length": numbers.number(f"h{span}", float(numbers.lengths[e])),
    }


def _masses(
    numbers: BeamNumbers, e: int, member: range, gravity: tuple[Formula, ...]
) -> list[NodeElement]:
    """Inertia and, where there is gravity, weight of a large-rotation element."""
    name, own = numbers.beam.name, _between(numbers, e, member)
    mass = numbers.section(_MASS, e, mass_rule(len(member)))
    found: list[NodeElement] = [DirectorMass(f"{name}:m{e}", **own, mass=mass)]
    if any(not f.is_constant or f.value for f in gravity):
        rhoA = tuple(point[0] for point in mass)
        found.append(DirectorWeight(f"{name}:w{e}", **own, mass=rhoA, gravity=gravity))
    return found


def _director_strains(
    numbers: BeamNumbers, e: int, rule: Interpolation, poses: Sequence[Pose]
) -> tuple[tuple[Formula, ...], ...]:
    """Strains of the stress-free nodes; of a straight beam none."""
    if numbers.beam.curvature is None:
        return ((formula(0.0),) * 6,) * len(rule.points)
    own = [directors(SimpleNamespace(R_WP=X.R, p_WP=X.p)) for X in poses]
    points = director_points(rule, float(numbers.lengths[e]), own)
    return tuple(
        tuple(numbers.number(f"g{i}_{e}_{k}", v) for i, v in enumerate(point.strains(NUMERIC)))
        for k, point in enumerate(points)
    )
