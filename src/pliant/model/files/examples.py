"""The example models that come with Pliant."""

from __future__ import annotations

from pathlib import Path


def examples() -> dict[str, Path]:
    """Example model files by name."""
    package = Path(__file__).parents[2]
    inside, beside = package / "examples", package.parents[1] / "examples"
    return {p.stem: p for p in sorted((inside if inside.is_dir() else beside).glob("*.yaml"))}
