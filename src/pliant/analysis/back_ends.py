"""Which back end computes a motion: the first of these to which nothing objects.

tree kernel    articulated bodies, O(n): open trees of rigid bodies with laws along coordinates
blocks         sparse elimination: beams of many nodes
expressions    everything else, in every formulation and treatment
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pliant.analysis import large
from pliant.analysis.blocks.route import METHODS as BLOCK_METHODS
from pliant.analysis.blocks.route import against_motion, objections
from pliant.analysis.choice import Choice
from pliant.errors import CapabilityError

if TYPE_CHECKING:
    from pliant.system import System

TREE, BLOCKS, EXPRESSIONS = "tree kernel", "blocks", "expressions"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A back end, and why those before it are not used."""

    name: str
    against: Mapping[str, str]

    def __str__(self) -> str:
        reasons = (f"why not {other}: {why}" for other, why in self.against.items())
        return "; ".join((self.name, *reasons))


def chosen_back_end(
    system: System, choice: Choice, method: str, treatment: str, *,
    free: bool = True, at_rest: bool = False, own_treatment: bool = False,
    named: str | None = None,
) -> Chosen:  # fmt: skip
    """``free``: no formulation was named; ``at_rest``: it begins in equilibrium;
    ``own_treatment``: constraints are treated with options of their own; ``named``: the one to
    be used, however slow."""
    if named is not None:
        why = incapable(system, named)
        if why:
            raise CapabilityError(f"{named}: {why}")
        return Chosen(named, {})
    if method in BLOCK_METHODS:
        return Chosen(BLOCKS, {})
    against = {TREE: large.objection(system, choice=choice, method=method, constraints=treatment)}
    if at_rest:
        against[TREE] = "it cannot begin in equilibrium"
    if own_treatment:
        against[TREE] = _TREATED
    if not against[TREE]:
        return Chosen(TREE, {})
    if not free or method != "auto" or choice != Choice():
        against[BLOCKS] = "a formulation or a method was named"
    elif treatment != "projection" or own_treatment:
        against[BLOCKS] = _TREATED
    else:
        against[BLOCKS] = against_motion(system)
    return Chosen(EXPRESSIONS, against) if against[BLOCKS] else Chosen(BLOCKS, against)


def incapable(system: System, back_end: str) -> str:
    """Why a back end cannot take a model; empty if it can, however slow."""
    if back_end == EXPRESSIONS:
        return ""
    if back_end == TREE:
        return large.suitable(system)
    found = objections(system)
    return f"{found[0].element}: {found[0].what}" if found else ""


_TREATED = "a treatment of constraints was named"
