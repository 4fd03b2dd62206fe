"""The exception family. Every message says who, what, where, and the cure.

PliantError                      exit code 1
├── InputError                   exit code 2: what the user wrote cannot be used
│   ├── FormulaError             a formula does not parse
│   ├── UnitError                an unknown unit, or one of the wrong dimension
│   ├── FileError                a file cannot be read as a model
│   ├── UnknownName              a name nobody defined
│   └── ModelError               a model with faults, all of them listed
└── RunError                     exit code 1: the computation could not be finished
    ├── AssemblyError            the given positions or velocities cannot be met
    │   └── StartError           exit code 2: given initial values contradict the mechanism
    ├── LockUpError              the mechanism cannot move on
    ├── StepError                the integrator cannot reach its tolerance
    └── CapabilityError          exit code 2: this method cannot take this model

Interrupted                      Ctrl-C during a run, with what was computed; exit code 130
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any, ClassVar

from pliant.records import dataclass


class PliantError(Exception):
    """Base of everything Pliant raises on purpose.

    >>> try:
    ...     pl.load("nowhere.yaml")
    ... except pl.PliantError as error:
    ...     print(error)
    cannot read nowhere.yaml: No such file or directory; check the path
    """

    exit_code: ClassVar[int] = 1
    elements: tuple[str, ...] = ()
    """Names of the elements it speaks of, where they are known."""


class InputError(PliantError):
    """What the user wrote cannot be used; `cure` says what to do about it."""

    exit_code: ClassVar[int] = 2

    def __init__(self, what: str, cure: str = "") -> None:
        self.what = what
        self.cure = cure
        super().__init__(f"{what}; {cure}" if cure else what)

    def __reduce__(self) -> tuple[type, tuple[object, ...], dict[str, object]]:
        return type(self), (self.what, self.cure), {"elements": self.elements}


class FormulaError(InputError):
    """A formula does not parse; the message gives the column."""


class UnitError(InputError):
    """An unknown unit, or a unit of the wrong dimension."""


class FileError(InputError):
    """A file cannot be read as a model at all; ``span``: where in its text, if that is known."""

    def __init__(self, what: str, cure: str = "", span: tuple[int, int] | None = None) -> None:
        self.span = span
        super().__init__(what, cure)

    def __reduce__(self) -> tuple[type, tuple[object, ...], dict[str, object]]:
        return type(self), (self.what, self.cure, self.span), {"elements": self.elements}


class UnknownName(InputError):  # noqa: N818 (a name of the public face)
    """A name that nobody defined."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A cure that a button can do: its words, and an operation on the text of the model with its
    arguments (`pliant.studio.operations`)."""

    label: str
    operation: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a model.

    `element` is who ("body 'crank'"), `what` is wrong, `cure` what to do, `where` the place in the
    file ("line 7"). `path` is the same place for machines: section, element name, field; `span`
    is where that stands in the text, in characters. `fixes` are cures a button can do.
    """

    element: str
    what: str
    cure: str = ""
    where: str = ""
    path: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    fixes: tuple[Fix, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        text = f"{self.element}: {self.what}" if self.element else self.what
        text = f"{text}; {self.cure}" if self.cure else text
        return f"{text} ({self.where})" if self.where else text


class ModelError(InputError):
    """A model with faults; `faults` holds every one of them."""

    def __init__(self, faults: Iterable[Fault], source: str = "") -> None:
        self.faults = tuple(faults)
        self.source = source
        super().__init__(self._text())

    def _text(self) -> str:
        if len(self.faults) == 1:
            return f"{self.source}: {self.faults[0]}" if self.source else str(self.faults[0])
        head = f"{self.source}: " if self.source else ""
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        return f"{head}{len(self.faults)} faults\n{lines}"

    def __reduce__(self) -> tuple[type, tuple[object, ...], dict[str, object]]:
        return type(self), (self.faults, self.source), {"elements": self.elements}


class RunError(PliantError):
    """The computation could not be finished."""


class AssemblyError(RunError):
    """The given positions or velocities cannot be met by the mechanism."""


class StartError(AssemblyError):
    """Initial values that were given contradict the mechanism or each other."""

    exit_code: ClassVar[int] = 2


class LockUpError(RunError):
    """The mechanism has reached a position from which it cannot move on."""


class StepError(RunError):
    """The integrator cannot reach its tolerance with any step."""


class CapabilityError(RunError):
    """The chosen method cannot take this model; raised before any work."""

    exit_code: ClassVar[int] = 2


class Interrupted(KeyboardInterrupt):
    """A run was ended by Ctrl-C; ``result`` holds what it had computed. As a KeyboardInterrupt it
    ends loops of runs, too.

    >>> try:
    ...     result = pl.load("examples/pendulum.yaml").simulate(t_end=1)
    ... except pl.Interrupted as stopped:
    ...     result = stopped.result
    >>> result.completed
    True
    """

    def __init__(self, result: Any) -> None:
        self.result = result
        super().__init__(result.failure)
