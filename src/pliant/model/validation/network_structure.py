"""Structure of networks: names, junctions, bonds, parts with their ports, attachments."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pliant.errors import Fault, InputError, ModelError, UnknownName
from pliant.model.cures import Add, Leave, Remove, Rename, curing, legal_name, otherwise
from pliant.model.frozen import did_you_mean
from pliant.model.model import Model
from pliant.model.networks import elements as el
from pliant.model.networks.library import subgraph_of
from pliant.model.networks.network import Graph, Subgraph, parts_of
from pliant.model.networks.structure import Link, Structure, output_names, state_names
from pliant.model.numbers.measures import GraphMeasures, Measures
from pliant.model.validation.context import Context
from pliant.model.validation.flexible import place_instead
from pliant.model.validation.references import LEGAL, LETTERS, RESERVED, coordinate_objection


def components(n: int) -> str:
    """1 component, 2 components."""
    return f"{n} component" + ("s" if n != 1 else "")


class View:
    """A graph of a model; ``file``: the file it came from, if it was another one."""

    def __init__(self, model: Model, graph: Graph, file: str = "") -> None:
        self.model, self.graph, self.file = model, graph, file

    @cached_property
    def structure(self) -> Structure:
        return Structure(self.model, self.graph)

    @cached_property
    def measures(self) -> GraphMeasures:
        """Dimensions of the names that its formulas may read."""
        return GraphMeasures(Measures(self.model), self.structure)

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
        self, name: str, what: str, cure: str = "", key: str = "", section: str = "elements",
        inner: str = "",
    ) -> Fault:  # fmt: skip
        """A fault of an element, bond or port; ``inner``: of an element of a part."""
        noun = {"elements": "element", "bonds": "bond", "ports": "port"}[section]
        who = f"{noun} '{self.graph.name}.{name}{'.' * bool(inner)}{inner}'"
        return self._fault(who, what, cure, (section, name, key) if key else (section, name))

    def joining(self, words: str, *keys: str, domain: str = "") -> str:
        """That a junction is to be named; the only one there is can be, if it is of a domain."""
        own = self.structure.places.items()
        places = [n for n, place in own if not domain or place.domain in ("", domain)]
        return curing(words, *([Add(keys, places[0])] if len(places) == 1 else []))

    def _fault(self, who: str, what: str, cure: str, path: tuple[str, ...]) -> Fault:
        if self.file:
            return Fault(who, what, cure, self.file)
        return Fault(who, what, cure, path=(self.graph.section, self.graph.name, *path))


def structure_faults(context: Context, view: View) -> Iterator[Fault]:
    """What is wrong with how a graph is put together."""
    if not view.graph.elements:
        yield view.own_fault("every element is missing", "give elements", "elements")
    yield from _names(view)
    yield from _references(view)
    yield from _bonds(view)
    for name, part in parts_of(view.graph):
        yield from _part(view, name, part)
    yield from _ports(view)
    yield from _connections(view)
    for name, element in view.graph.elements.items():
        if isinstance(element, el.Port) and view.is_subgraph:
            what = "a sub-graph cannot be attached to a joint or body"
            yield view.fault(name, what, "give it a port, and attach the network", element.kind)
        elif isinstance(element, el.JointPort):
            yield from _joint(context, view, name, element)
        elif isinstance(element, el.FramePort):
            yield from _frame(context, view, name, element)
        elif isinstance(element, el.ElasticPort):
            yield from _elastic(view, name, element)


# --- names


def _names(view: View) -> Iterator[Fault]:
    graph = view.graph
    ports = graph.ports if isinstance(graph, Subgraph) else ()
    for section, names in (("elements", graph.elements), ("bonds", graph.bonds), ("ports", ports)):
        for name in names:
            if not LEGAL.fullmatch(name):
                yield view.fault(name, f"'{name}' is not a legal name", LETTERS, section=section)
    for name in graph.parameters:
        place = ("parameters", name)
        if not LEGAL.fullmatch(name):
            what = f"parameter '{name}' is not a legal name"
            yield view.own_fault(what, LETTERS, *place)
        elif name in RESERVED or name in el.OWN_VARIABLES:
            what = f"parameter: the name '{name}' is reserved"
            yield view.own_fault(what, "choose another name", *place)
    for name in graph.bonds:
        if name in graph.elements:
            what = "an element has the same name"
            yield view.fault(name, what, _renaming(name, graph), section="bonds")
    for name in ports:
        if isinstance(graph.elements.get(name), el.OnePort):
            what = "an element that has a bond of its own has the same name"
            yield view.fault(name, what, _renaming(name, graph), section="ports")


def _renaming(name: str, graph: Any) -> str:
    """That one of two things is to be called otherwise."""
    taken = {*graph.elements, *graph.bonds, *getattr(graph, "ports", ())}
    return curing("rename one of them", Rename(legal_name(name, taken)))


# --- junctions and bonds


def _unknown(view: View, name: str) -> tuple[str, str] | None:
    """What is wrong with a name that should be a junction, and the cure."""
    if name in view.structure.places:
        return None
    if name in view.graph.elements:
        return f"'{name}' is not a junction", "bond it to a junction, or write it under bonds"
    cure = did_you_mean(name, view.structure.places, sure=True) or "add a junction"
    return f"there is no junction '{name}'", cure


def _references(view: View) -> Iterator[Fault]:
    for name, element in view.graph.elements.items():
        named: dict[str, tuple[str, ...]] = {}
        if isinstance(element, el.OnePort):
            named = {"on": element.on}
        elif isinstance(element, el.TwoPort):
            named = {"from": element.tails, "to": element.heads}
        for key, junctions in named.items():
            for junction in dict.fromkeys(junctions):
                if (wrong := _unknown(view, junction)) is not None:
                    yield view.fault(name, f"{key}: {wrong[0]}", wrong[1], key)
            if len(set(junctions)) < len(junctions):
                yield view.fault(name, f"{key}: a junction is named twice", "keep one", key)


def _bonds(view: View) -> Iterator[Fault]:
    elements = view.graph.elements
    for name, bond in view.graph.bonds.items():
        for key, end in (("from", bond.tail), ("to", bond.head)):
            if end not in elements:
                cure = did_you_mean(end, elements) or "add it"
                yield view.fault(name, f"{key}: there is no element '{end}'", cure, key, "bonds")
            elif isinstance(elements[end], el.SubgraphUse):
                cure = "join it by its ports"
                yield view.fault(name, f"{key}: '{end}' is a part", cure, key, "bonds")
        if bond.tail == bond.head:
            yield view.fault(name, f"it joins '{bond.tail}' to itself", "correct one end", "",
                             "bonds")  # fmt: skip
            continue
        yield from _bond_ends(view, name)


def _bond_ends(view: View, name: str) -> Iterator[Fault]:
    """Dimensions and domains of a bond and the junctions at its ends."""
    link = view.links[name]
    places = {e: view.structure.places.get(e) for e in (link.tail, link.head)}
    for end, place in places.items():
        if place is not None and place.dim != link.dim:
            what = f"it has {components(link.dim)}, '{end}' has {place.dim}"
            yield view.fault(name, what, "give both the same dim", "", "bonds")
    domains = {p.domain for p in places.values() if p is not None and p.domain}
    if len(domains) > 1:
        what = f"it joins {' and '.join(sorted(domains))}"
        yield view.fault(name, what, "put a TF or GY between them", "", "bonds")


def _connections(view: View) -> Iterator[Fault]:
    graph, structure = view.graph, view.structure
    outer = {p.junction for p in graph.ports.values()} if isinstance(graph, Subgraph) else set()
    for name, element in graph.elements.items():
        if isinstance(element, el.TwoPort):
            for key, side in (("from", 1), ("to", 2)):
                if not getattr(element, "tails" if side == 1 else "heads") and not (
                    structure.side_dim(name, side)
                ):
                    cure = view.joining(f"write {key}: a junction", key)
                    yield view.fault(name, f"{key} is missing", cure)
        elif isinstance(element, el.OnePort):
            if not element.on and not structure.attached(name):
                cure = view.joining("write on: a junction, or give it a bond", "on")
                yield view.fault(name, "on is missing", cure)
        elif (
            not isinstance(element, el.SubgraphUse)
            and name not in outer
            and not structure.attached(name)
        ):
            cure = curing("bond elements to it, or leave it out", Remove())
            yield view.fault(name, "the junction is not connected", cure)
        if isinstance(element, el.OnePort) and element.domain:
            yield from _own_domain(view, name, element)


def _own_domain(view: View, name: str, element: el.OnePort) -> Iterator[Fault]:
    for junction in element.on:
        place = view.structure.places.get(junction)
        if place is not None and place.domain not in ("", element.domain):
            what = f"domain: {element.domain}, but '{junction}' is {place.domain}"
            yield view.fault(name, what, curing("leave the domain out", Leave()), "domain")


# --- parts


def _part(view: View, name: str, part: el.SubgraphUse) -> Iterator[Fault]:
    try:
        subgraph = subgraph_of(view.model, part)
    except ModelError as error:
        for f in error.faults:
            yield Fault(f.element, f.what, f.cure, error.source, f.path)
        return
    except InputError as error:
        yield view.fault(name, f"part: {error.what}", error.cure, "part")
        return
    for given in part.parameters:
        if given not in subgraph.parameters:
            cure = did_you_mean(given, subgraph.parameters) or "it has no parameters"
            cure = otherwise(cure, "", Leave(("with", given)))
            yield view.fault(name, f"with: '{subgraph.name}' has no parameter '{given}'", cure)
    for needed, default in subgraph.parameters.items():
        if default is None and needed not in part.parameters:
            what = f"'{subgraph.name}' needs its parameter '{needed}'"
            cure = curing(f"write with: {{{needed}: ...}}", Add(("with", needed), 1))
            yield view.fault(name, what, cure)
    yield from _part_ports(view, name, part, subgraph)


def _part_ports(view: View, name: str, part: el.SubgraphUse, subgraph: Subgraph) -> Iterator[Fault]:
    for port in subgraph.ports:
        if port not in part.ports:
            what = f"port '{port}' of '{subgraph.name}' is not joined to anything"
            inner = view.structure.port(name, port)
            words = f"write ports: {{{port}: a junction}}"
            cure = view.joining(words, "ports", port, domain=inner.domain if inner else "")
            yield view.fault(name, what, cure)
    for port, junction in part.ports.items():
        if port not in subgraph.ports:
            free = [p for p in subgraph.ports if p not in part.ports]
            cure = did_you_mean(port, free) or did_you_mean(port, subgraph.ports)
            cure = otherwise(cure, "it has no ports", Leave(("ports", port)))
            what = f"ports: '{subgraph.name}' has no port '{port}'"
            yield view.fault(name, what, cure, "ports")
            continue
        if (wrong := _unknown(view, junction)) is not None:
            yield view.fault(name, f"ports: {port}: {wrong[0]}", wrong[1], "ports")
            continue
        inner, outer = view.structure.port(name, port), view.structure.places[junction]
        if inner is not None and inner.dim != outer.dim:
            what = f"ports: {port} has {components(inner.dim)}, '{junction}' has {outer.dim}"
            yield view.fault(name, what, "join junctions of the same dim", "ports")
        if inner is not None and "" not in (a := {inner.domain, outer.domain}) and len(a) > 1:
            what = f"ports: {port} is {inner.domain}, '{junction}' is {outer.domain}"
            yield view.fault(name, what, "join junctions of one domain", "ports")


def _ports(view: View) -> Iterator[Fault]:
    """Ports that a sub-graph offers."""
    graph = view.graph
    for name, port in graph.ports.items() if isinstance(graph, Subgraph) else ():
        if not isinstance(graph.elements.get(port.junction), el.Junction):
            names = [n for n, e in graph.elements.items() if isinstance(e, el.Junction)]
            cure = did_you_mean(port.junction, names) or "name a junction"
            what = f"there is no junction '{port.junction}'"
            yield view.fault(name, what, cure, section="ports")


# --- attachments


def _joint(context: Context, view: View, name: str, port: el.JointPort) -> Iterator[Fault]:
    joint = view.model.joints.get(port.joint)
    if joint is None:
        cure = did_you_mean(port.joint, view.model.joints, sure=True) or "define the joint"
        yield view.fault(name, f"no joint '{port.joint}'", cure, "joint")
        return
    told = [c.name for c in joint.measured]
    if port.coordinate in told or (told and port.coordinate is None and not joint.scalars):
        what = f"{port.coordinate or told[0]} of '{port.joint}' is told by its pose: it is no port"
        cure = "attach to a frame of the body, with the direction of the axis"
        yield view.fault(name, what, cure, "coordinate" if port.coordinate else "joint")
        return
    for what, cure in coordinate_objection(context, port.joint, port.coordinate):
        cure = f"{cure}, or a frame" if not joint.scalars else cure
        known = joint.scalars and port.coordinate is not None
        yield view.fault(name, what, cure, "coordinate" if known else "joint")


def _frame(context: Context, view: View, name: str, port: el.FramePort) -> Iterator[Fault]:
    for key in ("frame", "away_from"):
        try:
            view.model.frame(getattr(port, key) or "ground")
        except UnknownName as error:
            yield view.fault(name, f"{key}: {error.what}", error.cure, key)
            return
    body, frame = view.model.frame(port.frame)
    if port.away_from and (port.direction is not None or port.rotation):
        other = "rotation" if port.rotation else "direction"
        yield view.fault(name, f"away_from and {other} are both given", "keep one", "away_from")
    if port.away_from and view.model.frame(port.away_from)[0] == body:
        what = f"both ends of its line are on '{body}'"
        yield view.fault(name, what, "name frames on two bodies", "away_from")
    if frame is None and body != "ground":
        cure = place_instead(context, view.model.bodies[body])
        if cure:
            what = f"frame: '{body}' is a floating frame, which no point of the body follows"
            yield view.fault(name, what, cure, "frame")
    if port.direction is not None:
        numbers = context.numbers(port.direction)
        if numbers is not None and not any(numbers):
            yield view.fault(name, "direction: it has zero length", "give a direction", "direction")


def _elastic(view: View, name: str, port: el.ElasticPort) -> Iterator[Fault]:
    body = view.model.bodies.get(port.body)
    if body is None:
        cure = did_you_mean(port.body, view.model.bodies)
        yield view.fault(name, f"elastic: no body '{port.body}'", cure, "elastic")
    elif not body.elastic_names:
        what = f"elastic: '{port.body}' has no elastic coordinates"
        yield view.fault(name, what, "name a beam of modal theory, or a body with modes", "elastic")
