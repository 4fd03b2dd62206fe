"""pliant equations as a user meets it."""

import json
from pathlib import Path

import pytest

from pliant.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CRANK = str(EXAMPLES / "slider_crank_equations.yaml")
ROTOR = str(EXAMPLES / "pendulating_rotor.yaml")


def test_equations_are_printed(capsys):
    assert main(["equations", CRANK]) == 0
    out = capsys.readouterr().out
    assert "linear-graph, joint tree, augmented form" in out
    assert "pin.y:  0 = l11*sin(alpha1) - l12*sin(alpha1 + alpha2)" in out


def test_form_tree_and_names_are_chosen(capsys):
    assert main(["equations", CRANK, "--form", "embedding", "--independent", "alpha1.angle"]) == 0
    assert "J1 = ds/dalpha1 = l11*sin(alpha2)/cos(alpha1 + alpha2)" in capsys.readouterr().out
    names = "nutation.angle = theta, precession.angle=psi"
    tree = ["--tree", "T1, nutation, T2", "--formulation", "linear-graph"]
    assert main(["equations", ROTOR, *tree, "--names", names.partition(",")[0]]) == 0
    out = capsys.readouterr().out
    assert "Coordinates: theta\n" in out
    assert "m*(L**2 + R**2/4)*theta''" in out
    assert main(["equations", ROTOR, "--names", names]) == 0
    assert "Coordinates: psi, theta, spin\n" in capsys.readouterr().out


def test_parameters_are_set_to_numbers(capsys):
    assert main(["equations", CRANK, "--set", "l11=250 mm"]) == 0
    assert "pin.y:  0 = -l12*sin(alpha1 + alpha2) + sin(alpha1)/4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("format", "words"),
    [("latex", r"\ddot{\alpha}_{1}"), ("c", "int main"), ("python", "def forward_dynamics")],
)
def test_other_formats_are_written(format, words, tmp_path, capsys):
    file = tmp_path / "equations.txt"
    assert main(["equations", CRANK, "--format", format, "-o", str(file)]) == 0
    assert capsys.readouterr().out == f"wrote {file}\n"
    assert words in file.read_text()


def test_the_ending_of_the_file_says_the_format(tmp_path, capsys):
    for name, words in {"e.tex": r"\ddot", "e.c": "#include", "e.txt": "Coordinates:"}.items():
        assert main(["equations", CRANK, "-o", str(tmp_path / name)]) == 0
        assert words in (tmp_path / name).read_text()
    capsys.readouterr()


def test_json_holds_equations_by_coordinate(capsys):
    assert main(["equations", CRANK, "--form", "embedding", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["form"] == "embedding"
    assert data["coordinates"] == ["alpha1", "s", "alpha2"]
    assert len(data["equations"]) == 1
    assert len(data["constraints"]) == 2


def test_width_breaks_lines(capsys):
    assert main(["equations", CRANK, "--width", "70"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--tree", "alpha1,wheel"], "'wheel' is no joint, body or driver"),
        (["--independent", "alpha.angle", "--form", "embedding"], "nothing is named alpha.angle"),
        (["--independent", "alpha1.angle,s.displacement", "--form", "embedding"],
         "depend on each other through the constraints; name fewer"),
        (["--names", "alpha1=x"], "no coordinate is named alpha1; known: alpha1.angle"),
        (["--names", "alpha1.angle"], "has no new name; write OLD=NEW"),
        (["--set", "length=1"], "no parameter 'length'"),
        (["--formulation", "newton"], "unknown formulation 'newton'"),
        (["--truncate", "-1"], "-1 is no order"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)  # fmt: skip
def test_bad_choices_end_with_one_message_and_write_nothing(flags, words, tmp_path, capsys):
    file = tmp_path / "equations.txt"
    assert main(["equations", CRANK, *flags, "-o", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pliant: ")
    assert words in err
    assert err.count("\n") == 1
    assert not file.exists()


@pytest.mark.parametrize("flags", [["--format", "tex"], ["--form", "embed"]], ids=" ".join)
def test_unknown_words_are_refused_with_those_that_are_known(flags, capsys):
    with pytest.raises(SystemExit) as end:
        main(["equations", CRANK, *flags])
    assert end.value.code == 2
    assert "invalid choice" in capsys.readouterr().err


def test_equations_that_are_too_long_are_refused_unless_asked_for(tmp_path, capsys):
    file = tmp_path / "equations.txt"
    command = ["equations", str(EXAMPLES / "bricard.yaml"), "-o", str(file)]
    assert main([*command, "--max-terms", "200"]) == 2
    err = capsys.readouterr().err
    assert "Bricard mechanism: 269 terms, with those of intermediate results, are too many" in err
    assert "(limit: 200); for more give max_terms or --max-terms, or export C" in err
    assert not file.exists()
    assert main([*command, "--max-terms", "269"]) == 0
    assert file.exists()


def test_there_must_be_a_folder_to_write_to(tmp_path, capsys):
    file = tmp_path / "missing" / "equations.txt"
    assert main(["equations", CRANK, "-o", str(file)]) == 2
    assert "create it first" in capsys.readouterr().err
