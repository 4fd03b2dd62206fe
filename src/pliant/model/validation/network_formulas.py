"""Formulas of networks: which names they may read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pliant.errors import Fault
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.named import did_you_mean
from pliant.model.networks.elements import formulas_of
from pliant.model.networks.structure import Structure, output_names, state_names
from pliant.model.validation.context import Context
from pliant.model.validation.network_structure import View


def formula_faults(context: Context, view: View) -> Iterator[Fault]:
    """Every name in a formula of a graph that cannot be read there."""
    known = {*view.graph.parameters, *view.states, *outer_names(view.model)}
    known |= network_names(view.model)
    yield from _parameters(view, known)
    for name, element in view.graph.elements.items():
        for key, label, f, kind in formulas_of(element):
            own = own_variables(kind.local, view.structure.dim(name)) if kind.local else set()
            for read in sorted(f.names - own - known):
                cure = did_you_mean(read, known | own)
                if not cure:
                    cure = "see the reference for what formulas of networks may read"
                    if "." not in read:
                        cure = f"define the parameter '{read}'"
                yield view.fault(name, f"{key}{label}: unknown name '{read}'", cure, key)


def own_variables(letters: Collection[str], n: int) -> set[str]:
    """f of an element of one component, f1, f2, ... of others."""
    return {x if n == 1 else f"{x}{k + 1}" for x in letters for k in range(n)}


def outer_names(model: Model) -> set[str]:
    """Time, parameters, signals and joint coordinates with their rates."""
    return {"t", *model.all_parameters(), *model.signals, *coordinate_names(model)}


def network_names(model: Model) -> set[str]:
    """States, efforts and flows of all networks by their full names."""
    found: set[str] = set()
    for name, network in model.networks.items():
        structure = Structure(model, network)
        labels = state_names(structure) | output_names(structure)
        found |= {f"{name}.{label}" for label in labels}
    return found


def coordinate_names(model: Model) -> set[str]:
    """Joint coordinates and rates as formulas name them."""
    return {
        f"{joint.name}.{part}"
        for joint in model.joints.values()
        for part in (*joint.coordinate_names, *joint.rate_names)
    }


def _parameters(view: View, known: set[str]) -> Iterator[Fault]:
    """Parameters read parameters, and not themselves."""
    own = {n: f for n, f in view.graph.parameters.items() if f is not None}
    readable = {*view.graph.parameters, *view.model.parameters}
    for name, f in own.items():
        for read in sorted(f.names - readable):
            what = f"parameter '{name}' reads '{read}'"
            cure = "a parameter may read parameters only"
            if read not in known:
                what = f"parameter '{name}': unknown name '{read}'"
                cure = did_you_mean(read, readable) or f"define the parameter '{read}'"
            yield view.own_fault(what, cure, "parameters", name)
        if name in _reached(name, own) and name == min(_reached(name, own)):
            what = f"parameter '{name}' depends on itself"
            yield view.own_fault(what, "break the circle", "parameters", name)


def _reached(start: str, formulas: Mapping[str, Formula]) -> set[str]:
    """Parameters that a parameter depends on."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = (formulas[waiting.pop()].names & formulas.keys()) - found
        found |= fresh
        waiting += fresh
    return found
