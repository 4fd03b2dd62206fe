"""Figures of matplotlib in files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from pliant.writing import replace_bytes


def write_figure(figure: Any, path: Path, dpi: float) -> None:
    """Write a figure whole or not at all, by the ending of the name."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=dpi)
    replace_bytes(path, drawn.getbuffer())
