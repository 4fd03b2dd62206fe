"""Fields of elements: what a value may be, its unit, and which names its formulas may read.

Every dataclass of the model declares its fields with these kinds. The constructors convert and
check with them, files are read and written with them, the JSON Schema is generated from them and
validation finds the formulas through them: one declaration, one meaning.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pliant.errors import Fault, FormulaError, InputError, ModelError, UnitError
from pliant.model.cures import Instead, expected, steps_of, words_only
from pliant.model.formulas import Formula, formula
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.numbers.units import Dimension, dimension_of
from pliant.records import dataclass

Numeric = float | int | str | Formula
_MISSING: Any = dataclasses.MISSING
Vec3 = tuple[Formula, Formula, Formula]

if TYPE_CHECKING:
    Held = TypeVar("Held", covariant=True)
    Taken = TypeVar("Taken", contravariant=True)

    class Settled(Generic[Held, Taken]):
        """What a type checker sees: constructors take numbers and texts, attributes formulas."""

        def __get__(self, owner: object, kind: Any = None) -> Held: ...
        def __set__(self, owner: object, value: Taken) -> None: ...

    Quantity = Settled[Formula, Numeric]
    OptionalQuantity = Settled[Formula | None, Numeric | None]
    Vector = Settled[Vec3, Sequence[Numeric]]
    OptionalVector = Settled[Vec3 | None, Sequence[Numeric] | None]
    PartialVector = Settled[tuple[Formula | None, ...] | None, Sequence[Numeric | None] | None]
    Quantities = Settled[tuple[Formula, ...], Sequence[Any] | Mapping[str, Any]]
    Own = TypeVar("Own")
    Written = Settled[Own, Own | Mapping[str, Any] | Iterable[Any]]
    """What may also be given as it stands in a file."""
else:
    Quantity = OptionalQuantity = Vector = OptionalVector = PartialVector = Quantities = object
    Written = object

# Which names a formula may read (model/validation/references.py says what they mean).
CONSTANT, TIME, STATE, ANYTHING = "constant", "time", "state", "anything"


class Kind(Protocol):
    """What a field may hold."""

    def convert(self, value: Any) -> Any:
        """The settled value; raises InputError."""

    def plain(self, value: Any) -> Any:
        """The value as it stands in a file."""

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""

    def formulas(self, value: Any) -> Iterator[tuple[str, Formula, Number]]:
        """Every formula in the value: a label such as "[2]", the formula, its kind."""


_STATION = re.compile(r"[0-9][0-9.e-]*[0-9]|[0-9]")
"""A place along a body at the beginning of a label, as in 0.5.circle.radius."""


class Plain:
    """Kinds without formulas whose file form is the value itself."""

    def convert(self, value: Any) -> Any:
        return value

    def plain(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {}

    def formulas(self, value: Any) -> Iterator[tuple[str, Formula, Number]]:
        return iter(())


@dataclass(frozen=True, slots=True)
class Number:
    """One number, in `unit` (alternatives separated by " | ", "" = any unit), within its range; one
    below `usual` is seldom meant."""

    unit: str = "1"
    scope: str = CONSTANT
    local: frozenset[str] = frozenset()
    condition: bool = False
    above: float | None = None
    least: float | None = None
    most: float | None = None
    usual: float | None = None

    def convert(self, value: Any) -> Formula:
        try:
            result = formula(value)
        except UnitError as error:
            raise UnitError(error.what, self._units_only(error.cure)) from None
        if result.is_condition and not self.condition:
            raise FormulaError(f"'{result.text}' is a condition, not a number", "use piecewise")
        if result.dimension is not None and not self.accepts(result.dimension):
            what = f"'{result.text}' has the wrong unit"
            raise UnitError(what, expected(result.text, self.unit))
        return result

    def _units_only(self, cure: str) -> str:
        """A cure whose units may stand here; otherwise its words."""
        meant = [step.right for step in steps_of(cure) if isinstance(step, Instead)]
        fits = meant and all(self.accepts(dimension_of(unit)) for unit in meant)
        return cure if fits else words_only(cure)

    def accepts(self, dimension: Dimension) -> bool:
        """True if a quantity of this dimension may stand here."""
        units = self.unit.split(" | ")
        return not self.unit or any(dimension_of(u).accepts(dimension) for u in units)

    @property
    def is_ranged(self) -> bool:
        """Whether some numbers are out of its range."""
        return not (self.above is self.least is self.most is None)

    def fault(self, label: str, value: float) -> tuple[str, str] | None:
        """What is wrong with a number that is out of range, and the cure."""
        low = self.above is not None and value <= self.above
        low |= self.least is not None and value < self.least
        if not low and (self.most is None or value <= self.most):
            return None
        field, inner, rest = label.partition(".")
        unit = "" if inner or " | " in self.unit or self.unit == "1" else f" {self.unit}"
        place = _STATION.match(rest)
        at = f" at {place[0]}" if place else ""
        said = f"{field}{at}: {rest.rpartition('.')[2]}" if inner else field
        size = f"{said} is {value:g}{unit}".rstrip()
        if low and self.above == 0:
            return f"{size}, not above zero", "give a positive number"
        if low and self.least == 0:
            return f"{size}, below zero", "give zero or a positive number"
        limits = {"above": self.above, "at least": self.least, "at most": self.most}
        words = " and ".join(f"{word} {x:g}" for word, x in limits.items() if x is not None)
        return size, f"give a number {words}"

    @property
    def wanted(self) -> str:
        """The unit in words."""
        units = self.unit.split(" | ")
        return " or ".join("a pure number" if unit == "1" else unit for unit in units)

    def plain(self, value: Formula) -> float | int | str:
        return plain_number(value)

    def schema(self) -> dict[str, Any]:
        unit = {"unit": self.unit} if self.unit not in ("", "1") else {}
        return {"$ref": "#/$defs/number", **unit}

    def formulas(self, value: Formula) -> Iterator[tuple[str, Formula, Number]]:
        yield "", value, self


@dataclass(frozen=True, slots=True)
class Numbers:
    """A fixed count of numbers; `units` holds one unit for all or one for each."""

    count: int
    units: tuple[str, ...] = ("1",)
    scope: str = CONSTANT
    above: float | None = None
    usual: float | None = None

    def part(self, k: int) -> Number:
        """The kind of the k-th number."""
        unit = self.units[k] if len(self.units) > 1 else self.units[0]
        return Number(unit, self.scope, above=self.above, usual=self.usual)

    def convert(self, value: Any) -> tuple[Formula, ...]:
        if not is_sequence(value) or len(value) != self.count:
            what = f"{shown(value)} stands where a list of {self.count} is expected"
            raise InputError(what, f"give {self.count} numbers")
        return tuple(placed(self.part(k), v, k) for k, v in enumerate(value))

    def plain(self, value: Sequence[Formula]) -> list[Any]:
        return [plain_number(v) for v in value]

    def schema(self) -> dict[str, Any]:
        sizes = {"minItems": self.count, "maxItems": self.count}
        units = {"units": list(self.units)} if len(self.units) > 1 else {}
        return {"type": "array", "items": self.part(0).schema(), **sizes, **units}

    def formulas(self, value: Sequence[Formula]) -> Iterator[tuple[str, Formula, Number]]:
        for k, v in enumerate(value):
            yield f"[{k + 1}]", v, self.part(k)


@dataclass(frozen=True, slots=True)
class Optional:
    """A kind that may be left out."""

    kind: Kind

    def convert(self, value: Any) -> Any:
        return None if value is None else self.kind.convert(value)

    def plain(self, value: Any) -> Any:
        return None if value is None else self.kind.plain(value)

    def schema(self) -> dict[str, Any]:
        return self.kind.schema()

    def formulas(self, value: Any) -> Iterator[tuple[str, Formula, Number]]:
        return iter(()) if value is None else self.kind.formulas(value)


@dataclass(frozen=True, slots=True)
class Word(Plain):
    """One of a few words."""

    choices: tuple[str, ...]

    def convert(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise InputError(
                f"{shown(value)} is not one of {', '.join(self.choices)}",
                did_you_mean(str(value), self.choices) or f"write {self.choices[0]}",
            )
        return value

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}


@dataclass(frozen=True, slots=True)
class Text(Plain):
    """Any text."""

    def convert(self, value: Any) -> str:
        if not isinstance(value, str):
            raise InputError(f"{shown(value)} stands where a text is expected", "quote it")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True, slots=True)
class Reference(Plain):
    """The name of something: a frame ("crank.A", "ground"), a joint."""

    to: str

    def convert(self, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            example = '"crank.A"' if self.to == "frame" else "its name"
            raise InputError(f"{shown(value)} is not the name of a {self.to}", f"write {example}")
        return value.strip()

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.to}_reference"}


@dataclass(frozen=True, slots=True)
class Flag(Plain):
    """True or false."""

    def convert(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise InputError(
                f"{shown(value)} stands where true or false is expected", "write true or false"
            )
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Texts(Plain):
    """A list of texts."""

    def convert(self, value: Any) -> tuple[str, ...]:
        if not is_sequence(value) or not all(isinstance(v, str) for v in value):
            raise InputError(
                f"{shown(value)} stands where a list of names is expected", "write [a, b]"
            )
        return tuple(value)

    def plain(self, value: Any) -> list[str]:
        return list(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True, slots=True)
class FrameReferences(Texts):
    """Names of several frames."""


@dataclass(frozen=True, slots=True)
class NameOrNames(Plain):
    """One name, or a list of names."""

    def convert(self, value: Any) -> tuple[str, ...]:
        names = [value] if isinstance(value, str) else value
        return Texts().convert(names)

    def plain(self, value: Any) -> Any:
        return value[0] if len(value) == 1 else list(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping from names to values of one kind."""

    kind: Kind

    def convert(self, value: Any) -> FrozenDict[Any]:
        if not isinstance(value, Mapping):
            raise InputError(f"{shown(value)} stands where a mapping is expected", "write a: b")
        return FrozenDict((str(k), placed(self.kind, v, str(k))) for k, v in value.items())

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {k: self.kind.plain(v) for k, v in value.items()}

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.kind.schema()}

    def formulas(self, value: Mapping[str, Any]) -> Iterator[tuple[str, Formula, Number]]:
        for name, v in value.items():
            for label, f, kind in self.kind.formulas(v):
                yield f".{name}{label}", f, kind


