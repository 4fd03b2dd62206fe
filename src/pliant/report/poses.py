"""Which observables hold the motion of the bodies."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.errors import InputError
from pliant.model.bodies import Beam, Body, Modes
from pliant.model.bodies.mode_file import read_modes
from pliant.results.result import Result


def pose_names(bodies: Mapping[str, Body]) -> list[str]:
    """The observables a moving picture of these bodies needs: poses, elastic coordinates."""
    return [
        f"{name}.{quantity}"
        for name, body in bodies.items()
        for quantity in ("position", "orientation", *elastic_names(body))
    ]


def elastic_names(body: Body) -> tuple[str, ...]:
    """Names of the elastic coordinates of a body."""
    if isinstance(body, Beam):
        return body.elastic_names
    if isinstance(body, Modes) and body.flexible:
        return tuple(f"q{k + 1}" for k in range(read_modes(body.file)["shapes"].shape[2]))
    return ()


def require_poses(result: Result, bodies: Mapping[str, Body]) -> list[str]:
    """What the picture needs, or an InputError that names what was not observed."""
    names = pose_names(bodies)
    missing = [name for name in names if name not in result.series]
    if missing:
        some = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
        deformed = any(elastic_names(body) for body in bodies.values())
        more = ", and the elastic coordinates of flexible ones," if deformed else ""
        raise InputError(
            f"report: the motion of the bodies was not observed ({some})",
            f"leave out outputs, or add BODY.position and BODY.orientation of every body{more}"
            " to them",
        )
    return names
