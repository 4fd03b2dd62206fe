"""pliant plot RESULT|MODEL [NAME ...]: a picture of observables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.cli.common import names_in
from pliant.cli.help import takes
from pliant.cli.look.given import (
    RESULTS,
    add_given,
    add_names,
    add_pictures,
    named,
    result_of,
    seconds_in,
    targets,
)
from pliant.cli.results import PICTURES
from pliant.errors import InputError

_OF_A_BEAM = {"shape": "times", "diagram": "at"}
"""Kinds of pictures that are of one beam, and what they call the instants."""


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
    add_names(c, "observables, components or patterns; of --kind shape and diagram a beam")
    takes(c.add_argument("--kind", metavar="K", help="kind of picture (time; of an equilibrium "
                         "rest)"), _kinds)  # fmt: skip
    c.add_argument("--over", metavar="NAME", help="what they are drawn over, in place of time")
    c.add_argument("--spectrum", action="store_true", help="amplitudes over frequency")
    c.add_argument("--with", action="append", default=[], metavar="FILE", dest="others",
                   help="a further result or model, drawn in the same panels; "
                   "may be repeated")  # fmt: skip
    c.add_argument("--title", metavar="TEXT", help="instead of the name of the model")
    c.add_argument("--time", metavar="T,...",
                   help="of --kind shape and diagram: the instants (0.3, 300ms)")  # fmt: skip
    add_pictures(c, ".png, .svg or .pdf (the name of the file, .png)")
    c.set_defaults(action=plot)


def _kinds() -> list[str]:
    from pliant.show import PLOTS

    return list(PLOTS)


def plot(options: argparse.Namespace) -> int:
    """Draw and write; exit code 1 if a run stopped early."""
    files = targets(options.output, options.given, ".png", PICTURES)
    asked = [*options.names, *([options.over] if options.over else [])]
    wanted = asked if options.names and options.kind not in _OF_A_BEAM else None
    result = result_of(options.given, options.params, wanted)
    names = options.names if options.kind in _OF_A_BEAM else named(result, options.names)
    said = _said(options)
    for file in files:
        result.plot(*names, kind=options.kind, path=file, **said)
        print(f"wrote {file}")
    return 1 if result.failure else 0


def _said(options: argparse.Namespace) -> dict[str, Any]:
    """Options that were given."""
    others = {}
    for path in options.others:
        params = options.params if Path(path).suffix.lower() not in RESULTS else ()
        others[path] = result_of(path, params, options.names or None)
    said = {"title": options.title, "over": options.over, "spectrum": options.spectrum or None,
            "others": others or None, "label": options.given if others else None}  # fmt: skip
    if options.time is not None:
        if options.kind not in _OF_A_BEAM:
            raise InputError("--time: for --kind shape and diagram only",
                             "leave it out; pliant show tells values")  # fmt: skip
        instants = [seconds_in(t, "--time") for t in names_in(options.time) or ()]
        said[_OF_A_BEAM[options.kind]] = instants
    return {key: value for key, value in said.items() if value is not None}
