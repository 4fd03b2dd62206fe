"""Networks: bond graphs of a model, in any energy domain; and sub-graphs to build them of.

Parameters of networks have full names: ``drive.R`` is the parameter R of network drive.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import KW_ONLY, replace
from typing import Any, ClassVar

from pliant.errors import Fault, InputError, ModelError
from pliant.model.cures import Instead, curing
from pliant.model.fields import (
    Flag,
    Kind,
    Number,
    Optional,
    Table,
    Text,
    Written,
    has,
    settle,
    settled,
    shown,
)
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Name
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.networks import elements as el
from pliant.model.networks.entries import each, named, replaced_formula
from pliant.model.networks.kinds import Components, Domain
from pliant.records import dataclass

_ALIASES = {"0": "junction", "1": "junction", "L": "I", "Transformer": "TF", "Gyrator": "GY"}
Wrong = tuple[str, str, str]
"""What, cure, key."""


def read_fields(
    given: Mapping[Any, Any], fields: Mapping[str, tuple[str, Kind]], required: Collection[str] = ()
) -> tuple[dict[str, Any], list[Wrong]]:
    """Converted values by the names of fields, and what is wrong with the others."""
    values = {str(key): value for key, value in given.items()}
    made: dict[str, Any] = {}
    faults: list[Wrong] = []
    for key, (name, kind) in fields.items():
        if key not in values:
            faults += [(f"{key} is missing", f"add {key}", "")] if key in required else []
            continue
        try:
            made[name] = kind.convert(values[key])
        except ModelError as error:
            faults += [(f.what, f.cure, key) for f in error.faults]
        except InputError as error:
            faults.append((f"{key}: {error.what}", error.cure, key))
    unknown = [key for key in values if key not in fields]
    faults += [(f"unknown key '{key}'", did_you_mean(key, fields), key) for key in unknown]
    return made, faults


def element_from(value: Any) -> tuple[el.Element | None, list[Wrong]]:
    """An element from an element or a mapping, with every fault."""
    if isinstance(value, el.Element):
        return value, []
    if not isinstance(value, Mapping):
        what = f"{shown(value)} stands where a mapping is expected"
        return None, [(what, "write {R: 10 ohm, on: mesh}", "")]
    keys = [str(key) for key in value]
    found = [key for key in keys if key in el.KINDS]
    if len(found) != 1:
        several = (f"it is of several kinds: {', '.join(found)}", "keep one", "")
        return None, [several if found else _no_kind(keys)]
    (kind,) = found
    made, faults = read_fields(value, el.fields_of(kind))
    if faults:
        return None, faults
    if kind == "part":
        made["part"], made["file"] = made["part"]
    cls: Any = el.CLASSES[kind]
    return cls(**made, **({"kind": kind} if cls in (el.OnePort, el.TwoPort) else {})), []


def _no_kind(keys: Collection[str]) -> Wrong:
    for key in keys:
        cure = did_you_mean(_ALIASES.get(key, key), el.KINDS)
        if key in _ALIASES or cure.startswith("did you mean"):
            return f"unknown kind '{key}'", cure, key
    return "the kind of element is missing", f"add one of: {', '.join(el.KINDS)}", ""


@dataclass(frozen=True, slots=True)
class NetworkBond:
    """A half arrow between two elements; ``stroke``: the element at whose end the causal stroke is
    forced, the one that receives the effort."""

    tail: str
    head: str
    dim: int | None = None
    stroke: str = ""


@dataclass(frozen=True, slots=True)
class SubgraphPort:
    """A junction at which a sub-graph is bonded to others; the half arrow enters it unless
    ``outward``."""

    junction: str
    outward: bool = False


Found = tuple[Any, list[Wrong]]
_BOND: dict[str, tuple[str, Kind]] = {
    "from": ("tail", Text()),
    "to": ("head", Text()),
    "dim": ("dim", Components()),
    "stroke": ("stroke", Text()),
}
_PORT: dict[str, tuple[str, Kind]] = {
    "junction": ("junction", Text()),
    "outward": ("outward", Flag()),
}


@dataclass(frozen=True, slots=True)
class Network:
    """A bond graph: elements by name, each a mapping such as ``{"R": "10 ohm", "on": "mesh"}``.

    >>> circuit = pl.Network("circuit", {
    ...     "mains": {"Se": "12 V", "on": "mesh"}, "mesh": {"junction": 1},
    ...     "coil": {"I": "2 mH", "on": "mesh"}, "wire": {"R": "3 ohm", "on": "mesh"},
    ... }, domain="electrical")
    >>> result = pl.System(networks=[circuit]).simulate(t_end="10 ms")
    >>> f'{result["circuit.coil.flow"][-1].item():.3f} A'
    '4.000 A'
    """

    section: ClassVar[str] = "networks"
    noun: ClassVar[str] = "network"

    name: str
    elements: Written[Mapping[str, el.Element]] = settled(FrozenDict())
    _: KW_ONLY
    bonds: Written[Mapping[str, NetworkBond]] = settled(FrozenDict())
    domain: str = has(Domain(), "")
    parameters: Written[Mapping[str, Formula | None]] = has(
        Table(Number("")), FrozenDict(), "local numbers"
    )
    description: str = has(Text(), "", "what it is about")

    def __post_init__(self) -> None:
        _settled(self, (("elements", element_from), ("bonds", bond_from)))


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A bond graph with named ports, of which networks hold copies; a parameter None must be given
    where a copy is made.

    >>> pl.Subgraph("filter", {"R": {"R": "3 ohm", "on": "mesh"}, "mesh": {"junction": 1}}).name
    'filter'
    """

    section: ClassVar[str] = "subgraphs"
    noun: ClassVar[str] = "subgraph"

    name: str
    elements: Written[Mapping[str, el.Element]] = settled(FrozenDict())
    _: KW_ONLY
    ports: Written[Mapping[str, SubgraphPort]] = settled(FrozenDict())
    bonds: Written[Mapping[str, NetworkBond]] = settled(FrozenDict())
    domain: str = has(Domain(), "")
    parameters: Written[Mapping[str, Formula | None]] = has(
        Table(Optional(Number(""))), FrozenDict(), "its own numbers; null: must be given"
    )
    description: str = has(Text(), "", "what it is about")

    def __post_init__(self) -> None:
        _settled(self, (("elements", element_from), ("bonds", bond_from), ("ports", port_from)))


