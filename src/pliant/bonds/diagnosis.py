"""What the causality of a graph means, by the names of its elements.

| finding | meaning |
|---|---|
| two sources give the same variable | ill-posed: a conflict |
| a loop of flow sources | dependent rates that no stroke expresses: use a constraintor |
| a store in derivative causality | its state follows from others: a dependent state |
| Se across C, Sf into I | a dependent state fixed by a source: its time derivative is needed |
| an algebraic loop | efforts and flows that are solved for together |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pliant.bonds.causality import Causality, Refusal
from pliant.bonds.dependence import Dependence
from pliant.bonds.elements import STORES, TWO_SIDED, Node
from pliant.bonds.graph import BondGraph
from pliant.bonds.propagation import Clash
from pliant.errors import Fault
from pliant.records import dataclass

_SOURCES = frozenset({"Se", "Sf"})


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement about a graph; ``elements`` are those it names."""

    kind: Literal["conflict", "dependent", "source derivative", "loop", "integral"]
    text: str
    elements: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


def diagnose(causality: Causality) -> list[Finding]:
    """Conflicts; else dependent stores and algebraic loops, or that there are none."""
    found = [_conflict(causality, clash) for clash in causality.conflicts]
    if found:
        return found
    dependence = Dependence(causality.graph, causality)
    found = [*_dependent(causality, dependence), *_loops(dependence)]
    return found or [Finding("integral", "all stores are independent; no algebraic loop", ())]


def conflicts(causality: Causality) -> list[Fault]:
    """What makes a graph ill-posed, as faults of a model; all that meet in ratios without an
    inverse in one."""
    found, backwards = [], []
    for clash in causality.conflicts:
        driven = _backwards(causality.graph, clash)
        if driven is not None:
            backwards.append(driven)
            continue
        finding, (what, cure) = _conflict(causality, clash), _told(causality, clash)
        cure = cure or ("bond a source, a store or a resistance there that does"
                        if clash.what == "nobody" else _APART)  # fmt: skip
        found.append(Fault(finding.elements[0] if finding.elements else "", what, cure))
    return found + [_driven_backwards(causality.graph, *group) for group in _meeting(backwards)]


def _backwards(graph: BondGraph, clash: Clash) -> tuple[list[str], list[str]] | None:
    """Who would drive which two-sided elements backwards, if that is the conflict."""
    through = [n for n in clash.by if n in graph.nodes and graph.nodes[n].kind in TWO_SIDED]
    makers = [n for n in clash.by if n not in through] or through
    if clash.what == "inverse":
        return makers, [clash.element]
    if len(makers) == 1 and through and makers != through:
        return makers, through
    return None


def _meeting(
    driven: Iterable[tuple[list[str], list[str]]],
) -> list[tuple[list[str], list[str]]]:
    """Those that share an element, together."""
    groups: list[tuple[list[str], list[str]]] = []
    for makers, places in driven:
        near = [g for g in groups if {*g[0], *g[1]} & {*makers, *places}]
        groups = [g for g in groups if g not in near]
        both = [*near, (makers, places)]
        merged = ([n for g in both for n in g[k]] for k in (0, 1))
        groups.append(tuple(list(dict.fromkeys(own)) for own in merged))  # type: ignore[arg-type]
    return groups


def _driven_backwards(graph: BondGraph, makers: list[str], places: list[str]) -> Fault:
    """One fault of all of them."""
    nodes = graph.nodes
    who = _listed(nodes[n].title for n in makers if n in nodes and n not in places)
    where = _listed(nodes[n].title if n in nodes else "a bond" for n in places)
    text = f"{who or 'flows'} would drive {where} backwards, which has no inverse"
    if len(places) > 1:
        text = f"{who or 'flows'} would drive one of {where} backwards, and they have no inverse"
    return Fault(next((n for n in places if n in nodes), ""), text, _INVERSE)


_INVERSE = "give the inverse, or let the flow go from side 1 to side 2"
_APART = "remove one of them, or put a resistance or a store between them"


def _conflict(causality: Causality, clash: Clash) -> Finding:
    nodes = causality.graph.nodes
    elements = tuple(n for n in clash.by if n in nodes) or (clash.element,)
    return Finding("conflict", "; ".join(filter(None, _told(causality, clash))), elements)


def _told(causality: Causality, clash: Clash) -> tuple[str, str]:
    """What is wrong, and the cure if there is one in particular."""
    graph, place = causality.graph, causality.graph.nodes.get(clash.element)
    where = "a bond" if place is None else place.title
    if place is not None and place.dim > 1:
        where += f", component {place.label(clash.component, '')}"
    return _conflict_text(graph, clash, place, where)


