"""What the model knows of the fields of an element: units of its domain, coordinates of its joint,
names that may be meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.drivers import LEVELS
from pliant.model.files.document import value_at
from pliant.model.model import Model
from pliant.model.networks.kinds import UNITS
from pliant.model.networks.library import COMPONENTS, subgraph_of
from pliant.model.networks.structure import Structure
from pliant.studio.views.form.fields import NOTHING, Field, Fields
from pliant.studio.views.form.schemas import Path

Suggested = dict[str, str]
"""Units by names that may be given."""


class Knowing:
    """Of the element at a path; nothing of a text whose model could not be read."""

    def __init__(self, data: Any, model: Model | None, path: Path) -> None:
        self.data, self.model, self.path = data, model, path

    def add(self, field: Field, fields: Fields) -> None:
        """Units, names and rows that only the model knows."""
        names = self._names(field)
        if names:
            field["names"] = names
        if field["input"] == "table" or self._is_driver(field):
            self._rows(field, fields)
        if self.path[0] in ("networks", "subgraphs") and not field["unit"]:
            field["unit"] = self._network_unit(field)

    def _names(self, field: Field) -> list[str]:
        """Names that may be meant; what is typed may still be another."""
        key = field["path"][-1]
        if field["input"] in ("frame", "frames"):
            return [*frames(self.data)]
        if field["input"] == "joint":
            return [*_named(self.data, "joints")]
        if key == "material":
            return [*_named(self.data, "materials")]
        if key == "part":
            return [*_named(self.data, "subgraphs"), *COMPONENTS]
        if self.path[0] in ("networks", "subgraphs") and key in ("on", "from", "to", "junction"):
            return [*(value_at(self.data, (*self.path[:2], "elements")) or ())]
        if key == "coordinate":
            return [*self._coordinates(rates=False)]
        return []

    # --- rows of tables

    def _is_driver(self, field: Field) -> bool:
        return self.path[0] == "drivers" and field["name"] == "joint"

    def _rows(self, field: Field, fields: Fields) -> None:
        """Rows that may be added, by the names that the model knows."""
        key, given = field["path"][-1], {f["path"][-1] for f in field.get("fields", ())}
        known = self._suggested(key)
        for row in field.get("fields", ()):
            row["unit"] = row["unit"] or known.get(row["path"][-1], "")
        at = self.path if self._is_driver(field) else tuple(field["path"])
        given |= {*(value_at(self.data, at) or ())}
        rows = [
            fields.of({"reference": "number", "unit": unit}, NOTHING, (*at, name), self.path)
            for name, unit in known.items() if name not in given
        ]  # fmt: skip
        if self._is_driver(field):
            field["others"] = rows
        else:
            field["fields"] = [*field.get("fields", ()), *rows]
            field["open"] = not known

    def _suggested(self, key: str) -> Suggested:
        if key in ("initial", "guess") and self.path[0] == "joints":
            return self._coordinates(rates=key == "initial")
        if key in ("elastic", "elastic_rates"):
            return self._elastic()
        if self.path[0] == "drivers":
            return self._coordinates(rates=False) | dict.fromkeys(LEVELS[1:], "")
        part = self._part()
        if part is not None and key == "with":
            return dict.fromkeys(part.parameters, "")
        return {}

    def _elastic(self) -> Suggested:
        """Elastic coordinates; none while the file that has the modes cannot be read."""
        body = self.model.bodies.get(self.path[1]) if self.model is not None else None
        try:
            return dict.fromkeys(body.elastic_names if body is not None else (), "")
        except InputError:
            return {}

    def _part(self) -> Any:
        if (
            self.model is None
            or self.path[0] not in ("networks", "subgraphs")
            or (len(self.path) < 4)
        ):
            return None
        graph = getattr(self.model, self.path[0]).get(self.path[1])
        element = graph.elements.get(self.path[3]) if graph is not None else None
        if element is None or not element.is_part:
            return None
        try:
            return subgraph_of(self.model, element)
        except InputError:
            return None

    def _coordinates(self, *, rates: bool) -> Suggested:
        """Coordinates of the joint it is, or speaks of."""
        entry = value_at(self.data, self.path)
        own = entry.get("joint") if isinstance(entry, Mapping) else None
        inside = (
            [v for v in entry.values() if isinstance(v, Mapping)]
            if own is None and (isinstance(entry, Mapping))
            else []
        )
        own = own or next((v["joint"] for v in inside if "joint" in v), None)
        name = self.path[1] if self.path[0] == "joints" else own
        joint = self.model.joints.get(str(name)) if self.model is not None else None
        if joint is None:
            return {}
        own = (*joint.scalars, *joint.measured)
        units = {c.name: c.unit for c in own}
        units |= {c.rate: f"{c.unit}/s" for c in own} if rates else {}
        told = (*joint.told_names, *joint.rate_names) if rates else joint.told_names
        told = (*told, *(c.rate for c in joint.measured if rates))
        return {name: units.get(name, "") for name in told} if self.path[0] == "joints" else units

    # --- networks

    def _network_unit(self, field: Field) -> str:
        """The unit of a constant or an initial value, in the domain of its junction."""
        if self.model is None or len(self.path) < 4 or field["input"] != "number":
            return ""
        graph = getattr(self.model, self.path[0]).get(self.path[1])
        element = graph.elements.get(self.path[3]) if graph is not None else None
        ends = element.ends[0] if element is not None and element.ends else ()
        if not ends or self.path[2] != "elements":
            return ""
        place = Structure(self.model, graph).places.get(ends[0])
        quantity = field["label"].replace(" ", "_")
        return UNITS.get(place.domain, {}).get(quantity, "") if place is not None else ""


def frames(data: Any) -> Iterator[str]:
    """Frames of the file: the ground, bodies, and frames on them."""
    yield "ground"
    for frame in value_at(data, ("ground", "frames")) or ():
        yield f"ground.{frame}"
    for body, entry in _named(data, "bodies").items():
        yield body
        own = dict.fromkeys(entry.get("frames") or ()) if isinstance(entry, Mapping) else {}
        if isinstance(entry, Mapping) and "beam" in entry:
            own |= dict.fromkeys(("root", "mid", "tip"))
        yield from (f"{body}.{frame}" for frame in own)


def _named(data: Any, section: str) -> Mapping[str, Any]:
    found = data.get(section) if isinstance(data, Mapping) else None
    return found if isinstance(found, Mapping) else {}