def is_sequence(value: Any) -> bool:
    """True for lists, tuples and arrays; not for texts, nor for single numbers of an array."""
    return not isinstance(value, (str, bytes, Mapping)) and (
        isinstance(value, Sequence) or getattr(value, "ndim", 0) > 0
    )


def shown(value: Any) -> str:
    """How a wrong value is named in a message."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:37]}...'"
    if isinstance(value, Mapping):
        return "a mapping"
    if is_sequence(value):
        return f"a list of {len(value)}"
    return str(value)[:40]


def check_keys(
    given: Mapping[Any, Any], known: Collection[str], required: Iterable[str] = (), label: str = ""
) -> None:
    """Refuse a key that is not known, and one that is missing."""
    place = f"{label}: " if label else ""
    for key in given:
        if key not in known:
            cure = did_you_mean(str(key), [k for k in known if k not in given])
            raise InputError(f"{place}unknown key '{key}'", cure)
    for key in required:
        if key not in given:
            raise InputError(f"{place}{key} is missing", f"add {key}")


def plain_number(value: Formula) -> float | int | str:
    """A formula as it stands in a file: a number if it is one, otherwise its text."""
    if value.written:
        return value.written
    if value.dimension is not None:
        return value.text
    try:
        number = float(value.text)
    except ValueError:
        return value.text
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def placed(kind: Kind, value: Any, place: int | str) -> Any:
    """Convert one entry; a failure says which it was, by number or by name."""
    try:
        return kind.convert(value)
    except InputError as error:
        which = f"entry {place + 1}" if isinstance(place, int) else place
        raise type(error)(f"{which}: {error.what}", error.cure) from None


def kinds_of(cls: Any) -> dict[str, Kind]:
    """The kind of every field of an element class, by field name."""
    declared = dataclasses.fields(cls)
    return {f.name: f.metadata["kind"] for f in declared if "kind" in f.metadata}


def described(cls: Any, names: Collection[str] | None = None) -> dict[str, dict[str, Any]]:
    """The schema of every field of a class, or of those named, with its words and its default."""
    kinds, found = kinds_of(cls), {}
    for f in dataclasses.fields(cls):
        if f.name not in kinds or (names is not None and f.name not in names):
            continue
        kind = kinds[f.name]
        own = kind.schema()
        if f.metadata.get("doc"):
            own = own | {"description": f.metadata["doc"]}
        if f.default is not _MISSING and f.default not in (None, ""):
            default = kind.plain(kind.convert(f.default))
            own = own | ({"default": default} if default not in ({}, []) else {})
        found[f.name] = own
    return found


def settle(element: Any, section: str, noun: str, names: Collection[str] | None = None) -> None:
    """Convert every field of a new element in place, or those named; raise ModelError with all its
    faults."""
    name = str(getattr(element, "name", ""))
    faults: list[Fault] = []
    for key, kind in kinds_of(element).items():
        if names is not None and key not in names:
            continue
        try:
            object.__setattr__(element, key, kind.convert(getattr(element, key)))
        except ModelError as error:
            faults.extend(error.faults)
        except InputError as error:
            path = (section, name, key) if name else (section, key)
            who = f"{noun} '{name}'" if name else noun
            faults.append(Fault(who, f"{key}: {error.what}", error.cure, path=path))
    if faults:
        raise ModelError(faults)


def made(make: Any, **given: Any) -> Any:
    """make(**given); several faults become one message, of something with no name of its own."""
    try:
        return make(**given)
    except ModelError as error:
        what = "; ".join(fault.what for fault in error.faults)
        raise InputError(what, error.faults[0].cure) from None


def has(kind: Kind, default: Any = _MISSING, doc: str = "") -> Any:
    """A dataclass field of this kind."""
    return dataclasses.field(default=default, metadata={"kind": kind, "doc": doc})


def settled(default: Any = _MISSING) -> Any:
    """A dataclass field that its class converts by itself."""
    return dataclasses.field(default=default)


def number(
    unit: str, default: Any = _MISSING, *, doc: str = "", scope: str = CONSTANT, **limits: float
) -> Any:
    """A number field; with default None it may be left out; ``limits``: see ``Number``."""
    kind: Kind = Number(unit, scope, **limits)  # type: ignore[arg-type]
    return has(Optional(kind) if default is None else kind, default, doc)


def vector(unit: str, default: Any = _MISSING, *, doc: str = "", scope: str = CONSTANT) -> Any:
    """A field of three numbers; with default None it may be left out."""
    kind: Kind = Numbers(3, (unit,), scope)
    return has(Optional(kind) if default is None else kind, default, doc)
