"""Energy domains with their units, what fields of network elements may hold, one-ports and laws."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pliant.errors import Fault, InputError, ModelError
from pliant.model.cures import Leave, curing
from pliant.model.fields import Number, Plain, shown
from pliant.model.formulas import Formula
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.networks.entries import Entries, each, entries, plain_entries
from pliant.model.numbers.paths import FilePath
from pliant.model.numbers.units import Dimension, dimension_of
from pliant.records import dataclass

UNITS: dict[str, dict[str, str]] = {
    "translation": {
        "effort": "N", "flow": "m/s", "displacement": "m", "inertia": "kg",
        "resistance": "N*s/m", "capacity": "m/N", "stiffness": "N/m",
    },
    "rotation": {
        "effort": "N*m", "flow": "rad/s", "displacement": "rad", "inertia": "kg*m^2",
        "resistance": "N*m*s/rad", "capacity": "rad/N/m", "stiffness": "N*m/rad",
    },
    "electrical": {
        "effort": "V", "flow": "A", "displacement": "C", "inertia": "H",
        "resistance": "ohm", "capacity": "F", "stiffness": "V/C",
    },
    "hydraulic": {
        "effort": "Pa", "flow": "m^3/s", "displacement": "m^3", "inertia": "Pa*s^2/m^3",
        "resistance": "Pa*s/m^3", "capacity": "m^3/Pa", "stiffness": "Pa/m^3",
    },
    "thermal": {
        "effort": "K", "flow": "W", "displacement": "J", "inertia": "K*s/W",
        "resistance": "K/W", "capacity": "J/K", "stiffness": "K/J",
    },
}  # fmt: skip
"""Unit of each quantity and of each constant of a linear law, by domain."""
DOMAINS = ("", *UNITS)


def ratio_dimension(above: tuple[str, str], below: tuple[str, str]) -> Dimension | None:
    """Dimension of one quantity over another, each as (domain, quantity), without angles; None if
    a domain is not known."""
    if "" in (above[0], below[0]):
        return None
    one, two = (dimension_of(UNITS[domain][quantity]) for domain, quantity in (above, below))
    return (one * two**-1).without_angle


MAX_DIM = 100
_ENTRIES: dict[str, Any] = {"$ref": "#/$defs/entries"}
_NOTHING: dict[str, Any] = {"anyOf": [{"type": "null"}, {"type": "object", "maxProperties": 0}]}


@dataclass(frozen=True, slots=True)
class OnePortKind:
    """What may be said of a kind of one-port.

    main: the constant or law that a bare number means; variables: own variable of each law that is
    a relation; initial: quantities that may be given at the start, the first by a bare number.
    """

    main: str = ""
    constants: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    initial: tuple[str, ...] = ()

    @property
    def laws(self) -> tuple[str, ...]:
        """Keys of all its constants and relations."""
        return (*self.constants, *(law for law, _ in self.variables))

    def variable(self, law: str) -> str:
        """The own variable that a relation reads; empty for constants."""
        return dict(self.variables).get(law, "")


ONE_PORTS = {
    "Se": OnePortKind("effort", ("effort",)),
    "Sf": OnePortKind("flow", ("flow",)),
    "I": OnePortKind(
        "inertia", ("inertia",), (("momentum", "f"), ("coenergy", "f")), ("flow",),
    ),
    "C": OnePortKind(
        "capacity", ("capacity", "stiffness"),
        (("effort", "q"), ("displacement", "e"), ("energy", "q")), ("displacement", "effort"),
    ),
    "R": OnePortKind("resistance", ("resistance",), (("effort", "f"), ("flow", "e"))),
    "MR": OnePortKind("effort", (), (("effort", "f"),)),
    "EJS": OnePortKind("effort", (), (("effort", "f"), ("flow", "e"))),
    "CN": OnePortKind(),
}  # fmt: skip
_EITHER = {
    (kind, laws): (f"{kind}: {laws[0]} and {laws[1]} are given",
           curing(f"keep one: {why}", Leave(laws[1:]), Leave(laws[:1])))
    for kind, laws, why in (
        ("C", ("effort", "energy"), "effort is dE/dq"),
        ("I", ("momentum", "coenergy"), "momentum is the derivative of coenergy"),
        ("EJS", ("effort", "flow"), "one says all"),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class JunctionKind(Plain):
    """0 or 1."""

    def convert(self, value: Any) -> int:
        if isinstance(value, bool) or value not in (0, 1, "0", "1"):
            raise InputError(f"{shown(value)} is not a junction",
                             "write 0 (common effort) or 1 (common flow)")  # fmt: skip
        return int(value)

    def schema(self) -> dict[str, Any]:
        return {"enum": [0, 1, "0", "1"]}


@dataclass(frozen=True, slots=True)
class Components(Plain):
    """A count of components."""

    def convert(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_DIM:
            what = f"{shown(value)} is not a number of components"
            raise InputError(what, f"give 1 to {MAX_DIM}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1, "maximum": MAX_DIM}


@dataclass(frozen=True, slots=True)
class Domain(Plain):
    """The name of a domain."""

    def convert(self, value: Any) -> str:
        if value not in DOMAINS:
            known = [d for d in DOMAINS if d]
            cure = did_you_mean(str(value), known) or f"known: {', '.join(known)}"
            raise InputError(f"{shown(value)} is not a domain", cure)
        return str(value)

    def schema(self) -> dict[str, Any]:
        return {"enum": [d for d in DOMAINS if d]}


@dataclass(frozen=True, slots=True)
class Matrix:
    """A number, a list or a matrix of formulas; a word instead of it: `transpose`."""

    words: tuple[str, ...] = ()

    def convert(self, value: Any) -> Entries | str:
        if value is None and not self.words:
            raise InputError("its value is missing", "give a ratio or a matrix")
        return value if isinstance(value, str) and value in self.words else entries(value)

    def plain(self, value: Entries | str) -> Any:
        return value if isinstance(value, str) else plain_entries(value)

    def schema(self) -> dict[str, Any]:
        words = [{"const": word} for word in self.words]
        return {"anyOf": [*words, _ENTRIES]} if words else _ENTRIES

    def formulas(self, value: Entries | str) -> Iterator[tuple[str, Formula, Number]]:
        return iter(()) if isinstance(value, str) else _formulas(value)


@dataclass(frozen=True, slots=True)
class Nothing(Plain):
    """A kind that takes no value."""

    kind: str

    def convert(self, value: Any) -> Any:
        if value is not None and value != {}:
            fault = Fault("", f"{self.kind} takes no value", f"write {self.kind}: {{}}")
            raise ModelError([fault])
        return FrozenDict() if self.kind in ONE_PORTS else None

    def plain(self, value: Any) -> dict[str, Any]:
        return {}

    def schema(self) -> dict[str, Any]:
        return _NOTHING


@dataclass(frozen=True, slots=True)
class Permutation:
    """Nothing, or rows of zeros with a single one."""

    def convert(self, value: Any) -> Entries | None:
        return None if value is None or value == {} else entries(value)

    def plain(self, value: Entries | None) -> Any:
        return {} if value is None else plain_entries(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [_NOTHING, _ENTRIES]}

    def formulas(self, value: Entries | None) -> Iterator[tuple[str, Formula, Number]]:
        return iter(()) if value is None else _formulas(value)


@dataclass(frozen=True, slots=True)
class ByName:
    """Numbers by the names of quantities; a bare value means the first."""

    key: str
    allowed: tuple[str, ...]

    def convert(self, value: Any) -> Mapping[str, Entries]:
        found, faults = self._found(value)
        if len(found) > 1:
            faults.append(self._fault(f"{' and '.join(found)} are given", "keep one"))
        if faults:
            raise ModelError(faults)
        return found

    def _found(self, value: Any) -> tuple[FrozenDict[Entries], list[Fault]]:
        found, faults = {}, []
        for name, one in (value if isinstance(value, Mapping) else {self.main: value}).items():
            if name not in self.allowed:
                faults.append(self._fault(f"unknown key '{name}'",
                                          did_you_mean(str(name), self.allowed)))  # fmt: skip
                continue
            try:
                found[str(name)] = entries(one)
            except InputError as error:
                faults.append(self._fault(f"{name}: {error.what}", error.cure))
        return FrozenDict(found), faults

    def _fault(self, what: str, cure: str) -> Fault:
        return Fault("", f"{self.key}: {what}", cure)

    @property
    def main(self) -> str:
        """What a bare value means."""
        return self.allowed[0]

    def plain(self, value: Mapping[str, Entries]) -> Any:
        plain = {name: plain_entries(v) for name, v in value.items()}
        return plain[self.main] if list(plain) == [self.main] else plain

    def schema(self) -> dict[str, Any]:
        few = self._named() | {"maxProperties": 1}
        return {"anyOf": [_ENTRIES, few], "short": self.allowed[0] if self.allowed else ""}

    def _named(self) -> dict[str, Any]:
        properties = dict.fromkeys(self.allowed, _ENTRIES)
        return {"type": "object", "properties": properties, "additionalProperties": False}

    def formulas(self, value: Mapping[str, Entries]) -> Iterator[tuple[str, Formula, Number]]:
        for v in value.values():
            yield from _formulas(v)


@dataclass(frozen=True, slots=True)
class Law(ByName):
    """The constant or the laws of a one-port."""

    @property
    def main(self) -> str:
        return ONE_PORTS[self.key].main

    def convert(self, value: Any) -> Mapping[str, Entries]:
        if value is None:
            raise InputError("its value is missing", f"give {self.main}")
        found, faults = self._found(value)
        if not found and not faults:
            faults.append(
                self._fault("its law is missing", f"give one of {', '.join(self.allowed)}")
            )
        if len(found) > 1 and not found.keys().isdisjoint(ONE_PORTS[self.key].constants):
            faults.append(self._fault(f"{' and '.join(found)} are given", "keep one"))
        if self.key == "C" and list(found) == ["displacement"]:
            faults.append(self._fault("its effort is missing", "give effort as a formula of q"))
        faults += [Fault("", *said) for (kind, laws), said in _EITHER.items()
                   if kind == self.key and found.keys() >= {*laws}]  # fmt: skip
        if faults:
            raise ModelError(faults)
        return found

    def schema(self) -> dict[str, Any]:
        named = self._named() | {"minProperties": 1, "maxProperties": 2}
        return {"anyOf": [_ENTRIES, named], "short": ONE_PORTS[self.key].main}

    def formulas(self, value: Mapping[str, Entries]) -> Iterator[tuple[str, Formula, Number]]:
        """``local`` of a formula is its own variable, such as f."""
        for law, v in value.items():
            yield from _formulas(v, {ONE_PORTS[self.key].variable(law)} - {""})


@dataclass(frozen=True, slots=True)
class Source(Plain):
    """The name of a sub-graph, or {file: pump.yaml}: name and file."""

    def convert(self, value: Any) -> tuple[str, str]:
        if isinstance(value, str) and value.strip():
            return value.strip(), ""
        if not isinstance(value, Mapping):
            what = f"{shown(value)} is not a sub-graph"
            raise InputError(what, "write its name, or {file: pump.yaml}")
        faults, file = [], ""
        try:
            file = FilePath().convert(value["file"])
        except KeyError:
            faults.append(Fault("", "part: file is missing", "add file"))
        except InputError as error:
            faults.append(Fault("", f"part: file: {error.what}", error.cure))
        faults += [Fault("", f"part: unknown key '{key}'", did_you_mean(str(key), ("file",)))
                   for key in value if key != "file"]  # fmt: skip
        if faults:
            raise ModelError(faults)
        return "", file

    def schema(self) -> dict[str, Any]:
        text = {"type": "string"}
        file = {"type": "object", "properties": {"file": text}, "additionalProperties": False}
        return {"anyOf": [text, file | {"required": ["file"]}]}


def _formulas(value: Entries, local: Collection[str] = ()) -> Iterator[tuple[str, Formula, Number]]:
    kind = Number("", local=frozenset(local))
    return ((place, f, kind) for place, f in each(value))
