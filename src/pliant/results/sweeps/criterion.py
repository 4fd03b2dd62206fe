"""What one number is made of a run, so that runs can be compared: "min max A.force"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.observe.selection import Labelled, cure_of
from pliant.records import dataclass

_OVER_TIME: dict[str, Callable[[Array], Array]] = {
    "max": lambda v: np.nanmax(v, axis=1),
    "min": lambda v: np.nanmin(v, axis=1),
    "mean": lambda v: np.nanmean(v, axis=1),
    "rms": lambda v: np.sqrt(np.nanmean(v**2, axis=1)),
    "span": lambda v: np.nanmax(v, axis=1) - np.nanmin(v, axis=1),
    "abs": lambda v: np.nanmax(np.abs(v), axis=1),
}
_SLOPES: dict[str, Callable[[Array, Array], Array]] = {
    "max": lambda v, s: s[np.argmax(v)],
    "min": lambda v, s: s[np.argmin(v)],
    "mean": lambda v, s: s.mean(axis=0),
    "rms": lambda v, s: v @ s / (len(v) * max(np.sqrt(np.mean(v**2)), 1e-300)),
    "span": lambda v, s: s[np.argmax(v)] - s[np.argmin(v)],
    "abs": lambda v, s: s[(k := np.argmax(np.abs(v)))] * np.sign(v[k]),
    "last": lambda v, s: s[-1],
}
"""How each depends on parameters, from samples and their slopes (time, parameter)."""
WORDS = (*_OVER_TIME, "last")
_LENGTHS = {"speed": "velocity"}
"""Names of lengths of vectors."""


class Told(Labelled, Protocol):
    """An observable with its unit."""

    @property
    def unit(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Best:
    """A run, what it was given, and its score."""

    criterion: str
    run: int
    value: float
    unit: str
    params: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"wish": self.criterion, "run": self.run, "value": self.value, "unit": self.unit,
                "params": dict(self.params)}  # fmt: skip

    def __str__(self) -> str:
        given = ", ".join(f"{n} = {v:.6g}" if isinstance(v, float) else f"{n} = {v}"
                          for n, v in self.params.items())  # fmt: skip
        return f"{self.criterion}: {self.value:.6g} {self.unit} in run {self.run} ({given})"


@dataclass(frozen=True, slots=True)
class Criterion:
    """``over``: what is taken of a run; ``component``: of a vector, otherwise its length."""

    largest: bool
    over: str
    owner: str
    component: int | None
    unit: str

    @classmethod
    def of(cls, text: str, known: Mapping[str, Told]) -> Criterion:
        """As it is written."""
        taken, name = parts_of(text)
        over = taken[-1] if taken else "last"
        owner, component = component_of(name, known, text)
        return cls(taken[:1] != ["min"], over, owner, component, known[owner].unit)

    def scored(self, values: Array, last: Array) -> Array:
        """A number for each run; not a number where nothing was observed."""
        own = last[:, None] if self.over == "last" else values
        if self.component is not None:
            own = own[..., self.component]
        elif own.ndim == 3:
            own = np.linalg.norm(own, axis=2)
        scores = np.full(len(own), np.nan)
        seen = ~np.isnan(own).all(axis=1)
        take = _OVER_TIME["max" if self.over == "last" else self.over]
        scores[seen] = take(own[seen])
        return scores

    def slope(self, values: Array, slopes: Array) -> Array:
        """How the score of one run depends on parameters; ``values`` (time) or (time, component),
        ``slopes`` the same of every parameter (..., parameter). Of the largest of all samples it is
        the slope there."""
        if self.component is not None:
            values, slopes = values[:, self.component], slopes[:, self.component]
        elif values.ndim == 2:
            length = np.linalg.norm(values, axis=1)
            unit = values / np.where(length > 0, length, 1.0)[:, None]
            values, slopes = length, np.einsum("tc,tcp->tp", unit, slopes)
        return _SLOPES[self.over](values, slopes)


def parts_of(text: str) -> tuple[list[str], str]:
    """The words it begins with, and the observable it speaks of."""
    words = text.split()
    taken = [w for w in words[:2] if w in WORDS]
    name = ".".join(words[len(taken) :])
    if not name:
        raise InputError(f"'{text}' names no observable", "write for example 'max A.force'")
    return taken, name


def refuse_unknown(text: str, known: Mapping[str, Told]) -> None:
    """Raise UnknownName for a wish that no run can meet; ``known``: what a system tells. Works
    follow from powers."""
    owner, _, label = parts_of(text)[1].rpartition(".")
    if not (label == "work" and f"{owner}.power" in known):
        Criterion.of(text, known)


def component_of(name: str, known: Mapping[str, Labelled], text: str) -> tuple[str, int | None]:
    """An observable, and which component of it."""
    owner, _, label = name.rpartition(".")
    if name in known:
        return name, None
    if owner in known and label in known[owner].labels:
        return owner, known[owner].labels.index(label)
    vector = f"{owner}.{_LENGTHS.get(label, label)}"
    if vector in known:
        return vector, None
    cure = cure_of(name, known) or f"it tells {', '.join([*known][:8])}"
    if text.split()[0] not in WORDS:
        cure = did_you_mean(text.split()[0], WORDS) or cure
    raise UnknownName(f"'{text}': no observable '{name}'", cure)


def first_number(failures: Mapping[int, str]) -> str:
    """The first message of runs that failed."""
    return next((f"run {k}: {text}" for k, text in failures.items()), "nothing was computed")
