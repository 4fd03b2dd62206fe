"""Units of network elements: those of their domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pliant.model.formulas import Formula
from pliant.model.networks.domains import UNITS, ratio_dimension
from pliant.model.networks.elements import ONE_PORTS
from pliant.model.networks.entries import Entries, each
from pliant.model.units import dimension_of

Declared = Callable[[Formula], Formula]
"""The formula of the parameter that a formula just names; otherwise the formula itself."""
Wrong = tuple[str, str, str]
"""What, cure, key."""


def one_port_units(
    kind: str,
    domain: str,
    law: Mapping[str, Entries],
    initial: Mapping[str, Entries],
    declared: Declared,
) -> Iterator[Wrong]:
    """Constants and initial values of a source, store or resistance."""
    units = UNITS.get(domain)
    if units is None:
        return
    constants = ONE_PORTS[kind].constants
    given = [(kind, name, value) for name, value in law.items() if name in constants]
    given += [("initial", quantity, value) for quantity, value in initial.items()]
    for key, quantity, value in given:
        for place, f in each(value):
            found = declared(f).dimension
            if found is not None and not dimension_of(units[quantity]).accepts(found):
                yield _wrong(key, place, f, declared), f"expected {units[quantity]}", key


def two_port_units(
    kind: str, domains: tuple[str, str], matrix: Entries, declared: Declared
) -> Iterator[Wrong]:
    """T is flow over flow of a transformer, effort over flow of a gyrator; ``domains``: of the
    bonds that enter and leave."""
    enter, leave = domains
    gives = "flow" if kind in ("TF", "MTF") else "effort"
    wanted = ratio_dimension((leave, gives), (enter, "flow"))
    if wanted is None:
        return
    for place, f in each(matrix):
        found = declared(f).dimension
        if found is not None and found.without_angle != wanted:
            cure = f"expected {UNITS[leave][gives]} per {UNITS[enter]['flow']}"
            yield _wrong(kind, place, f, declared), cure, kind


def _wrong(key: str, place: str, f: Formula, declared: Declared) -> str:
    own = declared(f)
    said = f.text if own is f else f"{f.text}' = '{own.text}"
    return f"{key}{place}: '{said}' has the wrong unit"
