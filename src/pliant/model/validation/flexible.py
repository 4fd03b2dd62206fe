"""Flexible bodies of all kinds: mode files, nodes, damping, elastic coordinates, what is held.

Rolling of a beam about its own axis needs rotary inertia, or a joint that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import Fault, InputError, ModelError
from pliant.model.bodies import Beam, Damping, Deformable, Modes
from pliant.model.bodies.beam_shapes import FIELDS
from pliant.model.bodies.mode_file import Arrays, is_scalar_mass, read_modes
from pliant.model.cures import (
    Add,
    Instead,
    Leave,
    Put,
    Rename,
    curing,
    expected,
    in_range,
    legal_name,
    otherwise,
)
from pliant.model.drivers import FrameDriver, JointDriver
from pliant.model.fields import Number, Reference, kinds_of
from pliant.model.frames import IDENTITY
from pliant.model.frozen import did_you_mean
from pliant.model.joints import Joint
from pliant.model.numbers.units import dimension_of
from pliant.model.validation.context import About, Context

Found = Iterator[tuple[str, str, str]]
_TURNS_FREELY = ("spherical", "free", "distance")
_TURNS_ABOUT_AXIS = ("revolute", "cylindrical", "planar")


def flexible_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with bodies as flexible bodies."""
    for name, body in context.model.bodies.items():
        found: list[tuple[str, str, str]] = []
        if isinstance(body, Modes):
            found += _modes(context, body)
        elif isinstance(body, Deformable):
            found += _deforming(context, body, body.elastic_names)
            found += roll_faults(context, body) if isinstance(body, Beam) else _own(context, body)
        if not body.by_nodes:
            found += _no_nodes(body)
        for key, what, cure in found:
            yield About("bodies", name).fault(what, cure, key)
    for _, what, cure in _no_nodes(context.model.ground):
        yield Fault("ground", what, cure, path=("ground", "frames"))
    yield from _held(context)


def _held(context: Context) -> Iterator[Fault]:
    """Joints, forces and drivers on a body frame that no point of the body follows."""
    floating = {
        n: cure for n, b in context.model.bodies.items() if (cure := place_instead(context, b))
    }
    for section, name, element in context.model.elements() if floating else ():
        for key, kind in kinds_of(element).items():
            ref = getattr(element, key) if isinstance(kind, Reference) else ""
            if ref in floating and isinstance(kind, Reference) and kind.to == "frame":
                what = f"{key}: '{ref}' is a floating frame, which no point of the body follows"
                yield About(section, name).fault(what, floating[ref], key)


def place_instead(context: Context, body: Any) -> str:
    """Where to attach things instead of to the body frame; "" if that is a place of the body."""
    if not body.flexible:
        return ""
    if body.by_nodes:
        return f"attach it to a frame at a node of '{body.name}'"
    at = body.floating_frame.at
    if body.floating_frame.kind == "root" or (at is not None and context.number(at) == 0):
        return ""
    words = f"attach it to {body.name}.root or {body.name}.tip, or use floating_frame: root"
    return curing(words, *(Instead(body.name, f"{body.name}.{end}") for end in ("root", "tip")))


_ROTARY = {"rhoIy": "1e-6 kg*m", "rhoIz": "1e-6 kg*m"}
"""Of a slender beam."""


def _no_nodes(body: Any) -> Found:
    for name, frame in body.frames.items():
        if frame.node is not None:
            what = f"frame '{name}' is at a node, but only modes have nodes"
            yield "frames", what, "give its position: at: [x, y, z]"


def _own(context: Context, body: Any) -> Found:
    """A body of a user's class: where its frames are, and what it says itself."""
    for name, frame in body.frames.items():
        yield from _node(name, frame, body.nodes)
    yield from body.objections(context.number)


def _modes(context: Context, body: Modes) -> Found:
    arrays: Arrays | None = None
    try:
        arrays = read_modes(body.file)
    except ModelError as error:
        for fault in error.faults:
            yield "file", f"{Path(body.file).name}: {fault.what}", fault.cure
    except InputError as error:
        yield "file", f"file: {error.what}", error.cure
    nodes = None if arrays is None else len(arrays["nodes"])
    for name, frame in body.frames.items():
        yield from _node(name, frame, nodes)
    if arrays is None:
        return
    yield from _second_order(body, arrays)
    yield from _modes_frame(body, arrays)
    if body.damping is not None and "damping" in arrays:
        yield "damping", "the file gives damping already", "remove damping here or there"
    count = arrays["shapes"].shape[2]
    if body.flexible and not count:
        yield "file", "the file has no modes", "write theory: rigid"
    names = tuple(f"q{k + 1}" for k in range(count))
    yield from _deforming(context, body, names)


