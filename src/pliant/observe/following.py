"""Observables that follow from others at the same time, registered in ``OBSERVABLES``.

They are computed from what a result tells, and so are those of every back end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pliant.arrays import Array
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.registry import Registry

EACH = "*."


@dataclass(frozen=True, slots=True)
class Observable:
    """``compute`` gives an array with a row for each sample from those of the observables that it
    ``needs``. Where names begin with ``*.``, that stands for any owner: ``*.speed`` of
    ``*.velocity`` is told of everything that has a velocity."""

    name: str
    unit: str
    needs: tuple[str, ...]
    compute: Callable[..., Array]
    labels: tuple[str, ...] = ()
    kind: str = "other"

    def of(self, owner: str) -> Following:
        """The one of an owner."""
        own = [n.replace(EACH, f"{owner}.", 1) for n in (self.name, *self.needs)]
        what = Quantity(self.unit, owner, self.kind, self.labels)
        return Following(own[0], what, tuple(own[1:]), self.compute)


@dataclass(frozen=True, slots=True)
class Following:
    """An observable of one owner, or of the system."""

    name: str
    quantity: Quantity
    needs: tuple[str, ...]
    compute: Callable[..., Array]


OBSERVABLES: Registry[Observable] = Registry(Observable)


def following(known: Iterable[str]) -> dict[str, Following]:
    """All that follow from what is known, by name."""
    found: dict[str, Following] = {}
    names = dict.fromkeys(known) if OBSERVABLES else {}
    for observable in OBSERVABLES.values():
        for owner in _owners(observable, names):
            one = observable.of(owner)
            if one.name not in names and all(n in names for n in one.needs):
                found[one.name] = one
    return found


def asked_for(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Those among some names that follow from others, with what they need."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names if OBSERVABLES else ():
        for observable in OBSERVABLES.values():
            owner = name.removesuffix(observable.name.removeprefix("*"))
            if name == observable.name or (owner != name and observable.name.startswith(EACH)):
                found[name] = observable.of(owner).needs
    return found


def _owners(observable: Observable, names: Iterable[str]) -> Iterator[str]:
    """Who may have it; the system has no name."""
    shared = [n.removeprefix("*") for n in observable.needs if n.startswith(EACH)]
    if not shared:
        yield ""
        return
    yield from (n.removesuffix(shared[0]) for n in names if n.endswith(shared[0]))
