"""pliant audit MODEL: simulate, and say what became of energy."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pliant.cli.common import add_choice, add_model, choice_of, params_of, print_json
from pliant.errors import FileError, InputError

_PICTURES = (".png", ".svg", ".pdf")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "audit", help="where energy went",
        description="Simulate a model and add up the power of every bond of its multibond graph: "
        "energy supplied, stored, dissipated, exchanged between domains, and the balance.",
    )  # fmt: skip
    add_model(c)
    c.add_argument("-o", "--output", action="append", default=[], metavar="FILE",
                   help=".png, .svg or .pdf for bands of energy; repeatable")  # fmt: skip
    c.add_argument("--from", type=float, metavar="T", dest="begin",
                   help="begin of the interval, in s (begin of the run)")  # fmt: skip
    c.add_argument("--to", type=float, metavar="T", help="its end, in s (end of the run)")
    add_choice(c)
    c.add_argument("--method", metavar="M", help="integrator (auto, dop853, radau, ...)")
    c.add_argument("--constraints", metavar="C", help="constraint treatment (projection, ...)")
    c.add_argument("--t-end", type=float, metavar="T", help="end time in s")
    c.add_argument("--rtol", type=float, metavar="R", help="relative tolerance")
    c.add_argument("--step", type=float, metavar="H", help="step of a fixed-step method, in s")
    c.add_argument("--every", type=float, metavar="DT", help="interval between samples, in s")
    c.set_defaults(action=audit)


def audit(options: argparse.Namespace) -> int:
    """Simulate and account; exit code 1 if the run stopped early."""
    from pliant.system import System

    for name in options.output:
        _check(Path(name))
    for label in ("rtol", "step", "every"):
        value = getattr(options, label)
        if value is not None and not value > 0:
            raise InputError(f"--{label} {value:g}: not above zero")
    system = System.load(options.model)
    result = system.simulate(
        options.t_end, **choice_of(options), method=options.method, rtol=options.rtol,
        constraints=options.constraints, step=options.step, every=options.every,
        params=params_of(options), outputs=["*"],
    )  # fmt: skip
    found = system.power_audit(result, options.begin, options.to)
    for name in options.output:
        found.plot(name)
    if options.json:
        print_json(found.as_dict())
    else:
        print(found)
        for name in options.output:
            print(f"  wrote {name}")
    if result.failure:
        print(f"pliant: the run stopped early: {result.failure}", file=sys.stderr)
        return 1
    return 0


def _check(path: Path) -> None:
    """Refuse a bad name before computing anything."""
    if path.suffix not in _PICTURES:
        raise FileError(f"{path}: unknown kind of picture", f"use {', '.join(_PICTURES)}")
    if not path.absolute().parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}", "create it first")
