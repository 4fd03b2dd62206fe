"""pliant check MODEL: faults, degrees of freedom, redundant constraints."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import add_model, params_of, print_json


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser(
        "check", help="faults, degrees of freedom, redundant constraints",
        description="Report every fault of a model at once; then its degrees of freedom, its "
        "redundant constraints by name and remarks on its initial state.",
    )  # fmt: skip
    add_model(command)
    command.set_defaults(action=check)


def check(options: argparse.Namespace) -> int:
    """Load, count, print."""
    from pliant.system import System

    report = System.load(options.model).check(params=params_of(options))
    print_json(report.as_dict()) if options.json else print(report)
    return report.exit_code
