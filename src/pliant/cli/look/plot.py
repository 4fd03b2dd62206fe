"""pliant plot RESULT|MODEL [NAME ...]: a picture of observables."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.help import takes
from pliant.cli.look.given import add_given, named, result_of, written_beside
from pliant.cli.results import PICTURES
from pliant.writing import checked_target


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "plot", help="a picture of a result, or of a model that is run first",
        description="Draw observables over time, a panel for each unit. A model is run first, as "
        "its `simulate` section says.",
        examples=("crank.nc O.angle energy -o crank.png", "crank.yaml"),
    )  # fmt: skip
    add_given(c)
    c.add_argument("names", nargs="*", default=[], metavar="NAME",
                   help="observables, components or patterns")  # fmt: skip
    takes(c.add_argument("--kind", metavar="K", default="time", help="kind of picture (time)"),
          _kinds)  # fmt: skip
    c.add_argument("--title", metavar="TEXT", help="instead of the name of the model")
    c.add_argument("-o", "--output", metavar="FILE",
                   help=".png, .svg or .pdf (the name of the file, .png)")  # fmt: skip
    c.set_defaults(action=plot)


def _kinds() -> list[str]:
    from pliant.show import PLOTS

    return [name for name in PLOTS if name != "compared"]


def plot(options: argparse.Namespace) -> int:
    """Draw and write; exit code 1 if a run stopped early."""
    target = options.output or written_beside(options.given, ".png")
    checked_target(target, PICTURES)
    result = result_of(options.given, options.params, options.names or None)
    title = {} if options.title is None else {"title": options.title}
    result.plot(*named(result, options.names), kind=options.kind, path=target, **title)
    print(f"wrote {target}")
    return 1 if result.failure else 0
