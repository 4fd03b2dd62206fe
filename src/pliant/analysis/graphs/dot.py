"""Graphs for Graphviz: clusters for bodies, for groups and, within networks, for parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from pliant.bonds import BondGraph, Causality
from pliant.graphs import LinearGraph, SystemGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.records import dataclass
from pliant.show.bonds.groups import Group, grouped, symbol
from pliant.show.bonds.lines import COLOURS, Ends
from pliant.show.bonds.network import part_paths


@dataclass
class _Cluster:
    """A group or part: lines of its elements, and its parts by name."""

    lines: list[str] = field(default_factory=list)
    parts: dict[str, _Cluster] = field(default_factory=dict)


def linear_dot(graph: LinearGraph, virtual_work: bool) -> str:
    """Bodies are clusters, tree edges bold."""
    lines = ["digraph {", '  node [shape=circle, label="", width=0.15];']
    lines.append(f"  {quoted(GROUND)} [shape=box, style=filled, fillcolor=black, "
                 f"xlabel={quoted(GROUND)}];")  # fmt: skip
    for k, body in enumerate(graph.graph.model.bodies):
        nodes = [n for n in graph.nodes if n == body or n.startswith(f"{body}.")]
        own = _Cluster([f"{quoted(n)} [tooltip={quoted(n)}];" for n in nodes])
        lines += _lines(f"cluster_{k}", body, own, "  ")
    for e in graph.edges:
        if virtual_work or e.kind != "virtual work":
            style = "dashed" if e.kind == "virtual work" else "bold" if e.in_tree else "solid"
            lines.append(f"  {quoted(e.tail)} -> {quoted(e.head)} [label={quoted(e.name)}, "
                         f"style={style}];")  # fmt: skip
    return "\n".join([*lines, "}", ""])


def bond_dot(tree: SystemGraph, causality: Causality) -> str:
    """Vector bonds are double lines, half arrows ``lvee``, strokes ``tee``."""
    graph = causality.graph
    lines = ["digraph {", "  node [shape=plaintext, height=0.2, width=0.2];"]
    for k, group in enumerate(grouped(graph, tree).values()):
        lines += _lines(f"cluster_{k}", group.name, _cluster(graph, group), "  ")
    for i, bond in enumerate(graph.bonds):
        ends, colour = Ends.of(causality, i), COLOURS.get(bond.domain, COLOURS[""])
        double = f"{colour}:invis:{colour}" if bond.dim > 1 else colour
        look: Sequence[str] = [
            f"color={quoted(double)}", "dir=both",
            f"arrowhead={'teelvee' if ends.head else 'lvee'}",
            f"arrowtail={'tee' if ends.tail else 'none'}",
            f"tooltip={quoted(f'{bond.name}: {ends.text}')}",
            *([f'label="{bond.dim}"'] if bond.dim > 1 else []),
        ]  # fmt: skip
        lines.append(f"  {quoted(bond.tail)} -> {quoted(bond.head)} [{', '.join(look)}];")
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


def quoted(text: str) -> str:
    """A string of Graphviz."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
