"""Flexible bodies of a model as tables, for any values of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace

from pliant.errors import Fault, InputError, ModelError
from pliant.flex.beam import Beam, Elastic, RateBeam, Rates, SectionBeam
from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.data import FlexibleData, FrameData
from pliant.flex.fields import FloatingFrame
from pliant.flex.given import GivenFrame, GivenModes, given_data, load_modes
from pliant.flex.numerics import Dampings
from pliant.model import bodies
from pliant.model.bodies.beam_shapes import FIELDS, BeamShapes
from pliant.model.bodies.elastic import Material
from pliant.model.bodies.sections import SectionShape
from pliant.model.formulas import Formula
from pliant.model.frames import Frame
from pliant.model.frozen import FrozenDict

Value = Callable[[Formula], float]
MOVING: Mapping[str, tuple[str, ...]] = {
    "bending_y": ("bending_y", "shear_y", "rotation_y"),
    "bending_z": ("bending_z", "shear_z", "rotation_z"),
    "torsion": ("torsion",),
    "axial": ("axial",),
}
"""Kinds of coordinates that make up a kind of motion."""
_FRACTIONS = {"root": 0.0, "mid": 0.5, "tip": 1.0}


def flexible_data(
    body: bodies.Deformable,
    value: Value,
    materials: Mapping[str, Material] = FrozenDict(),
) -> FlexibleData:
    """The tables of a body; `value` gives the number of a formula.

    With theory `rigid` there are no elastic coordinates.
    """
    try:
        if body.kind not in _DATA:
            own: FlexibleData = body.tables(value)
            return own
        return _DATA[body.kind](body, value, materials)
    except ModelError as error:
        who = f"body '{body.name}'"
        found = [Fault(who, f.what, f.cure, f.where, f.path) for f in error.faults]
        raise ModelError(found) from None
    except InputError as error:
        raise type(error)(f"body '{body.name}': {error.what}", error.cure) from None


def frame_data(
    body: bodies.Deformable, data: FlexibleData, frame: Frame, value: Value
) -> FrameData:
    """A frame placed directly on the body; its orientation in the section is left to the caller.

    p0 is relative to the origin of the floating frame, which is at `data.origin`.
    """
    if frame.on:
        raise InputError(f"body '{body.name}': frame '{frame.name}' is on '{frame.on}'",
                         "place it relative to that frame")  # fmt: skip
    x, y, z = (value(f) for f in frame.position)
    if not body.by_nodes:
        return data.frame(x, (0.0, y, z))
    if frame.node is None:
        raise InputError(f"body '{body.name}': frame '{frame.name}' is not at a node",
                         "write {node: 12}")  # fmt: skip
    return data.frame(frame.node, (x, y, z))


def _beam(body: bodies.Beam, value: Value, materials: Mapping[str, Material]) -> FlexibleData:
    shapes = BeamShapes()
    if body.flexible:
        chosen = {field: getattr(body.shapes, field) for field in FIELDS}
        shapes = BeamShapes(**{k: replace(f, family=body.family(k)) for k, f in chosen.items()})
    kind, at = body.floating_frame.kind, body.floating_frame.at
    if at is not None:
        frame = FloatingFrame("at", value(at))
    else:
        frame = FloatingFrame("at", _FRACTIONS[kind]) if kind in _FRACTIONS else FloatingFrame(kind)
    return beam_data(ModalBeam(
        beam_of(body, value, materials), shapes, body.type, body.rotary_inertia,
        body.geometric_stiffness, frame, _damping(body, value),
    ))  # fmt: skip


def beam_of(body: bodies.Beam, value: Value, materials: Mapping[str, Material]) -> Beam:
    """Stiffness and mass of a beam along its axis."""
    length = value(body.length)
    if body.stiffness is not None:
        return RateBeam(length, (_rates(body, value),))
    material = _elastic(body, value, materials)
    factors = None
    if body.shear_factors is not None:
        ky, kz = body.shear_factors
        factors = (value(ky), value(kz))
    given = body.sections or ((0.0, body.section), (1.0, body.section))
    stations = tuple(at for at, _ in given)
    sections = tuple(_section(section, value) for _, section in given)
    return SectionBeam(length, sections, material, stations, factors)


def _rates(body: bodies.Beam, value: Value) -> Rates:
    def number(f: Formula | None) -> float:
        return 0.0 if f is None else value(f)

    s, r = body.stiffness, body.rotary
    names = [f.name for f in fields(bodies.Stiffness)]
    inertia = {} if r is None else {"rhoIy": value(r.rhoIy), "rhoIz": value(r.rhoIz)}
    given = {name: number(getattr(s, name)) for name in names}
    return Rates(**given, rhoA=number(body.mass_per_length), **inertia)


def _section(section: SectionShape | None, value: Value) -> SectionShape:
    if section is None:
        raise InputError("its section is missing", "give section and material, or stiffness")
    return section.sized(lambda name: value(getattr(section, name)))


def _elastic(body: bodies.Beam, value: Value, materials: Mapping[str, Material]) -> Elastic:
    """E, nu and G; without nu or G, neither shear nor torsion reads them."""
    material = materials.get(body.material)
    if material is None or material.density is None:
        raise InputError(f"no material '{body.material}' with a density", "define it")
    E = 0.0 if material.E is None else value(material.E)
    density = value(material.density)
    if material.G is not None:
        G = value(material.G)
        return Elastic(E, density, E / (2 * G) - 1, G)
    return Elastic(E, density, 0.3 if material.nu is None else value(material.nu))


def _damping(body: bodies.Deformable, value: Value) -> Dampings:
    if body.damping is None or not body.flexible:
        return ()
    by = body.damping.by_direction
    given = [(MOVING[d], own) for d, own in by.items() if d in MOVING] or [((), body.damping)]
    return tuple((kinds, (own.kind, tuple(value(f) for f in own.values))) for kinds, own in given)


def _modes(body: bodies.Modes) -> GivenModes:
    """The modes of the file, none of them if the body is rigid."""
    g = replace(load_modes(body.file), geometric_stiffness=body.geometric_stiffness)
    if body.flexible:
        return g
    rotations = None if g.Phi_r is None else g.Phi_r[..., :0]
    return replace(g, Phi_t=g.Phi_t[..., :0], Phi_r=rotations, K=g.K[:0, :0], D=None, H=None,
                   geometric_stiffness="none")  # fmt: skip


def _given(body: bodies.Modes, value: Value, _: Mapping[str, Material]) -> FlexibleData:
    g = replace(_modes(body), damping=_damping(body, value))
    frame = body.floating_frame
    if frame.node is not None:
        return given_data(g, GivenFrame("at", frame.node))
    return given_data(g, GivenFrame(frame.kind, *(frame.ends or ())))


_DATA: dict[str, Callable[..., FlexibleData]] = {"beam": _beam, "modes": _given}
"""Of kinds whose classes stand in a room below; others give their tables themselves."""
