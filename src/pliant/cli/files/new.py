"""pliant new [NAME] [--template T]: begin a model file from a template or an example."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from pliant.cli.help import takes
from pliant.errors import FileError
from pliant.writing import checked_target

ENDINGS = (".yaml", ".yml", ".json")


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser(
        "new", help="begin a model file",
        description="Write a model file that begins with a template or a copy of an example; "
        "without NAME, list the templates. A file that is there already is never written over.",
        examples=("crank", "motor --template network"),
    )  # fmt: skip
    command.add_argument("name", nargs="?", metavar="NAME",
                         help="file to write; .yaml is added where no ending is given")  # fmt: skip
    takes(command.add_argument("--template", metavar="T",
                               help="template or example to begin with (planar)"),
          _known)  # fmt: skip
    command.set_defaults(action=new)


def new(options: argparse.Namespace) -> int:
    """Write the file and say what comes next, or list what it may begin with."""
    from pliant.model.files.templates import USUAL, template_text

    if options.name is None:
        _list(options.template)
        return 0
    path = Path(options.name)
    path = path if path.suffix or not path.name else path.with_name(f"{path.name}.yaml")
    checked_target(path, ENDINGS)
    format = "json" if path.suffix.lower() == ".json" else "yaml"
    text = template_text(options.template or USUAL, format)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise FileError(f"{path} is there already", "choose another name") from None
    print(f"wrote {path}")
    print(f"  look and edit:  pliant studio {shlex.quote(str(path))}")
    print(f"  check:          pliant check {shlex.quote(str(path))}")
    return 0


def _known() -> list[str]:
    from pliant.model.files.examples import examples
    from pliant.model.files.templates import TEMPLATES

    return [*TEMPLATES, *examples()]


def _list(template: str | None) -> None:
    """Templates and examples, each in a sentence; of one only its text."""
    from pliant.model.files.templates import TEMPLATES, example_sentences, template_text

    if template is not None:
        print(template_text(template, "yaml"), end="")
        return
    sentences = {name: t.sentence for name, t in TEMPLATES.items()}
    shown = example_sentences()
    width = max(map(len, (*sentences, *shown)))
    for title, known in (("templates", sentences), ("examples", shown)):
        print(f"{title}:")
        for name, sentence in known.items():
            print(f"  {name:{width}s}  {sentence[:90]}{'...' if len(sentence) > 90 else ''}")
