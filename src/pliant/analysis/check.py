"""What a model is, before any motion: freedom, redundancy, initial state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from pliant.backends.choose import usual_back_end
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.display import Displayed
from pliant.errors import AssemblyError
from pliant.graphs import spanning_tree
from pliant.records import dataclass
from pliant.solve.start.redundancy import degrees
from pliant.study import Study

_PLANAR = 3
"""Redundant equations of one planar loop made of spatial joints."""


@dataclass(frozen=True, slots=True, repr=False)
class CheckReport(Displayed):
    """Counts and remarks; ``str`` is what the command line prints."""

    name: str
    bodies: int
    joints: int
    tree: tuple[str, ...]
    cut: tuple[str, ...]
    coordinates: int
    speeds: int
    constraints: int
    freedom: int
    redundant: dict[str, tuple[int, int]]
    remarks: tuple[str, ...]
    failure: str = ""
    exit_code: int = 0
    networks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Networks and their states."""
    runs_as: str = ""
    """The back end of a run, and why not others."""

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [
            f"{self.name or 'model'}: {_count(self.bodies, 'body', 'bodies')}, "
            f"{_count(self.joints, 'joint', 'joints')}",
            f"  tree joints: {', '.join(self.tree) or 'none'}",
            f"  cut joints:  {', '.join(self.cut) or 'none'}",
            f"  {_count(self.coordinates, 'coordinate', 'coordinates')}, "
            f"{_count(self.speeds, 'speed', 'speeds')}, "
            f"{_count(self.constraints, 'constraint', 'constraints')}",
        ]
        for name, states in self.networks.items():
            what = f"states {', '.join(states)}" if states else "no states"
            lines.append(f"  network {name}: {what}")
        if self.runs_as:
            lines.append(f"  runs as: {self.runs_as}")
        if self.failure:
            lines.append(f"  cannot be assembled: {self.failure}")
            return "\n".join([*lines, *(f"  remark: {r}" for r in self.remarks)])
        lines.append(f"  degrees of freedom: {self.freedom}")
        lines += [f"  {line}" for line in _redundancy(self.redundant)]
        return "\n".join([*lines, *(f"  remark: {r}" for r in self.remarks)])


def _redundancy(redundant: dict[str, tuple[int, int]]) -> list[str]:
    """Redundant constraints by name; all plain planar loops together in one line."""
    planar = [name for name, (lost, _) in redundant.items() if lost == _PLANAR]
    lines = []
    if planar:
        what = "closes a planar loop" if len(planar) == 1 else "close planar loops"
        many = f"{', '.join(planar[:5])} and {len(planar) - 5} more"
        names = ", ".join(planar) if len(planar) <= 6 else many
        lines.append(
            f"redundant, as expected: {names} {what}, {_PLANAR} constraint equations "
            "each repeat what other joints hold (those reactions are not unique)"
        )
    lines += [
        f"redundant: {name}, {lost} of its {rows} constraint equations repeat what others hold "
        "(those reactions are not unique)"
        for name, (lost, rows) in redundant.items()
        if name not in planar
    ]
    return lines


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def check(system: Study, params: Mapping[str, Any] | None = None) -> CheckReport:
    """See ``System.check``."""
    graph = spanning_tree(system.model)
    prepared = prepare(
        system, functions=("constraints", "initial", "tangent", "bodies", "start_states")
    )
    c = prepared.compiled
    counts: dict[str, Any] = dict(
        runs_as=str(usual_back_end(system)),
        name=system.model.name, bodies=len(system.model.bodies), joints=len(system.model.joints),
        tree=tuple(e.joint.name for e in graph.edges), cut=tuple(j.name for j in graph.cuts),
        coordinates=c.nq, speeds=c.nu, constraints=c.m,
        networks={n: tuple(s.name for s in c.layout.x if s.owner == n)
                  for n in system.model.networks},
    )  # fmt: skip
    try:
        state = initial_state(system, prepared, params, 0.0)
    except AssemblyError as error:
        return CheckReport(**counts, freedom=-1, redundant={}, remarks=system.doubts(params),
                           failure=str(error), exit_code=error.exit_code)  # fmt: skip
    d = degrees(c, state.x, state.p)
    return CheckReport(**counts, freedom=d.freedom, redundant=d.redundant,
                       remarks=(*system.doubts(params), *state.remarks))  # fmt: skip
