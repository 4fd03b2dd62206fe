"""One network or sub-graph as the checks see it: its structure, and how its faults are named."""

from __future__ import annotations

from functools import cached_property

from pliant.errors import Fault
from pliant.model.model import Model
from pliant.model.networks.network import Graph, Subgraph
from pliant.model.networks.structure import Link, Structure, output_names, state_names


class View:
    """A graph of a model; ``file``: the file it came from, if it was another one."""

    def __init__(self, model: Model, graph: Graph, file: str = "") -> None:
        self.model, self.graph, self.file = model, graph, file

    @cached_property
    def structure(self) -> Structure:
        return Structure(self.model, self.graph)

    @cached_property
    def states(self) -> dict[str, tuple[str, str, int]]:
        """States, efforts and flows that its formulas may read."""
        return state_names(self.structure) | output_names(self.structure)

    @cached_property
    def links(self) -> dict[str, Link]:
        """Its bonds by name."""
        return {link.name: link for link in self.structure.links}

    @property
    def is_subgraph(self) -> bool:
        return isinstance(self.graph, Subgraph)

    def own_fault(self, what: str, cure: str = "", *path: str) -> Fault:
        """A fault of the graph itself."""
        who = f"{self.graph.noun} '{self.graph.name}'"
        return self._fault(who, what, cure, path)

    def fault(
        self, name: str, what: str, cure: str = "", key: str = "", section: str = "elements"
    ) -> Fault:
        """A fault of an element, bond or port."""
        noun = {"elements": "element", "bonds": "bond", "ports": "port"}[section]
        who = f"{noun} '{self.graph.name}.{name}'"
        return self._fault(who, what, cure, (section, name, key) if key else (section, name))

    def _fault(self, who: str, what: str, cure: str, path: tuple[str, ...]) -> Fault:
        if self.file:
            return Fault(who, what, cure, self.file)
        return Fault(who, what, cure, path=(self.graph.section, self.graph.name, *path))
