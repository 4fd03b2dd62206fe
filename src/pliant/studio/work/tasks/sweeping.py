"""Many runs from the sliders: a grid over their ranges, as ``pliant sweep`` computes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pliant.analysis.sweeps.plans import planned
from pliant.analysis.sweeps.work import Progress
from pliant.errors import Interrupted
from pliant.model.numbers.units import parse_unit
from pliant.results.sweeps import Sweep
from pliant.show.page.sweep import sweep_data
from pliant.studio.work.asked import Asked
from pliant.studio.work.commands import command_line
from pliant.studio.work.process.plain import plain
from pliant.studio.work.process.told import Told
from pliant.studio.work.source import WorkError
from pliant.system import System

PHASE = "sweeping"
MOST_RUNS = 10_000


def swept(system: System, told: Told, asked: Asked, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """All runs as the page of a sweep has them, as far as they got; the command that does the same.
    Sliders know numbers in the units of the file, and so do the axes."""
    chosen = dict(chosen)
    vary, outputs = chosen.pop("vary", {}), chosen.pop("outputs", None)
    units = chosen.pop("units", {})
    count = len(planned(vary, None, "grid", 0))
    if count > MOST_RUNS:
        raise WorkError(f"these are {count} runs", f"take {MOST_RUNS} at most, or the command line")

    def progress(now: Progress) -> None:
        told.counting(PHASE)
        told.progress(now.done / now.total)

    params = {name: value for name, value in asked.params.items() if name not in vary}
    try:
        found = system.sweep(vary, plan="grid", outputs=outputs, params=params or None,
                             progress=progress, **chosen)  # fmt: skip
    except Interrupted as stopped:
        found = stopped.result
    target = f"{Path(asked.source.name).stem or 'model'}.html"
    line = command_line(asked.source.name, "sweep", asked.options, params, "-o", target)
    names = [name for name in outputs or () if name in found.scalars]
    data = sweep_data(in_units(found, units), plots=names or None)
    return {"data": plain({"sweep": data, "command": line, "params": params}),
            "failure": found.failure}  # fmt: skip


def in_units(sweep: Sweep, units: Mapping[str, str]) -> Sweep:
    """The same with what was varied in other units than those of SI."""
    scales = {name: parse_unit(unit)[0] for name, unit in units.items() if unit}
    tables = ({n: v / scales[n] if n in scales else v for n, v in table.items()}
              for table in (sweep.varied.columns, sweep.varied.grid))  # fmt: skip
    columns, grid = tables
    known = {**sweep.varied.units, **{n: unit for n, unit in units.items() if unit}}
    return replace(sweep, varied=replace(sweep.varied, columns=columns, grid=grid, units=known))
