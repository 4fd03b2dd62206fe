"""Help of the command line: commands in groups, what options take, examples at the end."""

from __future__ import annotations

import argparse
import difflib
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any, NoReturn

from pliant.cli.colour import painted

EXAMPLES = "examples:\n"
GROUPS = {
    "model": "write and check a model",
    "run": "compute",
    "look": "see what came out",
    "ask": "judge and understand",
    "more": "more",
}
"""Groups of commands, in the order of their list."""
_FIRST = (
    "pliant new crank                              begin a model file",
    "pliant run crank.yaml -o crank.html           simulate; a page that moves",
    "pliant verify crank.yaml                      the same motion in other ways, compared",
    "pliant studio crank.yaml                      look, draw and run in the browser",
)


class Once(argparse.Action):
    """An option that is given once: what is said twice would be forgotten without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
        option_string: str | None = None,
    ) -> None:  # fmt: skip
        """Take it, or refuse the second."""
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{'/'.join(self.option_strings)}: this command writes one file")
        setattr(namespace, self.dest, values)


class Help(argparse.HelpFormatter):
    """Examples stay as they are; an option says what it takes."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(EXAMPLES):
            return text
        return super()._fill_text(text, width, indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(" ".join(text.split()), width, break_on_hyphens=False, break_long_words=False)

    def _get_help_string(self, action: argparse.Action) -> str:
        text, known = action.help or "", words_of(action)
        if known is None:
            return text
        listed = f"{{{', '.join(known())}}}"
        return f"{text}: {listed}" if text else listed


def takes(action: argparse.Action, words: Callable[[], Iterable[str]]) -> None:
    """Tell in help, and to completion, what an option takes. Other words are refused by whoever
    reads them, with what is like them."""
    vars(action)["pliant_words"] = words


def takes_of_model(action: argparse.Action, words: Callable[[Any], Iterable[str]]) -> None:
    """Tell completion what an option takes of a model."""
    vars(action)["pliant_words_of_model"] = words


def words_of(action: argparse.Action) -> Callable[[], Iterable[str]] | None:
    """What an option takes, if it is one of some words."""
    found: Callable[[], Iterable[str]] | None = getattr(action, "pliant_words", None)
    return found


def words_of_model(action: argparse.Action) -> Callable[[Any], Iterable[str]] | None:
    """What an option takes of a model."""
    found: Callable[[Any], Iterable[str]] | None = getattr(action, "pliant_words_of_model", None)
    return found


class Parsers:
    """What commands add their parsers to; says of each what it is for."""

    def __init__(self, parsers: Any) -> None:
        self._parsers, self.about = parsers, dict[str, str]()

    def add_parser(
        self, name: str, *, help: str = "", examples: Sequence[str] = (), **more: Any
    ) -> argparse.ArgumentParser:
        """A parser of one command; ``examples`` end its help, without `pliant` and its name."""
        self.about[name] = help
        lines = "\n".join(f"  {f'pliant {name} {words}'.rstrip()}" for words in examples)
        made: argparse.ArgumentParser = self._parsers.add_parser(
            name, formatter_class=Help, epilog=EXAMPLES + lines if lines else None,
            **{"description": help, **more},
        )  # fmt: skip
        return made


def no_such(kind: str, word: str, known: Iterable[str]) -> str:
    """``there is no option '--evry', did you mean '--every'?``"""
    plain = {name.lstrip("-"): name for name in known}
    near = difflib.get_close_matches(word.lstrip("-"), plain, n=1)
    return f"there is no {kind} '{word}'" + (f", did you mean '{plain[near[0]]}'?" if near else "")


class Reader(argparse.ArgumentParser):
    """What is wrong is told in a line, not below the whole usage."""

    def error(self, message: str) -> NoReturn:
        """The end of the program."""
        who = painted("pliant:", "bad", sys.stderr)
        self.exit(2, f"{who} {message.removeprefix('argument ')}; {self.prog} --help tells more\n")

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """The end of the program, for words of a command that it does not take."""
        options = [w.partition("=")[0] for w in words if w.startswith("-")]
        known = [flag for action in self._actions for flag in action.option_strings]
        said = [no_such("option", option, known) for option in options if option not in known]
        self.error("; ".join(said) or f"'{words[0]}' is a word too many")


def _wrapped(head: str, text: str) -> str:
    """Text beside its head, in lines that fit the terminal."""
    wide = max(shutil.get_terminal_size().columns, len(head) + 16)
    return "\n".join(wrap(text, wide, initial_indent=head, subsequent_indent=" " * len(head)))


class Top(Reader):
    """The parser of all commands."""

    groups: Mapping[str, Mapping[str, str]]

    def format_help(self) -> str:
        """Commands by group, each in a line; how to begin."""
        width = max(len(name) for group in self.groups.values() for name in group)
        lines = [f"{self.description}", "", "usage: pliant COMMAND ... (every command has --help)"]
        for group, commands in self.groups.items():
            lines += ["", f"{GROUPS[group]}:"]
            lines += [_wrapped(f"  {name:{width}s}  ", about) for name, about in commands.items()]
        return "\n".join([*lines, "", EXAMPLES + "\n".join(f"  {line}" for line in _FIRST), ""])
