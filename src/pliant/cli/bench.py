"""pliant bench [CASE ...]: side by side with other programs."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pliant.errors import CapabilityError, UnknownName
from pliant.model.named import did_you_mean


def add_to(commands: Any) -> None:
    """Register the command."""
    command = commands.add_parser(
        "bench", help="compare speed and accuracy with other programs",
        description="Run benchmark cases against other programs in turn and print the ratios. "
        "The peers must be installed; `make bench` does that in an environment of its own.",
    )  # fmt: skip
    command.add_argument("cases", nargs="*", metavar="CASE", help="cases to run (default all)")
    command.add_argument("--rounds", type=int, default=7, help="best of so many rounds (7)")
    command.add_argument("-o", "--output", metavar="FILE", help="write the page (Markdown)")
    command.set_defaults(action=bench)


def bench(options: argparse.Namespace) -> int:
    """Run cases; exit code 1 if a wanted ratio is not reached."""
    if find_spec("exudyn") is None:
        raise CapabilityError("bench: Exudyn is not installed; use `make bench`")
    from pliant.bench import chains, mechanisms, modal_pendulum
    from pliant.bench.case import play
    from pliant.bench.page import page

    known = {c.name: c for c in (*mechanisms.CASES, *chains.CASES, *modal_pendulum.CASES)}
    for name in options.cases:
        if name not in known:
            raise UnknownName(f"no benchmark '{name}'", did_you_mean(name, known))
    outcomes = []
    for name in options.cases or known:
        outcome = play(known[name], max(1, options.rounds))
        outcomes.append(outcome)
        print(f"{name:24s} ratio {outcome.ratio:7.1f} (wanted {outcome.case.wanted:g}); errors "
              f"{outcome.peer_error:.1e} and {outcome.pliant_error:.1e}", flush=True)  # fmt: skip
    if options.output:
        Path(options.output).write_text(page(outcomes), encoding="utf-8")
        print(f"wrote {options.output}")
    return 0 if all(o.reached for o in outcomes) else 1
