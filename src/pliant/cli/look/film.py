"""pliant film RESULT|MODEL: the motion as a film."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.help import Once
from pliant.cli.look.given import add_given, result_of, seconds_in, written_beside
from pliant.cli.look.picture import add_look, look_of
from pliant.cli.progress import Line


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "film", help="the motion in space as a film",
        description="Draw the motion of a result, or of a model that is run first, as a film. GIF "
        "and WebP need nothing else; MP4 and WebM need ffmpeg: pip install 'pliant[film]'.",
        examples=("crank.nc -o crank.gif", "crank.yaml --view z --speed 0.1 -o crank.mp4"),
    )  # fmt: skip
    add_given(c)
    c.add_argument("--from", metavar="T", dest="begin", help="where it begins (0.3, 300ms)")
    c.add_argument("--to", metavar="T", help="where it ends")
    c.add_argument("--fps", type=float, metavar="N", default=25.0, help="frames a second (25)")
    c.add_argument("--speed", type=float, metavar="K",
                   help="so much faster than it is (so that the film lasts 3 to 15 s)")  # fmt: skip
    add_look(c)
    c.add_argument("--quiet", action="store_true", help="no progress")
    c.add_argument("-o", "--output", action=Once, metavar="FILE",
                   help=".gif, .webp, .mp4 or .webm (the name of the file, .gif)")  # fmt: skip
    c.set_defaults(action=film)


def film(options: argparse.Namespace) -> int:
    """Draw and write; exit code 1 if a run stopped early."""
    from pliant.show.picture.film import checked_film

    target = options.output or written_beside(options.given, ".gif")
    checked_film(target)
    how = look_of(options)
    begin, end = seconds_in(options.begin, "--from"), seconds_in(options.to, "--to")
    result = result_of(options.given, options.params)
    line = Line(options.quiet)
    made = result.film(
        target, start=begin, end=end, fps=options.fps, speed=options.speed,
        progress=lambda k, n: line(f"  drawing {100 * k // n:3d} %, frame {k} of {n}"), **how,
    )  # fmt: skip
    line.clear()
    print(f"wrote {made}")
    return 1 if result.failure else 0
