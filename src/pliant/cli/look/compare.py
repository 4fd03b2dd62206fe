"""pliant compare A B: how far two results are apart."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from pliant.cli.common import names_in, observables, print_json
from pliant.cli.help import takes_of_model
from pliant.cli.look.given import ABOUT, add_pictures, result_of
from pliant.cli.results import PICTURES
from pliant.errors import InputError
from pliant.writing import checked_target

_MOST = 24
_SECTIONS = ("bodies", "joints", "forces", "drivers", "sensors", "networks")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "compare", help="how far two results are apart",
        description="Compare two results, or models, which are run first, at their common times: "
        "the largest difference of every observable, the worst first; with -o as curves.",
        examples=("fine.nc coarse.nc", "stiff.yaml soft.yaml --observe tip.position -o both.png"),
    )  # fmt: skip
    c.add_argument("a", metavar="A", help=ABOUT)
    c.add_argument("b", metavar="B", help="the other one")
    takes_of_model(
        c.add_argument("--observe", metavar="NAME,...",
                       help="what is compared (all that both have)"),
        observables,
    )  # fmt: skip
    c.add_argument("--all", action="store_true", help=f"every observable, not the {_MOST} worst")
    c.add_argument("--json", action="store_true", help="machine-readable output")
    add_pictures(c, ".png, .svg or .pdf")
    c.set_defaults(action=compare, params=())


def compare(options: argparse.Namespace) -> int:
    """Print the table, draw the worst."""
    for file in options.output:
        checked_target(file, PICTURES)
    names = names_in(options.observe) or []
    a, b = (result_of(path, (), names or None) for path in (options.a, options.b))
    if not names:
        _refuse_unlike(a, b, options.a, options.b)
    found = a.compare(b, *names)
    if not found.differences:
        raise InputError(f"compare: {options.a} and {options.b} share no observable at one time",
                         "compare runs of one model at the same times")  # fmt: skip
    if options.json:
        print_json({"differences": [asdict(d) for d in found.differences],
                    "left_out": list(found.left_out)})  # fmt: skip
    else:
        shown = len(found.differences) if options.all or names else _MOST
        print(found.worst_first(shown))
    worst = names or [d.name for d in found.differences[:4]]
    for file in options.output:
        a.plot(*worst, others={options.b: b}, label=options.a, path=file)
        print(f"wrote {file}")
    return 0


def _refuse_unlike(a: Any, b: Any, first: str, second: str) -> None:
    """Say what is in one model only."""
    found = [_elements(result) for result in (a, b)]
    if not all(found):
        return  # a file without its model: columns are compared
    lines = []
    for section in _SECTIONS:
        one, other = (elements[section] for elements in found)
        for only, where in ((one - other, first), (other - one, second)):
            if only:
                lines.append(f"  {section} {', '.join(sorted(only))} only in {where}")
    if lines:
        raise InputError("compare: the models are unlike\n" + "\n".join(lines),
                         "name by --observe what is to be compared")  # fmt: skip


def _elements(result: Any) -> dict[str, set[str]]:
    from pliant.model.files.text import parsed

    if not result.model:
        return {}
    data = parsed(result.model, "yaml").data
    return {section: set(data.get(section) or ()) for section in _SECTIONS}
