"""What a network can be drawn of: kinds of elements, and parts that are shipped, of the file, or in
files of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pliant.errors import InputError, ModelError
from pliant.model.model import Model
from pliant.model.networks.elements import TWO_PORTS
from pliant.model.networks.kinds import ONE_PORTS, UNITS
from pliant.model.networks.library import COMPONENTS, read_subgraph
from pliant.model.networks.network import Subgraph
from pliant.model.networks.structure import Structure
from pliant.model.numbers.paths import located
from pliant.registry import offered
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.ends import End
from pliant.studio.operations.networks.entries import JUNCTIONS
from pliant.studio.views.graphs.meaning import of_kind

KINDS = (*JUNCTIONS, *ONE_PORTS, *TWO_PORTS)
Choice = dict[str, Any]


def sentence_of(kind: str, domain: str = "") -> str:
    """What a kind of element is, with its unit in a domain."""
    words = of_kind(kind)[0]
    main = ONE_PORTS[kind].main if kind in ONE_PORTS else ""
    unit = UNITS.get(domain, {}).get(main, "")
    return f"{words}, in {unit}" if unit else words


def kind_choices(domain: str = "") -> list[Choice]:
    """Junctions, one-ports and two-ports."""
    return [choice(kind, domain) for kind in KINDS]


def choice(kind: str, domain: str = "", sentence: str = "", /, **arguments: Any) -> Choice:
    """A kind of element that can be added; ``arguments``: of ``network.element``."""
    title = f"{kind}-junction" if kind in JUNCTIONS else kind
    title += f", {domain}" if "domain" in arguments else ""
    return {"kind": kind, "title": title, "sentence": sentence or sentence_of(kind, domain),
            "domain": domain, "symbol": kind, "arguments": arguments}  # fmt: skip


def part_choices(drawn: Drawn, files: Iterable[str] = ()) -> list[Choice]:
    """Parts: sub-graphs of the file first, then files below the root, then those that are shipped.
    ``files``: relative to the model; one that is called as another part is told by its file."""
    found = [part_choice(kind, subgraph, source, drawn.model)
             for kind, subgraph, source in _subgraphs(drawn, files)]  # fmt: skip
    names = Counter(one["title"] for one in found)
    for one in found:
        if one["source"] == "file" and names[one["title"]] > 1:
            one["title"] = one["kind"]
    return found


def part_choice(kind: str, subgraph: Subgraph, source: str, model: Model) -> Choice:
    """A part with its ports and parameters."""
    ports = [{"name": e.port, "domain": e.domain, "dim": e.dim, "outward": e.outward}
             for e in port_ends(model, subgraph)]  # fmt: skip
    named = ", ".join(str(port["name"]) for port in ports)
    told = " ".join(subgraph.description.split()) or f"part with ports {named or 'none'}"
    return {"kind": kind, "title": subgraph.name, "sentence": told, "domain": subgraph.domain,
            "symbol": "part", "source": source, "ports": ports,
            "parameters": [*subgraph.parameters], "arguments": {}}  # fmt: skip


def port_ends(model: Model, subgraph: Subgraph) -> list[End]:
    """The ports of a sub-graph."""
    places = Structure(model, subgraph).places
    found = []
    for name, port in subgraph.ports.items():
        place = places.get(port.junction)
        known = (place.domain, place.dim) if place is not None else ("", 0)
        found.append(End(subgraph.name, "part", *known, name, port.outward))
    return found


def _subgraphs(drawn: Drawn, files: Iterable[str]) -> Iterator[tuple[str, Subgraph, str]]:
    for name, subgraph in drawn.model.subgraphs.items():
        if not (drawn.is_subgraph and name == drawn.key):
            yield name, subgraph, "model"
    for file in files:
        try:
            yield file, read_subgraph(located(drawn.draft.base, file)), "file"
        except (InputError, ModelError):
            continue
    offered()
    for name, path in COMPONENTS.items():
        if name not in drawn.model.subgraphs:
            yield name, read_subgraph(path), "shipped"
