"""Meshes named in model files: found beside the file, kept by full path, saved short."""

from __future__ import annotations

from pathlib import Path

import pytest

from pliant.errors import InputError, ModelError
from pliant.model import Model, RigidBody
from pliant.model.files import dump, load, loads, save

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
TEXT = """
pliant: 1
parameters: {s: 0.001}
bodies:
  crank:
    point: 2
    shape:
      mesh:
        file: parts/crank.obj
        scale: s
        at: [0, 0, 1 mm]
        orientation: {axis: z, angle: 90 deg}
"""


def test_mesh_lies_relative_to_the_model_file(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "crank.obj").write_text(OBJ)
    (tmp_path / "m.yaml").write_text(TEXT)
    model = load(tmp_path / "m.yaml")
    mesh = model.bodies["crank"].shape["mesh"]  # type: ignore[index]
    assert mesh["file"] == str(tmp_path / "parts" / "crank.obj")
    assert mesh["at"][2].value == 0.001
    assert loads(dump(model)) == model
    saved = save(model, tmp_path / "n.json")
    assert '"parts/crank.obj"' in saved.read_text()
    assert load(saved) == model


def test_mesh_of_a_text_needs_a_full_path(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"body 'crank': shape: mesh: .*load the model by path"):
        loads(TEXT)
    with pytest.raises(ModelError, match=r"body 'crank'.*check the path"):
        loads(TEXT, base=tmp_path)


def test_mesh_in_code_is_relative_to_the_working_folder() -> None:
    body = RigidBody("a", 1, shape={"mesh": {"file": "a.stl"}})
    assert body.shape["mesh"]["file"] == str(Path("a.stl").absolute())  # type: ignore[index]
    assert loads(dump(Model(bodies=[body]))).bodies["a"] == body
    for bad in ({"file": 3}, {"file": ""}, {"file": "a.stl", "scale": "1 mm"}, {}):
        with pytest.raises(InputError, match=r"body 'a': shape: (mesh|file|scale)"):
            RigidBody("a", 1, shape={"mesh": bad})
