"""What a network holds of the mechanism without a constraintor that was drawn.

A transformer between two joints, or a source of flow at one, says something of velocities that the
mechanism gives already. Where two such flows meet, a constraintor between them holds their
difference at zero; its effort, that of the bond, is the multiplier λ:

    bond a -> b, a flow given at both ends         a -> 0 -> b with CN at 0        f_a - f_b = 0
    0-junction at which every flow is given        CN at it                        Σ σ f = 0

Flows of stores are no part of it: what the mechanism makes them is derivative causality. Nor may
what is held read velocities: λ would not act on what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from pliant.bonds.causality import Causality
from pliant.bonds.dependence import Dependence, flow_of
from pliant.bonds.elements import TRANSFORMERS, TWO_SIDED, Bond
from pliant.bonds.graph import BondGraph
from pliant.bonds.laws import Numbers
from pliant.bonds.propagation import Clash
from pliant.bonds.structure import EvaluatedLaws, at_defaults, structural_state
from pliant.errors import ModelError
from pliant.model.networks.structure import Link
from pliant.records import dataclass

Trial = Callable[[tuple["Hold", ...]], tuple[Causality, frozenset[str]]]
"""Causality of a network that holds something, and the elements that stand for the mechanics."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A constraintor in a bond, or at a 0-junction. ``of``: the element whose effort is the
    multiplier; its piece of the bond keeps the name."""

    at: str
    of: str
    in_bond: bool = False

    @property
    def junction(self) -> str:
        """The 0-junction at which the two flows meet."""
        return f"{self.of}.0" if self.in_bond else self.at

    @property
    def constraintor(self) -> str:
        return f"{self.of}.CN"


def parted(link: Link, hold: Hold) -> tuple[Link, Link]:
    """The two pieces of a bond in which a constraintor stands."""
    rest, at = f"{link.name}.held", hold.junction
    first, last = (rest, link.name) if hold.of == link.head else (link.name, rest)
    return (
        Link(first, link.tail, at, link.dim, link.domain, link.stroke if last == rest else ""),
        Link(last, at, link.head, link.dim, link.domain, link.stroke if first == rest else ""),
    )


def holds(trial: Trial) -> tuple[Hold, ...]:
    """What must be held so that nothing contradicts, as far as that is the mechanism's motion."""
    found: tuple[Hold, ...] = ()
    causality, mechanics = _tried(trial, found)
    while causality is not None and causality.conflicts:
        step = _step(trial, found, causality, mechanics)
        if step is None:
            return found
        found, causality = step
    if causality is None or not found:
        return ()
    dependence = Dependence(causality.graph, causality)
    return tuple(h for h in found if _is_mechanical(dependence, mechanics, h.constraintor))


def _tried(trial: Trial, found: tuple[Hold, ...]) -> tuple[Causality | None, frozenset[str]]:
    try:
        return trial(found)
    except ModelError:  # of its laws, which others report
        return None, frozenset()


def _step(
    trial: Trial, found: tuple[Hold, ...], causality: Causality, mechanics: Set[str]
) -> tuple[tuple[Hold, ...], Causality] | None:
    """One more, after which there are fewer conflicts."""
    for hold in dict.fromkeys(_candidates(causality, mechanics)):
        more, _ = _tried(trial, (*found, hold))
        if more is not None and len(more.conflicts) < len(causality.conflicts):
            return (*found, hold), more
    return None


def _candidates(causality: Causality, mechanics: Set[str]) -> Iterator[Hold]:
    """Where conflicts can be held. Sources that contradict each other are not."""
    graph, clashes = causality.graph, causality.conflicts
    if not any(_is_of_sources(graph, clash, mechanics) for clash in clashes):
        for clash in clashes:
            yield from _places(graph, clash, mechanics)


def _is_of_sources(graph: BondGraph, clash: Clash, mechanics: Set[str]) -> bool:
    makers = [n for n in clash.by if n in graph.nodes and graph.nodes[n].kind == "Sf"]
    return len(makers) > 1 and mechanics.isdisjoint(makers)


def _places(graph: BondGraph, clash: Clash, mechanics: Set[str]) -> Iterator[Hold]:
    """In the bond of a source or transformer rather than in one between junctions."""
    place = graph.nodes.get(clash.element)
    if clash.what == "nobody":
        if place is not None and place.kind == "0" and len(graph.attached(place.name)) > 1:
            yield Hold(place.name, place.name)
        return
    makers = [n for n in clash.by if n in graph.nodes and graph.nodes[n].kind == "Sf"]
    places = [*(b for n in makers for b, _ in graph.attached(n)), *clash.bonds]
    bonds = [graph.bonds[b] for b in dict.fromkeys(places)]
    own = [b for b in bonds if mechanics.isdisjoint((b.tail, b.head))]
    for bond in sorted(own, key=lambda b: _rank(graph, b)):
        yield Hold(bond.name, _owner(graph, bond), in_bond=True)


def _rank(graph: BondGraph, bond: Bond) -> int:
    """A source, then the side to which the flow of a transformer goes."""
    kinds = graph.nodes[bond.tail].kind, graph.nodes[bond.head].kind
    wanted: Sequence[bool] = ("Sf" in kinds, kinds[0] in TWO_SIDED, kinds[1] in TWO_SIDED)
    return next((k for k, found in enumerate(wanted) if found), len(wanted))


def _owner(graph: BondGraph, bond: Bond) -> str:
    """The element of the bond that is no junction, or the bond itself."""
    ends = (bond.tail, bond.head)
    return next((n for n in ends if not graph.nodes[n].is_junction), bond.name)


def _is_mechanical(dependence: Dependence, mechanics: Set[str], constraintor: str) -> bool:
    """Whether flows of the mechanics meet there, alone or with those of sources."""
    nodes = dependence.graph.nodes
    givers = {n for v in held_flows(dependence, constraintor) for n in dependence.roots(v)}
    return not mechanics.isdisjoint(givers) and {nodes[n].kind for n in givers} <= {"Sf"}


def held_flows(dependence: Dependence, constraintor: str) -> list[int]:
    """The flows whose sum a constraintor holds at zero, as variables."""
    return [flow_of(end) for end in dependence.graph.ends(constraintor)]


def velocities_read(
    dependence: Dependence, mechanics: Set[str], constraintor: str
) -> Iterator[str]:
    """Efforts and flows of elements that what is held reads, and that follow velocities of the
    mechanics."""
    names = {dependence.variable(r): r.name for n in dependence.graph.nodes.values()
             for r in n.reads if not r.state}  # fmt: skip
    behind = (o for v in held_flows(dependence, constraintor) for o in dependence.behind(v))
    for read in dict.fromkeys(v for o in behind for v in o.reads):
        if not mechanics.isdisjoint(dependence.roots(read)):
            yield names[read]


def ratios_of_zero(graph: BondGraph, numbers: Numbers) -> list[str]:
    """Transformers of one ratio that is 0 at the values of the parameters."""
    state = structural_state(graph, numbers=numbers)
    laws = EvaluatedLaws(graph, state)
    single = (n for n in graph.nodes.values()
              if n.kind in TRANSFORMERS and laws.shape(n) == (1, 1))  # fmt: skip
    return [n.name for n in single if at_defaults(state, laws.matrix(n)[0, 0]) == 0]
