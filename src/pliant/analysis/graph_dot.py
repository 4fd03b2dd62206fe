"""A multibond graph for Graphviz: clusters for groups and, within networks, for parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pliant.analysis.graph_text import quoted
from pliant.graphs import SystemGraph
from pliant.graphs.bonds import BondGraph, Causality
from pliant.plots.bond_groups import Group, grouped, symbol
from pliant.plots.bond_lines import COLOURS, Ends
from pliant.plots.bond_network import part_paths


@dataclass
class _Cluster:
    """A group or part: lines of its elements, and its parts by name."""

    lines: list[str] = field(default_factory=list)
    parts: dict[str, _Cluster] = field(default_factory=dict)


def dot_text(tree: SystemGraph, causality: Causality) -> str:
    """The graph; vector bonds are double lines, half arrows ``lvee``, strokes ``tee``."""
    graph = causality.graph
    lines = ["digraph {", "  node [shape=plaintext, height=0.2, width=0.2];"]
    for k, group in enumerate(grouped(graph, tree).values()):
        lines += _lines(f"cluster_{k}", group.name, _cluster(graph, group), "  ")
    lines += _bonds(causality)
    return "\n".join([*lines, "}", ""])


def _cluster(graph: BondGraph, group: Group) -> _Cluster:
    names = list(group.nodes.values())
    paths = part_paths(graph, group.name, names) if group.kind == "network" else {}
    found = _Cluster()
    for local, name in group.nodes.items():
        own = found
        for part in paths.get(name, ()):
            own = own.parts.setdefault(part, _Cluster())
        node = graph.nodes[name]
        text = symbol(node, local, group, graph)
        own.lines.append(f"{quoted(name)} [label={quoted(text)}, tooltip={quoted(node.title)}];")
    return found


def _lines(name: str, label: str, cluster: _Cluster, indent: str) -> Iterator[str]:
    yield f"{indent}subgraph {name} {{ label={quoted(label)}; color=grey;"
    yield from (f"{indent}  {line}" for line in cluster.lines)
    for k, (part, own) in enumerate(cluster.parts.items()):
        yield from _lines(f"{name}_{k}", part, own, indent + "  ")
    yield f"{indent}}}"


def _bonds(causality: Causality) -> Iterator[str]:
    for i, bond in enumerate(causality.graph.bonds):
        ends, colour = Ends.of(causality, i), COLOURS.get(bond.domain, COLOURS[""])
        double = f"{colour}:invis:{colour}" if bond.dim > 1 else colour
        look: Sequence[str] = [
            f"color={quoted(double)}", "dir=both",
            f"arrowhead={'teelvee' if ends.head else 'lvee'}",
            f"arrowtail={'tee' if ends.tail else 'none'}",
            f"tooltip={quoted(f'{bond.name}: {ends.text}')}",
            *([f'label="{bond.dim}"'] if bond.dim > 1 else []),
        ]  # fmt: skip
        yield f"  {quoted(bond.tail)} -> {quoted(bond.head)} [{', '.join(look)}];"
