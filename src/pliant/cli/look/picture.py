"""pliant picture RESULT|MODEL: a still of the 3-D view."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.cli.common import parameters_of
from pliant.cli.help import takes
from pliant.cli.look.given import (
    RESULTS,
    add_given,
    add_pictures,
    result_of,
    seconds_in,
    targets,
)
from pliant.errors import InputError


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "picture", help="a still of the 3-D view",
        description="Draw a mechanism in space, without a screen and without a browser. A model "
        "without --time is drawn at its start, nothing is run; a result at its end.",
        examples=("crank.yaml -o crank.png", "crank.nc --time 0.3 --view x -o crank.png"),
    )  # fmt: skip
    add_given(c)
    c.add_argument("--time", metavar="T", help="the instant (0.3, 300ms)")
    add_look(c)
    c.add_argument("--close", action="store_true",
                   help="fill the picture with what is seen, not with all motion")  # fmt: skip
    add_pictures(c, ".png, .jpg or .webp (the name of the file, .png)")
    c.set_defaults(action=picture)


def add_look(c: argparse.ArgumentParser) -> None:
    """How it is looked at."""
    view = c.add_argument("--view", metavar="V", default="free",
                          help="from where (free, as the page at first)")  # fmt: skip
    takes(view, _views)
    c.add_argument("--projection", choices=("orthographic", "perspective"),
                   help="perspective for the free view, orthographic for others")  # fmt: skip
    c.add_argument("--size", metavar="WxH", help="pixels, 960x720")
    c.add_argument("--magnification", type=float, metavar="K", default=1.0,
                   help="draw deflections so much larger (1)")  # fmt: skip
    c.add_argument("--forces", action="store_true", help="arrows of forces and torques")
    c.add_argument("--reactions", action="store_true", help="arrows of reactions of joints")
    c.add_argument("--title", metavar="TEXT", help="is written on it")


def _views() -> list[str]:
    from pliant.show.picture.camera import VIEWS

    return list(VIEWS)


def look_of(options: argparse.Namespace) -> dict[str, Any]:
    """What ``add_look`` was given, as arguments of ``Result.picture``."""
    arrows = [name for name, wanted in (("applied", options.forces),
                                        ("reaction", options.reactions)) if wanted]  # fmt: skip
    found = {"view": options.view, "projection": options.projection, "arrows": arrows,
             "magnification": options.magnification}  # fmt: skip
    if options.size is not None:
        width, times, height = options.size.lower().partition("x")
        if not (times and width.isdigit() and height.isdigit()):
            raise InputError(
                f"--size {options.size}: not WIDTHxHEIGHT", "write for example 960x720"
            )
        found["size"] = int(width), int(height)
    if options.title is not None:
        found["title"] = options.title
    return found


def picture(options: argparse.Namespace) -> int:
    """Draw and write; exit code 1 if a run stopped early."""
    from pliant.show.picture.still import ENDINGS

    files = targets(options.output, options.given, ".png", ENDINGS)
    how = {**look_of(options), "close": options.close}
    time = seconds_in(options.time, "--time")
    if Path(options.given).suffix.lower() in RESULTS:
        seen: Any = result_of(options.given, options.params)
    else:
        from pliant.system import System

        seen = System.load(options.given)
        how["params"] = parameters_of(options.params)
    for file in files:
        seen.picture(file, time=time, **how)
        print(f"wrote {file}")
    return 0
