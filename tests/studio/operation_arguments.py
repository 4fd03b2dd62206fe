"""Arguments for every operation, drawn at random from a model: most fit it, some do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from pliant.model.files.editing.references import definition
from pliant.model.files.names import OWNERS, PREFIXED
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.copying import clip
from pliant.studio.operations.elements.kinds import kind_of, kinds_in, sections
from pliant.studio.operations.elements.usual import PRESETS

NUMBERS = [0, 1, 2.5, -3, "12 mm", "2*t", "0.5 kg", "1 + 2", "3 N", "30 deg", "nope"]
CLIP = "bodies: {wheel: {sphere: {mass: 1 kg, radius: 0.2 m}}}\n"


class Model:
    """What a draft holds, to choose from."""

    def __init__(self, draft: Draft, random: Random) -> None:
        self.draft, self.random = draft, random

    def one(self, of: Iterable[Any], other: Any = "nope") -> Any:
        found = [*of]
        return self.random.choice(found) if found else other

    def some(self, of: Iterable[Any], most: int = 3) -> list[Any]:
        found = [*of]
        return self.random.sample(found, min(len(found), self.random.randint(1, most)))

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    @property
    def bodies(self) -> list[str]:
        return ["ground", *self.draft.entries("bodies")]

    @property
    def own_frames(self) -> list[str]:
        own = [f"{b}.{f}" for b in self.draft.entries("bodies")
               for f in self.draft.entries("bodies", b, "frames")]  # fmt: skip
        return own + [f"ground.{f}" for f in self.draft.entries("ground", "frames")]

    @property
    def frames(self) -> list[str]:
        return self.bodies + self.own_frames

    @property
    def joints(self) -> list[str]:
        return [*self.draft.entries("joints")]

    @property
    def networks(self) -> list[str]:
        return [*self.draft.entries("networks")]

    def elements(self, network: str) -> list[str]:
        return [*self.draft.entries("networks", network, "elements")]

    def bonds(self, network: str) -> list[str]:
        """Bonds that are written, and elements, whose bonds have their names."""
        return [*self.draft.entries("networks", network, "bonds"), *self.elements(network)]

    def two_ports(self, network: str) -> list[str]:
        """Names of bonds whose half arrow is no convention."""
        own = self.draft.entries("networks", network, "elements")
        sides = [f"{name}.{k}" for name, entry in own.items() if isinstance(entry, dict)
                 for k, key in enumerate(("from", "to"), 1) if key in entry]  # fmt: skip
        return [*self.draft.entries("networks", network, "bonds"), *sides]

    @property
    def names(self) -> list[str]:
        """Of everything that has one."""
        found = [n for s in OWNERS for n in self.draft.entries(s)] + self.own_frames
        found += [f"{s}.{n}" for s in PREFIXED for n in self.draft.entries(s)]
        return found + [f"{n}.{e}" for n in self.networks for e in self.elements(n)]

    @property
    def paths(self) -> list[list[str]]:
        """Of all numbers and texts."""
        return [list(p) for p in _leaves((), self.draft.data) if p[0] != "pliant"]

    def coordinates(self) -> dict[str, dict[str, Any]]:
        known = self.draft.model.joints
        told = {j: known[j].told_names for j in self.some(self.joints) if j in known}
        return {j: {self.one(names): self.random.uniform(-1, 1)}
                for j, names in told.items() if names}  # fmt: skip


def _leaves(path: tuple[str, ...], value: Any) -> Iterable[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves((*path, str(key)), inner)
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from _leaves((*path, str(k)), inner)
    else:
        yield path


def _add(m: Model) -> dict[str, Any]:
    section = m.one(sections())
    kind = m.one(k for k in kinds_in(section) if "file" not in kinds_in(section)[k].needed)
    ends = kinds_in(section)[kind].ends
    presets = [key for key, p in PRESETS.items() if p.section == section and p.kind == kind]
    out: dict[str, Any] = {"section": section, "kind": m.one(presets) if presets else kind}
    if ends == "frames":
        out["between"] = [m.one(m.frames), m.one(m.frames)]
    elif ends != "none":
        out["frame"] = m.one(m.frames if ends == "frame" else m.joints)
    if m.chance(0.3):
        out["at"] = [round(m.random.uniform(-1, 1), 3) for _ in range(3)]
    return out


def _kind(m: Model) -> dict[str, Any]:
    name = m.one(n for s in ("bodies", "joints", "forces") for n in m.draft.entries(s))
    section = next((s for s in OWNERS if name in m.draft.entries(s)), "bodies")
    old = kind_of(section, m.draft.at(section, name))
    same = [k for k, v in kinds_in(section).items() if old and v.ends == old.ends]
    return {"name": name, "kind": m.one(same)}


def _paste(m: Model) -> dict[str, Any]:
    names = [n for n in m.names if not n.startswith("parameters.")]
    whole = [n for n in names if len(definition(m.draft.data, n)) == 2]
    if not whole or m.chance(0.5):
        return {"text": CLIP}
    return {"text": clip(m.draft, m.some(whole))}


def _in_network(more: Callable[[Model, str], dict[str, Any]]) -> Callable[[Model], dict[str, Any]]:
    def drawn(m: Model) -> dict[str, Any]:
        network = m.one(m.networks)
        return {"network": network, **more(m, network)}

    return drawn


def _connect(m: Model, network: str) -> dict[str, Any]:
    ends = m.elements(network) + [f"joint:{j}" for j in m.joints[:3]]
    return {"a": m.one(ends), "b": m.one(ends), "junction": m.one(["", "0", "1"])}


def _place(m: Model) -> dict[str, Any]:
    network = m.one(m.networks)
    chosen = m.some(m.elements(network))
    return {"places": {network: {e: [m.random.randint(-9, 9), 2] for e in chosen}}}


def _port(m: Model) -> dict[str, Any]:
    subgraph = m.one(m.draft.entries("subgraphs"))
    elements = [*m.draft.entries("subgraphs", subgraph, "elements")]
    return {"network": f"subgraphs.{subgraph}", "junction": m.one([*elements, ""]),
            "outward": m.chance(0.5)}  # fmt: skip


def _twoport(m: Model) -> str:
    return str(m.one(["0", "1", "TF", "GY", "R", "Se"]))


ARGUMENTS: dict[str, Callable[[Model], dict[str, Any]]] = {
    "parameter.set": lambda m: {
        "name": m.one([*m.draft.entries("parameters"), "fresh"]), "value": m.one(NUMBERS)},
    "parameter.remove": lambda m: {"name": m.one(m.draft.entries("parameters"))},
    "parameter.extract": lambda m: {"path": m.one(m.paths), "name": f"p{m.random.randint(0, 99)}"},
    "element.add": _add,
    "element.set": lambda m: {"path": m.one(m.paths), "value": m.one(NUMBERS)},
    "element.unset": lambda m: {"path": m.one(m.paths)},
    "element.type": lambda m: {
        "path": m.one(m.paths), "text": m.one(["1", "2 m", "[1, 2, 3]", "x", "[", "", "yes"])},
    "element.kind": _kind,
    "element.rename": lambda m: {
        "name": m.one(m.names), "new": m.one(["a b", "x", f"n{m.random.randint(0, 99)}"])},
    "element.remove": lambda m: {"names": m.some(m.names, 2)},
    "element.duplicate": lambda m: {"names": m.some(m.names)},
    "element.paste": _paste,
    "element.key": lambda m: {"path": m.one(m.paths), "new": f"key{m.random.randint(0, 9)}"},
    "element.word": lambda m: {
        "path": m.one(m.paths), "word": m.one([*m.draft.entries("parameters"), "0"]), "new": "2"},
    "element.once": lambda m: {"path": m.one(m.paths)},
    "element.shift": lambda m: {"path": (p := m.one(m.paths)), "to": [*p[:-1], "shifted"]},
    "section.remove": lambda m: {"name": m.one(m.draft.data)},
    "model.version": lambda m: {},
    "body.frame": lambda m: {"body": m.one(m.bodies), "at": [0.1, m.one(NUMBERS), 0]},
    "frame.move": lambda m: {
        "name": m.one(m.own_frames), "at": [round(m.random.uniform(-1, 1), 4), 0.2, 0]},
    "joint.connect": lambda m: {
        "a": m.one(m.frames), "b": m.one(m.frames), "kind": m.one(kinds_in("joints"))},
    "joint.pose": lambda m: {"values": m.coordinates(), "as_guess": m.chance(0.3)},
    "joint.tree": lambda m: {"cut": m.some(m.joints, 1), "uncut": []},
    "mechanism.pose": lambda m: {"initial": m.coordinates()},
    "settings.set": lambda m: {
        "key": m.one(["t_end", "every", "rtol", "method"]), "value": m.one([1, "2 s", None, "x"])},
    "network.add": lambda m: {"domain": m.one(["electrical", "rotation", "hydraulic"])},
    "network.element": _in_network(lambda m, n: {
        "kind": m.one(["0", "1", "Se", "Sf", "R", "C", "I", "TF", "GY"]),
        "on": m.one([*m.elements(n), ""]), "junction": m.one(["", "0", "1"])}),
    "bond.connect": _in_network(_connect),
    "bond.remove": _in_network(lambda m, n: {"bond": m.one(m.bonds(n))}),
    "bond.reverse": _in_network(lambda m, n: {"bond": m.one(m.two_ports(n) or m.bonds(n))}),
    "bond.split": _in_network(lambda m, n: {"bond": m.one(m.bonds(n)), "kind": _twoport(m)}),
    "bond.stroke": _in_network(lambda m, n: {
        "bond": m.one(m.bonds(n)), "end": m.one(["tail", "head", ""])}),
    "graph.group": _in_network(lambda m, n: {"names": m.some(m.elements(n))}),
    "graph.ungroup": _in_network(lambda m, n: {"part": m.one(m.elements(n))}),
    "graph.gesture": lambda m: {
        "kind": m.one(["Se", "R", "C", "Sf", "I"]), "on": m.one(m.joints + m.own_frames)},
    "graph.bond": lambda m: {"a": m.one(m.joints + m.own_frames), "b": m.one(m.own_frames)},
    "graph.port": _port,
    "view.place": _place,
    "view.fold": lambda m: {"names": m.some(m.bodies), "folded": m.chance(0.5)},
    "view.tidy": lambda m: {"network": m.one([*m.networks, ""])},
    "view.control": lambda m: {
        "name": m.one(m.draft.entries("parameters")), "range": m.one([[1, 2], None])},
    "view.plot": lambda m: {"panels": [[f"{m.one(m.bodies)}.position.x"]]},
}  # fmt: skip
