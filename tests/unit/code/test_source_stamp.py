"""Kept code is found again unless the text of what makes code has changed."""

import os
import time
from pathlib import Path

import pytest

from pliant.code import store


@pytest.fixture
def stamp(tmp_path, monkeypatch):
    """The stamp of a small package, computed anew each time."""
    for room in store._MAKERS:
        (tmp_path / room).mkdir()
    for file in ("code/store.py", "mechanics/motion.py", "show/lines.py", "cli/commands/run.py"):
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(f"# {file}\n")
    monkeypatch.setattr(store, "PACKAGE", tmp_path)
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path, store.source_stamp.__wrapped__


def test_dates_and_rooms_that_make_no_code_leave_it(stamp):
    root, now = stamp
    before = now()
    os.utime(root / "mechanics" / "motion.py", (1, 1))
    Path(root / "show" / "lines.py").write_text("# other\n")
    Path(root / "cli" / "commands" / "run.py").unlink()
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


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of one source, and a cache of its own; what was read of it."""
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "PACKAGE", tmp_path)
    room = tmp_path / "room" / "inner"
    room.mkdir(parents=True)
    source = room / "source.py"
    source.write_text("a = 1")
    hour_ago = time.time() - 3600
    os.utime(source, (hour_ago, hour_ago))
    return source


def hashed(reads: list[str], text: str) -> str:
    def compute() -> str:
        reads.append(text)
        return text * 64

    return store.sources_hash("test", ("room",), compute)


def test_sources_are_read_again_when_a_file_has_changed(package, monkeypatch):
    monkeypatch.setattr(store, "_SETTLED", -1)
    reads: list[str] = []
    assert hashed(reads, "a") == hashed(reads, "b") == "a" * 64
    status = package.stat()
    package.write_text("a = 2")  # as long as before, and as old
    os.utime(package, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert hashed(reads, "c") == hashed(reads, "d") == "c" * 64
    package.with_name("other.py").write_text("")
    assert hashed(reads, "e") == "e" * 64
    package.unlink()
    assert hashed(reads, "f") == "f" * 64
    assert reads == ["a", "c", "e", "f"]


def test_sources_that_have_just_changed_are_read_every_time(package):
    reads: list[str] = []
    package.write_text("a = 3")
    assert [hashed(reads, text) for text in "ab"] == ["a" * 64, "b" * 64]
