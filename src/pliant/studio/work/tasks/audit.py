"""Where energy went: bands of a Sankey diagram, and the power of every bond over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.analysis.power.ledger import EnergyLedger
from pliant.results.power_audit import PowerAudit
from pliant.show.power_flow import flow_of
from pliant.show.power_plot import laid_out
from pliant.studio.work.process.frames import pack
from pliant.studio.work.process.plain import plain


def audit_data(audit: PowerAudit) -> dict[str, Any]:
    """What ``pliant audit`` tells, and its picture as spots in columns with bands between them."""
    flow = flow_of(audit)
    if flow.bands:
        flow = laid_out(flow).flow
    number = {id(spot): k for k, spot in enumerate(flow.spots)}
    spots = [{"name": s.name, "role": s.role, "kind": s.kind, "domain": s.domain,
              "energy": s.energy or flow.size(s), "column": s.column, "y": s.y}
             for s in flow.spots]  # fmt: skip
    bands = [{"source": number[id(b.source)], "target": number[id(b.target)], "energy": b.energy,
              "kind": b.kind} for b in flow.bands]  # fmt: skip
    return {"text": str(audit), "audit": plain(audit.as_dict()),
            "flow": plain({"spots": spots, "bands": bands})}  # fmt: skip


def powers_frame(book: EnergyLedger, header: Mapping[str, Any]) -> bytes:
    """Power along the half arrow of every bond, by the names of the multibond graph."""
    series = book.series
    columns = [np.nan_to_num(series.power(b)) for b in range(len(series.graph.bonds))]
    listed = [{"name": bond.name, "unit": "W", "labels": [], "kind": "power", "column": k,
               "unique": []} for k, bond in enumerate(series.graph.bonds)]  # fmt: skip
    return pack({**header, "offset": 0, "series": listed}, series.time, columns)
