"""The spanning tree of a model: which joints carry coordinates, which close loops.

The tree grows breadth first from the ground, so that paths are short; a joint marked ``cut: true``
closes a loop, one marked ``cut: false`` is preferred for the tree. A body that no joint reaches is
attached to the ground by a free joint. The user's model is never edited. Source: S4 (2.1)-(2.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pliant.errors import InputError
from pliant.model.joints import Free, Joint
from pliant.model.model import Model

TreeChoice = Literal["joint", "absolute"]
GROUND = "ground"


@dataclass(frozen=True, slots=True)
class TreeEdge:
    """A joint of the tree, from the body nearer to the ground to the next one.

    ``flipped``: the joint's own parent is the outer body. Its coordinates keep their meaning.
    """

    joint: Joint
    inner: str
    outer: str
    flipped: bool


@dataclass(frozen=True, slots=True)
class SystemGraph:
    """A model with its spanning tree. ``edges`` are ordered: inner bodies come first."""

    model: Model
    edges: tuple[TreeEdge, ...]
    cuts: tuple[Joint, ...]
    tree: TreeChoice

    @property
    def bodies(self) -> tuple[str, ...]:
        """Moving bodies in tree order; body i hangs on edge i."""
        return tuple(e.outer for e in self.edges)

    def edge_of(self, joint: str) -> TreeEdge | None:
        """The tree edge of a joint, None if it is cut."""
        return next((e for e in self.edges if e.joint.name == joint), None)

    def incidence(self) -> NDArray[np.int64]:
        """S (bodies x edges, ground first): +1 where edge j leaves body i, -1 where it ends."""
        index = {GROUND: 0, **{b: i + 1 for i, b in enumerate(self.bodies)}}
        S = np.zeros((len(index), len(self.edges)), dtype=np.int64)
        for j, e in enumerate(self.edges):
            S[index[e.inner], j], S[index[e.outer], j] = 1, -1
        return S

    def path(self) -> NDArray[np.int64]:
        """T (edges x bodies): -1 where edge j lies on the path from the ground to body i.

        T S_moving = 1, where S_moving is the incidence matrix without the row of the ground.
        """
        where = {b: i for i, b in enumerate(self.bodies)}
        T = np.zeros((len(self.edges), len(self.edges)), dtype=np.int64)
        for i, e in enumerate(self.edges):
            T[i, i] = -1
            if e.inner != GROUND:
                T[:, i] += T[:, where[e.inner]]
        return T


def spanning_tree(model: Model, tree: TreeChoice = "joint", cut: Iterable[str] = ()) -> SystemGraph:
    """The graph of a model. ``absolute``: every body free, every joint cut.

    ``cut`` names joints to be cut besides those marked in the model.
    """
    wanted = set(cut)
    unknown = wanted - set(model.joints)
    if unknown:
        raise InputError(f"cut: no joint named {', '.join(sorted(unknown))}")
    if tree == "absolute":
        edges = [_free_edge(body) for body in model.bodies]
        return SystemGraph(model, tuple(edges), tuple(model.joints.values()), "absolute")
    if tree != "joint":
        raise InputError(f"unknown tree {tree!r}", "use 'joint' or 'absolute'")
    return _joint_tree(model, wanted)


def _joint_tree(model: Model, wanted: set[str]) -> SystemGraph:
    usable = [j for j in model.joints.values() if j.in_tree and not j.cut and j.name not in wanted]
    usable.sort(key=lambda j: j.cut is None)  # joints that must stay in the tree come first
    touching = _neighbours(model, usable)
    edges: list[TreeEdge] = []
    reached = {GROUND}
    _grow([GROUND], touching, reached, edges)
    for body in _bases(model):
        if body not in reached:
            reached.add(body)
            edges.append(_free_edge(body))
            _grow([body], touching, reached, edges)
    in_tree = {e.joint.name for e in edges}
    cuts = tuple(j for j in model.joints.values() if j.name not in in_tree)
    return SystemGraph(model, tuple(edges), cuts, "joint")


def _neighbours(model: Model, joints: Iterable[Joint]) -> Mapping[str, list[TreeEdge]]:
    touching: dict[str, list[TreeEdge]] = {}
    for j in joints:
        a, b = model.frame(j.parent)[0], model.frame(j.child)[0]
        touching.setdefault(a, []).append(TreeEdge(j, a, b, False))
        touching.setdefault(b, []).append(TreeEdge(j, b, a, True))
    return touching


def _grow(
    front: list[str],
    touching: Mapping[str, list[TreeEdge]],
    reached: set[str],
    edges: list[TreeEdge],
) -> None:
    """Breadth-first growth from the bodies in ``front``."""
    while front:
        following: list[str] = []
        for body in front:
            for edge in touching.get(body, ()):
                if edge.outer not in reached:
                    reached.add(edge.outer)
                    edges.append(edge)
                    following.append(edge.outer)
        front = following


def _bases(model: Model) -> list[str]:
    """Bodies that may carry a free joint, those with their own initial pose first."""
    return sorted(model.bodies, key=lambda b: model.bodies[b].initial is None)


def _free_edge(body: str) -> TreeEdge:
    return TreeEdge(Free(f"{body}.free", GROUND, body), GROUND, body, False)
