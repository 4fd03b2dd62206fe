"""Pictures of energy: circles go, nothing overlaps, bands fill their bars."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pliant.errors import InputError
from pliant.plots.power_flow import flow_of
from pliant.plots.power_layout import laid_out
from pliant.plots.power_plot import plot_power
from pliant.results.power_audit import Entry, PowerAudit, Transfer


def audit(entries: list[Entry], transfers: list[tuple[str, str, float]]) -> PowerAudit:
    moved = tuple(Transfer(*t) for t in transfers)
    return PowerAudit("", 0.0, 1.0, 2, tuple(entries), (), moved, 10.0, 1.0, "", 0.0, "", 0.0)


def entry(name: str, kind: str, energy: float, group: str = "") -> Entry:
    return Entry(name, group or name, kind, "", energy)  # type: ignore[arg-type]


CHAIN = audit(
    [entry("motor", "supplied", 10.0), entry("brake", "supplied", -2.0),
     *(entry(f"link{k}", "kinetic", 1.0) for k in range(6)), entry("friction", "dissipated", 2.0)],
    [("motor", "link0", 10.0), *((f"link{k}", f"link{k + 1}", 9.0 - k) for k in range(5)),
     ("link5", "brake", 2.0), ("link5", "friction", 2.0)],
)  # fmt: skip


def test_energy_that_goes_round_is_left_out() -> None:
    flow = flow_of(audit(
        [entry("motor", "supplied", 5.0), entry("c", "kinetic", 5.0)],
        [("motor", "a", 5.0), ("a", "b", 8.0), ("b", "c", 8.0), ("c", "a", 3.0)],
    ))  # fmt: skip
    assert {(b.source.name, b.target.name, b.energy) for b in flow.bands} == {
        ("motor", "c", 5.0), ("c", "c", 5.0)}  # fmt: skip


def test_what_a_force_did_is_one_bar() -> None:
    flow = flow_of(CHAIN)
    roles = {s.name: s.role for s in flow.spots if s.name in ("motor", "brake", "friction")}
    assert roles == {"motor": "source", "brake": "sink", "friction": "sink"}
    assert len([s for s in flow.spots if s.name == "motor"]) == 1


def test_small_bands_are_left_out() -> None:
    flow = flow_of(audit(
        [entry("motor", "supplied", 1.0), entry("a", "kinetic", 0.999),
         entry("b", "kinetic", 0.001)],
        [("motor", "a", 1.0), ("a", "b", 0.001)],
    ))  # fmt: skip
    assert "b" not in {s.name for s in flow.spots}


def test_a_large_mechanism_is_drawn_as_a_whole() -> None:
    links = [entry(f"link{k}", "kinetic", 1.0 - 3.0 * (k == 0)) for k in range(40)]
    moved = [(f"link{k}", f"link{k + 1}", 40.0 - k) for k in range(39)]
    flow = flow_of(
        audit([*links, entry("motor", "supplied", 37.0)], [("motor", "link0", 37.0), *moved])
    )
    bars = {(s.name, s.role, s.energy) for s in flow.spots}
    assert bars == {
        ("link0", "source", 2.0), ("motor", "source", 37.0), ("mechanism", "group", 0.0),
        ("39 elements", "sink", 39.0),
    }  # fmt: skip


def test_bars_and_labels_do_not_overlap() -> None:
    layout = laid_out(flow_of(CHAIN))
    for column in layout.columns:
        for above, below in pairwise(column):
            reach = (layout.room(above) + layout.room(below)) / 2
            assert below.y - above.y >= reach - 1e-9
        assert column[0].y - layout.room(column[0]) / 2 >= -1e-9
        assert column[-1].y + layout.room(column[-1]) / 2 <= layout.height + 1e-9


def test_bands_go_from_left_to_right_one_column_at_a_time() -> None:
    layout = laid_out(flow_of(CHAIN))
    assert all(b.target.column == b.source.column + 1 for b in layout.flow.bands)
    last = len(layout.columns) - 1
    assert all(s.column == last for s in layout.flow.spots if s.role == "sink")


def test_without_energy_there_is_no_picture() -> None:
    with pytest.raises(InputError, match="no energy was turned over"):
        plot_power(audit([], []))
