"""When a system goes through blocks without being told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pliant.analysis.blocks.objections import objections
from pliant.model.joints import Joint

if TYPE_CHECKING:
    from pliant.system import System


def has_nodes(system: System) -> bool:
    """Whether a beam was taken apart."""
    return any(name not in system.model.bodies for name in system.described.bodies)


_ELASTIC = ("exact_element", "director_element")
NODES = 20
"""Bodies, nodes included, above which motions go through blocks.

Measured on a damped pendulum of exact elements of order 1, 0.5 s at rtol 1e-6: expressions of 10
and 20 elements take 18 and 87 s to make and run, blocks 4 and 0.7 s (the code of an element is made
once). Below, the difference is small beside a method of higher order.
"""


def against_motion(system: System) -> str:
    """Why a motion is not computed over blocks if no method is named; empty if it is: beams of many
    nodes, and nothing unknown."""
    if len(system.model.bodies) <= NODES or not has_nodes(system):
        return f"they are for beams of more than {NODES} nodes"
    found = objections(system)
    return f"{found[0].element}: {found[0].what}" if found else _unread(system)


def _unread(system: System) -> str:
    """The first event that reads what only expressions tell: velocities in the axes of a frame
    itself, coordinates of joints that are no scalars."""
    joints = system.described.joints
    for name, event in system.described.events.items():
        for read in sorted(event.when.names):
            owner, _, quantity = read.partition(".")
            if ".own_" in read or (owner in joints and quantity in _hidden(joints[owner])):
                return f"event '{name}' reads '{read}', which needs expressions"
    return ""


def _hidden(joint: Joint) -> set[str]:
    """Coordinates and speeds that are no scalars."""
    told = {name for c in joint.scalars for name in (c.name, c.rate)}
    return {*joint.coordinate_names, *joint.rate_names} - told


def takes_rest(system: System) -> bool:
    """Whether equilibria are looked for over blocks: elastic elements between nodes, nothing
    unknown. Segments between joints hold each other by joint springs only; they would be eliminated
    all at once."""
    elastic = any(f.kind in _ELASTIC for f in system.model.forces.values())
    return has_nodes(system) and elastic and not objections(system)
