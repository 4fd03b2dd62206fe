"""One network as data, as the user draws it: also a faulty one, of which whatever can be drawn is
drawn, with strokes where causality could be assigned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pliant.bonds import Bond, BondGraph, Causality, diagnose
from pliant.bonds.networks.tentative import (
    SUBGRAPHS,
    Sketch,
    graph_of,
    is_stand_in,
    sketch,
    tentative_causality,
)
from pliant.bonds.propagation import HEAD, TAIL
from pliant.errors import Fault, InputError, PliantError
from pliant.model.model import Model
from pliant.model.networks import elements as el
from pliant.show.bonds.by_hand import GRID
from pliant.show.bonds.drawing import Box, Strokes, Symbol, drawing
from pliant.show.bonds.lines import Ends
from pliant.studio.views.graphs import drawn
from pliant.studio.views.graphs.causality import causality_of
from pliant.studio.views.graphs.meaning import of_kind
from pliant.studio.views.graphs.network_editing import Editing
from pliant.studio.views.graphs.network_places import arranged, copy_of, without_folded
from pliant.studio.views.graphs.network_words import law_of, value_of


def network_data(
    model: Model, name: str, faults: Sequence[Fault] = (), file: Any = None
) -> dict[str, Any]:
    """A network or sub-graph of a model; ``faults``: those of the model, which are counted at its
    elements; ``file``: what the file says, from which it can be edited."""
    try:
        network = graph_of(model, name)
    except KeyError:
        known = [*model.networks, *(SUBGRAPHS + n for n in model.subgraphs)]
        raise InputError(f"there is no network '{name}'", f"known: {', '.join(known)}") from None
    found = sketch(model, name)
    wrong = fault_counts(name, faults)
    causality = tentative_causality(model, name, {n for n in wrong if n})
    count = len(found.graph.nodes)
    found.graph = without_folded(model, name, found.graph)
    strokes = _strokes(found.graph, *_known_causality(model, name, causality))
    grid, places = arranged(model, name, found.graph)
    picture = drawing(grid, places, strokes, {}, (name,))
    words = _Words(model, name, found, strokes, wrong)
    teller = drawn.Teller(words.element, words.owner, words.box, frozenset(found.forced))
    data = drawn.bond_drawing_data(picture, teller)
    raw = (file or {}).get(network.section) or {}
    editing = Editing(model, name, network, raw.get(network.name))
    editing.add_to(data)
    given = model.view.places.get(network.name, {})
    at = {b.name: b.at for b in places.boxes if b.at is not None}
    for one in (*data["nodes"], *data["boxes"]):
        one["placed"] = one.get("local") in given
    for box in data["boxes"]:
        box["place"] = drawn.point(at[box["name"]]) if box["name"] in at else None
        box["open"] = box["name"] not in model.view.folded
    return {
        "kind": "network", "title": name,
        "caption": f"{network.noun} {network.name}" + f", {network.domain}" * bool(network.domain),
        **data, "network": name, "domain": network.domain, "grid": GRID,
        "findings": _findings(causality, is_open=name not in model.networks),
        "facts": _facts(found, count, causality, faults, name),
    }  # fmt: skip


def fault_counts(name: str, faults: Iterable[Fault]) -> Counter[str]:
    """Faults of a network by the element (or bond) they are of; "" for the network itself."""
    found: Counter[str] = Counter()
    where = ("subgraphs", name.removeprefix(SUBGRAPHS)) if name.startswith(SUBGRAPHS) else (
        "networks", name)  # fmt: skip
    for fault in faults:
        path = fault.path
        if path[:2] == where:
            found[path[3] if len(path) > 3 else ""] += 1
        elif where[0] == "networks" and f"'{name}." in fault.element:
            found[fault.element.partition(f"'{name}.")[2].rstrip("'").partition(".")[0]] += 1
    return found


def _known_causality(
    model: Model, name: str, own: Causality | None
) -> tuple[Causality | None, str, str]:
    """Causality, and what names begin with there and here: of a sub-graph that of its first copy,
    as its ports are open by itself."""
    copy = copy_of(model, name.removeprefix(SUBGRAPHS)) if name.startswith(SUBGRAPHS) else ""
    if not copy:
        return own, name, name
    return tentative_causality(model, copy.partition(".")[0]), copy, name


def _strokes(graph: BondGraph, causality: Causality | None, there: str, here: str) -> Strokes:
    """By the names of bonds; none where causality is not known."""
    if causality is None:
        return Strokes([Ends(0, 0)] * len(graph.bonds), {})
    known: dict[str, Ends] = {}
    for k, bond in enumerate(causality.graph.bonds):
        own = [causality.strokes[causality.graph.scalar(k, i)] for i in range(bond.dim)]
        known[here + bond.name.removeprefix(there)] = Ends(own.count(TAIL), own.count(HEAD))
    dependent = Counter(here + store.removeprefix(there) for store, _ in causality.derivative)
    return Strokes([known.get(b.name, Ends(0, 0)) for b in graph.bonds], dependent)


class _Words:
    """What is said of the elements of a network."""

    def __init__(
        self, model: Model, name: str, found: Sketch, strokes: Strokes, wrong: Mapping[str, int]
    ) -> None:
        self.name, self.found, self.strokes, self.wrong = name, found, strokes, wrong
        self.graph = graph_of(model, name)
        self.values = _parameters(model)

    def owner(self, bond: Bond) -> str:
        return self._of(bond.name)

    def _of(self, name: str) -> str:
        """The element or bond of the network that a name belongs to."""
        own = name.removeprefix(f"{self.name}.") if name != self.name else ""
        while own and own not in self.graph.elements and own not in self.graph.bonds:
            own = own.rpartition(".")[0]
        return f"{self.name}.{own}" if own else self.name

    def box(self, box: Box) -> dict[str, Any]:
        owner = self._of(box.name)
        faults = self._faults(owner)
        sentence = box.title + (f", {_counted(faults)}" if faults else "")
        return {"owner": owner, "faults": faults, "sentence": sentence,
                "canOpen": box.name == owner != self.name}  # fmt: skip

    def element(self, symbol: Symbol) -> drawn.About:
        node, graph = symbol.node, self.found.graph
        local = node.name.removeprefix(f"{self.name}.")
        element, owner = self.found.elements[node.name], self._of(node.name)
        law = self.found.laws[node.name]
        value = value_of(node.kind, law, self.found.domains[node.name], self.values)
        short, words = causality_of(node, graph, self.strokes.ends)
        faults = self._faults(owner)
        parts = [f"{node.kind} {local}", value, self._where(symbol, element),
                 words, _counted(faults) if faults else ""]  # fmt: skip
        sentence = ", ".join(p for p in parts if p)
        said = law_of(node.kind, law, node.name) if law else of_kind(node.kind)[1]
        return drawn.About(owner, value, short, sentence, said, faults)

    def _faults(self, owner: str) -> int:
        return self.wrong.get(owner.removeprefix(self.name).removeprefix("."), 0)

    def _where(self, symbol: Symbol, element: el.Element) -> str:
        """On which junctions it is, or what it is attached to."""
        if element.mover:
            return f"attached to {element.mover}"
        if element.is_part:
            return f"part {element.title}, which is not known"
        graph, names = self.found.graph, []
        for b, sign in graph.attached(symbol.node.name):
            other = graph.bonds[b].tail if sign > 0 else graph.bonds[b].head
            names.append(other.removeprefix(f"{self.name}."))
        if symbol.node.is_junction:
            count = f"{len(names)} bond{'' if len(names) == 1 else 's'}"
            return f"{of_kind(symbol.node.kind)[0]}, {count}"
        if not names:
            return "not bonded"
        return f"{'on' if symbol.node.dim and len(names) == 1 else 'between'} {' and '.join(names)}"


def _parameters(model: Model) -> Mapping[str, float]:
    """Numbers of parameters; none where they cannot be worked out."""
    try:
        return model.parameter_values()
    except PliantError:
        return {}


def _findings(causality: Causality | None, is_open: bool) -> list[dict[str, Any]]:
    """What causality says; sources that stand for the mechanics are not elements. Of a sub-graph by
    itself, which is ``is_open`` at its ports, only what is wrong wherever it is used."""
    if causality is None:
        return []
    nodes = causality.graph.nodes
    data = drawn.findings_data(diagnose(causality))
    data = [finding for finding in data if not is_open or finding["kind"] == "conflict"]
    for finding in data:
        movers = [n for n in finding["elements"] if n in nodes and is_stand_in(nodes[n])]
        finding["elements"] = [n for n in finding["elements"] if n not in movers]
        if finding["kind"] == "source derivative" and movers and len(finding["elements"]) == 1:
            store = nodes[finding["elements"][0]]
            finding["kind"] = "dependent"
            finding["text"] = f"{store.title} moves with {' and '.join(movers)}"
    return data


def _facts(
    found: Sketch, count: int, causality: Causality | None, faults: Iterable[Fault], name: str
) -> list[dict[str, str]]:
    total = sum(fault_counts(name, faults).values())
    told = {"elements": str(count), "bonds": str(len(found.graph.bonds)),
            "faults": str(total) if total else "none"}  # fmt: skip
    if causality is None:
        told["causality"] = "not known: see the faults"
    else:
        told["dependent stores"] = str(len({n for n, _ in causality.derivative}) or "none")
    return [{"label": label, "text": text} for label, text in told.items()]


def _counted(faults: int) -> str:
    return f"{faults} fault{'' if faults == 1 else 's'}"
