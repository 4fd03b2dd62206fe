"""pliant report RESULT|MODEL|STORE: the moving page; of a sweep, the page of all its runs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pliant.cli.common import names_in
from pliant.cli.help import Once
from pliant.cli.look.given import RESULTS, add_given, result_of, written_beside
from pliant.cli.results import wanted_outputs
from pliant.errors import InputError
from pliant.writing import checked_target


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "report", help="the moving page of a result, or of a model that is run first",
        description="Write one HTML file with the motion in 3-D and linked plots. A result must "
        "hold the motion of the bodies, as a .nc file that Pliant wrote does. Of the store of a "
        "sweep: the page of all its runs, with what was varied as axes.",
        examples=("crank.yaml --plots O.angle,energy", "crank.sweep -o crank.html"),
    )  # fmt: skip
    add_given(c)
    c.add_argument("--plots", metavar="NAME,...", help="observables that are plotted at first")
    c.add_argument(
        "-o", "--output", action=Once, metavar="FILE", help=".html (the name of the file, .html)"
    )
    c.set_defaults(action=report)


def report(options: argparse.Namespace) -> int:
    """Write it; exit code 1 if a run stopped early."""
    target = options.output or written_beside(options.given, ".html")
    checked_target(target, (".html",))
    names, wanted = names_in(options.plots), None
    if Path(options.given).is_dir():
        return _sweep(options, target, names)
    if Path(options.given).suffix.lower() not in RESULTS:
        from pliant.system import System

        wanted = wanted_outputs(System.load(options.given).model, names, [target])
    result = result_of(options.given, options.params, wanted)
    result.report(target, plots=names)
    print(f"wrote {target}")
    return 1 if result.failure else 0


def _sweep(options: argparse.Namespace, target: str, names: Sequence[str] | None) -> int:
    """The page of a sweep that was kept, as far as it got."""
    from pliant.results.sweeps import Sweep

    if options.params:
        raise InputError(f"--set: {options.given} keeps runs", "leave it out")
    found = Sweep.load(options.given)
    found.report(target, plots=names)
    print(f"wrote {target}")
    return int(len(found.failures) == len(found))
