"""The formulations by name: the only list of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from pliant.formulations.derivation.state_map import beside_loops
from pliant.graphs import SystemGraph
from pliant.mechanics.layout import Layout, StateFrom
from pliant.records import dataclass
from pliant.registry import Registry

if TYPE_CHECKING:
    from pliant.formulations.equations import Equations
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

    ``module`` holds ``derive(graph, ops, observe) -> Equations``, ``states`` is the class that maps
    the motion of bodies to its coordinates without symbols: both are imported when they are needed;
    ``objections`` lists everything it cannot take, before any work; ``trees`` and ``forms`` are
    those that its verification goes through.
    """

    name: str
    module: str
    states: str
    trees: tuple[str, ...] = ("joint", "absolute")
    objections: Callable[[SystemGraph], list[Objection]] = no_objections
    forms: tuple[str, ...] = ("augmented",)
    reduces: bool = False
    """Whether its embedding form has no dependent speeds where only velocities are constrained."""

    def state_from(
        self, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]
    ) -> StateFrom:
        """The map from the motion of bodies to its coordinates."""
        module, _, name = self.states.rpartition(".")
        return beside_loops(getattr(import_module(module), name).of)(graph, layout, parameters)

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


FORMULATIONS: Registry[Formulation] = Registry(
    Formulation,
    (
        Formulation("recursive", "pliant.formulations.recursive",
                    "pliant.formulations.derivation.state_map.StateMap"),
        Formulation("linear-graph", "pliant.formulations.linear_graph",
                    "pliant.formulations.derivation.state_map.StateMap",
                    forms=("augmented", "embedding")),
        Formulation("multibond", "pliant.formulations.multibond.formulation",
                    "pliant.formulations.derivation.speed_map.StoreMap"),
        Formulation("natural", "pliant.formulations.natural.formulation",
                    "pliant.formulations.natural.state_map.NaturalMap"),
        Formulation("kane", "pliant.formulations.kane",
                    "pliant.formulations.derivation.speed_map.SpeedMap",
                    objections=speed_objections, reduces=True),
    ),
)  # fmt: skip
