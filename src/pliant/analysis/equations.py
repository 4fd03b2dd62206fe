"""Readable equations of a system: the same derivation, with numbers in normal form.

Kane's equations are read with tables: generalised speeds, kinematics, partial velocities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pliant.backends.choice import FORMS, Choice
from pliant.backends.expressions.code import accepted, driven
from pliant.backends.expressions.partition import partition
from pliant.errors import CapabilityError, InputError
from pliant.formulations.derivation.state_map import cut_joints_with_coordinates
from pliant.formulations.equations import Equations, PartialVelocities
from pliant.formulations.forms import only_velocities, prescribe, reduce
from pliant.formulations.loops import loops_apart
from pliant.formulations.multibond.extract import NAME as MULTIBOND
from pliant.formulations.multibond.extract import Form
from pliant.formulations.multibond.formulation import written
from pliant.graphs import SystemGraph
from pliant.mechanics.values import Values
from pliant.observe.catalogue import SymbolicObservable
from pliant.reading.algebra import (
    Space,
    TooLarge,
    Value,
    latex,
    name_parameters,
    readable_ops,
    text,
)
from pliant.reading.algebra.functions import cancelled
from pliant.reading.angle_runs import angle_runs
from pliant.reading.equations import Ratio, ReadableEquations
from pliant.reading.naming import LIMITS, TOTAL
from pliant.reading.section import Line, Section
from pliant.study import Study

_LONGEST = 400
"""Terms of all tables above which none is written."""
_WORK, _MOST = 2_000_000, 20_000
"""Products of terms that the plain form may take, and terms of any one value."""
_PLAIN = 200
"""Terms above which sums of parameters get names."""
_FLEXIBLE = 1
"""Order of elastic coordinates unless another is asked for."""
_POSE_ROWS = ("x", "y", "z", "rx", "ry", "rz")
_CRAMER, _WRITTEN = 2, 300
"""Dependent speeds for which their ratios are written out, and terms that these may have."""
_LETTERS = ("J", "K", "A", "B", "X", "transformation")
"""Names of the transformation to independent speeds: the first that no symbol has."""


def _sections(e: Equations) -> tuple[Section, ...]:
    """Kinematic equations where speeds are not rates, of Kane's equations and of angle sets; and
    the tables of partial velocities, unless they are too long to be read. Of networks alone: the
    efforts of what moves dependent stores as given."""
    efforts = [_effort_line(name, o) for name, o in e.told.observables.items()]
    if efforts and sum(len(x) for line in efforts for x in line.values) <= _LONGEST:
        return (Section("Efforts of given flows", tuple(efforts)),)
    if not e.told.partials and all(r.kind == "quaternion" for r in e.layout.rotations):
        return ()
    rates = tuple(Line(f"{text(q)}'", rf"\dot{{{latex(q)}}}", rate, own.name)
                  for own, q, rate in zip(e.layout.q, e.q, e.qdot, strict=True)
                  if text(rate) != f"{text(q)}'")  # fmt: skip
    found = [Section("Kinematic equations", rates)] if rates else []
    try:
        tables = [
            min((Section(f"Partial velocities of {body}, axes of {axes}",
                         tuple(_lines(body, own, R))) for axes, R in own.axes.items()),
                key=lambda table: sum(map(len, table.values)))
            for body, own in e.told.partials.items()
        ]  # fmt: skip
    except TooLarge:
        return tuple(found)
    size = sum(len(x) for table in tables for x in table.values)
    return (*found, *(t for t in tables if t.lines)) if size <= _LONGEST else tuple(found)


def _effort_line(name: str, o: SymbolicObservable) -> Line:
    right = o.expression[0] if o.expression.numel() == 1 else o.expression
    escaped = name.replace("_", r"\_")
    return Line(name, rf"\mathrm{{{escaped}}}", right, o.owner)


def _lines(body: str, own: PartialVelocities, R: Any) -> Iterator[Line]:
    for letter, columns in (("w", own.w), ("v", own.v)):
        symbol = r"\omega" if letter == "w" else "v"
        for k, speed in enumerate(own.speeds):
            column = R @ columns[:, k]
            if any(x for x in column):
                yield Line(
                    f"d{letter}_{body}/d{text(speed)}",
                    rf"\frac{{\partial {symbol}_{{\mathrm{{{body}}}}}}}{{\partial {latex(speed)}}}",
                    column,
                    body,
                )


def readable(
    system: Study, choice: Choice, names: Mapping[str, str] | None = None,
    max_terms: int | None = None, form: str | None = None,
) -> ReadableEquations:  # fmt: skip
    """Equations in the user's names; ``names`` gives coordinates other ones; ``form``: as it was
    asked for. More and more intermediate results get names, until the equations of motion can be
    read."""
    max_terms = TOTAL if max_terms is None else max_terms
    if max_terms < 1:
        raise InputError(f"max_terms: {max_terms} is no number of terms", "use 1 or more")
    graph = accepted(system, choice, written=True)
    notation = Notation(graph, names or {}, choice.truncate)
    embeds = choice.form == "embedding" and bool(graph.bodies)
    own, size = _graph_form(graph, choice, form), 0
    for limit in LIMITS:
        try:
            ops = readable_ops(notation.space(limit))
            e = (choice.method.derive(graph, ops, observe=False) if own is None
                 else written(graph, ops, own))  # fmt: skip
            e = prescribe(e, [driven(graph, d) for d in graph.drivers])
            made = _named(notation, e if embeds else loops_apart(e), limit)
            size = sum(map(len, (*made.equations.residual, *made.equations.f)))
            if size <= (max_terms if limit == LIMITS[-1] else TOTAL):
                made = replace(_formed(system, choice, made), max_terms=max_terms)
                return replace(made, sections=_sections(made.equations))
        except TooLarge:
            size = 0
    what = f"{size} terms" if size else f"values of more than {_MOST} terms"
    raise CapabilityError(
        f"{system.model.name or 'model'}: equations of {what} cannot be read, even with names for "
        f"intermediate results (limit: {max_terms} terms, to be set by max_terms or --max-terms); "
        "export C, Fortran or Python instead"
    )


def _graph_form(graph: SystemGraph, choice: Choice, form: str | None) -> Form | None:
    """The form of the bond graph; networks alone have no other equations than those."""
    if not graph.bodies and form in (None, "embedding"):
        return "explicit"
    if form in ("mixed", "explicit", "augmented"):
        if choice.formulation == MULTIBOND or not graph.bodies:
            return cast(Form, form)
        if form != "augmented":
            raise InputError(f"form '{form}': {choice.formulation} does not have it",
                             f"use {MULTIBOND}, or one of {', '.join(FORMS)}")  # fmt: skip
    return None


class Notation:
    """How the symbols of a model are written."""

    def __init__(self, graph: SystemGraph, names: Mapping[str, str], order: int | None) -> None:
        self.graph, self.model = graph, graph.model
        self.names = dict(names)
        values = Values.of(self.model)
        self.elastic = [
            f"{body}.{name}" for body in values.flexible for name in values.tables(body).data.names
        ]
        self.order = (_FLEXIBLE if order is None else order) if self.elastic else None
        self.runs = angle_runs(graph)
        self.masses = tuple(dict.fromkeys(
            name for body in self.model.rigid.values() for name in body.mass.names
        ))  # fmt: skip
        known = {*(c for c, _ in self._coordinates()), *self.elastic}
        unknown = [n for n in self.names if n not in known]
        if unknown:
            raise InputError(f"names: no coordinate is named {', '.join(unknown)}",
                             f"known: {', '.join(sorted(known))}")  # fmt: skip
        shown = [*self.model.parameters, *(self.names.get(c, s) for c, s in self._coordinates())]
        twice = [n for n in self.names.values() if shown.count(n) > 1]
        if twice:
            raise InputError(f"names: '{twice[0]}' would mean two things", "choose another name")

    def space(self, limit: int | None) -> Space:
        """A new space with the coordinates declared under their short names."""
        order = None if self.order is None else self.order + 2
        space = Space(
            self.runs, self.elastic, order=order, naming_limit=limit, max_terms=_MOST,
            max_work=_WORK if limit is None else None,
        )  # fmt: skip
        for parameter in self.model.parameters:
            space.symbol(parameter)
        for name, short in self._coordinates():
            space.coordinate(name, self.names.get(name, short))
        for name in self.elastic:
            space.coordinate(name, self.names.get(name, name))
        for edge in self.graph.edges:
            if edge.joint.name not in self.model.joints:  # where a body is: its own coordinates
                for name in edge.joint.coordinate_names:
                    space.symbol(f"{edge.joint.name}.{name}", f"{edge.outer}.{name}")
            for kind, start in edge.joint.rotations:
                if kind == "quaternion":
                    names = edge.joint.coordinate_names[start:]
                    space.sphere([f"{edge.joint.name}.{n}" for n in names])
        for joint in self.graph.cuts:
            for row in (*joint.row_names, *_POSE_ROWS):
                space.symbol(
                    f"lam.{joint.name}.{row}", f"lambda_{joint.name}_{row}",
                    rf"\lambda_{{\mathrm{{{joint.name}}},{row}}}",
                )  # fmt: skip
        for name in self.model.speeds:
            space.symbol(name, rank=2)
            space.symbol(f"{name}'", name, level=1, rank=3)
        for name, element in self.model.constraints.items():
            for row in element.row_names:
                space.symbol(f"lam.{name}.{row}", f"lambda_{name}_{row}",
                             rf"\lambda_{{\mathrm{{{name}}},\mathrm{{{row}}}}}")  # fmt: skip
        for name in self.model.joint_drivers:  # its multiplier is its torque or force
            coordinate = driven(self.graph, name)[1].rpartition(".")[2]
            space.symbol(f"lam.{name}.{coordinate}", name)
        return space

    def _coordinates(self) -> list[tuple[str, str]]:
        """Coordinates with their short names: that of the joint where it has one coordinate."""
        found = []
        for joint in (
            *(e.joint for e in self.graph.edges),
            *cut_joints_with_coordinates(self.graph),
        ):
            names = (*(c.name for c in joint.scalars), *joint.angle_names)
            for name in names:
                full = f"{joint.name}.{name}"
                found.append((full, joint.name if len(names) == 1 else full))
        return found


def _named(notation: Notation, e: Equations, limit: int | None) -> ReadableEquations:
    """To the order that is read, with names for sums of parameters if there are many terms."""
    speeds = list(zip(e.layout.u, e.u, strict=True))  # rows belong to them
    if e.residual.numel() < len(speeds):  # unknowns of loops have none
        speeds = speeds[: len(speeds) - e.layout.loops]
    if e.residual.numel() < len(speeds):  # then to those that no constraint determines
        held = {row.name for row in e.layout.rows}
        speeds = [pair for pair in speeds if pair[0].name not in held]
    names = tuple(text(speed).rstrip("'") for _, speed in speeds)
    name = notation.model.name or "model"
    made = ReadableEquations(name, e, notation.masses, names, limit=limit)
    if notation.order is not None:
        made = made.truncate(notation.order)
    if sum(map(len, made.residual)) <= _PLAIN:
        return made
    known = [n for n in notation.model.parameters if n in made.space]
    rows = name_parameters(list(made.residual), known)
    return replace(made, equations=replace(made.equations, residual=e.ops.stack(rows)))


def _formed(system: Study, choice: Choice, made: ReadableEquations) -> ReadableEquations:
    """In the form that was chosen."""
    if choice.form != "embedding" or made.equations.written.form != "augmented":
        return made
    split = partition(system, choice)
    if choice.method.reduces and only_velocities(made.equations, split):
        kept = tuple(made.rows[i] for i in split.independent(made.equations.u.numel()))
        return replace(made, equations=reduce(made.equations, split), rows=kept)
    e, ops = made.equations, made.equations.ops
    space: Space = ops.space  # type: ignore[attr-defined]
    rows, dependent = list(split.rows), list(split.dependent)
    independent = split.independent(e.u.numel())
    G = ops.jacobian(ops.stack([e.cv[k] for k in rows]), e.u) if rows else None
    ratios: list[Ratio] = []
    J: dict[tuple[int, int], Value] = {}
    letter = next(
        x for x in _LETTERS if not any(re.match(rf"{x}\d", s.text) for s in space.symbols)
    )
    for a, d in enumerate(dependent):
        for b, i in enumerate(independent):
            name = f"{letter}{a + 1}" if len(independent) == 1 else f"{letter}{a + 1}_{b + 1}"
            J[d, i] = space.symbol(name)
    if G is not None and len(dependent) <= _CRAMER:
        ratios = _ratios(G, J, dependent, independent)
    bare = ops.substitute([e.residual], e.lam, ops.zeros(e.lam.numel()))[0] if rows else e.residual
    new = [
        bare[i] + sum((J[d, i] * bare[d] for d in dependent), space.constant(0))
        for i in independent
    ]
    names = [s.name for s in e.layout.u]
    solved = (f"{letter} = -G_d^-1 G_i, evaluated numerically: dependent speeds "
              f"{', '.join(names[k] for k in dependent)}; independent "
              f"{', '.join(names[k] for k in independent)}")  # fmt: skip
    remark = () if ratios or not rows else (solved,)
    return replace(
        made, equations=replace(e.in_form("embedding"), residual=ops.stack(new)),
        J=tuple(J.values()), ratios=tuple(ratios),
        rows=tuple(made.rows[i] for i in independent), dependent=tuple(dependent),
        kept=tuple(rows), remarks=remark,
    )  # fmt: skip


def _ratios(
    G: Any, J: Mapping[tuple[int, int], Value], dependent: Sequence[int],
    independent: Sequence[int],
) -> list[Ratio]:  # fmt: skip
    """Entries of J as fractions; none if they would be too long to read."""
    try:
        found = [Ratio(J[d, i], *_cramer(G, dependent, a, i))
                 for a, d in enumerate(dependent) for i in independent]  # fmt: skip
    except TooLarge:
        return []
    size = sum(len(r.numerator) + len(r.denominator) for r in found)
    return found if size <= _WRITTEN else []


def _cramer(G: Any, dependent: Sequence[int], a: int, i: int) -> tuple[Value, Value]:
    """J = -G_d⁻¹ G_i: numerator and denominator of one entry, up to two dependent speeds."""
    if len(dependent) == 1:
        return cancelled(-G[0, i], G[0, dependent[0]])
    columns = [i if k == a else d for k, d in enumerate(dependent)]
    return cancelled(-_determinant(G, columns), _determinant(G, dependent))


def _determinant(G: Any, columns: Sequence[int]) -> Value:
    first, second = columns
    found: Value = G[0, first] * G[1, second] - G[0, second] * G[1, first]
    return found
