"""pliant sensitivities MODEL: exact derivatives of a motion."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.cli.common import formulations, names_in, new_command, tell
from pliant.cli.help import takes, takes_of_model
from pliant.errors import InputError

_PICTURES = (".png", ".svg", ".pdf")
_METHODS = ("auto", "forward", "adjoint")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, sensitivities, "what a motion depends on, and how strongly",
        "Exact derivatives of observables, or of numbers made of a motion, by parameters, numbers "
        "of the file and initial values.",
        (".nc", ".csv", *_PICTURES), ".nc for all derivatives over time, .csv for a table, .png, "
        ".svg or .pdf for a picture; repeatable",
        ('crank.yaml --of "last O.angle" --of "max A.force" --to l1,m2,T',
         "crank.yaml --of O.angle --to bodies.rod.length,O.angle -o slopes.png"),
    )  # fmt: skip
    c.add_argument("--of", action="append", default=[], metavar="WHAT",
                   help='an observable (O.angle), or a number ("max A.force", "O.angle at 0.5", '
                   '"integral M.power", "time of lands"); repeatable')  # fmt: skip
    takes_of_model(
        c.add_argument("--to", action="append", default=[], metavar="NAME,...",
                       help="parameters, numbers by their path (bodies.rod.length), initial values "
                       "(O.angle)"),
        lambda system: system.described.all_parameters(),
    )  # fmt: skip
    takes(c.add_argument("--method", metavar="M", help="columns forward, or rows backward"),
          lambda: _METHODS)  # fmt: skip
    takes(c.add_argument("--formulation", metavar="F", help="how the equations are written"),
          formulations)  # fmt: skip
    c.add_argument("--t-end", metavar="T", help="end time (0.5, 500ms)")
    c.add_argument("--every", metavar="DT", help="interval between samples")
    c.add_argument("--rtol", type=float, metavar="R", help="relative tolerance of the motion")
    c.add_argument("--relative", action="store_true",
                   help="pictures show changes by relative changes")  # fmt: skip


def sensitivities(system: Any, options: argparse.Namespace) -> int:
    """Compute, save, print."""
    missing = [f"--{name}" for name in ("of", "to") if not getattr(options, name)]
    if missing:
        raise InputError(f"{' and '.join(missing)}: not given",
                         'write for example --of "last O.angle" --to l1,T')  # fmt: skip
    found = system.sensitivities(
        [name for text in options.to for name in names_in(text) or ()],
        [text.strip() for text in options.of], t_end=options.t_end, every=options.every,
        params=options.params or None, method=options.method or "auto", rtol=options.rtol,
        formulation=options.formulation,
    )  # fmt: skip
    for name in options.output:
        if Path(name).suffix.lower() in _PICTURES:
            found.plot(path=name, relative=options.relative)
        else:
            found.save(name)
    tell(options, found, options.output)
    return 0
