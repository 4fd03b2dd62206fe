"""Two runs side by side: largest differences, and what differs in texts and settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from pliant.studio.work.asked import Kept
from pliant.studio.work.bench import Bench
from pliant.studio.work.process.plain import plain
from pliant.studio.work.process.worker import Answer, Task

MOST_ROWS, MOST_LINES = 500, 4000
Line = dict[str, str]


def compare(
    bench: Bench, task: Task, *, runs: tuple[Kept, Kept],
    told: tuple[Mapping[str, Any], Mapping[str, Any]],
) -> Answer:  # fmt: skip
    """``told``: what the list of runs says of both."""
    a, b = (bench.result(run) for run in runs)
    found = a.compare(b)
    rows = [{"name": d.name, "unit": a.unit(d.name), "difference": d.largest, "time": d.time,
             "relative": d.relative} for d in found.differences[:MOST_ROWS]]  # fmt: skip
    said = [*_settings(*told), *_changed_lines(runs[0].source.text, runs[1].source.text)]
    return {"rows": plain(rows), "texts": said, "left_out": list(found.left_out)}, None


def _settings(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Line]:
    """Parameters and settings that differ."""
    for part in ("params", "settings"):
        own, other = a.get(part) or {}, b.get(part) or {}
        for name in dict.fromkeys((*own, *other)):
            texts = [str(values[name]) if name in values else "as in the file"
                     for values in (own, other)]  # fmt: skip
            if texts[0] != texts[1]:
                yield {"label": name, "a": texts[0], "b": texts[1]}


def _changed_lines(a: str, b: str) -> Iterator[Line]:
    """Lines of the texts that differ."""
    if a == b:
        return
    own, other = a.splitlines(), b.splitlines()
    if len(own) + len(other) > MOST_LINES:
        yield {"label": "text", "a": f"{len(own)} lines", "b": f"{len(other)} lines"}
        return
    for word, i0, i1, j0, j1 in SequenceMatcher(None, own, other, autojunk=False).get_opcodes():
        if word != "equal":
            where = f"line {i0 + 1}" if i1 - i0 <= 1 else f"lines {i0 + 1} to {i1}"
            yield {"label": where, "a": "\n".join(own[i0:i1]), "b": "\n".join(other[j0:j1])}
