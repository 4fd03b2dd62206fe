"""Where the symbols of a network stand: on the places of ``view``, in units of a grid. What is new
gets a free place beside what it is bonded to, so that nothing else moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pliant.errors import InputError
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.viewing import changed_view
from pliant.studio.views.graphs.network_places import drawn_places

At = tuple[float, float]
APART = 3
"""Units of the grid between a new symbol and the one it is bonded to."""
_STEPS: tuple[At, ...] = ((1, 0), (0, 1), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
_RINGS = 12


def place_new(drawn: Drawn, names: Iterable[str], at: list[float] | None) -> None:
    """Places of new elements: the first one ``at``, if that is said, those that were put between
    half-way. Without it only where places are kept already."""
    own = known_places(drawn)
    new = [n for n in names if n not in own]
    if not new or (at is None and not own):
        return
    if at is not None and len(at) != 2:
        raise InputError(f"{at} is not a place", "give [x, y]")
    if not own:
        own = frozen_places(drawn, new)
    found: dict[str, At] = {}
    for k, name in enumerate(new):
        known = {**own, **found}
        if k == 0 and at is not None:
            found[name] = nearest_free((at[0], at[1]), {})
        else:
            found[name] = beside(drawn, name, known)
    changed_view(drawn.draft, places={drawn.key: {**own, **found}})


def known_places(drawn: Drawn) -> dict[str, At]:
    """Places that are kept in the file, of elements that are there."""
    return {n: p for n, p in kept_places(drawn).items() if n in drawn.elements}


def kept_places(drawn: Drawn, graph: str = "") -> dict[str, At]:
    """Places that are kept in the file, of whatever has one that is one; ``graph``: of another
    network or sub-graph."""
    kept = drawn.draft.entries("view", "places", graph or drawn.key)
    return {n: (p[0], p[1]) for n, p in kept.items()
            if isinstance(p, list) and len(p) == 2
            and all(isinstance(x, int | float) for x in p)}  # fmt: skip


def frozen_places(drawn: Drawn, new: Iterable[str] = ()) -> dict[str, At]:
    """Where everything that was there stands by itself, so that it stays there."""
    before = drawn.model
    there = {n for n in drawn.elements if n not in {*new}}
    return {n: p for n, p in drawn_places(before, drawn.name).items() if n in there}


def beside(drawn: Drawn, name: str, known: Mapping[str, At]) -> At:
    """A free place beside what an element is bonded to: in the middle of several."""
    others = []
    for link in drawn.structure.links:
        ends = [end.partition(".")[0] for end in (link.tail, link.head)]
        if name in ends:
            others += [known[e] for e in ends if e != name and e in known]
    if len(others) > 1:
        x, y = (sum(values) / len(others) for values in zip(*others, strict=True))
        return nearest_free((round(x), round(y)), known)
    if not others:
        low = max((y for _, y in known.values()), default=-APART)
        return nearest_free((0, low + APART), known)
    x, y = others[0]
    for ring in range(1, _RINGS):
        for dx, dy in _STEPS:
            place = (x + dx * APART * ring, y + dy * APART * ring)
            if _is_free(place, known):
                return place
    return x, y


def nearest_free(wanted: At, known: Mapping[str, At]) -> At:
    """A free place at a place, or below it; whole numbers as such."""
    x, y = wanted
    while not _is_free((x, y), known):
        y += APART
    return (int(x) if float(x).is_integer() else x, int(y) if float(y).is_integer() else y)


def _is_free(place: At, known: Mapping[str, At]) -> bool:
    return all(abs(place[0] - x) >= 2 or abs(place[1] - y) >= 2 for x, y in known.values())
