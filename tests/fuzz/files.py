"""Damaged files: whatever they hold, they are read or refused in one message, within seconds."""

import contextlib
import io
import json
import signal
import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import yaml
from tests.fuzz.mutations import damaged, mutated, some

import pliant as pl
from pliant.errors import PliantError
from pliant.flex.given import load_modes
from pliant.model.bodies.meshes import read_mesh
from pliant.model.files.examples import examples
from pliant.results import Result
from pliant.results.files import with_check_sum

SECONDS = 20
"""Time of the processor that one case may take."""
CHECKED = 40
"""One of so many models that still load is also assembled."""


@dataclass(frozen=True)
class Fault:
    """A case that ended in something else than a result or a message."""

    target: str
    seed: int
    what: str


class TooSlowError(Exception):
    """The case did not come to an end."""


@contextlib.contextmanager
def limited(seconds):
    """Raises TooSlowError in the main thread after so much time of the processor."""

    def stop(number, frame):
        raise TooSlowError(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@cache
def _models():
    """Models as plain data; those of many elements would only be slow."""
    found = []
    for path in examples().values():
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        if len(path.read_bytes()) < 4000:
            found.append(data)
    return found


def model_file(rng, folder):
    """A model with changed data or changed text; some are assembled as well."""
    data = _models()[int(rng.integers(len(_models())))]
    if rng.random() < 0.7:
        changed = mutated(rng, data)
        text = json.dumps(changed) if rng.random() < 0.3 else yaml.safe_dump(changed)
    else:
        text = damaged(rng, yaml.safe_dump(data).encode()).decode("utf-8", "surrogateescape")
    path = folder / ("model.json" if text[:1] == "{" else "model.yaml")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    system = pl.System.load(path)
    if rng.integers(CHECKED) == 0:
        system.check()


@cache
def _result_bytes():
    """A small result as netCDF and as CSV."""
    swing = pl.System(
        gravity=[0, 0, -9.81], bodies=[pl.RigidBody.rod("arm", 0.5, mass=2)],
        joints=[pl.Revolute("pin", "ground", "arm", axis="y", initial={"angle": 0.3})],
    )  # fmt: skip
    result = swing.simulate(0.1, every=0.02)
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for suffix in (".nc", ".csv"):
            path = Path(folder) / f"r{suffix}"
            result.save(path)
            found[suffix] = path.read_bytes()
    return found


def result_file(rng, folder):
    """A damaged result; what can be read can also be printed and written again."""
    suffix = (".nc", ".csv")[int(rng.integers(2))]
    path = folder / f"result{suffix}"
    path.write_bytes(damaged(rng, _result_bytes()[suffix]))
    _use_result(path, folder)


def result_contents(rng, folder):
    """A sound netCDF file with other contents than a result."""
    import h5py

    path = folder / "result.nc"
    whole = _result_bytes()[".nc"]
    path.write_bytes(whole[: whole.rindex(b"\nPliant")])
    with h5py.File(path, "r+") as file:
        names = list(file)
        name = names[int(rng.integers(len(names)))]
        change = int(rng.integers(5))
        if change == 0:
            del file[name]
        elif change == 1:
            key = ("info", "events", "warnings", "failure", "model")[int(rng.integers(5))]
            odd = ("{", "[]", "[[1]]", '["a", {}]', 3.0, "", "null", "[" * 5000)
            file.attrs[key] = odd[int(rng.integers(len(odd)))]
        elif change == 2 and file[name].dtype.kind == "f" and file[name].ndim:
            file[name][...] = (np.nan, np.inf, 1e300)[int(rng.integers(3))]
        elif change == 3:
            attributes = file[name].attrs
            attributes["unique"] = np.arange(int(rng.integers(9)))
            attributes["units"] = rng.standard_normal(2)
        else:
            file.create_dataset("strange", data=rng.standard_normal((2, 3, 4)))
    path.write_bytes(with_check_sum(path.read_bytes()))
    _use_result(path, folder)


def _use_result(path, folder):
    result = Result.load(path)
    repr(result)
    assert all(np.isfinite(result.values(name)).all() for name in result.columns())
    result.save(folder / "again.nc")


@cache
def _modes():
    rng = np.random.default_rng(5)
    K = np.diag([4.0, 9.0])
    return {"nodes": rng.standard_normal((4, 3)), "shapes": rng.standard_normal((4, 3, 2)),
            "mass": np.ones(4), "stiffness": K, "damping": 0.1 * K,
            "lines": np.array([[0, 1], [1, 2], [2, 3]])}  # fmt: skip


def modes_file(rng, folder):
    """Modes as JSON with changed data, or as JSON or NPZ with changed bytes."""
    data = {name: a.tolist() for name, a in _modes().items()}
    kind = int(rng.integers(3))
    path = folder / ("modes.npz" if kind == 2 else "modes.json")
    if kind == 0:
        path.write_text(json.dumps(mutated(rng, data)))
    elif kind == 1:
        path.write_bytes(damaged(rng, json.dumps(data).encode()))
    else:
        packed = io.BytesIO()
        np.savez(packed, **_modes())
        path.write_bytes(damaged(rng, packed.getvalue()))
    load_modes(path)


def mesh_file(rng, folder):
    """Meshes of all three kinds."""
    kind = int(rng.integers(3))
    if kind == 0:
        content = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1/1 2/1 -1\n"
    elif kind == 1:
        facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        content = f"solid a\n{facet}endloop\nendfacet\nendsolid a\n".encode()
    else:
        triangle = np.zeros(1, [("n", "<f4", 3), ("c", "<f4", (3, 3)), ("s", "<u2")])
        triangle["c"][0] = np.eye(3)
        content = bytes(80) + (1).to_bytes(4, "little") + triangle.tobytes()
    path = folder / ("mesh.obj" if kind == 0 else "mesh.stl")
    path.write_bytes(damaged(rng, content))
    corners, faces = read_mesh(path)
    assert np.isfinite(corners).all()
    assert faces.max() < len(corners)


def signal_file(rng, folder):
    """A signal from a damaged CSV file."""
    table = "time,a,b\n" + "".join(f"{0.1 * k},{k * k},{-k}\n" for k in range(8))
    (folder / "data.csv").write_bytes(damaged(rng, table.encode()))
    (folder / "model.yaml").write_text(
        "pliant: 1\nsignals: {s: {file: data.csv, value: b}}\n"
        "bodies: {b: {point: 1}}\njoints: {j: {prismatic: {axis: x}, between: [ground, b]}}\n"
        "drivers: {d: {joint: j, displacement: s}}\n"
    )
    pl.System.load(folder / "model.yaml")


def model_run(rng, folder):
    """A small model with changed data that still loads, in one analysis or another."""
    small = [m for m in _models() if len(m.get("bodies", {})) < 4 and "beam" not in str(m)]
    system = None
    for _ in range(20):
        (folder / "model.yaml").write_text(yaml.safe_dump(mutated(rng, some(rng, small), most=4)))
        with contextlib.suppress(PliantError):
            system = pl.System.load(folder / "model.yaml")
            break
    if system is None:
        return
    verb = str(rng.choice(["simulate", "simulate", "statics", "modes", "check", "kinematics"]))
    options = {"t_end": 0.01} if verb in ("simulate", "kinematics") else {}
    made = getattr(system, verb)(**options)
    if isinstance(made, Result):
        assert all(np.isfinite(made.values(name)).all() for name in made.columns())


TARGETS = {
    f.__name__: f
    for f in (
        model_file, result_file, result_contents, modes_file, mesh_file, signal_file, model_run
    )
}  # fmt: skip


def judged(target, seed):
    """The fault of one case, or None."""
    rng = np.random.default_rng([sum(target.encode()), seed])
    with tempfile.TemporaryDirectory(prefix="pliant-fuzz-") as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with limited(SECONDS):
                TARGETS[target](rng, Path(folder))
        except PliantError as error:
            bad = "Traceback" in str(error) or not str(error)
            return Fault(target, seed, "a message that says nothing") if bad else None
        except (Exception, RecursionError) as error:
            return Fault(target, seed, f"{type(error).__name__}: {error}")
    return None
