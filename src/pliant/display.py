"""What a person sees of an object: one line at a prompt, a picture or a page in a notebook.

IPython asks an object for ``_repr_html_``, ``_repr_svg_``, ``_repr_latex_``. Rooms above draw
(``pliant.registry.ABOVE``), when they are asked.
"""

from __future__ import annotations

from typing import Any, cast

from pliant.registry import ABOVE

WIDTH = 79
"""Of a screen, in letters."""


def brief(text: str) -> str:
    """One line that fits a screen."""
    line = " ".join(text.split())
    if len(line) <= WIDTH:
        return line
    end = "...>" if line.endswith(">") else "..."
    return line[: WIDTH - len(end)] + end


class Displayed:
    """A line of ``headline`` at a prompt; in a notebook what ``print`` writes."""

    __slots__ = ()

    def headline(self) -> str:
        """What it is, in a line."""
        return str(self).partition("\n")[0]

    def __repr__(self) -> str:
        return brief(f"<pliant.{type(self).__name__}: {self.headline()}>")

    def _repr_html_(self) -> str | None:
        html: str = ABOVE["text_html"](self)
        return html


class Plotted(Displayed):
    """The same, with its plot above in a notebook."""

    __slots__ = ()

    def first_plot(self) -> Any:
        """What is plotted when nobody says what."""
        return cast(Any, self).plot()

    def _repr_html_(self) -> str:
        html: str = ABOVE["plotted_html"](self)
        return html
