"""Everything the documentation shows is run: Python, models, commands; links lead somewhere.

One test per page, its blocks in order, in a folder of its own that holds ``examples/``:

- ```python blocks share one namespace;
- ```yaml blocks that begin with ``pliant: 1`` are loaded;
- ```console blocks: lines ``$ pliant ...`` are run, and must end with exit code 0 or with the one
  in a comment ``# exit 2``; a studio ends as soon as it has said its address. Lines below a command
  are its output; ``...`` stands for anything.

``<!-- save as NAME -->`` above a block writes the block to a file that later blocks may use.
"""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pliant as pl
from pliant import errors
from pliant.cli import main
from pliant.cli.main import parser
from pliant.model.files import dump, loads
from pliant.solve import INTEGRATORS, TREATMENTS

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*(ROOT / n for n in ("README.md", "NOTATION.md", "CONTRIBUTING.md", "CHANGELOG.md")),
     *(ROOT / "docs").rglob("*.md")]
)  # fmt: skip
FENCE = re.compile(r"(?:<!-- save as (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    text: str
    line: int
    file: str


def blocks_of(page: Path) -> list[Block]:
    """All fenced blocks in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(m[2], m[3], text.count("\n", 0, m.start(3)) + 1, m[1] or "")
        for m in FENCE.finditer(text)
    ]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def runs(block: Block) -> bool:
    """Whether a block is more than text to look at."""
    return bool(block.file) or block.language in ("python", "console", "yaml")


RUN = [p for p in PAGES if any(map(runs, blocks_of(p))) and p.name != "CONTRIBUTING.md"]
"""Recipes of CONTRIBUTING are files of their own: ``test_recipes``."""


@pytest.mark.usefixtures("registries")
@pytest.mark.parametrize("page", RUN, ids=named)
def test_page_does_what_it_shows(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr("pliant.studio.serve.server._until_the_end", at_once)
    monkeypatch.setattr("pliant.cli.progress.FIRST", float("inf"))  # how far is no fixed text
    namespace: dict[str, object] = {"__name__": "documentation"}
    for block in blocks_of(page):
        if block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            source = "\n" * (block.line - 1) + block.text
            exec(compile(source, str(page), "exec", dont_inherit=True), namespace)
        elif block.language == "yaml" and block.text.startswith("pliant: 1"):
            model = loads(block.text, base=tmp_path)
            assert loads(dump(model)) == model, f"{page}:{block.line}: changed by saving"
        elif block.language == "console":
            run_console(block, page, capsys)


async def at_once(_: Any) -> None:
    """The end of a studio that was only opened to be shown."""


def run_console(block: Block, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every ``$ pliant`` command of a block: its exit code, and its output where it is shown."""
    for command, shown in commands_of(block.text):
        words = shlex.split(command, comments=True)
        if words[0] != "pliant":
            continue
        stated = re.search(r"# exit (\d)", command)
        capsys.readouterr()
        code = exit_code(words[1:])
        out, err = capsys.readouterr()
        where = f"{page}:{block.line}: {command}\n{out}{err}"
        assert code == (int(stated[1]) if stated else 0), where
        if shown.strip():
            assert doctest.OutputChecker().check_output(shown, out + err, FLAGS), where


def exit_code(arguments: list[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as end:
        return int(end.code or 0)


def commands_of(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output shown below it."""
    parts = re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.M)[1:]
    for part in parts:
        command, _, shown = part.partition("\n")
        yield command, shown


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = [
        link for link in LINK.findall(text)
        if not re.match(r"https?:|mailto:", link) and not leads_somewhere(page, link)
    ]  # fmt: skip
    assert not broken


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a relative link points to a file, and to a heading of it if it names one."""
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not anchor or target.suffix != ".md" or anchor in headings(target)


def headings(page: Path) -> set[str]:
    """Anchors of the headings of a page, as GitHub makes them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    found = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in found}


def test_every_page_can_be_reached_from_the_index() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        targets = [(page.parent / link.partition("#")[0]).resolve() for link in LINK.findall(text)]
        waiting += [t for t in targets if t.suffix == ".md" and t.exists()]
    missing = [named(p) for p in PAGES if p not in seen and "docs" in p.parts[len(ROOT.parts) :]]
    assert not missing


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def missing_in(page: str, names: Iterable[str]) -> list[str]:
    text = text_of(page)
    return [n for n in names if not re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", text)]


def test_python_reference_lists_every_public_name() -> None:
    assert not missing_in("docs/reference/api.md", [n for n in pl.__all__ if n != "PliantError"])
    verbs = [n for n in vars(pl.System) if not n.startswith("_")]
    assert not missing_in("docs/reference/api.md", verbs)


def test_reference_of_errors_lists_every_error() -> None:
    family = [
        n for n, c in vars(errors).items() if isinstance(c, type) and issubclass(c, Exception)
    ]
    assert not missing_in("docs/reference/errors.md", family)


def test_command_line_reference_lists_every_option() -> None:
    (commands,) = (a for a in parser()._actions if isinstance(a.choices, dict))
    assert commands.choices is not None
    options = {
        o for c in commands.choices.values() for a in c._actions for o in a.option_strings
        if o not in ("-h",)
    }  # fmt: skip
    assert not missing_in("docs/reference/command-line.md", [*commands.choices, *options])


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/how-to/choose-an-integrator.md", INTEGRATORS),
        ("docs/how-to/hold-constraints.md", TREATMENTS),
        ("docs/reference/model-file.md", {**pl.JOINTS, **pl.FORCES, **pl.BODIES}),
        ("README.md", {**INTEGRATORS, **TREATMENTS, **pl.JOINTS}),
    ],
    ids=["integrators", "treatments", "elements", "readme"],
)
def test_page_lists_everything_registered(page: str, names: dict[str, object]) -> None:
    assert not missing_in(page, names)


def options_in(page: str) -> set[tuple[str, float]]:
    """Options as a page shows them: `alpha` (10, in 1/s)."""
    return {(n, float(v)) for n, v in re.findall(r"`(\w+)` \((-?[\d.e+-]+)[,)]", text_of(page))}


@pytest.mark.parametrize(
    ("page", "registry"),
    [
        ("docs/how-to/choose-an-integrator.md", INTEGRATORS),
        ("docs/how-to/hold-constraints.md", TREATMENTS),
    ],
    ids=["integrators", "treatments"],
)
def test_page_gives_every_option_with_its_default(page: str, registry: dict[str, Any]) -> None:
    options = {(n, v) for entry in registry.values() for n, v in entry.options.items()}
    assert options <= options_in(page)


def test_table_of_treatments_says_which_integrators_they_go_with() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text_of("docs/how-to/hold-constraints.md"), re.M
    )
    stated = {t: goes_with for t, goes_with in rows if re.search("auto|all", goes_with)}
    everything = frozenset().union(*(i.needs for i in INTEGRATORS.values()))
    for name, treatment in TREATMENTS.items():
        model: Any = SimpleNamespace(capabilities=everything, treatment=treatment)
        able = [n for n, i in INTEGRATORS.items() if not i.objections(model)]
        expected = "all integrators" if len(able) == len(INTEGRATORS) else ", ".join(able)
        assert stated[name] == expected, name


def test_documentation_names_nothing_outside_the_repository() -> None:
    words = re.compile(r"(?<![\w.])/(?:home|root|tmp|work)/")
    found = [named(p) for p in PAGES if words.search(p.read_text(encoding="utf-8"))]
    assert not found


def test_what_the_code_cites_is_in_the_references() -> None:
    """Names before a year, and the five sources, of every docstring."""
    listed = text_of("docs/references.md").replace("ü", "ue").splitlines()
    cited = re.compile(r"\b([A-Z][a-z]+)(?: and|,)? ?([A-Z][a-z]+)?,? \(?((?:19|20)\d\d)\b")
    words = {"Algorithms", "Analysis", "Springer", "Fortran", "Bodies"}
    found = set()
    for path in (ROOT / "src" / "pliant").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= {(a, year) for a, _, year in cited.findall(text) if a not in words}
        found |= {(source, "") for source in re.findall(r"Source: (S\d)\b", text)}
    assert len(found) > 20
    missing = {c for c in found if not any(c[0] in line and c[1] in line for line in listed)}
    assert missing == set()


def test_the_house_is_as_it_is_drawn() -> None:
    """Rooms of the linter in their order, and every path that is named."""
    text = text_of("docs/architecture.md")
    law = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"][0]
    rooms = [re.findall(r"pliant\.(\w+)", layer) for layer in law["layers"]]
    drawn = text[text.index("```text") : text.index("```\n\n## One run")].splitlines()
    lines = [next(k for k, line in enumerate(drawn) if re.search(rf"\b{room}\b", line[:36]))
             for row in rooms for room in row]  # fmt: skip
    assert lines == sorted(lines)
    inside = ROOT / "src" / "pliant"
    paths = {p for p in re.findall(r"`([a-z_]+/[a-z_*/.]+)`", text) if not p.startswith("tests/")}
    assert len(paths) > 20
    assert [p for p in sorted(paths) if not any(inside.glob(p))] == []


def test_numbers_of_the_page_on_flexible_bodies_are_those_that_are_cited() -> None:
    text = text_of("docs/theory/flexible-bodies.md")
    numbered = {int(n) for n in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)}
    cited = {
        int(n)
        for path in (ROOT / "src" / "pliant").rglob("*.py")
        for part in re.findall(r"flexible-bodies\s+(\d[\d, -]*)", path.read_text(encoding="utf-8"))
        for n in re.findall(r"\d+", part)
    }
    assert len(cited) > 6
    assert cited <= numbered == set(range(1, 11))


def test_decisions_name_files_that_exist() -> None:
    inside, missing = ROOT / "src" / "pliant", []
    for page in sorted((ROOT / "docs" / "adr").glob("*.md")):
        for path in re.findall(
            r"`([a-z_0-9]+(?:/[a-z_0-9]+)*\.py)`", page.read_text(encoding="utf-8")
        ):
            if not (inside / path).exists() and not (ROOT / path).exists():
                missing.append(f"{page.name}: {path}")
    assert missing == []
