"""A mechanism moved by hand: its pose is kept between the moves of one drag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.analysis.posing.posing import Moved, Posing
from pliant.analysis.posing.wishes import CoordinateWish, PointWish, Wish
from pliant.analysis.posing.written import rounded, written
from pliant.results.result import Result
from pliant.show.page.page import Columns
from pliant.studio.work.bench import Bench
from pliant.studio.work.source import Source, WorkError
from pliant.studio.work.tasks.scene import poses_of

SECONDS, LAST_SECONDS = 0.04, 1.0
"""That one move may take, what is further away is reached by the next ones; and the last one."""


def pose_data(bench: Bench, source: Source, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Where bodies are after a wish (``joint``, ``coordinate``, ``value``; or ``body``, ``point``,
    ``to``), from where they were before in the same ``drag``. Without a wish: where they are.
    ``release``: at rounded numbers, with what the file must say (``joint.pose``)."""
    drag = str(arguments.get("drag", ""))
    posing = bench.posing(source, drag)
    if not posing.linkage.model.bodies:
        raise WorkError("there is no body to move", "add one first")
    wish, moved = _wish(arguments), Moved(True)
    if wish is not None:
        moved = posing.toward([wish], LAST_SECONDS if arguments.get("release") else SECONDS)
    data = _data(posing, moved)
    if arguments.get("release"):
        dragged = str(arguments.get("joint") or arguments.get("body") or "")
        rounded(posing, dragged)
        said = written(posing, dragged)
        data = {**_data(posing, moved), "file": {
            "initial": said.initial, "guess": said.guess, "bodies": said.bodies}}  # fmt: skip
    return data


def _data(posing: Posing, moved: Moved) -> dict[str, Any]:
    """One sample of all poses, coordinates of joints, and what stands in the way."""
    linkage, reason = posing.linkage, moved.reason
    result = Result(np.zeros(1), poses_of(linkage.system, linkage.bodies(posing.q)))
    columns = Columns(np.zeros(1, dtype=np.int64), tuple(result.series), 0)
    joints = {
        name: {own: {"value": value, "unit": linkage.unit.get((name, own), "1")}
               for own, value in told.items()}
        for name, told in posing.told.items()
    }  # fmt: skip
    return {
        **columns.as_data(result), "joints": joints, "reached": moved.reached,
        "unfinished": moved.unfinished, "gap": linkage.gap(posing.q),
        "reason": None if reason is None else
        {"what": reason.what, "cure": reason.cure, "elements": list(reason.elements)},
    }  # fmt: skip


def _wish(arguments: Mapping[str, Any]) -> Wish | None:
    try:
        if arguments.get("joint") and "value" in arguments:
            return CoordinateWish(str(arguments["joint"]), str(arguments.get("coordinate", "")),
                                  _number(arguments["value"]))  # fmt: skip
        if arguments.get("body") and "to" in arguments:
            point, to = (_triple(arguments[key]) for key in ("point", "to"))
            return PointWish(str(arguments["body"]), point, to)
    except (KeyError, TypeError, ValueError):
        raise WorkError("pose: this is no place to move to",
                        "give a joint's value, or a point and where to") from None  # fmt: skip
    return None


def _number(value: Any) -> float:
    number = float(value)
    if not np.isfinite(number):
        raise ValueError
    return number


def _triple(value: Any) -> tuple[float, float, float]:
    x, y, z = map(_number, value)
    return x, y, z
