"""Segmented beams: what their directions need, and what means nothing to them."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.model.bodies import Beam
from pliant.model.validation.context import Context

Found = Iterator[tuple[str, str, str]]
_STIFFNESS = {"bending_y": "EIz", "bending_z": "EIy", "torsion": "GJ", "axial": "EA",
              "shear_y": "GAy", "shear_z": "GAz"}  # fmt: skip
_BY_G = ("torsion", "shear_y", "shear_z")


def segment_faults(context: Context, beam: Beam) -> Found:
    """Everything wrong with a beam as segments."""
    if beam.theory.segments is None:
        return
    directions = beam.segment_directions
    if not directions:
        cure = "choose directions, or write theory: rigid"
        yield "theory", "its segments move in no direction", cure
    yield from _stiff(context, beam, directions)
    if "torsion" in directions:
        yield from _turning(beam)
    yield from _meaningless(beam)


def _stiff(context: Context, beam: Beam, directions: tuple[str, ...]) -> Found:
    """Stiffness or material of each direction."""
    if beam.stiffness is not None:
        for d in directions:
            key = _STIFFNESS[d]
            if getattr(beam.stiffness, key) is None:
                cure = f"add {key} to stiffness, or choose other directions"
                yield "stiffness", f"segments: {d} needs {key}", cure
        return
    material = context.model.materials.get(beam.material)
    if material is None:
        return
    if material.E is None and set(directions) - set(_BY_G):
        yield "material", f"material '{beam.material}' has no E", "give it E"
    twisted = [d for d in directions if d in _BY_G]
    if twisted and material.nu is None and material.G is None:
        what = f"material '{beam.material}' has neither nu nor G, which {twisted[0]} needs"
        yield "material", what, "give it nu or G"


def _turning(beam: Beam) -> Found:
    """Inertia about the axis."""
    if beam.rotary_choice == "none":
        what = "torsion has no inertia with rotary_inertia: none"
        yield "rotary_inertia", what, "write axial or full, or leave torsion out"
    elif beam.stiffness is not None and beam.rotary is None:
        yield "stiffness", "torsion needs rotary inertia", "give rotary: {rhoIy: , rhoIz: }"


def _meaningless(beam: Beam) -> Found:
    """What belongs to modal beams."""
    if beam.damping is not None and beam.damping.kind != "stiffness":
        what = f"{beam.damping.kind} damping means nothing with theory segments"
        yield "damping", what, "write {stiffness: 1e-5}"
    if beam.initial is not None and (beam.initial.elastic or beam.initial.elastic_rates):
        what = "theory segments has no elastic coordinates"
        yield "initial", what, "give position, orientation and velocities"
    if beam.floating_frame.kind != "root":
        what = "floating_frame means nothing with theory segments"
        yield "floating_frame", what, "leave it out"
    if beam.geometric_stiffness != "second-order":
        what = "geometric_stiffness means nothing with theory segments: hinges turn exactly"
        yield "geometric_stiffness", what, "leave it out"
