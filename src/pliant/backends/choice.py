"""How the equations of a system are to be written: formulation, tree, form."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pliant.errors import InputError
from pliant.formulations import FORMULATIONS, Formulation
from pliant.graphs import TreeChoice, cheapest_tree
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.study import Study

FORMS = ("augmented", "embedding")
WRITTEN_FORMS = (*FORMS, "mixed", "explicit")
"""Forms to read: also those of a bond graph."""


@dataclass(frozen=True, slots=True)
class Choice:
    """``tree``: joint, absolute, or the names of its edges; ``cut``: joints to cut besides;
    ``independent``: speeds that the embedding form keeps; ``truncate``: order of the elastic
    coordinates at which the equations of motion are cut; ``split``: rows of the constraints and
    dependent speeds of the embedding form, where a run has chosen them."""

    formulation: str = "recursive"
    tree: str | tuple[str, ...] = "joint"
    cut: tuple[str, ...] = ()
    form: str = "augmented"
    independent: tuple[str, ...] = ()
    truncate: int | None = None
    split: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @classmethod
    def of(
        cls, system: Study, *, formulation: str | None = None, tree: TreeChoice | None = None,
        cut: Iterable[str] = (), form: str | None = None,
        independent: Iterable[str] | None = None, truncate: int | None = None,
        forms: Collection[str] = FORMS,
    ) -> Choice:  # fmt: skip
        """What was asked for, otherwise what the model says."""
        s = system.model.settings
        chosen = cls(
            formulation or s.formulation, _tree(system, tree if tree is not None else s.tree),
            tuple(cut), form or s.form, _names(s.independent if independent is None
                                               else independent), truncate,
        )  # fmt: skip
        return chosen.checked(forms)

    def checked(self, forms: Collection[str] = FORMS) -> Choice:
        """Itself, if formulation and form are known."""
        _known("formulation", self.formulation, FORMULATIONS)
        _known("form", self.form, forms)
        if self.truncate is not None and not 0 <= self.truncate <= 8:
            raise InputError(f"truncate: {self.truncate} is no order", "use 0 to 8")
        return self

    @property
    def method(self) -> Formulation:
        """The formulation."""
        return FORMULATIONS[self.formulation]

    @property
    def assembles(self) -> bool:
        """Whether initial states are assembled in these coordinates."""
        return (self.formulation, self.tree, self.form, self.truncate) == (
            "recursive", "joint", "augmented", None)  # fmt: skip

    @property
    def augmented(self) -> Choice:
        """The same coordinates with multipliers and in full."""
        return replace(self, form="augmented", independent=(), truncate=None, split=None)

    @property
    def label(self) -> str:
        """For tables: the tree and what differs from the plain form."""
        tree = self.tree if isinstance(self.tree, str) else f"[{', '.join(self.tree)}]"
        cuts = f"cut {', '.join(self.cut[:3])}{'...' if len(self.cut) > 3 else ''}"
        words = [cuts if self.cut else f"{tree} tree"]
        words += [self.form] if self.form != "augmented" else []
        words += [] if self.truncate is None else [f"order {self.truncate}"]
        return ", ".join(words)


def _tree(system: Study, tree: TreeChoice) -> str | tuple[str, ...]:
    names = (tree,) if isinstance(tree, str) else tuple(tree)
    if names == ("best",):
        return cheapest_tree(system.model)
    if len(names) == 1 and names[0] in ("joint", "absolute"):
        return names[0]
    return names


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _known(what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        cure = did_you_mean(name, names) or f"known: {', '.join(names)}"
        raise InputError(f"unknown {what} '{name}'", cure)
