"""Numbers of a file as parameters: drafts that differ in one of them share all that was laid out.

Given by its path (``bodies.rod.length``), a number makes a system of its own, with the same code.
Here it is a parameter of one system, by the name that it has in the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import ModelError, PliantError
from pliant.model.numbers.literals import is_path
from pliant.system import System


class Sliding(System):
    """The structure of a system as a system; parameters may be called as paths are."""

    def __init__(self, base: System) -> None:
        self.__dict__.update(base.__getstate__())
        self.described = self.model = base.structure.model

    def refuse(self, params: Mapping[str, Any]) -> None:
        """As for any system, but for the names of parameters."""
        try:
            super().refuse(params)
        except ModelError as error:
            faults = [f for f in error.faults if not _is_name_of_path(f.path)]
            if faults:
                raise ModelError(faults, error.source) from None
            self._sound = dict(params)


def _is_name_of_path(path: tuple[str, ...]) -> bool:
    return len(path) == 2 and path[0] == "parameters" and is_path(path[1])


def sliding(system: System, params: Mapping[str, Any]) -> System | None:
    """A system of which all numbers among these parameters are ones; None: they decide what is
    written, or belong to beams that are cut into elements."""
    if system.model is not system.described:
        return None
    try:
        base, named = system.with_numbers(params)
    except PliantError:
        return None  # the run itself will say why
    paths = [name for name in params if name not in named]
    if not paths or not all(path in base.structure.numbers for path in paths):
        return None
    return Sliding(base)
