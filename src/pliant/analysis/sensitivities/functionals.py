"""What is differentiated: observables over time, or one number made of a motion.

    O.angle    rod.tip.position    rod.tip.position.x                  at every sample
    last O.angle    O.angle at 0.5                                     at a time
    ball.speed at lands    time of lands                               at an event of the model
    max A.force    min S.displacement    abs B.force.x                 where it is largest
    integral M.power    mean slider.speed    rms tip.acceleration      over the whole time

Of a vector a component is meant, otherwise its length.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.analysis.faults import every_fault
from pliant.arrays import Array
from pliant.code.compiled import Observed
from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.observe.selection import selected
from pliant.records import dataclass
from pliant.results.sweeps.criterion import component_of

SUMS = ("integral", "mean", "rms")
EXTREMES = ("max", "min", "abs")
WORDS = ("last", *EXTREMES, *SUMS)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A component of an observable, or the length of a vector: its columns."""

    name: str
    owner: str
    labels: tuple[int, ...]
    unit: str


@dataclass(frozen=True, slots=True)
class Functional:
    """``taken``: one of the words, or ``at`` with a time (``when`` as it is written) or an event;
    ``time of`` an event has no scalar."""

    text: str
    taken: str
    scalar: Scalar | None
    time: float | None = None
    event: str = ""
    when: str = ""

    @property
    def unit(self) -> str:
        """Of its value."""
        if self.scalar is None:
            return "s"
        if self.taken != "integral":
            return self.scalar.unit
        return f"{self.scalar.unit}*s" if self.scalar.unit not in ("", "1") else "s"

    def value(self, total: float, span: float) -> float:
        """Of its sum over so many seconds."""
        mean = total / span
        rms = float(np.sqrt(max(mean, 0.0)))
        return {"integral": total, "mean": mean, "rms": rms}[self.taken]

    def slope(self, total: float, span: float) -> float:
        """Its derivative by the sum."""
        own = {"integral": 1.0, "mean": 1.0 / span}
        rms = float(np.sqrt(max(total, 0.0) * span))
        return own[self.taken] if self.taken in own else 0.5 / rms if rms else 0.0

    def slope_by_end(self, total: float, span: float, last: float) -> float:
        """Its derivative by the end of the time, where the observable is ``last``."""
        if self.taken == "integral":
            return last
        value = self.value(total, span)
        if self.taken == "mean":
            return (last - value) / span
        return (last * last - value * value) / (2 * span * value) if value else 0.0


Known = Mapping[str, Observed]


def asked_of(
    known: Known, wanted: str | Sequence[str], seconds: Callable[[str], float],
    events: Collection[str] = (),
) -> tuple[tuple[Scalar, ...], tuple[Functional, ...]]:  # fmt: skip
    """Scalars over time, and functionals; ``seconds``: of a text with a unit. What means nothing is
    said all at once."""
    listed = [wanted] if isinstance(wanted, str) else list(wanted)
    if not listed:
        raise InputError("nothing to differentiate", "name an observable: of='O.angle'")
    scalars: dict[str, Scalar] = {}
    functionals: list[Functional] = []
    with every_fault() as looking_at:
        for text in listed:
            with looking_at():
                if not isinstance(text, str):
                    raise InputError(f"{text!r} is no observable", "give names as texts")
                found = _functional(known, text, seconds, events)
                functionals += [found] if found is not None else []
                if found is None:
                    scalars |= {one.name: one for one in _scalars(known, text)}
    return tuple(scalars.values()), tuple(functionals)


