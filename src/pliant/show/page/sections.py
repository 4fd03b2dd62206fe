"""What sections of beams pass on at the samples of a page, for its colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.arrays import Integers
from pliant.errors import InputError
from pliant.results.diagram import sections_of
from pliant.results.result import Result
from pliant.show.page.geometry import Geometry
from pliant.show.page.packing import packed

MOST = 200_000
"""Numbers of one body."""


def with_sections(
    scene: dict[str, Any], result: Result, geometry: Geometry, samples: Integers
) -> dict[str, Any]:
    """The same scene; its beams are told what their sections pass on."""
    for body in scene["bodies"]:
        told_by = body.get("pieces", body.get("elastic"))
        if told_by and body["name"] in geometry.model.beams:
            told_by["carried"] = carried(result, geometry, body["name"], samples)
    return scene


def carried(result: Result, geometry: Geometry, beam: str, samples: Integers) -> dict[str, str]:
    """Bending moment |M|, normal force N and the largest normal stress |σ| of the drawn places of a
    beam, a column for each place; nothing where nobody tells them."""
    if beam in geometry.pieces:
        places = geometry.pieces[beam].drawn.x
    elif geometry.elastic[beam].data.count:
        places = geometry.elastic[beam].points[:, 0]
    else:
        return {}
    try:
        d = sections_of(result, beam, samples.tolist(), places.tolist())
    except InputError:
        return {}
    found = {"moment": np.hypot(d.moment[:, :, 1], d.moment[:, :, 2]), "force": d.force[:, :, 0]}
    if d.stress.shape[2]:
        found["stress"] = np.abs(d.stress).max(axis=2)
    room = max(1, MOST // d.force[:, :, 0].size)
    return {load: packed(list(found[load].T)) for load in list(found)[:room]}