def _conflict_text(
    graph: BondGraph, clash: Clash, place: Node | None, where: str
) -> tuple[str, str]:
    through = [n for n in clash.by if n in graph.nodes and graph.nodes[n].kind in TWO_SIDED]
    makers = [n for n in clash.by if n not in through] or through
    who = _listed(graph.nodes[n].title if n in graph.nodes else n for n in makers)
    if clash.what == "inverse" or (len(makers) == 1 and through and makers != through):
        place_text = where if clash.what == "inverse" else _listed(through)
        return f"{who} would drive {place_text} backwards, which has no inverse", _INVERSE
    variable = "effort" if place is not None and place.kind == "0" else "flow"
    if clash.what == "nobody":
        return f"nothing fixes the {variable} of {where}; bonded there: {who}", ""
    if place is None or not place.is_junction:
        return f"{who} contradict each other at {where}", ""
    both = "both fix" if len(makers) == 2 else "fix" if len(makers) > 2 else "fixes twice"
    text = f"{who} {both} the {variable} of {where}"
    if through and makers != through:
        text += f", through {_listed(through)}"
        if any(n in graph.nodes and graph.nodes[n].kind == "Sf" for n in makers):
            return text, "a closed loop of flows needs a constraintor CN in place of one Sf"
    return text, ""


def _dependent(causality: Causality, dependence: Dependence) -> Iterable[Finding]:
    """Stores of one kind and domain in one sentence, those that follow a source by themselves."""
    nodes = causality.graph.nodes
    counts: dict[str, int] = {}
    by: dict[str, dict[str, None]] = {}
    for r in causality.refused:
        counts[r.store] = counts.get(r.store, 0) + 1
        by.setdefault(r.store, {}).update(dict.fromkeys(dependence.givers(r.store, r.component)))
    groups: dict[tuple[str, str], list[Refusal]] = {}
    for store, count in counts.items():
        node, givers = nodes[store], by[store]
        if givers and all(nodes[n].kind in _SOURCES for n in givers):
            variable, own = "flow" if node.kind == "I" else "effort", list(givers)
            text = (f"{node.title}: its {variable} is fixed by {_listed(own)} ({_states(count)} "
                    "fewer); the time derivative of the source enters the equations")  # fmt: skip
            yield Finding("source derivative", text, (node.name, *own))
            continue
        for r in (r for r in causality.refused if r.store == store):
            domain = _domains(causality.graph, node)[r.component]
            groups.setdefault((node.kind, domain), []).append(r)
    for (_, domain), refused in groups.items():
        yield _dependent_group(causality, domain, refused, by)


def _domains(graph: BondGraph, store: Node) -> list[str]:
    """The domain of each component of a store; of stacked flows those of the bonds below SUM."""
    (junction, *_) = [b.tail for b in graph.bonds if b.head == store.name] or [""]
    stacked = next((b.tail for b in graph.bonds
                    if b.head == junction and graph.nodes[b.tail].kind == "SUM"), "")  # fmt: skip
    if store.domain or not stacked:
        return [store.domain] * store.dim
    return [b.domain for b in graph.bonds if b.head == stacked for _ in range(b.dim)]


def _dependent_group(
    causality: Causality, domain: str, refused: list[Refusal], by: dict[str, dict[str, None]]
) -> Finding:
    """bodies link1, link2: translation is dependent: 6 states fewer."""
    nodes = causality.graph.nodes
    stores = list(dict.fromkeys(r.store for r in refused))
    owners = list(dict.fromkeys(nodes[s].owner for s in stores if nodes[s].owner))
    total = len(refused)
    partial = total < sum(_domains(causality.graph, nodes[s]).count(domain) for s in stores)
    kind = nodes[stores[0]].kind
    others = [n for n in nodes.values() if n.kind == kind and n.owner in owners
              and n.name not in stores and domain in _domains(causality.graph, n)]  # fmt: skip
    if owners and domain and not others:
        who = f"{_listed(owners)}: {domain} is {'partly ' if partial else ''}dependent"
    else:
        who = f"{kind} {_listed(stores)}: {'partly ' if partial else ''}dependent"
    fixing = dict.fromkeys(name for s in stores for name in by[s] if nodes[name].kind in STORES)
    given = f" (given by {_listed(fixing)})" if fixing else ""
    return Finding("dependent", f"{who}{given}: {_states(total)} fewer", tuple(stores))


def _loops(dependence: Dependence) -> Iterable[Finding]:
    for stage in dependence.loops:
        members, n = dependence.members(stage), len(stage.tears)
        unknowns = f"{n} unknown" + ("s" if n > 1 else "")
        text = f"{_listed(members)} form an algebraic loop of {unknowns}"
        if len(members) == 1:
            text = f"{members[0]} is asked for what its law does not give: {unknowns}"
            if not dependence.outputs[stage.tears[0]].implicit:
                text = f"{members[0]} depends on itself: {unknowns}"
        yield Finding("loop", text, tuple(members))


def _states(count: int) -> str:
    return f"{count} state" + ("s" if count != 1 else "")


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return " and ".join(names) if len(names) < 3 else ", ".join(names)
