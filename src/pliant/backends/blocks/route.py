"""Blocks as a back end: when a system goes through them, and what they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pliant.backends.blocks.objections import METHODS, NODES, has_elements, has_nodes, objections
from pliant.backends.choice import Choice
from pliant.backends.contract import Motion, Told
from pliant.backends.request import Plan, RestRequest
from pliant.backends.resume import State
from pliant.errors import InputError
from pliant.observe.catalogue import Quantity
from pliant.results import Result
from pliant.results.series import Record, Recorded
from pliant.study import Study


class Blocks:
    """The back end of beams of many nodes."""

    name = "blocks"
    methods: tuple[str, ...] = tuple(METHODS)
    has_impulse = False

    def incapable(self, system: Study) -> str:
        """The first element that has no blocks."""
        return self._incapable(system, moving=True)

    def _incapable(self, system: Study, *, moving: bool) -> str:
        found = objections(system, moving=moving)
        return f"{found[0].element}: {found[0].what}" if found else ""

    def against(self, system: Study, plan: Plan) -> str:
        """Few nodes, or something that only expressions have."""
        if not plan.request.free or plan.method != "auto" or plan.choice != Choice():
            return "a formulation or a method was named"
        if plan.treatment != "projection" or plan.treatment_options:
            return "a treatment of constraints was named"
        if len(system.model.bodies) <= NODES or not has_nodes(system):
            return f"they are for beams of more than {NODES} nodes"
        return self.incapable(system)

    def run(self, system: Study, plan: Plan) -> Motion:
        """Integrate over blocks."""
        from pliant.backends.blocks.transient import BlockRun

        said = {
            "formulation, tree and form": plan.choice != Choice(),
            "constraints": plan.treatment != "projection" or bool(plan.treatment_options),
        }
        for what, given in said.items():
            if given:
                raise InputError(f"{what}: method '{plan.method}' has its own", "leave them out")
        method = plan.method if plan.method in METHODS else self.methods[0]
        return BlockRun(system, replace(plan, method=method)).motion()

    def against_rest(self, system: Study, request: RestRequest) -> str:
        """Without being told to it takes elastic elements between nodes, and many segments."""
        if request.follows or request.method == "sparse":
            return ""
        if request.method != "auto" or request.hold or request.choice != Choice():
            return "a formulation or a method was named"
        many = len(system.model.bodies) > NODES and has_nodes(system)
        if not many and not has_elements(system):
            return f"they are for elastic elements between nodes, or more than {NODES} segments"
        return self._incapable(system, moving=False)

    def rest(self, system: Study, request: RestRequest) -> Result | None:
        """An equilibrium, a path of them, or the load at which it gives way."""
        from pliant.backends.blocks.equilibrium import rest

        if request.hold or request.method not in ("auto", "sparse"):
            raise InputError("statics: hold and other methods do not go with the sparse solver",
                             "hold coordinates by drivers")  # fmt: skip
        return rest(system, request)

    def known(self, system: Study) -> Mapping[str, Quantity]:
        """Every observable of the parts."""
        from pliant.backends.blocks.model import block_model
        from pliant.backends.blocks.observe import BlockTeller
        from pliant.observe.observer import Observer

        known = Observer(BlockTeller(block_model(system))).known
        return {name: q.told for name, q in known.items()}

    def reopened(self, system: Study, record: Record) -> Recorded:
        """States that a file kept."""
        from pliant.backends.blocks.observe import recorded_blocks

        return recorded_blocks(system, record)

    def tell(
        self, system: Study, params: Mapping[str, Any] | None, states: Sequence[State]
    ) -> Told:
        """All observables at some states."""
        from pliant.backends.blocks.observe import told

        return told(system, params, states)


BACK_END = Blocks()
