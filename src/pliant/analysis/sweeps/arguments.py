"""Arguments of ``System.simulate`` that hold for all runs of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.frozen import did_you_mean

KNOWN = (
    "t_end", "formulation", "tree", "cut", "form", "independent", "truncate", "method",
    "constraints", "rtol", "atol", "step", "every", "times", "params", "outputs", "start",
    "options", "treatment_options",
)  # fmt: skip


def checked(how: Mapping[str, Any]) -> dict[str, Any]:
    """Those that were given; others are refused."""
    unknown = next((name for name in how if name not in KNOWN), None)
    if unknown is not None:
        raise InputError(f"sweep: unknown argument '{unknown}'",
                         did_you_mean(unknown, KNOWN) or "use those of simulate")  # fmt: skip
    given = {name: value for name, value in how.items() if value is not None}
    if "start" in given and not isinstance(given["start"], str):
        raise InputError("start: a sweep begins at the initial state, or in equilibrium",
                         'give "equilibrium", or vary initial values')  # fmt: skip
    return given
