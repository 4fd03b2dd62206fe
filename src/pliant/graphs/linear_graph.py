"""The linear graph of a system: frames are nodes, components are edges. Source: S1, section 2.

    incidence   A x' ...        column e: +1 at the tail of edge e, -1 at its head
    cutsets     [1  A_c] τ = 0  one for each branch: through variables (force, virtual work)
    circuits    [B_b 1] ξ = 0   one for each chord: across variables (r, v, a, ω),  B_b = -A_cᵀ

A chord's circuit solved for the chord is its branch transformation: ξ_chord = Σ ± ξ_branch along
the tree path from its tail to its head (5); rotations multiply in that order (6)-(7).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Integers
from pliant.graphs.spanning_tree import GROUND, SystemGraph
from pliant.model.joints import Joint
from pliant.records import dataclass

Matrix = Integers
"""Joints drawn as two edges: the translation, then the rotation (possibly constant)."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A component between two frames. ``kind``: body, arm, flexible arm, joint, translation,
    rotation, force, driver, constraint or virtual work; ``element``: what it belongs to in the
    model."""

    name: str
    kind: str
    tail: str
    head: str
    element: str
    in_tree: bool
    coordinates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A branch on a path, along its direction (+1) or against it (-1)."""

    edge: Edge
    sign: int


