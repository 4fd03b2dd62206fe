"""Which back end computes a motion: the first of these to which nothing objects.

tree kernel    articulated bodies, O(n): open trees of rigid bodies with laws along coordinates
blocks         sparse elimination: beams of many nodes
expressions    everything else, in every formulation and treatment
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pliant.backends.blocks import route
from pliant.backends.contract import BackEnd
from pliant.backends.expressions import run as expressions
from pliant.backends.request import Plan, Request, settled
from pliant.backends.resume import fits
from pliant.backends.tree import run as large
from pliant.errors import CapabilityError, FileError, StartError
from pliant.records import dataclass
from pliant.registry import Registry
from pliant.results.series import Record, Recorded

if TYPE_CHECKING:
    from pliant.study import Study

BACK_ENDS: Registry[BackEnd] = Registry(
    BackEnd, (large.BACK_END, route.BACK_END, expressions.BACK_END)
)
"""In the order in which they are asked; expressions take everything, so that those registered after
it are used where they are named, or have the method."""
TREE, BLOCKS, EXPRESSIONS = BACK_ENDS


@dataclass(frozen=True, slots=True)
class Chosen:
    """A back end, and why those before it are not used."""

    back_end: BackEnd
    against: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.back_end.name

    def __str__(self) -> str:
        reasons = (f"why not {other}: {why}" for other, why in self.against.items())
        return "; ".join((self.name, *reasons))


def chosen_back_end(system: Study, plan: Plan) -> Chosen:
    """The one that was named or has the method, otherwise the first without an objection."""
    fit = plan.earlier is None or fits(system, plan.params, plan.earlier)
    named, against = plan.request.back_end, dict[str, str]()
    if named is not None:
        refuse_incapable(system, named)
    for own in BACK_ENDS.values():
        its_own = named is None and plan.method in own.methods
        if its_own and not fit:
            raise StartError("start: joints of this model do not fit the end of the earlier run, "
                             f"and {plan.method} has no impulse; use another method")  # fmt: skip
        if its_own:
            return Chosen(own, {})
    for name, own in BACK_ENDS.items():
        why = own.against(system, plan) if named is None else _other(name, named)
        if not why and not fit and not own.has_impulse:
            why = "joints of this model do not fit the end of the earlier run"
        if not why:
            return Chosen(own, {} if named else against)
        against[name] = why
    return Chosen(BACK_ENDS[EXPRESSIONS], against)


def _other(name: str, named: str) -> str:
    return "" if name == named else f"{named} was named"


def usual_back_end(system: Study) -> Chosen:
    """That of a run of which nothing more is said."""
    from pliant.backends.choice import Choice

    return chosen_back_end(system, settled(system, Request(choice=Choice.of(system), free=True)))


def refuse_incapable(system: Study, name: str) -> None:
    """Raise CapabilityError if a back end cannot take a model, however slow."""
    why = BACK_ENDS[name].incapable(system)
    if why:
        raise CapabilityError(f"{name}: {why}")


def reopened(model: str, record: Record) -> Recorded:
    """What a file recorded, with its model built anew."""
    from pliant.study import Study

    return reopened_in(Study.loads(model), record)


def reopened_in(system: Study, record: Record) -> Recorded:
    """What was recorded of a system, with the system as it is."""
    try:
        word = record.about["back_end"]
        back_end = BACK_ENDS[_OF_FILES.get(word, word)]
        return back_end.reopened(system, record)
    except (KeyError, TypeError, ValueError, IndexError):
        raise FileError("the states of this file do not fit its model",
                        "ask for what was recorded, or run the model again") from None  # fmt: skip


_OF_FILES = {"tree": TREE, "blocks": BLOCKS, "expressions": EXPRESSIONS, "rest": EXPRESSIONS}
"""By the words in files."""
