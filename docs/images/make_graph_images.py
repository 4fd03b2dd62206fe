"""Draw the graphs of the documentation: python docs/images/make_graph_images.py"""

from __future__ import annotations

from pathlib import Path

import pliant as pl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"


def main() -> None:
    """The linear graph of a slider-crank; multibond graphs of a beam and of a crank-rocker."""
    graph = pl.load(EXAMPLES / "planar_slider_crank.yaml").graph()
    graph.save(HERE / "linear_graph_slider_crank.svg")
    for name in ("rotating_beam", "crank_rocker"):
        graph = pl.load(EXAMPLES / f"{name}.yaml").graph("bond")
        graph.save(HERE / f"bond_graph_{name}.svg")


if __name__ == "__main__":
    main()
