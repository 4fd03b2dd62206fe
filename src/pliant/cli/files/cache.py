"""pliant cache: what is kept on disk, and how to be rid of it."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import print_json


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser(
        "cache", help="show or clear the machine code kept on disk",
        description="Machine code of models and integrators is kept in a folder "
        "(PLIANT_CACHE_DIR), so that the next run starts at once.",
        examples=("", "--clear"),
    )  # fmt: skip
    command.add_argument("--clear", action="store_true", help="remove everything")
    command.add_argument("--json", action="store_true", help="machine-readable output")
    command.set_defaults(action=show)


def show(options: argparse.Namespace) -> int:
    """Print the folder, the number of entries and their size; or clear it."""
    from pliant.code import store

    if options.clear:
        print(f"removed {store.clear()} entries from {store.folder()}")
        return 0
    entries = list(store.entries())
    size = sum(e.size for e in entries)
    if options.json:
        print_json({"folder": str(store.folder()), "entries": len(entries), "bytes": size})
    else:
        print(f"{store.folder()}: {len(entries)} entries, {size / 1e6:.1f} MB")
    return 0
