"""What a numeric back end is: it takes a plan, and gives a motion with all that is told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from pliant.arrays import Array, Flags
from pliant.backends.request import Plan, RestRequest
from pliant.backends.resume import State
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.results import Result
from pliant.results.result import EventRecord
from pliant.results.series import Record, Recorded, Series
from pliant.solve.failure import Failure
from pliant.solve.motion.energy import EnergyBalance

if TYPE_CHECKING:
    from pliant.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """A motion that was computed, as far as it got."""

    time: Array
    series: Mapping[str, Series]
    """What was asked for."""
    end: Callable[[], State]
    """The state it ended in, made when it is asked for."""
    info: Mapping[str, Any]
    """Formulation, tree, counts: what only this back end can say."""
    statistics: Mapping[str, float]
    recorded: Recorded | None
    """From which everything else can be told."""
    energy: EnergyBalance | None
    """None: the model does not know its energy."""
    events: tuple[EventRecord, ...] = ()
    remarks: tuple[str, ...] = ()
    failure: str = ""
    failed: Failure | None = None
    model: str = ""
    """Its text."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a back end tells of some states: a table of all observables, a row for each, which
    reactions are unique, and its counts."""

    known: Mapping[str, Quantity]
    table: Array
    unique: Mapping[str, Flags]
    coordinates: int
    constraints: int
    equations: int

    def at(self, k: int) -> dict[str, Array]:
        """Every observable of a state."""
        ends = np.cumsum([q.size for q in self.known.values()])
        return dict(zip(self.known, np.split(self.table[k], ends[:-1]), strict=True))


@runtime_checkable
class BackEnd(Protocol):
    """Computes motions of the models that it can take."""

    name: str
    methods: tuple[str, ...]
    """Methods of integration that nobody else has."""
    has_impulse: bool
    """Whether a run can go on in a model whose joints stop the motion."""

    def incapable(self, system: Study) -> str:
        """Why it cannot take a model; empty if it can, however slow."""

    def against(self, system: Study, plan: Plan) -> str:
        """Why it is not to be used for a plan; empty if it is."""

    def run(self, system: Study, plan: Plan) -> Motion:
        """Integrate."""

    def against_rest(self, system: Study, request: RestRequest) -> str:
        """Why it is not to look for an equilibrium; empty if it is."""

    def rest(self, system: Study, request: RestRequest) -> Result | None:
        """An equilibrium; None if it cannot tell, and another back end may."""

    def known(self, system: Study) -> Mapping[str, Quantity]:
        """Every observable of a run."""

    def reopened(self, system: Study, record: Record) -> Recorded:
        """States that a file kept. ValueError, KeyError: they are not of this model."""

    def tell(
        self, system: Study, params: Mapping[str, Any] | None, states: Sequence[State]
    ) -> Told:
        """Its observables at some states."""
