"""Systems, results and reports in a notebook, as HTML."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any

from pliant.errors import PliantError
from pliant.registry import ABOVE
from pliant.results.result import Result
from pliant.show.notebook.plots import figure_of, png_of, unseen
from pliant.show.page.page import page_of
from pliant.study import Study

_STILL, _HEIGHT = (720, 480), 560
_TEXT = "overflow-x:auto;white-space:pre;line-height:1.3;font-family:monospace"
_WARNINGS = 5
"""Of a result, that are listed."""


def text_html(shown: Any) -> str:
    """What ``print`` writes."""
    return preformatted(str(shown))


def plotted_html(shown: Any) -> str:
    """The plot of something, and what ``print`` writes; where nothing can be plotted the latter."""
    try:
        with unseen():
            figure = figure_of(shown.first_plot())
    except PliantError:
        return text_html(shown)
    return image(png_of(figure), f"plot of {shown.headline()}") + text_html(shown)


def image(png: bytes, alt: str, width: str = "") -> str:
    """A picture in a page; ``alt`` says what it is to who cannot see it."""
    data = base64.b64encode(png).decode("ascii")
    size = f"width:{width};" if width else ""
    return (f'<img alt="{escape(alt)}" style="{size}max-width:100%" '
            f'src="data:image/png;base64,{data}">')  # fmt: skip


def preformatted(text: str) -> str:
    """Text in lines as they are."""
    return f'<pre style="{_TEXT}">{escape(text)}</pre>'


def system_html(system: Study) -> str:
    """The mechanism as it is assembled; a network without bodies as its bond graph. What cannot be
    assembled is told in words."""
    try:
        drawn = _drawn(system)
    except PliantError as error:
        drawn = preformatted(str(error))
    return f"{drawn}<div>{escape(_counted(system))}</div>"


def _drawn(system: Study) -> str:
    if not system.described.bodies:
        return f'<div style="overflow-x:auto">{ABOVE["bond_svg"](system)}</div>'
    file = io.BytesIO()
    ABOVE["start_picture"](system, None, None, size=_STILL).save(file, "PNG")
    return image(file.getvalue(), f"{_counted(system)}, at the start", f"{_STILL[0] // 2}px")


def _counted(system: Study) -> str:
    """``crank-rocker: 3 bodies, 4 joints, 1 network``."""
    model = system.described
    counts = {"body": len(model.bodies), "joint": len(model.joints), "force": len(model.forces),
              "driver": len(model.drivers), "constraint": len(model.constraints),
              "network": len(model.networks)}  # fmt: skip
    many = {"body": "bodies"}
    words = [f"{n} {what if n == 1 else many.get(what, what + 's')}"
             for what, n in counts.items() if n]  # fmt: skip
    return f"{model.name or 'model'}: {', '.join(words)}"


def result_html(result: Result) -> str:
    """What was computed, in words, and the moving page in a frame that reaches nothing outside; a
    plot where there is no motion of bodies to show."""
    try:
        seen = framed(page_of(result))
    except PliantError:
        seen = _plot(result)
    return seen + preformatted("\n".join(_words(result)))


def _plot(result: Result) -> str:
    try:
        with unseen():
            return image(png_of(figure_of(result.plot())), f"plot of {result.headline()}")
    except PliantError:
        return ""


def _words(result: Result) -> list[str]:
    names = [n for n in ("formulation", "method") if result.info.get(n)]
    how = ", ".join(str(result.info[n]) for n in names)
    lines = [f"{result.headline()}{f'; {how}' if how else ''}"]
    lines += [f"stopped: {result.failure}"] if result.failure else []
    lines += [f"event {e.name} at {e.time:.6g} s {e.message}".rstrip() for e in result.events]
    lines += [f"warning: {text}" for text in result.warnings[:_WARNINGS]]
    more = len(result.warnings) - _WARNINGS
    return lines + ([f"{more} more warnings"] if more > 0 else [])


def framed(page: str) -> str:
    """A page inside a page: its scripts run, and reach neither the notebook nor its server."""
    text = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe sandbox="allow-scripts allow-downloads" loading="lazy" srcdoc="{text}" '
        f'style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
    )
