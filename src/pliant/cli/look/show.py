"""pliant show RESULT: what is in a result."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from pliant.cli.colour import painted
from pliant.cli.common import print_json
from pliant.cli.look.given import add_given, add_names, named, result_of


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "show", help="what is in a result",
        description="Say what a result is of, how it ended, and the first, last, least and largest "
        "value of every observable in it.",
        examples=("crank.nc", "crank.nc 'O.*' energy"),
    )  # fmt: skip
    add_given(c)
    add_names(c, "observables or patterns (all)")
    c.add_argument("--json", action="store_true", help="machine-readable output")
    c.set_defaults(action=show)


def show(options: argparse.Namespace) -> int:
    """Print it."""
    result = result_of(options.given, options.params)
    columns = result.components(named(result, options.names)) if options.names else result.columns()
    rows = [(name, result.unit(name), *_numbers(result.values(name))) for name in columns]
    if options.json:
        keys = ("unit", "first", "last", "least", "largest")
        table = {name: dict(zip(keys, row, strict=True)) for name, *row in rows}
        print_json({"info": result.info, "failure": result.failure, "samples": len(result),
                    "warnings": list(result.warnings), "observables": table,
                    "events": [[e.name, e.time] for e in result.events]})  # fmt: skip
        return 0
    _head(result)
    width = max((len(row[0]) for row in rows), default=10)
    heads = "  ".join(f"{word:>12s}" for word in ("first", "last", "least", "largest"))
    print(f"  {'observable':{width}s}  {'unit':9s}  {heads}")
    for name, unit, *numbers in rows:
        shown = "  ".join(f"{x:12.6g}" for x in numbers)
        print(f"  {name:{width}s}  {unit or '-':9s}  {shown}")
    more = len(result.names()) - len(result.series)
    if more > 0:
        print(f"  {more} more can be asked for by name: pliant show {options.given} NAME ...")
    return 0


def _numbers(values: Any) -> list[float]:
    known = values[np.isfinite(values)]
    if not len(known):
        return [float("nan")] * 4
    return [float(x) for x in (values[0], values[-1], known.min(), known.max())]


def _head(result: Any) -> None:
    info = result.info
    span = f"{result.time[0]:g} to {result.time[-1]:g} s, " if len(result) else ""
    how = ", ".join(str(info[k]) for k in ("formulation", "method") if info.get(k))
    print(f"{info.get('model') or 'result'}: {span}{len(result)} samples"
          + (f" ({how})" if how else ""))  # fmt: skip
    if result.failure:
        print(painted(f"  stopped: {result.failure}", "bad"))
    if "energy" in info:
        print(f"  energy: {info['energy']}")
    for warning in result.warnings:
        print(painted(f"  warning: {warning}", "doubtful"))
    for event in result.events:
        print(f"  event {event.name} at t = {event.time:.9g} s {event.message}".rstrip())
