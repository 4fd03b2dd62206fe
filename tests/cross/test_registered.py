"""A package of its own (tests/package) offers a joint, a force, a section and a component."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import pliant as pl
from pliant.model.forces.action import Acting
from pliant.model.joints import JOINTS, Revolute
from pliant.observe.following import OBSERVABLES, Observable
from pliant.solve import INTEGRATORS

PACKAGE = Path(__file__).parents[1] / "package"
MODEL = PACKAGE / "own.yaml"


def pliant(*words, installed=True, **environment):
    """A command in a program of its own, where the package is installed, or is not."""
    paths = [str(PACKAGE)] * installed + [p for p in sys.path if p]
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
    return subprocess.run(
        [sys.executable, "-m", "pliant", *map(str, words)], env=own, capture_output=True, text=True
    )


def test_a_file_speaks_of_them():
    found = pliant("check", MODEL)
    assert found.returncode == 0, found.stderr
    assert "degrees of freedom: 4" in found.stdout


def test_without_the_package_all_of_them_are_unknown():
    found = pliant("check", MODEL, installed=False)
    assert found.returncode == 2
    for word in ("ellipse", "the kind of joint is missing", "attraction", "eddy-brake"):
        assert word in found.stderr


def test_all_formulations_agree():
    found = pliant("verify", MODEL, "--json")
    assert found.returncode == 0, found.stdout + found.stderr
    verdicts = [v for v in json.loads(found.stdout)["verdicts"] if not v["declined"]]
    assert {v["formulation"] for v in verdicts} == {
        "recursive", "linear-graph", "multibond", "natural", "kane"}  # fmt: skip


def test_a_run_its_page_and_its_file(tmp_path):
    """Code of the package is kept by its text; the brake stops the rotor as its law says:
    s^2 ln w + w^2/2 falls by 2 T s / J a second."""
    cache = {"PLIANT_CACHE_DIR": str(tmp_path / "cache"), "PLIANT_QUICK": ""}
    outputs = [
        word for name in ("own.html", "own.csv", "own.nc") for word in ("-o", tmp_path / name)
    ]
    found = pliant("run", MODEL, *outputs, **cache)
    assert found.returncode == 0, found.stderr
    assert "sweep" in (tmp_path / "own.html").read_text(encoding="utf-8")
    with open(tmp_path / "own.csv", encoding="utf-8") as file:
        names = [c.partition(" ")[0] for c in file.readline().strip().split(",")]
        table = np.loadtxt(file, delimiter=",")
    w = table[:, names.index("axle.angle_rate")]
    fallen = 30**2 * np.log(w) + w**2 / 2
    assert fallen - fallen[0] == pytest.approx(
        -2 * 2 * 30 / 0.005 * table[:, 0], rel=1e-5, abs=1e-3
    )


def test_the_schema_knows_them():
    found = pliant("schema")
    text = json.dumps(json.loads(found.stdout))
    assert all(f'"{kind}"' in text for kind in ("curved_slot", "attraction", "ellipse"))
    plain = json.dumps(json.loads(pliant("schema", installed=False).stdout))
    assert "curved_slot" not in plain


def test_a_broken_package_is_named(tmp_path):
    broken = tmp_path / "broken"
    (broken / "bad-1.0.dist-info").mkdir(parents=True)
    (broken / "bad.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
    about = "Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n"
    (broken / "bad-1.0.dist-info" / "METADATA").write_text(about, encoding="utf-8")
    entry = "[pliant.elements]\nthings = bad\n"
    (broken / "bad-1.0.dist-info" / "entry_points.txt").write_text(entry, encoding="utf-8")
    own = {**os.environ, "PYTHONPATH": os.pathsep.join([str(broken), *filter(None, sys.path)])}
    words = [sys.executable, "-m", "pliant", "check", str(MODEL)]
    found = subprocess.run(words, env=own, capture_output=True, text=True)
    assert found.returncode == 2
    assert "package 'bad' offers 'things', which cannot be had" in found.stderr
    assert "nothing_of_that_name" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.usefixtures("registries")
def test_a_class_in_a_program_is_known_to_its_files():
    @pl.register
    class Hinge(Revolute):
        kind = "hinge"

    text = """
