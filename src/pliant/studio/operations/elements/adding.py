"""New elements, with what they need filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.drivers import LEVELS
from pliant.model.frozen import did_you_mean
from pliant.model.joints import Joint
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.kinds import ElementKind, kind_named
from pliant.studio.operations.elements.naming import (
    free_letter,
    free_name,
    given_name,
    listed,
    require_frame,
    require_joint,
    tidy,
)
from pliant.studio.operations.elements.usual import PRESETS, STEEL, first_fields
from pliant.studio.operations.registry import operation

_LONE = ("parameters", "speeds", "outputs")
"""Sections whose entries are a formula alone."""


@operation("element.add")
def add(
    draft: Draft, section: str, kind: str, name: str = "", fields: dict[str, Any] | None = None,
    at: list[float] | None = None, between: list[str] | None = None, frame: str = "",
) -> None:  # fmt: skip
    """Add an element of a kind; what it needs and is not given gets a usual value with its unit.

    ``between`` names two frames, ``frame`` the frame or joint it acts on. ``at`` is where it was
    dropped, in world axes: a body begins there, and on the ground a frame is made there.
    """
    preset = PRESETS.get(kind)
    given = {**(preset.fields if preset and preset.section == section else {}), **(fields or {})}
    own = kind_named(section, preset.kind if preset and preset.section == section else kind)
    target = (section, "")
    title = preset.title if preset else own.title
    new = given_name(draft, target, name) if name else ""
    on = frame or str(given.pop(own.reference[0], "") or "")
    ends = _ends(draft, own, between or [], on)
    new = new or _chosen(draft, own, preset.name if preset else "", ends)
    if at is not None and own.pair:
        ends["between"] = [_placed(draft, end, at, new) for end in ends["between"]]
    entry = _entry(draft, own, given, ends, on)
    if at is not None and section == "bodies":
        entry = _begun(entry, at)
    draft.insert((section,), new, entry)
    where = listed(ends["between"] if own.pair else [*ends.values()])
    draft.label = f"add {title} {new}" + (f" on {where}" if where else "")
    draft.selection = (new if section not in _PREFIXED else f"{_PREFIXED[section]}.{new}",)


_PREFIXED = {"parameters": "parameters", "formulas": "formulas", "materials": "materials",
             "signals": "signals", "speeds": "speeds", "outputs": "outputs", "events": "events",
             "stop": "events"}  # fmt: skip
"""How the names begin of what is not known by its name alone."""


# -- what it stands on


def _ends(draft: Draft, kind: ElementKind, between: list[str], frame: str) -> dict[str, Any]:
    """The keys of the entry that say what it stands on."""
    noun = kind.title
    if kind.pair:
        if len(between) != 2:
            raise InputError(f"a {noun} stands between two frames",
                             "give two of them, such as ground and crank.A")  # fmt: skip
        if between[0] == between[1]:
            raise InputError(f"both ends of the {noun} are {between[0]}", "choose two frames")
        return {"between": [require_frame(draft, end) for end in between]}
    if between:
        raise InputError(f"a {noun} does not stand between two frames", "leave between out")
    key, to = kind.reference
    if not key:
        return {}
    if not frame:
        raise InputError(f"a {noun} acts on a {to}", f"name the {to}")
    require = require_frame if to == "frame" else require_joint
    return {key: require(draft, frame)}


def _placed(draft: Draft, end: str, at: list[float], name: str) -> str:
    """The ground at a place: a new frame there, named like what is attached to it."""
    place = _place(at)
    if end != "ground" or not any(place):
        return end
    target = ("ground", "frames", "")
    frame = free_name(draft, target, name)
    draft.insert(("ground", "frames"), frame, place)
    return f"ground.{frame}"


def _place(at: list[float]) -> list[float]:
    if len(at) != 3:
        raise InputError(f"a place has three coordinates, not {len(at)}", "give [x, y, z]")
    return [tidy(x) for x in at]


def _begun(entry: dict[str, Any], at: list[float]) -> dict[str, Any]:
    """A body that begins where it was dropped."""
    place = _place(at)
    if not any(place) or "initial" in entry:
        return entry
    return {**entry, "initial": {"position": place}}


# -- its name


def _chosen(draft: Draft, kind: ElementKind, usual: str, ends: Mapping[str, Any]) -> str:
    target = (kind.section, "")
    if kind.section == "joints":
        return joint_name(draft, kind.kind, ends["between"])
    words = {"materials": "steel", "parameters": "p", "outputs": "y", "speeds": "u",
             "formulas": "phi",
             "drivers": "drive", "stop": "end"}  # fmt: skip
    return free_name(draft, target, usual or words.get(kind.section, kind.kind))


def joint_name(draft: Draft, kind: str, ends: list[str]) -> str:
    """A joint is named by a letter: that of a frame it joins, O at the ground, or the next one."""
    letters = [name for end in ends if len(name := end.rpartition(".")[2]) == 1]
    wanted = letters[0] if letters else "O" if "ground" in ends else ""
    return free_letter(draft, ("joints", ""), wanted)


# -- what it says


def _entry(
    draft: Draft, kind: ElementKind, given: dict[str, Any], ends: dict[str, Any], on: str
) -> Any:
    """The entry of the file."""
    if kind.section in _LONE:
        said = [given[key] for key in ("formula", "value") if key in given]
        return said[0] if said else _formula(draft, kind, on)
    known = {**kind.fields, **_FILES.get(kind.section, {})}
    for key in given:
        if key not in known and not (kind.section == "drivers" and kind.kind == "joint"):
            raise UnknownName(f"a {kind.title} has no '{key[:40]}'",
                              did_you_mean(key, known))  # fmt: skip
    if kind.needed in (("formula",), ("when",)):
        (key,) = kind.needed
        given = given if key in given else {key: _formula(draft, kind, on), **given}
    if _SIDES.keys() & kind.needed:
        given = {**_sides(draft, kind), **given}
    if "file" in kind.needed and "file" not in given:
        raise InputError(f"{kind.title}: what it is stands in a file", "name the file")
    straight = False
    if "coordinate" in kind.outside:
        given, straight = _along(draft, ends["joint"], given, kind)
    fields = first_fields(kind, given, straight)
    if kind.section == "drivers" and any(key not in known for key in given):
        fields = {key: value for key, value in fields.items() if key in given}
    if "material" in fields and "material" not in given:
        fields["material"] = _material(draft)
    return written(kind, fields, ends)


_SIDES = {"input": ("rad", "m"), "output": ("rad", "m"), "rack": ("m",), "pinion": ("rad",),
          "position": ("rad", "m")}  # fmt: skip
"""Fields that read a coordinate of a joint, and its units."""


def _sides(draft: Draft, kind: ElementKind) -> dict[str, Any]:
    """Coordinates to be coupled, a different one for each side; where no joint slides, a position
    of a body."""
    joints = draft.model.joints.values()
    free = {f"{j.name}.{c.name}": c.unit for j in joints for c in j.scalars}
    found: dict[str, Any] = {}
    for key in kind.needed:
        fitting = [name for name, unit in free.items() if unit in _SIDES.get(key, ())]
        if fitting:
            found[key] = fitting[0]
            del free[fitting[0]]
        elif key == "rack" and draft.model.bodies:
            found |= {key: f"{next(iter(draft.model.bodies))}.position.x", "offset": "0 m"}
        elif key in _SIDES:
            raise InputError(f"a {kind.title} couples coordinates of joints", "add a joint first")
    return found


_FILES: dict[str, dict[str, Any]] = {
    "signals": dict.fromkeys(("file", "time", "value", "points", "times", "values"))
}
"""Keys of files that are no fields of their classes."""


def written(kind: ElementKind, fields: Mapping[str, Any], ends: Mapping[str, Any]) -> Any:
    """The entry of an element with these fields, as short as files have it."""
    inside = {k: v for k, v in fields.items() if k in kind.inside}
    order = [*kind.outside, *fields]
    outside = {k: fields[k] for k in sorted(fields, key=order.index) if k not in kind.inside}
    if not kind.keyed or not (kind.inside or kind.pair):
        alone = {*outside} == {"when"}
        return outside["when"] if alone else {**ends, **outside}
    main: Any = inside[kind.main] if [*inside] == [kind.main] else inside
    return {kind.kind: main, **ends, **outside}


def _along(draft: Draft, joint: str, given: dict[str, Any], kind: ElementKind
           ) -> tuple[dict[str, Any], bool]:  # fmt: skip
    """With the coordinate that is meant, if the joint has several; whether it is a displacement."""
    element: Joint | None = draft.model.joints.get(joint)
    if element is None:
        return given, False
    scalars = {c.name: c for c in (*element.scalars, *element.measured)}
    if not scalars:
        raise InputError(f"joint '{joint}' ({element.kind}) has no single coordinate to act along",
                         "choose another joint")  # fmt: skip
    driven = next((key for key in given if key in scalars), "")
    chosen = str(given.get("coordinate") or driven or next(iter(scalars)))
    if chosen not in scalars:
        raise UnknownName(f"joint '{joint}' has no coordinate '{chosen[:40]}'",
                          did_you_mean(chosen, scalars))  # fmt: skip
    more = {"coordinate": chosen} if len(scalars) > 1 and not driven else {}
    if kind.section == "drivers" and not driven and not any(k in given for k in LEVELS):
        return {**more, **given}, scalars[chosen].unit == "m"
    return {**given, **more}, scalars[chosen].unit == "m"


def _material(draft: Draft) -> str:
    """A material that is there already; the usual one otherwise, which is added."""
    known = draft.entries("materials")
    if known:
        return next(iter(known))
    name = free_name(draft, ("materials", ""), "steel")
    draft.insert(("materials",), name, STEEL)
    return name


def _formula(draft: Draft, kind: ElementKind, on: str) -> Any:
    """A formula of what it stands on: of a joint the coordinate or its rate, of a frame where it
    is or how fast."""
    joints = draft.model.joints
    if kind.reads_rates and not on:
        on = next((name for name, joint in joints.items() if joint.rate_names), "")
        if not on:
            raise InputError(f"a {kind.kind} reads the rate of a joint", "name the joint")
    if on in joints:
        names = joints[on].rate_names if kind.reads_rates else joints[on].told_names
        if not names:
            raise InputError(f"joint '{on}' ({joints[on].kind}) has no coordinates",
                             "choose another joint")  # fmt: skip
        return f"{on}.{names[0]}"
    if on:
        require_frame(draft, on)
        return f"{on}.velocity.x" if kind.reads_rates else f"{on}.position.x"
    return {"parameters": 1, "outputs": "t", "formulas": "t"}.get(kind.section, "t - 1")
