"""What a constitutive law may read: time, parameters, coordinates, and the states of stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pliant.spatial.ops import SymbolicOps


class Numbers(Protocol):
    """Time, parameters and signals by name (``pliant.mechanics.values.Values`` is one)."""

    @property
    def t(self) -> Any: ...

    @property
    def p(self) -> Any: ...

    @property
    def p_default(self) -> Any: ...

    def look_up(self, name: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class Seen:
    """Numbers, and by name what laws see of other elements."""

    numbers: Numbers
    seen: Mapping[str, Any]

    @property
    def t(self) -> Any:
        return self.numbers.t

    @property
    def p(self) -> Any:
        return self.numbers.p

    @property
    def p_default(self) -> Any:
        return self.numbers.p_default

    def look_up(self, name: str) -> Any:
        return self.seen[name] if name in self.seen else self.numbers.look_up(name)


class Computed(Mapping[str, Any]):
    """Variables by name, as far as they are computed."""

    def __init__(self, variables: list[Any], places: Mapping[str, int]) -> None:
        self._variables, self._places = variables, places

    def __getitem__(self, name: str) -> Any:
        return self._variables[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where the laws of an included sub-graph look names up.

    ``prefix`` stands before the names of its elements; ``parameters`` gives its own parameters
    numbers or names of the graph around it.
    """

    prefix: str = ""
    parameters: Mapping[str, float | str] = field(default_factory=dict)
    outer: Scope | None = None


@dataclass(frozen=True, slots=True)
class State:
    """Symbols (or numbers) of everything a law may depend on.

    q: coordinates by the name of their configuration; x: displacements of compliances; u: flows of
    inertias, and efforts of compliances that depend on others. ``state["R"]`` is a parameter, a
    signal or, as "t", the time.
    """

    ops: SymbolicOps
    numbers: Numbers
    q: Mapping[str, Any] = field(default_factory=dict)
    x: Mapping[str, Any] = field(default_factory=dict)
    u: Mapping[str, Any] = field(default_factory=dict)
    scope: Scope = Scope()

    @property
    def t(self) -> Any:
        return self.numbers.t

    def __getitem__(self, name: str) -> Any:
        scope: Scope | None = self.scope
        while scope is not None:
            found = scope.parameters.get(name, name)
            if not isinstance(found, str):
                return found
            name, scope = found, scope.outer
        return self.numbers.look_up(name)

    def within(self, scope: Scope) -> State:
        """The same as the laws of an included sub-graph see it."""
        if not scope.prefix:
            return self
        x, u = _Prefixed(self.x, scope.prefix), _Prefixed(self.u, scope.prefix)
        return replace(self, scope=scope, x=x, u=u)


class _Prefixed(Mapping[str, Any]):
    """Entries by their names in a sub-graph."""

    def __init__(self, entries: Mapping[str, Any], prefix: str) -> None:
        self._entries, self._prefix = entries, prefix

    def __getitem__(self, name: str) -> Any:
        return self._entries[self._prefix + name]

    def __iter__(self) -> Iterator[str]:
        n = len(self._prefix)
        return (name[n:] for name in self._entries if name.startswith(self._prefix))

    def __len__(self) -> int:
        return sum(1 for _ in self)
