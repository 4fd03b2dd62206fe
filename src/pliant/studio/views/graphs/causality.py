"""Causality of single elements in words, from the strokes of their bonds."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.bonds import BondGraph, Node
from pliant.bonds.elements import GYRATORS, STORES, TRANSFORMERS
from pliant.show.bonds.lines import Ends

_ONE_WAY = frozenset({"Se", "Sf", "CN", "EJS"})
Said = tuple[str, str]
"""In one word, and in full."""
_NOTHING: Said = ("", "")
EFFORT_IN, FLOW_IN = "effort in, flow out", "flow in, effort out"


def causality_of(node: Node, graph: BondGraph, ends: Sequence[Ends]) -> Said:
    """ "integral", "effort in, flow out: integral"; nothing where strokes are missing."""
    attached = [(ends[b], sign) for b, sign in graph.attached(node.name)]
    total = sum(graph.bonds[b].dim for b, _ in graph.attached(node.name))
    if not total or sum(e.tail + e.head for e, _ in attached) < total:
        return _NOTHING
    taken = sum(e.head if sign > 0 else e.tail for e, sign in attached)
    if node.kind in STORES:
        return _store(node.kind, taken, total)
    if node.kind in ("R", "MR"):
        return _resistance(taken, total)
    if node.kind in TRANSFORMERS | GYRATORS:
        return "", _two_port(node.kind, [e.head for e, sign in attached if sign > 0])
    if node.is_junction:
        return "", _junction(node, graph, ends)
    gives = "gives the flow" if taken else "gives the effort"
    return "", gives if node.kind in _ONE_WAY else ""


def _store(kind: str, taken: int, total: int) -> Said:
    """``taken``: components at which it receives the effort."""
    integral = taken if kind == "I" else total - taken
    ways = (EFFORT_IN, FLOW_IN) if kind == "I" else (FLOW_IN, EFFORT_IN)
    if integral == total:
        return "integral", f"{ways[0]}: integral"
    if not integral:
        return "derivative", f"{ways[1]}: derivative"
    word = f"derivative in {total - integral} of {total} components"
    return word, f"{ways[1]}: {word}"


def _resistance(taken: int, total: int) -> Said:
    if not taken:
        return "resistive", f"{FLOW_IN}: resistive"
    if taken == total:
        return "conductive", f"{EFFORT_IN}: conductive"
    word = f"conductive in {taken} of {total} components"
    return word, f"{EFFORT_IN}: {word}"


def _two_port(kind: str, first: Sequence[int]) -> str:
    """``first``: components of side 1 at which it receives the effort."""
    takes_effort = any(first)
    if kind in GYRATORS:
        return "efforts in, flows out" if takes_effort else "flows in, efforts out"
    sides = "from side 1 to side 2" if not takes_effort else "from side 2 to side 1"
    return f"flow {sides}, effort back"


def _junction(node: Node, graph: BondGraph, ends: Sequence[Ends]) -> str:
    """What gives a 1-junction its flow, a 0-junction its effort."""
    givers = []
    for b, sign in graph.attached(node.name):
        bond, e = graph.bonds[b], ends[b]
        taken = e.head if sign > 0 else e.tail
        if taken == (bond.dim if node.kind == "0" else 0):
            givers.append(bond.tail if sign > 0 else bond.head)
    if len(givers) != 1:
        return ""
    return f"{'flow' if node.kind == '1' else 'effort'} given by {givers[0]}"
