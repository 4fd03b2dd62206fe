"""What is said of a run beside its numbers, some of it made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Info(Mapping[str, Any]):
    """A mapping; ``later``: values that cost something to make and are seldom asked for."""

    def __init__(
        self, values: Mapping[str, Any], later: Mapping[str, Callable[[], Any]] | None = None
    ) -> None:
        self._values, self._later = dict(values), dict(later or {})

    def __getitem__(self, key: str) -> Any:
        if key in self._later:
            self._values[key] = self._later.pop(key)()
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._values, *self._later))

    def __len__(self) -> int:
        return len(self._values) + len(self._later)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __getstate__(self) -> dict[str, Any]:
        """To another process go values."""
        return {"_values": dict(self), "_later": {}}
