"""Operations by their names, and planning one from the arguments of a message."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from pliant.errors import InputError, UnknownName
from pliant.model.files.editing.splices import SharedError
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.studio.operations.draft import Draft, Question

Plan = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Operation:
    """``plan(draft, **arguments)`` changes the draft, or raises InputError and nothing is done."""

    name: str
    plan: Plan
    wanted: Mapping[str, Any]
    """Types of the arguments."""
    required: frozenset[str]

    @property
    def sentence(self) -> str:
        """What it does."""
        return " ".join((inspect.getdoc(self.plan) or "").split("\n\n")[0].split())

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Refuse arguments that are unknown, missing or of another type."""
        for name in arguments:
            if name not in self.wanted:
                raise InputError(f"{self.name} has no argument '{name[:40]}'",
                                 f"it takes {', '.join(self.wanted)}")  # fmt: skip
        missing = sorted(self.required - {*arguments})
        if missing:
            raise InputError(f"{self.name} needs {', '.join(missing)}")
        for name, value in arguments.items():
            if not _is(self.wanted[name], value):
                raise InputError(f"{self.name}: {name} cannot be {str(value)[:60]!r}")


OPERATIONS: dict[str, Operation] = {}


def operation(name: str) -> Callable[[Plan], Plan]:
    """Registers an operation under a name such as ``element.rename``."""

    def register(plan: Plan) -> Plan:
        types = get_type_hints(plan)
        own = [p for p in inspect.signature(plan).parameters.values() if p.name != "draft"]
        wanted = {p.name: types[p.name] for p in own}
        required = frozenset(p.name for p in own if p.default is p.empty)
        OPERATIONS[name] = Operation(name, plan, wanted, required)
        return plan

    return register


def operations() -> Mapping[str, Operation]:
    """All operations: those of every file beside this one."""
    _import_all()
    return OPERATIONS


@cache
def _import_all() -> None:
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        inside = file.relative_to(Path(__file__).parent).with_suffix("")
        if inside.name != "__init__":
            import_module(".".join((__package__, *inside.parts)))


def planned(draft: Draft, name: str, arguments: Mapping[str, Any]) -> Draft:
    """The draft with an operation done to it; raises InputError, ``Question`` if it must ask."""
    known = operations()
    if name not in known:
        raise UnknownName(f"there is no operation '{name[:40]}'", did_you_mean(name, known))
    own = dict(arguments)
    draft.shared = str(own.pop("shared", draft.shared))
    known[name].check(own)
    try:
        known[name].plan(draft, **own)
    except SharedError as error:
        raise Question(error.what, [("Change all of them", {"shared": "all"}),
                                    ("Give this one its own copy", {"shared": "own"})],
                       error.elements) from None  # fmt: skip
    draft.label = draft.label or name
    if draft.anew:
        entries = ", ".join(".".join(path) for path in draft.anew)
        draft.label += f" ({entries} {'was' if len(draft.anew) == 1 else 'were'} written anew)"
    return draft


def _is(wanted: Any, value: Any) -> bool:
    if wanted is Any:
        return True
    if isinstance(wanted, UnionType):
        return any(_is(one, value) for one in get_args(wanted))
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is list:
        return isinstance(value, list) and all(_is(inner[0], one) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(
            _is(inner[0], k) and _is(inner[1], v) for k, v in value.items()
        )
    if wanted is None or wanted is NoneType:
        return value is None
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, wanted)
