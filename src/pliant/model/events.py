"""Events: a formula crossing zero, named; a stop condition is an event that ends the run."""

from __future__ import annotations

from pliant.errors import Fault, FormulaError, ModelError
from pliant.model.fields import ANYTHING, Flag, Number, Quantity, Text, Word, has, settle
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Call, Node, text_of
from pliant.model.formulas.tree import Number as Literal
from pliant.records import dataclass

_WHEN = Number("", ANYTHING, condition=True)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens when `when` crosses zero.

    A condition (`tip.position.z < 0`) is turned into a formula that rises through zero as the
    condition comes true; it then happens when the condition comes true ("rising", the default), or
    when it ceases to be ("falling").

    >>> pl.Event("down", when="rod.tip.position.z < 0", stop=True).direction
    'rising'
    """

    name: str
    when: Quantity = has(_WHEN, doc="a formula crossing zero, or a condition coming true")
    direction: str = has(Word(("rising", "falling", "any")), "any", "which crossings count")
    stop: bool = has(Flag(), False, "whether the run ends here")
    message: str = has(Text(), "", "what to say when it happens")

    def __post_init__(self) -> None:
        settle(self, "events", "event")
        if self.when.is_condition:
            if self.direction == "any":
                object.__setattr__(self, "direction", "rising")
            object.__setattr__(self, "when", self._crossing())

    def _crossing(self) -> Formula:
        try:
            return crossing(self.when)
        except FormulaError as error:
            path = ("events", self.name, "when")
            fault = Fault(f"event '{self.name}'", error.what, error.cure, path=path)
            raise ModelError([fault]) from None


def crossing(condition: Formula) -> Formula:
    """A formula that is positive where the condition holds and crosses zero where it changes."""
    return from_tree(_crossing(condition.tree))


def _crossing(node: Node) -> Node:
    if not isinstance(node, Call) or node.function in ("==", "!="):
        cure = "give the difference of the two sides as the formula"
        raise FormulaError(f"'{text_of(node)}' has no crossing", cure)
    if node.function == "not":
        return Call("neg", (_crossing(node.args[0]),))
    a, b = node.args
    if node.function in ("and", "or"):
        return Call("min" if node.function == "and" else "max", (_crossing(a), _crossing(b)))
    low, high = (a, b) if node.function in ("<", "<=") else (b, a)
    if low == Literal(0.0):
        return high
    return Call("neg", (low,)) if high == Literal(0.0) else Call("-", (high, low))
