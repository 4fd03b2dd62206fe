"""pliant modes MODEL: natural frequencies, damping, shapes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.cli.common import names_in, new_command, tell
from pliant.errors import InputError

_KINDS = (".csv", ".png", ".svg", ".pdf", ".html")
_AT = ("rest", "equilibrium", "steady")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, modes, "natural frequencies, damping, shapes",
        "Frequencies, damping and shapes of small motions about the initial position, "
        "about equilibrium or about a steady motion.",
        _KINDS, ".csv for the table and shapes, .png, .svg or .pdf for a picture, .html "
        "for a moving page (at most 60 modes); repeatable",
        ("blade.yaml --count 6 -o modes.html", "blade.yaml --at steady --set speed=4"),
    )  # fmt: skip
    c.add_argument("--at", choices=_AT, default="rest", help="what the motions are about (rest)")
    c.add_argument("--at-time", metavar="T", help="time of drivers and loads")
    c.add_argument("--count", type=int, metavar="N", help="the N slowest modes (default all)")
    c.add_argument("--mode", type=int, metavar="K", help="a page or picture of this mode only")
    c.add_argument("--kind", choices=("shapes", "heat"), default="shapes",
                   help="picture: the mechanism in each mode (shapes), or a table of the "
                   "coordinates that move")  # fmt: skip
    c.add_argument("--hold", metavar="NAME,...", default="",
                   help="coordinates or joints that stay where they are")  # fmt: skip


def modes(system: Any, options: argparse.Namespace) -> int:
    """Compute, save, print."""
    if options.count is not None and options.count < 1:
        raise InputError(f"--count {options.count}: not above zero")
    result = system.modes(
        options.count, at=options.at, t=options.at_time, params=options.params,
        hold=names_in(options.hold) or (),
    )  # fmt: skip
    for name in options.output:
        kind = Path(name).suffix
        if kind == ".csv":
            result.to_csv(name)
        elif kind == ".html":
            result.report(name, options.mode)
        else:
            chosen = None if options.mode is None else [options.mode]
            result.plot(name, kind=options.kind, modes=chosen)
    tell(options, result, options.output)
    return 0
