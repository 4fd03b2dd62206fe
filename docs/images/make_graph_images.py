"""Draw the graphs of the documentation: python docs/images/make_graph_images.py"""

from __future__ import annotations

from pathlib import Path

import pliant as pl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"


def main() -> None:
    """Write linear_graph_slider_crank.svg and bond_graph_rotating_beam.svg."""
    graph = pl.load(EXAMPLES / "planar_slider_crank.yaml").graph()
    graph.save(HERE / "linear_graph_slider_crank.svg")
    graph = pl.load(EXAMPLES / "rotating_beam.yaml").graph("bond")
    graph.save(HERE / "bond_graph_rotating_beam.svg")


if __name__ == "__main__":
    main()
