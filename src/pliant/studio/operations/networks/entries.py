"""Entries of new elements: the kind with a value to begin with, 1 in the unit of the domain."""

from __future__ import annotations

from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.model.model import Model
from pliant.model.networks.elements import TWO_PORTS, SubgraphUse
from pliant.model.networks.kinds import ONE_PORTS, UNITS
from pliant.model.networks.library import COMPONENTS, read_subgraph, subgraph_of
from pliant.model.networks.network import Subgraph, parts_of
from pliant.model.networks.structure import Structure
from pliant.model.numbers.paths import located
from pliant.model.validation.references import LEGAL
from pliant.registry import offered
from pliant.studio.operations.networks.drawn import Drawn

JUNCTIONS = ("1", "0")
FILES = (".yaml", ".yml", ".json")
"""Endings of files that hold a sub-graph."""
_DEPTH = 4


def one(domain: str, quantity: str) -> str | int:
    """1 with the unit of a quantity: `1 V`; without a domain the number."""
    unit = UNITS.get(domain, {}).get(quantity, "")
    return f"1 {unit}" if unit else 1


def first_value(kind: str, domain: str, dim: int) -> Any:
    """What a new element of a kind begins with."""
    if kind in TWO_PORTS:
        return {} if kind == "SUM" else 1
    about = ONE_PORTS[kind]
    if not about.main:
        return {}
    if about.main in about.constants:
        return one(domain, about.main)
    if dim == 1:
        return "0*f" if kind == "EJS" else "f"
    if kind != "EJS":
        return [f"f{k + 1}" for k in range(dim)]
    return ["f2", "-f1", *["0"] * (dim - 2)]


def junction_entry(drawn: Drawn, common: str, domain: str, dim: int) -> dict[str, Any]:
    """A junction that says what is not said by its graph already."""
    entry: dict[str, Any] = {"junction": int(common)}
    if dim > 1:
        entry["dim"] = dim
    if domain and domain != drawn.domain:
        entry["domain"] = domain
    return entry


def new_part(drawn: Drawn, kind: str, name: str = "") -> str:
    """A part that is joined to nothing yet; its name is returned."""
    source = part_source(drawn, kind)
    subgraph = part_subgraph(drawn, source)
    name = drawn.name_for(name, _part_name(subgraph.name))
    drawn.add("elements", name, part_entry(drawn, source, subgraph))
    return name


def _part_name(subgraph: str) -> str:
    """A legal name from that of a sub-graph: motor of dc-motor."""
    words = [w for w in subgraph.replace("-", " ").split() if LEGAL.fullmatch(w)]
    return words[-1] if words else "part"


def part_source(drawn: Drawn, kind: str) -> Any:
    """What stands under ``part`` of a sub-graph of the model, a shipped one, or a file."""
    if kind.endswith(FILES):
        return {"file": kind}
    offered()
    known = {*drawn.model.subgraphs, *COMPONENTS}
    if kind in known:
        return kind
    kinds = [*JUNCTIONS, *ONE_PORTS, *TWO_PORTS, *known]
    raise UnknownName(f"there is no kind of element '{kind}'", did_you_mean(kind, kinds))


def part_subgraph(drawn: Drawn, source: Any) -> Subgraph:
    """The sub-graph that a part stands for; raises InputError."""
    if isinstance(source, dict):
        return read_subgraph(located(drawn.draft.base, source["file"]))
    subgraph = subgraph_of(drawn.model, SubgraphUse(part=source))
    if drawn.is_subgraph and _holds(drawn.model, subgraph, drawn.key):
        raise InputError(f"'{source}' contains {drawn.key}, which would contain itself",
                         "take another part")  # fmt: skip
    return subgraph


def _holds(model: Model, subgraph: Subgraph, name: str, depth: int = 0) -> bool:
    """Whether a sub-graph is, or has inside, one of the model."""
    if subgraph is model.subgraphs.get(name):
        return True
    if depth > _DEPTH * 5:
        return False
    inner = (part for _, part in parts_of(subgraph) if part.part in model.subgraphs)
    return any(_holds(model, model.subgraphs[part.part], name, depth + 1) for part in inner)


def part_entry(drawn: Drawn, source: Any, subgraph: Subgraph) -> dict[str, Any]:
    """A part with a value for each parameter that must be given."""
    entry: dict[str, Any] = {"part": source}
    needed = [name for name, default in subgraph.parameters.items() if default is None]
    if needed:
        units = parameter_units(drawn.model, subgraph)
        entry["with"] = {n: f"1 {units[n]}" if units.get(n) else 1 for n in needed}
    return entry


def parameter_units(model: Model, subgraph: Subgraph, depth: int = 0) -> dict[str, str]:
    """Units of parameters that stand for a constant of an element, or of one in a part."""
    structure, found = Structure(model, subgraph), dict[str, str]()
    for name, element in subgraph.elements.items():
        units = UNITS.get(structure.domain(name), {})
        for law, value in element.law.items():
            text = getattr(value, "text", "")
            if text in subgraph.parameters and law in units and (
                element.kind not in ONE_PORTS or not ONE_PORTS[element.kind].variable(law)
            ):  # fmt: skip
                found.setdefault(text, units[law])
    for name, part in parts_of(subgraph) if depth < _DEPTH else ():
        if name in structure.parts:
            inner = parameter_units(model, structure.parts[name], depth + 1)
            for own, f in part.parameters.items():
                if f.text in subgraph.parameters and own in inner:
                    found.setdefault(f.text, inner[own])
    return found
