"""What is written for an element: 1:R, 0, TF:A, I:m, C:K, R:D, Se, CN, EJS, SUM.

In networks every element has its name, junctions as well. The transformer of an attachment is
named by the joint or frame that it is attached to.
"""

from __future__ import annotations

from pliant.graphs.bonds import BondGraph, Node
from pliant.graphs.bonds.elements import TWO_SIDED
from pliant.plots.bond_groups import Group

SIZE = 12.0
_PLAIN = frozenset({"SUM", "EJS", "CN"})
_NAMES = {
    "body": {"xi": "ξ", "xi.M": "M", "g": "mg", "TFc": "c", "TFS": "S"},
    "ground": {"R.Sf": "0", "W.Sf": "0"},
    "joint": {"": "0", "Aw": "A", "Av": "A", "TFr": "r", "Sf": "0"},
    "driver": {"TF": "", "Sf": ""},
}
"""Names within a group that are written differently."""
_FRAME = {"TFp": "p", "TFv": "J", "TFw": "J"}


def symbol(node: Node, local: str, group: Group, graph: BondGraph) -> str:
    """The kind of an element with its name in its group; 0-junctions of bodies have none."""
    if group.kind == "network":
        return f"{node.kind}:{_network_name(node, local, group, graph)}"
    if node.kind == "0" or node.kind in _PLAIN:
        return node.kind
    if group.kind == "force":
        return node.kind if node.kind == "1" or not local else f"{node.kind}:{_last(local)}"
    name = _NAMES.get(group.kind, {}).get(local)
    if name is None:
        name = _FRAME.get(_last(local), _last(local))
    if name == node.kind and node.kind in TWO_SIDED:
        name = ""
    return f"{node.kind}:{name}" if name else node.kind


def _network_name(node: Node, local: str, group: Group, graph: BondGraph) -> str:
    """The last part of a name, or the joint or frame at the other end of an attachment."""
    for k, sign in graph.attached(node.name) if node.kind in TWO_SIDED else ():
        other = graph.bonds[k].tail
        if sign > 0 and other not in group.nodes.values():
            return other.rpartition(".")[0]
    return _last(local)


def _last(local: str) -> str:
    return local.rpartition(".")[2]
