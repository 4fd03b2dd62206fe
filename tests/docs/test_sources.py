"""docs/sources.md: every line of the sources stands there, with tests and examples that exist, and
commands that are run."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
LINES = {"S0": 17, "S1": 8, "S2": 7, "S3": 3, "S4": 5}
"""Lines of each source."""
ROWS = {m[1]: m[2] for m in re.finditer(r"^\| (S\d\.\d+) \| (.*) \|$", PAGE, re.M)}
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


@cache
def functions(file):
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_line_is_there():
    expected = [f"{source}.{k + 1}" for source, count in LINES.items() for k in range(count)]
    assert list(ROWS) == expected


@pytest.mark.parametrize("line", ROWS)
def test_a_line_names_its_tests_and_a_number(line):
    asked, shown, number = ROWS[line].split(" | ")
    assert asked
    assert NAMED.findall(shown), line
    assert re.search(r"\d", number.partition("**Partly**")[0]), line


@pytest.mark.parametrize("line", ROWS)
def test_a_line_has_a_command_that_shows_something(line):
    """It is run with all others of the page (``test_docs``)."""
    command = re.compile(rf"^\$ pliant \w+ [^#]+# {re.escape(line)}\b.*\n(?!\$|```)", re.M)
    assert command.search(PAGE), line


def test_every_test_and_example_that_is_named_exists():
    missing = [f"{file}::{name}" for file, name in NAMED.findall(PAGE)
               if name not in functions(file)]  # fmt: skip
    assert not missing
    listed = re.findall(r"examples? ((?:`\w+`(?:, )?)+)", PAGE)
    examples = re.findall(r"`(\w+)`", " ".join(listed))
    assert len(examples) > 5
    assert all((ROOT / "examples" / f"{name}.yaml").exists() for name in examples)
