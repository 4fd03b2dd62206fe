"""The formulations by name: the only list of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from pliant.equations.contract import Equations
from pliant.formulations.recursive import Recursive
from pliant.graphs import SystemGraph


@dataclass(frozen=True, slots=True)
class Objection:
    """Something a formulation cannot take, and the neighbour that can."""

    element: str
    what: str
    cure: str = ""


class Formulation(Protocol):
    """A way to write equations of motion."""

    name: ClassVar[str]
    trees: ClassVar[tuple[str, ...]]
    """Choices of spanning tree it can work with."""

    def objections(self, graph: SystemGraph) -> list[Objection]:
        """Everything it cannot take, before any work."""

    def derive(self, graph: SystemGraph) -> Equations:
        """The equations of the model."""


FORMULATIONS: dict[str, type[Formulation]] = {Recursive.name: Recursive}
