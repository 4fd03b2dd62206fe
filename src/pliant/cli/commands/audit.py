"""pliant audit MODEL: simulate, and say what became of energy."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.commands.run import add_integration, check_integration, exit_code
from pliant.cli.common import add_choice, choice_of, new_command, tell
from pliant.cli.look.given import seconds_in
from pliant.cli.results import PICTURES


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, audit, "where energy went",
        "Simulate a model and add up the power of every bond of its multibond graph: "
        "energy supplied, stored, dissipated, exchanged between domains, and the balance.",
        PICTURES, ".png, .svg or .pdf for bands of energy; repeatable",
        ("drive.yaml", "drive.yaml --from 0.2 --to 0.4 -o energy.png"),
    )  # fmt: skip
    c.add_argument("--from", metavar="T", dest="begin",
                   help="begin of the interval (0.3, 300ms; that of the run)")  # fmt: skip
    c.add_argument("--to", metavar="T", help="its end (that of the run)")
    add_choice(c)
    add_integration(c)


def audit(system: Any, options: argparse.Namespace) -> int:
    """Simulate and account; exit code 1 if the run stopped early."""
    check_integration(options)
    begin, end = seconds_in(options.begin, "--from"), seconds_in(options.to, "--to")
    result = system.simulate(
        options.t_end, **choice_of(options), method=options.method, rtol=options.rtol,
        constraints=options.constraints, step=options.step, every=options.every,
        params=options.params, outputs=["*"], max_memory=options.max_memory,
    )  # fmt: skip
    found = system.power_audit(result, begin, end)
    for name in options.output:
        found.plot(name)
    tell(options, found, options.output)
    return exit_code(result)
