"""Every line of the sources has its place: commands are run, tests that are named exist."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import shutil
from functools import cache
from pathlib import Path

import pytest

from pliant.cli import main

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "sources.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| S\d", line)
]
ASKED = {"S0": 17, "S1": 8, "S2": 7, "S3": 3, "S4": 5}
"""How many lines each source has."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def shown_by(row: list[str]) -> str:
    """The command or the test of a row."""
    (found,) = re.findall(r"`([^`]+)`", row[2])
    return str(found)


COMMANDS = sorted({shown_by(row) for row in ROWS if shown_by(row).startswith("pliant ")})


@cache
def functions_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(n.name for n in tree.body if isinstance(n, ast.FunctionDef))


def test_every_line_has_a_row() -> None:
    lines = {re.split(r"\s", row[0])[0] for row in ROWS}
    assert lines == {f"{source}.{k}" for source, n in ASKED.items() for k in range(1, n + 1)}
    names = [row[0] for row in ROWS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_shows_a_line_is_there(row: list[str]) -> None:
    shown, number = shown_by(row), row[3]
    if not shown.startswith("pliant "):
        path, _, name = shown.partition("::")
        assert name in functions_in(path)
    assert number
    assert ("missing:" in number) == number.startswith("**partly**:")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_what_is_said(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for row in ROWS:
        if shown_by(row) == command:
            (said,) = re.findall(r"`([^`]+)`", row[3])
            wanted = f"...{said}..."
            assert doctest.OutputChecker().check_output(wanted, out, FLAGS), (row[0], out)
