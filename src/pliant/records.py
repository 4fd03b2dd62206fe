"""Dataclasses that are defined quickly: ``from pliant.records import dataclass``.

The decorator means what :func:`dataclasses.dataclass` means, and has those of its parameters that
this package uses. The standard one writes six functions for every class as text and compiles them
on import: a third of the time of a command that imports two hundred classes. Here classes share
what need not be quick, and ``__init__``, ``__eq__`` and ``__hash__`` are written when they are
first asked for: most classes of a program are never used.

``fields``, ``replace``, ``asdict``, ``match``, copies and pickles are as always, and dataclasses of
both kinds may derive from each other. Type checkers read the standard one. ``InitVar``, order and
weak references to classes with slots are not offered.
"""

from __future__ import annotations

import dataclasses
import inspect
from abc import update_abstractmethods
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import KW_ONLY, MISSING, Field, FrozenInstanceError, field, fields
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

from pliant.arguments import no_argument


def _dataclass(
    cls: type | None = None, /, *, repr: bool = True, eq: bool = True, frozen: bool = False,
    kw_only: bool = False, slots: bool = False,
) -> Any:  # fmt: skip
    """Make a dataclass of a class whose annotations are its fields."""

    def made(cls: type) -> Any:
        own = _own_fields(cls, kw_only)
        all_fields = {**_inherited_fields(cls, frozen), **own}
        added = _functions(cls, repr, eq, frozen, slots)
        added["__dataclass_fields__"] = all_fields
        added["__dataclass_params__"] = _PARAMS[frozen]
        if "__match_args__" not in cls.__dict__:
            placed = (f.name for f in all_fields.values() if f.init and not f.kw_only)
            added["__match_args__"] = tuple(placed)
        complete = _with_slots(cls, added) if slots else _with_defaults(cls, own, added)
        return update_abstractmethods(complete)

    return made if cls is None else made(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Sample:
    """Made by the standard decorator."""

    value: int


_ORDINARY = fields(_Sample)[0]._field_type  # type: ignore[attr-defined]
"""What ``fields`` looks for: neither ClassVar nor InitVar."""
_PARAMS = {frozen: copy(_Sample.__dataclass_params__) for frozen in (False, True)}  # type: ignore[attr-defined]
"""What the standard decorator asks of a base: whether it is frozen."""
_PARAMS[True].frozen = True


def _own_fields(cls: type, kw_only: bool) -> dict[str, Field[Any]]:
    """By annotations of this class alone."""
    found = {}
    for name, annotation in inspect.get_annotations(cls).items():
        kind = str(annotation).partition("[")[0].rpartition(".")[-1]
        if annotation is KW_ONLY or kind == "KW_ONLY":
            kw_only = True
        elif kind == "InitVar":
            raise TypeError(f"{cls.__name__}.{name}: InitVar is not offered")
        elif kind != "ClassVar":
            found[name] = _field(name, annotation, getattr(cls, name, MISSING), kw_only)
    return found


def _field(name: str, annotation: Any, given: Any, kw_only: bool) -> Field[Any]:
    if isinstance(given, MemberDescriptorType):  # the slot of a base
        given = MISSING
    made: Any = given if isinstance(given, Field) else field(default=given)
    made.name, made.type, made._field_type = name, annotation, _ORDINARY
    if made.kw_only is MISSING:
        made.kw_only = kw_only
    if type(made.default).__hash__ is None:
        kind = type(made.default)
        raise ValueError(f"mutable default {kind} for field {name}: use default_factory")
    return made  # type: ignore[no-any-return]


def _inherited_fields(cls: type, frozen: bool) -> dict[str, Field[Any]]:
    bases: list[Any] = [b for b in reversed(cls.__mro__[1:]) if dataclasses.is_dataclass(b)]
    if bases and any(b.__dataclass_params__.frozen for b in bases) != frozen:
        kinds = ("a non-frozen", "a frozen") if frozen else ("a frozen", "a non-frozen")
        raise TypeError(f"{cls.__name__}: {kinds[1]} dataclass cannot derive from {kinds[0]} one")
    return {f.name: f for base in bases for f in fields(base)}


def _functions(cls: type, repr: bool, eq: bool, frozen: bool, slots: bool) -> dict[str, Any]:
    """Those that the class does not define itself."""
    made: dict[str, Any] = {"__init__": _Late(_written_init), "__replace__": _replace}
    if repr:
        made["__repr__"] = _repr
    if eq:
        made["__eq__"] = _Late(_written_eq)
    if frozen:
        made |= {"__setattr__": _refuse_to_assign, "__delattr__": _refuse_to_delete}
    if frozen and slots:
        made |= {"__getstate__": _getstate, "__setstate__": _setstate}
    made = {name: function for name, function in made.items() if name not in cls.__dict__}
    if eq and cls.__dict__.get("__hash__") is None:  # __eq__ alone sets it to None
        made["__hash__"] = _Late(_written_hash) if frozen else None
    return made


def _with_slots(cls: Any, added: dict[str, Any]) -> Any:
    """The same class again: slots cannot be added later."""
    names = added["__dataclass_fields__"]
    leave = {"__dict__", "__weakref__", *names}
    namespace = {name: value for name, value in cls.__dict__.items() if name not in leave}
    taken = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
    namespace["__slots__"] = tuple(name for name in names if name not in taken)
    made = type(cls)(cls.__name__, cls.__bases__, namespace | added)
    made.__qualname__ = cls.__qualname__
    return made


def _with_defaults(cls: Any, own: dict[str, Field[Any]], added: dict[str, Any]) -> Any:
    """This class; attributes are defaults, no longer fields."""
    for name, value in added.items():
        setattr(cls, name, value)
        if isinstance(value, _Late):
            value.__set_name__(cls, name)
    for name, f in own.items():
        if f.default is not MISSING:
            setattr(cls, name, f.default)
        elif name in cls.__dict__:
            delattr(cls, name)
    return cls


class _Late:
    """Stands for a function of a class until it is first asked for, and is written then."""

    def __init__(self, write: Callable[[Any], Any]) -> None:
        self.write = write

    def __set_name__(self, cls: type, name: str) -> None:
        self.cls, self.name = cls, name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        function = self.write(self.cls)
        setattr(self.cls, self.name, function)
        return function.__get__(instance, owner)


def _written(cls: type, name: str, head: str, lines: Iterable[str], **scope: Any) -> Any:
    scope["__name__"] = cls.__module__
    exec(f"def {name}({head}):\n " + "\n ".join(lines), scope)
    scope[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return scope[name]


def _written_init(cls: Any) -> Any:
    frozen = cls.__dataclass_params__.frozen
    scope = {"__set": object.__setattr__, "__absent": _ABSENT}
    lines: list[str] = []
    parameters: list[str] = ["self"]
    named: list[str] = []
    for f in fields(cls):
        name = value = f.name
        parameter = f"{name}=__default_{name}"
        if f.default is not MISSING:
            scope[f"__default_{name}"] = f.default
            value = name if f.init else f"__default_{name}"
        elif f.default_factory is not MISSING:
            scope[f"__default_{name}"], scope[f"__make_{name}"] = _ABSENT, f.default_factory
            make = f"__make_{name}()"
            value = f"{make} if {name} is __absent else {name}" if f.init else make
        elif f.init:
            parameter = name
        else:
            continue
        slot = getattr(cls, name, None)
        if not frozen:
            lines.append(f"self.{name} = {value}")
        elif isinstance(slot, MemberDescriptorType):  # half of what __setattr__ takes
            scope[f"__set_{name}"] = slot.__set__
            lines.append(f"__set_{name}(self, {value})")
        else:
            lines.append(f"__set(self, {name!r}, {value})")
        if f.init:
            (named if f.kw_only else parameters).append(parameter)
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters += ["*", *named] if named else []
    if any("kind" in f.metadata for f in fields(cls)):  # of a user: its arguments are looked at
        init = _looked_at(cls, parameters, lines, scope)
    else:
        init = _written(cls, "__init__", ", ".join(parameters), lines or ["pass"], **scope)
    init.__annotations__ = {f.name: f.type for f in fields(cls) if f.init} | {"return": None}
    return init


def _looked_at(cls: Any, parameters: Sequence[str], lines: list[str], scope: dict[str, Any]) -> Any:
    """``__init__`` that tells arguments which it does not have, or which are missing, by name."""
    told = {p.partition("=")[0]: p for p in parameters if p not in ("self", "*")}
    required = [name for name, p in told.items() if p == name]

    def refused(unknown: dict[str, Any], given: dict[str, Any]) -> TypeError:
        if unknown:
            return no_argument(cls.__name__, unknown, told)
        missing = ", ".join(f"'{name}'" for name in required if given[name] is _ABSENT)
        return TypeError(f"{cls.__name__}: give {missing}")

    amiss = " or ".join(["__unknown", *(f"{name} is __absent" for name in required)])
    head = ", ".join(f"{p}=__absent" if p in required else p for p in parameters)
    check = f"if {amiss}: raise __refused(__unknown, locals())"
    init = _written(cls, "__init__", f"{head}, **__unknown", [check, *lines],
                    **{**scope, "__refused": refused})  # fmt: skip
    shown = inspect.signature(init)
    init.__signature__ = shown.replace(parameters=[
        p.replace(default=inspect.Parameter.empty) if p.name in required else p
        for p in shown.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD
    ])  # fmt: skip
    return init


def _written_eq(cls: Any) -> Any:
    names = [f.name for f in fields(cls) if f.compare]
    lines = [
        "if other.__class__ is not self.__class__: return NotImplemented",
        f"return {_tuple('self', names)} == {_tuple('other', names)}",
    ]
    return _written(cls, "__eq__", "self, other", lines)


def _written_hash(cls: Any) -> Any:
    names = [f.name for f in fields(cls) if (f.compare if f.hash is None else f.hash)]
    return _written(cls, "__hash__", "self", [f"return hash({_tuple('self', names)})"])


def _tuple(record: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{record}.{name}, " for name in names) + ")"


class _Absent:
    """Default of a parameter whose field has a factory."""

    def __repr__(self) -> str:
        return "<factory>"


_ABSENT = _Absent()


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _replace(self: Any, /, **changes: Any) -> Any:
    return dataclasses.replace(self, **changes)


def _refuse_to_assign(self: Any, name: str, value: Any) -> None:
    if _is_frozen(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if _is_frozen(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_frozen(record: Any, name: str) -> bool:
    """A plain class that derives from a frozen dataclass may have other attributes."""
    return name in record.__dataclass_fields__ or "__dataclass_fields__" in type(record).__dict__


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for f, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