Graph = Network | Subgraph


def bond_from(value: Any) -> Found:
    """`b1: {from: a, to: b, dim: 3, stroke: b}`."""
    if isinstance(value, NetworkBond):
        return value, []
    made, faults = _read(value, _BOND, ("from", "to"), "write {from: a, to: b}")
    bond = NetworkBond(**({"tail": "", "head": ""} | made))
    if bond.stroke and bond.stroke not in (bond.tail, bond.head):
        what = f"stroke: '{bond.stroke}' is not at an end of it"
        ends = (Instead(bond.stroke, end) for end in (bond.tail, bond.head))
        faults.append((what, curing(f"write {bond.tail} or {bond.head}", *ends), "stroke"))
    return bond, faults


def port_from(value: Any) -> Found:
    """`shaft: rotor`, or {junction: rotor, outward: true}."""
    if isinstance(value, SubgraphPort):
        return value, []
    if isinstance(value, str) and value.strip():
        return SubgraphPort(value.strip()), []
    cure = "write the name of a junction, or {junction: shaft, outward: true}"
    made, faults = _read(value, _PORT, ("junction",), cure)
    return SubgraphPort(**({"junction": ""} | made)), faults


def _read(
    value: Any, fields: Mapping[str, tuple[str, Kind]], required: tuple[str, ...], cure: str
) -> tuple[dict[str, Any], list[Wrong]]:
    given = value if isinstance(value, Mapping) else {}
    made, faults = read_fields(given, fields, required)
    if given is not value:
        faults.insert(0, (f"{shown(value)} stands where a mapping is expected", cure, ""))
    return made, faults


