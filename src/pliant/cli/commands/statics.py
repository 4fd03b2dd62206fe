"""pliant statics MODEL: equilibrium, reactions, stability."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import names_in, new_command, observables
from pliant.cli.help import takes_of_model
from pliant.cli.results import KINDS, conclude, wanted_outputs

_METHODS = ("auto", "path", "relax", "sparse")
_PATHS = ("load", "arc-length")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, statics, "equilibrium, reactions, stability",
        "Find an equilibrium of a model from its initial position, drivers standing "
        "where they are at the start. Exit code 1 if there is none.",
        KINDS, ".csv, .nc, .png, .svg, .pdf or .html; repeatable",
        ("beam.yaml --observe tip.deflection", "column.yaml --critical"),
    )  # fmt: skip
    c.add_argument("--at-time", metavar="T", help="time of drivers and loads")
    c.add_argument("--load-steps", type=int, default=1, metavar="N",
                   help="samples along the load factor (1)")  # fmt: skip
    c.add_argument("--method", choices=_METHODS, default="auto", help="how it is searched")
    c.add_argument("--path", choices=_PATHS, default="load",
                   help="arc-length: through limit points, at most N points (200)")  # fmt: skip
    c.add_argument("--critical", action="store_true",
                   help="the load factor at which equilibrium is lost, and the mode")  # fmt: skip
    c.add_argument("--hold", metavar="NAME,...", default="",
                   help="coordinates or joints that stay where they are given")  # fmt: skip
    takes_of_model(
        c.add_argument("--observe", metavar="NAME,...", help="observables to report (default all)"),
        observables,
    )


def statics(system: Any, options: argparse.Namespace) -> int:
    """Solve, save, print; exit code 1 without an equilibrium."""
    observe = options.observe.split(",") if options.observe else None
    result = system.statics(
        t=options.at_time, load_steps=options.load_steps, method=options.method,
        hold=names_in(options.hold) or (), params=options.params,
        outputs=wanted_outputs(system.model, observe, options.output),
        path=options.path, critical=options.critical,
    )  # fmt: skip
    return conclude(result, options, observe)
