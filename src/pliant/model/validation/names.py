"""Names: legal characters, nothing reserved, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pliant.errors import Fault
from pliant.model.forces.action import MOMENTA
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.model import SECTIONS
from pliant.model.validation.context import Context

LEGAL = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
LETTERS = "use letters, digits and _, starting with a letter"
_LEGAL_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
RESERVED = frozenset({"ground", "t", "pi", "world", "x", "v", "and", "or", "not"})
ENERGIES = frozenset(
    {"kinetic_energy", "potential_energy", "mechanical_energy", "energy", "kinetic_energy_rate"}
)
TOTALS = ENERGIES | frozenset(MOMENTA)
"""Observables of the whole system."""
QUANTITIES = frozenset({
    "position", "orientation", "velocity", "angular_velocity", "own_velocity",
    "own_angular_velocity", "acceleration", "angular_acceleration",
})  # fmt: skip
# Sections whose names are used as the owner of observables share one space; so do plain names.
_OWNERS = ("bodies", "joints", "forces", "drivers", "constraints", "networks")
_PLAIN = ("parameters", "signals", "speeds")
_ALSO: dict[str, frozenset[str]] = {
    "outputs": TOTALS,
    "speeds": TOTALS | frozenset(FUNCTIONS),
    "parameters": frozenset(FUNCTIONS),
    "signals": frozenset(FUNCTIONS),
}


def name_faults(context: Context) -> Iterator[Fault]:
    """Every bad name."""
    model = context.model
    nouns = {**SECTIONS, "parameters": "parameter", "outputs": "output", "speeds": "speed"}
    for section, noun in nouns.items():
        reserved = RESERVED | _ALSO.get(section, frozenset())
        for name in getattr(model, section):
            yield from _bad_name(name, f"{noun} '{name}'", (section, name), reserved)
    yield from _frame_names("ground", ("ground",), model.ground.frames)
    for body, element in model.bodies.items():
        yield from _frame_names(f"body '{body}'", ("bodies", body), element.frames)
    for family in (_OWNERS, _PLAIN):
        yield from _shared(context, family, nouns)


def _bad_name(
    name: str, who: str, path: tuple[str, ...], reserved: frozenset[str]
) -> Iterator[Fault]:
    if path[0] == "subgraphs" and _LEGAL_KIND.fullmatch(name):
        return
    if not LEGAL.fullmatch(name):
        what = f"'{name}' is not a legal name"
        yield Fault(who, what, LETTERS, path=path)
    elif name in reserved:
        yield Fault(who, f"the name '{name}' is reserved", "choose another name", path=path)


def _frame_names(who: str, path: tuple[str, ...], frames: Iterable[str]) -> Iterator[Fault]:
    for name in frames:
        for fault in _bad_name(name, who, (*path, "frames"), QUANTITIES):
            yield Fault(who, f"frame: {fault.what}", fault.cure, path=fault.path)


def _shared(context: Context, family: tuple[str, ...], nouns: dict[str, str]) -> Iterator[Fault]:
    owner: dict[str, str] = {}
    for section in family:
        for name in getattr(context.model, section):
            if name in owner:
                what = f"a {nouns[owner[name]]} has the same name"
                who = f"{nouns[section]} '{name}'"
                yield Fault(who, what, "rename one of them", path=(section, name))
            else:
                owner[name] = section
