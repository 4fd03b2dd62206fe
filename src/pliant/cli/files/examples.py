"""pliant examples [NAME] [--copy DIR]: the models that come with Pliant."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.errors import UnknownName
from pliant.writing import replace_bytes


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser("examples", help="list, show or copy example models")
    command.add_argument("name", nargs="?", metavar="NAME", help="print this model")
    command.add_argument("--copy", metavar="DIR", help="copy the model (or all) into a folder")
    command.set_defaults(action=examples)


def examples(options: argparse.Namespace) -> int:
    """List all, print one, or copy."""
    from pliant.model.files.examples import examples as all_examples
    from pliant.model.frozen import did_you_mean

    known = all_examples()
    if options.name and options.name not in known:
        raise UnknownName(f"no example '{options.name}'", did_you_mean(options.name, known))
    chosen = {options.name: known[options.name]} if options.name else known
    if options.copy:
        target = Path(options.copy)
        target.mkdir(parents=True, exist_ok=True)
        for path in chosen.values():
            replace_bytes(target / path.name, path.read_bytes())
            print(target / path.name)
    elif options.name:
        print(known[options.name].read_text(encoding="utf-8"), end="")
    else:
        from pliant.model.files import load

        width = max(map(len, known))
        for name, path in known.items():
            first = " ".join(load(path).description.split())
            print(f"{name:{width}s}  {first[:100]}{'...' if len(first) > 100 else ''}")
    return 0
