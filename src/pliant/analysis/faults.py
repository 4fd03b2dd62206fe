"""Faults of several names, told at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from pliant.errors import CapabilityError, InputError, PliantError

_FAULTS = "faults:"
Looking = Callable[[], AbstractContextManager[None]]


@contextmanager
def every_fault() -> Iterator[Looking]:
    """Errors inside each ``with looking_at():`` are collected; a single one is raised as it is,
    several as one of their lines."""
    found: list[PliantError] = []

    @contextmanager
    def looking_at() -> Iterator[None]:
        try:
            yield
        except (InputError, CapabilityError) as error:
            found.append(error)

    yield looking_at
    if len(found) == 1:
        raise found[0]
    if found:
        lines = [line for error in found for line in _lines(str(error))]
        told = "\n".join(f"  {line}" for line in dict.fromkeys(lines))
        raise InputError(f"{len(dict.fromkeys(lines))} {_FAULTS}\n{told}")


def _lines(text: str) -> list[str]:
    """Of one error, or of several that were told at once before."""
    first, *rest = text.split("\n")
    return [line.strip() for line in rest] if first.endswith(_FAULTS) else [text]
