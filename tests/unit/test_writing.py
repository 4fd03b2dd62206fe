"""Files are written whole or not at all, whatever their format."""

import os
import resource
import signal
from contextlib import contextmanager

import pytest

import pliant as pl
from pliant.cli import main
from pliant.errors import FileError
from pliant.writing import replace_bytes, replace_text

OLD = b"what was there before"
MODEL = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {arm: {rod: {length: 0.5, mass: 2}}}
joints: {pin: {revolute: {axis: y}, between: [ground, arm], initial: {angle: 0.3}}}
simulate: {t_end: 0.1}
"""


@pytest.fixture(scope="module")
def system():
    return pl.System.loads(MODEL)


@pytest.fixture(scope="module")
def made(system):
    return system.simulate(), system.modes(), system.graph()


@contextmanager
def full_disk(room=64):
    """No file may become longer: writing fails as on a disk without room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def _write(system, made, path):
    result, modes, graph = made
    kind = path.suffix
    if path.stem == "graph":
        graph.save(path)
    elif path.stem == "modes":
        {".csv": modes.to_csv, ".png": modes.plot, ".html": modes.report}[kind](path)
    elif kind in (".yaml", ".json"):
        system.save(path)
    elif kind in (".png", ".svg", ".pdf"):
        result.plot(path=path)
    elif kind == ".html":
        result.report(path)
    else:
        result.save(path)


NAMES = (
    "run.csv", "run.nc", "run.png", "run.svg", "run.pdf", "run.html", "model.yaml", "model.json",
    "graph.svg", "graph.png", "graph.dot", "modes.csv", "modes.png", "modes.html",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_leaves_the_old_file(system, made, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(OLD)
    with full_disk(), pytest.raises(FileError, match=f"cannot write .*{path.stem}"):
        _write(system, made, path)
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("ending", ["c", "f90", "py", "tex", "txt"])
def test_equations_on_a_full_disk(tmp_path, ending, capsys):
    model, path = tmp_path / "m.yaml", tmp_path / f"out.{ending}"
    model.write_text(MODEL)
    path.write_bytes(OLD)
    with full_disk():
        assert main(["equations", str(model), "-o", str(path)]) == 2
    assert f"cannot write {path}" in capsys.readouterr().err
    assert path.read_bytes() == OLD
    assert sorted(os.listdir(tmp_path)) == ["m.yaml", path.name]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    target, link = tmp_path / "a.txt", tmp_path / "b.txt"
    target.write_bytes(OLD)
    target.chmod(0o640)
    link.symlink_to(target)
    replace_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_as_it_is(tmp_path):
    link = tmp_path / "full.csv"
    link.symlink_to("/dev/full")
    with pytest.raises(FileError, match=r"cannot write .*full\.csv: No space left"):
        replace_bytes(link, b"1")
    assert link.is_symlink()


@pytest.mark.parametrize("name", ["no/such/folder/x.csv", "folder.csv"])
def test_unwritable_targets_are_named_before_anything_is_computed(tmp_path, name, capsys):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "m.yaml").write_text(MODEL.replace("t_end: 0.1", "t_end: 1e6"))
    path = str(tmp_path / name)
    assert main(["run", str(tmp_path / "m.yaml"), "-o", path]) == 2
    assert path in capsys.readouterr().err
