"""What a bond can have an end at: junctions, one-ports, two-ports, ports of parts; joints and
frames of the mechanism, of which an attachment is made first."""

from __future__ import annotations

from typing import Any, Literal

from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.model.networks.elements import TWO_PORTS
from pliant.records import dataclass
from pliant.studio.operations.draft import Question
from pliant.studio.operations.networks.drawn import Drawn

Role = Literal["junction", "one-port", "two-port", "part"]
AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
_JOINT, _FRAME = "joint:", "frame:"


@dataclass(frozen=True, slots=True)
class End:
    """An element, or a port of a part. ``domain`` and ``dim`` as far as they are known."""

    name: str
    role: Role
    domain: str = ""
    dim: int = 0
    port: str = ""
    outward: bool = False

    @property
    def said(self) -> str:
        """`mesh`, `port shaft of motor`."""
        return f"port {self.port} of {self.name}" if self.port else self.name


def is_attachment(reference: str) -> bool:
    """Whether a reference speaks of a joint or frame of the mechanism."""
    return reference.startswith((_JOINT, _FRAME))


def end_of(drawn: Drawn, reference: str, argument: str, partner: End | None = None) -> End:
    """The end that a reference means; the attachment of a joint or frame is made if there is none.
    ``argument``: the one to be given anew if it must be asked; ``partner``: what it is bonded to.
    """
    if is_attachment(reference):
        return _attachment(drawn, reference, argument, partner)
    name, port = drawn.local(reference), ""
    if name not in drawn.elements and "." in name:
        name, _, port = name.rpartition(".")
    element = drawn.element(name)
    if element.is_part:
        return _port(drawn, name, port, argument, partner)
    if port:
        raise InputError(f"'{name}' is no part: it has no port '{port}'", f"give {name}")
    return plain_end(drawn, name)


def plain_end(drawn: Drawn, name: str) -> End:
    """An element that is no part."""
    structure, element = drawn.structure, drawn.element(name)
    if name in structure.places:
        place = structure.places[name]
        return End(name, "junction", place.domain, place.dim)
    if element.kind in TWO_PORTS:
        return End(name, "two-port")
    return End(name, "one-port", structure.domain(name), structure.dim(name))


def port_end(drawn: Drawn, name: str, port: str) -> End:
    """A port of a part."""
    place, subgraph = drawn.structure.port(name, port), drawn.structure.parts[name]
    known = (place.domain, place.dim) if place is not None else ("", 0)
    return End(name, "part", *known, port, subgraph.ports[port].outward)


def ports_of(drawn: Drawn, name: str) -> list[str]:
    """Ports of a part; raises InputError if its sub-graph is not known."""
    if name not in drawn.structure.parts:
        raise InputError(f"the sub-graph of part '{name}' cannot be read", "repair it first")
    return [*drawn.structure.parts[name].ports]


def free_ports(drawn: Drawn, name: str) -> list[str]:
    """Ports of a part that are joined to nothing yet."""
    taken = drawn.entry(name).get("ports") or {}
    return [port for port in ports_of(drawn, name) if port not in taken]


def _port(drawn: Drawn, name: str, port: str, argument: str, partner: End | None) -> End:
    ports = ports_of(drawn, name)
    if port:
        if port not in ports:
            raise UnknownName(f"part '{name}' has no port '{port}'", did_you_mean(port, ports))
        return port_end(drawn, name, port)
    free = free_ports(drawn, name)
    if not free:
        raise InputError(f"every port of {name} is joined already", "remove a bond first")
    ends = [port_end(drawn, name, one) for one in free]
    fitting = [e for e in ends if partner is None or fits(e, partner)] or ends
    if len(fitting) > 1:
        raise Question(f"Which port of {name}?",
                       [(e.port, {argument: f"{name}.{e.port}"}) for e in fitting],
                       (drawn.full(name),))  # fmt: skip
    return fitting[0]


def fits(a: End, b: End) -> bool:
    """Whether domains and dimensions agree, as far as they are known."""
    return (not a.dim or not b.dim or a.dim == b.dim) and (
        "" in (a.domain, b.domain) or a.domain == b.domain
    )


# -- joints and frames


def _attachment(drawn: Drawn, reference: str, argument: str, partner: End | None) -> End:
    if drawn.is_subgraph:
        raise InputError("a sub-graph cannot be attached to a joint or frame",
                         "give it a port, and attach the network that holds it")  # fmt: skip
    if reference.startswith(_JOINT):
        entry = _joint(drawn, reference, argument)
    else:
        entry = _frame(drawn, reference, argument, partner)
    for name, known in drawn.elements.items():
        if known == entry:
            return plain_end(drawn, name)
    name = drawn.free((entry.get("joint") or entry["frame"]).rpartition(".")[2])
    drawn.add("elements", name, entry)
    return plain_end(drawn, name)


def _joint(drawn: Drawn, reference: str, argument: str) -> dict[str, Any]:
    """`joint:O` or `joint:O.angle`."""
    name, _, coordinate = reference.removeprefix(_JOINT).partition(".")
    joint = drawn.model.joints.get(name)
    if joint is None:
        raise UnknownName(f"there is no joint '{name}'", did_you_mean(name, drawn.model.joints))
    names = [c.name for c in joint.scalars]
    if not names:
        raise InputError(f"joint {name} has no coordinate that a network can be attached to",
                         "attach it to a frame")  # fmt: skip
    if coordinate and coordinate not in names:
        raise UnknownName(f"joint {name} has no coordinate '{coordinate}'",
                          did_you_mean(coordinate, names))  # fmt: skip
    if len(names) == 1:
        for known in drawn.elements.values():
            if known == {"joint": name, "coordinate": names[0]}:
                return dict(known)
        return {"joint": name}
    if not coordinate:
        raise Question(f"Which coordinate of joint {name}?",
                       [(c, {argument: f"{_JOINT}{name}.{c}"}) for c in names],
                       (name,))  # fmt: skip
    return {"joint": name, "coordinate": coordinate}


def _frame(drawn: Drawn, reference: str, argument: str, partner: End | None) -> dict[str, Any]:
    """`frame:arm.tip`, and behind it `:rotation` and `:x`."""
    name, *about = reference.removeprefix(_FRAME).split(":")
    drawn.model.frame(name)
    entry: dict[str, Any] = {"frame": name}
    if "rotation" in about or (partner is not None and partner.domain == "rotation"):
        entry["rotation"] = True
    axis = next((a for a in about if a in AXES), "")
    if axis:
        entry["direction"] = AXES[axis]
    elif partner is not None and partner.dim == 1 and partner.role != "two-port":
        what = f"{partner.said} has one component, {name} has three. Which one of them?"
        turn = ":rotation" if "rotation" in entry else ""
        raise Question(what, [(f"along {a}", {argument: f"{_FRAME}{name}{turn}:{a}"})
                              for a in AXES], (drawn.full(partner.name),))  # fmt: skip
    return entry
