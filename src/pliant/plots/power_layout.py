"""Where the spots of a picture of energy stand: columns by the way energy goes, no overlaps."""

from __future__ import annotations

from dataclasses import dataclass

from pliant.plots.power_flow import Band, Flow, Spot

LABEL = 0.36
"""Height of a label of two lines, in inches."""
GAP = 0.14
_HEIGHT = 3.2
"""Height of the column with the most energy, in inches."""
_SWEEPS = 12


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of spots from left to right; ``scale``: inches per joule."""

    flow: Flow
    columns: list[list[Spot]]
    scale: float

    def thickness(self, spot: Spot) -> float:
        """Height of a bar, in inches."""
        return self.scale * self.flow.size(spot)

    def room(self, spot: Spot) -> float:
        """Height that a bar takes with its label."""
        thick = self.thickness(spot)
        if spot.role == "bend":
            return thick
        return thick + LABEL if spot.role == "group" else max(thick, LABEL)

    @property
    def height(self) -> float:
        return max(
            (sum(self.room(s) + GAP for s in column) for column in self.columns), default=1.0
        )


def laid_out(flow: Flow) -> Layout:
    """Spots with column and y (of the middle of their bars)."""
    _columns(flow)
    bent = _with_bends(flow)
    last = max((s.column for s in bent.spots), default=0)
    columns = [[s for s in bent.spots if s.column == k] for k in range(last + 1)]
    most = max((sum(bent.size(s) for s in column) for column in columns), default=1.0)
    layout = Layout(bent, columns, _HEIGHT / (most or 1.0))
    _rows(layout)
    return layout


def _columns(flow: Flow) -> None:
    """Longest way from a source; sources first, sinks last."""
    for _ in flow.spots:
        for band in flow.bands:
            band.target.column = max(band.target.column, band.source.column + 1)
    last = max((s.column for s in flow.spots), default=0)
    for spot in flow.spots:
        if spot.role == "sink":
            spot.column = last
        elif spot.role == "group" and not flow.into(spot):
            spot.column = 1


def _with_bends(flow: Flow) -> Flow:
    """The same with a bend in every column that a band crosses."""
    bent = Flow(list(flow.spots))
    for band in flow.bands:
        before = band.source
        for column in range(band.source.column + 1, band.target.column):
            bend = Spot("", "bend", domain=band.target.domain, column=column)
            bent.spots.append(bend)
            bent.bands.append(Band(before, bend, band.energy, band.kind))
            before = bend
        bent.bands.append(Band(before, band.target, band.energy, band.kind))
    return bent


def _rows(layout: Layout) -> None:
    """Every spot near the spots it is joined to, sweeping to and fro."""
    for column in layout.columns:
        _spread(layout, column)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for column in layout.columns[1:] if forward else layout.columns[-2::-1]:
            for spot in column:
                bands = layout.flow.into(spot) if forward else layout.flow.out_of(spot)
                ends = [(b.source if forward else b.target, b.energy) for b in bands]
                if ends:
                    spot.y = sum(s.y * e for s, e in ends) / sum(e for _, e in ends)
            column.sort(key=lambda s: s.y)
            _spread(layout, column)


def _spread(layout: Layout, column: list[Spot]) -> None:
    """Push spots apart, then back into the picture."""
    top = 0.0
    for spot in column:
        half = layout.room(spot) / 2
        spot.y = max(spot.y, top + half)
        top = spot.y + half + GAP
    bottom = layout.height
    for spot in reversed(column):
        half = layout.room(spot) / 2
        spot.y = min(spot.y, bottom - half)
        bottom = spot.y - half - GAP
