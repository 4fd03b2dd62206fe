"""Machine code made by the tests is kept apart from the user's, not made better, and fenced in.
How long a draw of random data takes says something about the machine only. Expressions are many
small objects that are soon gone: rubbish is looked for less often, and not in what stays."""

import gc
import os
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["PLIANT_FENCES"] = "1"  # read when pliant is imported
os.environ["PLIANT_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "pliant")
os.environ["PLIANT_QUICK"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one worker to a core

settings.register_profile("clockless", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("clockless")


def pytest_collection_modifyitems(items):
    """Modules with slow tests come first, so that no worker is left alone with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish():
    """What was imported stays until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.fixture
def registries():
    """Registries, which are afterwards as they were."""
    for room in ("backends.choose", "cli", "show"):  # they make registries
        import_module(f"pliant.{room}")
    from pliant.model import registration
    from pliant.model.networks.library import COMPONENTS
    from pliant.registry import REGISTRIES

    kinds = [own for _, own in (*registration._REGISTRIES, *REGISTRIES)]
    known = (*kinds, COMPONENTS, registration._by)
    before = [dict(own) for own in known]
    yield known
    for own, old in zip(known, before, strict=True):
        own.clear()
        own.update(old)
