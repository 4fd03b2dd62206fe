"""pliant equations MODEL: its equations as text, LaTeX or source code."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pliant.cli.common import add_choice, choice_of, new_command, print_json
from pliant.cli.help import Once
from pliant.errors import InputError
from pliant.writing import checked_target, replace_text

_READ = ("text", "latex")
_CODE = ("c", "fortran", "python")
_FORMS = (
    "with multipliers, or in independent coordinates only; of a bond graph: mixed causality "
    "without multipliers, or (without bodies) x' = f"
)
_NARROWEST = 10
_ENDINGS = {".tex": "latex", ".c": "c", ".f90": "fortran", ".py": "python"}
_KINDS = (*_ENDINGS, ".txt")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, equations, "equations of motion as text, LaTeX or source code",
        "Print the equations of motion in the names of the model, or write them as a "
        "stand-alone program in C, Fortran or Python.",
        examples=("cart.yaml --form embedding", "cart.yaml -o cart.tex"),
    )  # fmt: skip
    add_choice(c, ("augmented", "embedding", "mixed", "explicit"), _FORMS)
    c.add_argument("--format", choices=(*_READ, *_CODE),
                   help="by the ending of FILE, else text")  # fmt: skip
    c.add_argument("--names", metavar="OLD=NEW,...", default="",
                   help="other names for coordinates, such as O.angle=alpha1")  # fmt: skip
    c.add_argument("-o", "--output", action=Once, metavar="FILE",
                   help="write to a file: .txt, .tex, .c, .f90, .py")  # fmt: skip
    c.add_argument("--width", type=int, metavar="N",
                   help="width of lines: of text in characters (100), of LaTeX in em (34; "
                   "standalone 46)")  # fmt: skip
    c.add_argument("--standalone", action="store_true",
                   help="LaTeX: a document of its own, not one part of another")  # fmt: skip
    c.add_argument("--max-terms", type=int, metavar="N",
                   help="do not print more terms than this (1500)")  # fmt: skip


def equations(system: Any, options: argparse.Namespace) -> int:
    """Derive and print, or write."""
    if options.output:
        said = options.format or not Path(options.output).suffix
        checked_target(options.output, () if said else _KINDS)
    chosen = choice_of(options)
    form: Any = options.format or _ENDINGS.get(Path(options.output or "").suffix.lower(), "text")
    if options.standalone and form != "latex":
        raise InputError("--standalone: only LaTeX can be a document", "add --format latex")
    if options.width is not None and options.width < _NARROWEST:
        raise InputError(f"--width: {options.width} is too narrow", f"give at least {_NARROWEST}")
    if form in _CODE:
        written = system.source(form, params=options.params, **chosen)
    else:
        system, params = system.with_numbers(options.params)
        found = system.equations(**chosen, names=_names(options.names), max_terms=options.max_terms)
        if params:
            values = system.model.parameter_values(params)
            found = found.subs({name: values[name] for name in params})
        if options.json:
            print_json(found.as_dict())
            return 0
        if form == "latex":
            written = found.latex(options.width, standalone=options.standalone)
        else:
            written = found.text(options.width or 100)
    if options.output:
        replace_text(options.output, written + "\n")
        print(f"wrote {options.output}")
    else:
        print(written)
    return 0


def _names(text: str) -> dict[str, str]:
    pairs = [p.partition("=") for p in text.split(",") if p.strip()]
    bad = [old for old, sign, new in pairs if not sign or not new.strip()]
    if bad:
        raise InputError(f"--names: '{bad[0]}' has no new name", "write OLD=NEW")
    return {old.strip(): new.strip() for old, _, new in pairs}
