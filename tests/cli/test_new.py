"""``pliant new``: a model file to begin with, never in place of another."""

import json

import pytest

from pliant.cli import main
from pliant.model.files.examples import examples
from pliant.model.files.templates import TEMPLATES


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_model_is_written_and_runs(here, capsys):
    assert main(["new", "arm"]) == 0
    assert "pliant studio arm.yaml" in capsys.readouterr().out
    assert main(["check", "arm.yaml"]) == 0
    assert (here / "arm.yaml").read_text() == TEMPLATES["planar"].text


@pytest.mark.parametrize("template", [*TEMPLATES, "pendulum"])
def test_every_template_gives_its_text(here, template):
    assert main(["new", "model.yml", "--template", template]) == 0
    known = TEMPLATES.get(template)
    expected = known.text if known else examples()[template].read_text()
    assert (here / "model.yml").read_text() == expected


def test_json_is_written_where_the_name_says_so(here):
    assert main(["new", "mesh.json", "--template", "network"]) == 0
    assert json.loads((here / "mesh.json").read_text())["networks"]["drive"]["domain"]


@pytest.mark.parametrize("there", ["file", "link", "folder"])
def test_what_is_there_is_never_written_over(here, capsys, there):
    target = here / "model.yaml"
    if there == "file":
        target.write_text("mine")
    elif there == "link":
        target.symlink_to(here / "nowhere.yaml")
    else:
        target.mkdir()
    assert main(["new", "model"]) == 2
    assert "model.yaml" in capsys.readouterr().err
    assert not (here / "nowhere.yaml").exists()
    if there == "file":
        assert target.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["new", "a", "--template", "spacial"], "did you mean 'spatial'"),
        (["new", "a", "--template", "pendullum"], "did you mean 'pendulum'"),
        (["new", "a.txt"], "unknown kind of file"),
        (["new", "no/such/folder/a"], "there is no folder"),
        (["new", ""], "unknown kind of file"),
    ],
)
def test_bad_input_writes_nothing(here, capsys, arguments, phrase):
    assert main(arguments) == 2
    assert phrase in capsys.readouterr().err
    assert list(here.iterdir()) == []


def test_templates_and_examples_are_listed(capsys):
    assert main(["new"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0].rstrip(":") for line in lines} == {
        "templates", "examples", *TEMPLATES, *examples(),
    }  # fmt: skip
    assert main(["new", "--template", "empty"]) == 0
    assert capsys.readouterr().out == "pliant: 1\n"
