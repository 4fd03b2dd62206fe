"""Which element of the model file a generated name belongs to: what a click on it selects."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.graphs.spanning_tree import GROUND
from pliant.model.model import Model
from pliant.records import dataclass

_SECTIONS = ("bodies", "joints", "forces", "drivers", "constraints")


@dataclass(frozen=True, slots=True)
class Owners:
    """``model``: as the user described it; ``origin``: beams by the bodies that stand for them."""

    model: Model
    origin: Mapping[str, str]

    def of(self, name: str) -> str:
        """``coupler`` of ``coupler.xi.M``, ``drive.motor`` of ``drive.motor.rotor``; empty if it
        is nobody's."""
        whole = name
        while name:
            if name in self.origin:
                return self.origin[name]
            if name == GROUND or any(name in getattr(self.model, s) for s in _SECTIONS):
                return name
            if name in self.model.networks:
                return self._in_network(name, whole)
            name = name.rpartition(".")[0]
        return ""

    def _in_network(self, network: str, name: str) -> str:
        own = name.removeprefix(network).removeprefix(".")
        graph = self.model.networks[network]
        while own:
            if own in graph.elements or own in graph.bonds:
                return f"{network}.{own}"
            own = own.rpartition(".")[0]
        return network

    def frame(self, name: str) -> str:
        """A frame of the file by its full name, otherwise the body."""
        body, _, own = name.partition(".")
        if body == GROUND:
            return name if own in self.model.ground.frames else GROUND
        known = self.model.bodies.get(body)
        return name if known is not None and own in known.frames else self.of(name)
