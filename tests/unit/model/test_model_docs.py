"""Every complete model in the documentation of model files loads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pliant.model.files import dump, loads

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("reference/model-file.md", "how-to/write-a-model-file.md")
BLOCKS = [
    pytest.param(block, id=f"{page}-{k}")
    for page in PAGES
    for k, block in enumerate(re.findall(r"```yaml\n(.*?)```", (DOCS / page).read_text(), re.S))
    if block.startswith("pliant: 1")
]


def test_there_are_models_in_the_documentation() -> None:
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize("text", BLOCKS)
def test_model_in_the_documentation_loads(text: str) -> None:
    model = loads(text)
    assert loads(dump(model)) == model
