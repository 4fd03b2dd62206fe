"""A beam is edited in its form while its shapes are played, and frequencies follow."""

import json
import subprocess
import sys
from math import pi, sqrt

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.text import parsed

pytestmark = pytest.mark.slow
MODEL = """\
pliant: 1
materials: {steel: {E: 210 GPa, density: 7850}}
bodies:
  blade:   # clamped
    beam: {length: 1 m, section: {rectangle: {width: 20 mm, height: 10 mm}}, material: steel}
    shapes: {bending_z: 2}
    rotary_inertia: none
joints:
  root: {fixed: {}, between: [ground, blade.root]}
"""
FIRST = 1.8751040687119611
"""The first root of cos(x) cosh(x) = -1."""
MODES = "[aria-label='Mode to play']"
FIELD = "field-bodies-blade-"


def clamped(length: float, radius_of_gyration: float) -> float:
    """The first frequency of a clamped bar of steel, Hz."""
    return FIRST**2 / (2 * pi * length**2) * sqrt(210e9 / 7850) * radius_of_gyration


def test_a_beam_is_edited_while_its_shapes_are_played(tmp_path):
    path = tmp_path / "models" / "blade.yaml"
    path.parent.mkdir()
    path.write_text(MODEL)
    with opened(path, tmp_path, width=1300, height=900) as page:
        page.click("[role=treeitem][data-name=blade]")
        page.wait("document.querySelector('.modes-toggle')?.hidden === false")
        page.click(".modes-toggle")
        frequencies(page, 2, clamped(1, 0.01 / sqrt(12)))
        page.wait("!document.querySelector('.clock-bar .idle')")
        page.picture("played")
        type_into(page, "beam-length", "0.5 m")
        frequencies(page, 2, clamped(0.5, 0.01 / sqrt(12)))
        type_into(page, "shapes-bending_z", "3")
        frequencies(page, 3, clamped(0.5, 0.01 / sqrt(12)))
        page.choose(f"#{FIELD}beam-section", "circle")
        type_into(page, "beam-section-circle-radius", "5 mm")
        frequencies(page, 3, clamped(0.5, 0.005 / 2))
        page.picture("circle")
        page.choose(f"#{FIELD}theory", "exact")
        for label in ("Give materials.steel nu = 0.3", "Leave out shapes",
                      "Write rotary_inertia: full"):  # fmt: skip
            page.press(label)
        page.wait("document.querySelector('.badge')?.getAttribute('aria-label') === '0 faults'")
        page.click(".modes-toggle")
        page.eventually(lambda: bends_both_ways(page, clamped(0.5, 0.005 / 2)))
        page.picture("exact")
        assert page.count(".finding[data-analysis=modes]") == 2
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: "exact" in path.read_text())
        offered = shown(page)
    beam = parsed(path.read_text(), "yaml").data["bodies"]["blade"]["beam"]
    assert beam == {"length": "0.5 m", "section": {"circle": {"radius": "5 mm"}},
                    "material": "steel"}  # fmt: skip
    assert "blade:   # clamped" in path.read_text()
    told = told_by_the_command_line(path)
    assert offered == pytest.approx(told[: len(offered)], rel=1e-4)


def hertz(option: str) -> float:
    return float(option.partition("· ")[2].removesuffix(" Hz").replace("−", "-"))


def shown(page: StudioPage) -> list[float]:
    return [hertz(text) for text in page.texts(f"{MODES} option")]


def frequencies(page: StudioPage, count: int, first: float) -> None:
    """Until so many shapes are offered, the first at this frequency."""
    page.eventually(lambda: len(shown(page)) == count and shown(page)[0] == near(first))


def bends_both_ways(page: StudioPage, first: float) -> bool:
    """Elements do so, to shear as well: a little softer."""
    return len(shown(page)) > 3 and shown(page)[:2] == [near(first), near(first)]


def near(frequency: float) -> object:
    return pytest.approx(frequency, rel=5e-3)


def type_into(page: StudioPage, field: str, text: str) -> None:
    page.click(f"#{FIELD}{field}")
    page.tab.value(f"document.getElementById('{FIELD}{field}').select()")
    page.tab.type(text)
    page.tab.key("Enter", "\r")


def told_by_the_command_line(path) -> list[float]:
    command = [sys.executable, "-m", "pliant", "modes", str(path), "--json"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [mode["frequency"] for mode in json.loads(out)["modes"]]
