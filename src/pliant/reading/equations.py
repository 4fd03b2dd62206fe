"""Equations people can read: every block in normal form, in the reader's own names.

    M u' = h + Φ_uᵀ λ (augmented)         M_i u' = h_i, a row for each independent speed (embedding)
    Φ(q, t) = 0,  Φ_u u + b = 0

The numbers are those of ``algebra``, put through the same mechanics as the compiled ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from pliant.display import Displayed
from pliant.errors import CapabilityError, InputError, UnknownName
from pliant.formulations.equations import Equations
from pliant.formulations.forms import rates_of
from pliant.reading.algebra import (
    Matrix,
    Space,
    Value,
    definitions_of,
    definitions_text,
    equation_lines,
    folded,
    text,
    to_sympy,
    written_definitions,
)
from pliant.reading.naming import TOTAL
from pliant.reading.parts import Part, Row
from pliant.reading.printing import LATEX, Typeset, Written
from pliant.reading.section import Section
from pliant.reading.sheet import COLUMN, PAGE, document, fragment, shown_in_notebook
from pliant.records import dataclass

_ATOM = re.compile(r"[\w.]+(\([^()]*\))?")
"""A name or a function of something without brackets."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """J = numerator / denominator, an entry of the transformation to independent speeds (21)."""

    symbol: Value
    numerator: Value
    denominator: Value

    @property
    def text(self) -> str:
        """Brackets only where they are needed."""
        top, bottom = text(self.numerator), text(self.denominator)
        top = f"({top})" if len(self.numerator) > 1 else top
        return f"{top}/{bottom if _ATOM.fullmatch(bottom) else f'({bottom})'}"


@dataclass(frozen=True, repr=False)
class ReadableEquations(Displayed):
    """The equations of one model. Columns and matrices are ``pliant.reading.algebra.Matrix``."""

    title: str
    equations: Equations
    collected: tuple[str, ...]
    """Parameters by which coefficients are collected: masses."""
    rows: tuple[str, ...]
    """Coordinates whose virtual displacements the equations of motion belong to."""
    order: int | None = None
    limit: int | None = None
    J: tuple[Value, ...] = ()
    """Entries of the transformation to independent speeds, one dependent speed after the other."""
    ratios: tuple[Ratio, ...] = ()
    dependent: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    sections: tuple[Section, ...] = ()
    """What is printed besides."""
    max_terms: int = TOTAL
    """Terms above which nothing is printed."""

    @property
    def space(self) -> Space:
        """Symbols and definitions."""
        space: Space = self.equations.ops.space  # type: ignore[attr-defined]
        return space

    @property
    def coordinates(self) -> Matrix:
        """q."""
        return self._matrix(self.equations.q)

    @property
    def speeds(self) -> Matrix:
        """u."""
        return self._matrix(self.equations.u)

    @property
    def accelerations(self) -> Matrix:
        """u'."""
        return self._matrix(self.equations.a)

    @property
    def multipliers(self) -> Matrix:
        """λ of the constraints that are not identically met; the mixed form has none."""
        e = self.equations
        held = 0 if e.written.form == "mixed" else e.cv.numel() - e.layout.loops
        return self._matrix(e.ops.stack([e.lam[k] for k in self._active if k < held]))

    @property
    def residual(self) -> Matrix:
        """M u' - h - Φ_uᵀ λ."""
        return self._matrix(self.equations.residual)

    @cached_property
    def mass_matrix(self) -> Matrix:
        """M."""
        e = self.equations
        return self._matrix(e.ops.jacobian(e.residual, e.a))

    @cached_property
    def forcing(self) -> Matrix:
        """h."""
        e = self.equations
        rest = e.ops.stack([e.a, e.lam])
        (h,) = e.ops.substitute([e.residual], rest, e.ops.zeros(rest.numel()))
        return -self._matrix(h)

    @cached_property
    def constraints(self) -> Matrix:
        """Φ(q, t), without rows that vanish identically."""
        e = self.equations
        rows = [e.g[k] for k in self._active if k < e.g.numel()]
        return self._matrix(e.ops.stack(rows))

    @cached_property
    def velocity_constraints(self) -> Matrix:
        """Φ_u u + b, of the same rows and of those on velocities alone."""
        e = self.equations
        return self._matrix(e.ops.stack([e.cv[k] for k in self._active]))

    @cached_property
    def jacobian(self) -> Matrix:
        """Φ_u, of the same rows and of those on velocities alone."""
        e = self.equations
        rows = [e.cv[k] for k in self._active]
        if not rows:
            return self._matrix(e.ops.zeros(0, e.u.numel()))
        return self._matrix(e.ops.jacobian(e.ops.stack(rows), e.u))

    @cached_property
    def _active(self) -> list[int]:
        """Constraint rows that say something."""
        e = self.equations
        return [k for k in range(e.cv.numel()) if e.cv[k] or (k < e.g.numel() and e.g[k])]

    @cached_property
    def size(self) -> int:
        """Terms of all that is printed: equations, constraints, ratios and definitions."""
        values = self._printed
        arguments = [a for d in definitions_of(values) for a in d.arguments]
        return sum(map(len, [*values, *arguments]))

    @property
    def _printed(self) -> list[Value]:
        ratios = [x for r in self.ratios for x in (r.numerator, r.denominator)]
        rates = [rate for _, rate in self.states]
        return [*self.equations.residual, *self.constraints, *self._on_speeds, *rates, *ratios,
                *(x for section in self.sections for x in section.values)]  # fmt: skip

    @cached_property
    def _on_speeds(self) -> list[Value]:
        """Constraint rows on velocities alone, and those of algebraic loops."""
        e = self.equations
        return [e.cv[k] for k in self._active if k >= e.g.numel()]

    @property
    def states(self) -> list[tuple[Value, Value]]:
        """States x of networks and drivers, and their rates."""
        return list(zip(self.equations.x, self.equations.f, strict=True))

    def _matrix(self, value: Any) -> Matrix:
        found: Matrix = self.equations.ops.full(value)
        return found

    # --- changing

    def subs(self, values: Mapping[str, Any]) -> ReadableEquations:
        """With symbols replaced by numbers or by other symbols, by name."""
        ops, space = self.equations.ops, self.space
        names = {s.text: s.name for s in space.symbols} | {s.name: s.name for s in space.symbols}
        unknown = [n for n in values if n not in names]
        if unknown:
            raise UnknownName(f"subs: no symbol is named {', '.join(unknown)}",
                              f"known: {', '.join(dict.fromkeys(names))}")  # fmt: skip
        old = ops.stack([space.symbol(names[n]) for n in values])
        new = ops.stack([space.symbol(names.get(v, v)) if isinstance(v, str) else v
                         for v in values.values()])  # fmt: skip
        return self._changed(lambda x: ops.substitute([x], old, new)[0])

    def truncate(self, order: int) -> ReadableEquations:
        """Virtual work and constraints to degree order + 1 in elastic coordinates: the rows of
        these to ``order``."""
        if isinstance(order, bool) or not isinstance(order, int) or order < 0:
            raise InputError(f"truncate: {order!r} is no order", "use 0, 1, 2, ...")
        e = self.equations
        own = {k for _, u, n in e.layout.elastic.values() for k in range(u, u + n)}
        rows = [r.truncate(order if k in own else order + 1) for k, r in enumerate(e.residual)]
        held = [e.ops.stack([r.truncate(order + 1) for r in x]) if x.numel() else x
                for x in (e.g, e.cv)]  # fmt: skip
        return replace(self, order=order, equations=replace(
            e, residual=e.ops.stack(rows), g=held[0], cv=held[1]
        ))  # fmt: skip

    def _changed(self, change: Callable[[Any], Any]) -> ReadableEquations:
        e = self.equations
        g, cv, f = (change(x) if x.numel() else x for x in (e.g, e.cv, e.f))
        ratios = tuple(Ratio(r.symbol, change(r.numerator), change(r.denominator))
                       for r in self.ratios)  # fmt: skip
        new = replace(e, residual=change(e.residual), g=g, cv=cv, f=f)
        sections = tuple(s.changed(change) for s in self.sections)
        return replace(self, equations=new, ratios=ratios, sections=sections)

    # --- writing

    def text(self, width: int = 100) -> str:
        """Plain text: equations of motion, constraints, definitions."""
        self._refuse_length()
        e, shown = self.equations, self._shown
        lines = [*self.heading, "", "Equations of motion"]
        if not self.rows:
            said = self.states or e.layout.loops
            lines.append("  none" if said else "  none: drivers give the motion")
        for name, row in zip(self.rows, e.residual, strict=True):
            lines.append(folded(f"  {name}:  0 = {text(shown(row))}", width, 6))
        held = e.cv.numel() - e.layout.loops
        for title, own in (
            ("Constraints", [k for k in self._active if k < held]),
            ("Algebraic loops", [k for k in self._active if k >= held]),
        ):
            lines += ["", title] if own else []
            for k in own:
                value = e.g[k] if k < e.g.numel() else e.cv[k]
                lines.append(folded(f"  {e.layout.rows[k].name}:  0 = {text(value)}", width, 6))
        if self.states:
            lines += ["", "States"]
        for state, rate in self.states:
            lines.append(folded(f"  {text(state)}' = {text(rate)}", width, 6))
        if self.ratios:
            lines += ["", "Dependent coordinates"]
        for r, of, by in self._derivatives():
            ratio = f"d{text(of)}/d{text(by)} = {r.text}"
            lines.append(folded(f"  {text(r.symbol)} = {ratio}", width, 6))
        lines += [line for section in self.sections for line in section.text(width)]
        where = self.definitions
        if where:
            lines += ["", "where", definitions_text(where, width)]
        return "\n".join(lines)

    def latex(self, width: float | None = None, *, standalone: bool = False) -> str:
        """LaTeX in lines of ``width`` em (34, of an article; 46 in a document of its own): what a
        document with the package amsmath includes, or ``standalone``."""
        chosen = width or (PAGE if standalone else COLUMN)
        included = fragment(self.heading, self.parts(LATEX), chosen)
        said = [line.removeprefix(f"{self.title}: ") for line in self.heading]
        return document(self.title, said, included) if standalone else included

    def headline(self) -> str:
        """How they are written."""
        return self.heading[0]

    def _repr_html_(self) -> None:
        """Nothing: they are LaTeX, unless they are too long to be read."""

    def _repr_latex_(self) -> str | None:
        if self.size > self.max_terms:
            return None
        return shown_in_notebook(self.heading, self.parts(LATEX))

    def parts(self, printer: Typeset) -> list[Part]:
        """Everything that is printed, in the language of a printer."""
        self._refuse_length()
        written = printer.written
        names = [s.name for s in self.equations.layout.x]
        states = [Row(text(x), name, printer.dotted(written(x)), written(rate))
                  for name, (x, rate) in zip(names, self.states, strict=True)]  # fmt: skip
        ratios = [
            Row(text(r.symbol), "", written(r.symbol),
                printer.equal(printer.partial(written(of), written(by)),
                              printer.fraction(written(r.numerator), written(r.denominator))))
            for r, of, by in self._derivatives()
        ]  # fmt: skip
        where = [Row(symbol.text, "", printer.symbol(symbol), written(form))
                 for symbol, form in self.definitions]  # fmt: skip
        found = [
            *self._motion_parts(printer), Part("States", states),
            Part("Dependent coordinates", ratios),
            *(section.part(printer) for section in self.sections), Part("where", where),
        ]  # fmt: skip
        return [part for part in found if part.rows]

    def _motion_parts(self, printer: Typeset) -> list[Part]:
        """Equations of motion, constraints, algebraic loops: 0 = ..."""
        e, zero = self.equations, printer.number("0")
        motion = [Row(name, name, zero, printer.written(self._shown(row)))
                  for name, row in zip(self.rows, e.residual, strict=True)]  # fmt: skip
        held, loops = list[Row](), list[Row]()
        for k in self._active:
            name = e.layout.rows[k].name
            value = e.g[k] if k < e.g.numel() else e.cv[k]
            own = held if k < e.cv.numel() - e.layout.loops else loops
            own.append(Row(name, name, zero, printer.written(value)))
        return [Part("Equations of motion", motion), Part("Constraints", held),
                Part("Algebraic loops", loops, continues=bool(held))]  # fmt: skip

    def sympy(self) -> dict[str, Any]:
        """SymPy matrices in the printed names: mass_matrix, forcing, constraints, jacobian, ...;
        ``ratio_symbols`` are ``ratio_numerators`` over ``ratio_denominators``."""
        names = ("mass_matrix", "forcing", "constraints", "jacobian", "coordinates", "speeds",
                 "accelerations", "multipliers", "residual", "velocity_constraints")  # fmt: skip
        e, full = self.equations, self._matrix
        parts = {name: getattr(self, name) for name in names}
        parts |= {"states": full(e.x), "state_rates": full(e.f)}
        for key in ("symbol", "numerator", "denominator"):
            parts[f"ratio_{key}s"] = full(e.ops.stack([getattr(r, key) for r in self.ratios]))
        found = {name: to_sympy(part, expand=True) for name, part in parts.items()}
        shown = {s.name: s.text for s in self.space.symbols}
        used = {x for matrix in found.values() for x in matrix.free_symbols}
        new = {x: x.func(shown.get(x.name, x.name)) for x in used}
        return {name: matrix.xreplace(new) for name, matrix in found.items()}

    def as_dict(self) -> dict[str, Any]:
        """Everything as text, for ``--json``."""
        self._refuse_length()
        return {
            "model": self.title, "formulation": self.equations.written.formulation,
            "tree": self.equations.written.tree, "form": self.equations.written.form,
            "coordinates": [text(x) for x in self.coordinates],
            "speeds": [text(x) for x in self.speeds],
            "multipliers": [text(x) for x in self.multipliers],
            "equations": {name: text(self._shown(row))
                          for name, row in zip(self.rows, self.residual, strict=True)},
            "constraints": [text(x) for x in self.constraints],
            "velocity_constraints": [text(x) for x in self._on_speeds],
            "states": {text(x): text(rate) for x, rate in self.states},
            "ratios": {text(r.symbol): [text(r.numerator), text(r.denominator)]
                       for r in self.ratios},
            "sections": {s.title: [line.text for line in s.lines] for s in self.sections},
            "definitions": {s.text: text(form) for s, form in self.definitions},
        }  # fmt: skip

    def _refuse_length(self) -> None:
        if self.size > self.max_terms:
            raise CapabilityError(
                f"{self.title}: {self.size} terms, with those of intermediate results, are too "
                f"many to be read (limit: {self.max_terms}); for more give max_terms or "
                "--max-terms, or export C, Fortran or Python"
            )

    @property
    def heading(self) -> list[str]:
        """Formulation, tree, form, coordinates, and what was done to keep them short."""
        e, w = self.equations, self.equations.written
        words = [w.formulation, *([f"{w.tree} tree"] if w.tree else []), f"{w.form} form"]
        lines = [f"{self.title}: {', '.join(words)}",
                 f"Coordinates: {', '.join(text(x) for x in e.q) or 'none'}"]  # fmt: skip
        if self.order is not None and e.layout.elastic:
            lines.append(f"Elastic coordinates to order {self.order} (virtual work to degree "
                         f"{self.order + 1})")  # fmt: skip
        if self.limit is not None:
            lines.append(f"Intermediate results of more than {self.limit} terms have names")
        return [*lines, *self.remarks]

    def _shown(self, row: Value) -> Any:
        e = self.equations
        masses = [p for p in self.collected if p in row.space]
        collected = [*self.J, *self.multipliers, *masses]
        return equation_lines(row, list(e.a), list(e.u), collected)

    def _derivatives(self) -> list[tuple[Ratio, Value, Value]]:
        """Ratios with the coordinates whose derivatives they are; a speed where it is no rate."""
        e = self.equations
        shown = list(e.u)
        for name, k in rates_of(e.layout).items():
            shown[k] = e.q[[s.name for s in e.layout.q].index(name)]
        independent = [k for k in range(len(shown)) if k not in self.dependent]
        pairs = [(shown[d], shown[i]) for d in self.dependent for i in independent]
        return [(r, *pair) for r, pair in zip(self.ratios, pairs, strict=False)]

    @cached_property
    def definitions(self) -> Written:
        """Symbols that stand for an expression, and the expression."""
        e = self.equations
        return written_definitions(self._printed, list(e.a), list(e.u))

    def __str__(self) -> str:
        return self.text()
