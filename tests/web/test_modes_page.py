"""The moving page of modes: one file, every mode in it, chosen from a list."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.web.browser import Browser

import pliant as pl
from pliant.errors import InputError

DOUBLE = """
pliant: 1
name: double pendulum
gravity: [0, 0, -9.81]
bodies:
  upper: {rigid: {mass: 1, com: [0, 0, -1]}, frames: {end: [0, 0, -1]}}
  lower: {rigid: {mass: 1, com: [0, 0, -1]}}
joints:
  J1: {revolute: {axis: y}, between: [ground, upper]}
  J2: {revolute: {axis: y}, between: [upper.end, lower]}
simulate: {t_end: 1}
"""
POSITION = "document.querySelectorAll('.curve')[0].getAttribute('d')"
READY = "document.getElementById('pliant').dataset.ready === 'true'"
CHOOSE = """
const list = document.querySelector('select.modes');
list.selectedIndex = 1; list.dispatchEvent(new Event('change'));
"""


def test_one_file_has_all_modes_and_they_move(tmp_path: Path) -> None:
    page = pl.System.loads(DOUBLE).modes().report(tmp_path / "modes.html")
    assert [p.name for p in tmp_path.iterdir()] == ["modes.html"]
    with Browser(tmp_path / "profile") as browser, browser.open(page) as tab:
        tab.wait(READY)
        names = "[...document.querySelectorAll('select.modes option')].map((o) => o.textContent)"
        assert tab.value(names) == [
            "1  J1: angle: 0.38153 Hz, undamped", "2  J2: angle: 0.92109 Hz, undamped"]  # fmt: skip
        scrub = "Number(document.querySelector('.scrub').value)"
        tab.wait(f"{scrub} > 0.1")  # it plays by itself
        first = tab.value(POSITION)
        tab.value(f"(() => {{ {CHOOSE} return 1; }})()")
        tab.wait(f"{READY} && {POSITION} !== {json.dumps(first)}")
        assert tab.value("document.querySelector('select.modes').selectedIndex") == 1
        assert tab.value("document.querySelectorAll('canvas').length") == 1
        tab.wait(f"{scrub} > 0.1")
        assert tab.complaints() == []


def test_what_modes_share_is_written_once(tmp_path: Path) -> None:
    modes = pl.System.loads(DOUBLE).modes()
    text = modes.report(tmp_path / "modes.html").read_text()
    data = json.loads(re.search(r'application/json">(.*?)</script>', text)[1])
    assert data["title"] == "Modes of double pendulum"
    assert [sorted(m) for m in data["modes"]] == [["mode"], ["mode", "numbers"]]
    one = modes.report(tmp_path / "two.html", 2).read_text()
    assert "<title>Mode 2  J2: angle: 0.92109 Hz, undamped</title>" in one
    assert '"modes":' not in one
    with pytest.raises(InputError, match="mode 3: there are modes 1 to 2"):
        modes.report(tmp_path / "three.html", 3)
    assert not (tmp_path / "three.html").exists()
