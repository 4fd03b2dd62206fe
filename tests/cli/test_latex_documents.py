"""What `pliant equations -o x.tex` writes, compiled: no error, no line beyond the page."""

import re
import subprocess
from pathlib import Path

import pytest

import pliant as pl
from pliant.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = {
    "crank": ["slider_crank_equations"],
    "embedded": ["slider_crank_equations", "--form", "embedding", "--independent", "alpha1.angle"],
    "rotor": ["pendulating_rotor", "--names", "nutation.angle=θ_1,spin.angle=φ & ψ"],
    "beam": ["rotating_beam"],
    "disc": ["rolling_disc", "--formulation", "kane"],
    "links": ["two_link_chain", "--formulation", "multibond", "--max-terms", "4000"],
    "crane": ["hydraulic_crane", "--max-terms", "4000"],
}
DOCUMENT = r"""\documentclass{article}
\usepackage{amsmath}
\begin{document}
Text before.
%s
Text after.
%s
\end{document}
"""


def written(folder, name, *more):
    model, *flags = CASES[name]
    target = folder / f"{name}.tex"
    assert (
        main(["equations", str(EXAMPLES / f"{model}.yaml"), *flags, *more, "-o", str(target)]) == 0
    )
    return target


def log_of(source):
    """What the compiler says; fails if it does not compile."""
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name],
        cwd=source.parent, capture_output=True, text=True, errors="replace", timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    return (source.parent / f"{source.stem}.log").read_text(errors="replace")


def test_models_included_in_one_document_stay_within_the_page(tmp_path):
    matrix = pl.load(EXAMPLES / "slider_crank_equations.yaml").equations().mass_matrix.latex("M")
    included = "\n".join(rf"\input{{{written(tmp_path, name).stem}}}" for name in CASES)
    source = tmp_path / "all.tex"
    source.write_text(DOCUMENT % (included, matrix))
    log = log_of(source)
    assert "Overfull" not in log
    assert "Warning" not in re.sub(r"Font Warning", "", log)
    assert "pages" in log


def test_the_check_for_the_page_sees_lines_that_are_too_wide(tmp_path):
    crank = written(tmp_path, "crank", "--width", "60")
    source = tmp_path / "wide.tex"
    source.write_text(DOCUMENT % (rf"\input{{{crank.stem}}}", ""))
    assert "Overfull" in log_of(source)


def test_a_document_of_its_own(tmp_path):
    log = log_of(written(tmp_path, "beam", "--standalone"))
    assert "Overfull" not in log


def test_a_name_of_the_model_may_be_anything(tmp_path):
    model = tmp_path / "odd.yaml"
    model.write_text(
        "pliant: 1\nname: 'Größe_1 & 50 % #{x} \\ ^ ~ $ 日本'\nbodies: {b_1: {point: 1}}\n"
        "joints: {s_t_u: {prismatic: {axis: z}, between: [ground, b_1]}}\n"
    )
    target = tmp_path / "odd.tex"
    assert main(["equations", str(model), "--standalone", "-o", str(target)]) == 0
    assert "Overfull" not in log_of(target)


@pytest.mark.parametrize(
    ("flags", "words"),
    [(["--standalone"], "only LaTeX can be a document; add --format latex"),
     (["--width", "3"], "3 is too narrow; give at least 10"),
     (["--standalone", "-o", "x.c"], "only LaTeX can be a document")],
)  # fmt: skip
def test_what_cannot_be_asked_for(flags, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["equations", str(EXAMPLES / "pendulum.yaml"), *flags]) == 2
    assert words in capsys.readouterr().err
