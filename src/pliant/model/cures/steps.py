"""What a cure asks for, and words that carry it."""

from __future__ import annotations

from typing import Any

from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Instead:
    """Another word, or key, in place of a wrong one."""

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Define:
    """A parameter, with a value that fits where it is read."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Add:
    """An entry that is missing, at keys within the element."""

    keys: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Put:
    """A value in place of the one that is wrong; ``keys``: of another entry of the element."""

    value: Any
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """Nothing in place of what is wrong; ``keys``: of another entry of the element; ``also``:
    further ones beside it."""

    keys: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remove:
    """Without the whole element, by its name; empty: the one that is wrong."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Rename:
    """Another name of the element, or of what stands at keys within it."""

    new: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """An entry that is missing beside another one."""

    known: str
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Write:
    """An entry somewhere else in the file."""

    path: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Shift:
    """The same entry at other keys of the element."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Once:
    """The first of two entries of the same name."""


@dataclass(frozen=True, slots=True)
class Version:
    """The version of the file format."""

    number: int


Step = (
    Instead | Define | Add | Put | Leave | Remove | Rename | Beside | Write | Shift | Once | Version
)


class Cure(str):
    """Words, and ways to do what they say, the likeliest first."""

    __slots__ = ("steps",)
    steps: tuple[Step, ...]

    def __new__(cls, words: str, *steps: Step) -> Cure:
        made = super().__new__(cls, words)
        made.steps = steps
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Cure, (str(self), *self.steps)


def curing(words: str, *steps: Step) -> str:
    """Words, and ways to do what they say."""
    return Cure(words, *steps)


def steps_of(cure: str) -> tuple[Step, ...]:
    """What a cure can do; nothing if it is only words."""
    return cure.steps if isinstance(cure, Cure) else ()
