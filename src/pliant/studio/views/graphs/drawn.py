"""Drawings of bond graphs as plain data for the page. Pixels, y downwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond, Finding
from pliant.records import dataclass
from pliant.show.bonds.drawing import BondDrawing, Box, DrawnBond, Symbol
from pliant.show.bonds.lines import COLOURS
from pliant.show.bonds.scene import legend
from pliant.show.graphs.shapes import Entry

_MARGIN = 14.0


@dataclass(frozen=True, slots=True)
class About:
    """What is said of an element."""

    owner: str
    value: str = ""
    causality: str = ""
    sentence: str = ""
    law: str = ""
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Teller:
    """Who says what of the elements, bonds and boxes of a drawing; ``forced``: bonds whose strokes
    the user wants."""

    element: Callable[[Symbol], About]
    owner: Callable[[Bond], str]
    box: Callable[[Box], dict[str, Any]]
    forced: frozenset[str] = field(default=frozenset())


def bond_drawing_data(drawing: BondDrawing, teller: Teller) -> dict[str, Any]:
    """Boxes, nodes, bonds and legend; what linear graphs have is empty."""
    notes: dict[tuple[str, str], dict[str, Any]] = {
        (n.kind, n.of): {"text": n.name.text, "at": point(n.at)} for n in drawing.notes
    }
    frames = [{**at, "owner": of} for (kind, of), at in notes.items() if kind == "frame"]
    return {
        "bounds": bounds(_corners(drawing)),
        "boxes": [_box(b, notes["box", b.name]["at"], teller) for b in drawing.boxes],
        "nodes": [_node(s, teller.element(s)) for s in drawing.symbols.values()],
        "bonds": [_bond(b, notes.get(("bond", b.bond.name)), teller) for b in drawing.bonds],
        "held": [
            {"owner": h.joint, "text": "Sf:0", "at": point(h.at), "points": points(h.way),
             "label": notes["held", h.junction], "sentence": h.title}
            for h in drawing.held
        ],
        "texts": frames,
        "vertices": [], "edges": [], "hulls": [],
        "legend": legend_data(legend(drawing)),
    }  # fmt: skip


def findings_data(found: Iterable[Finding]) -> list[dict[str, Any]]:
    """What causality says, by the names of elements."""
    return [{"kind": f.kind, "text": f.text, "elements": list(f.elements)} for f in found]


def legend_data(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Label, colour (empty without a line), whether dashed."""
    return [{"label": e.text, "colour": e.lines[0][0] if e.lines else "", "dashed": e.dashed}
            for e in entries]  # fmt: skip


def bounds(corners: Array) -> list[float]:
    """Of everything that is drawn, with a margin."""
    low, high = corners.min(axis=0) - _MARGIN, corners.max(axis=0) + _MARGIN
    return [*point(low), *point(high)]


def point(at: Array) -> list[float]:
    """Tenths of pixels."""
    return [round(float(v), 1) + 0.0 for v in at]


def points(way: Array) -> list[list[float]]:
    """Corners of a way."""
    return [point(p) for p in way]


def _corners(drawing: BondDrawing) -> Array:
    found = [p for b in drawing.boxes for p in (b.outline.low, b.outline.high)]
    found += [s.at + sign * s.half for s in drawing.symbols.values() for sign in (-1, 1)]
    found += [p for b in drawing.bonds for p in b.way]
    return np.array(found or [np.zeros(2)])


def _box(box: Box, title: list[float], teller: Teller) -> dict[str, Any]:
    low, high = box.outline.low, box.outline.high
    return {"name": box.name, "label": box.label, "kind": box.kind,
            "at": [*point(low), *point(high - low)], "title": title, "open": box.is_open,
            "canOpen": box.kind != "part", **teller.box(box)}  # fmt: skip


def _node(symbol: Symbol, about: About) -> dict[str, Any]:
    node = symbol.node
    return {"name": node.name, "owner": about.owner, "kind": node.kind, "text": symbol.text,
            "value": about.value, "dim": node.dim, "at": point(symbol.at),
            "size": point(2 * symbol.half), "causality": about.causality, "faults": about.faults,
            "sentence": about.sentence, "law": about.law}  # fmt: skip


def _bond(drawn: DrawnBond, label: Mapping[str, Any] | None, teller: Teller) -> dict[str, Any]:
    bond, ends = drawn.bond, drawn.ends
    what = bond.domain or "no domain"
    size = f"{bond.dim} components" if bond.dim > 1 else "1 component"
    stroke = ends.text if ends.tail or ends.head else "no causality"
    found = {
        "name": bond.name, "owner": teller.owner(bond), "tail": bond.tail, "head": bond.head,
        "dim": bond.dim, "domain": bond.domain, "colour": COLOURS.get(bond.domain, COLOURS[""]),
        "points": points(drawn.way), "stroke": {"tail": bool(ends.tail), "head": bool(ends.head)},
        "forced": bond.name in teller.forced,
        "sentence": f"bond {bond.tail} → {bond.head}, {what}, {size}: {stroke}",
    }  # fmt: skip
    return found | ({"label": dict(label)} if label else {})
