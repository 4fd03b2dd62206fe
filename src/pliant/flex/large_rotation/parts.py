"""A beam of large rotation as bodies at its nodes and elements between them.

Node k of a beam is the rigid body `beam:k`, which also carries the frames of the beam that sit
there; elements are force elements `beam:e0`..., elastic, in the large-rotation theory with mass.
The first node stands for the body itself, and a free joint leads to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from pliant.flex.large_rotation.damping import (
    MassDamping,
    ModalDamping,
    mass_dampings,
    modal_damping,
)
from pliant.flex.large_rotation.numbers import (
    BEYOND,
    MASS,
    SECTION,
    BeamNumbers,
    Mesh,
    corners,
    mesh_of,
    node_name,
    strains_of,
)
from pliant.flex.large_rotation.shape import BeamShape, SectionAt, ShapeFrame, turn_limit
from pliant.flex.rewriting.damping import stiffness_time
from pliant.flex.rewriting.names import Rename, spoken
from pliant.flex.rewriting.parts import CutAxis, Knot, Rewritten, Task
from pliant.model.bodies import Beam, BodyState, RigidBody
from pliant.model.bodies.theories import DIRECTIONS
from pliant.model.forces.beam_element import (
    BeamElement,
    DirectorElement,
    DirectorMass,
    DirectorWeight,
    ExactElement,
    NodeElement,
)
from pliant.model.forces.director_element import (
    director_points,
    director_rule,
    directors,
    mass_rule,
)
from pliant.model.forces.exact_element import exact_rule, exact_strains
from pliant.model.formulas import Formula, formula
from pliant.model.frames import Frame, Orientation
from pliant.model.joints import Free
from pliant.model.model import Model
from pliant.spatial.interpolation import Interpolation, lobatto
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import to_quaternion

DATUM = "datum"
Strains = tuple[tuple[Formula, ...], ...]
_NODES = ("root", "tip")


def _bodies(numbers: BeamNumbers) -> list[RigidBody]:
    beam, mesh = numbers.beam, numbers.mesh
    masses = np.zeros((mesh.size, 3))
    if beam.theory.kind == "exact":
        for e, member in enumerate(mesh.members()):
            masses[list(member)] += numbers.lumped(e)
    found = []
    for k in range(mesh.size):
        m, Iy, Iz = (
            numbers.number(f"{name}{k}", float(v))
            for name, v in zip(("m", "Jy", "Jz"), masses[k], strict=True)
        )
        initial = None
        if k == 0 and beam.initial is not None:
            s = beam.initial
            initial = BodyState(s.position, s.orientation, s.velocity, s.angular_velocity)
        found.append(RigidBody(node_name(beam.name, k), m, inertia=(Iy + Iz, Iy, Iz, 0, 0, 0),
                               frames=_frames(numbers, k), initial=initial))  # fmt: skip
    return found


def _frames(numbers: BeamNumbers, k: int) -> dict[str, Frame]:
    """Frames of the beam on node k, and the section beyond a corner."""
    own = (name for name, node in numbers.mesh.nodes.items() if node == k)
    found = {name: _on_node(numbers, numbers.beam.frames[name]) for name in own}
    e, inner = divmod(k, numbers.mesh.order)
    R = None if inner or e == numbers.mesh.elements else numbers.turned(e)
    if R is not None:
        found[BEYOND] = _placed(numbers, f"b{k}_", BEYOND, Pose(R, np.zeros(3)))
    return found


def _on_node(numbers: BeamNumbers, frame: Frame) -> Frame:
    """A frame of the beam on the body of its node."""
    if frame.on:
        return Frame(frame.name, frame.position, frame.orientation, frame.on.rpartition(".")[2])
    if frame.name == DATUM and frame.implied:
        return _placed(numbers, "d", DATUM, numbers.datum)
    _, y, z = frame.position
    return Frame(frame.name, (0, y, z), frame.orientation)


def _placed(numbers: BeamNumbers, label: str, name: str, X: Pose) -> Frame:
    """A frame by its pose on a node."""
    turn = Orientation.quaternion(numbers.numbers(f"{label}e", to_quaternion(X.R)))
    return Frame(name, numbers.numbers(f"{label}p", X.p), turn)


def _joint(numbers: BeamNumbers, k: int, X: Pose) -> Free:
    """A free joint whose guess is the stress-free place, from where assembly begins."""
    name = numbers.beam.name
    coordinates = dict(zip("xyz", X.p, strict=True))
    coordinates |= {f"e{i}": v for i, v in enumerate(to_quaternion(X.R))}
    guess = {c: numbers.number(f"{c}{k}", v) for c, v in coordinates.items()}
    return Free(f"{name}:j{k}", node_name(name, 0), node_name(name, k), guess=guess)


def _told(numbers: BeamNumbers) -> dict[str, int]:
    """Frames of sections, with their nodes."""
    frames = numbers.beam.frames
    return {
        name: k for name, k in numbers.mesh.nodes.items()
        if not frames[name].on and not (name == DATUM and frames[name].implied)
    }  # fmt: skip


def _shape(numbers: BeamNumbers, sections: dict[str, SectionAt]) -> BeamShape:
    """Frames that sit directly at nodes, and where they are without stress."""
    beam, mesh, poses = numbers.beam, numbers.mesh, numbers.poses
    frames = {}
    for name, k in _told(numbers).items():
        frame = beam.frames[name]
        arm = np.array([0.0, *(numbers.value(f) for f in frame.position[1:])])
        p = poses[k].p + poses[k].R @ arm
        first, last = (
            numbers.numbers(f"{name}_{end}", X.R.T @ (p - X.p))
            for end, X in zip("ab", (poses[0], poses[-1]), strict=True)
        )
        at = f"{node_name(beam.name, k)}.{name}"
        frames[name] = ShapeFrame(at, frame.position[0], (first, last))
    members = tuple(tuple(node_name(beam.name, k) for k in member) for member in mesh.members())
    ends = node_name(beam.name, 0), node_name(beam.name, mesh.size - 1)
    return BeamShape(f"{beam.name}:shape", *ends, frames, beam.length, members, sections)


def _sections(
    numbers: BeamNumbers, groups: list[tuple[NodeElement, ...]], damping: list[ModalDamping],
    held: list[MassDamping],
) -> dict[str, SectionAt]:  # fmt: skip
    """Where frames at the ends of elements find their internal forces."""
    found, order = {}, numbers.mesh.order
    for name, k in _told(numbers).items():
        if k % order:
            continue
        first = k == 0
        e = 0 if first else k // order - 1
        parts = groups[e] + tuple(own.of(e) for own in damping)
        if not first:
            parts += tuple(held[e : e + 1])
        node = parts[0].frames[0 if first else -1]
        share: tuple[Formula, ...] = ()
        if numbers.beam.theory.kind == "exact":
            share = numbers.numbers(f"share_{name}", numbers.lumped(e)[0 if first else -1])
        beyond = tuple(held if first else held[e + 1 :])
        found[name] = SectionAt(node, first, parts, share, numbers.model.gravity, beyond)
    return found


def elements_of(numbers: BeamNumbers, e: int, member: range) -> tuple[NodeElement, ...]:
    """Element e, with its inertia and weight where they are not lumped in its nodes."""
    elastic = _elastic(numbers, e, member)
    if numbers.beam.theory.kind == "exact":
        return (elastic,)
    return (elastic, *_masses(numbers, e, member))


def _groups(numbers: BeamNumbers) -> list[tuple[NodeElement, ...]]:
    return [elements_of(numbers, e, m) for e, m in enumerate(numbers.mesh.members())]


def _elastic(numbers: BeamNumbers, e: int, member: range) -> BeamElement:
    beam = numbers.beam
    own = _between(numbers, e, member)
    names = SECTION[beam.theory.kind]
    own |= {"damping": _damping_times(beam)}
    if beam.theory.kind == "exact":
        rule = exact_rule(len(member) - 1)
        return ExactElement(f"{beam.name}:e{e}", **own, stiffness=numbers.section(names, e, rule),
                            free=_exact_strains(numbers, e, rule))  # fmt: skip
    rule = director_rule(len(member))
    return DirectorElement(
        f"{beam.name}:e{e}", **own, stiffness=numbers.section(names, e, rule),
        free=_director_strains(numbers, e, rule),
    )  # fmt: skip


def _damping_times(beam: Beam) -> tuple[Formula, ...] | None:
    """Of stresses, in proportion to stiffness; none where nothing is damped so."""
    times = [stiffness_time(beam.damping, d, DIRECTIONS) for d in strains_of(beam)]
    if all(beta is None or beta.is_zero for beta in times):
        return None
    return tuple(formula(0) if beta is None else beta for beta in times)


def _between(numbers: BeamNumbers, e: int, member: range) -> dict[str, Any]:
    """Frames and length of an element."""
    span = int(np.searchsorted(np.cumsum(numbers.mesh.counts), e, side="right"))
    return {
        "frames": numbers.references(e, member),
        "length": numbers.number(f"h{span}", float(numbers.lengths[e])),
    }


def _masses(numbers: BeamNumbers, e: int, member: range) -> list[NodeElement]:
    """Inertia and, where there is gravity, weight of a large-rotation element."""
    name, gravity = numbers.beam.name, numbers.model.gravity
    own = _between(numbers, e, member)
    mass = numbers.section(MASS, e, mass_rule(len(member)))
    found: list[NodeElement] = [DirectorMass(f"{name}:m{e}", **own, mass=mass)]
    if any(not f.is_constant or f.value for f in gravity):
        rhoA = tuple(point[0] for point in mass)
        found.append(DirectorWeight(f"{name}:w{e}", **own, mass=rhoA, gravity=gravity))
    return found


def _exact_strains(numbers: BeamNumbers, e: int, rule: Interpolation) -> Strains:
    """Strains of the stress-free element: given by the curvature, or those of its nodes."""
    if numbers.axis.uniform:
        kappa: Sequence[Any] = numbers.beam.curvature or (0, 0, 0)
        return (tuple(formula(f) for f in (*kappa, 1, 0, 0)),) * len(rule.points)
    strains = exact_strains(NUMERIC, float(numbers.lengths[e]), numbers.members(e))
    return tuple(numbers.numbers(f"g{e}_{k}_", [*s.real, *s.dual]) for k, s in enumerate(strains))


def _director_strains(numbers: BeamNumbers, e: int, rule: Interpolation) -> Strains:
    """Strains of the stress-free nodes; of a straight element none."""
    if numbers.axis.uniform and numbers.beam.curvature is None:
        return ((formula(0.0),) * 6,) * len(rule.points)
    own = [directors(SimpleNamespace(R_WP=X.R, p_WP=X.p)) for X in numbers.members(e)]
    points = director_points(rule, float(numbers.lengths[e]), own)
    return tuple(
        numbers.numbers(f"g{e}_{k}_", point.strains(NUMERIC)) for k, point in enumerate(points)
    )


def rewritten_large(task: Task) -> Rewritten:
    """Nodes, free joints, elements, and the sensor that tells the shape; their order follows the
    axis of the beam."""
    model, beam = task.model, task.beam
    mesh = mesh_of(beam, task.default, _wanted(model, beam))
    numbers = BeamNumbers(model, beam, task.default, task.value, task.number, mesh)
    groups = _groups(numbers)
    damping = modal_damping(numbers, groups, _groups)
    held = mass_dampings(numbers, groups)
    joints = tuple(_joint(numbers, k, X) for k, X in enumerate(numbers.poses) if k)
    bodies = tuple(_bodies(numbers))
    shape = _shape(numbers, _sections(numbers, groups, damping, held))
    forces = (*(element for group in groups for element in group), *damping, *held)
    limits = (turn_limit(beam.name),) if beam.theory.kind == "exact" else ()
    return Rewritten(bodies, joints, forces, (shape,), task.number.parameters,
                     _renaming(beam.name, mesh), limits)  # fmt: skip


def axis_of_large(task: Task) -> CutAxis:
    """The sections at the nodes; where an element begins at a corner, its own as well."""
    mesh = mesh_of(task.beam, task.default, _wanted(task.model, task.beam))
    numbers = BeamNumbers(task.model, task.beam, task.default, task.value, task.number, mesh)
    found: list[Knot] = []
    for e, member in enumerate(mesh.members()):
        places = numbers.starts[e] + numbers.lengths[e] * lobatto(mesh.order)[0]
        turned = numbers.turned(e) is not None
        for k, x, rest in zip(member, places, numbers.members(e), strict=True):
            if found and k == member[0] and not turned:
                continue
            body = node_name(task.beam.name, k)
            found.append(Knot(float(x), body, numbers.poses[k].inverse @ rest, rest))
    return CutAxis(tuple(found), lambda x: numbers.datum @ numbers.axis.section(x), task.along)


def _wanted(model: Model, beam: Beam) -> set[str]:
    """Frames that sit at a node: those given, both ends, and the middle if anything speaks of it,
    or if elements end there by themselves and no other end may pass it as parameters change."""
    own = {name: frame for name, frame in beam.frames.items() if not frame.implied}
    ends = [*(frame.position[0] for frame in own.values() if not frame.on), *corners(beam)]
    even = beam.theory.elements % 2 == 0 and all(f.is_constant for f in ends)
    middle = {"mid"} if even or f"{beam.name}.mid" in spoken(model) else set()
    return {*own, *middle, *_NODES}


def _renaming(beam: str, mesh: Mesh) -> Rename:
    def rename(name: str) -> str:
        rest = name.partition(".")[2]
        frame, _, quantity = rest.partition(".")
        if frame in mesh.nodes:
            if quantity.startswith(("deflection", "rotation", "internal")):
                return f"{beam}:shape.{rest}"
            return f"{node_name(beam, mesh.nodes[frame])}.{rest}"
        first = node_name(beam, 0)
        return f"{first}.{rest}" if rest else first

    return rename
