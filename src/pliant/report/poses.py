"""Which observables hold the motion of the bodies."""

from __future__ import annotations

from collections.abc import Iterable

from pliant.errors import InputError
from pliant.results.result import Result


def pose_names(bodies: Iterable[str]) -> list[str]:
    """The observables a moving picture of these bodies needs."""
    return [f"{body}.{quantity}" for body in bodies for quantity in ("position", "orientation")]


def require_poses(result: Result, bodies: Iterable[str]) -> list[str]:
    """The poses of all bodies, or an InputError that names those not observed."""
    names = pose_names(bodies)
    missing = [name for name in names if name not in result.series]
    if missing:
        some = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
        raise InputError(
            f"report: the motion of the bodies was not observed ({some})",
            "leave out outputs, or add BODY.position and BODY.orientation of every body to them",
        )
    return names
