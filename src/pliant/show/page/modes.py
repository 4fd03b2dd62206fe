"""The moving page of modes: one file, in which one of them is chosen from a list and swings.

What all modes share is written once: of each further one only what differs. Of very many modes the
slowest are shown, so that the page stays small.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.errors import InputError
from pliant.results.modes import ModesResult
from pliant.show.page.page import Mesh, page_data, page_text
from pliant.show.shapes.modes import chosen, described
from pliant.writing import checked_target, replace_text

MOST = 60
"""Modes on one page."""


def report_modes(
    result: ModesResult,
    path: str | os.PathLike[str],
    mode: int | None = None,
    *,
    title: str = "",
    plots: Sequence[str] | None = None,
    meshes: Mapping[str, Mesh] | None = None,
) -> Path:
    """Write the page of all modes, or of one; see ``ModesResult.report``."""
    path = checked_target(Path(path), (".html", ".htm"))
    shown = chosen(result, None if mode is None else [mode], MOST)
    if result.about is None or not any(n.endswith(".position") for n in result.about.series):
        raise InputError("report: the model has no bodies that move",
                         "plot its modes, or write them as .csv")  # fmt: skip
    pages = []
    for own in shown:
        data = page_data(result.animate(own.number), title=title, plots=plots, meshes=meshes or {})
        pages.append({**data, "mode": f"{own.number}  {own.label}: {described(own)}"})
    first = pages[0]
    if not title and mode is not None:
        first["title"] = f"Mode {first.pop('mode')}"
    elif not title:
        some = f" 1 to {MOST} of {len(result)}" if len(shown) < len(result) else ""
        first["title"] = f"Modes{some} of {result.info.get('model') or 'the model'}"
    if mode is None:
        first["modes"] = [_difference(page, first) for page in pages]
    return replace_text(path, page_text(first))


def _difference(page: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any]:
    """What a page says otherwise than the first one."""
    return {k: v for k, v in page.items() if k == "mode" or (k != "title" and v != first[k])}
