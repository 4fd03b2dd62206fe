"""One self-contained HTML file: template, data, script."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from pliant.errors import FileError, InputError
from pliant.flex.rewriting.model import expanded
from pliant.model.files import loads
from pliant.report.columns import columns_of
from pliant.report.geometry import Geometry
from pliant.report.meshes import Mesh, meshes_of
from pliant.report.poses import pose_names, require_poses
from pliant.report.scene import scene_data
from pliant.report.summary import summary_data
from pliant.results.result import Result
from pliant.writing import checked_target, replace_text

HERE = Path(__file__).parent
SCRIPT = HERE / "page.js"
_MOST_FIRST_PLOTS = 3


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
    script = page_script()
    data = page_data(result, title=title, plots=plots, meshes=meshes or {})
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(data["title"]),
        version=data["version"],
        data=text.replace("<", "\\u003c"),
        script=script.replace("</script", "<\\/script"),
    )


def page_script() -> str:
    """What moves the page; it is built from ``web/`` and shipped inside the wheel."""
    if not SCRIPT.is_file():
        raise FileError("the script of the page is not built in this checkout", "run: make page")
    return SCRIPT.read_text(encoding="utf-8")


def page_data(
    result: Result, *, title: str, plots: Sequence[str] | None, meshes: Mapping[str, Mesh]
) -> dict[str, Any]:
    """Everything the script reads."""
    if not result.model:
        raise InputError("report: this result does not hold its model", "save it as .nc, not .csv")
    if not len(result):
        raise InputError(f"report: the result is empty: {result.failure}", "nothing can be shown")
    params = result.info.get("params") or {}
    model = expanded(loads(result.model), params)
    geometry = Geometry(model, model.parameter_values(params))
    first = plots if plots is not None else _first_plots(result)
    result = result.also(pose_names(model.bodies))
    poses = require_poses(result, model.bodies)
    columns = columns_of(result, poses, {_owner(result, name) for name in first})
    observed = dict.fromkeys(columns.names)
    triangles = meshes_of(geometry, meshes)
    return {
        "title": title or model.name or "Model",
        "description": " ".join(model.description.split()),
        "version": import_module("pliant").__version__,
        "scene": scene_data(geometry, observed, triangles, _reach(result, model.bodies)),
        "plots": _components(result, first),
        "summary": summary_data(result, geometry, len(columns.samples), columns.left_out),
        **columns.as_data(result),
    }


def _reach(result: Result, bodies: Mapping[str, Any]) -> float:
    """How far the bodies spread and travel."""
    if not bodies:
        return 0.0
    points = np.concatenate([result.series[f"{name}.position"].values for name in bodies])
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _first_plots(result: Result) -> list[str]:
    """Joint coordinates, efforts, deflections, energies: a few panels for a first look."""
    order = ("coordinate", "effort", "deflection", "energy", "rate", "reaction", "position")
    chosen: dict[str, list[str]] = {}
    bent = _deflections(result)
    for kind in order:
        names = bent if kind == "deflection" else _scalars(result, kind, elastic=not bent)
        if kind == "deflection" and "m" in chosen:
            continue  # too small to be seen beside other lengths
        for name in names:
            panel = chosen.setdefault(result.unit(name), [])
            if len(panel) < 3:
                panel.append(name)
    return [name for unit in list(chosen)[:_MOST_FIRST_PLOTS] for name in chosen[unit]]


def _scalars(result: Result, kind: str, *, elastic: bool) -> list[str]:
    """Scalar observables of a kind that vary, but for the energy of one body; elastic coordinates
    (they have no unit) only if they are all there is to tell of deformation."""
    found = []
    for name, s in result.series.items():
        own = kind == "energy" and "." in name
        own |= kind in ("coordinate", "rate") and not s.unit and not elastic
        if s.kind == kind and not own and not s.labels and np.ptp(s.values) > 0:
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


def _owner(result: Result, name: str) -> str:
    """The observable that holds a name, which may be a component of it."""
    result.unit(name)  # an unknown name is reported here
    return name if name in result.series else name.rpartition(".")[0]


def _components(result: Result, names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        labels = result.series[name].labels if name in result.series else ()
        found += [f"{name}.{label}" for label in labels] if labels else [name]
    return found
