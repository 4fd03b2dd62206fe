"""Which observables are meant by a name, a component or a pattern."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Protocol

from pliant.errors import UnknownName
from pliant.model.frozen import did_you_mean
from pliant.observe.internal import NO_SECTION

_BONDS = "bonds."
"""What a pattern of observables of bonds begins with."""


class Labelled(Protocol):
    """An observable, as far as its name goes."""

    @property
    def labels(self) -> tuple[str, ...]: ...


def selected(
    known: Mapping[str, Labelled],
    wanted: Sequence[str],
    further: Mapping[str, Labelled] = MappingProxyType({}),
) -> list[str]:
    """Observables meant by names, components (``tip.position.x``) or patterns (``rod.*``).

    ``further``: those meant only by their full names or by a pattern after ``bonds.``
    (``bonds.*.power``).
    """
    chosen: dict[str, None] = {}
    for item in wanted:
        bonds = item.removeprefix(_BONDS) if item.startswith(_BONDS) else ""
        hits = meant(known, item) or [
            n for n in further if n == item or (bonds and fnmatchcase(n, bonds))
        ]
        if not hits:
            raise UnknownName(f"observe: nothing is named '{item}'", cure_of(item, known))
        chosen |= dict.fromkeys(hits)
    return list(chosen)


def meant(known: Mapping[str, Labelled], item: str) -> list[str]:
    """Observables that a name, a component or a pattern stands for."""
    owner, _, label = item.rpartition(".")
    if item in known:
        return [item]
    if owner in known and label in (known[owner].labels or "wxyz"):
        return [owner]
    if label == "work" and f"{owner}.power" in known:
        return [f"{owner}.power"]
    hits = [name for name in known if fnmatchcase(name, item)]
    return hits + [n for n in known if n.startswith(f"{item}.")]


def cure_of(name: str, known: Iterable[str]) -> str:
    """What to do about an observable that is not there: why, or the name nearest to it."""
    names = list(known)
    return (_cure_of_section(name, names) or did_you_mean(name, names)
            or "system.names() tells all, pliant run MODEL --list as well")  # fmt: skip


def _cure_of_section(name: str, known: Sequence[str]) -> str:
    """Why forces in a section of a beam are not told; empty if there is no other reason."""
    if name.endswith((".elastic_stress", ".elastic_force.x")):
        return "a modal beam tells them only if it has axial shapes (shapes: {axial: 2})"
    if ".elastic_force" in name or ".elastic_moment" in name:
        return "a modal beam tells them only in directions that have shapes"
    beam, internal = name.partition(".")[0], (".internal_force", ".internal_moment", ".stress")
    if not any(part in name for part in internal):
        return ""
    if any(n.startswith((f"{beam}:h", f"{beam}:j")) for n in known):
        return (f"'{beam}' is cut into segments: look at its joints and hinges ({beam}:h1.force) "
                "and the springs there")  # fmt: skip
    own = [n for n in known if n.startswith(f"{beam}.") and ".internal_force" in n]
    if ".stress" in name and any(f"{beam}.q1" == n for n in known):
        return "given modes have no sections whose stress is known"
    if own and ".stress" in name:
        return NO_SECTION
    if own:
        return "frames that sit directly on the body tell them, not those on an arm"
    if any(n.startswith(f"{beam}.") and ".deflection.tangent" in n for n in known):
        return ("the sparse solver does not tell internal forces of modal beams: use another "
                "method (auto, radau, generalized-alpha)")  # fmt: skip
    if f"{beam}.q1" in known:
        return ("given modes tell them if their file has a mass for each node, not a matrix, and "
                "no motion_stiffness")  # fmt: skip
    return ""
