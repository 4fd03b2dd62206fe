"""Equations of a system as data: rows of MathML and LaTeX, every symbol and row linked to the
element of the file it belongs to, and what else could be asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any

from pliant.analysis.equations import readable
from pliant.backends.choice import WRITTEN_FORMS, Choice
from pliant.errors import CapabilityError
from pliant.formulations import FORMULATIONS
from pliant.formulations.multibond.extract import NAME as MULTIBOND
from pliant.graphs import SystemGraph, TreeChoice, spanning_tree
from pliant.reading.algebra.symbols import Symbol
from pliant.reading.equations import ReadableEquations
from pliant.reading.mathml import MATHML, math
from pliant.reading.printing import LATEX
from pliant.studio.views.graphs.owners import Owners
from pliant.studio.views.graphs.quantities import formula_text
from pliant.study import Study

_NAMED = re.compile(r'data-name="([^"]*)"|data-name=\'([^\']*)\'')
_FUNCTION = re.compile(r"[a-z]+\((.+)\)")
_WORD = re.compile(r"[\w.']+")
TREES = ("joint", "absolute", "best")
_RATES = ("", "rate of ", "acceleration of ", "third derivative of ", "fourth derivative of ")


def equations_data(
    system: Study, *, formulation: str | None = None, tree: TreeChoice | None = None,
    cut: Iterable[str] = (), form: str | None = None, independent: Iterable[str] | None = None,
    truncate: int | None = None, names: Mapping[str, str] | None = None,
    max_terms: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """What ``System.equations`` prints; where that is too long or impossible, why."""
    choice = Choice.of(
        system, formulation=formulation, tree=tree, cut=cut, form=form, independent=independent,
        truncate=truncate, forms=WRITTEN_FORMS,
    )  # fmt: skip
    graph = spanning_tree(system.model, choice.tree, choice.cut)
    told: dict[str, Any] = {
        "heading": [], "formulation": choice.formulation, "form": choice.form,
        "tree": choice.tree if isinstance(choice.tree, str) else ", ".join(choice.tree),
        "tooLong": "", "sections": [], "symbols": {}, "choices": _choices(choice, graph),
    }  # fmt: skip
    try:
        found = readable(system, choice, names, max_terms, form)
        return told | {"form": found.equations.written.form} | _written(system, found)
    except CapabilityError as error:
        return told | {"tooLong": str(error)}


def _written(system: Study, found: ReadableEquations) -> dict[str, Any]:
    words = _Words(system, found)
    sections: list[dict[str, Any]] = []
    for part, other in zip(found.parts(MATHML), found.parts(LATEX), strict=True):
        rows = [{"label": row.label, "owner": words.row(row.owner, row.label),
                 "mathml": math(row.left, row.right), "latex": f"{latex.left} = {latex.right}"}
                for row, latex in zip(part.rows, other.rows, strict=True)]  # fmt: skip
        sections.append({"title": part.title, "rows": rows})
    used = {unescape(a or b) for section in sections for row in section["rows"]
            for a, b in _NAMED.findall(row["mathml"])}  # fmt: skip
    symbols = {s.name: words.symbol(s) for s in found.space.symbols if s.name in used}
    return {"heading": found.heading, "sections": sections, "symbols": symbols}


def _choices(choice: Choice, graph: SystemGraph) -> dict[str, Any]:
    """Formulations with why they do not take the model, forms, trees."""
    formulations = []
    for name in FORMULATIONS:
        wrong = FORMULATIONS[name].objections(graph)
        objection = "; ".join(f"{o.element}: {o.what}; {o.cure}" for o in wrong)
        formulations.append({"name": name, "objection": objection})
    forms = ["augmented", "embedding"]
    if choice.formulation == MULTIBOND or not graph.bodies:
        forms.append("mixed")
    if not graph.bodies:
        forms.append("explicit")
    return {"formulations": formulations, "forms": forms, "trees": list(TREES)}


class _Words:
    """Whose the symbols are, and what they are."""

    def __init__(self, system: Study, found: ReadableEquations) -> None:
        self.system, self.model = system, system.described
        self.owners = Owners(system.described, system.model.origin)
        self.values = system.values().parameters
        self.by_text = {s.text: s.name for s in found.space.symbols}
        self.definitions = {s.name for s, _ in found.definitions}

    def row(self, name: str, label: str) -> str:
        """The element that a row belongs to."""
        known = self.by_text.get(label, name) if name == label else name
        return self.owner(known or label)

    def owner(self, name: str) -> str:
        """The element of the file that a symbol belongs to; empty for time and for what stands for
        an expression."""
        plain = name.rstrip("'")
        inside = _FUNCTION.fullmatch(plain)
        if inside:  # sec(x) is the angle's
            names = (self.by_text.get(word) for word in _WORD.findall(inside[1]))
            return next((self.owner(name) for name in names if name), "")
        if plain in self.definitions:
            return ""
        for section in ("parameters", "signals", "speeds"):
            if plain in getattr(self.model, section):
                return f"{section}.{plain}"
        for prefix in ("lam.", "state."):
            plain = plain.removeprefix(prefix)
        return self.owners.of(plain)

    def symbol(self, symbol: Symbol) -> dict[str, str]:
        """Owner, how it is written, what it is."""
        owner = self.owner(symbol.name)
        return {"owner": owner, "text": symbol.text, "latex": symbol.latex,
                "sentence": self._sentence(symbol, owner)}  # fmt: skip

    def _sentence(self, symbol: Symbol, owner: str) -> str:
        name = symbol.name.rstrip("'")
        rate = _RATES[min(len(symbol.name) - len(name), len(_RATES) - 1)]
        section, _, own = owner.partition(".")
        if section == "parameters" and own == name:
            value = formula_text(self.model.parameters[name], self.values, "")
            return f"parameter {name} = {value}"
        if section in ("signals", "speeds"):
            return f"{rate}{'signal' if section == 'signals' else 'generalised speed'} {name}"
        if name == "t":
            return "time"
        if not owner:
            return "stands for an expression: see where"
        if name.startswith("lam."):
            return f"multiplier of {self._titled(owner)}, {name.rpartition('.')[2]}"
        what = name.removeprefix("state.").removeprefix(owner).removeprefix(".")
        elastic = what in getattr(self.model.bodies.get(owner), "elastic_names", ())
        kind = "elastic coordinate " if elastic else ""
        return f"{rate}{kind}{what or 'state'} of {self._titled(owner)}"

    def _titled(self, owner: str) -> str:
        """joint O, body coupler, drive.La."""
        nouns = {"bodies": "body", "joints": "joint", "forces": "force", "drivers": "driver",
                 "constraints": "constraint", "networks": "network"}  # fmt: skip
        for section, noun in nouns.items():
            if owner in getattr(self.model, section):
                return f"{noun} {owner}"
        return owner
