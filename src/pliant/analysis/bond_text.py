"""A multibond graph and its causality in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pliant.analysis.graph_text import counted, listed
from pliant.graphs import SystemGraph
from pliant.graphs.bonds import KINDS, Causality, Node, diagnose
from pliant.graphs.bonds.elements import JUNCTIONS, STORES

if TYPE_CHECKING:
    from pliant.formulations.multibond.formulation import SystemBonds

_PLURAL = {"body": "bodies"}


def summary_text(tree: SystemGraph, bonds: SystemBonds) -> str:
    """Elements, causality of stores by owner, findings, coordinates and size of M."""
    graph, causality = bonds.graph, bonds.causality
    kinds = Counter[str](n.kind for n in graph.nodes.values())
    lines = [
        f"{tree.model.name or 'model'}: multibond graph, tree: {tree.tree}",
        f"  {counted(len(graph.nodes), 'element')}: "
        + ", ".join(_counted_kind(kinds[k], k) for k in KINDS if k in kinds),
        f"  {counted(len(graph.bonds), 'bond')} with {counted(graph.scalars, 'component')}",
        "  stores:",
    ]
    lines += [f"    {line}" for line in store_lines(tree, causality)]
    lines.append("  causality:")
    lines += [f"    {line}" for line in finding_lines(causality)]
    lines.append(f"  {counted(len(bonds.coordinates), 'coordinate')}: {listed(bonds.coordinates)}")
    lines.append(f"  {_size(bonds)}")
    return "\n".join(lines)


def _counted_kind(n: int, kind: str) -> str:
    return counted(n, f"{kind}-junction") if kind in JUNCTIONS else f"{n} {kind}"


def finding_lines(causality: Causality) -> Iterator[str]:
    """What the strokes mean, and what they do not contain."""
    found = diagnose(causality)
    yield from (finding.text for finding in found)
    kinds = {finding.kind for finding in found}
    if not kinds & {"conflict", "loop", "integral"}:
        yield "no algebraic loop, no conflict"


def store_lines(tree: SystemGraph, causality: Causality) -> Iterator[str]:
    """bodies link1, link2: translation derivative, rotation integral."""
    said: dict[tuple[str, str], list[str]] = {}
    owners: dict[str, list[Node]] = {}
    for node in causality.graph.nodes.values():
        if node.kind in STORES:
            owners.setdefault(node.owner or node.name, []).append(node)
    for owner, stores in owners.items():
        text = ", ".join(f"{_quantity(s, owner)} {_state(causality, s)}" for s in stores)
        said.setdefault((_kind(tree, owner), text), []).append(owner)
    for (kind, text), names in said.items():
        title = _PLURAL.get(kind, f"{kind}s") if len(names) > 1 else kind
        yield f"{title} {listed(names)}: {text}"


def _kind(tree: SystemGraph, owner: str) -> str:
    if owner in tree.model.bodies:
        return "body"
    if owner in tree.model.networks:
        return "network"
    joints = {*tree.model.joints, *(e.joint.name for e in tree.edges)}
    return "joint" if owner in joints else "element"


def _quantity(store: Node, owner: str) -> str:
    """What a store keeps."""
    if store.name == f"{owner}.m":
        return "translation"
    if store.name == f"{owner}.xi.M":
        return "rotation" if store.dim == 3 else "rotation and deformation"
    if store.name == f"{owner}.K":
        return "stiffness"
    if store.name == owner:
        return "speed" if store.dim == 1 else "speeds"
    return f"{store.kind} {store.name.removeprefix(owner + '.')}"


def _state(causality: Causality, store: Node) -> str:
    dependent = sum(name == store.name for name, _ in causality.derivative)
    if not dependent:
        return "integral"
    if dependent == store.dim:
        return "derivative"
    return f"derivative in {dependent} of {store.dim} components"


def mass_matrix(bonds: SystemBonds) -> tuple[int, int, int]:
    """Rows and columns of M, and multipliers.

    Mixed form: rows of independent stores only, what the others take is in them. As soon as
    something is held, every store has a row, and multipliers hold the dependent ones as well.
    Stores of networks count if they move with the mechanism; the others are states.
    """
    rows, columns, dependent = bonds.sizes()
    return rows, columns, dependent + bonds.held if bonds.held else 0


def _size(bonds: SystemBonds) -> str:
    rows, columns, multipliers = mass_matrix(bonds)
    if multipliers:
        parts = (
            f"{multipliers - bonds.held} of dependent stores, {bonds.held} of joints and drivers"
        )
        return f"M {rows} x {columns} with {counted(multipliers, 'multiplier')}: {parts}"
    if rows == columns:
        return f"M {rows} x {columns}, no multipliers"
    return f"M {rows} x {columns}, mixed form without multipliers"
