"""Value and law of the elements of networks, in words."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.model.formulas import Formula
from pliant.model.networks.entries import Entries, each
from pliant.model.networks.kinds import ONE_PORTS, UNITS
from pliant.studio.views.graphs.meaning import of_kind
from pliant.studio.views.graphs.quantities import entries_text

_CONSTANTS = {"inertia": "p = I f", "resistance": "e = R f", "capacity": "e = q / C",
              "stiffness": "e = K q"}  # fmt: skip
_LETTERS = {"effort": "e", "flow": "f", "momentum": "p", "displacement": "q", "energy": "E",
            "coenergy": "T*"}  # fmt: skip


def value_of(
    kind: str, law: Mapping[str, Entries], domain: str, values: Mapping[str, float]
) -> str:
    """50 mH, 60 V, 0.678; nothing for laws that are relations."""
    for key, entries in law.items():
        if key == "matrix":
            return entries_text(entries, values, "")
        if kind in ONE_PORTS and not ONE_PORTS[kind].variable(key):
            return entries_text(entries, values, UNITS.get(domain, {}).get(key, ""))
    return ""


def law_of(kind: str, law: Mapping[str, Entries], name: str) -> str:
    """e = R f, e = 3*f*abs(f); ``name``: full name of the element, whose own variables are in its
    formulas."""
    known = [_CONSTANTS[key] for key in law if key in _CONSTANTS]
    known += [f"{_LETTERS[key]} = {_formulas(entries, name)}"
              for key, entries in law.items() if key in _LETTERS]  # fmt: skip
    return ", ".join(known) or of_kind(kind)[1]


def _formulas(entries: Entries, name: str) -> str:
    texts = [f.text.replace(f"{name}.", "") for _, f in each(entries)]
    return texts[0] if isinstance(entries, Formula) else f"[{', '.join(texts)}]"
