"""pliant fit MODEL DATA: numbers for which a model tells what was measured."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from pliant.cli.common import names_in, new_command, tell
from pliant.cli.help import takes_of_model
from pliant.cli.progress import Line
from pliant.errors import InputError


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, fit, "numbers for which it tells what was measured",
        "Find parameters, numbers of the file and initial values by least squares, with their "
        "standard deviations, and what the data cannot tell apart.",
        (".png", ".svg", ".pdf"), ".png, .svg or .pdf for a picture of the data and what is told; "
        "repeatable",
        ("motor.yaml measured.csv --parameters R,L,k --bounds R=0.1..20",
         'motor.yaml measured.csv --parameters "R=2 ohm" --deviations current=0.02 -o fit.png'),
    )  # fmt: skip
    c.add_argument("data", metavar="DATA",
                   help="a table: times, and columns named as observables (.csv, .nc)")  # fmt: skip
    takes_of_model(
        c.add_argument("--parameters", action="append", default=[], metavar="NAME[=START],...",
                       help="what is looked for, from where the file has it or from START; "
                       "repeatable"),
        lambda system: system.described.all_parameters(),
    )  # fmt: skip
    c.add_argument("--bounds", action="append", default=[], metavar="NAME=LOW..HIGH",
                   help="where it may be (R='0.1 ohm..20 ohm', d='1e-3..1 log'); "
                   "repeatable")  # fmt: skip
    c.add_argument("--deviations", action="append", default=[], metavar="NAME=SIZE",
                   help="standard deviation of a sample of an observable (O.angle='0.1 deg'); "
                   "repeatable")  # fmt: skip
    c.add_argument("--observe", metavar="NAME,...", help="columns of the data (default all)")
    c.add_argument("--rtol", type=float, metavar="R", help="relative tolerance of runs")
    c.add_argument("--quiet", action="store_true", help="no progress")


def fit(system: Any, options: argparse.Namespace) -> int:
    """Fit, save, print; exit code 1 if no minimum was found."""
    words = [word for text in options.parameters for word in names_in(text) or ()]
    if not words:
        raise InputError(
            "--parameters: nothing is looked for", "write for example --parameters R,L"
        )
    show = Line(options.quiet)
    found = system.fit(
        options.data, _starts(words), _pairs("bounds", options.bounds) or None,
        deviations=_pairs("deviations", options.deviations) or None,
        outputs=names_in(options.observe), params=options.params or None, rtol=options.rtol,
        progress=lambda step: show(f"  {step}"),
    )  # fmt: skip
    show.clear()
    for name in options.output:
        found.plot(path=name)
    tell(options, found, options.output)
    return 0 if found.completed else 1


def _starts(words: Sequence[str]) -> dict[str, str | None]:
    """Where each begins; None: where the file has it."""
    found: dict[str, str | None] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not name or (equals and not value):
            raise InputError(
                f"--parameters {word}: not NAME or NAME=START", "write for example R=2"
            )
        if name in found:
            raise InputError(f"'{name}' is given twice", "name it once")
        found[name] = value or None
    return found


def _pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """Of an option NAME=VALUE."""
    found: dict[str, str] = {}
    for item in given:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not (equals and name and value):
            raise InputError(f"--{option} {item}: not NAME=VALUE",
                             f"write for example --{option} R=0.1..20")  # fmt: skip
        if name in found:
            raise InputError(f"--{option}: '{name}' is given twice", "name it once")
        found[name] = value
    return found
