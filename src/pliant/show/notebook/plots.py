"""Figures in a notebook: shown at the end of their cell, once, without a magic word.

Figures are made without pyplot, so that programs keep no windows. A notebook shows those of pyplot,
which closes them afterwards: there a figure is handed to it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

_DPI = 100
_unseen = 0
"""How many pieces of code draw something that is no answer by itself."""


def in_notebook() -> bool:
    """Whether a kernel runs this, whose answers are more than text."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextmanager
def unseen() -> Iterator[None]:
    """Figures that are drawn meanwhile are not shown by themselves."""
    global _unseen
    _unseen += 1
    try:
        yield
    finally:
        _unseen -= 1


def shown(drawn: Any) -> Any:
    """What a plot returns (a figure, or axes); in a notebook it will be shown."""
    if not in_notebook() or _unseen:
        return drawn
    figure = figure_of(drawn)
    if figure.canvas.manager is None:
        from matplotlib import get_backend, pyplot

        pyplot.figure(FigureClass=lambda *_, **__: figure)
        if "inline" in get_backend():
            for answer in (figure, drawn):
                if hasattr(answer, "__dict__"):
                    answer._ipython_display_ = partial(_display, figure)
    return drawn


def figure_of(drawn: Any) -> Any:
    """The figure itself, or that of axes."""
    first = np.ravel(np.asarray(drawn, dtype=object))[0]
    return first.figure.figure


def _display(figure: Any) -> None:
    """As the last line of a cell or at its end, whichever comes first: by then it is as the cell
    made it."""
    from IPython.display import display
    from matplotlib import pyplot

    vars(figure).pop("_ipython_display_", None)
    display(figure)
    pyplot.close(figure)


def png_of(figure: Any) -> bytes:
    """A figure as a file."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=_DPI)
    return drawn.getvalue()
