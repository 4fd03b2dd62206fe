"""Sub-graphs by name or file: those of the model, those shipped with the package, files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.errors import FileError, InputError, ModelError, UnknownName
from pliant.model.fields import shown
from pliant.model.frozen import did_you_mean
from pliant.model.networks.elements import SubgraphUse
from pliant.model.networks.network import Subgraph
from pliant.model.numbers.paths import located, stamped
from pliant.model.view import Place, View
from pliant.registry import offered

if TYPE_CHECKING:
    from pliant.model.model import Model

SHIPPED = Path(__file__).with_name("components")
COMPONENTS = {path.stem: path for path in sorted(SHIPPED.glob("*.yaml"))}
"""Files of sub-graphs that every model knows."""
KEYS = ("description", "domain", "parameters", "elements", "bonds", "ports")
_HEADER = ("pliant", "subgraph", "view")


def subgraph_of(model: Model, part: SubgraphUse) -> Subgraph:
    """What a part is a copy of; raises InputError."""
    if part.file:
        return read_subgraph(part.file)
    if part.part in model.subgraphs:
        return model.subgraphs[part.part]
    if part.part not in COMPONENTS:
        offered()
    if part.part in COMPONENTS:
        return read_subgraph(COMPONENTS[part.part])
    known = {*model.subgraphs, *COMPONENTS}
    cure = did_you_mean(part.part, known) or "see the reference for those that are shipped"
    raise UnknownName(f"there is no sub-graph '{part.part}'", cure)


def read_subgraph(path: str | Path) -> Subgraph:
    """The sub-graph of a file; all its faults are reported at once."""
    return _read(*stamped(path))


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Subgraph:
    from pliant.model.files.text import parsed_file

    document = parsed_file(path)
    data = document.data
    if document.faults:
        raise ModelError(document.faults, path.name)
    if not isinstance(data, dict) or not isinstance(data.get("subgraph"), dict):
        raise FileError(f"{path.name}: it is not a sub-graph",
                        "begin with 'pliant: 1' and 'subgraph:'")  # fmt: skip
    for key in data:
        if key not in _HEADER:
            raise FileError(f"{path.name}: unknown key '{key}'", did_you_mean(key, _HEADER))
    if data.get("pliant") != 1:
        raise FileError(f"{path.name}: pliant: {shown(data.get('pliant'))} is not a version this "
                        "Pliant reads", "write pliant: 1")  # fmt: skip
    return _subgraph(path, data["subgraph"])


def places_in(model: Model, part: SubgraphUse) -> Mapping[str, Place]:
    """Where the elements of the sub-graph of a part are drawn, by name: as the model says, or the
    file of the sub-graph."""
    if not part.file:
        return model.view.places.get(part.part, {})
    try:
        return _places(*stamped(part.file))
    except InputError:
        return {}


@lru_cache(maxsize=64)
def _places(path: Path, changed: int, size: int) -> Mapping[str, Place]:
    from pliant.model.files.text import parsed_file

    given = parsed_file(path).data.get("view")
    places = View(**given).places if isinstance(given, dict) else {}
    return places.get(path.stem) or next(iter(places.values()), {})


def _subgraph(path: Path, given: dict[str, Any]) -> Subgraph:
    for key in given:
        if key not in KEYS:
            raise FileError(f"{path.name}: unknown key '{key}'", did_you_mean(key, KEYS))
    if isinstance(given.get("elements"), Mapping):
        elements = given["elements"].items()
        given = {**given, "elements": {n: with_file(e, path.parent) for n, e in elements}}
    try:
        return Subgraph(path.stem, **{k: v for k, v in given.items() if v is not None})
    except ModelError as error:
        raise ModelError(error.faults, path.name) from None


def with_file(element: Any, base: Path | None) -> Any:
    """An element whose `part: {file: pump.yaml}` has its full path; `base` is the folder of the
    file it stands in."""
    part = element.get("part") if isinstance(element, Mapping) else None
    if not isinstance(part, Mapping) or not isinstance(part.get("file"), str):
        return element
    return {**element, "part": {**part, "file": str(located(base, part["file"]))}}
