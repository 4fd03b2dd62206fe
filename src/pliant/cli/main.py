"""Entry point: arguments to commands, errors to one message and an exit code.

Exit codes: 0 fine, 1 the run or comparison failed, 2 bad input, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

from pliant import __version__
from pliant.cli.colour import painted
from pliant.cli.help import GROUPS, Parsers, Reader, Top, no_such
from pliant.errors import InputError, ModelError, PliantError
from pliant.records import dataclass
from pliant.registry import Registry

INTERRUPTED = 130
FILES = "pliant.cli.files"


@dataclass(frozen=True, slots=True)
class Command:
    """``add_to(commands)`` adds its parser, whose default ``action(options)`` gives the exit code;
    without it, that of the module which has its name, in the package ``of``. ``group``: where it
    stands in the list of commands (``help.GROUPS``)."""

    name: str
    add_to: Callable[[Any], None] | None = None
    of: str = "pliant.cli.commands"
    group: str = "more"

    def add(self, commands: Any) -> None:
        """Its parser."""
        add_to = self.add_to or import_module(f"{self.of}.{self.name}").add_to
        add_to(commands)


COMMANDS: Registry[Command] = Registry(
    Command,
    (*(Command(name, of=FILES, group="model") for name in ("new", "examples")),
     *(Command(name, group="model") for name in ("check",)),
     *(Command(name, group="run")
       for name in ("run", "sweep", "sensitivities", "fit", "statics", "modes")),
     *(Command(name, of="pliant.cli.look", group="look")
       for name in ("show", "plot", "picture", "film", "report", "compare", "graph")),
     Command("studio", of="pliant.cli", group="look"),
     *(Command(name, group="ask") for name in ("verify", "advise", "audit", "equations")),
     *(Command(name, of=FILES) for name in ("schema", "cache", "completion"))),
)  # fmt: skip
_GARBAGE = 100_000
"""New objects after which unreachable ones are searched for; a short command makes fewer."""


def parser(names: Iterable[str] = COMMANDS) -> Top:
    """Of these commands; each lives in a file of its own."""
    top = Top(prog="pliant", description="Flexible multibody dynamics: one model, any formulation.")
    top.add_argument("--version", action="version", version=f"pliant {__version__}")
    parsers = Parsers(top.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=Reader))  # fmt: skip
    for name in names:
        COMMANDS[name].add(parsers)
    groups: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    for name, about in parsers.about.items():
        groups[COMMANDS[name].group][name] = about
    top.groups = {group: commands for group, commands in groups.items() if commands}
    return top


def parser_of(top: argparse.ArgumentParser, command: str | None) -> Reader:
    """Of one command; of all of them, if none was named."""
    (commands,) = (a for a in top._actions if isinstance(a.choices, dict))
    known: Any = commands.choices
    found: Reader = known.get(command or "", top)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # numpy's threads wait without computing
    words = sys.argv[1:] if arguments is None else arguments
    named = [name for name in words[:1] if not name.startswith("-") and name in COMMANDS]
    reader = parser(named or COMMANDS)
    if words and not named and not words[0].startswith("-"):
        reader.error(no_such("command", words[0], COMMANDS))
    options, unknown = reader.parse_known_args(words)
    if unknown:
        parser_of(reader, options.command).refuse(unknown)
    if options.command is None:
        reader.print_help()
        return 0
    try:
        code: int = options.action(options)
        sys.stdout.flush()
    except PliantError as error:
        error = _located(error, getattr(options, "model", None))
        print(f"{painted('pliant:', 'bad', sys.stderr)} {error}", file=sys.stderr)
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


def program() -> int:
    """``main`` as a process of its own: its memory is not searched for garbage while it starts, nor
    when it ends and all of it is given back."""
    gc.set_threshold(_GARBAGE)
    try:
        return main()
    finally:
        gc.freeze()


def _located(error: PliantError, model: str | None) -> PliantError:
    """Faults of a model with their lines in its file, if it can still be read."""
    if model is None or not isinstance(error, ModelError):
        return error
    from pliant.model.files import located

    try:
        return located(error, model)
    except (InputError, OSError):
        return error


def _forget_output() -> None:
    """What could not be printed is not tried again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