def _node(name: str, frame: Any, nodes: int | None) -> Found:
    if frame.on and frame.node is not None:
        yield "frames", f"frame '{name}' is at a node and on '{frame.on}'", "keep one"
    elif not frame.on and frame.node is None:
        yield "frames", f"frame '{name}' is not at a node", "write {node: 12}, or on: a frame"
    elif frame.node is not None and nodes is not None and frame.node >= nodes:
        what = f"frame '{name}': there is no node {frame.node}"
        yield "frames", what, f"nodes are numbered from 0 to {nodes - 1}"


def _second_order(body: Modes, arrays: Arrays) -> Found:
    """Tables that the geometric stiffness needs, and the frame they were made for."""
    key, kind = "geometric_stiffness", body.geometric_stiffness
    tables = "second_order" in arrays or "geometric_stiffness" in arrays
    if kind == "dynamic" and not tables:
        what = "geometric_stiffness: dynamic needs tables that the file does not have"
        yield key, what, curing("write none, or add second_order to the file",
                              Put("none", (key,)))  # fmt: skip
    if kind == "second-order" and "second_order" not in arrays:
        what = "geometric_stiffness: second-order needs second_order, which the file does not have"
        other = "dynamic" if tables else "none"
        yield key, what, curing(f"write {other}, or add it to the file", Put(other, (key,)))
    elif kind == "second-order" and not is_scalar_mass(arrays["mass"], len(arrays["nodes"])):
        what = "geometric_stiffness: second-order needs a mass that is the same along x, y and z"
        yield key, what, "give nodal masses in the file, or write dynamic"
    frame = body.floating_frame
    if frame.kind != "as-given" and tables and kind != "none":
        what = f"the tables of the file belong to its own frame, not to {frame.kind}"
        yield "floating_frame", what, "write as-given, or geometric_stiffness: none"


def _modes_frame(body: Modes, arrays: Arrays) -> Found:
    """Nodes that hold the floating frame."""
    frame, places = body.floating_frame, arrays["nodes"]
    held = frame.ends or (() if frame.node is None else (frame.node,))
    missing = [node for node in held if node >= len(places)]
    if missing:
        what = f"floating_frame: there is no node {missing[0]}"
        yield "floating_frame", what, f"nodes are numbered from 0 to {len(places) - 1}"
    elif held and "rotations" not in arrays:
        what = "floating_frame: a node can hold the frame only if the file gives rotations"
        words = "add rotations to the file, or use mass-centre"
        yield "floating_frame", what, curing(words, Put("mass-centre", ("floating_frame",)))
    elif len(held) == 2 and not (places[held[0]] != places[held[1]]).any():
        what = f"floating_frame: nodes {held[0]} and {held[1]} are at the same place"
        yield "floating_frame", what, "give two nodes that make a chord"


def _damped(
    context: Context, body: Beam | Modes, damping: Damping, names: tuple[str, ...]
) -> Found:
    """Numbers below zero, more ratios than modes, kinds of motion that the body does not have."""
    for f in (f for part in damping.parts for f in part.values):
        value = context.number(f)
        if value is not None and value < 0:
            cure = curing("give a number of at least 0", *in_range(f.text, Number("", least=0)))
            yield "damping", f"damping: {value:g} is below zero", cure
    if body.by_nodes and damping.motions:
        what = f"damping: {next(iter(damping.motions))}: given modes have no kinds of motion"
        yield "damping", what, curing("write {modal: [...]}, a ratio for each mode")
        return
    for motion, own in damping.motions.items() if names else ():
        if motion.startswith("shear"):
            what = f"damping: {motion}: shear has no modes of its own"
            cure = curing("give that of bending, whose modes shear", without(damping, motion))
            yield "damping", what, cure
            continue
        letters = tuple(FIELDS[d] for d in FIELDS if d == motion or d[:-2] == motion)
        counts = [sum(name.startswith(letter) for name in names) for letter in letters]
        if not any(counts):
            what = f"damping: {motion}: the beam has no shapes for it"
            words = f"add {motion} to shapes, or leave it out"
            yield "damping", what, curing(words, without(damping, motion))
        else:
            yield from _ratios(f"damping: {motion}", own, max(counts))
    if names:
        yield from _ratios("damping", damping, len(names))


