"""Take the picture of a power audit: python -m docs.images.make_energy_image"""

from __future__ import annotations

from pathlib import Path

import pliant as pl

HERE = Path(__file__).parent


def main() -> None:
    """Simulate the crank-rocker and draw where its energy went."""
    system = pl.load(HERE.parents[1] / "examples" / "crank_rocker.yaml")
    audit = system.simulate(outputs=["*"]).power_audit()
    audit.plot(HERE / "energy_crank_rocker.png")


if __name__ == "__main__":
    main()
