"""Beams: section and material or stiffness, sizes, shape functions and what they need.

Beams of large rotation have an axis, segmented beams directions; some options mean nothing to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from pliant.errors import Fault
from pliant.model.bodies import Beam
from pliant.model.bodies.beam_shapes import FIELDS, BeamShapes, Functions
from pliant.model.bodies.sections import Section
from pliant.model.bodies.theories import STIFFNESS
from pliant.model.cures import Add, Leave, Put, Write, curing, sample, steps_of
from pliant.model.fields import kinds_of
from pliant.model.frozen import did_you_mean
from pliant.model.validation.context import About, Context
from pliant.model.validation.flexible import without

FASTEST = 30
"""Decades of rad/s above which a beam cannot swing, and below minus that."""
Found = Iterator[tuple[str, str, str]]
"""The key at fault, what is wrong with it, and the cure."""
_PLAIN = {
    "shapes": BeamShapes(Functions(3), Functions(3)),
    "type": "euler-bernoulli",
    "geometric_stiffness": "second-order",
    "floating_frame": "root",
}
"""Options of modal beams, and their values where nothing was chosen."""
_LONG = 1e-6
"""A length may differ from that of its points by this part."""
_ROTARY = "give rotary: {rhoIy: , rhoIz: }"
_TWIST = ("rotary_inertia", "torsion has no inertia with rotary_inertia: none",
          "write axial or full, or leave torsion out")  # fmt: skip
_BY_G = ("torsion", "shear_y", "shear_z")


def beam_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with the data of beams, and with materials."""
    for name, body in context.model.bodies.items():
        if isinstance(body, Beam):
            for key, what, cure in _of_beam(context, body):
                yield About("bodies", name).fault(what, cure, key)
    for name, material in context.model.materials.items():
        own = About("materials", name)
        if material.nu is not None and material.G is not None:
            cure = curing("keep one of them", Leave(("G",)), Leave(("nu",)))
            yield own.fault("both nu and G are given", cure, "G")


def _of_beam(context: Context, beam: Beam) -> Found:
    yield from _sources(beam)
    if beam.stiffness is not None:
        yield from _stiffness(context, beam)
    elif beam.section is not None or beam.sections is not None:
        yield from _material(context, beam)
        yield from _sections(context, beam)
    yield from _shapes(beam)
    yield from _rotary(context, beam)
    yield from large_beam_faults(context, beam)
    yield from segment_faults(context, beam)
    yield from _places(context, beam)
    yield from _speeds(context, beam)


def _speeds(context: Context, beam: Beam) -> Found:
    """How fast it swings: √(EI/m)/L² and √(EA/m)/L must be numbers that can be computed with."""
    L, m, stiffness = context.number(beam.length), None, beam.stiffness
    found: list[tuple[str, float | None, int]] = []
    if stiffness is not None and beam.mass_per_length is not None:
        m = context.number(beam.mass_per_length)
        powers = {"EIy": 4, "EIz": 4, "GJ": 2, "EA": 2, "GAy": 2, "GAz": 2}
        given = {k: f for k in powers if (f := getattr(stiffness, k, None)) is not None}
        found = [(k, context.number(f), powers[k]) for k, f in given.items()]
    elif beam.material in context.model.materials:
        material = context.model.materials[beam.material]
        m = None if material.density is None else context.number(material.density)
        found = [("E", None if material.E is None else context.number(material.E), 2)]
    for key, value, power in found:
        if not (value and m and L) or min(value, m, L) <= 0:
            continue
        decades = 0.5 * (math.log10(value) - math.log10(m) - power * math.log10(L))
        if abs(decades) > FASTEST:
            yield ("beam", f"its length {L:g} m is too small or too large for its stiffness "
                   f"{key} = {value:g} and its mass: it would swing at 1e{decades:+.0f} rad/s",
                   "check the units of length, stiffness and mass")  # fmt: skip


def _sources(beam: Beam) -> Found:
    """Exactly one of section, sections, stiffness; and what belongs to it."""
    given = [k for k in ("section", "sections", "stiffness") if getattr(beam, k) is not None]
    if not given:
        yield "beam", "its section is missing", "give section and material, or stiffness"
    elif len(given) > 1:
        yield given[1], f"{' and '.join(given)} are given", "keep one of them"
    elif given == ["stiffness"]:
        for key in ("material", "shear_factors"):
            if getattr(beam, key):
                cure = curing(f"remove {key}", Leave())
                yield key, f"{key} means nothing beside stiffness", cure
        if beam.mass_per_length is None:
            cure = curing("give it beside stiffness", Add(("beam", "mass_per_length"), "1 kg/m"))
            yield "stiffness", "mass_per_length is missing", cure
    else:
        for key in ("mass_per_length", "rotary"):
            if getattr(beam, key) is not None:
                cure = curing(f"remove {key}", Leave())
                yield key, f"{key} means nothing beside {given[0]}", cure


