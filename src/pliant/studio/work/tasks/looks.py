"""Views of a document that need more than reading it: each by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from pliant.errors import ModelError
from pliant.model.files.reading import read
from pliant.model.files.text import parsed
from pliant.model.frozen import did_you_mean
from pliant.studio.work.bench import Bench
from pliant.studio.work.process.worker import Answer, Task
from pliant.studio.work.source import Source, WorkError
from pliant.studio.work.tasks.scene import ground_data, start_data
from pliant.system import System


def look(
    bench: Bench, task: Task, *, what: str, source: Source, arguments: Mapping[str, Any]
) -> Answer:
    """One view as plain data."""
    if what not in LOOKS:
        raise WorkError(f"nothing is called '{what}'", did_you_mean(what, LOOKS))
    return LOOKS[what](bench, source, dict(arguments)), None


def _scene(bench: Bench, source: Source, arguments: dict[str, Any]) -> dict[str, Any]:
    """Also of a model to which the first body is still to be added."""
    try:
        system = bench.system(source)
    except ModelError:
        model = read(parsed(source.text, source.format), source.base).model
        if model.bodies:
            raise
        return ground_data(
            model.with_(joints={}, forces={}, drivers={}, constraints={}, sensors={})
        )
    return start_data(system, arguments.get("params") or {})


def _process(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.tasks.process_view import process_data

    return process_data(system, arguments.get("params") or {})


def _observables(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.tasks.process_view import observables_data

    return observables_data(system)


def _trees(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.tasks.process_view import trees_data

    return trees_data(system)


def _network(bench: Bench, source: Source, arguments: dict[str, Any]) -> dict[str, Any]:
    """Also of a network with faults, and of a model that has some elsewhere."""
    from pliant.studio.views.graphs.network import network_data

    document = parsed(source.text, source.format)
    reading = read(document, source.base)
    name = arguments.get("name", "")
    return network_data(reading.model, name, reading.faults, document.data)


def _pose(bench: Bench, source: Source, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.work.tasks.pose import pose_data

    return pose_data(bench, source, arguments)


def _bond(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.views.graphs.bond import bond_data

    return bond_data(system, **_taken(bond_data, arguments))


def _linear(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.views.graphs.linear import linear_data

    return linear_data(system, **_taken(linear_data, arguments))


def _equations(system: System, arguments: dict[str, Any]) -> dict[str, Any]:
    from pliant.studio.views.equations import equations_data

    return equations_data(system, **_taken(equations_data, arguments))


def _taken(view: Callable[..., Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a view takes; another is refused."""
    takes = signature(view).parameters
    for name in arguments:
        if name not in takes:
            raise WorkError(f"{name}: not for this view", did_you_mean(name, takes))
    return arguments


def _of_system(view: Callable[[System, dict[str, Any]], dict[str, Any]]) -> Any:
    """A view of a system that is sound."""

    def made(bench: Bench, source: Source, arguments: dict[str, Any]) -> dict[str, Any]:
        return view(bench.system(source), arguments)

    return made


LOOKS: dict[str, Callable[[Bench, Source, dict[str, Any]], dict[str, Any]]] = {
    "scene": _scene,
    "pose": _pose,
    "bond": _of_system(_bond),
    "linear": _of_system(_linear),
    "network": _network,
    "observables": _of_system(_observables),
    "process": _of_system(_process),
    "trees": _of_system(_trees),
    "equations": _of_system(_equations),
}
