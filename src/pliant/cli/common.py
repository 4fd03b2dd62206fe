"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from pliant.errors import InputError


def new_command(
    commands: Any, name: str, action: Callable[[argparse.Namespace], int], about: str, more: str
) -> argparse.ArgumentParser:
    """A command of a model, with MODEL, --set and --json; ``about`` in the list of commands,
    ``more`` in its own help."""
    command: argparse.ArgumentParser = commands.add_parser(name, help=about, description=more)
    command.set_defaults(action=action)
    command.add_argument("model", metavar="MODEL", help="model file (YAML or JSON)")
    command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="params",
                         help="set a parameter, or a number of the file by its path "
                         "(bodies.rod.length); may be repeated")  # fmt: skip
    command.add_argument("--json", action="store_true", help="machine-readable output")
    return command


def add_output(command: argparse.ArgumentParser, about: str) -> None:
    """Files to write, by the endings of their names."""
    command.add_argument("-o", "--output", action="append", default=[], metavar="FILE", help=about)


def names_in(text: str | None) -> list[str] | None:
    """Names with commas between them."""
    return None if text is None else [n.strip() for n in text.split(",") if n.strip()]


def tell(options: argparse.Namespace, found: Any, outputs: Sequence[str] = ()) -> None:
    """Print a report, for people or for machines; ``outputs``: files that were written."""
    if options.json:
        print_json(found.as_dict())
        return
    print(found)
    for name in outputs:
        print(f"  wrote {name}")


def params_of(options: argparse.Namespace) -> dict[str, Any]:
    """Parameters given with --set."""
    params = {}
    for item in options.params:
        name, equals, value = item.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InputError(f"--set {item}: not NAME=VALUE", "write for example --set l=0.3")
        params[name.strip()] = value.strip()
    return params


def print_json(data: Any) -> None:
    """One JSON document on standard output; what is no finite number is null."""
    print(json.dumps(_finite(data), indent=1, default=str, allow_nan=False))


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    return data


def add_choice(
    command: argparse.ArgumentParser, forms: Sequence[str] = ("augmented", "embedding"),
    about: str = "with multipliers, or in independent coordinates only",
) -> None:  # fmt: skip
    """Options that say how the equations are written."""
    command.add_argument("--formulation", metavar="F", help="how the equations are written")
    command.add_argument("--tree", metavar="T", help="coordinates: joint, absolute, best, or the "
                         "names of the tree's joints, bodies and drivers, with commas")  # fmt: skip
    command.add_argument("--form", choices=forms, help=about)
    command.add_argument("--independent", metavar="NAME,...",
                         help="coordinates that the embedding form keeps")  # fmt: skip
    command.add_argument("--truncate", type=int, metavar="N",
                         help="cut the equations at this order of elastic coordinates")  # fmt: skip


def choice_of(options: argparse.Namespace) -> dict[str, Any]:
    """What ``add_choice`` was given, as arguments of ``System.simulate``."""
    return {
        "formulation": options.formulation, "tree": names_in(options.tree), "form": options.form,
        "independent": names_in(options.independent), "truncate": options.truncate,
    }  # fmt: skip
