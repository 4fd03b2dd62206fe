"""Joints: connected, posed, put into the tree or out of it."""

from __future__ import annotations

import math
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.files.document import Path
from pliant.model.frozen import did_you_mean
from pliant.model.joints import Joint
from pliant.model.numbers.units import parse_unit, unit_in
from pliant.studio.operations.draft import NOTHING, Draft
from pliant.studio.operations.elements.adding import add
from pliant.studio.operations.elements.kinds import kind_named
from pliant.studio.operations.elements.naming import listed, require_joint, short
from pliant.studio.operations.loops import Loops
from pliant.studio.operations.registry import operation

_POSE = ("position", "orientation")


@operation("joint.connect")
def connect(
    draft: Draft, a: str, b: str, kind: str = "revolute", name: str = "",
    fields: dict[str, Any] | None = None, at: list[float] | None = None,
) -> None:  # fmt: skip
    """Connect two frames by a joint. A body that was free until now is placed by it: where it was
    at the start is not said any more. ``at``: where on the ground, a frame is made there."""
    own = kind_named("joints", kind)
    moved = _placed_by(draft, a, b) if own.cls.in_tree and not own.cls.is_free else ""
    add(draft, "joints", kind, name, fields, at, between=[a, b])
    draft.label = draft.label.replace("add", "connect by", 1)
    lost = [key for key in _POSE if moved and draft.has("bodies", moved, "initial", key)]
    for key in lost:
        draft.remove(("bodies", moved, "initial", key), prune=2)
    if lost:
        draft.label += f"; the initial {listed(lost)} of {moved} is left to it"


def _placed_by(draft: Draft, a: str, b: str) -> str:
    """The body that a joint between two frames places: one that nothing else holds."""
    for end in (b, a):
        body = end.partition(".")[0]
        if draft.has("bodies", body) and not _held(draft, body):
            return body
    return ""


def _held(draft: Draft, body: str) -> bool:
    for joint in draft.entries("joints").values():
        ends = joint.get("between") if isinstance(joint, dict) else None
        if isinstance(ends, list) and any(str(e).partition(".")[0] == body for e in ends):
            return True
    return False


@operation("joint.pose")
def pose(
    draft: Draft, values: dict[str, dict[str, Any]], as_guess: bool = False,
    guess: dict[str, dict[str, Any]] | None = None,
) -> None:  # fmt: skip
    """Set the coordinates of joints at the start. Where a loop gives a coordinate already it is
    only a guess, near which assembly looks; ``guess``: those of which this is known."""
    joints, sure = draft.model.joints, guess is not None
    loops = Loops(joints)
    places: dict[Path, Any] = {}
    for given, is_guess in ((values, as_guess), (guess or {}, True)):
        for joint, coordinates in given.items():
            _require_coordinates(draft, joint, [*coordinates])
            for name, value in coordinates.items():
                also = {(p[1], p[3]) for p in places if p[2] == "initial"}
                free = not is_guess and (sure or loops.is_free(joint, name, also))
                key = "initial" if free else "guess"
                places["joints", joint, key, name] = _said(draft, joints[joint], name, value)
    other = {"initial": "guess", "guess": "initial"}
    moved = [(*p[:2], other[p[2]], p[3]) for p in places]
    draft.remove_all({p: 2 for p in moved if draft.has(*p) and p not in places})
    draft.put_all(places)
    told = [f"{p[1]}.{p[3]} = {short(v)}" + (" (guess)" if p[2] == "guess" else "")
            for p, v in places.items()]  # fmt: skip
    draft.label = f"pose {listed(told, 3)}"


def _require_coordinates(draft: Draft, joint: str, names: list[str]) -> None:
    require_joint(draft, joint)
    element = draft.model.joints.get(joint)
    if element is None:
        raise InputError(f"joint '{joint}' cannot be read", "repair it first")
    known = (*element.told_names, *element.rate_names)
    for name in names:
        if name not in known:
            raise UnknownName(f"joint '{joint}' has no coordinate '{name[:40]}'",
                              did_you_mean(name, known))  # fmt: skip


def _said(draft: Draft, joint: Joint, name: str, value: Any) -> Any:
    """A number as people write it: angles in degrees, or in the unit that stands there."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if not math.isfinite(value):
        raise InputError(f"{joint.name}.{name} cannot be {value}", "give a finite number")
    there = [draft.at("joints", joint.name, key, name) for key in ("initial", "guess")]
    old = next((one for one in there if one is not NOTHING), None)
    if isinstance(old, str) and unit_in(old):
        return in_unit(value, unit_in(old))
    turned = any(c.name == name and c.unit == "rad" for c in joint.scalars)
    return in_unit(value, "deg") if turned and not isinstance(old, int | float) else _digits(value)


def in_unit(value: float, unit: str) -> str:
    """A number of SI as a quantity."""
    return f"{_digits(value / parse_unit(unit)[0])} {unit}"


def _digits(value: float) -> float | int:
    """To nine digits, which a picture does not show."""
    rounded = float(f"{value:.9g}")
    rounded = 0.0 if abs(rounded) < 1e-12 else rounded
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


@operation("joint.tree")
def tree(draft: Draft, cut: list[str], uncut: list[str]) -> None:
    """Cut joints, which then close loops, and put others into the tree."""
    both = sorted({*cut} & {*uncut})
    if both:
        raise InputError(f"joint '{both[0]}' cannot be cut and in the tree", "choose one")
    for joint, is_cut in [(j, True) for j in cut] + [(j, False) for j in uncut]:
        require_joint(draft, joint)
        element = draft.model.joints.get(joint)
        if element is not None and not is_cut and not element.in_tree:
            raise InputError(f"a {element.kind} joint is always cut: it has no coordinates",
                             "choose another joint")  # fmt: skip
        draft.put(("joints", joint, "cut"), is_cut)
    told = [f"cut {listed(cut)}"] if cut else []
    told += [f"keep {listed(uncut)} in the tree"] if uncut else []
    draft.label = ", ".join(told) or "the tree stays as it is"
