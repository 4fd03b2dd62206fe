"""Which bodies float: groups that no joint ties to the ground, whatever is cut."""

from __future__ import annotations

from pliant.graphs.spanning_tree import GROUND, bases
from pliant.model.model import Model


def floating_bases(model: Model) -> list[str]:
    """The first body of every group that joints hold together but not to the ground; bodies with
    an initial pose of their own come first."""
    leader = {name: name for name in (GROUND, *model.bodies)}

    def found(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for joint in model.joints.values():
        if joint.in_tree:
            a, b = (found(model.frame(end)[0]) for end in (joint.parent, joint.child))
            leader[a] = b
    seen, first = {found(GROUND)}, []
    for name in bases(model):
        group = found(name)
        if group not in seen:
            seen.add(group)
            first.append(name)
    return first
