"""A verdict: tables as lines of text and on one static page, with plots of differences as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.writing import checked_target, replace_text

WIDTH, HEIGHT = 420, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 28, 34
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1320px; padding: 0 1rem;
  color: #1c2430; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.verdict { padding: .5rem .9rem; border-radius: .4rem; font-weight: 600; display: inline-block; }
.good { background: #e2f3e6; color: #14582a; } .bad { background: #fbe3e1; color: #8d1c13; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #d9dee5; text-align: left; }
td.number, th.number { text-align: right; } td.number { white-space: nowrap; }
tr.bad td { color: #8d1c13; background: #fdf1f0; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } svg { background: #fafbfc; max-width: 100%; }
p.note { color: #556; max-width: 60rem; }
"""


@dataclass(frozen=True, slots=True)
class Column:
    """Its title on a page; title and width on lines of text (0: not a column there)."""

    title: str
    short: str = ""
    width: int = 0
    words: bool = False
    """Whether it holds words, beyond those at the left."""


def columns(*titles: str) -> list[Column]:
    """Columns of a table that stands on pages only."""
    return [Column(title) for title in titles]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text; ``bad`` are marked."""

    title: str
    head: Sequence[Column]
    rows: Sequence[Sequence[str]]
    bad: frozenset[int] = frozenset()
    words: int = 2
    """How many columns, from the left, are words and not numbers."""
    note: str = ""
    tails: Sequence[tuple[int, str]] = ()
    """How many cells of a row stand on its line of text, and what follows them there."""

    def lines(self) -> list[str]:
        """Head and rows as text."""

        def line(cells: Sequence[str], tail: str) -> str:
            aligned = (
                f"{cell:{'<' if k < self.words else '>'}{self.head[k].width}s}"
                for k, cell in enumerate(cells)
            )
            return " ".join(aligned) + tail

        head = line([c.short for c in self.head if c.width], self.head[-1].short)
        return [head, *(line(row[:n], tail)
                        for row, (n, tail) in zip(self.rows, self.tails, strict=True))]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Curve:
    """A difference and its bound over time, to plot on a logarithmic scale."""

    name: str
    unit: str
    time: Array
    difference: Array
    bound: Array


@dataclass(frozen=True, slots=True)
class Section:
    """Plots under a heading."""

    title: str
    plots: Sequence[Curve]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on the page."""

    title: str
    verdict: str
    good: bool
    tables: Sequence[Table]
    sections: Sequence[Section]


def write(page: Page, path: str | Path) -> Path:
    """Write the page; its name ends in .html."""
    path = Path(path)
    checked_target(path, (".html", ".htm"))
    return replace_text(path, page_text(page))


def page_text(page: Page) -> str:
    """The page as HTML that needs nothing else."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width'>",
        f"<title>{escape(page.title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(page.title)}</h1>",
        f"<p class='verdict {'good' if page.good else 'bad'}'>{escape(page.verdict)}</p>",
        *(_table(t) for t in page.tables),
    ]
    for section in page.sections:
        plots = "\n".join(_plot(p) for p in section.plots)
        parts.append(f"<h2>{escape(section.title)}</h2><div class='plots'>{plots}</div>")
    parts.append("</body></html>\n")
    return "\n".join(parts)


def _table(table: Table) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        kinds = ("" if k < table.words or column.words else " class='number'"
                 for k, column in enumerate(table.head))  # fmt: skip
        return "".join(f"<{tag}{k}>{escape(c)}</{tag}>" for k, c in zip(kinds, row, strict=True))

    rows = "\n".join(
        f"<tr{' class=bad' if k in table.bad else ''}>{cells('td', row)}</tr>"
        for k, row in enumerate(table.rows)
    )
    note = f"<p class='note'>{escape(table.note)}</p>" if table.note else ""
    return (f"<h2>{escape(table.title)}</h2>{note}<div class='scroll'><table><tr>"
            f"{cells('th', [c.title for c in table.head])}</tr>\n{rows}</table></div>")  # fmt: skip


def _plot(plot: Curve) -> str:
    """Difference as a full line, bound as a dashed one."""
    low, high = _decades(plot)
    t0, t1 = float(plot.time[0]), float(plot.time[-1])
    wide, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def across(t: float) -> float:
        return _LEFT + wide * (t - t0) / ((t1 - t0) or 1.0)

    def down(power: float) -> float:
        return _TOP + tall * (high - power) / (high - low)

    def line(values: Array) -> str:
        powers = np.log10(np.maximum(np.where(np.isfinite(values), values, 10.0**high), 10.0**low))
        pairs = zip(plot.time, powers, strict=True)
        return " ".join(f"{across(float(t)):.1f},{down(float(v)):.1f}" for t, v in pairs)

    step = max(1, (high - low) // 5)
    grid = "".join(
        f"<line x1='{_LEFT}' x2='{WIDTH - _RIGHT}' y1='{down(k):.1f}' y2='{down(k):.1f}' "
        f"stroke='#dde2e8'/><text x='{_LEFT - 6}' y='{down(k) + 4:.1f}' text-anchor='end'>"
        f"1e{k}</text>"
        for k in range(low, high + 1, step)
    )
    ends = "".join(
        f"<text x='{across(t):.1f}' y='{HEIGHT - 14}' text-anchor='{anchor}'>{t:.4g} s</text>"
        for t, anchor in ((t0, "start"), (t1, "end"))
    )
    unit = f" ({escape(plot.unit)})" if plot.unit else ""
    return (
        f"<svg width='{WIDTH}' height='{HEIGHT}' viewBox='0 0 {WIDTH} {HEIGHT}' font-size='11' "
        f"font-family='system-ui, sans-serif' fill='#445' role='img'>"
        f"<text x='{_LEFT}' y='17' font-size='12.5' fill='#1c2430'>{escape(plot.name)}{unit}</text>"
        f"{grid}{ends}"
        f"<polyline points='{line(plot.bound)}' fill='none' stroke='#c2571a' "
        "stroke-dasharray='5 3' stroke-width='1.3'/>"
        f"<polyline points='{line(plot.difference)}' fill='none' stroke='#1f5fa8' "
        "stroke-width='1.5'/></svg>"
    )


def _decades(plot: Curve) -> tuple[int, int]:
    """Powers of ten that hold bound and difference; no more than eight of them."""
    values = np.concatenate([plot.bound, plot.difference])
    values = values[np.isfinite(values) & (values > 0)]
    if not len(values):
        return -16, -8
    high = int(np.ceil(np.log10(values.max())))
    low = int(np.floor(np.log10(values.min())))
    return max(low, high - 8) if low < high else high - 1, high
