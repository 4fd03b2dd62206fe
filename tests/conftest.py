"""Machine code made by the tests is kept apart from the user's, and fenced in."""

import os
from pathlib import Path

os.environ["PLIANT_FENCES"] = "1"  # read when pliant is imported

import pytest

from pliant.engine import tiers

os.environ["PLIANT_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "pliant")


@pytest.fixture(autouse=True)
def nothing_compiled_for_later():
    """Better machine code of models that are done with is not waited for."""
    yield
    tiers.forget()
