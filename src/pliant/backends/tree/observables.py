"""Names of the observables of a tree that runs as a kernel: the same as those of expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pliant.backends.tree.model import TreeModel
from pliant.model.forces.action import MOMENTA
from pliant.model.formulas import Formula
from pliant.model.model import Model

XYZ = ("x", "y", "z")
MATRIX = tuple(f"{i}{j}" for j in XYZ for i in XYZ)
_FRAME = {
    "position": ("m", "position", XYZ), "orientation": ("1", "rotation", MATRIX),
    "velocity": ("m/s", "velocity", XYZ), "angular_velocity": ("rad/s", "velocity", XYZ),
    "acceleration": ("m/s^2", "acceleration", XYZ),
    "angular_acceleration": ("rad/s^2", "acceleration", XYZ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """Where an observable comes from: a table, a place in it, and which part."""

    table: str
    index: int
    part: Any
    unit: str
    owner: str
    kind: str
    labels: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return max(len(self.labels), 1)


Reads = dict[str, tuple[Source, int] | None]
"""Component of an observable by the name a formula reads it by; None if the kernel does not tell
it."""


class Catalogue:
    """Every observable of a tree by name, found owner by owner."""

    def __init__(self, model: Model, tree: TreeModel) -> None:
        self.model, self.tree = model, tree
        self.link_of_body = {name: i for i, name in enumerate(tree.bodies)}
        self.link_of_joint = {j.name: i for i, j in enumerate(tree.joints)}
        self.place_of_force = {name: i for i, name in enumerate(tree.forces)}

    def frames(self, body: str) -> Iterator[tuple[str, Source]]:
        """Motion of the frames of a body."""
        link = self.link_of_body[body]
        for frame in ("", *self.model.bodies[body].frames):
            owner = f"{body}.{frame}" if frame else body
            for quantity, (unit, kind, labels) in _FRAME.items():
                source = Source("frame", link, (frame, quantity), unit, body, kind, labels)
                yield f"{owner}.{quantity}", source

    def coordinates(self, joint: str) -> Iterator[tuple[str, Source]]:
        """Coordinates and rates of a joint."""
        link = self.link_of_joint[joint]
        own, q, u = self.tree.joints[link], int(self.tree.q[link]), int(self.tree.u[link])
        for k, c in enumerate(own.scalars):
            yield f"{joint}.{c.name}", Source("q", q + k, None, c.unit, joint, "coordinate")
            yield f"{joint}.{c.rate}", Source("u", u + k, None, f"{c.unit}/s", joint, "rate")
        if own.nu > len(own.scalars):
            yield f"{joint}.orientation", _relative(link, 0, "1", joint, "rotation", MATRIX)
            yield f"{joint}.angular_velocity", _relative(link, 12, "rad/s", joint, "rate", XYZ)
        if own.kind == "free":
            yield f"{joint}.displacement", _relative(link, 9, "m", joint, "coordinate", XYZ)
            yield f"{joint}.displacement_rate", _relative(link, 15, "m/s", joint, "rate", XYZ)

    def reactions(self, joint: str) -> Iterator[tuple[str, Source]]:
        """Force and torque of a joint on its child."""
        link = self.link_of_joint[joint]
        if self.tree.joints[link].m:
            for part, name, unit in ((0, "force", "N"), (3, "torque", "N*m")):
                yield f"{joint}.{name}", Source("reaction", link, part, unit, joint, "reaction",
                                                XYZ)  # fmt: skip

    def force(self, name: str) -> Iterator[tuple[str, Source]]:
        """Effort and power of a force; of a spring also energy and power of damping."""
        element: Any = self.model.forces[name]
        k = self.place_of_force[name]
        joint = self.tree.joints[self.tree.law_link[k]]
        scalar = joint.scalars[self.tree.law_u[k] - self.tree.u[self.tree.law_link[k]]]
        label, unit = ("torque", "N*m") if scalar.unit == "rad" else ("force", "N")
        yield f"{name}.{label}", Source("law", k, 0, unit, name, "effort")
        yield f"{name}.power", Source("law", k, 1, "W", name, "power")
        if element.kind == "joint_spring" and element.effort is None:
            yield f"{name}.energy", Source("law", k, 2, "J", name, "energy")
            yield f"{name}.damping.power", Source("law", k, 3, "W", f"{name}.damping", "power")

    def kinetic(self, body: str) -> Iterator[tuple[str, Source]]:
        """Kinetic energy of a body."""
        source = Source(
            "frame", self.link_of_body[body], ("", "kinetic_energy"), "J", body, "energy"
        )
        yield f"{body}.kinetic_energy", source

    def totals(self) -> Iterator[tuple[str, Source]]:
        """Energies of the system."""
        for name in ("kinetic_energy", "potential_energy", "energy", "kinetic_energy_rate"):
            unit, kind = ("W", "power") if name.endswith("rate") else ("J", "energy")
            yield name, Source("total", 0, name, unit, "", kind)

    def momenta(self) -> Iterator[tuple[str, Source]]:
        """Centre of mass and momenta of the system."""
        for name, (unit, kind) in MOMENTA.items() if self.model.has_mass else ():
            yield name, Source("momenta", 0, name, unit, "", kind, XYZ)

    def reads(self, *formulas: Formula) -> Reads:
        """What formulas read besides time and parameters, by name."""
        given = {"t", *self.model.all_parameters()}
        names = dict.fromkeys(n for f in formulas for n in sorted(f.names) if n not in given)
        return {name: self._read(name) for name in names}

    def _read(self, name: str) -> tuple[Source, int] | None:
        """A component of an observable, or a coordinate or speed of a joint."""
        owner, _, quantity = name.partition(".")
        if owner in self.link_of_joint:
            link = self.link_of_joint[owner]
            joint, q, u = self.tree.joints[link], int(self.tree.q[link]), int(self.tree.u[link])
            if quantity in joint.coordinate_names:
                k = joint.coordinate_names.index(quantity)
                return Source("q", q + k, None, "", owner, "coordinate"), 0
            if quantity in joint.rate_names:
                k = joint.rate_names.index(quantity)
                return Source("u", u + k, None, "", owner, "rate"), 0
        known = self.of([owner])
        whole, _, label = name.rpartition(".")
        if name in known and not known[name].labels:
            return known[name], 0
        if whole in known and label in known[whole].labels:
            return known[whole], known[whole].labels.index(label)
        return None

    def of(self, owners: Sequence[str] | None = None) -> dict[str, Source]:
        """Observables of some owners, of all by default."""
        m = self.model
        chosen = None if owners is None else set(owners)

        def some(names: Mapping[str, Any]) -> list[str]:
            return [n for n in names if chosen is None or n in chosen]

        parts = [self.frames(n) for n in some(m.bodies)]
        parts += [self.coordinates(n) for n in some(m.joints)]
        parts += [self.force(n) for n in some(self.place_of_force)]
        parts += [self.kinetic(n) for n in some(m.bodies)] + [self.totals(), self.momenta()]
        parts += [self.reactions(n) for n in some(m.joints)]
        return {name: source for part in parts for name, source in part}


def _relative(
    link: int, part: int, unit: str, owner: str, kind: str, labels: tuple[str, ...]
) -> Source:
    return Source("relative", link, part, unit, owner, kind, labels)
