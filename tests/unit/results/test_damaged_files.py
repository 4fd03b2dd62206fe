"""Files that are not what they should be are refused in one message."""

import json
import zipfile

import numpy as np
import pytest

from pliant.errors import FileError, PliantError
from pliant.flex.given import load_modes
from pliant.model.bodies.meshes import read_mesh
from pliant.results import Result, Series, files


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "r.nc"
    vector = Series(np.ones((3, 2)), "m", ("x", "y"), "position")
    Result(np.arange(3.0), {"a": Series(np.ones(3), "m"), "p": vector}).save(path)
    return path


def test_every_changed_byte_of_a_result_is_noticed(saved):
    whole = saved.read_bytes()
    end = whole.rindex(b"Pliant SHA-256")
    for k in range(0, end, 97):
        saved.write_bytes(whole[:k] + bytes([whole[k] ^ 4]) + whole[k + 1 :])
        with pytest.raises(FileError, match="not what was written"):
            Result.load(saved)


def test_other_programs_read_a_result_and_write_it_without_a_sum(saved):
    import xarray

    data = xarray.load_dataset(saved, engine="h5netcdf")
    data.to_netcdf(saved.with_name("s.nc"), engine="h5netcdf")
    assert list(Result.load(saved.with_name("s.nc"))) == ["a", "p"]


@pytest.mark.parametrize(("key", "value"), [("info", "{"), ("events", "[1]"), ("warnings", "3")])
def test_attributes_that_are_none(saved, key, value):
    import xarray

    data = xarray.load_dataset(saved, engine="h5netcdf")
    data.attrs[key] = value
    data.to_netcdf(saved.with_name("s.nc"), engine="h5netcdf")
    with pytest.raises(FileError, match="damaged"):
        Result.load(saved.with_name("s.nc"))


@pytest.mark.parametrize(
    "text",
    ["", "x,y\n1,2\n", "time,a\n0,nan\n", "time,a\n0\n", "time,a,a\n0,1,2\n", "time,a\n0,b\n"],
)
def test_csv(tmp_path, text):
    path = tmp_path / "r.csv"
    path.write_text(text)
    with pytest.raises(FileError, match=r"r\.csv"):
        Result.load(path)


def test_an_archive_that_claims_more_than_it_holds(tmp_path):
    path = tmp_path / "m.npz"
    np.savez(path, nodes=np.zeros((2, 3)))
    with zipfile.ZipFile(path) as archive:
        member = archive.read("nodes.npy").replace(b"(2, 3)", b"(9**9, 3)"[:6])
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nodes.npy", member.replace(b"(9**9,", b"(9, 9)"))
    with pytest.raises(FileError, match=r"m\.npz"):
        load_modes(path)


@pytest.mark.parametrize(
    "content", [{"mass": 3}, [1], {"nodes": [[1, 2], [3]]}, {"nodes": 10**400}]
)
def test_modes_that_are_none(tmp_path, content):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(content))
    with pytest.raises(PliantError, match=r"m\.json"):
        load_modes(path)


@pytest.mark.parametrize("text", ["v 0 0 0\nf 1 2 3", "v 1e999 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3"])
def test_meshes_that_are_none(tmp_path, text):
    path = tmp_path / "m.obj"
    path.write_text(text)
    with pytest.raises(FileError, match=r"m\.obj"):
        read_mesh(path)


def test_a_file_without_a_sum_that_is_not_read_in_time_is_refused(saved, monkeypatch):
    """The library may hang on a damaged file of others; so it is tried apart, for a while."""
    whole = saved.read_bytes()
    saved.write_bytes(whole[: whole.rindex(b"\nPliant SHA-256")])
    assert list(Result.load(saved)) == ["a", "p"]
    monkeypatch.setattr(files, "FOREIGN_SECONDS", 0.01)
    with pytest.raises(FileError, match=r"r\.nc: it cannot be read within"):
        Result.load(saved)


def test_a_reader_that_crashes_on_a_file_takes_nothing_with_it(saved, monkeypatch):
    saved.write_bytes(saved.read_bytes()[:-80])
    monkeypatch.setattr(files, "_APART", "import os, signal; os.kill(os.getpid(), 11)")
    with pytest.raises(FileError, match="signal 11"):
        Result.load(saved)
