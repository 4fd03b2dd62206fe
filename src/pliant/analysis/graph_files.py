"""Files of graphs: pictures (.svg, .png) and what Graphviz reads (.dot)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pliant.writing import checked_target, replace_text

if TYPE_CHECKING:
    from pliant.plots.graph_shapes import Scene

ENDINGS = (".svg", ".png", ".dot")


class Drawn(Protocol):
    """Something with a picture."""

    @property
    def scene(self) -> Scene:
        """The shapes of the picture."""

    def svg(self) -> str:
        """The picture as text of an SVG file."""

    def dot(self) -> str:
        """The graph in the language of Graphviz."""


def write(view: Drawn, path: str | Path) -> None:
    """Write one of ENDINGS."""
    path = checked_path(Path(path))
    if path.suffix == ".png":
        from pliant.plots.graph_png import write_png

        write_png(view.scene, path)
        return
    replace_text(path, view.dot() if path.suffix == ".dot" else view.svg())


def checked_path(path: Path) -> Path:
    """The path, if a graph can be written there."""
    return checked_target(path, ENDINGS)
