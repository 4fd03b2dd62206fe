"""Internal forces of beams at states of a motion, at any section.

The function ``loads`` of the equations gives what they follow from; the balance of the part beyond
a section (``section_forces``) is evaluated for those sections that are asked for, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.code.functions import SymbolicFunction
from pliant.errors import UnknownName
from pliant.mechanics.values import Values
from pliant.observe.catalogue import Quantity
from pliant.observe.internal import (
    STRESS,
    Reading,
    Section,
    divided,
    is_of_section,
    quantities,
    reading,
    sections,
)
from pliant.observe.selection import cure_of, meant
from pliant.records import dataclass
from pliant.results.diagram import Diagram
from pliant.solve.single_states import evaluate_function
from pliant.solve.start.redundancy import free_multipliers

if TYPE_CHECKING:
    from pliant.flex.internal import AnyCut, Cut, Parts
    from pliant.study import Study

Rows = Sequence[tuple[Array, Array]]
"""Packed states with accelerations and multipliers, in parts with their parameters."""
_PARTS = {"internal_force": slice(0, 3), "internal_moment": slice(3, 6), STRESS: slice(6, None)}
_STATIONS = 50
_STATES = 8
"""So many states tell whether multipliers determine an internal force."""
_UNIQUE = 1e-7
"""Change with undetermined multipliers, compared with that of all loads, which is rounding."""


def known_sections(system: Study) -> dict[str, Quantity]:
    """Internal forces at frames of beams by name."""
    if not divided(system.model):
        return {}
    values = system.values()
    return {
        read.name: q for section in sections(system.model)
        for read, q in quantities(section, values.parts(section.beam).points)
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What names and patterns ask of the equations (None: everything), and of internal forces."""

    observe: Sequence[str] | None
    internal: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, system: Study, wanted: Sequence[str] | None,
        observed: Callable[[], Mapping[str, Quantity]],
    ) -> Asked:  # fmt: skip
        """``observed``: by equations."""
        known = known_sections(system) if wanted else {}
        meaning = {item: meant(known, item) for item in wanted or () if known}
        meaning = {item: names for item, names in meaning.items() if names}
        amiss = [w for w in wanted or () if known and w not in meaning and is_of_section(w)]
        if not meaning and not amiss:
            return cls(wanted)
        told = observed()
        for item in amiss:
            if not meant(told, item):
                cure = cure_of(item, (*told, *known))
                raise UnknownName(f"observe: nothing is named '{item}'", cure)
        left = [w for w in wanted or () if w not in meaning or meant(told, w)]
        return cls(left, tuple(dict.fromkeys(n for names in meaning.values() for n in names)))