def _material(context: Context, beam: Beam) -> Found:
    materials = context.model.materials
    if not beam.material:
        only = [*materials] if len(materials) == 1 else []
        cure = curing("give the name of one", *(Add(("beam", "material"), m) for m in only))
        yield "material", "material is missing", cure
        return
    if beam.material not in materials:
        near = did_you_mean(beam.material, materials, sure=True)
        cure = near or "define it under materials"
        yield "material", f"no material '{beam.material}'", cure
        return
    material = materials[beam.material]
    large = beam.theory.large
    shears = large or (beam.flexible and (beam.shear or beam.shapes.torsion.count))
    for key, needed in (("E", beam.flexible or large), ("density", True)):
        if needed and getattr(material, key) is None:
            cure = _giving(beam.material, key)
            yield "material", f"material '{beam.material}' has no {key}", cure
    if shears and material.nu is None and material.G is None:
        why = "torsion" if beam.shapes.torsion.count else "timoshenko"
        why = f"theory {beam.theory.kind}" if large else why
        what = f"material '{beam.material}' has neither nu nor G, which {why} needs"
        yield "material", what, curing("give it nu or G", *steps_of(_giving(beam.material, "nu")))


def _sections(context: Context, beam: Beam) -> Found:
    if beam.section is not None:
        yield from _section(context, "section", "section", beam.section)
        return
    stations = beam.sections or ()
    places = [at for at, _ in stations]
    rising = all(a < b for a, b in pairwise(places))
    if len(places) < 2 or places[0] != 0 or places[-1] != 1 or not rising:
        shown = ", ".join(f"{at:g}" for at in places)
        yield "sections", f"sections: stations {shown}", "give increasing fractions from 0 to 1"
    kinds = list(dict.fromkeys(section.kind for _, section in stations))
    if len(kinds) > 1:
        what = f"sections: {' and '.join(kinds)} cannot be interpolated"
        yield "sections", what, "give the same kind at every station, perhaps properties"
    for at, section in stations:
        yield from _section(context, "sections", f"section at {at:g}", section)


def _section(context: Context, key: str, label: str, section: Section) -> Found:
    sizes = [
        size for k, own in kinds_of(section).items() for size in own.formulas(getattr(section, k))
    ]
    values = ((kind, context.number(f)) for _, f, kind in sizes)
    sound = all(v is None or kind.fault("", v) is None for kind, v in values)
    objection = section.objection(context.number) if sound else None
    if objection is not None:
        yield key, f"{label}: {objection[0]}", objection[1]


def _stiffness(context: Context, beam: Beam) -> Found:
    assert beam.stiffness is not None
    needed = dict(_needed(beam)) if beam.flexible else {}
    if beam.theory.large:
        needed = dict.fromkeys(kinds_of(beam.stiffness), f"theory {beam.theory.kind}")
    for key in kinds_of(beam.stiffness):
        if getattr(beam.stiffness, key) is None and key in needed:
            cure = curing(f"add {key} to stiffness", *_stiffer(beam, key))
            yield "stiffness", f"{needed[key]} needs {key}", cure
    bends = beam.shapes.bending_y.count or beam.shapes.bending_z.count
    twists = beam.shapes.torsion.count and beam.rotary_choice != "none"
    asked = beam.rotary_inertia in ("axial", "full")
    if beam.rotary is None and beam.theory.large:
        yield "stiffness", f"theory {beam.theory.kind} needs rotary inertia", _ROTARY
    if beam.rotary is None and (asked or (beam.flexible and (twists or (beam.shear and bends)))):
        why = f"rotary_inertia: {beam.rotary_inertia}" if asked else "timoshenko"
        why = "torsion" if twists else why
        yield "stiffness", f"{why} needs rotary inertia", _ROTARY


def _giving(material: str, key: str) -> str:
    """That a material is to be given a number."""
    usual = {"E": "210 GPa", "density": "7850 kg/m^3", "nu": 0.3}[key]
    return curing(f"give it {key}", Write(("materials", material, key), usual))


def _stiffer(beam: Beam, key: str) -> tuple[Add, ...]:
    """A stiffness of the section in the unit of its field."""
    kind = kinds_of(beam.stiffness)[key]
    return (Add(("beam", "stiffness", key), sample(kind)),)


def _needed(beam: Beam) -> Iterator[tuple[str, str]]:
    """Each stiffness that shape functions need, and for what."""
    for field, bend, shear in (("bending_y", "EIz", "GAy"), ("bending_z", "EIy", "GAz")):
        if getattr(beam.shapes, field).count:
            yield bend, field
            if beam.shear:
                yield shear, f"timoshenko {field}"
    if beam.shapes.torsion.count:
        yield "GJ", "torsion"
    if beam.shapes.axial.count:
        yield "EA", "axial"


