"""pliant check MODEL: faults, degrees of freedom, redundant constraints."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import new_command, tell


def add_to(commands: Any) -> None:
    """Register the command."""
    new_command(
        commands, check, "faults, degrees of freedom, redundant constraints",
        "Report every fault of a model at once; then its degrees of freedom, its "
        "redundant constraints by name and remarks on its initial state.",
        examples=("crank.yaml", "crank.yaml --set l1=0.3 --json"),
    )  # fmt: skip


def check(system: Any, options: argparse.Namespace) -> int:
    """Count, print."""
    report = system.check(params=options.params)
    tell(options, report)
    return int(report.exit_code)
