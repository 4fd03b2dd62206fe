"""Equations in lines of LaTeX: nothing is lost, widths hold, brackets are opened if need be."""

import re

import pytest

import pliant as pl
from pliant.reading.parts import Row
from pliant.reading.sheet import boxes_of, lines_of, plain, table, wide

NAMES = [f"a_{{{k}}}" for k in range(40)]
SUM = " + ".join(NAMES)


def shown(lines):
    """What a reader sees, without sizes of brackets and blanks."""
    flat = " ".join(line.replace(r"\quad", "") for line in lines)
    return re.sub(r"\\(left|right|Bigl|Bigr)|\s", "", flat)


def test_short_rows_stay():
    row = r"a + b - \frac{c + d}{e}"
    assert lines_of(row, 34) == [row]


@pytest.mark.parametrize(
    "row",
    [SUM, rf"\left({SUM}\right) \ddot{{q}} + b", rf"x + \max\left({SUM}, b\right)",
     rf"- m \left(c + 2 \left({SUM}\right)^{{2}}\right)",
     rf"\sin \left({SUM}\right) - \cos^{{2}} \left({SUM}\right)"],
)  # fmt: skip
def test_lines_hold_the_width_and_lose_nothing(row):
    for width in (15, 34, 46):
        lines = lines_of(row, width)
        assert len(lines) > 1
        assert shown(lines) == shown([row])
        for line in lines:
            inside = re.sub(r"\\(quad|Big[lr]) ?", "", line)
            assert wide(boxes_of(inside)) + line.count(r"\quad") <= width + 1
        assert all(line.startswith(r"\quad") for line in lines[1:])


def test_lines_end_before_terms_and_outside_of_brackets_if_they_can():
    row = r"\left(a + b\right) c + \left(d + e\right) f + \left(g + h\right) k"
    assert lines_of(row, 10) == [
        r"\left(a + b\right) c", r"\quad + \left(d + e\right) f", r"\quad + \left(g + h\right) k",
    ]  # fmt: skip


def test_long_fractions_and_roots_are_written_otherwise():
    first, *_ = lines_of(rf"\frac{{{SUM}}}{{2}}", 34)
    assert first.startswith(r"\frac{1}{2} \Bigl( a_{0} + a_{1}")
    lines = lines_of(rf"\frac{{a}}{{{SUM}}} + b", 34)
    assert lines[0].startswith(r"a \Bigl( a_{0}")
    assert r"\Bigr)^{-1}" in " ".join(lines)
    assert lines_of(rf"\sqrt{{{SUM}}}", 34)[-1].endswith(r"\Bigr)^{1/2}")


def test_a_long_product_is_broken_between_factors():
    lines = lines_of("x + " + " ".join(rf"\mathrm{{length{k}}}" for k in range(20)), 34)
    assert len(lines) > 2
    assert all(line.startswith(r"\quad \cdot \mathrm") for line in lines[2:])


def test_vectors_and_matrices_that_are_too_wide_are_told_by_entries():
    column = rf"\begin{{bmatrix}} {SUM} \\ b \\ 0 \end{{bmatrix}}"
    written = table([Row("w", "", "w", column)], 34)
    assert "w_{1} &= a_{0}" in written
    assert "w_{2} &= b" in written
    assert "w_{3} &= 0" in written
    narrow = r"\begin{bmatrix} a \\ b \end{bmatrix}"
    assert table([Row("w", "", r"\dot{w}_{B}", narrow)], 34) == (
        "\\begin{align*}\n\\dot{w}_{B} &= \\begin{bmatrix} a \\\\ b \\end{bmatrix}\n\\end{align*}"
    )


def test_a_matrix_has_a_name_or_its_entries():
    equations = pl.load("examples/slider_crank_equations.yaml").equations()
    M = equations.mass_matrix
    assert M.latex().startswith("\\begin{pmatrix}")
    assert M.latex("M", width=200).startswith("\\begin{align*}\nM &= \\begin{pmatrix}")
    entries = M.latex("M")
    assert r"M_{1,3} &= I_{12} + " in entries
    assert "M_{2," not in entries  # the slider has no mass


def test_words_are_set_as_they_are():
    assert plain("50 % of a_b & c^2 {x} \\ é 日") == (
        r"50 \% of a\_b \& c\textasciicircum{}2 \{x\} \textbackslash{} é ?"
    )
