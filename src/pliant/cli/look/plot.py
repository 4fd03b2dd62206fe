"""pliant plot RESULT|MODEL [NAME ...]: a picture of observables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.cli.help import takes
from pliant.cli.look.given import RESULTS, add_given, named, result_of, written_beside
from pliant.cli.results import PICTURES
from pliant.writing import checked_target


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "plot", help="a picture of a result, or of a model that is run first",
        description="Draw observables over time, a panel for each unit; by default outputs of the "
        "model, coordinates and energies. A model is run first, as its `simulate` section says.",
        examples=("crank.nc O.angle energy -o crank.png",
                  "stiff.nc tip.position.y --with soft.nc"),
    )  # fmt: skip
    add_given(c)
    c.add_argument("names", nargs="*", default=[], metavar="NAME",
                   help="observables, components or patterns")  # fmt: skip
    takes(c.add_argument("--kind", metavar="K", help="kind of picture (time; of an equilibrium "
                         "rest)"), _kinds)  # fmt: skip
    c.add_argument("--over", metavar="NAME", help="what they are drawn over, in place of time")
    c.add_argument("--spectrum", action="store_true", help="amplitudes over frequency")
    c.add_argument("--with", action="append", default=[], metavar="FILE", dest="others",
                   help="a further result or model, drawn in the same panels; "
                   "may be repeated")  # fmt: skip
    c.add_argument("--title", metavar="TEXT", help="instead of the name of the model")
    c.add_argument("-o", "--output", metavar="FILE",
                   help=".png, .svg or .pdf (the name of the file, .png)")  # fmt: skip
    c.set_defaults(action=plot)


def _kinds() -> list[str]:
    from pliant.show import PLOTS

    return list(PLOTS)


def plot(options: argparse.Namespace) -> int:
    """Draw and write; exit code 1 if a run stopped early."""
    target = options.output or written_beside(options.given, ".png")
    checked_target(target, PICTURES)
    asked = [*options.names, *([options.over] if options.over else [])]
    result = result_of(options.given, options.params, asked if options.names else None)
    result.plot(*named(result, options.names), kind=options.kind, path=target, **_said(options))
    print(f"wrote {target}")
    return 1 if result.failure else 0


def _said(options: argparse.Namespace) -> dict[str, Any]:
    """Options that were given."""
    others = {}
    for path in options.others:
        params = options.params if Path(path).suffix.lower() not in RESULTS else ()
        others[path] = result_of(path, params, options.names or None)
    said = {"title": options.title, "over": options.over, "spectrum": options.spectrum or None,
            "others": others or None, "label": options.given if others else None}  # fmt: skip
    return {key: value for key, value in said.items() if value is not None}
