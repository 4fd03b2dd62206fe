"""Machine code made by the tests is kept apart from the user's."""

import os
from pathlib import Path

os.environ["PLIANT_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "pliant")
