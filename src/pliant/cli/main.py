"""Entry point: arguments to commands, errors to one message and an exit code.

Exit codes: 0 fine, 1 the run or comparison failed, 2 bad input, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from pliant import __version__
from pliant.cli import (
    advise,
    audit,
    cache,
    check,
    equations,
    examples,
    graph,
    modes,
    run,
    statics,
    verify,
)
from pliant.errors import PliantError

INTERRUPTED = 130
COMMANDS = (
    run, statics, modes, audit, check, verify, advise, graph, equations, examples, cache,
)  # fmt: skip


def parser() -> argparse.ArgumentParser:
    """All commands; each lives in a file of its own."""
    top = argparse.ArgumentParser(
        prog="pliant", description="Flexible multibody dynamics: one model, any formulation."
    )
    top.add_argument("--version", action="version", version=f"pliant {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.action(options)
        sys.stdout.flush()
    except PliantError as error:
        print(f"pliant: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        _forget_output()
        return 0
    except OSError as error:
        where = error.filename or "standard output"
        print(f"pliant: {where}: {error.strerror or error}", file=sys.stderr)
        _forget_output()
        return 2
    except KeyboardInterrupt:
        print("pliant: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code


def _forget_output() -> None:
    """What could not be printed is not tried again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
