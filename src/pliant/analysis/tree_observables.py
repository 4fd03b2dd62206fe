"""Observables of a tree that runs as a kernel: the same names and values as those of expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.equations.compiled import Observed, is_element_power
from pliant.equations.tree_model import MOTION, RELATIVE, TreeModel, TreeNumbers
from pliant.model.model import Model
from pliant.solve.dynamics import Dynamics
from pliant.solve.points import observe_rows
from pliant.solve.tree_observe import TreeTable, observe_states

Array = NDArray[np.float64]
XYZ = ("x", "y", "z")
MATRIX = tuple(f"{i}{j}" for j in XYZ for i in XYZ)
_TOTALS = {"kinetic_energy": 0, "potential_energy": 1, "kinetic_energy_rate": 2}
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


class Catalogue:
    """Every observable of a tree by name, found owner by owner."""

    def __init__(self, model: Model, tree: TreeModel) -> None:
        self.model, self.tree = model, tree
        self.link_of_body = {name: i for i, name in enumerate(tree.bodies)}
        self.link_of_joint = {j.name: i for i, j in enumerate(tree.joints)}

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
        """Effort, power and energy of a force."""
        element: Any = self.model.forces[name]
        k = self.tree.forces.index(name)
        joint = self.tree.joints[self.tree.law_link[k]]
        scalar = joint.scalars[self.tree.law_u[k] - self.tree.u[self.tree.law_link[k]]]
        label, unit = ("torque", "N*m") if scalar.unit == "rad" else ("force", "N")
        yield f"{name}.{label}", Source("law", k, 0, unit, name, "effort")
        yield f"{name}.power", Source("law", k, 1, "W", name, "power")
        if element.kind == "joint_spring" and element.effort is None:
            yield f"{name}.energy", Source("law", k, 2, "J", name, "energy")

    def kinetic(self, body: str) -> Iterator[tuple[str, Source]]:
        """Kinetic energy of a body."""
        source = Source("frame", self.link_of_body[body], ("", "kinetic"), "J", body, "energy")
        yield f"{body}.kinetic_energy", source

    def totals(self) -> Iterator[tuple[str, Source]]:
        """Energies of the system."""
        for name in ("kinetic_energy", "potential_energy", "energy", "kinetic_energy_rate"):
            unit, kind = ("W", "power") if name.endswith("rate") else ("J", "energy")
            yield name, Source("total", 0, name, unit, "", kind)

    def of(self, owners: Sequence[str] | None = None) -> dict[str, Source]:
        """Observables of some owners, of all by default."""
        m = self.model
        chosen = None if owners is None else set(owners)

        def some(names: Mapping[str, Any]) -> list[str]:
            return [n for n in names if chosen is None or n in chosen]

        parts = [self.frames(n) for n in some(m.bodies)]
        parts += [self.coordinates(n) for n in some(m.joints)]
        parts += [self.force(n) for n in some(m.forces)]
        parts += [self.kinetic(n) for n in some(m.bodies)] + [self.totals()]
        parts += [self.reactions(n) for n in some(m.joints)]
        return {name: source for part in parts for name, source in part}


def _relative(
    link: int, part: int, unit: str, owner: str, kind: str, labels: tuple[str, ...]
) -> Source:
    return Source("relative", link, part, unit, owner, kind, labels)


@dataclass(frozen=True, slots=True)
class TreeObserver:
    """The chosen observables of a tree, as rows of numbers for rows of packed x."""

    tree: TreeModel
    numbers: TreeNumbers
    dynamics: Dynamics
    sources: Mapping[str, Source]
    observed: dict[str, Observed] = field(init=False)
    wrapped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        start, observed = 0, {}
        for name, s in self.sources.items():
            observed[name] = Observed(start, s.size, s.unit, s.owner, s.kind, s.labels, "")
            start += s.size
        object.__setattr__(self, "observed", observed)

    @property
    def powers(self) -> tuple[str, ...]:
        """Powers to be integrated to work."""
        return tuple(k for k, o in self.observed.items() if is_element_power(o))

    def evaluate_rows(self, name: str, X: Array, p: Array) -> Array:
        """Observables (O), powers (W) or wrapped angles (A: none) for rows of packed x."""
        chosen = {"O": tuple(self.sources), "W": self.powers, "A": ()}[name]
        sources = [self.sources[k] for k in chosen]
        if not sources or not len(X):
            return np.zeros((len(X), sum(s.size for s in sources)))
        links, joints = (_places(sources, table) for table in ("frame", "reaction"))
        table = observe_states(self.dynamics, X, p, links, joints)
        where = {"frame": _positions(links), "reaction": _positions(joints)}
        columns = [self._column(s, X, table, where) for s in sources]
        return np.concatenate([c.reshape(len(X), -1) for c in columns], axis=1)

    def _column(
        self, s: Source, X: Array, table: TreeTable, where: Mapping[str, Mapping[int, int]]
    ) -> Array:
        tree = self.tree
        if s.table == "q":
            return X[:, 1 + s.index]
        if s.table == "u":
            return X[:, 1 + tree.nq + s.index]
        if s.table == "law":
            return table.laws[:, s.index, s.part]
        if s.table == "total":
            if s.part == "energy":
                both: Array = table.totals[:, 0] + table.totals[:, 1]
                return both
            return table.totals[:, _TOTALS[s.part]]
        if s.table == "reaction":
            return table.reactions[:, where["reaction"][s.index], s.part : s.part + 3]
        if s.table == "relative":
            return self._relative(s, X)
        return self._frame(s, table.motion[:, where["frame"][s.index]])

    def _relative(self, s: Source, X: Array) -> Array:
        """Motion across a joint."""
        tree, link = self.tree, s.index
        kind = tree.kinds[tree.kind[link]]
        q, u = 1 + int(tree.q[link]), 1 + tree.nq + int(tree.u[link])
        rows = np.concatenate([X[:, q : q + kind.nq], X[:, u : u + kind.nu]], axis=1)
        out = np.zeros((len(rows), RELATIVE))
        address = tree.address(f"k{tree.kind[link]}_relative")
        observe_rows(address, rows, len(rows), rows.shape[1], self.numbers.constants[link].copy(),
                     out, RELATIVE)  # fmt: skip
        return out[:, s.part : s.part + s.size]

    def _frame(self, s: Source, motion: Array) -> Array:
        """Motion of a frame P of the body from that of its link frame O."""
        frame, quantity = s.part
        if quantity == "kinetic":
            return motion[:, MOTION]
        R_WO = motion[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)
        p_WO, w, v, alpha, acc = (motion[:, 9 + 3 * k : 12 + 3 * k] for k in range(5))
        R_BO, p_BO = self.numbers.R_BO[s.index], self.numbers.p_BO[s.index]
        X_BP = self.numbers.places[s.owner][frame]
        r = R_BO.T @ (X_BP.p - p_BO)
        if quantity == "orientation":
            R: Array = (R_WO @ (R_BO.T @ X_BP.R)).transpose(0, 2, 1)
            return R.reshape(len(R), 9)
        if quantity == "position":
            return np.asarray(p_WO + R_WO @ r)
        local = {
            "angular_velocity": w, "velocity": v + np.cross(w, r), "angular_acceleration": alpha,
            "acceleration": acc + np.cross(alpha, r) + np.cross(w, np.cross(w, r)),
        }[quantity]  # fmt: skip
        return np.einsum("nij,nj->ni", R_WO, local)


def _places(sources: Sequence[Source], table: str) -> NDArray[np.int64]:
    """Links an observe pass must keep."""
    found = dict.fromkeys(s.index for s in sources if s.table == table)
    return np.array(list(found), dtype=np.int64)


def _positions(indices: NDArray[np.int64]) -> dict[int, int]:
    return {int(i): k for k, i in enumerate(indices)}
