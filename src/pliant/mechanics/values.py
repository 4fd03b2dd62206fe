"""Numbers of a model for one set of parameters: formulas, places of frames, tables of bodies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.placement import Velocities, flexible_places, placements
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Number
from pliant.model.model import Model
from pliant.model.validation.context import Watched
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose

if TYPE_CHECKING:
    from pliant.flex.data import FlexibleData, FrameData
    from pliant.flex.internal import AnyCut, Parts
    from pliant.flex.packing import Entries, Packing
    from pliant.model.frames import Frame
    from pliant.observe.internal import Section


@dataclass(frozen=True)
class FlexibleNumbers:
    """A flexible body for one set of parameters, with the frames that sit directly on it."""

    data: FlexibleData
    frames: Mapping[str, FrameData]
    _packed: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)
    """A packing and the numbers in its order, those asked for last."""

    @cached_property
    def packing(self) -> Packing:
        from pliant.flex.packing import packing_of

        return packing_of(self.data, self.frames)

    def packed(self, packing: Packing) -> Array:
        """The numbers in the order of a packing."""
        from pliant.flex.packing import pack

        if not self._packed or self._packed[0] != packing:
            self._packed[:] = packing, pack(packing, self.data, self.frames)
        numbers: Array = self._packed[1]
        return numbers

    @cached_property
    def tables(self) -> Mapping[str, Entries]:
        """The numbers as tables by name."""
        packing = self._packed[0] if self._packed else self.packing
        return packing.unpack(self.packed(packing))


T = TypeVar("T")
_KEPT = 8
_latest: dict[tuple[int, tuple[tuple[str, float], ...]], Values] = {}
"""The values made last; the model they hold keeps its id its own."""
_written: dict[int, Values] = {}
"""Values of models as they were written."""
_remembered: dict[int, tuple[Model, dict[tuple[Hashable, ...], tuple[Any, ...]]]] = {}
"""What was made of models, with the parameters it read and their numbers."""


class Values:
    """What formulas, frames and flexible bodies are in numbers, for these values of all parameters.

    Nothing is worked out twice: ``of`` and ``at`` give the values made last again.
    """

    ops = NUMERIC

    def __init__(self, model: Model, parameters: Mapping[str, float]) -> None:
        self.model, self.parameters = model, parameters
        self._places: dict[str, dict[str, Pose]] = {}
        self._packings: dict[str, Packing] = {}

    @classmethod
    def of(cls, model: Model, params: Mapping[str, Any] | None = None) -> Values:
        """For parameters as a user gives them: some of them, with units, others follow."""
        if params:
            return cls.at(model, model.parameter_values(params))
        if id(model) not in _written:
            while len(_written) >= _KEPT:
                del _written[next(iter(_written))]
            _written[id(model)] = cls(model, model.parameter_values())
        return _written[id(model)]

    @classmethod
    def at(cls, model: Model, parameters: Mapping[str, float]) -> Values:
        """For the numbers of all parameters."""
        key = id(model), tuple(parameters.items())
        if key not in _latest:
            if len(_latest) >= _KEPT:
                _latest.pop(next(iter(_latest)))
            _latest[key] = cls(model, parameters)
        return _latest[key]

    def remembered(self, what: tuple[Hashable, ...], make: Callable[[Values], T]) -> T:
        """make(self), or what it was for other values of this model that are equal where it read
        them."""
        if id(self.model) not in _remembered:
            while len(_remembered) >= _KEPT:
                del _remembered[next(iter(_remembered))]
            _remembered[id(self.model)] = self.model, {}
        kept = _remembered[id(self.model)][1]
        read, numbers, found = kept.get(what, ((), (), None))
        if what not in kept or tuple(self.parameters[n] for n in read) != numbers:
            watched = Watched(self.parameters)
            found = make(type(self)(self.model, watched))
            read = tuple(sorted(watched.read))
            kept[what] = read, tuple(self.parameters[n] for n in read), found
        return cast("T", found)

    def read_for(self, *made: tuple[Hashable, ...]) -> set[str]:
        """Parameters that were read for what is ``remembered``."""
        kept = _remembered[id(self.model)][1]
        return {name for what in made for name in kept[what][0]}

    @cached_property
    def default(self) -> Values:
        """Of the same model with the parameters it was written with."""
        return Values.of(self.model)

    def number(self, f: Formula) -> float:
        """Value of a formula of parameters; nan where it is undefined."""
        return f.tree.value if isinstance(f.tree, Number) else f.number(self.parameters)

    def vector(self, formulas: Iterable[Formula]) -> Array:
        """Values of several."""
        return np.array([self.number(f) for f in formulas])

    def places(self, body: str) -> dict[str, Pose]:
        """X_BP of the frames of a body, or of the ground; "" is the body frame itself. Those of a
        flexible body are where they are described (``deformed`` says where they go)."""
        if body not in self._places:
            frames = (self.model.ground if body == "ground" else self.model.bodies[body]).frames
            self._places[body] = placements(NUMERIC, frames, self.number)
        return self._places[body]

    @cached_property
    def flexible(self) -> tuple[str, ...]:
        """Bodies that are described by tables."""
        return tuple(self.model.elastic)

    def tables(self, body: str) -> FlexibleNumbers:
        """Tables of a flexible body."""
        return self.remembered(("tables", body), lambda v: v._made(body))

    def _made(self, name: str) -> FlexibleNumbers:
        from pliant.flex.from_model import flexible_data, frame_data

        body: Any = self.model.bodies[name]
        data = flexible_data(body, self.number, self.model.materials)
        own = (frame for frame in body.frames.values() if not frame.on)
        return FlexibleNumbers(data, {f.name: frame_data(body, data, f, self.number) for f in own})

    def packed(self, body: str) -> Array:
        """The numbers of the tables of a body, in the order that compiled code reads: that of the
        model as it was written; or of its part beyond a section that formulas read."""
        packing = self.packing(body)
        if body in self.sections:
            return self.remembered(("packed", body), lambda v: v._part(body).packed(
                v.cut(body), packing))  # fmt: skip
        return self.remembered(("packed", body), lambda v: v.tables(body).packed(packing))

    def packing(self, body: str) -> Packing:
        """Order and zeros of the tables of a body, or of parts of it, as the model was written."""
        known, default = self.default._packings, self.default
        if body not in known:
            cut = body in self.sections
            known[body] = default._part(body).packing if cut else default.tables(body).packing
        return known[body]

    @cached_property
    def sections(self) -> Mapping[str, Section]:
        """Sections of beams whose internal forces formulas read, by name."""
        from pliant.observe.internal import sections_read

        return {str(section): section for section in sections_read(self.model)}

    def parts(self, beam: str) -> Parts:
        """Parts of a beam or of given modes, with the places of the body frame and the frames."""
        return self.remembered(("parts", beam), lambda v: v._parts(beam))

    def _parts(self, beam: str) -> Parts:
        from pliant.flex.internal import BeamParts, NodeParts

        body, data = self.model.elastic[beam], self.tables(beam).data
        if body.by_nodes:
            return NodeParts(data, (None, *(_node(body.frames, f) for f in body.frames)))
        return BeamParts(data, (0.0, *(self._along(body.frames, f) for f in body.frames)))

    def _along(self, frames: Mapping[str, Frame], name: str) -> float:
        """x of the section that a frame moves with."""
        on = frames[name].on
        return self._along(frames, on) if on else self.number(frames[name].position[0])

    def _part(self, section: str) -> Parts:
        return self.parts(self.sections[section].beam)

    def cut(self, section: str) -> AnyCut:
        """Where a section that formulas read is."""
        return self.cut_at(self.sections[section])

    def cut_at(self, section: Section) -> AnyCut:
        """Where the section at a frame is: of given modes across its x axis."""
        from pliant.flex.internal import Cut, NodeCut

        body = self.model.elastic[section.beam]
        if not body.by_nodes:
            return Cut(self._along(body.frames, section.frame), before=not section.beyond)
        axes = self.places(section.beam)[section.frame].R
        node = _node(body.frames, section.frame)
        return NodeCut(node, tuple(np.ravel(axes).tolist()), before=not section.beyond)

    def deformed(self, body: str, q: Array, u: Array) -> tuple[dict[str, Pose], Velocities]:
        """X_BP of the frames of a flexible body, from its own frame along floating axes (as motion
        is given), and (w, v) of those that move in it."""
        tables, frames = self.tables(body).tables, self.model.bodies[body].frames
        placed, moving = flexible_places(NUMERIC, tables, frames, self.number, q, u)
        home = placed[""].p
        return {k: Pose(X.R, X.p - home) for k, X in placed.items()}, moving

    def initial_elastic(self, body: str) -> Array:
        """Elastic coordinates of a flexible body as they were given, otherwise undeformed."""
        given = getattr(self.model.bodies[body].initial, "elastic", {})
        names = self.tables(body).data.names
        return np.array([self.number(given[n]) if n in given else 0.0 for n in names])

    def initial_places(self, body: str) -> dict[str, Pose]:
        """X_BP of the frames of a body as it was given."""
        if body not in self.flexible:
            return self.places(body)
        q = self.initial_elastic(body)
        return self.deformed(body, q, np.zeros(len(q)))[0]

    @property
    def size(self) -> float:
        """How large the model is: the farthest frame on a body from its origin, otherwise the
        farthest position that was given, otherwise 1 m."""
        return self.remembered(("size",), Values._size)

    @property
    def reach(self) -> float:
        """How far the farthest frame on a body is from its origin; 0 if there is none."""
        return self.remembered(("reach",), Values._reach)

    def _reach(self) -> float:
        bodies = self.model.bodies
        arms = (np.linalg.norm(X.p) for n in bodies for X in self.initial_places(n).values())
        return float(max(arms, default=0.0))

    def _size(self) -> float:
        bodies = self.model.bodies
        if self.reach > 0:
            return self.reach
        starts = (b.initial.position for b in bodies.values() if b.initial is not None)
        given = [np.linalg.norm(self.vector(x)) for x in starts if x is not None]
        return float(max(given, default=0.0)) or 1.0


def _node(frames: Mapping[str, Frame], name: str) -> int:
    """The node that a frame moves with."""
    frame = frames[name]
    if frame.on:
        return _node(frames, frame.on)
    assert frame.node is not None
    return frame.node