pliant: 1
bodies: {b: {rod: {length: 1, mass: 1}}}
joints: {A: {hinge: {axis: y}, between: [ground, b]}}
"""
    system = pl.System.loads(text)
    assert type(system.model.joints["A"]) is Hinge
    assert pl.System.loads(system.text).described == system.described

    @pl.register
    class Hinge(Revolute):  # written anew, as in a notebook
        kind = "hinge"

    assert JOINTS["hinge"] is Hinge


@pytest.mark.usefixtures("registries")
def test_a_thing_is_written_anew_by_its_own_module_only():
    """As in a notebook; elsewhere its name is taken."""
    for factor in (1.0, 2.0):
        own = pl.register(Observable("twice", "J", ("energy",), lambda e, f=factor: f * e))
        assert OBSERVABLES["twice"] is own
    elsewhere = {"__name__": "elsewhere", "pl": pl, "own": own}
    with pytest.raises(pl.PliantError, match="observable 'twice': there is another one already"):
        exec("pl.register(own)", elsewhere)


def test_a_command_of_the_package_is_found():
    found = pliant("census", MODEL)
    assert (found.returncode, found.stdout) == (0, "2 bodies\n"), found.stderr
    assert pliant("census", MODEL, installed=False).returncode == 2


def test_its_driver_is_known_to_files_and_schema(tmp_path):
    text = MODEL.read_text(encoding="utf-8").partition("forces:")[0]
    ram = "drivers: {ram: {stroke: {length: 3 - t}, between: [ground.sun, arm.end]}}\n"
    (tmp_path / "ram.yaml").write_text(text + ram, encoding="utf-8")
    found = pliant("check", tmp_path / "ram.yaml")
    assert "degrees of freedom: 3" in found.stdout, found.stderr
    assert '"stroke"' in pliant("schema").stdout
    unknown = pliant("check", tmp_path / "ram.yaml", installed=False)
    assert unknown.returncode == 2
    assert "Traceback" not in unknown.stderr


class Nameless(Acting):
    pass


class Second(Revolute):
    kind = "revolute"


@dataclass(frozen=True)
class Stranger:
    kind: ClassVar[str] = "stranger"


@pytest.mark.parametrize(
    ("element", "said"),
    [
        (Nameless, "class 'Nameless' has no name for files"),
        (Second, "class 'Second': there is another 'revolute' already"),
        (Stranger, "cannot be registered"),
        (INTEGRATORS["radau"], "integrator 'radau': there is another one already"),
        (3, "cannot be registered"),
        ("nowhere.yaml", "nowhere.yaml"),
        (MODEL, "own.yaml: it is not a sub-graph"),
    ],
)
def test_what_cannot_be_registered(registries, element, said):
    before = [dict(kinds) for kinds in registries]
    with pytest.raises(pl.PliantError) as caught:
        pl.register(element)
    assert said in str(caught.value)
    assert before == [dict(kinds) for kinds in registries]


@pytest.mark.usefixtures("registries")
def test_a_section_of_the_package_by_its_outline(monkeypatch):
    """A, Iy and Iz of the polygon it is drawn with (Green), which has 28 corners."""
    monkeypatch.syspath_prepend(str(PACKAGE))
    from pliant_extras import Ellipse

    own = Ellipse(y=0.03, z=0.01).sized({"y": np.array([0.03]), "z": np.array([0.01])}.get)
    y, z = own.outline().loops[0][0].T
    cross = y * np.roll(z, -1) - np.roll(y, -1) * z
    values = own.values(0.3)
    assert cross.sum() / 2 == pytest.approx(values.A[0], rel=0.01)
    for along, I in ((z, values.Iy), (y, values.Iz)):
        further = np.roll(along, -1)
        moment = (cross * (along**2 + along * further + further**2)).sum() / 12
        assert moment == pytest.approx(I[0], rel=0.02)
