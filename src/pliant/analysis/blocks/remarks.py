"""What a result over blocks says besides its numbers."""

from __future__ import annotations

from pliant.analysis.blocks.observe import Observations
from pliant.analysis.validity import body_remarks


def remarks_on(look: Observations) -> list[str]:
    """Remarks of assembly, constraints that were left out, bodies that leave their validity."""
    model = look.model
    found = list(model.remarks)
    if model.left_out:
        found.append(f"dependent constraints were left out: {', '.join(model.left_out)}")
    numbers = model.numbers
    for name in sorted(numbers.flexible):
        rows = look.body_rows(name)
        found += body_remarks(name, numbers.tables(name), rows.u[:, 3:6], rows.q[:, 7:])
    return found