@dataclass(frozen=True)
class LinearGraph:
    """Nodes (frames; the ground is the datum) and edges of a system with its spanning tree."""

    graph: SystemGraph
    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]

    @classmethod
    def of(cls, graph: SystemGraph) -> LinearGraph:
        """The graph of a model; dependent virtual-work elements are added."""
        edges = tuple(_edges(graph))
        nodes = dict.fromkeys([GROUND, *(n for e in edges for n in (e.tail, e.head))])
        return cls(graph, tuple(nodes), edges)

    @property
    def branches(self) -> tuple[Edge, ...]:
        """Edges of the tree."""
        return tuple(e for e in self.edges if e.in_tree)

    @property
    def chords(self) -> tuple[Edge, ...]:
        """Edges of the cotree."""
        return tuple(e for e in self.edges if not e.in_tree)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Branch coordinates: the unknown across variables of the tree."""
        return tuple(dict.fromkeys(c for e in self.branches for c in e.coordinates))

    @property
    def incidence(self) -> Matrix:
        """Nodes by edges."""
        where = {node: i for i, node in enumerate(self.nodes)}
        A = np.zeros((len(self.nodes), len(self.edges)), dtype=np.int64)
        for k, edge in enumerate(self.edges):
            A[where[edge.tail], k] += 1
            A[where[edge.head], k] -= 1
        return A

    @property
    def cutsets(self) -> Matrix:
        """Fundamental cutsets: branches by edges, in the order of ``edges``."""
        row = {e.name: i for i, e in enumerate(self.branches)}
        Q = np.zeros((len(row), len(self.edges)), dtype=np.int64)
        for k, edge in enumerate(self.edges):
            if edge.in_tree:
                Q[row[edge.name], k] = 1
            for step in () if edge.in_tree else self.branch_transformation(edge):
                Q[row[step.edge.name], k] = step.sign
        return Q

    @property
    def circuits(self) -> Matrix:
        """Fundamental circuits: chords by edges, in the order of ``edges``."""
        column = {e.name: k for k, e in enumerate(self.edges)}
        B = np.zeros((len(self.chords), len(self.edges)), dtype=np.int64)
        for i, chord in enumerate(self.chords):
            B[i, column[chord.name]] = 1
            for step in self.branch_transformation(chord):
                B[i, column[step.edge.name]] = -step.sign
        return B

    @cached_property
    def _towards_ground(self) -> dict[str, Step]:
        """The branch that each node hangs on, taken outwards."""
        touching: dict[str, list[tuple[Step, str]]] = {}
        for edge in self.branches:
            touching.setdefault(edge.tail, []).append((Step(edge, 1), edge.head))
            touching.setdefault(edge.head, []).append((Step(edge, -1), edge.tail))
        hangs: dict[str, Step] = {}
        front = [GROUND]
        while front:
            node = front.pop()
            for step, other in touching.get(node, ()):
                if other != GROUND and other not in hangs:
                    hangs[other] = step
                    front.append(other)
        return hangs

    def path(self, node: str) -> tuple[Step, ...]:
        """Branches from the ground to a node."""
        steps: list[Step] = []
        while node != GROUND:
            step = self._towards_ground[node]
            steps.append(step)
            node = step.edge.tail if step.sign > 0 else step.edge.head
        return tuple(reversed(steps))

    def branch_transformation(self, chord: Edge) -> tuple[Step, ...]:
        """Branches from the tail of a chord to its head, in order: (5), and (7) for rotations."""
        tail, head = self.path(chord.tail), self.path(chord.head)
        shared = 0
        for a, b in zip(tail, head, strict=False):
            if a != b:
                break
            shared += 1
        back = tuple(Step(s.edge, -s.sign) for s in reversed(tail[shared:]))
        return back + head[shared:]


def frame_node(graph: SystemGraph, reference: str) -> str:
    """The node of a frame reference; the frame of a flexible body is not its floating frame."""
    body, _, frame = reference.partition(".")
    flexible = body in graph.model.elastic
    return f"{body}." if flexible and not frame else reference


def joint_of(graph: SystemGraph, element: str) -> str:
    """The joint that a branch stands for: itself, or the one that a driver in the tree drives."""
    driver = graph.model.joint_drivers.get(element)
    return element if driver is None else driver.joint


def _edges(graph: SystemGraph) -> Iterator[Edge]:
    model = graph.model
    carried = {e.joint.name: e for e in graph.edges}
    for body in model.bodies:
        free = carried.get(f"{body}.free")
        names = tuple(f"{body}.free.{c}" for c in free.joint.coordinate_names) if free else ()
        yield Edge(body, "body", GROUND, body, body, free is not None, names)
    components = list(_components(graph))
    ends = dict.fromkeys(n for e in components for n in (e.tail, e.head))
    yield from _arms(graph, ends)
    yield from components
    for edge in components:
        if edge.kind == "rotation" or hasattr(_element(graph, edge), "frame"):
            continue
        for end in (edge.tail, _far_end(components, edge)):
            if end.partition(".")[0] != GROUND:
                yield Edge(f"W.{edge.name}.{end}", "virtual work", GROUND, end, edge.element, False)


def _element(graph: SystemGraph, edge: Edge) -> Any:
    model = graph.model
    for group in (model.joints, model.forces, model.drivers, model.constraints):
        if edge.element in group:
            return group[edge.element]
    return None


def _far_end(components: list[Edge], edge: Edge) -> str:
    """Where a component ends: a compound joint, at the head of its second edge."""
    if edge.kind != "translation":
        return edge.head
    return next(e.head for e in components if e.kind == "rotation" and e.element == edge.element)


def _arms(graph: SystemGraph, nodes: dict[str, None]) -> Iterator[Edge]:
    """Arms always belong to the tree: what they add is known, or elastic."""
    for node in nodes:
        body, _, frame = node.partition(".")
        if "." not in node or frame.startswith("+"):
            continue
        flexible = body in graph.model.elastic
        yield Edge(f"arm.{node}", "flexible arm" if flexible else "arm", body, node, body, True)


def _components(graph: SystemGraph) -> Iterator[Edge]:
    """Joints, force elements, drivers, and constraints between frames."""
    model, in_tree = graph.model, {e.joint.name for e in graph.edges}
    driven = {joint_of(graph, name) for name in graph.drivers}
    for joint in model.joints.values():
        yield from _joint_edges(graph, joint, joint.name in in_tree - driven)
    for name, force in model.forces.items():
        tail, head = _ends(graph, force)
        yield Edge(name, "force", tail, head, name, False)
    for name, driver in model.drivers.items():
        tail, head = _ends(graph, driver)
        yield Edge(name, "driver", tail, head, name, name in graph.drivers)
    for name, constraint in model.constraints.items():
        if constraint.pair:
            tail, head = (frame_node(graph, getattr(constraint, end)) for end in constraint.pair)
            yield Edge(name, "constraint", tail, head, name, False)


def _joint_edges(graph: SystemGraph, joint: Joint, in_tree: bool) -> Iterator[Edge]:
    tail, head = frame_node(graph, joint.parent), frame_node(graph, joint.child)
    scalars = {c.name: c.unit for c in joint.scalars}
    names = tuple(f"{joint.name}.{c}" for c in joint.coordinate_names)
    compound = "axis" in joint.common and "m" in scalars.values()
    if not compound or not in_tree:
        yield Edge(joint.name, "joint", tail, head, joint.name, in_tree, names if in_tree else ())
        return
    between = f"{joint.name}.+"
    moved = tuple(f"{joint.name}.{c}" for c, unit in scalars.items() if unit == "m")
    turned = tuple(f"{joint.name}.{c}" for c, unit in scalars.items() if unit == "rad")
    yield Edge(f"{joint.name}.t", "translation", tail, between, joint.name, True, moved)
    yield Edge(f"{joint.name}.r", "rotation", between, head, joint.name, True, turned)


def _ends(graph: SystemGraph, element: Any) -> tuple[str, str]:
    """The two frames an element acts between; the ground stands for none."""
    joint = graph.model.joints.get(element.joint)
    if joint is not None:
        return frame_node(graph, joint.parent), frame_node(graph, joint.child)
    one = getattr(element, "frame", None)
    if one is not None:
        return GROUND, frame_node(graph, one)
    tail, head = (getattr(element, end) for end in element.pair or ("frame_a", "frame_b"))
    return frame_node(graph, tail), frame_node(graph, head)
