"""What a constitutive law may read: time, parameters, coordinates, and the states of stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pliant.spatial.ops import SymbolicOps


class Numbers(Protocol):
    """Time, parameters and signals by name (``mechanics.SymbolicValues`` are some)."""

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
class State:
    """Symbols (or numbers) of everything a law may depend on.

    x: displacements of compliances; u: flows of inertias, and efforts of compliances that depend on
    others. ``state["R"]`` is a parameter, a signal or, as "t", the time.
    """

    ops: SymbolicOps
    numbers: Numbers
    x: Mapping[str, Any] = field(default_factory=dict)
    u: Mapping[str, Any] = field(default_factory=dict)

    @property
    def t(self) -> Any:
        return self.numbers.t

    def __getitem__(self, name: str) -> Any:
        return self.numbers.look_up(name)
