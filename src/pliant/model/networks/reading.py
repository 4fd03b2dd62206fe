"""Elements of networks from mappings, and back; faults are gathered, not raised one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import (
    Flag,
    Kind,
    NameOrNames,
    Number,
    Numbers,
    Reference,
    Table,
    Text,
    Word,
    shown,
)
from pliant.model.named import Named, did_you_mean
from pliant.model.networks.domains import DOMAINS
from pliant.model.networks.elements import (
    KINDS,
    ONE_PORTS,
    STROKES,
    TWO_PORTS,
    Element,
    FramePort,
    JointPort,
    Junction,
    OnePort,
    Part,
    TwoPort,
)
from pliant.model.networks.entries import Entries, entries
from pliant.model.paths import FilePath

MAX_DIM = 100
_ALIASES = {"0": "junction", "1": "junction", "L": "I", "Transformer": "TF", "Gyrator": "GY"}


@dataclass(slots=True)
class Given:
    """What is said of one element (or bond, or port) while it is read."""

    values: dict[str, Any]
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    """(what, cure, key) of each fault."""

    def fault(self, what: str, cure: str = "", key: str = "") -> None:
        self.faults.append((what, cure, key))

    def take(self, key: str, kind: Kind | Callable[[Any], Any], default: Any = None) -> Any:
        """The converted value of a key, which is then done with."""
        if key not in self.values:
            return default
        value = self.values.pop(key)
        try:
            return kind(value) if callable(kind) else kind.convert(value)
        except InputError as error:
            self.fault(f"{key}: {error.what}", error.cure, key)
            return default

    def need(self, key: str, kind: Kind | Callable[[Any], Any], default: Any = None) -> Any:
        """The same of a key that may not be left out."""
        if key not in self.values:
            self.fault(f"{key} is missing", f"add {key}")
            return default
        return self.take(key, kind, default)

    def no_more(self, allowed: Collection[str]) -> None:
        """Keys that are left over are unknown."""
        for key in self.values:
            self.fault(f"unknown key '{key}'", did_you_mean(str(key), allowed), str(key))


def element_from(value: Any) -> tuple[Element | None, list[tuple[str, str, str]]]:
    """An element from an element or a mapping, with every fault (what, cure, key)."""
    if isinstance(value, Element):
        return value, []
    if not isinstance(value, Mapping):
        what = f"{shown(value)} stands where a mapping is expected"
        return None, [(what, "write {R: 10 ohm, on: mesh}", "")]
    given = Given({str(k): v for k, v in value.items()})
    kind = _kind(given)
    if kind is None:
        return None, given.faults
    made = _READERS[kind](given, kind)
    given.no_more(KEYS[kind])
    return (None if given.faults else made), given.faults


def _kind(given: Given) -> str | None:
    found = [key for key in given.values if key in KINDS]
    if len(found) == 1:
        return found[0]
    if found:
        given.fault(f"it is of several kinds: {', '.join(found)}", "keep one")
        return None
    for key in given.values:
        cure = did_you_mean(_ALIASES.get(key, key), KINDS)
        if key in _ALIASES or cure.startswith("did you mean"):
            given.fault(f"unknown kind '{key}'", cure, key)
            return None
    given.fault("the kind of element is missing", f"add one of: {', '.join(KINDS)}")
    return None


def whole(value: Any) -> int:
    """A count of components."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_DIM:
        raise InputError(f"{shown(value)} is not a number of components", f"give 1 to {MAX_DIM}")
    return value


def _common(value: Any) -> int:
    if isinstance(value, bool) or value not in (0, 1, "0", "1"):
        raise InputError(f"{shown(value)} is not a junction",
                         "write 0 (common effort) or 1 (common flow)")  # fmt: skip
    return int(value)


def domain(value: Any) -> str:
    """The name of a domain."""
    if value not in DOMAINS:
        known = [d for d in DOMAINS if d]
        cure = did_you_mean(str(value), known) or f"known: {', '.join(known)}"
        raise InputError(f"{shown(value)} is not a domain", cure)
    return str(value)


def _junction(given: Given, kind: str) -> Element:
    common = given.take(kind, _common, 0)
    return Junction(common, given.take("dim", whole, 1), given.take("domain", domain, ""))


def _joint(given: Given, kind: str) -> Element:
    return JointPort(given.take(kind, Reference("joint"), ""), given.take("coordinate", Text()))


def _frame(given: Given, kind: str) -> Element:
    return FramePort(
        given.take(kind, Reference("frame"), ""),
        given.take("direction", Numbers(3)),
        given.take("rotation", Flag(), False),
    )


def _one_port(given: Given, kind: str) -> Element:
    return OnePort(
        kind,
        Named(_law(given, kind)),
        given.take("on", NameOrNames(), ()),
        Named(_initial(given, kind)),
        given.take("stroke", Word(STROKES), ""),
        given.take("domain", domain, ""),
    )


