"""pliant examples [NAME] [--copy DIR]: the models that come with Pliant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from pliant.cli.help import takes
from pliant.errors import UnknownName
from pliant.writing import replace_bytes

_GROUPS = (
    "rigid mechanisms",
    "motors, circuits and hydraulics",
    "bodies that bend",
    "rolling and skating",
)
_VELOCITIES = ("rolling", "skate", "velocity")
_FULL_STOP = re.compile(r"(?<=\.)(?<!\bal\.)\s+(?=[A-Z0-9])")


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser(
        "examples", help="list, show or copy example models",
        description="Without NAME, list the models that come with Pliant, by what they teach.",
        examples=("", "crank_rocker --copy ."),
    )  # fmt: skip
    takes(command.add_argument("name", nargs="?", metavar="NAME", help="print this model"),
          _known)  # fmt: skip
    command.add_argument("--copy", metavar="DIR", help="copy the model (or all) into a folder")
    command.set_defaults(action=examples)


def examples(options: argparse.Namespace) -> int:
    """List all, print one, or copy."""
    from pliant.model.files.examples import examples as all_examples
    from pliant.model.frozen import did_you_mean

    known = all_examples()
    if options.name and options.name not in known:
        raise UnknownName(
            f"no example '{options.name}'",
            did_you_mean(options.name, known) or "pliant examples lists them",
        )
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
        print(_listed(known))
    return 0


def _known() -> list[str]:
    from pliant.model.files.examples import examples

    return list(examples())


def _listed(known: Mapping[str, Path]) -> str:
    """By groups, each with its first sentence, whole."""
    from pliant.model.files.text import parsed

    groups: dict[str, list[str]] = {}
    for name, path in known.items():
        data = parsed(path.read_text(encoding="utf-8"), "yaml").data
        said = first_sentence(str(data.get("description") or data.get("name") or ""))
        lines = wrap(said, 92, initial_indent="      ", subsequent_indent="      ")
        groups.setdefault(_group(data), []).extend([f"  {name}", *lines])
    listed = [line for title in _GROUPS if title in groups
              for line in (f"{title}:", *groups[title], "")]  # fmt: skip
    return "\n".join([*listed, "pliant examples NAME prints one, --copy DIR copies; "
                      "pliant new FILE --template NAME begins with one."])  # fmt: skip


def _group(data: Mapping[str, Any]) -> str:
    """What an example is about, by what is in it."""
    rigid, networks, bending, velocities = _GROUPS
    if data.get("networks"):
        return networks
    if any(
        kind in _VELOCITIES for held in (data.get("constraints") or {}).values() for kind in held
    ):
        return velocities
    bodies = (data.get("bodies") or {}).values()
    return bending if any("beam" in body or "elastic" in body for body in bodies) else rigid


def first_sentence(text: str) -> str:
    """Up to the first full stop that a capital letter follows, abbreviations aside."""
    return _FULL_STOP.split(" ".join(text.split()), maxsplit=1)[0]
