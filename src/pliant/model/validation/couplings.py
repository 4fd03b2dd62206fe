"""Gears, racks and couplings: of positions, with a ratio, holding something, from a known place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.errors import Fault
from pliant.model.constraints import Holding
from pliant.model.constraints.couplings import Position, positions_read
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.validation.context import About, Context
from pliant.model.validation.motions import velocities_read

_RATIOS = {"ratio": "the input would not move", "radius": "the rack would not move"}
_READ = "read coordinates of joints, such as A.angle, or positions of frames"


def coupling_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with constraints that hold a relation of positions."""
    for name, element in context.model.constraints.items():
        relation = element.relation(context.model)
        if relation is None:
            continue
        own = About("constraints", name)
        for key, what in _RATIOS.items():
            f = getattr(element, key, None)
            if f is not None and context.number(f) == 0:
                yield own.fault(f"{key} is 0: {what}", f"give another {key}", key)
        for key in ("position", "input", "output", "pinion", "rack"):
            f = getattr(element, key, None)
            if f is not None:
                at = (element.kind,) if key == element.main else (element.kind, key)
                for what, cure in _side(context.model, key, f):
                    yield own.fault(what, cure, *at)
        for what, cure in _whole(context, element, relation):
            yield own.fault(what, cure, element.kind)


def _side(model: Model, key: str, f: Formula) -> Iterator[tuple[str, str]]:
    read = positions_read(model, f)
    strange = sorted(velocities_read(model, f))
    if strange:
        what = f"{key}: '{f.text}' reads the velocity '{strange[0]}'"
        yield what, "read positions here, or write the constraint as velocity: a formula of rates"
    still = {*model.all_parameters(), *model.signals, "t"} | {p.name for p in read}
    others = sorted(f.names - still - {*strange} - _known(model))
    if others:
        yield f"{key}: '{others[0]}' is no position", _READ
        return
    wrapped = [n for n in sorted(f.names) if _is_wrapped(model, n)]
    if wrapped:
        what = f"{key}: '{wrapped[0]}' is known only up to whole turns"
        yield what, "read the angle of a revolute, cylindrical, planar, universal or screw joint"
    elif not read and not strange:
        yield f"{key}: '{f.text}' reads no position", _READ


def _known(model: Model) -> set[str]:
    return {f"{j.name}.{n}" for j in model.joints.values() for n in j.told_names}


def _is_wrapped(model: Model, name: str) -> bool:
    """Whether it is an angle of a full rotation."""
    owner, _, quantity = name.partition(".")
    joint = model.joints.get(owner)
    if joint is None or any(c.name == quantity for c in joint.scalars):
        return False
    return quantity in joint.told_names


def _whole(context: Context, element: Holding, relation: Formula) -> Iterator[tuple[str, str]]:
    """It must hold something, and the place it starts from must be known."""
    read = positions_read(context.model, relation)
    if read and not _moves(context, relation, read):
        yield "it holds nothing: both sides always move alike", "name two different coordinates"
    framed = [p for p in read if ".position." in p.name]
    if framed and getattr(element, "offset", relation) is None:
        what = f"offset is missing: initial values do not tell '{framed[0].name}'"
        yield what, "add offset"


def _moves(context: Context, relation: Formula, read: list[Position]) -> bool:
    """Whether a relation depends on what it reads, by random numbers; unknown ones may be any."""
    rng = np.random.default_rng(0)
    known = {n: context.values.get(n, rng.uniform(0.3, 0.9)) for n in sorted(relation.names)}
    found = []
    for _ in range(3):
        moved = {p.name: float(rng.uniform(0.3, 0.9)) for p in read}
        found.append(relation.number({**known, **moved}))
    return not all(abs(x - found[0]) <= 1e-12 * (1 + abs(x)) for x in found)
