"""Kept code is found again unless the text of what makes code has changed."""

import os
from pathlib import Path

import pytest

from pliant.engine import store


@pytest.fixture
def stamp(tmp_path, monkeypatch):
    """The stamp of a small package, computed anew each time."""
    for file in ("engine/store.py", "mechanics/motion.py", "plots/lines.py", "cli/run.py"):
        path = tmp_path / file
        path.parent.mkdir()
        path.write_text(f"# {file}\n")
    monkeypatch.setattr(store, "__file__", str(tmp_path / "engine" / "store.py"))
    return tmp_path, store.source_stamp.__wrapped__


def test_dates_and_rooms_that_make_no_code_leave_it(stamp):
    root, now = stamp
    before = now()
    os.utime(root / "mechanics" / "motion.py", (1, 1))
    Path(root / "plots" / "lines.py").write_text("# other\n")
    Path(root / "cli" / "run.py").unlink()
    assert now() == before


def test_text_and_names_of_what_makes_code_change_it(stamp):
    root, now = stamp
    found = {now()}
    path = root / "mechanics" / "motion.py"
    path.write_text("# other\n")
    found.add(now())
    path.rename(root / "mechanics" / "moves.py")
    found.add(now())
    assert len(found) == 3


def test_every_room_that_makes_code_exists():
    root = Path(store.__file__).parents[1]
    assert all((root / room).is_dir() for room in store._MAKERS)
