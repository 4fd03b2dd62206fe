"""Elements that are put on the generated graph of the mechanism: each becomes an element of the
model, a force, a driver, a joint, or one of a network that is attached there."""

from __future__ import annotations

from typing import Any, Literal

from pliant.errors import InputError, PliantError
from pliant.graphs.spanning_tree import GROUND
from pliant.model.joints import JOINTS
from pliant.model.model import Model
from pliant.model.networks.kinds import UNITS
from pliant.records import dataclass
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.elements.adding import add as add_to_model
from pliant.studio.operations.joints import connect as connect_frames
from pliant.studio.operations.networks.adding import add_element, add_network
from pliant.studio.operations.networks.bonds import connect_bond
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.ends import is_attachment
from pliant.studio.operations.registry import operation

NEW = "new network"
_ATTACHED = ("I", "GY", "TF")
_ON_FRAMES = ("R", "C", *_ATTACHED)
_SPEEDS = ("u", "")
_FRAMES = {"v": "translation", "R": "translation", "w": "rotation", "W": "rotation"}


@dataclass(frozen=True, slots=True)
class Target:
    """What a generated junction is of: the rate of a joint coordinate, or the motion of a frame."""

    what: Literal["joint", "frame"]
    name: str
    domain: str = ""
    coordinates: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """As bonds of networks speak of it."""
        turning = ":rotation" if self.what == "frame" and self.domain == "rotation" else ""
        return f"{self.what}:{self.name}{turning}"

    @property
    def said(self) -> str:
        if self.what == "joint":
            return f"the {' and '.join(self.coordinates)} of joint {self.name}"
        motion = "angular velocity" if self.domain == "rotation" else "velocity"
        return f"the {motion} of {self.name}"


def target_of(model: Model, name: str) -> Target:
    """What a generated junction stands for; raises InputError if nothing can be put on it."""
    own, _, local = name.partition(".")
    if own in model.joints and local in _SPEEDS:
        joint = model.joints[own]
        names = tuple(c.name for c in joint.scalars)
        if not names:
            raise InputError(f"joint {own} has no single coordinate", "choose a frame instead")
        turns = {c.unit == "rad" for c in joint.scalars}
        return Target("joint", own, {True: "rotation", False: "translation"}[turns.pop()]
                      if len(turns) == 1 else "", names)  # fmt: skip
    owner, _, last = name.rpartition(".")
    if last in _FRAMES and owner and owner.partition(".")[0] == GROUND:
        raise InputError("the ground does not move", "choose a joint or a body")
    if last in _FRAMES and owner:
        frame = _frame(model, owner)
        if frame:
            return Target("frame", frame, _FRAMES[last])
    frame = _frame(model, name)
    if frame and frame != GROUND:
        return Target("frame", frame, "translation")
    raise InputError(f"nothing can be put on '{name}'",
                     "choose the speeds of a joint, or the velocity of a frame")  # fmt: skip


def _frame(model: Model, name: str) -> str:
    """The name of a frame of the file, or a body; empty for neither."""
    try:
        model.frame(name)
    except PliantError:
        return ""
    return name


@operation("graph.gesture")
def gesture(
    draft: Draft, kind: str, on: str, network: str = "", coordinate: str = "", value: Any = None
) -> None:
    """Put an element on a junction of the mechanism: it becomes a force, a spring, a driver, or an
    element of a network that is attached there."""
    target = target_of(draft.model, on)
    if kind in _made_of(target) and not (network and kind in _ON_FRAMES):
        _element(draft, kind, _with_coordinate(target, coordinate), coordinate, value)
        return
    if kind not in _ON_FRAMES:
        known = ", ".join(dict.fromkeys((*_made_of(target), *_ON_FRAMES)))
        raise InputError(f"{kind} cannot be put on {target.said}", f"take one of {known}")
    name = _network(draft, target, network)
    own = target.reference + (f".{coordinate}" if coordinate and target.what == "joint" else "")
    add_element(draft, name, kind, on=own, value=value)
    draft.label = f"put {kind} on {target.said}"


def _made_of(target: Target) -> tuple[str, ...]:
    """Kinds that become elements of the mechanism."""
    return ("Se", "R", "C", "Sf") if target.what == "joint" else ("Se", "Sf")


def _with_coordinate(target: Target, coordinate: str) -> Target:
    """Refuse a joint with several coordinates of which none is named: it is asked."""
    if target.what == "joint" and len(target.coordinates) > 1 and not coordinate:
        raise Question(f"Which coordinate of joint {target.name}?",
                       [(c, {"coordinate": c}) for c in target.coordinates],
                       (target.name,))  # fmt: skip
    return target


def _element(draft: Draft, kind: str, target: Target, coordinate: str, value: Any) -> None:
    section, of, fields = _as_element(draft.model, kind, target, coordinate)
    if value is not None and fields:
        fields[next(iter(fields))] = value
    elif value is not None:
        fields["effort"] = value
    if coordinate and target.what == "joint" and len(target.coordinates) > 1:
        fields["coordinate"] = coordinate
    add_to_model(draft, section, of, fields=fields, frame=target.name)


