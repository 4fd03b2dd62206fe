"""Names in elements of a model: references to frames and joints, and names that formulas read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pliant.errors import Fault, ModelError
from pliant.model.fields import Optional, Reference, kinds_of
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import renamed as renamed_tree
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.joints import Joint
from pliant.model.joints.hinges import HINGE
from pliant.model.model import SECTIONS as NOUNS
from pliant.model.model import Model

Rename = Callable[[str], str]
_FRAME = Reference("frame")
SECTIONS = ("formulas", "outputs", "joints", "forces", "drivers", "events", "networks",
            "constraints", "sensors")  # fmt: skip
"""Sections whose elements name frames or read names in formulas."""


def renamed(element: Any, rename: Rename) -> Any:
    """A dataclass with frame references and names in formulas replaced."""
    kinds = kinds_of(element)
    changes = {}
    for f in dataclasses.fields(element):
        if not f.init:
            continue
        old, kind = getattr(element, f.name), kinds.get(f.name)
        kind = kind.kind if isinstance(kind, Optional) else kind
        refers = f.name == "frame" if kind is None else kind == _FRAME
        new = rename(old) if refers and isinstance(old, str) else mapped(old, rename)
        if new is not old:
            changes[f.name] = new
    return dataclasses.replace(element, **changes) if changes else element


def mapped(value: Any, rename: Rename) -> Any:
    """Formulas anywhere in a value; the value itself where nothing changes."""
    if isinstance(value, Formula):
        tree = renamed_tree(value.tree, rename)
        return value if tree == value.tree else from_tree(tree)
    if isinstance(value, Mapping):
        pairs = {k: mapped(v, rename) for k, v in value.items()}
        same = all(pairs[k] is v for k, v in value.items())
        return value if same else FrozenDict(pairs)
    if isinstance(value, tuple):
        items = tuple(mapped(v, rename) for v in value)
        same = all(a is b for a, b in zip(items, value, strict=True))
        return value if same else items
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return renamed(value, rename)
    return value


def spoken(model: Model) -> set[str]:
    """Frames as `body.frame` in references, formulas and observables asked for."""
    found: list[str] = list(model.settings.observe)

    def listen(name: str) -> str:
        found.append(name)
        return name

    for section in SECTIONS:
        for element in getattr(model, section).values():
            renamed(element, listen)
    return {".".join(name.split(".")[:2]) for name in found}


def refuse_unknown_hinges(model: Model, joints: Mapping[str, Joint]) -> None:
    """Every name of a hinge, or of a coordinate of one, must be that of a joint of a beam that was
    cut; raises ModelError with all that are not."""
    faults = []
    for who, path, name in dict.fromkeys(_hinges_named(model)):
        owner, _, quantity = name.partition(".")
        beam = owner.partition(":")[0]
        if owner not in joints:
            own = [n for n in joints if n.partition(":")[0] == beam and HINGE.fullmatch(n)]
            cure = f"hinges of {beam} are {own[0]} to {own[-1]}" if own else f"{beam} has none"
            faults.append(Fault(who, f"there is no hinge '{owner}'", cure, path=path))
            continue
        scalars = joints[owner].scalars
        known = [n for c in scalars for n in (c.name, c.rate)]
        if quantity and quantity not in known:
            cure = did_you_mean(quantity, known) or f"it has {', '.join(known)}"
            what = f"hinge '{owner}' has no coordinate '{quantity}'"
            faults.append(Fault(who, what, cure, path=path))
        elif not quantity and len(scalars) > 1:
            what = f"hinge '{owner}' has several coordinates"
            cure = f"add coordinate: one of {', '.join(c.name for c in scalars)}"
            faults.append(Fault(who, what, cure, path=path))
    if faults:
        raise ModelError(faults, f"model '{model.name}'" if model.name else "")


def _hinges_named(model: Model) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Who names a hinge, its path, and the name, with a coordinate where one is named."""
    for section, name, element in model.elements():
        who = f"{NOUNS[section]} '{name}'"
        joint, coordinate = getattr(element, "joint", ""), getattr(element, "coordinate", None)
        if joint and HINGE.fullmatch(str(joint)):
            spoken_of = f"{joint}.{coordinate}" if coordinate else str(joint)
            yield who, (section, name), spoken_of
    for who, path, _, f, _ in model.each_formula():
        for name in sorted(f.names):
            owner, _, quantity = name.partition(".")
            measured = path[0] in ("outputs", "events") and not quantity.startswith(_COORDINATES)
            if HINGE.fullmatch(owner) and not measured:
                yield who, path, name


_COORDINATES = ("angle", "displacement", "d1", "d2", "d3")
