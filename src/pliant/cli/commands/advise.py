"""pliant advise MODEL: which model do I need?"""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import new_command, tell
from pliant.cli.progress import Line


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, advise, "which theory, how many shapes, which formulation",
        "From short runs: whether linear modes suffice for each flexible body, how "
        "many shapes or segments a tolerance needs, and which formulation is cheapest.",
        examples=("arm.yaml", "arm.yaml --tolerance 0.001 --quick"),
    )  # fmt: skip
    c.add_argument("--tolerance", type=float, default=0.01, metavar="E",
                   help="relative error of deflections that is tolerated (0.01)")  # fmt: skip
    c.add_argument("--t-end", metavar="T", help="end of the short runs in s")
    c.add_argument("--quick", action="store_true", help="only whether modes suffice")


def advise(system: Any, options: argparse.Namespace) -> int:
    """Run, print."""
    show = Line()
    advice = system.advise(
        options.tolerance, t_end=options.t_end, params=options.params,
        counts=not options.quick, cost=not options.quick, progress=show,
    )  # fmt: skip
    show.clear()
    tell(options, advice)
    return 0
