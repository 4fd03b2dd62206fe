"""Which observables a first look shows, and which of them share a panel: those of one unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pliant.records import dataclass
from pliant.results.result import Result

MOST_PANELS = 6
_MOST_CURVES = 10
"""Of one panel that nobody asked for."""
_WORDS = {
    "m": "length", "rad": "angle", "m/s": "velocity", "rad/s": "rate", "N": "force",
    "N*m": "torque", "J": "energy", "W": "power",
    "V": "voltage", "A": "current", "C": "charge", "Pa": "pressure", "m^3/s": "flow",
    "m^3": "volume", "K": "temperature", "m/s^2": "acceleration",
    "rad/s^2": "angular acceleration", "kg*m/s": "momentum", "kg*m^2/s": "angular momentum",
}  # fmt: skip
COORDINATES, RATES = ("coordinate", "angle"), ("rate", "angle_rate")
"""Kinds of joint coordinates, those of rotations as they are told, and their rates."""
_TOTALS = ("kinetic_energy", "potential_energy", "energy")
_PANEL_BY_PANEL = ("other", "output")
"""Kinds whose unit nobody knows if it is not written."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """Names for a first look; ``left``: quantities that have no panel, how many curves have no
    place in theirs."""

    names: tuple[str, ...]
    left: tuple[str, ...] = ()
    more: int = 0

    @property
    def note(self) -> str:
        """What is not shown, in words."""
        said = [f"not shown: {', '.join(self.left)}"] if self.left else []
        said += [f"{self.more} more curve{'s' if self.more > 1 else ''} by name"] * bool(self.more)
        return "; ".join(said)


def default_names(result: Result) -> tuple[str, ...]:
    """What a first look shows."""
    return first_look(result).names


def first_look(result: Result) -> FirstLook:
    """Outputs of the user, then coordinates, deflections, energies; rates and efforts while there
    is room. Elastic coordinates are not among them: deflections say more."""
    plain = {kind: _scalars(result, kind) for kind in ("effort", "reaction")}
    names = [*_outputs(result), *(_scalars(result, *COORDINATES) or travelled(result)),
             *_bent(result), *_energies(result), *_scalars(result, *RATES), *plain["effort"],
             *plain["reaction"]]  # fmt: skip
    if not names:
        names = list(result.columns())[:_MOST_CURVES]
    panels: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        panels.setdefault(quantity(result, name), []).append(name)
    shown = list(panels)[:MOST_PANELS]
    chosen = [n for panel in shown for n in panels[panel][:_MOST_CURVES]]
    more = sum(max(0, len(panels[panel]) - _MOST_CURVES) for panel in shown)
    return FirstLook(tuple(chosen), tuple(panels)[MOST_PANELS:], more)


def _scalars(result: Result, *kinds: str) -> list[str]:
    """Of some kinds; elastic coordinates have no unit."""
    return [n for n, s in result.series.items() if s.kind in kinds and not s.labels and s.unit]


def travelled(result: Result) -> list[str]:
    """Components of the positions that vary, of bodies, and of frames whose body is not told: of
    what has no coordinates that a person could read."""
    told = [n for n, s in result.series.items() if s.kind == "position" and n.endswith(".position")]
    own = [n for n in told if f"{n.partition('.')[0]}.position" not in told or n.count(".") == 1]
    return [f"{n}.{label}" for n in own for k, label in enumerate(result.series[n].labels)
            if np.ptp(result.series[n].values[:, k]) > 0]  # fmt: skip


def _outputs(result: Result) -> list[str]:
    """Of the user."""
    return [n for n, s in result.series.items() if s.kind == "output"]


def _bent(result: Result) -> list[str]:
    """Deflections of the middles of beams, in the directions in which they bend."""
    return [
        f"{n}.{label}" for n, s in result.series.items() if n.endswith(".mid.deflection")
        for k, label in enumerate(s.labels) if k and np.any(s.values[:, k])
    ]  # fmt: skip


def _energies(result: Result) -> list[str]:
    """Totals, and what single elements store; none that stays nothing."""
    stored = [n for n, s in result.series.items() if n.endswith(".energy") and s.kind == "energy"]
    return [n for n in (*_TOTALS, *stored) if n in result.series and np.any(result.values(n))]


def kind_of(result: Result, name: str) -> str:
    """The kind of an observable or of the one that it is a component of."""
    found = result.series.get(name) or result.series.get(name.rpartition(".")[0])
    return "other" if found is None else found.kind


def quantity(result: Result, name: str) -> str:
    """What a panel shows, with its unit. Deflections are small beside other lengths and angles;
    what has no unit that is known stands alone."""
    unit = result.unit(name)
    kind = kind_of(result, name)
    if kind == "deflection":
        return f"{'deflection' if unit == 'm' else 'rotation'} in {unit}"
    if unit == "1":
        return "1"
    if not unit:
        return name if kind in _PANEL_BY_PANEL else ""
    return f"{_WORDS[unit]} in {unit}" if unit in _WORDS else unit


def panels_of(result: Result, names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Names by what their panel shows."""
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(quantity(result, name), []).append(name)
    return panels
