"""Internal forces by name: what sections pass on, at frames that sit directly on a body that
``divides`` (beams, and given modes whose mass stands at their nodes).

    rod.mid.internal_force             N, Qy, Qz: the part beyond on the part before, in axes of the
    rod.mid.internal_moment            section; Mx, My, Mz; normal stress at points of the section
    rod.mid.stress                     (``pliant.mechanics.inertia.section_forces``)
    rod.mid.internal_force.beyond      the other side of loads that act at this section

Without ``beyond`` loads at the section itself count as beyond it, so that the side of the root is
told; before the root there is nothing, and it is told what the beam carries there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pliant.model.bodies import Deformable
from pliant.model.model import Model
from pliant.observe.catalogue import XYZ, Quantity
from pliant.records import dataclass

BEYOND = "beyond"
FORCES = {
    "internal_force": Quantity("N", kind="internal", labels=XYZ),
    "internal_moment": Quantity("N*m", kind="internal", labels=XYZ),
}
STRESS = "stress"
NO_SECTION = "stress needs a section: give section and material instead of stiffness per length"
_NAME = re.compile(
    r"(?P<beam>[^.]+)\.(?P<frame>[^.]+)\.(?P<what>internal_force|internal_moment|stress)"
    r"(?P<beyond>\.beyond)?(?:\.(?P<label>[a-z]\d*))?"
)


@dataclass(frozen=True, slots=True)
class Section:
    """The section of a beam or of given modes at a frame, and which side of it is meant."""

    beam: str
    frame: str
    beyond: bool = False

    def __str__(self) -> str:
        return f"{self.beam}.{self.frame}" + (f".{BEYOND}" if self.beyond else "")


@dataclass(frozen=True, slots=True)
class Reading:
    """A name of an internal force; ``label``: of one component, empty for all."""

    section: Section
    what: str
    label: str = ""

    @property
    def name(self) -> str:
        """Of all its components."""
        side = f".{BEYOND}" if self.section.beyond else ""
        return f"{self.section.beam}.{self.section.frame}.{self.what}{side}"


def is_of_section(name: str) -> bool:
    """Whether a name is written as one of an internal force."""
    return bool(_NAME.fullmatch(name))


def divided(model: Model) -> Mapping[str, Deformable]:
    """Bodies whose sections tell what they pass on."""
    return {name: body for name, body in model.elastic.items() if body.divides}


def sections(model: Model) -> Iterator[Section]:
    """Of every such body, both sides of each."""
    for name, beam in divided(model).items():
        for frame in beam.frames.values():
            if not frame.on:
                yield from (Section(name, frame.name, beyond) for beyond in (False, True))


def reading(model: Model, name: str) -> Reading | None:
    """What a name means; None if it is no internal force of a body that is not cut."""
    found = _NAME.fullmatch(name)
    body = None if found is None else model.elastic.get(found["beam"])
    if found is None or body is None or not body.divides:
        return None
    frame = body.frames.get(found["frame"])
    if frame is None or frame.on:
        return None
    section = Section(found["beam"], found["frame"], bool(found["beyond"]))
    return Reading(section, found["what"], found["label"] or "")


def sections_read(model: Model) -> tuple[Section, ...]:
    """Those whose internal forces formulas of a model read."""
    names = (name for f in model.observing().values() for name in sorted(f.names))
    found = (reading(model, name) for name in names)
    return tuple(dict.fromkeys(r.section for r in found if r is not None))


def labels_of(what: str, points: int) -> tuple[str, ...]:
    """Names of components; ``points`` of a section are numbered from 1."""
    return tuple(f"p{k + 1}" for k in range(points)) if what == STRESS else XYZ


def quantities(section: Section, points: int) -> Iterator[tuple[Reading, Quantity]]:
    """What is told of a section; ``points``: of it, where stress is known."""
    for what, quantity in FORCES.items():
        yield Reading(section, what), quantity.of(section.beam)
    if points:
        labels = labels_of(STRESS, points)
        yield Reading(section, STRESS), Quantity("Pa", section.beam, "internal", labels)
