"""Long rows of LaTeX are broken between terms, never inside of brackets."""

import re

from pliant.reading.folding import broken


def test_short_rows_stay():
    assert broken(r"0 &= a + b - \frac{c + d}{e}") == r"0 &= a + b - \frac{c + d}{e}"


def test_lines_end_between_terms_and_hold_the_width():
    row = "0 &= " + " + ".join(f"a_{{{k}}}" for k in range(100))
    lines = broken(row, width=40).split(" \\\\\n")
    assert len(lines) > 4
    assert all(line.startswith(r"&\quad + a_") for line in lines[1:])
    assert all(len(re.sub(r"[{}_ ]|&|\\quad", "", line)) <= 40 for line in lines)
    assert " ".join(line.removeprefix(r"&\quad ") for line in lines) == row


def test_brackets_are_kept_together():
    inside = " + ".join("xyz" for _ in range(60))
    row = rf"0 &= \left({inside}\right) \ddot{{q}} - \frac{{{inside}}}{{2}} + b"
    lines = broken(row, width=40).split(" \\\\\n")
    assert [line.count("xyz") for line in lines] == [60, 60, 0]
    assert all(line.count("{") == line.count("}") for line in lines)