def _law(given: Given, kind: str) -> dict[str, Entries]:
    """Laws and constants under the kind key: a bare value means the main one."""
    value, about = given.values.pop(kind), ONE_PORTS[kind]
    if not about.main:
        if value is not None and value != {}:
            given.fault(f"{kind} takes no value", f"write {kind}: {{}}", kind)
        return {}
    if value is None:
        given.fault(f"{kind}: its value is missing", f"give {about.main}", kind)
        return {}
    laws = value if isinstance(value, Mapping) else {about.main: value}
    found = _table(given, kind, laws, about.laws)
    if not found and not given.faults:
        given.fault(f"{kind}: its law is missing", f"give one of {', '.join(about.laws)}", kind)
    constants = [law for law in found if law in about.constants]
    if len(found) > 1 and constants:
        given.fault(f"{kind}: {' and '.join(found)} are given", "keep one", kind)
    if kind == "C" and list(found) == ["displacement"]:
        given.fault("C: its effort is missing", "give effort as a formula of q", kind)
    if {"effort", "energy"} <= found.keys():
        given.fault("C: effort and energy are given", "keep one: effort is dE/dq", kind)
    if {"momentum", "coenergy"} <= found.keys():
        cure = "keep one: momentum is the derivative of coenergy"
        given.fault("I: momentum and coenergy are given", cure, kind)
    return found


def _table(
    given: Given, key: str, values: Mapping[Any, Any], allowed: Collection[str]
) -> dict[str, Entries]:
    """Numbers by the names of quantities."""
    found = {}
    for name, value in values.items():
        if name not in allowed:
            given.fault(f"{key}: unknown key '{name}'", did_you_mean(str(name), allowed), key)
            continue
        try:
            found[str(name)] = entries(value)
        except InputError as error:
            given.fault(f"{key}: {name}: {error.what}", error.cure, key)
    return found


def _initial(given: Given, kind: str) -> dict[str, Entries]:
    allowed = ONE_PORTS[kind].initial
    if "initial" not in given.values or not allowed:
        return {}
    value = given.values.pop("initial")
    found = _table(
        given, "initial", value if isinstance(value, Mapping) else {allowed[0]: value}, allowed
    )
    if len(found) > 1:
        given.fault(f"initial: {' and '.join(found)} are given", "keep one", "initial")
    return found


def _two_port(given: Given, kind: str) -> Element:
    value = given.values.pop(kind)
    matrix: Entries | None = None
    if kind == "SUM":
        if value is not None and value != {}:
            given.fault("SUM takes no value", "write SUM: {}", kind)
    elif value is None:
        given.fault(f"{kind}: its value is missing", "give a ratio or a matrix", kind)
    else:
        given.values[kind] = value
        matrix = given.take(kind, entries)
    inverse = given.take("inverse", _inverse) if kind != "SUM" else None
    tails, heads = (given.take(key, NameOrNames(), ()) for key in ("from", "to"))
    return TwoPort(kind, matrix, tails, heads, inverse)


def _inverse(value: Any) -> Entries | str:
    return "transpose" if value == "transpose" else entries(value)


def _part(given: Given, kind: str) -> Element:
    value = given.values.pop(kind)
    name = file = ""
    if isinstance(value, Mapping):
        inside = Given({str(k): v for k, v in value.items()})
        file = inside.need("file", FilePath(), "")
        inside.no_more(("file",))
        given.faults += [(f"part: {what}", cure, kind) for what, cure, _ in inside.faults]
    elif isinstance(value, str) and value.strip():
        name = value.strip()
    else:
        given.fault(f"part: {shown(value)} is not a sub-graph",
                    "write its name, or {file: pump.yaml}", kind)  # fmt: skip
    return Part(
        name,
        file,
        given.take("with", Table(Number("")), Named()),
        given.take("ports", Table(Text()), Named()),
    )


_READERS: dict[str, Callable[[Given, str], Element]] = {
    "junction": _junction,
    "joint": _joint,
    "frame": _frame,
    "part": _part,
    **dict.fromkeys(ONE_PORTS, _one_port),
    **dict.fromkeys(TWO_PORTS, _two_port),
}
KEYS: dict[str, tuple[str, ...]] = {
    "junction": ("junction", "dim", "domain"),
    "joint": ("joint", "coordinate"),
    "frame": ("frame", "direction", "rotation"),
    "part": ("part", "with", "ports"),
    **{
        kind: (kind, "on", *(["initial"] if about.initial else []), "stroke", "domain")
        for kind, about in ONE_PORTS.items()
    },
    **{kind: (kind, "from", "to", "inverse") for kind in TWO_PORTS if kind != "SUM"},
    "SUM": ("SUM", "from", "to"),
}
"""What may be said of an element of each kind."""
