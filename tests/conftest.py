"""Machine code made by the tests is kept apart from the user's, not made better, and fenced in."""

import os
from pathlib import Path

os.environ["PLIANT_FENCES"] = "1"  # read when pliant is imported
os.environ["PLIANT_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "pliant")
os.environ["PLIANT_QUICK"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one worker to a core

from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile("clockless", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("clockless")  # how long a draw takes says something about the machine only
