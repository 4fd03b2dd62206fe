"""The desk: what the studio's server hands over to be computed, and gets back.

Two processes work for it, one for looks at the document, one for runs; either is started when it is
first needed, and replaced when it ends. Everything here happens in the loop of the server; nothing
waits but for them.
"""

from __future__ import annotations

import asyncio
import json
import time as clock
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from pliant.records import dataclass
from pliant.studio.work.asked import MOST_MODES, Asked, Exported
from pliant.studio.work.commands import command_line, known_analysis
from pliant.studio.work.jobs import Job, Queue
from pliant.studio.work.process.process import TaskStopped, Worker, WorkerEnded
from pliant.studio.work.runs import LOADED, Runs
from pliant.studio.work.source import Source, WorkError

__all__ = ["Desk", "Export", "Source", "WorkError"]

Tell = Callable[[dict[str, Any], bytes | None], None]
LOOK_SECONDS = {"equations": 10.0}
"""After which a look is given up, where that is sooner than ``LONGEST``: others wait for it."""
LONGEST = 120.0
STOP_SECONDS = {"integrating": 10.0, "saving": 30.0, "sweeping": 30.0}
"""That a job may take to stop by itself, by phase; then its process is ended."""


@dataclass(frozen=True, slots=True)
class Export:
    """A file to download, the name it is offered under, and the command that does the same."""

    path: Path
    name: str
    command: str