def without(damping: Damping, motion: str) -> Leave:
    """Without the damping of a kind of motion; without any, if it is the only one."""
    return Leave(("damping", motion) if len(damping.motions) > 1 else ("damping",))


def _ratios(label: str, damping: Damping, count: int) -> Found:
    given = len(damping.values)
    if damping.kind == "modal" and given > max(1, count):
        what = f"{label}: {given} ratios for {count} elastic coordinates"
        yield "damping", what, "give one ratio for all, or fewer"


def _deforming(context: Context, body: Any, names: tuple[str, ...]) -> Found:
    """Damping, and elastic coordinates; of a rigid body they wait for another theory."""
    if body.damping is not None:
        yield from _damped(context, body, body.damping, names)
    for name in body.frames if body.flexible else ():
        if name in names:
            what = f"frame '{name}' has the name of an elastic coordinate"
            renamed = Rename(legal_name(f"{name}_", names), ("frames", name))
            yield "frames", what, curing("rename the frame", renamed)
    if body.initial is None or not body.flexible:
        return
    for key, suffix in (("elastic", ""), ("elastic_rates", "/s")):
        for name, f in getattr(body.initial, key).items():
            if name not in names:
                cure = otherwise(
                    did_you_mean(name, names), "remove it", Leave(("initial", key, name))
                )
                yield key, f"initial: {key}: no elastic coordinate '{name}'", cure
                continue
            unit = "" if body.by_nodes else "rad" if name[0] == "p" else "m"
            wanted = dimension_of(unit + suffix) if unit else None
            if wanted and f.dimension is not None and not wanted.accepts(f.dimension):
                what = f"initial: {key}: {name}: '{f.text}' has the wrong unit"
                yield key, what, expected(f.text, f"{unit}{suffix}")


def roll_faults(context: Context, beam: Beam) -> Iterator[tuple[str, str, str]]:
    """A beam without inertia about its axis that nothing keeps from turning about it.

    Only what is certain is reported: joints off the axis or in turned frames count as holding.
    """
    inert = beam.stiffness is not None and beam.rotary is None
    if beam.rotary_choice != "none" and not inert:
        return
    drivers = context.model.drivers.values()
    if any(isinstance(d, FrameDriver) and d.frame.split(".")[0] == beam.name for d in drivers):
        return
    if any(_holds(context, beam, joint) for joint in context.joints_of(beam.name)):
        return
    what = "it is free to roll about its axis, without any inertia to do so"
    if inert and beam.rotary_choice != "none":
        words = "give rotary: {rhoIy: , rhoIz: }, or hold it by a joint"
        yield "stiffness", what, curing(words, Add(("beam", "rotary"), _ROTARY))
    else:
        words = "write rotary_inertia: axial, or hold it by a joint"
        yield "rotary_inertia", what, curing(words, Put("axial", ("rotary_inertia",)))


def _holds(context: Context, beam: Beam, joint: Joint) -> bool:
    """Whether a joint may keep the beam from rolling."""
    driven = [d for d in context.model.drivers.values() if isinstance(d, JointDriver)]
    if any(d.joint == joint.name for d in driven):
        return True
    ref = next(r for r in (joint.parent, joint.child) if r.split(".")[0] == beam.name)
    if not _on_axis(context, beam, ref.partition(".")[2]):
        return True
    if joint.kind in _TURNS_FREELY:
        return False
    if joint.kind not in _TURNS_ABOUT_AXIS:
        return True
    axis = np.asarray(joint.canonical_axes())[:, 2]
    return bool(abs(axis[0]) < 1 - 1e-9)


def _on_axis(context: Context, beam: Beam, name: str) -> bool:
    """Whether a frame has the axes of the beam and its origin on the axis, for certain."""
    seen: set[str] = set()
    while name:
        frame = beam.frames.get(name)
        if frame is None or name in seen or frame.orientation != IDENTITY:
            return False
        if any(context.number(c) != 0 for c in frame.position[1:]):
            return False
        seen.add(name)
        name = frame.on
    return True
