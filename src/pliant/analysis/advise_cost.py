"""Which formulation is cheapest: operations of its equations, and time per step, measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pliant.analysis import large
from pliant.analysis.advise_run import plain_run
from pliant.analysis.choice import Choice
from pliant.analysis.code import derive
from pliant.analysis.verify_runs import Span, run_choices
from pliant.engine import tiers
from pliant.errors import PliantError

if TYPE_CHECKING:
    from pliant.system import System

_ROUNDS = 3
_MOST = 400
"""Unknowns above which only the recursive formulation is measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One formulation: operations of M, h, G and γ with the elimination, steps of the short run,
    microseconds per step (best of three runs), seconds per simulated second."""

    formulation: str
    variant: str
    unknowns: int = 0
    operations: int = 0
    steps: int = 0
    per_step: float = float("nan")
    per_second: float = float("nan")
    declined: str = ""


def costs(system: System, span: Span, progress: Callable[[str], None]) -> list[Cost]:
    """All formulations that take the model, the cheapest first."""
    found = []
    for choice in run_choices(False):
        progress(f"cost of {choice.formulation}, {choice.label}")
        try:
            found.append(_cost(system, choice, span))
        except PliantError as error:
            found.append(Cost(choice.formulation, choice.label, declined=str(error)))
    return sorted(found, key=lambda c: (bool(c.declined), c.per_second))


def _cost(system: System, choice: Choice, span: Span) -> Cost:
    s = system.model.settings
    kernel = large.takes(system, choice=choice, method=span.method, constraints=s.constraints)
    unknowns, operations = (0, 0) if kernel else _size(system, choice)
    result = plain_run(system, span, choice)
    tiers.finish()
    runs = [plain_run(system, span, choice).info["statistics"] for _ in range(_ROUNDS)]
    seconds = min(float(r["seconds"]) for r in runs)
    steps = int(runs[0]["steps"] + runs[0]["rejected"])
    return Cost(choice.formulation, choice.label, unknowns, operations, steps,
                1e6 * seconds / max(steps, 1), seconds / float(result.time[-1]))  # fmt: skip


def _size(system: System, choice: Choice) -> tuple[int, int]:
    """Unknowns, and operations: of the expressions, and n³/3 of the elimination."""
    import casadi as ca

    equations: Any = derive(system, choice)
    unknowns = len(equations.layout.u) + int(equations.cv.numel())
    if unknowns > _MOST:
        raise_large(unknowns)
    blocks = [equations.residual, equations.g, equations.cv]
    written = sum(int(ca.n_nodes(ca.vec(ca.SX(b)))) for b in blocks if b is not None)
    return unknowns, written + unknowns**3 // 3


def raise_large(unknowns: int) -> None:
    """Too large to be measured in a moment."""
    from pliant.errors import CapabilityError

    raise CapabilityError(f"{unknowns} unknowns, more than {_MOST}: not measured")