def _shapes(beam: Beam) -> Found:
    if not beam.flexible:
        return
    if not beam.shapes.total:
        cure = curing("write theory: rigid", Put("rigid", ("theory",)))
        yield "shapes", "it has no shape functions, so it cannot deform", cure
    chosen_for = {field: getattr(beam.shapes, field) for field in FIELDS}
    if chosen_for["bending_y"] == chosen_for["bending_z"]:
        chosen_for["bending"] = chosen_for.pop("bending_y")
        del chosen_for["bending_z"]
    chosen: Functions
    for field, chosen in chosen_for.items():
        per = 2 if field.startswith("bending") else 1
        static = 0
        if chosen.family == "craig-bampton":
            static = per * (len(chosen.interfaces) - 1)
        elif chosen.family == "free-interface" and chosen.attachments:
            static = per * len(chosen.interfaces)
        if 0 < chosen.count < static:
            what = f"shapes: {field}: {chosen.count} functions, but {len(chosen.interfaces)}"
            yield "shapes", f"{what} interfaces need {static}", "give more, or fewer interfaces"


def _rotary(context: Context, beam: Beam) -> Found:
    if not beam.flexible:
        return
    bends = beam.shapes.bending_y.count or beam.shapes.bending_z.count
    if beam.rotary_choice == "none" and beam.shapes.torsion.count:
        yield _TWIST
    if beam.shear and bends and beam.rotary_choice != "full":
        what = f"timoshenko with rotary_inertia: {beam.rotary_choice} leaves sections massless"
        yield "rotary_inertia", what, curing("write full", Put("full", ("rotary_inertia",)))


def _places(context: Context, beam: Beam) -> Found:
    """The floating frame and all frames must be on the beam."""
    at = beam.floating_frame.at
    place = None if at is None else context.number(at)
    if place is not None and not 0 <= place <= 1:
        what = f"floating_frame: at {place:g} is not on the beam"
        yield "floating_frame", what, "give a fraction of the length, 0 to 1"
    length = context.number(beam.length)
    for name, frame in beam.frames.items():
        x = context.number(frame.position[0])
        if frame.on or frame.implied or x is None or length is None or length <= 0:
            continue
        if not -1e-9 * length <= x <= (1 + 1e-9) * length:
            what = f"frame '{name}' is at x = {x:g} m, beyond the beam"
            yield "frames", what, f"give x from 0 to {length:g} m"


def large_beam_faults(context: Context, beam: Beam) -> Found:
    """What means nothing to a theory, and must not be taken for more than it is."""
    word = beam.theory.kind
    if not beam.theory.large:
        for key in ("curvature", "axis"):
            if getattr(beam, key) is not None:
                cure = curing("write theory: exact", Put("exact", ("theory",)))
                yield key, f"a beam of theory {word} is straight", cure
        return
    yield from _modal_options(beam)
    yield from _axis(context, beam)
    yield from _meaningless(beam)
    if beam.rotary_inertia not in (None, "full"):
        what = f"theory {word} with rotary_inertia: {beam.rotary_inertia} leaves sections massless"
        yield "rotary_inertia", what, curing("write full", Put("full", ("rotary_inertia",)))
    yield from _damped_elements(beam)


def _damped_elements(beam: Beam) -> Found:
    """Shear that would have modes of its own, more ratios than modes."""
    damping = beam.damping
    if damping is None:
        return
    spans = beam.theory.elements + len(beam.frames)
    for motion, own in damping.motions.items() or (("", damping),):
        label = f"damping: {motion}" if motion else "damping"
        several = 6 if not motion else 4 if motion == "bending" else 2
        most = spans * beam.theory.order * several
        if own.kind == "modal" and motion.startswith("shear"):
            cure = curing("give that of bending", without(damping, motion))
            yield "damping", f"{label}: shear has no modes of its own", cure
        elif own.kind == "modal" and len(own.values) > most:
            what = f"{label}: {len(own.values)} ratios for at most {most} modes"
            yield "damping", what, "give one ratio for all, or fewer"


def _modal_options(beam: Beam) -> Found:
    """Options of modal beams, all in one message."""
    own = {key: getattr(beam, key) for key in _PLAIN}
    own["floating_frame"] = own["floating_frame"].kind
    given = [key for key, plain in _PLAIN.items() if own[key] != plain]
    if given:
        several = len(given) > 1
        what = f"{', '.join(given)} {'mean' if several else 'means'} nothing"
        words = f"remove {'them' if several else 'it'}, or write theory: modal"
        cure = curing(words, Leave((given[0],), tuple(given[1:])), Put("modal", ("theory",)))
        yield given[0], f"{what} with theory {beam.theory.kind}", cure