def _settled(graph: Any, readers: tuple[tuple[str, Callable[[Any], Found]], ...]) -> None:
    """Convert everything in place; raise ModelError with all faults."""
    faults: list[Fault] = []
    try:
        settle(graph, graph.section, graph.noun)
    except ModelError as error:
        faults += error.faults
    for key, read in readers:
        kept, found = contents(graph, key, getattr(graph, key), read)
        object.__setattr__(graph, key, FrozenDict(kept))
        faults += found
    if faults:
        raise ModelError(faults)


def contents(
    graph: Any, key: str, value: Any, read: Callable[[Any], Found]
) -> tuple[dict[str, Any], list[Fault]]:
    """The elements, bonds or ports that could be read, and the faults of the others."""
    path = (graph.section, str(graph.name), key)
    if not isinstance(value, Mapping):
        what = f"{key}: {shown(value)} stands where a mapping is expected"
        fault = Fault(f"{graph.noun} '{graph.name}'", what, "write name: {...} for each", path=path)
        return {}, [fault]
    kept, faults = {}, []
    for name, one in value.items():
        made, found = read(one)
        if not found:
            kept[str(name)] = made
        for what, cure, sub in found:
            who = f"{_NOUNS[key]} '{graph.name}.{name}'"
            place = (*path, str(name), sub) if sub else (*path, str(name))
            faults.append(Fault(who, what, cure, path=place))
    return kept, faults


_NOUNS = {"elements": "element", "bonds": "bond", "ports": "port"}


def parts_of(graph: Graph) -> Iterator[tuple[str, el.SubgraphUse]]:
    """The copies of sub-graphs in a graph, by name."""
    for name, element in graph.elements.items():
        if isinstance(element, el.SubgraphUse):
            yield name, element


def structural(network: Network) -> frozenset[str]:
    """Parameters that are the number 0 and stand for an I, an R or a parameter of a part: elements
    that are left out (``flat``), which no run can change."""
    given = {n: f for n, f in network.parameters.items() if f is not None}
    zero = {n for n, f in given.items() if f.is_constant and f.value == 0}
    used: set[str] = set()
    for element in network.elements.values():
        if isinstance(element, el.OnePort) and element.kind in ("I", "R"):
            values = [f for entries in element.law.values() for _, f in each(entries)]
        else:
            values = [*element.parameters.values()] if isinstance(element, el.SubgraphUse) else []
        used |= {f.tree.name for f in values if isinstance(f.tree, Name)}
    return frozenset(zero & used)


def local_parameters(
    networks: Mapping[str, Network], others: Mapping[str, Formula]
) -> dict[str, Formula]:
    """Those of all networks, as formulas in full names and in ``others``, the parameters of the
    model. What depends on itself or on something else is left out: validation names it."""
    found: dict[str, Formula] = {}
    for network in networks.values():
        fixed = structural(network)
        names = {n: named(f"{network.name}.{n}") for n in network.parameters if n not in fixed}
        names |= {n: f for n, f in network.parameters.items() if f is not None and n in fixed}
        waiting = {f"{network.name}.{n}": replaced_formula(f, names)
                   for n, f in network.parameters.items()
                   if f is not None and n not in fixed}  # fmt: skip
        known = {*others, *found}
        while ready := [n for n, f in waiting.items() if f.names <= known]:
            found |= {n: waiting.pop(n) for n in ready}
            known.update(ready)
    return found


def with_local(networks: Mapping[str, Network], changes: Mapping[str, Any]) -> FrozenDict[Network]:
    """Networks with other values of some parameters, by full names."""
    changed = {}
    for name, network in networks.items():
        start = f"{name}."
        own = {k.removeprefix(start): v for k, v in changes.items() if k.startswith(start)}
        changed[name] = network
        if own:
            changed[name] = replace(network, parameters={**network.parameters, **own})
    return FrozenDict(changed)
