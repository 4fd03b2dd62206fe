"""Numbers of finished runs: any observable of them, and results of files as runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import UnknownName
from pliant.results.result import Result
from pliant.show.page.sections import with_sections
from pliant.studio.work.asked import Kept
from pliant.studio.work.bench import Bench
from pliant.studio.work.process.stream import frame_of
from pliant.studio.work.process.worker import Answer, Task
from pliant.studio.work.tasks.analyses import about
from pliant.studio.work.tasks.scene import geometry_of_result, needed_names, positions, scene_of

MOST_NUMBERS = 1_000_000
"""Of arrows, beside what was asked for."""


def series(
    bench: Bench, task: Task, *, run: Kept, names: Sequence[str], scene: bool, sections: bool
) -> Answer:  # fmt: skip
    """A frame with observables of a run, also ones that were not recorded; unknown ones are left
    out. ``scene``: also the motion of bodies, and what is drawn; ``sections``: of beams, too."""
    result = bench.result(run)
    header: dict[str, Any] = {"type": "series", "run": run.number, "draft": False}
    result, chosen = with_names(result, names)
    if names and not chosen:
        result.unit(names[0])
    geometry = geometry_of_result(result) if scene else None
    if geometry is not None:
        result, poses = with_names(result, needed_names(geometry))
        everything = scene_of(geometry, result.series, positions(result, geometry))
        if sections:
            everything = with_sections(everything, result, geometry, np.arange(len(result)))
        room = max(1, MOST_NUMBERS // max(len(result), 1))
        arrows = [*dict.fromkeys(a["series"] for a in everything["arrows"])][: room // 3]
        chosen = [*dict.fromkeys((*poses, *chosen, *arrows))]
        header["scene"] = {
            **everything, "arrows": [a for a in everything["arrows"] if a["series"] in chosen],
        }  # fmt: skip
    bench.keep(run.number, result)
    return {}, frame_of(result, chosen, header)


def with_names(result: Result, names: Iterable[str]) -> tuple[Result, list[str]]:
    """A result with some observables among its series, and the series that have them; a component
    is told with its vector."""
    chosen: dict[str, None] = {}
    for name in names:
        owner = name.rpartition(".")[0]
        result = result.also([name])
        if name in result.series:
            chosen[name] = None
            continue
        result = result.also([owner])
        if owner in result.series and _is_part(result, owner, name):
            chosen[owner] = None
    return result, list(chosen)


def _is_part(result: Result, owner: str, name: str) -> bool:
    try:
        result.unit(name)
    except UnknownName:
        return False
    return bool(result.series[owner].labels)


def load(bench: Bench, task: Task, *, run: int, file: Path, keep: Path) -> Answer:
    """A result of a file (.nc, .csv) as a run; a copy is kept."""
    result = Result.load(file)
    bench.save(run, result, keep)
    info: Mapping[str, Any] = result.info
    return {"runs": [{"id": run, "label": file.name, **about(result)}],
            "params": {k: str(v) for k, v in (info.get("params") or {}).items()},
            "model": result.model}, None  # fmt: skip
