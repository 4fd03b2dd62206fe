"""pliant bench [CASE ...]: side by side with other programs."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.errors import CapabilityError, UnknownName
from pliant.model.named import did_you_mean

if TYPE_CHECKING:
    from pliant.bench.case import Case, Outcome
    from pliant.bench.derivation import Derivation, Derived


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
    """Run cases; exit code 1 if a wanted ratio or time is not reached."""
    from pliant.bench import derivation

    alone = {c.name: c for c in derivation.CASES}
    asked = [n for n in options.cases if n not in alone]
    peers = _side_by_side() if asked or not options.cases else {}
    for name in asked:
        if name not in peers:
            known = (*peers, *alone)
            raise UnknownName(f"no benchmark '{name}'", did_you_mean(name, known))
    rounds = max(1, options.rounds)
    outcomes = [_played(peers[n], rounds) for n in options.cases or peers if n in peers]
    derived = [_derived(alone[n], rounds) for n in options.cases or alone if n in alone]
    if options.output:
        from pliant.bench.page import page

        Path(options.output).write_text(page(outcomes, derived), encoding="utf-8")
        print(f"wrote {options.output}")
    reached = [o.reached for o in outcomes] + [d.reached for d in derived]
    return 0 if all(reached) else 1


def _side_by_side() -> dict[str, Case]:
    """Cases with a peer, which must be installed."""
    if find_spec("exudyn") is None:
        raise CapabilityError("bench: Exudyn is not installed; use `make bench`")
    from pliant.bench import chains, mechanisms, modal_pendulum

    return {c.name: c for c in (*mechanisms.CASES, *chains.CASES, *modal_pendulum.CASES)}


def _played(case: Case, rounds: int) -> Outcome:
    from pliant.bench.case import play

    o = play(case, rounds)
    print(f"{case.name:24s} ratio {o.ratio:7.1f} (wanted {case.wanted:g}); errors "
          f"{o.peer_error:.1e} and {o.pliant_error:.1e}", flush=True)  # fmt: skip
    return o


def _derived(case: Derivation, rounds: int) -> Derived:
    from pliant.bench.derivation import derive

    d = derive(case, rounds)
    print(f"{case.name:24s} {d.seconds:6.2f} s (wanted {case.wanted:g}); {d.coordinates} "
          f"coordinates, {d.terms} terms", flush=True)  # fmt: skip
    return d
