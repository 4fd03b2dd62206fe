"""pliant verify MODEL: do all formulations agree?"""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import new_command, tell
from pliant.cli.progress import Line

_THEORIES = ("segments", "exact")


def add_to(commands: Any) -> None:
    """Register the command."""
    command = new_command(
        commands, verify,
        "compare all formulations at random states and along the motion",
        "Carry random consistent states into every formulation, choice of coordinates "
        "and back end that accepts the model, run them at equal tolerance, and compare "
        "all observables; balance energy, power and constraints; refine beams that are cut into "
        "parts. Exit code 1 if they disagree.",
        (".html",), ".html: the verdict as a page with plots",
        ("crank.yaml", "crank.yaml --pointwise --states 5"),
    )  # fmt: skip
    command.add_argument("--t-end", metavar="T", help="end time (0.5, 500ms; that of the "
                         "model, or as far as about 1000 steps go)")  # fmt: skip
    command.add_argument("--rtol", type=float, metavar="R", help="relative tolerance (1e-6)")
    command.add_argument("--pointwise", action="store_true", help="only the random states")
    command.add_argument("--states", type=int, default=20, help="number of states (20)")
    command.add_argument("--seed", type=int, default=0, help="seed of the random states (0)")
    command.add_argument("--complete", action="store_true",
                         help="every tree and back end, also forms that take minutes to "
                         "compile")  # fmt: skip
    command.add_argument("--refine", choices=_THEORIES, nargs="?", const=_THEORIES[0],
                         help="compare beams with modes with segments (default) or exact "
                         "elements")  # fmt: skip


def verify(system: Any, options: argparse.Namespace) -> int:
    """Verify and print the verdict."""
    show = Line()
    report = system.verify(
        t_end=options.t_end, rtol=options.rtol, states=options.states, seed=options.seed,
        params=options.params, pointwise=options.pointwise, complete=options.complete,
        refine=options.refine, progress=show,
    )  # fmt: skip
    show.clear()
    for name in options.output:
        report.page(name)
    tell(options, report)
    return 0 if report.agree else 1
