"""Everything that first runs would wait for is imported as soon as a worker has nothing to do."""

from __future__ import annotations

from importlib import import_module

from pliant.studio.work.bench import Bench
from pliant.studio.work.process.worker import Answer, Task

_LOOKS = ("pliant.studio.work.tasks.looks", "pliant.backends.expressions.run")
_RUNS = ("pliant.studio.work.tasks.analyses", "pliant.backends.choose", "pliant.code.compile",
         "pliant.code.llvm.machine")  # fmt: skip


def warm(bench: Bench, task: Task, *, runs: bool) -> Answer:
    """Import what looks need, or runs."""
    for name in _RUNS if runs else _LOOKS:
        import_module(name)
    return {}, None
