"""pliant check MODEL: faults, degrees of freedom, redundant constraints."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import new_command, params_of, tell


def add_to(commands: Any) -> None:
    """Register the command."""
    new_command(
        commands, "check", check, "faults, degrees of freedom, redundant constraints",
        "Report every fault of a model at once; then its degrees of freedom, its "
        "redundant constraints by name and remarks on its initial state.",
    )  # fmt: skip


def check(options: argparse.Namespace) -> int:
    """Load, count, print."""
    from pliant.system import System

    report = System.load(options.model).check(params=params_of(options))
    tell(options, report)
    return report.exit_code
