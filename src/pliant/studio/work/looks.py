"""Views of a document that need more than reading it: each by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

from pliant.model.frozen import did_you_mean
from pliant.studio.work.bench import Bench
from pliant.studio.work.scene import start_data
from pliant.studio.work.source import Source, WorkError
from pliant.studio.work.worker import Answer, Task
from pliant.system import System


def look(
    bench: Bench, task: Task, *, what: str, source: Source, arguments: Mapping[str, Any]
) -> Answer:
    """One view as plain data."""
    if what not in LOOKS:
        raise WorkError(f"nothing is called '{what}'", did_you_mean(what, LOOKS))
    return LOOKS[what](bench, source, dict(arguments)), None


def _scene(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    return start_data(system, arguments.get("params") or {})


def _process(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.process_view import process_data

    return process_data(system, arguments.get("params") or {})


def _observables(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.process_view import observables_data

    return observables_data(system)


def _trees(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.process_view import trees_data

    return trees_data(system)


def _network(bench: Bench, source: Source, arguments: dict[str, Any]) -> dict[str, Any]:
    """Also of a network with faults, and of a model that has some elsewhere."""
    from pliant.model.files.reading import read
    from pliant.model.files.text import parsed

    reading = read(parsed(source.text, source.format), source.base)
    view: Callable[..., dict[str, Any]] = import_module("pliant.studio.views.network").network_data
    return view(reading.model, arguments.get("name", ""), reading.faults)


def _of_system(view: Callable[[System, dict[str, Any]], dict[str, Any]]) -> Any:
    """A view of a system that is sound."""

    def made(bench: Bench, source: Source, arguments: dict[str, Any]) -> dict[str, Any]:
        return view(bench.system(source), arguments)

    return made


def _drawn(module: str, function: str) -> Any:
    """A view that ``pliant.studio.views`` writes."""

    def made(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
        view: Callable[..., dict[str, Any]] = getattr(import_module(module), function)
        takes = signature(view).parameters
        others = any(p.kind is p.VAR_KEYWORD for p in takes.values())
        unknown = [] if others else [name for name in arguments if name not in takes]
        if unknown:
            raise WorkError(f"{unknown[0]}: not for this view", did_you_mean(unknown[0], takes))
        return view(system, **arguments)

    return _of_system(made)


LOOKS: dict[str, Callable[[Bench, Source, dict[str, Any]], dict[str, Any]]] = {
    "scene": _of_system(_scene),
    "bond": _drawn("pliant.studio.views.bond", "bond_data"),
    "linear": _drawn("pliant.studio.views.linear", "linear_data"),
    "network": _network,
    "observables": _of_system(_observables),
    "process": _of_system(_process),
    "trees": _of_system(_trees),
    "equations": _drawn("pliant.studio.views.equations", "equations_data"),
}
