"""One self-contained HTML file: template, script, and the data of a run.

The data are the scene, the numbers (which observables, at which times), the triangles of mesh files
in body axes and metres, and what is said of the model and the run in words.
"""

from __future__ import annotations

import html
import json
import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import FileError, InputError, UnknownName
from pliant.mechanics.placement import rotation_of
from pliant.model.bodies import Body
from pliant.model.bodies.meshes import Triangles, read_mesh
from pliant.model.files import loads
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.measures import parameter_units
from pliant.records import dataclass
from pliant.registry import ABOVE
from pliant.results.result import Result
from pliant.results.series import Series
from pliant.show.curves.choice import COORDINATES, RATES, kind_of, travelled
from pliant.show.curves.rounding import Scales
from pliant.show.page.geometry import Geometry, numbers
from pliant.show.page.packing import packed
from pliant.show.page.scene import scene_data
from pliant.show.page.sections import with_sections
from pliant.spatial.ops import NUMERIC
from pliant.writing import checked_target, replace_text

HERE = Path(__file__).parent
SCRIPT = HERE / "page.js"
_MOST_FIRST_PLOTS = 3
_POSES = ("position", "rotation")
"""Kinds that move the picture: as they are."""
_HIDDEN = 1e-3
"""Curves that differ by less than this part of their size lie on one another."""
MOST_NUMBERS = 1_000_000
"""Numbers that vary, at most: a page of about four megabytes."""
FEWEST_SAMPLES = 600
FIRST = ("output", "coordinate", "rate", "energy", "effort", "deflection", "other", "reaction",
         "internal", "power", "work", "momentum", "position", "velocity", "acceleration",
         "rotation")  # fmt: skip
"""Kinds of observables, the most telling first."""
Mesh = str | os.PathLike[str] | tuple[str | os.PathLike[str], float]
Rows = list[tuple[str, str]]


def report(
    result: Result,
    path: str | os.PathLike[str],
    *,
    title: str = "",
    plots: Sequence[str] | None = None,
    meshes: Mapping[str, Mesh] | None = None,
) -> Path:
    """Write the page of a result; see ``Result.report``."""
    path = Path(path)
    checked_target(path, (".html", ".htm"))
    text = page_of(result, title=title, plots=plots, meshes=meshes)
    return replace_text(path, text)


def page_of(
    result: Result,
    *,
    title: str = "",
    plots: Sequence[str] | None = None,
    meshes: Mapping[str, Mesh] | None = None,
) -> str:
    """The page as text."""
    return page_text(page_data(result, title=title, plots=plots, meshes=meshes or {}))


def page_text(data: Mapping[str, Any]) -> str:
    """The file that shows these data."""
    return filled(data, page_script())


