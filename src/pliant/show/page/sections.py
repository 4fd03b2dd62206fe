"""What sections of beams pass on at the samples of a page, for its colours."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Integers
from pliant.results.result import Result
from pliant.show.page.geometry import ElasticBody, packed

MOST = 200_000
"""Numbers of one body."""


def carried(result: Result, body: ElasticBody, samples: Integers) -> dict[str, str]:
    """Bending moment |M|, normal force N and the largest normal stress |σ| of the drawn places of a
    beam, a column for each place; nothing where nobody tells them."""
    along = None if result.recorded is None else result.recorded.diagram
    if along is None or not body.data.count:
        return {}
    d = along(body.name, samples.tolist(), body.points[:, 0].tolist())
    found = {"moment": np.hypot(d.moment[:, :, 1], d.moment[:, :, 2]), "force": d.force[:, :, 0]}
    if d.stress.shape[2]:
        found["stress"] = np.abs(d.stress).max(axis=2)
    room = max(1, MOST // d.force[:, :, 0].size)
    return {load: packed(list(found[load].T)) for load in list(found)[:room]}
