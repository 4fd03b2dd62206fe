"""A result as a command is given one: a file of a result, or a model, which is run first."""

from __future__ import annotations

import argparse
import fnmatch
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pliant.cli.common import observables, parameters_of
from pliant.cli.help import takes_of_model
from pliant.cli.progress import run_progress
from pliant.errors import InputError
from pliant.writing import checked_target

RESULTS = (".nc", ".csv")
ABOUT = "result (.nc, .csv), or a model, which is run first"


def add_given(command: argparse.ArgumentParser, name: str = "given") -> None:
    """The argument, and parameters of a model."""
    command.add_argument(name, metavar="RESULT|MODEL", help=ABOUT)
    takes_of_model(
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                             dest="params", help="a parameter of the model; may be repeated"),
        lambda system: (f"{name}=" for name in system.model.parameters),
    )  # fmt: skip


def add_names(command: argparse.ArgumentParser, about: str) -> None:
    """Observables as arguments."""
    takes_of_model(command.add_argument("names", nargs="*", default=[], metavar="NAME", help=about),
                   observables)  # fmt: skip


def add_pictures(command: argparse.ArgumentParser, about: str) -> None:
    """Files that are written, all of the same."""
    command.add_argument("-o", "--output", action="append", default=[], metavar="FILE",
                         help=f"{about}; repeatable")  # fmt: skip


def result_of(path: str, params: Sequence[str] = (), outputs: Sequence[str] | None = None) -> Any:
    """The result in a file, or that of the analysis which a model asks for."""
    from pliant.results import Result

    given = parameters_of(params)
    if Path(path).suffix.lower() in RESULTS:
        if given:
            raise InputError(f"--set: {path} is a result", "give the model, which is run")
        return Result.load(path)
    from pliant.system import System

    system: Any = System.load(path)
    analysis = system.model.settings.analysis
    if analysis != "transient":
        verb = getattr(system, analysis)
        return verb(params=given, outputs=outputs)
    progress = run_progress(system, given)
    with progress.shown():
        return system.simulate(params=given, outputs=outputs, progress=progress.at)


def named(result: Any, names: Sequence[str]) -> list[str]:
    """Observables by their names, or by patterns (`O.*`)."""
    found: dict[str, None] = {}
    for name in names:
        hits = fnmatch.filter(result.names(), name) if set(name) & set("*?[") else [name]
        if not hits:
            raise InputError(f"no observable is like '{name}'", "pliant show lists them")
        found |= dict.fromkeys(hits)
    return list(found)


def seconds_in(text: str | None, option: str) -> float | None:
    """A time that an option gives: `0.3`, `300ms`."""
    if text is None:
        return None
    from pliant.model.fields import Number

    try:
        formula = Number("s").convert(text)
    except InputError as error:
        raise InputError(f"{option}: {error.what}", error.cure) from None
    if not formula.is_constant:
        raise InputError(
            f"{option} {text}: no time", "give seconds, or a number with a unit: 300ms"
        )
    return float(formula.value)


def targets(given: Sequence[str], path: str, ending: str, kinds: Sequence[str]) -> list[str]:
    """Files that are asked for, or the usual one; bad names are refused before anything is run."""
    found = list(given) or [written_beside(path, ending)]
    for name in found:
        checked_target(name, kinds)
    return found


def written_beside(path: str, ending: str) -> str:
    """Where a picture of a file goes if nobody says: here, under its name."""
    return Path(path).with_suffix(ending).name
