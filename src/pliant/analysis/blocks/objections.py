"""What blocks cannot take, element by element, and what to use instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pliant.errors import CapabilityError
from pliant.formulations import Objection
from pliant.graphs.spanning_tree import free_points
from pliant.mechanics.usage import joints_with_coordinates
from pliant.model.formulas import Formula

if TYPE_CHECKING:
    from pliant.system import System

_OTHER = "use another method (auto, radau, generalized-alpha)"


def objections(system: System) -> list[Objection]:
    """Everything in a system that has no blocks."""
    model = system.model
    found = [Objection(f"network '{n}'", "networks have first-order states", _OTHER)
             for n in model.networks]  # fmt: skip
    found += [Objection(f"constraint '{n}'", "it holds velocities, not positions", _OTHER)
              for n in getattr(model, "constraints", ())]  # fmt: skip
    found += [Objection(f"body '{n}'", "it has no inertia, and its rotation nothing to hold it",
                        f"give it inertia, or {_OTHER}") for n in free_points(model)]  # fmt: skip
    found += _drivers(system)
    found += _coordinates(system)
    found += _signals(system)
    return found


def refuse(system: System) -> None:
    """Raise CapabilityError if there is any objection."""
    found = objections(system)
    if found:
        lines = "\n".join(f"  {o.element}: {o.what}; {o.cure}" for o in found)
        raise CapabilityError(f"the sparse solver cannot take {len(found)} items:\n{lines}")


def _drivers(system: System) -> Iterator[Objection]:
    for name, driver in system.model.drivers.items():
        if driver.level != "position":
            yield Objection(
                f"driver '{name}'", f"it gives the {driver.level} of its motion",
                f"give the position, or {_OTHER}",
            )  # fmt: skip


def _coordinates(system: System) -> Iterator[Objection]:
    """Coordinates of rotations by name."""
    joints = system.model.joints
    for name in sorted(joints_with_coordinates(system.model)):
        if joints[name].nu > len(joints[name].scalars):
            yield Objection(
                f"joint '{name}'", "its rotation coordinates are spoken of by name",
                f"speak of positions and velocities of frames, or {_OTHER}",
            )  # fmt: skip


def _signals(system: System) -> Iterator[Objection]:
    model = system.model
    if not model.signals:
        return
    for _, path, label, formula, _ in model.formulas():
        read = sorted(_names(formula) & set(model.signals))
        if path[0] in ("forces", "drivers") and read:
            yield Objection(
                f"{path[0][:-1]} '{path[1]}'", f"{label} reads the signal '{read[0]}'",
                f"write it as table(t, ...) in the formula, or {_OTHER}",
            )  # fmt: skip


def _names(formula: Any) -> set[str]:
    return set(formula.names) if isinstance(formula, Formula) else set()
