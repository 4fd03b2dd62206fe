"""What the run button does: each analysis as the command line does it, told while it goes on."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pliant.analysis.power.audit import audited, energy_book
from pliant.backends.request import setting_numbers
from pliant.errors import InputError, Interrupted
from pliant.observe.selection import meant
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.show.curves.choice import default_names
from pliant.show.page.page import pose_names
from pliant.studio.work.asked import MOST_MODES, Asked
from pliant.studio.work.bench import Bench
from pliant.studio.work.commands import arguments_of
from pliant.studio.work.process.plain import plain
from pliant.studio.work.process.stream import Stream
from pliant.studio.work.process.told import Told, quick
from pliant.studio.work.process.worker import Answer, Task
from pliant.studio.work.tasks.scene import geometry_of, positions, scene_of
from pliant.system import System

DRAFT_SAMPLES = 250
DRAFT_RTOL = 1e-5
"""Drafts are looked at while a slider moves: as finely as the eye sees. The run that follows is
computed in full."""
"""Of a draft, at most."""
_SCENES = 4.0
"""Between scenes of drafts passes so many times the time that drawing one takes."""
_LONG = 0.4
"""Seconds of a draft after which the next ones are told while they go on, and can be stopped."""


def run(bench: Bench, task: Task, *, asked: Asked) -> Answer:
    """Do an analysis; the answer says what it found, and which results it made."""
    told = Told(task, quietly=asked.draft)
    system = bench.system(asked.source, lambda: told.phase("reading"))
    told.system = system
    chosen: Mapping[str, Any] = {}
    if asked.analysis != "audit":
        chosen = arguments_of(asked.analysis, asked.options)
    with told.listening():
        return _VERBS[asked.analysis](_Run(bench, task, told, asked, system, chosen)), None


@dataclass(frozen=True, slots=True)
class _Run:
    """What an analysis has at hand."""

    bench: Bench
    task: Task
    told: Told
    asked: Asked
    system: System
    chosen: Mapping[str, Any]

    def fresh(self) -> System:
        """The system as a command begins with it: code that runs have made since evaluates the
        same functions with other roundings than their symbols."""
        fresh = System(self.system.described)
        self.told.system = fresh
        return fresh

    def send(self, frame: bytes) -> None:
        """A frame of samples."""
        self.task.tell({"quick": quick(self.system)}, frame)

    def stream(self, number: int | None = None) -> Stream:
        """Frames of a run."""
        header = self.asked.header if number is None else {**self.asked.header, "run": number}
        poses = pose_names(self.system.model.bodies)
        return Stream(self.send, header, poses, self._shown, self._scene)

    def _scene(self, names: Sequence[str], first: Result) -> dict[str, Any] | None:
        """What the 3-D view draws. Drafts do not wait for it: it takes a fifth of their time, so
        that some of them are drawn with the scene of one before."""
        began = clock.monotonic()
        drafts = self.bench.known(self.system) if self.asked.draft else None
        if drafts is not None and began < drafts.scene_due:
            return None
        system, named = self.system.with_numbers(self.asked.params)
        geometry = geometry_of(system, named)
        made = scene_of(geometry, names, positions(first, geometry))
        if drafts is not None:
            now = clock.monotonic()
            drafts.scene_due = now + _SCENES * (now - began)
        return made

    def _shown(self, first: Result) -> list[str]:
        """What is sent beside the motion: what the page asked for, and a first look."""
        names = list(self.asked.outputs)
        if not self.asked.draft:
            observe = self.system.model.settings.observe
            names += observe or default_names(first)
        return [found for name in names for found in meant(first.series, name)]

    def outputs(self) -> list[str] | None:
        """What a run observes: all, or what the model names and the page draws."""
        observe = list(self.system.model.settings.observe)
        if not observe and not self.asked.draft:
            return None
        further = list(self.asked.outputs)
        if further:
            known = self.bench.known(self.system).known
            further = [name for name in further if meant(known, name)]
        poses = pose_names(self.system.model.bodies)
        return [*dict.fromkeys((*(() if self.asked.draft else observe), *poses, *further))]

    def kept(self, number: int, result: Result, label: str = "") -> dict[str, Any]:
        """A finished run, on disk, as the list of runs shows it."""
        if self.asked.draft:
            return {}
        if not self.task.stopped:
            self.told.phase("saving")
        self.bench.save(number, result, self.asked.kept(number).file)
        return {"id": number, "label": label, **about(result)}


def about(result: Result) -> dict[str, Any]:
    """A result as the list of runs shows it."""
    info = result.info
    settings = {k: info[k] for k in ("formulation", "tree", "constraints", "method", "rtol", "step",
                                     "stability") if info.get(k)}  # fmt: skip
    times = result.time
    return {
        "samples": len(result), "t_start": float(times[0]) if len(times) else 0.0,
        "t_end": float(times[-1]) if len(times) else 0.0, "failure": result.failure,
        "warnings": list(result.warnings), "settings": plain(settings),
        "events": [{"name": e.name, "time": e.time, "message": e.message} for e in result.events],
    }  # fmt: skip


def _moving(run: _Run) -> dict[str, Any]:
    """Transient, kinematics, inverse: samples are sent as they are computed."""
    asked, system = run.asked, run.system
    params = dict(asked.params)
    if asked.draft:
        system = run.bench.sliding(system, asked.params)
        params = run.bench.values(run.system, asked.params)
    chosen = {**run.chosen, **_coarser(system, asked, run.chosen)}
    verb = system.simulate if asked.analysis == "transient" else getattr(system, asked.analysis)
    stream = run.stream()
    told: dict[str, Any] = {}
    if not asked.draft or run.bench.known(run.system).slow:
        told = _watched(run, stream, chosen)
    began = clock.monotonic()
    try:
        result = verb(**chosen, params=params, outputs=run.outputs(), **told)
    except Interrupted as stopped:
        result = stopped.result
    if asked.draft:
        run.bench.known(run.system).sound = frozenset(params)
        run.bench.known(run.system).slow = clock.monotonic() - began > _LONG
    if not len(result):
        raise InputError(f"nothing was computed: {result.failure}")
    stream.finish(result)
    return {"runs": [run.kept(asked.run, result)], "quick": quick(system),
            "failure": result.failure}  # fmt: skip


def _watched(run: _Run, stream: Stream, chosen: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """What a run that goes on calls."""
    span = _span(run.system, run.asked.params, chosen.get("t_end"))

    def progress(t: float) -> None:
        run.told.progress((t - span[0]) / (span[1] - span[0]) if span else 0.0)

    def watch(piece: Result) -> None:
        stream.take(piece)
        run.task.go_on()

    return {"progress": progress, "watch": watch}


def _span(
    system: System, params: Mapping[str, Any], t_end: float | str | None
) -> tuple[float, float] | None:
    """Begin and end of a run; None if nobody says."""
    from pliant.analysis.guard import seconds

    own, named = system.with_numbers(params)
    numbers = setting_numbers(own, named)
    (end,) = seconds(own, named, t_end=t_end)
    end, begin = numbers["t_end"] if end is None else end, numbers["t_start"] or 0.0
    return None if end is None or not end > begin else (begin, float(end))


def _coarser(system: System, asked: Asked, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The output interval and the tolerance of a draft, where the model's are finer."""
    if not asked.draft:
        return {}
    from pliant.analysis.guard import seconds

    own, named = system.with_numbers(asked.params)
    numbers, found = setting_numbers(own, named), dict[str, Any]()
    rtol = numbers["rtol"] if chosen.get("rtol") is None else chosen["rtol"]
    if asked.analysis == "transient" and (rtol is None or rtol < DRAFT_RTOL):
        found["rtol"] = DRAFT_RTOL
    span = _span(system, asked.params, chosen.get("t_end"))
    if span is not None:
        (every,) = seconds(own, named, every=chosen.get("every"))
        every = numbers["every"] if every is None else every
        least = (span[1] - span[0]) / DRAFT_SAMPLES
        if every is None or every < least:
            found["every"] = least
    return found


