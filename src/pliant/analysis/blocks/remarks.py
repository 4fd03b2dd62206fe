"""What a result over blocks says besides its numbers."""

from __future__ import annotations

from pliant.analysis.blocks.observe import Observations
from pliant.analysis.validity import body_remarks
from pliant.mechanics.flexible_numbers import flexible_numbers


def remarks_on(look: Observations) -> list[str]:
    """Remarks of assembly, constraints that were left out, bodies that leave their validity."""
    model = look.model
    found = list(model.start.remarks)
    if model.left_out:
        found.append(f"dependent constraints were left out: {', '.join(model.left_out)}")
    numbers = model.numbers
    for name in sorted(numbers.flexible):
        rows = look.body_rows(name)
        own = flexible_numbers(numbers.model, name, numbers.values)
        found += body_remarks(name, own, rows.u[:, 3:6], rows.q[:, 7:])
    return found
