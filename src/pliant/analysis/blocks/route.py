"""When a system goes through blocks without being told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pliant.analysis.blocks.objections import objections

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
    nodes, nothing unknown, and no events of the user, which others locate inside of steps."""
    if len(system.model.bodies) <= NODES or not has_nodes(system):
        return f"they are for beams of more than {NODES} nodes"
    if system.described.events:
        return "events are located inside of steps by expressions only"
    found = objections(system)
    return f"{found[0].element}: {found[0].what}" if found else ""


def takes_rest(system: System) -> bool:
    """Whether equilibria are looked for over blocks: elastic elements between nodes, nothing
    unknown. Segments between joints hold each other by joint springs only; they would be eliminated
    all at once."""
    elastic = any(f.kind in _ELASTIC for f in system.model.forces.values())
    return has_nodes(system) and elastic and not objections(system)