def filled(data: Mapping[str, Any], script: str) -> str:
    """The template with data and the script that reads them."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(data["title"]),
        version=data["version"],
        data=text.replace("<", "\\u003c"),
        script=script.replace("</script", "<\\/script"),
    )


def page_script(path: Path = SCRIPT) -> str:
    """What moves a page; it is built from ``web/`` and shipped inside the wheel."""
    if not path.is_file():
        raise FileError("the script of the page is not built in this checkout", "run: make page")
    return path.read_text(encoding="utf-8")


def page_data(
    result: Result, *, title: str, plots: Sequence[str] | None, meshes: Mapping[str, Mesh]
) -> dict[str, Any]:
    """Everything the script reads."""
    if not result.model:
        raise InputError("report: this result does not hold its model", "save it as .nc, not .csv")
    if not len(result):
        raise InputError(f"report: the result is empty: {result.failure}", "nothing can be shown")
    params = result.info.get("params") or {}
    model = loads(result.model)
    geometry = Geometry(model, model.parameter_values(params))
    moving = geometry.taken_apart.bodies
    first = plots if plots is not None else _first_plots(result)
    told = (n for name in first for n in (name, name.rpartition(".")[0]))
    result = result.also([*pose_names(moving), *told])
    poses = require_poses(result, moving)
    for name in first:
        result.unit(name)  # an unknown name is reported here
    owners = {name if name in result.series else name.rpartition(".")[0] for name in first}
    columns = columns_of(result, poses, owners)
    observed, reach = dict.fromkeys(columns.names), reach_of(result, geometry)
    scene = scene_data(geometry, observed, meshes_of(geometry, meshes), reach)
    scene = with_sections(scene, result, geometry, columns.samples)
    return {
        "title": title or model.name or "Model",
        "description": " ".join(model.description.split()),
        "version": import_module("pliant").__version__,
        "scene": scene,
        "plots": result.components(first),
        "summary": summary_data(result, geometry, len(columns.samples), columns.left_out),
        **(_graph(result) if model.networks else {}),
        **columns.as_data(result),
    }


def reach_of(result: Result, geometry: Geometry) -> float:
    """How far bodies and what holds them to the ground spread and travel, in metres."""
    moving = geometry.taken_apart.bodies
    if not moving:
        return 0.0
    points = [result.series[f"{name}.position"].values for name in moving]
    points += [np.array(geometry.attached["ground"]).reshape(-1, 3)]
    return float(np.linalg.norm(np.ptp(np.concatenate(points), axis=0)))


def _graph(result: Result) -> dict[str, Any]:
    """The bond graph of a model with networks: its picture, and the power on its bonds over time,
    one column each."""
    found = ABOVE["bond_graph_shown"](result)
    told = {"time": numbers(found["time"]), "power": packed(found["power"])}
    return {"graph": {**found, **told}}


def _first_plots(result: Result) -> list[str]:
    """Outputs of the user, joint coordinates or positions, efforts, deflections, energies: a few
    panels for a first look, without curves that lie on one another."""
    bent, scales = _deflections(result), Scales.of(result)
    coordinates = _scalars(result, *COORDINATES, elastic=not bent)
    order = {
        "output": _scalars(result, "output"), "coordinate": coordinates or travelled(result),
        "effort": _scalars(result, "effort"), "deflection": bent,
        "energy": _scalars(result, "energy"), "rate": _scalars(result, *RATES, elastic=not bent),
        "reaction": _scalars(result, "reaction"), "position": _scalars(result, "position"),
    }  # fmt: skip
    chosen: dict[str, list[str]] = {}
    for kind, names in order.items():
        if kind == "deflection" and "m" in chosen:
            continue  # too small to be seen beside other lengths
        for name in names:
            told = scales.shown(result.values(name), kind_of(result, name), result.unit(name))
            if not np.ptp(told) > 0:
                continue
            panel = chosen.setdefault(result.unit(name), [])
            if len(panel) < 3 and not any(_equal(result, name, other) for other in panel):
                panel.append(name)
    return [name for unit in list(chosen)[:_MOST_FIRST_PLOTS] for name in chosen[unit]]


def _equal(result: Result, name: str, other: str) -> bool:
    """Whether one curve would hide the other."""
    a, b = result.values(name), result.values(other)
    return bool(np.abs(a - b).max() <= _HIDDEN * np.abs(b).max())


def _scalars(result: Result, *kinds: str, elastic: bool = True) -> list[str]:
    """Scalar observables of some kinds that vary, but for the energy of one body; elastic
    coordinates (they have no unit) only if they are all there is to tell of deformation."""
    found = []
    for name, s in result.series.items():
        own = s.kind == "energy" and "." in name
        own |= s.kind in (*COORDINATES, *RATES) and not s.unit and not elastic
        if s.kind in kinds and not own and not s.labels and np.ptp(s.values) > 0:
            found.append(name)
    return found


def _deflections(result: Result) -> list[str]:
    """Of the middle of each beam, in the directions in which it bends."""
    found = []
    for name, s in result.series.items():
        if s.kind == "deflection" and name.endswith(".mid.deflection"):
            size = np.abs(s.values).max(axis=0)
            large = (size > 0.01 * size.max()) & (size > 0)
            found += [f"{name}.{label}" for label in np.array(s.labels)[large]]
    return found


@dataclass(frozen=True, slots=True)
class Columns:
    """What the page holds of a result. ``left_out`` counts observables that did not fit."""

    samples: Integers
    names: tuple[str, ...]
    left_out: int

    def as_data(self, result: Result) -> dict[str, Any]:
        """Times, series by name with their place in one packed table."""
        columns: list[Array] = []
        scales = Scales.of(result)
        series: list[dict[str, Any]] = []
        for name in self.names:
            s = result.series[name]
            series.append({
                "name": name, "unit": s.unit, "labels": list(s.labels), "kind": s.kind,
                "column": len(columns), "unique": list(s.unique),
            })  # fmt: skip
            told = _table(s)[self.samples]
            if s.kind not in _POSES:
                told = scales.read(told, s.kind, s.unit)
            columns += list(told.T)
        return {
            "time": [float(f"{t:.12g}") for t in result.time[self.samples]],
            "series": series, "numbers": packed(columns),
        }  # fmt: skip


def columns_of(result: Result, poses: Sequence[str], wanted: Collection[str]) -> Columns:
    """All that is needed and wanted, then the most telling observables that fit."""
    needed = [name for name in result.series if name in set(poses) | set(wanted)]
    tables = {name: _table(s) for name, s in result.series.items()}
    cost = {  # columns that are not constant: those take no room
        name: int(np.count_nonzero((t != t[:1]).any(axis=0))) for name, t in tables.items()
    }
    each = max(1, sum(cost[name] for name in needed))
    most = min(len(result), max(FEWEST_SAMPLES, MOST_NUMBERS // each))  # with first and last
    samples = np.unique(np.linspace(0, len(result) - 1, most).round().astype(np.int64))
    room = MOST_NUMBERS // len(samples) - each
    rest = [name for name in result.series if name not in needed]
    kept = set(needed)
    order = {kind: k for k, kind in enumerate(FIRST)}
    for name in sorted(rest, key=lambda n: order.get(result.series[n].kind, len(order))):
        if cost[name] <= room:
            kept.add(name)
            room -= cost[name]
    names = tuple(name for name in result.series if name in kept)
    return Columns(samples, names, len(result.series) - len(names))


def _table(series: Series) -> Array:
    return series.values.reshape(len(series.values), -1)


def meshes_of(geometry: Geometry, given: Mapping[str, Mesh]) -> dict[str, Triangles]:
    """The meshes given for this page, and those of the model for all other bodies."""
    bodies = geometry.model.bodies
    found = {}
    for name, mesh in given.items():
        if name not in bodies:
            raise UnknownName(f"meshes: no body '{name}'", did_you_mean(name, bodies))
        file, scale = mesh if isinstance(mesh, tuple) else (mesh, 1.0)
        corners, faces = read_mesh(file)
        found[name] = (scale * corners, faces)
    for name, body in bodies.items():
        drawing = (body.shape or {}).get("mesh")
        if drawing is None or name in found:
            continue
        try:
            corners, faces = read_mesh(drawing["file"])
        except InputError as error:
            raise type(error)(f"body '{name}': {error.what}", error.cure) from None
        if "scale" in drawing:
            corners = geometry.number(drawing["scale"]) * corners
        if "orientation" in drawing:
            corners = corners @ rotation_of(NUMERIC, drawing["orientation"], geometry.number).T
        if "at" in drawing:
            corners = corners + geometry.vector(drawing["at"])
        found[name] = corners, faces
    return found


def summary_data(result: Result, geometry: Geometry, samples: int, left_out: int) -> dict[str, Any]:
    """Rows of label and text, parameters, events, remarks."""
    changed = result.info.get("params") or {}
    units = parameter_units(geometry.model)
    return {
        "model": _model_rows(geometry, result.info),
        "run": _run_rows(result, samples),
        "parameters": [
            {"name": name, "value": f"{value:.6g}", "unit": units[name], "changed": name in changed}
            for name, value in geometry.parameters.items()
        ],
        "events": [{"name": e.name, "time": e.time, "message": e.message} for e in result.events],
        "warnings": list(result.warnings),
        "failure": result.failure,
        "notes": _notes(result, samples, left_out),
    }


def _model_rows(geometry: Geometry, info: Mapping[str, Any]) -> Rows:
    model = geometry.model
    bodies = _kinds(model.bodies) if geometry.elastic else str(len(model.bodies))
    rows = [("Bodies", bodies), ("Joints", _kinds(model.joints))]
    rows += [("Forces", _kinds(model.forces))] if model.forces else []
    rows += [("Drivers", str(len(model.drivers)))] if model.drivers else []
    if "degrees_of_freedom" in info:
        rows.append(("Degrees of freedom", str(info["degrees_of_freedom"])))
    gravity = geometry.vector(model.gravity)
    if gravity.any():
        rows.append(("Gravity", f"({', '.join(f'{g:g}' for g in gravity)}) m/s²"))
    return rows


def _kinds(elements: Mapping[str, Any]) -> str:
    """``4 (3 revolute, 1 prismatic)``."""
    if not elements:
        return "0"
    counted = Counter(element.kind.replace("_", " ") for element in elements.values())
    return f"{len(elements)} ({', '.join(f'{n} {kind}' for kind, n in counted.items())})"


def _run_rows(result: Result, samples: int) -> Rows:
    info, stats = result.info, result.info.get("statistics") or {}
    span = f"{result.time[0]:g} to {result.time[-1]:g} s"
    shown = str(samples) if samples == len(result) else f"{samples} of {len(result)}"
    rows = [("Time", span), ("Samples", shown)]
    for label, key in (("Formulation", "formulation"), ("Coordinates", "tree"),
                       ("Method", "method"), ("Constraints", "constraints")):  # fmt: skip
        if info.get(key):
            rows.append((label, str(info[key])))
    if info.get("step"):
        rows.append(("Step", f"{info['step']:g} s"))
    elif info.get("rtol"):
        rows.append(("Relative tolerance", f"{info['rtol']:g}"))
    if "steps" in stats:
        rows.append(("Steps", f"{int(stats['steps'])}, {int(stats.get('rejected', 0))} rejected"))
    if "evaluations" in stats:
        rows.append(("Evaluations", f"{int(stats['evaluations'])}"))
    if "seconds" in stats:
        rows.append(("Integrated in", f"{stats['seconds']:.3g} s"))
    return rows


def _notes(result: Result, samples: int, left_out: int) -> list[str]:
    notes = []
    if samples < len(result):
        notes.append(f"The page holds {samples} of the {len(result)} samples of the run.")
    if left_out:
        notes.append(
            f"{left_out} of {len(result.series)} observables are not in the page, to keep it small;"
            " name those you want: result.report(path, plots=[...])."
        )
    if any(not all(s.unique) for s in result.series.values() if s.unique):
        notes.append(
            "Some reactions are not determined by the constraints (marked ≈): the smallest are"
            " shown."
        )
    return notes


def pose_names(bodies: Mapping[str, Body]) -> list[str]:
    """The observables a moving picture of these bodies needs: poses, elastic coordinates."""
    return [
        f"{name}.{quantity}"
        for name, body in bodies.items()
        for quantity in ("position", "orientation", *body.elastic_names)
    ]


def require_poses(result: Result, bodies: Mapping[str, Body]) -> list[str]:
    """What the picture needs, or an InputError that names what was not observed."""
    names = pose_names(bodies)
    missing = [name for name in names if name not in result.series]
    if missing:
        some = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
        deformed = any(body.elastic_names for body in bodies.values())
        more = ", and the elastic coordinates of flexible ones," if deformed else ""
        raise InputError(
            f"report: the motion of the bodies was not observed ({some})",
            f"leave out outputs, or add BODY.position and BODY.orientation of every body{more}"
            " to them",
        )
    return names
