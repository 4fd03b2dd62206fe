"""Everything the command line writes, as files to download, each with the command that does it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pliant.errors import UnknownName
from pliant.model.files import dump
from pliant.model.frozen import did_you_mean
from pliant.observe.selection import cure_of, meant
from pliant.results.result import Result
from pliant.results.series import Series
from pliant.studio.work.asked import Exported
from pliant.studio.work.bench import Bench
from pliant.studio.work.commands import arguments_of, command_line, other_command
from pliant.studio.work.process.worker import Answer, Task
from pliant.studio.work.source import WorkError
from pliant.studio.work.tasks.series import with_names
from pliant.system import System
from pliant.writing import replace_text

_CHOICE = ("formulation", "tree", "form", "independent", "truncate")
_LANGUAGES = {"c": ".c", "fortran": ".f90", "python": ".py"}
_WRITTEN = {"latex": ".tex", "text": ".txt"}


Written = tuple[Path, str]
"""A file, and the command line."""


def export(bench: Bench, task: Task, *, kind: str, asked: Exported) -> Answer:
    """Write a file; the answer says where, what it is called and which command does the same."""
    if kind not in KINDS:
        raise WorkError(f"nothing is exported as '{kind}'", did_you_mean(kind, KINDS))
    path, command = KINDS[kind](bench, asked)
    return {"path": path, "name": path.name, "command": command}, None


def _model(bench: Bench, e: Exported) -> Written:
    ending = e.ending((f".{e.source.format}", ".yaml", ".json"))
    target = e.target(ending)
    if ending == f".{e.source.format}":
        replace_text(target, e.source.text)
        return target, f"cp {shlex.quote(e.source.name)} {shlex.quote(f'copy{ending}')}"
    replace_text(target, dump(bench.system(e.source).described, ending.removeprefix(".")))
    program = f"import pliant; pliant.load({e.source.name!r}).save({target.name!r})"
    return target, f"python -c {shlex.quote(program)}"


def _result(bench: Bench, e: Exported) -> Result:
    if e.run is None:
        raise WorkError("there is no run to export", "run the model first")
    return bench.result(e.run)


def _line(e: Exported, target: Path, *more: str) -> str:
    return command_line(e.source.name, e.analysis, e.settings, e.params, *more, "-o",
                        target.name)  # fmt: skip


def _numbers(bench: Bench, e: Exported, ending: str) -> Written:
    """.csv or .nc of what the command line observes: the names chosen, else those of the model,
    else everything."""
    result, target = _result(bench, e), e.target(ending)
    if e.analysis == "modes":
        if ending != ".csv":
            raise WorkError("modes have no samples to save", "export them as csv or as a page")
        _modes(bench, e).to_csv(target)
        return target, _line(e, target)
    if not e.analysis:  # a result of a file
        result.save(target)
        program = f"import pliant; pliant.Result.load({e.source.name!r}).save({target.name!r})"
        return target, f"python -c {shlex.quote(program)}"
    observe = e.names or list(bench.system(e.source).model.settings.observe)
    if observe:
        result = replace(result, series=_observed(result, observe))
    result.save(target)
    return target, _line(e, target, *(("--observe", ",".join(e.names)) if e.names else ()))


def _observed(result: Result, observe: Sequence[str]) -> dict[str, Series]:
    """The series that a run has which is asked for these names, in its order."""
    result, _ = with_names(result, observe)
    kept: set[str] = set()
    for item in observe:
        found = meant(result.series, item)
        if not found:
            raise UnknownName(f"no observable '{item}'", cure_of(item, result.series))
        kept.update(found)
    kept |= {f"{name.removesuffix('power')}work" for name in kept if name.endswith(".power")}
    return {name: s for name, s in result.series.items() if name in kept}


def _modes(bench: Bench, e: Exported) -> Any:
    """They are computed again: a run of theirs holds one of them."""
    chosen = arguments_of("modes", e.settings)
    return System(bench.system(e.source).described).modes(**chosen, params=dict(e.params))


def _page(bench: Bench, e: Exported) -> Written:
    target = e.target(".html")
    if e.analysis == "modes":
        number = str(int(e.options.get("mode") or 1))
        _modes(bench, e).report(target, int(number))
        return target, _line(e, target, "--mode", number)
    result, names = _result(bench, e), e.names
    result.report(target, plots=[n for n in names if n in result] or None)
    return target, _line(e, target, *(("--observe", ",".join(names)) if names else ()))


def _plot(bench: Bench, e: Exported) -> Written:
    result, target = _result(bench, e), e.target(e.ending((".svg", ".png", ".pdf")))
    if e.analysis == "modes":
        _modes(bench, e).plot(target)
        return target, _line(e, target)
    result.plot(*(n for n in e.names if n in result), path=target)
    return target, _line(e, target, *(("--observe", ",".join(e.names)) if e.names else ()))


def _energy(bench: Bench, e: Exported) -> Written:
    """Bands of energy of a run."""
    result, target = _result(bench, e), e.target(e.ending((".svg", ".png", ".pdf")))
    system, _ = bench.system(e.source).with_numbers(e.params)
    span = {key: e.options[key] for key in ("start", "end") if e.options.get(key) is not None}
    system.power_audit(result, **span).plot(target)
    flags = [word for key, flag in (("start", "--from"), ("end", "--to")) if key in span
             for word in (flag, str(span[key]))]  # fmt: skip
    line = command_line(e.source.name, "transient", e.settings, e.params, *flags, "-o",
                        target.name)  # fmt: skip
    return target, line.replace("pliant run", "pliant audit", 1)


def _graph(bench: Bench, e: Exported) -> Written:
    system, target = bench.system(e.source), e.target(e.ending((".svg", ".png", ".dot")))
    kind = str(e.options.get("kind") or "linear")
    tree, full = _listed(e.options.get("tree")), bool(e.options.get("full"))
    system.graph(kind, tree=tree, params=dict(e.params), full=full).save(target)
    more = ["--kind", kind, *(("--tree", ",".join(tree)) if tree else ()),
            *(("--full",) if full else ()), "-o", target.name]  # fmt: skip
    return target, other_command("graph", e.source.name, e.params, *more)


def _equations(bench: Bench, e: Exported) -> Written:
    form = str(e.options.get("format") or "latex")
    if form not in _WRITTEN:
        raise WorkError(f"format: '{form}' is unknown", f"use {', '.join(_WRITTEN)}")
    system, named = bench.system(e.source).with_numbers(e.params)
    chosen, flags = _choice(e)
    given = dict(e.options.get("names") or {})
    found = system.equations(**chosen, names=given)
    if named:
        values = system.model.parameter_values(named)
        found = found.subs({name: values[name] for name in named})
    target = e.target(_WRITTEN[form])
    replace_text(target, (found.latex() if form == "latex" else found.text(100)) + "\n")
    other = ",".join(f"{old}={new}" for old, new in given.items())
    more = [*flags, *(("--names", other) if other else ()), "-o", target.name]
    return target, other_command("equations", e.source.name, e.params, *more)


def _program(bench: Bench, e: Exported) -> Written:
    language: Any = str(e.options.get("format") or e.options.get("language") or "c")
    if language not in _LANGUAGES:
        raise WorkError(f"language: '{language}' is unknown", f"use {', '.join(_LANGUAGES)}")
    chosen, flags = _choice(e)
    target = e.target(_LANGUAGES[language])
    written = bench.system(e.source).source(language, params=dict(e.params), **chosen)
    replace_text(target, written + "\n")
    more = [*flags, "-o", target.name]
    return target, other_command("equations", e.source.name, e.params, *more)


def _choice(e: Exported) -> tuple[dict[str, Any], list[str]]:
    """How equations are written, as arguments and as words of a command."""
    given = {key: e.options[key] for key in _CHOICE if e.options.get(key) not in (None, "")}
    chosen: dict[str, Any] = {
        key: _listed(value) if key in ("tree", "independent") else value
        for key, value in given.items()
    }
    flags = [word for key, value in chosen.items()
             for word in (f"--{key}", ",".join(value) if isinstance(value, list)
                          else str(value))]  # fmt: skip
    return chosen, flags


def _listed(value: Any) -> list[str] | None:
    if not value:
        return None
    return [n.strip() for n in (value.split(",") if isinstance(value, str) else value)]


def _csv(bench: Bench, e: Exported) -> Written:
    return _numbers(bench, e, ".csv")


def _netcdf(bench: Bench, e: Exported) -> Written:
    return _numbers(bench, e, ".nc")


KINDS: dict[str, Callable[[Bench, Exported], Written]] = {
    "model": _model, "report": _page, "csv": _csv, "nc": _netcdf, "plot": _plot,
    "energy": _energy, "graph": _graph, "equations": _equations, "source": _program,
}  # fmt: skip
