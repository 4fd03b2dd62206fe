"""What is written for an element: 1:R, 0, TF:A, I:m, C:K, R:D, Se, CN, EJS, SUM."""

from __future__ import annotations

from pliant.graphs.bonds import Node
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


def symbol(node: Node, local: str, group: Group) -> str:
    """The kind of an element with its name in its group; 0-junctions have none."""
    if node.kind == "0" or node.kind in _PLAIN:
        return node.kind
    if group.kind in ("network", "force"):
        return node.kind if node.kind == "1" or not local else f"{node.kind}:{_last(local)}"
    name = _NAMES.get(group.kind, {}).get(local)
    if name is None:
        name = _FRAME.get(_last(local), _last(local))
    if name == node.kind and node.kind in TWO_SIDED:
        name = ""
    return f"{node.kind}:{name}" if name else node.kind


def _last(local: str) -> str:
    return local.rpartition(".")[2]
