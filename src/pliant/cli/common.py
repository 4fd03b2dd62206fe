"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pliant.cli.help import takes, takes_of_model
from pliant.errors import InputError
from pliant.writing import checked_target


def new_command(
    commands: Any, action: Callable[[Any, argparse.Namespace], int], about: str, more: str,
    endings: Sequence[str] = (), output: str = "", examples: Sequence[str] = (),
) -> argparse.ArgumentParser:  # fmt: skip
    """A command of a model, called as its action, with MODEL, --set and --json, and -o FILE where
    there are ``endings`` of such names; ``about`` in the list of commands, ``more`` in its help,
    ``output`` in that of -o, ``examples`` at its end. The action is given the system and the
    options; bad names of files are refused before anything is computed."""
    name = action.__name__
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=about, description=more, examples=examples
    )

    def loaded(options: argparse.Namespace) -> int:
        from pliant.system import System

        for file in options.output if endings else ():
            checked_target(file, endings)
        system = System.load(options.model)
        options.params = parameters_of(options.params)
        return action(system, options)

    command.set_defaults(action=loaded)
    command.add_argument("model", metavar="MODEL", help="model file (YAML or JSON)")
    takes_of_model(
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                             dest="params", help="set a parameter, or a number of the file by its "
                             "path (bodies.rod.length); may be repeated"),
        lambda system: (f"{name}=" for name in system.model.parameters),
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="machine-readable output")
    if endings:
        command.add_argument("-o", "--output", action="append", default=[], metavar="FILE",
                             help=output)  # fmt: skip
    return command


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


def parameters_of(given: Sequence[str]) -> dict[str, str]:
    """Of --set."""
    params = {}
    for item in given:
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
    takes(command.add_argument("--formulation", metavar="F", help="how the equations are written"),
          formulations)  # fmt: skip
    command.add_argument("--tree", metavar="T", help="coordinates: joint, absolute, best, or the "
                         "names of the tree's joints, bodies and drivers, with commas")  # fmt: skip
    command.add_argument("--form", choices=forms, help=about)
    command.add_argument("--independent", metavar="NAME,...",
                         help="coordinates that the embedding form keeps")  # fmt: skip
    command.add_argument("--truncate", type=int, metavar="N",
                         help="cut the equations at this order of elastic coordinates")  # fmt: skip


def formulations() -> Iterable[str]:
    """Names of the formulations."""
    from pliant.formulations.registry import FORMULATIONS

    return FORMULATIONS


def integrators() -> Iterable[str]:
    """Names of the integrators, those of beams of many elements included."""
    from pliant.backends.blocks.objections import METHODS
    from pliant.solve.transient.registry import INTEGRATORS

    return (*INTEGRATORS, *METHODS)


def treatments() -> Iterable[str]:
    """Names of the constraint treatments."""
    from pliant.solve.constraints import TREATMENTS

    return TREATMENTS


def observables(system: Any) -> Iterable[str]:
    """Names of the observables of a model."""
    names: dict[str, str] = system.names()
    return names


def choice_of(options: argparse.Namespace) -> dict[str, Any]:
    """What ``add_choice`` was given, as arguments of ``System.simulate``."""
    return {
        "formulation": options.formulation, "tree": names_in(options.tree), "form": options.form,
        "independent": names_in(options.independent), "truncate": options.truncate,
    }  # fmt: skip
