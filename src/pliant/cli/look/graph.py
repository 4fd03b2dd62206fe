"""pliant graph MODEL: its graph in words, as matrices, as a picture."""

from __future__ import annotations

import argparse
from typing import Any

from pliant.cli.common import names_in, new_command, print_json
from pliant.cli.help import takes


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, graph, "the graph of a model: tree, coordinates, picture",
        "Show the graph of a model: nodes, edges, tree, coordinates, number of "
        "constraint equations and estimated cost, before anything is derived.",
        (".svg", ".png", ".dot"), ".svg or .png for a picture, .dot for Graphviz; repeatable",
        ("crank.yaml -o graph.svg", "crank.yaml --kind bond -o bonds.svg"),
    )  # fmt: skip
    takes(
        c.add_argument("--kind", default="linear", metavar="K", help="the linear graph, "
                       "or bond: the multibond graph with its causality"),
        lambda: ("linear", "bond"),
    )  # fmt: skip
    c.add_argument("--tree", metavar="T", help="joint, absolute, best, or the names of the tree's "
                   "joints, bodies and drivers, with commas")  # fmt: skip
    c.add_argument("--virtual-work", action="store_true",
                   help="draw dependent virtual-work elements, too")  # fmt: skip
    c.add_argument("--full", action="store_true",
                   help="draw all elements or frames of a large graph")  # fmt: skip


def graph(system: Any, options: argparse.Namespace) -> int:
    """Write pictures, or print."""
    view = system.graph(
        options.kind, tree=names_in(options.tree), params=options.params,
        virtual_work=options.virtual_work, full=options.full,
    )  # fmt: skip
    for name in options.output:
        view.save(name)
    if options.json:
        print_json(view.as_dict())
    elif not options.output:
        print(view.summary())
    for name in [] if options.json else options.output:
        print(f"wrote {name}")
    return 0
