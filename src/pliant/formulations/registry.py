"""The formulations by name: the only list of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from pliant.equations.layout import Layout
from pliant.equations.state import StateFrom
from pliant.graphs import SystemGraph
from pliant.mechanics.natural_map import NaturalMap
from pliant.mechanics.speed_map import SpeedMap
from pliant.mechanics.state_map import StateMap, beside_loops
from pliant.mechanics.store_map import StoreMap

if TYPE_CHECKING:
    from pliant.equations.contract import Equations
    from pliant.spatial.ops import SymbolicOps


@dataclass(frozen=True, slots=True)
class Objection:
    """Something a formulation cannot take, and the neighbour that can."""

    element: str
    what: str
    cure: str = ""


def no_objections(graph: SystemGraph) -> list[Objection]:
    """For a formulation that takes every system."""
    return []


def speed_objections(graph: SystemGraph) -> list[Objection]:
    """Generalised speeds are chosen among rates that no driver in the tree gives."""
    if not graph.model.speeds:
        return []
    cure = "leave it out of the tree, or leave the speeds to the joints"
    return [Objection(name, "a driver in the tree beside chosen speeds", cure)
            for name in graph.drivers]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Formulation:
    """A way to write equations of motion.

    ``module`` holds ``derive(graph, ops, observe) -> Equations`` and is imported when it is needed;
    ``state_from`` maps the motion of bodies to its coordinates and needs no symbols;
    ``objections`` lists everything it cannot take, before any work; ``trees`` and ``forms`` are
    those that its verification goes through.
    """

    name: str
    module: str
    state_from: Callable[[SystemGraph, Layout, Mapping[str, int]], StateFrom]
    trees: tuple[str, ...] = ("joint", "absolute")
    objections: Callable[[SystemGraph], list[Objection]] = no_objections
    forms: tuple[str, ...] = ("augmented",)
    reduces: bool = False
    """Whether its embedding form has no dependent speeds where only velocities are constrained."""

    def derive(
        self, graph: SystemGraph, ops: SymbolicOps | None = None, observe: bool = True
    ) -> Equations:
        """The equations of a system; ``ops``: in which numbers, CasADi expressions by default;
        ``observe``: with observables and all that a run needs."""
        if ops is None:
            from pliant.spatial.symbolic import SYMBOLIC

            ops = SYMBOLIC
        equations: Equations = import_module(self.module).derive(graph, ops, observe)
        return equations


FORMULATIONS: dict[str, Formulation] = {
    f.name: f
    for f in (
        Formulation("recursive", "pliant.formulations.recursive", beside_loops(StateMap.of)),
        Formulation("linear-graph", "pliant.formulations.linear_graph", beside_loops(StateMap.of),
                    forms=("augmented", "embedding")),
        Formulation("multibond", "pliant.formulations.multibond.formulation",
                    beside_loops(StoreMap.of)),
        Formulation("natural", "pliant.formulations.natural.formulation",
                    beside_loops(NaturalMap.of)),
        Formulation("kane", "pliant.formulations.kane", beside_loops(SpeedMap.of),
                    objections=speed_objections, reduces=True),
    )
}  # fmt: skip
