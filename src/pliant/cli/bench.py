"""pliant bench [CASE ...]: side by side with other programs."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pliant.errors import CapabilityError, UnknownName
from pliant.model.named import did_you_mean
from pliant.writing import replace_text

if TYPE_CHECKING:
    from pliant.bench.case import Case, Outcome
    from pliant.bench.derivation import Derivation, Derived
    from pliant.bench.growth import Grown, Growth


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
    from pliant.bench import derivation, growth

    alone = {c.name: c for c in derivation.CASES}
    growing = {c.name: c for c in growth.CASES}
    asked = [n for n in options.cases if n not in alone and n not in growing]
    peers = _side_by_side() if asked or not options.cases else {}
    for name in asked:
        if name not in peers:
            known = (*peers, *alone, *growing)
            raise UnknownName(f"no benchmark '{name}'", did_you_mean(name, known))
    rounds = max(1, options.rounds)
    outcomes = [_played(peers[n], rounds) for n in options.cases or peers if n in peers]
    derived = [_derived(alone[n], rounds) for n in options.cases or alone if n in alone]
    grown = [_grown(growing[n], rounds) for n in options.cases or growing if n in growing]
    if options.output:
        from pliant.bench.page import page

        replace_text(options.output, page(outcomes, derived, grown))
        print(f"wrote {options.output}")
    reached = [o.reached for o in outcomes] + [d.reached for d in derived]
    reached += [g.reached for g in grown]
    return 0 if all(reached) else 1


def _side_by_side() -> dict[str, Case]:
    """Cases with a peer, which must be installed."""
    if find_spec("exudyn") is None:
        raise CapabilityError("bench: Exudyn is not installed; use `make bench`")
    from pliant.bench import chains, mechanisms, modal_pendulum, right_angle, spin_up

    parts = (mechanisms, chains, modal_pendulum, spin_up, right_angle)
    return {case.name: case for part in parts for case in part.CASES}


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


def _grown(case: Growth, rounds: int) -> Grown:
    from pliant.bench.growth import grow

    g = grow(case, rounds)
    for s in g.sizes:
        error = "" if s.error is None else f", error {s.error:.1e}"
        print(f"{case.name:24s} {s.elements:7d}: {1e6 * s.seconds:10.1f} µs per step, linear "
              f"residual {s.residual:.0e}{error}", flush=True)  # fmt: skip
    print(f"{case.name:24s} power {g.exponent:.2f} (wanted {case.exponent:g})", flush=True)
    return g
