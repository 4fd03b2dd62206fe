"""Which joints are in loops, and whether a coordinate can be given there or follows from others."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pliant.model.joints import Joint


class Loops:
    """The loops that joints close."""

    def __init__(self, joints: Mapping[str, Joint]) -> None:
        self.joints = joints
        self.edges = {n: _ends(j) for n, j in joints.items() if j.springs is None}
        self.bridges = {n for n, ends in self.edges.items() if ends[1] not in self._reached(n)}

    def is_free(self, joint: str, coordinate: str, also: Collection[tuple[str, str]]) -> bool:
        """Whether a coordinate may be given at the start: outside of loops always, in a loop if it
        is given already, or fewer are than the loop has freedoms; ``also``: what is given
        besides."""
        loop = self.loop(joint)
        if not loop or coordinate in self.joints[joint].initial:
            return True
        given = {(name, told) for name, j in loop.items()
                 for told in j.initial if told in j.told_names}  # fmt: skip
        given |= {one for one in also if one[0] in loop}
        return len(given) < _freedoms(loop)

    def loop(self, joint: str) -> dict[str, Joint]:
        """The joints of all loops that hang together with that of a joint; none if it is in no
        loop."""
        if joint not in self.edges or joint in self.bridges:
            return {}
        near = self._reached(joint, self.bridges)
        inner = [n for n, ends in self.edges.items() if n not in self.bridges and ends[0] in near]
        return {n: self.joints[n] for n in inner}

    def _reached(self, joint: str, without: Collection[str] = ()) -> set[str]:
        """The bodies that are joined to the parent of a joint by others than it and some more."""
        left = [ends for n, ends in self.edges.items() if n != joint and n not in without]
        near: dict[str, list[str]] = {}
        for p, c in left:
            near.setdefault(p, []).append(c)
            near.setdefault(c, []).append(p)
        seen = {self.edges[joint][0]}
        waiting = [*seen]
        while waiting:
            new = {body for body in near.get(waiting.pop(), ()) if body not in seen}
            seen |= new
            waiting += new
        return seen


def _freedoms(loop: Mapping[str, Joint]) -> int:
    """By the count of freedoms and loops, in space or, where that leaves none, in the plane."""
    bodies = {end for joint in loop.values() for end in _ends(joint)}
    closed = len(loop) - len(bodies) + 1
    free = sum(joint.nu for joint in loop.values())
    return free - 6 * closed if free > 6 * closed else max(free - 3 * closed, 1)


def _ends(joint: Joint) -> tuple[str, str]:
    return joint.parent.partition(".")[0], joint.child.partition(".")[0]
