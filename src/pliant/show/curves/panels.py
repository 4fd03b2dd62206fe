"""Axes of matplotlib that a picture is drawn in: those of the caller, or new ones."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from pliant.errors import InputError
from pliant.writing import checked_target, replace_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ENDINGS = (".png", ".svg", ".pdf")
_ROWS = 6
"""Panels below each other; more make columns."""
_TALL = 24
"""Panels from which a picture grows both ways."""


class Panels(Sequence["Axes"]):
    """The axes of a picture, from the first panel to the last. A notebook shows the picture."""

    def __init__(self, axes: Iterable[Axes]) -> None:
        self._axes = tuple(axes)

    @overload
    def __getitem__(self, place: int) -> Axes: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Axes]: ...
    def __getitem__(self, place: int | slice) -> Axes | Sequence[Axes]:
        return self._axes[place]

    def __len__(self) -> int:
        return len(self._axes)

    def __repr__(self) -> str:
        return f"<pliant picture, {len(self)} panel{'s' if len(self) != 1 else ''}>"

    @property
    def axes(self) -> list[Axes]:
        """The same as a list."""
        return list(self._axes)

    @property
    def figure(self) -> Figure:
        """The figure of matplotlib."""
        figure: Any = self._axes[0].figure
        return figure  # type: ignore[no-any-return]

    def savefig(self, path: str | Path, **options: Any) -> None:
        """Write the figure, with the options of ``matplotlib.figure.Figure.savefig``."""
        self.figure.savefig(path, **options)

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        self.figure.savefig(drawn, format="png", dpi=96)
        return drawn.getvalue()


def given(axes: Any, count: int, what: str = "panels") -> list[Axes]:
    """The first axes of what a caller gave: one of them, or any nest of several."""
    found = list(_flat(axes))
    if len(found) < count:
        raise InputError(f"plot: {len(found)} axes for {count} {what}",
                         f"give {count}, or name less")  # fmt: skip
    return found[:count]


def _flat(axes: Any) -> Iterable[Any]:
    if hasattr(axes, "plot") and not isinstance(axes, Panels):
        yield axes
    elif isinstance(axes, Iterable) and not isinstance(axes, str):
        for inner in axes:
            yield from _flat(inner)
    else:
        raise InputError(f"plot: axes is {axes!r}", "give axes of matplotlib")


def columns_for(count: int) -> int:
    """In how many columns so many panels stand."""
    columns = -(-count // _ROWS)
    return columns if count <= _TALL else max(2, round((0.6 * count) ** 0.5))


def stacked(count: int, *, width: float = 8.0, height: float = 2.2, share: bool = True
            ) -> tuple[Figure, list[Axes]]:  # fmt: skip
    """A figure with panels below each other, then in columns."""
    from matplotlib.figure import Figure

    columns = columns_for(count)
    rows = -(-count // columns)
    size = ((width if columns == 1 else 0.85 * width * columns), 1.2 + height * rows)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, columns, sharex=share, squeeze=False)
    axes = list(grid.T.ravel())  # down the first column, then down the next
    for axis in axes[count:]:
        axis.remove()
    for column in range(columns):  # the last of each column tells what all are drawn over
        last = min((column + 1) * rows, count) - 1
        if last >= 0:
            axes[last].tick_params(labelbottom=True)
    return figure, axes[:count]


def lowest(axes: Sequence[Axes]) -> list[Axes]:
    """The last panel of each column."""
    columns = columns_for(len(axes))
    rows = -(-len(axes) // columns)
    return [axes[min(k + rows, len(axes)) - 1] for k in range(0, len(axes), rows)]


def write(figure: Any, path: Path) -> None:
    """Write a figure, by the ending of the name."""
    write_figure(figure, checked_target(path, _ENDINGS), dpi=120)


def write_figure(figure: Any, path: Path, dpi: float) -> None:
    """Write a figure whole or not at all, by the ending of the name. Letters that the font does not
    have are drawn as boxes, which is seen."""
    drawn = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=dpi)
    replace_bytes(path, drawn.getbuffer())
