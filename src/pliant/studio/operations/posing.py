"""The pose that a mechanism was moved to by hand, as its start."""

from __future__ import annotations

from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.naming import listed, require_joint, short
from pliant.studio.operations.registry import operation

Told = dict[str, dict[str, Any]]


@operation("mechanism.pose")
def pose(
    draft: Draft, initial: Told | None = None, guess: Told | None = None,
    bodies: Told | None = None,
) -> None:  # fmt: skip
    """Start in a pose: coordinates that are given, others that are only guessed, and poses of
    bodies that hang on no joint."""
    told = [
        *_joints(draft, "initial", initial or {}),
        *_joints(draft, "guess", guess or {}),
        *_bodies(draft, bodies or {}),
    ]
    if not told:
        raise InputError("no pose was given", "give coordinates of joints")
    draft.label = f"pose {listed(told, 3)}"


def _joints(draft: Draft, key: str, values: Told) -> list[str]:
    told = []
    for joint, coordinates in values.items():
        require_joint(draft, joint)
        element = draft.model.joints.get(joint)
        known = () if element is None else element.told_names
        for name, value in coordinates.items():
            if name not in known:
                raise UnknownName(f"joint '{joint}' has no coordinate '{name[:40]}'",
                                  did_you_mean(name, known))  # fmt: skip
            if key == "initial" and draft.has("joints", joint, "guess", name):
                draft.remove(("joints", joint, "guess", name), prune=2)
            draft.put(("joints", joint, key, name), value)
            told.append(f"{joint}.{name} = {short(value)}")
    return told


def _bodies(draft: Draft, values: Told) -> list[str]:
    told = []
    for body, own in values.items():
        if not draft.has("bodies", body):
            raise UnknownName(f"there is no body '{body[:40]}'",
                              did_you_mean(body, draft.at("bodies") or {}))  # fmt: skip
        for key in own:
            if key not in ("position", "orientation"):
                raise UnknownName(f"the pose of a body has no '{key[:40]}'",
                                  "give position and orientation")  # fmt: skip
            draft.put(("bodies", body, "initial", key), own[key])
        told.append(f"{body} at {short(own.get('position', 'its place'))}")
    return told
