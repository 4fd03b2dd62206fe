"""The page of a sweep: what was varied and what came of it as axes, curves of runs over time.

Numbers are single precision. A large sweep is thinned, and the page says by how much: fewer
samples of each curve, then fewer runs with curves, then fewer runs at all. Those that failed come
first, the others by chance. Scores are of all samples.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import InputError
from pliant.records import dataclass
from pliant.results.sweeps.runs import NOT_YET
from pliant.results.sweeps.sweep import Sweep
from pliant.show.page.packing import packed
from pliant.show.page.page import FIRST, HERE, filled, page_script
from pliant.writing import checked_target, replace_text

SCRIPT = HERE / "sweep.js"
MOST_RUNS = 3000
"""Lines that a browser draws anew while a part of an axis is dragged."""
MOST_NUMBERS = 240_000
"""In all: a page of 1.3 megabytes at most."""
FEWEST_SAMPLES = 100
"""Of a curve."""
_FIRST_CURVES = 3
_WORDS = ("max", "min", "last")
"""Scores of every curve, unless some were asked for."""
_TEXTS = 500
"""Different messages of runs that failed."""


def report_sweep(
    sweep: Sweep, path: str | os.PathLike[str], *, title: str = "",
    plots: Sequence[str] | None = None, scores: Sequence[str] | None = None,
) -> Path:  # fmt: skip
    """Write the page; see ``Sweep.report``."""
    path = Path(path)
    checked_target(path, (".html", ".htm"))
    script = page_script(SCRIPT)
    return replace_text(path, filled(sweep_data(sweep, title, plots, scores), script))


def sweep_data(
    sweep: Sweep, title: str = "", plots: Sequence[str] | None = None,
    scores: Sequence[str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Everything the page reads."""
    names = _first_curves(sweep) if plots is None else [*plots]
    _refuse_vectors(sweep, names)
    wanted = [f"{word} {name}" for name in names for word in _WORDS] if scores is None else scores
    choice = Choice.of(sweep, len(sweep.varied.names) + len(wanted) + 1, len(names))
    columns, table = _columns(sweep, choice.runs, wanted, chosen=scores is not None)
    return {
        "title": title or sweep.info.get("model") or "Sweep",
        "version": import_module("pliant").__version__,
        "plan": sweep.varied.kind,
        "total": len(sweep),
        "runs": choice.runs.tolist(),
        "columns": columns,
        "table": packed(table),
        "time": [float(f"{t:.12g}") for t in sweep.time[choice.samples]],
        "curves": [{"name": name, "unit": _unit(sweep, name)} for name in names],
        "drawn": np.searchsorted(choice.runs, choice.drawn).tolist(),
        "numbers": packed([curve for name in names
                           for curve in sweep.curves(name, choice.drawn, choice.samples)]),
        "failures": _failures(sweep, choice.runs),
        "notes": _notes(sweep, choice, bool(names)),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """What the page holds: runs by their numbers, which of them have curves, samples of a curve."""

    runs: Integers
    drawn: Integers
    samples: Integers

    @classmethod
    def of(cls, sweep: Sweep, columns: int, curves: int) -> Choice:
        """As much as there is room for."""
        failed = sweep.failures
        there = np.array([k for k in range(len(sweep)) if failed.get(k) != NOT_YET], dtype=np.int64)
        bad = np.array([k for k, text in failed.items() if text != NOT_YET], dtype=np.int64)
        runs = _some(there, bad, min(MOST_RUNS, MOST_NUMBERS // (2 * columns)))
        count = len(sweep.time)
        if not curves or not len(runs) or not count:
            return cls(runs, runs[:0], np.arange(0))
        room = max(MOST_NUMBERS - columns * len(runs), 0) // curves
        fewer = min(count, max(FEWEST_SAMPLES, room // len(runs)))
        samples = np.unique(np.linspace(0, count - 1, fewer).round().astype(np.int64))
        return cls(runs, _some(runs, bad, max(1, room // len(samples))), samples)


def _some(among: Integers, first: Integers, most: int) -> Integers:
    """All, or so many of them: up to half of them of the ``first`` ones, the others by chance."""
    if len(among) <= most:
        return among
    rng = np.random.default_rng(0)
    first = np.intersect1d(first, among)
    others = np.setdiff1d(among, first)
    count = min(len(first), max(most // 2, most - len(others)))
    chosen = [rng.choice(first, count, replace=False),
              rng.choice(others, most - count, replace=False)]  # fmt: skip
    return np.sort(np.concatenate(chosen))


def _first_curves(sweep: Sweep) -> list[str]:
    """Scalars that vary, of the most telling observables; few of one kind."""
    order = {kind: k for k, kind in enumerate(FIRST)}
    every = [(order.get(sweep.kind(name), len(order)), k, name)
             for k, name in enumerate(sweep.scalars)]  # fmt: skip
    found: list[str] = []
    for _, _, name in sorted(every):
        if len(found) == _FIRST_CURVES:
            break
        if sweep.varies(name):
            found.append(name)
    return found or sweep.scalars[:1]


def _refuse_vectors(sweep: Sweep, names: Sequence[str]) -> None:
    for name in names:
        labels = sweep.labels(name)
        if labels:
            told = ", ".join(f"{name}.{label}" for label in labels)
            raise InputError(f"report: '{name}' is a vector", f"name one of {told}")


def _unit(sweep: Sweep, name: str) -> str:
    return sweep.criterion(name).unit


def _columns(
    sweep: Sweep, runs: Integers, wanted: Sequence[str], *, chosen: bool
) -> tuple[list[dict[str, Any]], list[Array]]:
    """Axes of the page and their numbers: what was varied, scores, and when runs ended. Words are
    numbered in the order in which they come. A run that failed has no score."""
    columns: list[dict[str, Any]] = []
    table: list[Array] = []
    for name, values in sweep.params.items():
        about: dict[str, Any] = {
            "name": name,
            "unit": sweep.varied.units.get(name, ""),
            "kind": "varied",
        }
        if values.dtype == object:
            words = {word: k for k, word in enumerate(dict.fromkeys(map(str, values)))}
            about["words"] = [*words]
            values = np.array([float(words[str(v)]) for v in values])
        columns.append({**about, "shown": True})
        table.append(values[runs])
    failed = [*sweep.failures]
    for k, (text, values) in enumerate(zip(wanted, sweep.scores(wanted), strict=True)):
        values[failed] = np.nan
        shown = chosen or (k % len(_WORDS) == 0)
        columns.append({"name": text, "unit": sweep.criterion(text).unit, "kind": "score",
                        "shown": shown})  # fmt: skip
        table.append(values[runs])
    columns.append({"name": "end", "unit": "s", "kind": "end", "shown": False})
    table.append(sweep.end[runs])
    return columns, table


def _failures(sweep: Sweep, runs: Integers) -> list[dict[str, Any]]:
    """Messages, the most frequent first, each with the places of its runs on the page."""
    places = {int(k): place for place, k in enumerate(runs)}
    own = {places[k]: text for k, text in sweep.failures.items() if k in places}
    kept = {text for text, _ in Counter(own.values()).most_common(_TEXTS)}
    found: dict[str, list[int]] = {}
    for place, text in own.items():
        found.setdefault(text if text in kept else "another reason", []).append(place)
    ordered = sorted(found.items(), key=lambda item: -len(item[1]))
    return [{"text": text, "runs": who} for text, who in ordered]


def _notes(sweep: Sweep, choice: Choice, curves: bool) -> list[str]:
    """What the page does not hold."""
    failed = Counter(text == NOT_YET for text in sweep.failures.values())
    notes = [f"{failed[True]} of {len(sweep)} runs are {NOT_YET}."] if failed[True] else []
    there, held = len(sweep) - failed[True], len(choice.runs)
    if held < there:
        bad = len(np.intersect1d(choice.runs, [*sweep.failures]))
        notes.append(f"The page holds {held} of {there} runs: {bad} of the {failed[False]} that "
                     "failed, the others by chance.")  # fmt: skip
    if curves and len(choice.drawn) < held:
        notes.append(f"Curves are those of {len(choice.drawn)} runs, taken by chance.")
    if curves and len(choice.samples) < len(sweep.time):
        notes.append(f"Curves are drawn at {len(choice.samples)} of {len(sweep.time)} samples; "
                     "scores are of all.")  # fmt: skip
    warned = len(sweep.warnings)
    if warned:
        notes.append(f"{warned} runs have remarks; sweep.warnings and the command line tell them.")
    return notes
