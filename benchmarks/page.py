"""docs/benchmarks.md from what was measured: on what machine, what was run, how to repeat it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from benchmarks.case import Outcome
from benchmarks.chains import KERNEL, REFERENCE
from benchmarks.derivation import Derived
from benchmarks.growth import LONG_STEP, STEP, STEPS, Grown
from benchmarks.overhead import CALLS, SAMPLES, Spent
from benchmarks.sweep_peer import MORE, Both
from benchmarks.sweeps import RATIO, Swept

HEAD = """# Benchmarks

Made by `make bench`, which installs the other programs in an environment of its own and runs
`python -m benchmarks -o docs/benchmarks.md`; no number here is written by hand. Times are medians
of whole calls as a user makes them, warm: `System.simulate` with sampled outputs on one side,
`SolveDynamic` of Exudyn or `aba` of Pinocchio on the other, in turn in one process. They are CPU
times of that process: what a call takes if nothing else runs. The compiled loop is the part of
Pliant's call that is spent inside machine code; the rest is Python around it.
Getting ready (derivation, compilation, building the model) is reported apart. Pliant runs at the
loosest tolerance (or the longest step) whose error, like that of all tighter ones, is no larger
than the peer's. Both programs must find the same number: their errors against one reference are
within the agreement stated, otherwise the row says so. Trust ratios, not absolute times.
"""


@dataclass(slots=True)
class Measured:
    """Everything of a session; ``kernel``: seconds of the rigid kernel for each body."""

    kernel: float
    outcomes: list[Outcome] = field(default_factory=list)
    spent: list[Spent] = field(default_factory=list)
    beside: list[Both] = field(default_factory=list)
    swept: list[Swept] = field(default_factory=list)
    grown: list[Grown] = field(default_factory=list)
    derived: list[Derived] = field(default_factory=list)

    @property
    def scale(self) -> float:
        """What absolute aims are multiplied by on this machine."""
        return self.kernel / REFERENCE

    @property
    def reached(self) -> bool:
        """Whether all numbers agree, and all ratios, powers and times of derivation are reached."""
        wanted = all(o.reached for o in self.outcomes) and all(g.reached for g in self.grown)
        quick = all(d.seconds <= self.scale * d.case.aim for d in self.derived)
        alike = all(b.agrees for b in self.beside) and all(s.agrees for s in self.swept)
        alike = alike and all(s.agrees for s in self.spent)
        return wanted and quick and alike


def page(m: Measured, before: str = "") -> str:
    """The whole page; of one that is there, ``before``, the parts that were measured are written
    anew, and say where."""
    parts = [_ratios(m.outcomes), _beside(m.beside), _swept(m), _spent(m), _growth(m.grown),
             _derivation(m)]  # fmt: skip
    if not before:
        return "\n".join([HEAD, *_machine(m), "", *(line for part in parts for line in part)])
    head, kept = _parted(before)
    new = {part[0]: part for part in parts if part}
    apart = {title: [title, "", *_machine(m), *part[1:]] for title, part in new.items()}
    every = {**kept, **apart}
    told = sorted(every, key=lambda title: _ORDER.index(title) if title in _ORDER else len(_ORDER))
    return "\n".join([*head, *(line for title in told for line in every[title])])


_ORDER = ["## Side by side", "## Sweeps side by side", "## Sweeps", "## Overhead", "## Growth",
          "## Derivation"]  # fmt: skip


def _parted(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """Lines before the first part, and those of each by its title."""
    own: list[str] = []
    head, parts = own, dict[str, list[str]]()
    for line in text.splitlines():
        if line.startswith("## "):
            own = parts[line] = []
        own.append(line)
    if own:
        own.append("")  # the last part ends with an empty line, as the others do
    return head, parts


def _machine(m: Measured) -> list[str]:
    versions = [f"{p} {v}" for p in ("pliant", "exudyn", "pin", "numpy") if (v := _version(p))]
    return [
        f"Machine: {platform.machine()}, {_processor()}, {platform.system()}; Python "
        f"{platform.python_version()}; {', '.join(versions)}.", "",
        f"Rigid kernel: {1e6 * m.kernel:.3f} µs per body (accelerations of the chain of {KERNEL} "
        f"bodies). Absolute aims hold where it takes {1e6 * REFERENCE:.2f} µs; here they are "
        f"{m.scale:.2f} times as long.",
    ]  # fmt: skip


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _ratios(outcomes: Sequence[Outcome]) -> list[str]:
    if not outcomes:
        return []
    lines = [
        "## Side by side", "",
        "| case | peer, ms | Pliant, ms | ratio | compiled loop, ms | ratio to it | wanted | error "
        "of the peer | of Pliant | same number |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for o in outcomes:
        lines.append(
            f"| {o.row.title} | {1e3 * o.theirs.whole:.3g} | {1e3 * o.ours.whole:.3g} | "
            f"**{o.ratio:.3g}** | {1e3 * o.ours.compiled:.3g} | **{o.loop_ratio:.3g}** | "
            f"{o.row.wanted:g} | {o.peer_error:.1e} | {o.error:.1e} | "
            f"{'yes' if o.agrees else 'NO'} |"
        )
    lines += ["", "What was run:", ""]
    for o in outcomes:
        lines.append(
            f"- `{o.row.name}`: {o.row.program} ({o.row.how_theirs}) against Pliant "
            f"({o.row.words.format(o.setting)}); errors against: {o.row.reference}; agreement to "
            f"{o.row.agreement:g}. {_per_step(o)}Getting ready: {o.ready:.2f} s."
        )
    return [*lines, ""]


def _per_step(o: Outcome) -> str:
    """Microseconds per step, where both sides have told their steps."""
    if not (o.theirs.steps and o.ours.steps):
        return ""
    theirs, ours = (1e6 * r.compiled / r.steps for r in (o.theirs, o.ours))
    return f"Per step: {theirs:.3g} µs ({o.theirs.steps}) and {ours:.3g} µs ({o.ours.steps}). "


def _beside(every: Sequence[Both]) -> list[str]:
    if not every:
        return []
    lines = [
        "## Sweeps side by side", "",
        "CPU time of whole calls on one processor. The peer builds its model anew for each",
        "run, as its users do: the ratio leaves that out, or counts it. Errors: the largest of all",
        f"samples of all runs. Two processes, for {MORE} times as many runs: how much sooner they",
        "are done than one, on as many processors as the machine had left for them; and how much",
        "less each of them computes, whatever else the machine does.", "",
        "| case | peer, s | of it building, s | Pliant, s | ratio | with building | wanted | error "
        "of the peer | of Pliant | two processes | each computes |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for b in every:
        lines.append(
            f"| {b.case.title} | {b.theirs:.3g} | {b.building:.3g} | {b.ours:.3g} | "
            f"**{b.ratio:.3g}** | **{b.whole_ratio:.3g}** | {b.case.wanted:g} | "
            f"{b.peer_error:.1e} | {b.error:.1e} | {b.faster:.2f} times as fast on "
            f"{b.processors:.1f} processors | 1/{b.share:.2f} |"
        )
    lines += ["", "What was run:", ""]
    for b in every:
        lines.append(
            f"- `{b.case.name}`: {b.case.program} (`ParameterVariation`, {b.case.how}) against "
            f"`System.sweep` (rtol {b.rtol:g}); errors against own runs at rtol 1e-12. Getting "
            f"ready: {b.ready:.2f} s."
        )
    return [*lines, ""]


def _swept(m: Measured) -> list[str]:
    if not m.swept:
        return []
    lines = [
        "## Sweeps", "",
        "CPU time of whole calls of `System.sweep` on one processor, everything compiled before.",
        "Compiled integrations: all machine code of the call (consistent starts, steps, energies,",
        "samples on the constraints). Of it steps: what is left of that with two samples a run.",
        "Difference: of the last run to one of a system on its own with that value.", "",
        "| case | ms | aim | aim here | compiled integrations, ms | ratio | at most | of it steps, "
        "ms | difference |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for s in m.swept:
        lines.append(
            f"| `{s.case.name}`: {s.case.title} | {1e3 * s.seconds:.3g} | {1e3 * s.case.aim:g} | "
            f"{1e3 * s.case.aim * m.scale:.3g} | {1e3 * s.compiled:.3g} | **{s.ratio:.2f}** | "
            f"{RATIO:g} | {1e3 * s.steps:.3g} | {s.difference:.0e} |"
        )
    return [*lines, ""]


def _spent(m: Measured) -> list[str]:
    if not m.spent:
        return []
    lines = [
        "## Overhead", "",
        f"CPU time of a call beyond compiled integration, good code, {SAMPLES + 1} samples, one",
        f"output, median of {CALLS} calls that differ in a parameter; and CPU time of whole",
        "commands. Difference: of the last call to a system on its own with that value.", "",
        "| case | ms | aim | aim here | difference |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for s in m.spent:
        difference = "" if s.difference is None else f"{s.difference:.0e}"
        lines.append(
            f"| `{s.name}`: {s.title} | {1e3 * s.seconds:.3g} | {1e3 * s.aim:g} | "
            f"{1e3 * s.aim * m.scale:.3g} | {difference} |"
        )
    return [*lines, ""]


def _growth(grown: Sequence[Grown]) -> list[str]:
    if not grown:
        return []
    lines = [
        "## Growth", "",
        f"Time of one implicit step ({1e3 * STEP:g} ms, `sparse-alpha`) of the spin-up. Error: of "
        "the motion over",
        f"8 s at a step of {1e3 * LONG_STEP:g} ms, against the certified one.",
    ]  # fmt: skip
    for g in grown:
        lines += [
            "", f"`{g.case.name}`: {g.case.title}. Time per Newton iteration goes with the number "
            f"to the power {g.exponent:.2f} (wanted: at most {g.case.exponent:g}).", "",
            f"| number | call of {STEPS} steps, ms | compiled, µs per step | iterations per step | "
            "ns per iteration and element | error |",
            "|---|---|---|---|---|---|",
        ]  # fmt: skip
        for s in g.sizes:
            each = 1e9 * s.compiled / s.iterations / s.elements
            lines.append(
                f"| {s.elements} | {1e3 * s.whole:.3g} | {1e6 * s.compiled / STEPS:.3g} | "
                f"{s.iterations / STEPS:.2f} | {each:.0f} | "
                f"{s.error:.1e} |"
            )
    return [*lines, ""]


def _derivation(m: Measured) -> list[str]:
    if not m.derived:
        return []
    lines = [
        "## Derivation", "",
        "CPU seconds from the model to equations that can be read (`system.equations()`).",
        "", "| case | coordinates | terms | s | aim | aim here |", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for d in m.derived:
        lines.append(
            f"| `{d.case.name}`: {d.case.title} | {d.coordinates} | {d.terms} | {d.seconds:.2f} | "
            f"{d.case.aim:g} | {m.scale * d.case.aim:.3g} |"
        )
    return [*lines, ""]
