"""Bodies with given modes: nodes, shapes, mass and stiffness from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pliant.model.bodies.base import LOOKS, Colour, Share
from pliant.model.bodies.elastic import (
    GEOMETRIC,
    MODES_FRAMES,
    Damping,
    DampingKind,
    Deformable,
    FloatingFrame,
    FloatingFrameKind,
)
from pliant.model.bodies.shapes import ShapeKind
from pliant.model.bodies.state import FlexibleState, StateKind
from pliant.model.bodies.theories import MODES_THEORIES, GivenTheory, TheoryKind
from pliant.model.fields import Flag, Optional, Word, Written, has, settle
from pliant.model.frames import Frame, FramesKind
from pliant.model.frozen import FrozenDict
from pliant.model.numbers.paths import FilePath
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Modes(Deformable):
    """A flexible body by its modes; frames sit at nodes, numbered from 0.

    >>> pl.Modes("housing", "housing.json", damping=pl.Damping.modal([0.01])).theory.kind
    'modal'
    """

    kind: ClassVar[str] = "modes"
    outside: ClassVar[tuple[str, ...]] = (
        "theory", "geometric_stiffness", "floating_frame", "damping", "frames", "initial", "shape",
        *LOOKS,
    )  # fmt: skip

    name: str
    file: str = has(FilePath(), doc="JSON or NPZ file of nodes, shapes, mass and stiffness")
    theory: GivenTheory = has(
        TheoryKind(MODES_THEORIES), "modal", "modal: small deformation in shapes; rigid: none"
    )
    geometric_stiffness: str | None = has(
        Optional(Word(GEOMETRIC)), None, "default: dynamic if the file has tables for it"
    )
    floating_frame: Written[FloatingFrame] = has(
        FloatingFrameKind(MODES_FRAMES, ("node", "chord")), FloatingFrame("as-given"),
        "the frame in which deformation is small",
    )  # fmt: skip
    damping: Written[Damping | None] = has(Optional(DampingKind()), None, "of its deformation")
    frames: Written[Mapping[str, Frame]] = has(FramesKind(), FrozenDict(), "frames at nodes")
    initial: Written[FlexibleState | None] = has(
        Optional(StateKind(FlexibleState)), None, "its initial state"
    )
    shape: Mapping[str, Any] | None = has(Optional(ShapeKind()), None, "how it is drawn")
    colour: str | None = has(Optional(Colour()), None, "it is drawn in: a name or #rrggbb")
    opacity: float = has(Share(), 1.0, "of its drawing: 1 hides what is behind, 0 cannot be seen")
    visible: bool = has(Flag(), True, "whether it is drawn")

    def __post_init__(self) -> None:
        settle(self, "bodies", "body")

    @property
    def elastic_names(self) -> tuple[str, ...]:
        from pliant.model.bodies.mode_file import read_modes

        count = read_modes(self.file)["shapes"].shape[2] if self.flexible else 0
        return tuple(f"q{k + 1}" for k in range(count))

    @property
    def nodes(self) -> int:
        from pliant.model.bodies.mode_file import read_modes

        return len(read_modes(self.file)["nodes"])

    @property
    def divides(self) -> bool:
        from pliant.model.bodies.mode_file import read_modes

        known = read_modes(self.file)
        as_a_whole = "motion_stiffness" in known and self.geometric_stiffness != "none"
        return known["mass"].ndim == 1 and not (self.flexible and as_a_whole)

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file,)
