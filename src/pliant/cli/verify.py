"""pliant verify MODEL: do all formulations agree?"""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import add_model, params_of, print_json


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser(
        "verify", help="compare all formulations at random consistent states",
        description="Carry random consistent states into every formulation and choice of "
        "coordinates that accepts the model and compare accelerations, unique reactions, efforts "
        "and energies. Exit code 1 if they disagree.",
    )  # fmt: skip
    add_model(command)
    command.add_argument("--states", type=int, default=20, help="number of states (20)")
    command.add_argument("--seed", type=int, default=0, help="seed of the random states (0)")
    command.add_argument("--complete", action="store_true",
                         help="also forms that take minutes to compile")  # fmt: skip
    command.set_defaults(action=verify)


def verify(options: argparse.Namespace) -> int:
    """Verify and print the verdict."""
    from pliant.system import System

    report = System.load(options.model).verify(
        states=options.states, seed=options.seed, params=params_of(options),
        complete=options.complete,
    )  # fmt: skip
    print_json(report.as_dict()) if options.json else print(report)
    return 0 if report.agree else 1
