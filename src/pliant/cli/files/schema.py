"""pliant schema: the JSON Schema of model files, with what installed packages offer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_to(commands: Any) -> None:
    """Register the command."""
    own = commands.add_parser(
        "schema", help="the JSON Schema of model files",
        description="Print the JSON Schema of model files, for editors that complete and check "
        "YAML, with the elements that installed packages offer.",
        examples=("", "-o schema.json"),
    )  # fmt: skip
    own.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it there")
    own.set_defaults(action=schema)


def schema(options: argparse.Namespace) -> int:
    """Print or write."""
    from pliant.model.files.schema import text
    from pliant.model.registration import load_installed

    load_installed()
    if options.output is None:
        print(text(), end="")
    else:
        options.output.write_text(text(), encoding="utf-8")
    return 0
