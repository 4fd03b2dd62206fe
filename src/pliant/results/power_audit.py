"""PowerAudit: where energy was supplied, stored, dissipated and exchanged during an interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pliant.display import Plotted
from pliant.records import dataclass
from pliant.registry import ABOVE

Kind = Literal["supplied", "dissipated", "kinetic", "potential", "lifted", "held"]
TITLES: dict[Kind, str] = {
    "supplied": "supplied by sources",
    "dissipated": "dissipated",
    "kinetic": "stored as kinetic energy (I)",
    "potential": "stored as potential energy (C)",
    "lifted": "done against gravity",
    "held": "taken by constraints",
}
"""What the energy of each kind of entry is."""
HEAT = "thermal"
"""Domain whose flow itself is the power; it has a balance of its own."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Energy of one element over the interval, in J: gained by stores, lost in resistances, given
    by sources. ``error``: of its quadrature; 0 if a function of the state or the run gives it."""

    element: str
    group: str
    """Body, joint, force, driver, or network with its domain."""
    kind: Kind
    domain: str
    energy: float
    error: float = 0.0

    @property
    def given(self) -> float:
        """Energy it gave to the system."""
        return self.energy if self.kind == "supplied" else -self.energy


@dataclass(frozen=True, slots=True)
class Exchange:
    """Energy that a transformer or gyrator carried from one domain to another."""

    element: str
    source: str
    target: str
    energy: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Transfer:
    """Energy that went from one group to another."""

    source: str
    target: str
    energy: float


@dataclass(frozen=True, repr=False)
class PowerAudit(Plotted):
    """What became of energy in one run. ``print`` shows the table, ``plot`` the picture."""

    model: str
    start: float
    end: float
    samples: int
    entries: tuple[Entry, ...]
    exchanges: tuple[Exchange, ...]
    transfers: tuple[Transfer, ...]
    turnover: float
    """Energy that went to and fro: half of ∫ |power| dt of all sources, stores and resistances."""
    largest_power: float
    """Of all bonds at all samples, in W; if next to none flows, 1e-6 of the largest |e| |f|."""
    largest_bond: str
    junction_residual: float
    """Largest sum of powers at an element without power, over ``largest_power``."""
    worst_junction: str
    agreement: float
    """Largest difference of the powers of the graph from those that the run recorded, over
    ``largest_power``; nan if it recorded none."""
    failure: str = ""
    """Why the run stopped early, if it did."""

    def total(self, *kinds: Kind, heat: bool = False) -> float:
        """Energy of all entries of some kinds; of the thermal domain if ``heat``."""
        return sum(e.energy for e in self._of(kinds, heat))

    def _of(self, kinds: Iterable[str], heat: bool) -> list[Entry]:
        return [e for e in self.entries if e.kind in kinds and (e.domain == HEAT) == heat]

    @property
    def supplied(self) -> float:
        """By sources, drivers and actuators."""
        return self.total("supplied")

    @property
    def dissipated(self) -> float:
        """In resistances, dampers and friction."""
        return self.total("dissipated")

    @property
    def stored(self) -> float:
        """Gained by inertias and compliances."""
        return self.total("kinetic", "potential")

    @property
    def lifted(self) -> float:
        """Done against gravity."""
        return self.total("lifted")

    @property
    def residual(self) -> float:
        """supplied - dissipated - stored - done against gravity - taken by constraints."""
        return self._residual(heat=False)

    @property
    def heat_residual(self) -> float:
        """The same balance of the thermal domain, where heat flow is the power."""
        return self._residual(heat=True)

    def _residual(self, heat: bool) -> float:
        return sum(e.given for e in self.entries if (e.domain == HEAT) == heat)

    @property
    def error(self) -> float:
        """Estimated error of the quadratures in the balance."""
        return sum(e.error for e in self.entries if e.domain != HEAT)

    @property
    def heat_error(self) -> float:
        """The same of the balance of heat."""
        return sum(e.error for e in self.entries if e.domain == HEAT)

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        names = ("supplied", "dissipated", "stored", "lifted", "residual", "error")
        sums = {name: getattr(self, name) for name in names}
        if self.has_heat:
            sums |= {"heat_residual": self.heat_residual, "heat_error": self.heat_error}
        return {**asdict(self), **sums}

    @property
    def has_heat(self) -> bool:
        """Whether there are thermal elements."""
        return any(e.domain == HEAT for e in self.entries)

    def plot(self, path: str | Path | None = None, **options: Any) -> Any:
        """Bands of energy from sources through bodies, joints and networks to stores and sinks;
        returns the matplotlib figure, and with ``path`` writes it."""
        return ABOVE["plot_power"](self, path=path, **options)

    def __str__(self) -> str:
        span = f"{self.start:g} to {self.end:g} s, {self.samples} samples"
        lines = [f"{self.model or 'model'}: {span}; energies in J"]
        lines += [f"  the run stopped early: {self.failure}"] if self.failure else []
        for kind, title in TITLES.items():  # constraints take next to none: no line of their own
            least = 1e-9 * self.turnover if kind == "held" else 0.0
            lines += _section(title, self._of([kind], heat=False), least)
        if self.exchanges:
            lines.append("exchanged between domains")
            lines += [_line(f"{x.element}: {x.source} to {x.target}", x.energy)
                      for x in self.exchanges]  # fmt: skip
        if self.turnover or not self.has_heat:
            lines.append(
                f"balance: {self.residual:.2g} J of {self.turnover:.4g} J are unaccounted for "
                f"(error of quadrature about {self.error:.1g} J)"
            )
        if self.has_heat:
            for kind, title in TITLES.items():
                lines += _section(f"heat {title}", self._of([kind], heat=True))
            lines.append(f"balance of heat: {self.heat_residual:.2g} J are unaccounted for "
                         f"(error of quadrature about {self.heat_error:.1g} J)")  # fmt: skip
        where = f", {self.largest_power:.4g} W in '{self.largest_bond}'" if self.turnover else ""
        lines.append(
            f"junctions: {self.junction_residual:.1e} of the largest power{where}; "
            f"worst at '{self.worst_junction}'"
        )
        if self.agreement == self.agreement:
            lines.append(f"powers of bonds and run differ by {self.agreement:.1e} of it")
        return "\n".join(lines)


def _section(title: str, entries: list[Entry], least: float = 0.0) -> list[str]:
    if not entries:
        return []
    head = f"{title:40s} {sum(e.energy for e in entries):14.6g}"
    return [head, *(_line(e.element, e.energy) for e in entries if abs(e.energy) > least)]


def _line(name: str, energy: float) -> str:
    return f"  {name:38s} {energy:14.6g}"