def _axis(context: Context, beam: Beam) -> Found:
    if beam.axis is None:
        return
    if beam.curvature is not None:
        cure = curing("keep one of them", Leave(("beam", "curvature")))
        yield "axis", "both axis and curvature are given", cure
    points = [[context.number(f) for f in point] for point in beam.axis.points]
    up = [context.number(f) for f in beam.axis.up]
    if any(x is None for point in (*points, up) for x in point):
        return
    steps = [[b - a for a, b in zip(*pair, strict=True)] for pair in pairwise(points)]  # type: ignore[operator]
    for k, step in enumerate(steps):
        across = _cross(step, up)  # type: ignore[arg-type]
        if not hypot(*step):
            yield "axis", f"axis: points {k + 1} and {k + 2} are the same", "leave one out"
        elif not hypot(*across) > 1e-6 * hypot(*step) * hypot(*up):  # type: ignore[arg-type]
            what = f"axis: from point {k + 1} to {k + 2} it runs along up, so that z is open"
            yield "axis", what, "give another direction up"
    wanted, given = context.number(beam.axis.length), context.number(beam.length)
    if wanted is not None and given is not None and abs(given - wanted) > _LONG * wanted:
        what = f"length is {given:g} m, that of the axis through its points {wanted:g} m"
        yield "length", what, curing("leave length out", Leave())


def _cross(a: list[float], b: list[float]) -> list[float]:
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


def segment_faults(context: Context, beam: Beam) -> Found:
    """Everything wrong with a beam as segments."""
    if beam.theory.segments is None:
        return
    directions = beam.segment_directions
    if not directions:
        cure = "choose directions, or write theory: rigid"
        yield "theory", "its segments move in no direction", cure
    yield from _stiff(context, beam, directions)
    if "torsion" in directions and beam.rotary_choice == "none":
        yield _TWIST
    elif "torsion" in directions and beam.stiffness is not None and beam.rotary is None:
        yield "stiffness", "torsion needs rotary inertia", _ROTARY
    yield from _damped_segments(beam, directions)
    yield from _meaningless(beam)
    if beam.floating_frame.kind != "root":
        what = "floating_frame means nothing with theory segments"
        yield "floating_frame", what, curing("leave it out", Leave())
    if beam.geometric_stiffness != "second-order":
        what = "geometric_stiffness means nothing with theory segments: hinges turn exactly"
        yield "geometric_stiffness", what, curing("leave it out", Leave())


def _damped_segments(beam: Beam, directions: tuple[str, ...]) -> Found:
    """Kinds of motion in which segments do not move, more ratios than modes."""
    damping = beam.damping
    if damping is None or beam.theory.segments is None:
        return
    count = beam.theory.segments.count + 1
    for motion, own in damping.motions.items() or (("", damping),):
        moving = [d for d in directions if not motion or motion in (d, d[:-2])]
        label = f"damping: {motion}" if motion else "damping"
        if motion and not moving:
            what = f"{label}: its segments do not move in this direction"
            words = f"add {motion} to directions, or leave it out"
            yield "damping", what, curing(words, without(damping, motion))
        elif own.kind == "modal" and motion.startswith("shear"):
            cure = curing("give that of bending", without(damping, motion))
            yield "damping", f"{label}: shear has no modes of its own", cure
        elif own.kind == "modal" and len(own.values) > max(1, count * len(moving)):
            what = f"{label}: {len(own.values)} ratios for at most {count * len(moving)} modes"
            yield "damping", what, "give one ratio for all, or fewer"


def _stiff(context: Context, beam: Beam, directions: tuple[str, ...]) -> Found:
    """Stiffness or material of each direction."""
    if beam.stiffness is not None:
        for d in directions:
            key = STIFFNESS[d]
            if getattr(beam.stiffness, key) is None:
                words = f"add {key} to stiffness, or choose other directions"
                cure = curing(words, *_stiffer(beam, key))
                yield "stiffness", f"segments: {d} needs {key}", cure
        return
    material = context.model.materials.get(beam.material)
    if material is None:
        return
    if material.E is None and set(directions) - set(_BY_G):
        yield "material", f"material '{beam.material}' has no E", _giving(beam.material, "E")
    twisted = [d for d in directions if d in _BY_G]
    if twisted and material.nu is None and material.G is None:
        what = f"material '{beam.material}' has neither nu nor G, which {twisted[0]} needs"
        yield "material", what, curing("give it nu or G", *steps_of(_giving(beam.material, "nu")))


def _meaningless(beam: Beam) -> Found:
    """What belongs to modal beams."""
    word = beam.theory.kind
    if beam.initial is not None and (beam.initial.elastic or beam.initial.elastic_rates):
        what = f"theory {word} has no elastic coordinates"
        yield "initial", what, "give position, orientation and velocities"
