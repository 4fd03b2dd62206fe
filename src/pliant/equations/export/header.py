"""What stands at the top of a source, and the names beside its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pliant.equations.export.parts import Program
from pliant.equations.export.statements import Entry
from pliant.equations.layout import Scalar


def plain(text: str) -> str:
    """Text that can stand in a comment of any language."""
    return re.sub(r"[^\w .,:;()'+-]+", " ", text).strip()


def identifier(text: str) -> str:
    """A name made of the text, for any language."""
    return re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_")[:40]


def digits(x: float) -> str:
    """17 significant digits, or as few as give the same number; always with a point."""
    text = next(t for t in (f"{x:.{n}g}" for n in (15, 16, 17)) if float(t) == x)
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


def header(program: Program, first: int, calls: Sequence[str]) -> Iterator[str]:
    """Lines of the opening comment. ``first``: where the language begins to count."""
    e, sizes = program.equations, program.sizes
    yield f"{plain(program.name)}: equations of motion, written by Pliant"
    yield f"formulation {e.formulation}, {plain(str(e.tree))} tree, {e.form} form"
    yield ""
    yield "  M u' = h + G^T lam    q' = N u + n    x' = f"
    yield "  g(t, q) = 0           G u + b = 0     G u' + gamma = 0"
    yield ""
    if not program.augmented:
        yield "Embedding form: M and h have a row for each degree of freedom, and lam is left out."
    yield "SI units and radians. Initial state and parameters are those of the model; p may be"
    yield "changed between calls. Rows of G that depend on others are found at run time."
    if e.events:
        yield f"The main program does not watch events: {plain(', '.join(e.events))}."
    yield ""
    yield from calls
    for title, names in _orders(program, first):
        yield ""
        yield f"{title}:" if names else f"{title}: none"
        yield from (f"  {line}" for line in names)
    yield ""
    yield ", ".join(f"{k} = {v}" for k, v in sizes.items())


def _orders(program: Program, first: int) -> Iterator[tuple[str, list[str]]]:
    e = program.equations
    yield "q, coordinates", _listed(e.layout.q, first)
    yield "u, speeds", _listed(e.layout.u, first)
    yield "x, other states", _listed(e.layout.x, first)
    title = "rows of g, G and gamma, and multipliers lam"
    yield (title if program.augmented else title.split(",")[0]), _listed(e.layout.rows, first)
    yield "p, parameters", _parameters(program, first)
    yield (
        "y, columns of the CSV after time",
        [
            f"{k + first}  {c.name}{_unit(c.unit)}{', modulo a turn' if c.turns else ''}"
            for k, c in enumerate(program.columns)
        ],
    )


def _listed(scalars: Sequence[Scalar], first: int) -> list[str]:
    return [f"{k + first}  {s.name}{_unit(s.unit)}" for k, s in enumerate(scalars)]


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _parameters(program: Program, first: int) -> list[str]:
    e = program.equations
    named = [
        f"{k + first}  {name} = {digits(float(program.p[k]))}"
        for name, k in sorted(e.parameters.items(), key=lambda item: item[1])
    ]
    tables = [f"{k + first}...  numbers of {name}" for name, k in e.tables.items()]
    signals = [f"{s.offset + first}...  signal, {s.points} points" for s in e.signal_slots]
    return named + tables + signals


def parameter_names(program: Program) -> list[str]:
    """What stands beside each parameter."""
    names = [""] * program.sizes["NP"]
    starts = {**{k: n for n, k in program.equations.tables.items()},
              **{s.offset: "signal" for s in program.equations.signal_slots}}  # fmt: skip
    for start in starts:
        names[start] = f"{starts[start]}..."
    for name, k in program.equations.parameters.items():
        names[k] = name
    return names


def labels(program: Program) -> dict[str, list[list[str]]]:
    """Names along each side of the outputs."""
    layout = program.equations.layout
    q, u, x, rows = ([s.name for s in v] for v in (layout.q, layout.u, layout.x, layout.rows))
    motion = u if program.augmented else [f"row {k + 1}" for k in range(program.sizes["ND"])]
    return {
        "M": [motion, u], "h": [motion], "G": [rows, u], "g": [rows], "cv": [rows],
        "gamma": [rows], "qdot": [q], "dq": [q], "xdot": [x],
        "y": [[c.name for c in program.columns]],
    }  # fmt: skip


def label(names: dict[str, list[list[str]]], entry: Entry) -> str:
    """What an entry of an output is."""
    sides = names.get(entry.array, [])
    return ", ".join(side[i] for side, i in zip(sides, entry.index, strict=False))