class _Look:
    """A look that waits; the newest text is looked at."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.answer: asyncio.Task[dict[str, Any]] | None = None


class Desk:
    """``folder``: a temporary one, for results; ``tell``: is called with messages for all windows,
    and with frames of numbers beside their headers."""

    def __init__(self, folder: Path, tell: Tell) -> None:
        self._folder, self._tell = folder, tell
        self._runs, self._queue, self._numbers = Runs(folder), Queue(), count(1)
        self._exports = count(1)
        self._jobs: dict[int, Job] = {}
        """Those that wait or are under way."""
        self._looker, self._runner = Worker(runs=False), Worker(runs=True)
        self._looking, self._looks = asyncio.Lock(), dict[str, _Look]()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pump: asyncio.Task[None] | None = None
        self._closed = False

    def warm(self) -> None:
        """Both processes start now, the one that is needed first before the other."""

        async def both() -> None:
            await self._looker.start()
            await self._runner.start()

        self._spawn(both())

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda t: t.cancelled() or t.exception())  # somebody may have left
        return task

    @property
    def workers(self) -> dict[str, int | None]:
        """Numbers of the processes, by what they do."""
        return {"look": self._looker.pid, "run": self._runner.pid}

    async def look(self, what: str, source: Source, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """A view of a document as data. Looks at older texts that still wait see the newest."""
        key = json.dumps([what, source.name, arguments], sort_keys=True, default=str)
        waiting = self._looks.get(key)
        if waiting is None:
            waiting = self._looks[key] = _Look(source)
            waiting.answer = self._spawn(self._looked(key, what, waiting, arguments))
        elif source.revision >= waiting.source.revision:
            waiting.source = source
        assert waiting.answer is not None
        return await asyncio.shield(waiting.answer)

    async def _looked(
        self, key: str, what: str, waiting: _Look, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        async with self._looking:
            self._looks.pop(key, None)
            payload = {"what": what, "source": waiting.source, "arguments": dict(arguments)}
            seconds = LOOK_SECONDS.get(what, LONGEST)
            return (await self._asked(self._looker, "look", payload, seconds))[0]

    async def _asked(
        self, worker: Worker, name: str, payload: dict[str, Any], seconds: float = LONGEST
    ) -> tuple[dict[str, Any], bytes | None]:
        """Ask something that is not long in coming; what goes wrong is a WorkError."""
        try:
            return await asyncio.wait_for(worker.ask(name, payload), seconds)
        except TimeoutError:
            worker.kill()
            what = f"this takes longer than {seconds:g} s"
            raise WorkError(what, "use the command line") from None
        except WorkerEnded as ended:
            cure = "" if self._closed else "it was started anew; try again"
            raise WorkError(f"the worker ended: {ended}", cure) from None

    def run(self, source: Source, request: Mapping[str, Any]) -> int:
        """Queue an analysis: ``{analysis, options, params, draft, outputs}``; its job's number. Of
        drafts that wait only the newest is done."""
        job = self._job(source, request)
        self._jobs[job.number] = job
        for dropped in self._queue.put(job):
            self._end(dropped, "stopped")
        if not job.draft:
            self._say(job)
        if self._pump is None or self._pump.done():
            self._pump = self._spawn(self._work())
        return job.number

    def _job(self, source: Source, request: Mapping[str, Any]) -> Job:
        """What is to be done; an audit is of a run, with the text and the parameters of that."""
        analysis, number = str(request.get("analysis") or "transient"), next(self._numbers)
        params, options = request.get("params") or {}, dict(request.get("options") or {})
        draft = bool(request.get("draft")) and analysis != "audit"
        if analysis == "audit":
            run = int(options.get("run") or 0)
            source, params = self._runs[run].kept.source, self._runs[run].kept.params
            if not source.text:
                raise WorkError("this result does not hold its model", "load it as .nc, not .csv")
        else:
            many = MOST_MODES if known_analysis(analysis).name == "modes" else 1
            run = -number if draft else self._runs.reserve(many)
        return Job(
            number=number, run=run, source=source, analysis=analysis, options=options, draft=draft,
            params={str(k): str(v) for k, v in params.items()},
            outputs=[str(name) for name in request.get("outputs") or ()],
        )  # fmt: skip

    def stop(self, job: int) -> None:
        """End a job; samples that it has made are kept as a run."""
        found = self._jobs.get(job)
        if found is None:
            return
        if self._queue.remove(found):
            self._end(found, "stopped")
            return
        found.state = "stopped"
        if found.task is not None:
            self._runner.stop(found.task)
            patience = STOP_SECONDS.get(str(found.about.get("phase")), 1.5)
            loop = asyncio.get_running_loop()
            found.ends = found.ends or loop.call_later(patience, self._runner.kill)

    async def _work(self) -> None:
        while (job := self._queue.take()) is not None and not self._closed:
            await self._perform(job)

    async def _perform(self, job: Job) -> None:
        """One job from its start to its end."""

        def news(content: dict[str, Any], frame: bytes | None) -> None:
            job.about.update(content)
            if frame is not None:
                header = {"type": "samples", "job": job.number, "run": job.run}
                self._tell({**header, "draft": job.draft}, frame)
            elif job.state == "running":
                self._say(job)

        job.state, began = "running", clock.monotonic()
        if not job.draft:
            self._say(job)
        try:
            answer = await self._answer(job, news)
        except WorkError as error:
            self._end(job, "failed", failure=str(error), elements=error.elements)
        except TaskStopped:
            self._end(job, "stopped")
        except WorkerEnded as ended:
            if job.state == "stopped":
                self._end(job, "stopped", failure="it was ended before it had samples to keep")
            else:
                self._end(job, "failed", failure=f"the worker ended: {ended}")
            self._spawn(self._runner.start())
        else:
            self._finish(job, answer, clock.monotonic() - began)

    async def _answer(
        self, job: Job, news: Callable[[dict[str, Any], bytes | None], None]
    ) -> dict[str, Any]:
        asked = Asked(
            source=job.source, analysis=job.analysis, options=job.options, params=job.params,
            outputs=job.outputs, draft=job.draft, job=job.number, run=job.run, folder=self._folder,
        )  # fmt: skip

        def started(task: int) -> None:
            job.task = task
            if job.state == "stopped":
                self.stop(job.number)

        return (await self._runner.ask("run", {"asked": asked}, news, started))[0]

    def _finish(self, job: Job, answer: Mapping[str, Any], seconds: float) -> None:
        """A job that gave an answer: its runs are listed before it is said to be done."""
        runs = [run for run in answer.get("runs", ()) if run]
        for run in runs:
            full = {**self._told(job), **run, "seconds": seconds}
            self._runs.add(job.source, job.options, full)
        if runs:
            self._tell({"type": "runs", "runs": self.runs()}, None)
        more = {key: answer[key] for key in ("failure", "data", "quick") if key in answer}
        self._end(job, "stopped" if job.state == "stopped" else "done", progress=1.0, **more)

    def _told(self, job: Job) -> dict[str, Any]:
        """What the page is told of a run beside its numbers."""
        line = command_line(job.source.name, job.analysis, job.options, job.params)
        return {"analysis": job.analysis, "revision": job.source.revision,
                "params": dict(job.params), "started": job.started, "command": line}  # fmt: skip

    def _end(self, job: Job, state: str, **more: Any) -> None:
        if job.ends is not None:
            job.ends.cancel()
        job.state = state
        job.about.update(phase="", remaining=None, **more)
        self._jobs.pop(job.number, None)
        self._say(job)

    def _say(self, job: Job) -> None:
        if not self._closed:
            self._tell({"type": "job", "job": job.data}, None)

    async def series(
        self, run: int, names: list[str], scene: bool = False, sections: bool = False
    ) -> bytes:
        """A frame with observables of a finished run; ``with_header(frame, id=...)`` adds to it."""
        payload = {"run": self._runs[run].kept, "names": names, "scene": scene,
                   "sections": sections}  # fmt: skip
        _, frame = await self._asked(self._idle(), "series", payload)
        assert frame is not None
        return frame

    def _idle(self) -> Worker:
        """Who tells of finished runs: the one that computed them, unless it is at work."""
        busy = any(job.task is not None for job in self._jobs.values())
        return self._looker if busy else self._runner

    async def compare(self, a: int, b: int) -> dict[str, Any]:
        """Largest differences of two runs, and what differs in their texts and settings."""
        runs = self._runs[a], self._runs[b]
        payload = {"runs": tuple(r.kept for r in runs), "told": tuple(dict(r.data) for r in runs)}
        return (await self._asked(self._idle(), "compare", payload))[0]

    async def export(self, kind: str, options: Mapping[str, Any], source: Source) -> Export:
        """Write a file: of the run that ``options`` names, else of the document."""
        folder = self._folder / f"export-{next(self._exports)}"
        folder.mkdir()
        asked = Exported(source, options.get("params") or {}, dict(options), folder)
        if options.get("run") is not None:
            run = self._runs[int(options["run"])].kept
            asked = Exported(run.source, run.params, dict(options), folder, run)
        worker = self._looker if asked.run is None else self._idle()
        made, _ = await self._asked(worker, "export", {"kind": kind, "asked": asked})
        return Export(made["path"], made["name"], made["command"])

    async def load(self, path: Path) -> int:
        """A result of a file (.nc, .csv) as a run to compare with; its number."""
        number = self._runs.reserve()
        payload = {"run": number, "file": path, "keep": self._runs.file(number)}
        made, _ = await self._asked(self._looker, "load", payload)
        base = {"analysis": LOADED, "revision": -1, "params": made["params"],
                "started": clock.time(), "seconds": 0.0, "command": ""}  # fmt: skip
        source = Source(made["model"], "yaml", path.parent, path.name)
        for run in made["runs"]:
            self._runs.add(source, {}, {**base, **run})
        self._tell({"type": "runs", "runs": self.runs()}, None)
        return number

    def forget(self, run: int) -> None:
        """Away with a run."""
        self._runs.forget(run)
        self._tell({"type": "runs", "runs": self.runs()}, None)

    def text_of(self, run: int) -> str:
        """The text that a run was computed from."""
        return self._runs[run].kept.source.text

    def runs(self) -> list[dict[str, Any]]:
        """Finished runs, oldest first (RunData of protocol.ts)."""
        return self._runs.data()

    async def close(self) -> None:
        """End the processes; what is under way is given up."""
        self._closed = True
        while (job := self._queue.take()) is not None:
            self._jobs.pop(job.number, None)
        await asyncio.gather(self._looker.close(), self._runner.close())
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