def _statics(run: _Run) -> dict[str, Any]:
    run.told.phase("balancing")
    result = run.fresh().statics(**run.chosen, params=dict(run.asked.params), outputs=run.outputs())
    if not len(result):
        raise InputError(f"no equilibrium: {result.failure}")
    run.stream().finish(result)
    info = result.info
    keys = ("stability", "load_factor", "critical_load", "limit_loads", "mode",
            "degrees_of_freedom")  # fmt: skip
    data = {k: plain(info[k]) for k in keys if k in info}
    return {"runs": [run.kept(run.asked.run, result)], "data": data, "failure": result.failure,
            "quick": quick(run.system)}  # fmt: skip


def _modes(run: _Run) -> dict[str, Any]:
    """Every mode is a run of its own: one swing, slowed down."""
    asked = run.asked
    run.told.phase("linearising")
    found = run.fresh().modes(**run.chosen, params=dict(asked.params))
    rows, kept = found.as_dict()["modes"], []
    for k, (mode, row) in enumerate(zip(found, rows, strict=True)):
        if k >= MOST_MODES:
            break
        result = found.animate(mode.number)
        number = row["run"] = asked.run + k
        run.stream(number).finish(result)
        label = f"mode {mode.number}: {mode.frequency:.4g} Hz, {mode.label}"
        kept.append(run.kept(number, result, label))
        run.told.progress((k + 1) / min(len(rows), MOST_MODES))
    data = {"text": str(found), "modes": rows, "at": found.info.get("at"),
            "warnings": list(found.warnings)}  # fmt: skip
    return {"runs": kept, "data": plain(data), "quick": quick(run.system)}


def _verify(run: _Run) -> dict[str, Any]:
    report = run.system.verify(**run.chosen, params=dict(run.asked.params), progress=run.told.line)
    data = {"text": str(report), "agree": report.agree, "report": report.as_dict()}
    return {"data": plain(data)}


def _advise(run: _Run) -> dict[str, Any]:
    chosen = dict(run.chosen)
    whole = not chosen.pop("quick", False)
    advice = run.system.advise(**chosen, params=dict(run.asked.params), counts=whole, cost=whole,
                               progress=run.told.line)  # fmt: skip
    return {"data": plain({"text": str(advice), "report": advice.as_dict()})}


def _sweep(run: _Run) -> dict[str, Any]:
    from pliant.studio.work.tasks.sweeping import swept

    return swept(run.fresh(), run.told, run.asked, run.chosen)


def _audit(run: _Run) -> dict[str, Any]:
    from pliant.studio.work.tasks.audit import audit_data, powers_frame

    asked = run.asked
    run.told.phase("auditing")
    result = run.bench.result(asked.kept(asked.run))
    system, _ = run.system.with_numbers(asked.params)
    start, end = (asked.options.get(key) for key in ("start", "end"))
    book = energy_book(system, result, start, end)
    run.send(powers_frame(book, {**asked.header, "type": "powers"}))
    return {"data": audit_data(audited(book, system.model.name, result.failure))}


_VERBS: dict[str, Callable[[_Run], dict[str, Any]]] = {
    "transient": _moving, "kinematics": _moving, "inverse": _moving, "statics": _statics,
    "modes": _modes, "verify": _verify, "advise": _advise, "sweep": _sweep, "audit": _audit,
}  # fmt: skip
