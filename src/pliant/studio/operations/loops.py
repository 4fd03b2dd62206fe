"""Which joints are in loops, and whether a coordinate can be given there or follows from others."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pliant.model.joints import Joint
from pliant.studio.operations.draft import Draft


def is_free(draft: Draft, joint: str, coordinate: str) -> bool:
    """Whether a coordinate may be given at the start: outside of loops always, in a loop if it is
    given already, or fewer are than the loop has freedoms."""
    joints = draft.model.joints
    loop = _loop(joints, joint)
    if not loop or coordinate in joints[joint].initial:
        return True
    given = sum(name in j.told_names for j in loop.values() for name in j.initial)
    return given < _freedoms(loop)


def _freedoms(loop: Mapping[str, Joint]) -> int:
    """By the count of freedoms and loops, in space or, where that leaves none, in the plane."""
    bodies = {end for joint in loop.values() for end in _ends(joint)}
    closed = len(loop) - len(bodies) + 1
    free = sum(joint.nu for joint in loop.values())
    return free - 6 * closed if free > 6 * closed else max(free - 3 * closed, 1)


def _loop(joints: Mapping[str, Joint], name: str) -> dict[str, Joint]:
    """The joints of all loops that hang together with that of a joint; none if it is in no loop."""
    edges = {n: _ends(j) for n, j in joints.items() if j.springs is None}
    if name not in edges or not _joined(edges, *edges[name], {name}):
        return {}
    bridges = {n for n in edges if not _joined(edges, *edges[n], {n})}
    start = edges[name][0]
    near = [n for n in edges if n not in bridges and _joined(edges, start, edges[n][0], bridges)]
    return {n: joints[n] for n in near}


def _ends(joint: Joint) -> tuple[str, str]:
    return joint.parent.partition(".")[0], joint.child.partition(".")[0]


def _joined(edges: Mapping[str, tuple[str, str]], a: str, b: str, without: Collection[str]) -> bool:
    """Whether two bodies are joined by joints other than some."""
    near: dict[str, list[str]] = {}
    for name, (p, c) in edges.items():
        if name not in without:
            near.setdefault(p, []).append(c)
            near.setdefault(c, []).append(p)
    seen, waiting = {a}, [a]
    while waiting and b not in seen:
        new = [body for body in near.get(waiting.pop(), ()) if body not in seen]
        seen.update(new)
        waiting += new
    return b in seen