def _as_element(
    model: Model, kind: str, target: Target, coordinate: str
) -> tuple[str, str, dict[str, Any]]:
    """Section, kind and fields of the element of the model that a gesture makes."""
    domain = _domain(model, target, coordinate)
    units = UNITS[domain]
    if target.what == "frame":
        name = "torque" if target.domain == "rotation" else "force"
        if kind == "Se":
            return "forces", name, {name: [f"1 {units['effort']}", 0, 0]}
        rate = "angular_velocity" if target.domain == "rotation" else "velocity"
        return "drivers", "frame", {rate: [f"1 {units['flow']}", 0, 0]}
    if kind == "Se":
        return "forces", "actuator", {}
    if kind == "Sf":
        return "drivers", "joint", {"velocity": f"1 {units['flow']}"}
    key, unit = ("damping", "resistance") if kind == "R" else ("stiffness", "stiffness")
    return "forces", "joint_spring", {key: f"1 {units[unit]}"}


def _domain(model: Model, target: Target, coordinate: str) -> str:
    if target.what == "frame":
        return target.domain
    scalars = model.joints[target.name].scalars
    own = next((c for c in scalars if c.name == coordinate), scalars[0])
    return "rotation" if own.unit == "rad" else "translation"


def _network(draft: Draft, target: Target, network: str) -> str:
    """The network that is attached: the one that is named, the only one, or a new one."""
    known = [*draft.model.networks]
    if network and network != NEW:
        return Drawn(draft, network).name
    if network != NEW and len(known) == 1:
        return known[0]
    if network != NEW and known:
        choices = [(f"network {n}", {"network": n}) for n in known]
        raise Question(f"Which network is attached to {target.said}?",
                       [*choices, ("a new network", {"network": NEW})], (target.name,))  # fmt: skip
    add_network(draft, domain=target.domain)
    assert draft.selection
    return draft.selection[0]


@operation("graph.bond")
def bond(draft: Draft, a: str, b: str, kind: str = "", network: str = "", junction: str = "",
         coordinate: str = "", kind_hint: str = "") -> None:  # fmt: skip
    """Bond two junctions of the mechanism, which becomes a joint between two frames; or one of it
    and an element of a network, which is attached there."""
    ends = [_side(draft.model, name) for name in (a, b)]
    if isinstance(ends[0], Target) and isinstance(ends[1], Target):
        _joint(draft, ends[0], ends[1], kind)
        return
    if not isinstance(ends[0], Target) and not isinstance(ends[1], Target):
        if ends[0][0] != ends[1][0]:
            raise InputError(f"{a} and {b} are in two networks", "bond elements of one network")
        connect_bond(draft, ends[0][0], ends[0][1], ends[1][1], junction, kind_hint)
        return
    own = next(e[0] for e in ends if not isinstance(e, Target))
    more = f".{coordinate}" if coordinate else ""
    first, second = (e.reference + more if isinstance(e, Target) else e[1] for e in ends)
    try:
        connect_bond(draft, own, first, second, junction, kind_hint)
    except Question as question:
        raise _asked(question) from None


def _asked(question: Question) -> Question:
    """A question about an end, with names that this operation takes."""
    choices = []
    for label, more in question.choices:
        given = next((v for k, v in more.items() if k in ("a", "b") and is_attachment(v)), None)
        name = str(given).rpartition(".")[2] if given else ""
        plain = given is not None and str(given).startswith("joint:")
        choices.append((label, {"coordinate": name} if plain else more))
    return Question(question.what, choices, question.elements)


def _side(model: Model, name: str) -> Target | tuple[str, str]:
    """A junction of the mechanism, or network and element."""
    if is_attachment(name):
        return target_of(model, name.partition(":")[2])
    network, _, local = name.partition(".")
    return (network, local) if network in model.networks and local else target_of(model, name)


def _joint(draft: Draft, a: Target, b: Target, kind: str) -> None:
    if "joint" in (a.what, b.what):
        raise InputError(f"{a.said} and {b.said} cannot be joined",
                         "choose two frames, or a network")  # fmt: skip
    if not kind:
        raise Question(f"Which joint goes between {a.name} and {b.name}?",
                       [(k, {"kind": k}) for k in JOINTS], (a.name, b.name))  # fmt: skip
    connect_frames(draft, a.name, b.name, kind)


# -- said before it is done


def gestures(model: Model, name: str) -> list[dict[str, Any]]:
    """What can be put on a generated junction, and what each would make, in words."""
    target = target_of(model, name)
    found = []
    for kind in dict.fromkeys((*_made_of(target), *_ON_FRAMES)):
        sentence = f"{kind} in a network that is attached to {target.said}"
        if kind in _made_of(target):
            section, of, fields = _as_element(model, kind, target, "")
            about = f" with {', '.join(fields)}" if of == "joint_spring" else ""
            about = f", {next(iter(fields)).replace('_', ' ')}," if section == "drivers" else about
            noun = "driver" if section == "drivers" else of.replace("_", " ")
            sentence = f"{noun}{about} on {target.what} {target.name}"
        found.append({"kind": kind, "title": kind, "symbol": kind, "sentence": sentence,
                      "domain": target.domain, "operation": "graph.gesture",
                      "arguments": {"kind": kind, "on": name}})  # fmt: skip
    return found
