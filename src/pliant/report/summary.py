"""What the page says of the model and the run in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pliant.report.geometry import Geometry
from pliant.results.result import Result

Rows = list[tuple[str, str]]


def summary_data(result: Result, geometry: Geometry, samples: int, left_out: int) -> dict[str, Any]:
    """Rows of label and text, parameters, events, remarks."""
    changed = result.info.get("params") or {}
    return {
        "model": _model_rows(geometry, result.info),
        "run": _run_rows(result, samples),
        "parameters": [
            {"name": name, "value": f"{value:.6g}", "changed": name in changed}
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
    rows = [("Time", span), ("Samples", _of(samples, len(result)))]
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


def _of(some: int, all_: int) -> str:
    return str(all_) if some == all_ else f"{some} of {all_}"


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