class InternalForces:
    """Of all beams of a model, over rows of states that are made when they are needed."""

    def __init__(
        self, system: Study, states: Callable[[], tuple[CompiledEquations, Rows]]
    ) -> None:  # fmt: skip
        self._system, self._states = system, states
        self._functions: dict[str, SymbolicFunction] = {}
        self._told: dict[Section, Array] = {}
        self._unique: dict[tuple[str, AnyCut], Array] = {}

    @cached_property
    def known(self) -> Mapping[str, Quantity]:
        """What there is at frames."""
        return known_sections(self._system)

    @cached_property
    def _loads(self) -> list[Array]:
        compiled, rows = self._states()
        return [evaluate_function(compiled, "loads", X, p) for X, p in rows]

    def values(self, name: str) -> Array:
        """Numbers of one of them, a row for each state."""
        read = self._read(name)
        section = read.section
        if section not in self._told:
            self._told[section] = np.concatenate([
                self._of_beam(section.beam, values, loads, [values.cut_at(section)])[:, 0]
                for values, loads in zip(self._values, self._loads, strict=True)
            ])  # fmt: skip
        return self._told[section][:, _PARTS[read.what]]

    def unique(self, name: str) -> tuple[bool, ...]:
        """Which components are determined by the constraints, at some states along the motion."""
        read = self._read(name)
        return tuple(self._determined(read.section.beam, self._values[0].cut_at(read.section))
                     [_PARTS[read.what]].tolist())  # fmt: skip

    def diagram(self, beam: str, rows: Sequence[int], stations: Sequence[float] | None) -> Diagram:
        """Along a beam at some states, in their order; where loads act both sides are told."""
        cuts, wanted, start, told = self._cuts(beam, stations), np.asarray(rows), 0, []
        for values, loads in zip(self._values, self._loads, strict=True):
            own = wanted[(start <= wanted) & (wanted < start + len(loads))] - start
            told.append(self._of_beam(beam, values, loads[own], cuts))
            start += len(loads)
        table = np.concatenate(told)
        some = cuts[:: max(1, len(cuts) // 4)]
        determined = np.min([self._determined(beam, cut) for cut in some], axis=0)
        return Diagram(
            beam, np.zeros(len(rows)), np.array([cut.x for cut in cuts]), table[:, :, :3],
            table[:, :, 3:6], table[:, :, 6:], tuple(determined[:6].tolist()),
        )  # fmt: skip

    def left_over(self) -> dict[str, float]:
        """What acts on each whole beam beyond its inertia, which is nothing, over the largest force
        or moment that acts at one place, is passed on at its root, weighs or moves it."""
        found = {}
        for beam, body in divided(self._system.model).items():
            forces, moments, rest = 0.0, 0.0, np.zeros(6)
            for values, loads in zip(self._values, self._loads, strict=True):
                cuts = values.parts(beam).wholes
                told = np.abs(self._of_beam(beam, values, loads, cuts)[:, :, :6]).max(axis=0)
                places = 1 + len(body.frames)
                acting = loads[:, self._column(beam)][:, -6 * places :].reshape(-1, 6)
                sizes = np.abs(np.vstack([acting, told[1:]])).max(axis=0)
                forces = max(forces, float(sizes[:3].max()), self._moving(beam, values, loads))
                moments = max(moments, float(sizes[3:].max()))
                rest = np.maximum(rest, told[0])
            moments = max(moments, forces * self._values[0].parts(beam).length)
            share = rest / np.repeat([forces, moments], 3) if forces else rest
            found[beam] = float(share.max())
        return found

    def _moving(self, beam: str, values: Values, loads: Array) -> float:
        """Mass times the largest of gravity and of the accelerations at its ends: in free fall they
        cancel, and what is left is their rounding."""
        data, length = values.parts(beam).whole, values.parts(beam).length
        w, alpha, acc = (np.linalg.norm(loads[:, self._column(beam)][:, k : k + 3], axis=1)
                         for k in (0, 3, 6))  # fmt: skip
        gravity = np.linalg.norm(values.vector(self._system.structure.model.gravity))
        return float(data.m * (gravity + (acc + length * (alpha + w**2)).max(initial=0.0)))

    def _read(self, name: str) -> Reading:
        found = reading(self._system.model, name)
        assert found is not None
        return found

    @cached_property
    def _values(self) -> list[Values]:
        """Numbers of the model in each part of the rows."""
        compiled, rows = self._states()
        model, places = self._system.structure.model, compiled.parameters
        found: list[Values] = []
        for k, (_, p) in enumerate(rows):
            same = k > 0 and np.array_equal(p, rows[k - 1][1])
            own = (
                found[-1] if same else Values.at(model, {n: float(p[i]) for n, i in places.items()})
            )
            found.append(own)
        return found

    def _cuts(self, beam: str, stations: Sequence[float] | None) -> list[Cut]:
        from pliant.flex.internal import BeamParts, Cut

        parts = self._values[0].parts(beam)
        assert isinstance(parts, BeamParts)
        if stations is not None:
            return [Cut(float(x)) for x in stations]
        plain = np.linspace(0.0, parts.length, _STATIONS + 1)
        inside = [x for x in parts.places if 0 < x <= parts.length]
        cuts = {(float(x), True) for x in plain} | {
            (x, side) for x in inside for side in (True, False)
        }
        return [Cut(x, side) for x, side in sorted(cuts, key=lambda c: (c[0], not c[1]))]

    def _column(self, beam: str) -> slice:
        """Where the numbers of a beam stand among those of all."""
        from pliant.formulations.derivation.internal import BeamLoads

        compiled, start = self._states()[0], 0
        for name, other in divided(self._system.model).items():
            size = BeamLoads.size(compiled.layout.elastic[name][2], 1 + len(other.frames))
            if name == beam:
                break
            start += size
        return slice(start, start + size)

    def _of_beam(self, beam: str, values: Values, loads: Array, cuts: Sequence[AnyCut]) -> Array:
        """Force, moment and stress in axes of the section, (states, cuts, 6 + points)."""
        parts, own = values.parts(beam), np.ascontiguousarray(loads[:, self._column(beam)])
        if beam not in self._functions:
            self._functions[beam] = function_of_parts(parts, own.shape[1])
        function = self._functions[beam]
        return np.stack([function.rows(own, parts.packed(cut)) for cut in cuts], axis=1)

    def _determined(self, beam: str, cut: AnyCut) -> Array:
        """Whether multipliers that may be chosen freely leave a section as it is."""
        if (beam, cut) not in self._unique:
            self._unique[beam, cut] = self._looked_at(beam, cut)
        return self._unique[beam, cut]

    def _looked_at(self, beam: str, cut: AnyCut) -> Array:
        found = np.ones(6 + self._values[0].parts(beam).points, dtype=bool)
        for values, loads in self._left_open:
            told = self._of_beam(beam, values, loads, [cut])[:, 0]
            size = max(1.0, float(np.abs(loads[1:] - loads[0]).max()))
            found &= np.abs(told[1:] - told[0]).max(axis=0) < _UNIQUE * size
        return found

    @cached_property
    def _left_open(self) -> list[tuple[Values, Array]]:
        """Loads at some states, and as they are with each free direction of the multipliers."""
        compiled, rows = self._states()
        found, first = [], compiled.x_size - compiled.m
        for (X, p), values in zip(rows, self._values, strict=True):
            for x in X[:: max(1, len(X) // _STATES)] if compiled.m else ():
                z = free_multipliers(compiled, x, p)
                if z.shape[1]:
                    moved = np.tile(x, (1 + z.shape[1], 1))
                    moved[1:, first:] += z.T
                    found.append((values, evaluate_function(compiled, "loads", moved, p)))
        return found


def function_of_parts(parts: Parts, size: int) -> SymbolicFunction:
    """(numbers of ``BeamLoads``, numbers of a part) -> force, moment, stress."""
    import casadi as ca

    from pliant.formulations.derivation.internal import BeamLoads, told_of_part
    from pliant.mechanics.motion import ElasticState
    from pliant.spatial.symbolic import SYMBOLIC

    packing, names = parts.packing, parts.whole.names
    p = SYMBOLIC.symbols([f"p{k}" for k in range(packing.size)])
    column = SYMBOLIC.symbols([f"x{k}" for k in range(size)])
    own = BeamLoads.of(column, len(names), len(parts.places))
    tables = packing.unpack([p[k] for k in range(packing.size)])
    part = ElasticState(names, own.q, own.u, own.a, tables, packing.pairs)
    told = [x for x in told_of_part(SYMBOLIC, part, own) if x is not None]
    return SymbolicFunction(ca.Function("section", [column, p], [ca.densify(ca.vertcat(*told))]))
