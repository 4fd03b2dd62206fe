"""Names of a package that are imported when they are first asked for.

``__getattr__, __dir__ = late(globals(), {...})`` stands at the end of a package, so that a program
imports no more than it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def late(
    namespace: dict[str, Any], places: Mapping[str, Iterable[str]], rest: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package. ``places``: its modules, each with names that
    it defines; ``rest``: a module all of whose public names are names of the package."""
    package: str = namespace["__name__"]
    found = {name: module for module, names in places.items() for name in names}

    def public() -> list[str]:
        further = import_module(f"{package}.{rest}").__all__ if rest else ()
        return [*found, *further]

    def get(name: str) -> Any:
        if name == "__all__":
            return public()
        module = found.get(name, rest if not name.startswith("_") and name in public() else "")
        if name in places:
            value: Any = import_module(f"{package}.{name}")
        elif module:
            value = getattr(import_module(f"{package}.{module}"), name)
        else:
            raise AttributeError(f"module '{package}' has no attribute {name!r}")
        namespace[name] = value
        return value

    return get, lambda: sorted({*namespace, *public()})
