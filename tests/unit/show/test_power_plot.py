"""Pictures of energy: circles go, nothing overlaps, bands fill their bars."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Polygon

from pliant.errors import InputError
from pliant.results.power_audit import Entry, PowerAudit, Transfer
from pliant.show.power_flow import domain_of, flow_of
from pliant.show.power_plot import Unit, laid_out, plot_power


def audit(entries: list[Entry], transfers: list[tuple[str, str, float]]) -> PowerAudit:
    moved = tuple(Transfer(*t) for t in transfers)
    return PowerAudit("", 0.0, 1.0, 2, tuple(entries), (), moved, 10.0, 1.0, "", 0.0, "", 0.0)


def entry(name: str, kind: str, energy: float, group: str = "") -> Entry:
    return Entry(name, group or name, kind, "", energy)  # type: ignore[arg-type]


ELECTRICAL, SHAFT, OIL = "drive (electrical)", "drive (rotation)", "oil (hydraulic)"
MIXED = audit(
    [entry("drive.supply", "supplied", 1000.0, ELECTRICAL),
     entry("drive.R", "dissipated", 400.0, ELECTRICAL), entry("drive.L", "kinetic", 100.0,
     ELECTRICAL), entry("drive.rotor", "kinetic", 50.0, SHAFT),
     entry("oil.hose", "potential", 150.0, OIL), entry("oil.valve", "dissipated", 200.0, OIL),
     entry("arm", "lifted", 80.0), entry("arm", "kinetic", 20.0)],
    [(ELECTRICAL, SHAFT, 500.0), (SHAFT, "J", 450.0), ("J", "arm", 450.0), ("arm", OIL, 350.0)],
)  # fmt: skip


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


def test_domains_are_those_of_networks_or_mechanical() -> None:
    assert domain_of("drive (electrical)") == "electrical"
    assert domain_of("oil.line (hydraulic)") == "hydraulic"
    assert domain_of("drive (rotation)") == domain_of("crank") == "mechanical"


def test_bands_from_domain_to_domain_stay() -> None:
    """What goes from electrical to mechanical and on to hydraulic, in J."""
    flow = flow_of(MIXED)
    crossing = {(b.source.domain, b.target.domain): b.energy
                for b in flow.bands if b.source.domain != b.target.domain}  # fmt: skip
    assert crossing == {("electrical", "mechanical"): 500.0, ("mechanical", "hydraulic"): 350.0}
    assert "J" not in {s.name for s in flow.spots}


def test_a_group_that_shows_the_only_bar_of_its_domain_stays() -> None:
    flow = flow_of(audit(
        [entry("a.V", "supplied", 5.0, ELECTRICAL), entry("b.R", "dissipated", 5.0, OIL)],
        [(ELECTRICAL, "pump", 5.0), ("pump", OIL, 5.0)],
    ))  # fmt: skip
    assert "pump" in {s.name for s in flow.spots}


@pytest.mark.parametrize(
    ("energies", "texts"),
    [((21325.1, 498.7), ["21.33 kJ", "0.50 kJ"]), ((861.49, 2.9045), ["861.5 J", "2.9 J"]),
     ((0.0314159,), ["31.42 mJ"]), ((9999.9,), ["10.00 kJ"]), ((2e-9,), ["0.002000 µJ"])],
)  # fmt: skip
def test_energies_of_a_picture_have_one_unit(energies: tuple[float, ...], texts: list[str]) -> None:
    unit = Unit.of(energies)
    assert [unit(e) for e in energies] == texts


@pytest.mark.parametrize("audit_", [CHAIN, MIXED])
def test_texts_of_the_picture_do_not_overlap_and_are_inside(audit_: PowerAudit) -> None:
    figure = plot_power(audit_, title="a title").figure
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [t.get_window_extent(renderer) for t in figure.axes[0].texts if t.get_text()]
    wide, high = figure.get_size_inches() * figure.dpi
    assert len(boxes) > 8
    assert all(b.x0 >= 0 and b.y0 >= 0 and b.x1 <= wide and b.y1 <= high for b in boxes)
    for one, other in combinations(boxes, 2):
        assert not (one.x0 < other.x1 and other.x0 < one.x1
                    and one.y0 < other.y1 and other.y0 < one.y1)  # fmt: skip


def test_stores_are_hatched_and_losses_are_arrows() -> None:
    axis = plot_power(MIXED).axes[0]
    patterns = Counter(p.get_hatch() for p in axis.patches if p.get_hatch())
    assert patterns == {"/////": 3 + 1, "xxxxx": 1 + 1, ".....": 1 + 1}  # each also in the legend
    assert sum(isinstance(p, Polygon) for p in axis.patches) == 2 + 1
    words = {t.get_text() for t in axis.texts}
    assert {"mechanical", "electrical", "hydraulic", "stored in I", "stored in C",
            "dissipated", "against gravity", "source"} <= words  # fmt: skip
    assert "thermal" not in words
    assert {"exchanged 0.500 kJ", "exchanged 0.350 kJ"} <= words


def test_what_is_too_small_to_be_drawn_is_said_where_it_went() -> None:
    figure = plot_power(audit(
        [entry("motor", "supplied", 100.0), entry("arm", "kinetic", 98.8),
         *(entry("tip", kind, 0.4) for kind in ("kinetic", "potential", "lifted"))],
        [("motor", "arm", 100.0), ("arm", "tip", 1.2)],
    ))  # fmt: skip
    assert "tip\nin small amounts 1.2 J" in {t.get_text() for t in figure.axes[0].texts}
