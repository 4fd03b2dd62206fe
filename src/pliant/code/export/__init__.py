"""Stand-alone source of the equations of motion: C, Fortran or Python, one file, no libraries.

    source(equations, "c", x0=..., p=..., t_end=1, every=0.01, name="pendulum", outputs=None)

The file computes M, h, g, G, gamma, q', x' and forward dynamics, and has a main program that
integrates the motion and writes it as CSV.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pliant.arrays import Array
from pliant.code.export.c import C
from pliant.code.export.dialect import Dialect
from pliant.code.export.fortran import Fortran
from pliant.code.export.python import Python
from pliant.code.export.statements import program_of
from pliant.errors import InputError
from pliant.formulations.equations import Equations

Language = Literal["c", "fortran", "python"]
LANGUAGES: dict[str, type[Dialect]] = {"c": C, "fortran": Fortran, "python": Python}
ENDINGS = {"c": ".c", "fortran": ".f90", "python": ".py"}

__all__ = ["ENDINGS", "LANGUAGES", "Language", "source"]


def source(
    equations: Equations,
    language: Language,
    *,
    x0: Array,
    p: Array,
    t_end: float,
    every: float,
    name: str,
    outputs: Sequence[str] | None = None,
) -> str:
    """The text of one self-contained source file; the same every time.

    ``x0``: consistent initial state, packed as t, q, u, x (what follows is not read); ``p``:
    parameters in force; ``outputs``: observables (``tip.position``), their components
    (``tip.position.x``) or patterns (``tip.*``) that the main program writes, by default joint and
    elastic coordinates and their rates.
    """
    if language not in LANGUAGES:
        raise InputError(f"export: unknown language '{language}'", f"use {', '.join(LANGUAGES)}")
    program = program_of(
        equations, x0=x0, p=p, t_end=t_end, every=every, name=name, outputs=outputs
    )
    return LANGUAGES[language](program).source()