def _functional(
    known: Known, text: str, seconds: Callable[[str], float], events: Collection[str]
) -> Functional | None:
    words = text.split()
    if words[:2] == ["time", "of"]:
        return Functional(text, "at", None, event=_event(" ".join(words[2:]), events))
    if "at" in words[1:]:
        k = words.index("at", 1)
        if words[0] in WORDS:
            raise InputError(f"'{text}': '{words[0]}' and a time", "write one of them")
        scalar, when = _scalar(known, ".".join(words[:k]), text), " ".join(words[k + 1 :])
        if when in events or not when[:1].isdecimal():
            return Functional(text, "at", scalar, event=_event(when, events))
        return Functional(text, "at", scalar, seconds(when), when=when)
    if len(words) > 1 and words[0] not in WORDS:
        cure = did_you_mean(words[0], WORDS) or f"known: {', '.join(WORDS)}"
        raise InputError(f"'{text}': '{words[0]}' takes nothing of a motion", cure)
    if len(words) < 2:
        return None
    return Functional(text, words[0], _scalar(known, ".".join(words[1:]), text))


def _event(name: str, events: Collection[str]) -> str:
    if name not in events:
        cure = did_you_mean(name, events) or "give seconds, or an event of the model"
        raise UnknownName(f"no event is named '{name}'", cure)
    return name


def _scalar(known: Known, name: str, text: str) -> Scalar:
    """One component, or a length."""
    owner, component = component_of(name, known, text)
    _refuse_rotation(owner, known[owner])
    size = known[owner].size
    labels = (component,) if component is not None else tuple(range(size))
    return Scalar(name, owner, labels, known[owner].unit)


def _scalars(known: Known, text: str) -> list[Scalar]:
    """All components that a name or pattern stands for."""
    owner, _, label = text.rpartition(".")
    if text not in known and owner in known and label in known[owner].labels:
        return [_component(owner, known[owner], known[owner].labels.index(label))]
    if label == "work" and f"{owner}.power" in known:
        raise InputError(f"'{text}' is no state of a motion", f"ask for 'integral {owner}.power'")
    names = selected(known, [text])
    plain = [n for n in names if known[n].kind != "rotation"]
    for name in names if not plain else ():
        _refuse_rotation(name, known[name])
    return [_component(n, known[n], k) for n in plain for k in range(known[n].size)]


def _component(owner: str, o: Observed, k: int) -> Scalar:
    return Scalar(f"{owner}.{o.labels[k]}" if o.labels else owner, owner, (k,), o.unit)


def _refuse_rotation(name: str, o: Observed) -> None:
    if o.kind == "rotation":
        raise InputError(f"'{name}' is a rotation", "ask for angles, or for positions of frames")


def owners(scalars: Sequence[Scalar], functionals: Sequence[Functional]) -> list[str]:
    """Observables that are read."""
    every = (*scalars, *(f.scalar for f in functionals if f.scalar is not None))
    return list(dict.fromkeys(one.owner for one in every))


class Columns:
    """Scalars of the rows of ``Slopes.told``, which has the observables ``names`` side by side,
    then the ``events``."""

    def __init__(self, known: Known, names: Sequence[str], events: Sequence[str] = ()) -> None:
        ends = np.cumsum([known[name].size for name in names])
        width = int(ends[-1]) if len(ends) else 0
        self.event = {name: width + k for k, name in enumerate(events)}
        """The column of each."""
        self._first = {n: int(end) - known[n].size for n, end in zip(names, ends, strict=True)}

    def of(self, one: Scalar) -> list[int]:
        """Its columns."""
        return [self._first[one.owner] + k for k in one.labels]

    def value(self, one: Scalar, values: Array) -> Array:
        """A number for each row."""
        own = values[:, self.of(one)]
        return own[:, 0] if len(one.labels) == 1 else np.linalg.norm(own, axis=1)

    def slope(self, one: Scalar, values: Array, slopes: Array) -> Array:
        """Its slopes, from those of all columns (row, column, ...)."""
        columns = self.of(one)
        if len(columns) == 1:
            return np.asarray(slopes[:, columns[0]])
        own = values[:, columns]
        length = np.linalg.norm(own, axis=1, keepdims=True)
        weights: Any = own / np.where(length > 0, length, 1.0)
        return np.asarray(np.einsum("kc,kcn->kn", weights, slopes[:, columns]))
