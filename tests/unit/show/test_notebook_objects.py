"""What notebooks are handed: told without a kernel."""

import base64
import html
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import pliant as pl
from pliant.display import WIDTH, Displayed, brief
from pliant.errors import CapabilityError, UnknownName
from pliant.results import Result
from pliant.show.page import page_of

EXAMPLES = Path(__file__).parents[3] / "examples"
ROD = pl.RigidBody.rod("rod", "1 m", mass=1, frames={"tip": ["1 m", 0, 0]})
TWO = {"bodies.rod.mass": [1, 2]}
PIN = pl.Revolute("pin", "ground", "rod", axis="y")


@pytest.fixture(scope="module")
def pendulum() -> pl.System:
    return pl.System(name="a <b> & 'c'", bodies=[ROD], joints=[PIN], gravity=[0, 0, -9.81])


@pytest.fixture(scope="module")
def swing(pendulum) -> Result:
    return pendulum.simulate(t_end=0.1, every=0.02)


def images(text: str) -> list[Image.Image]:
    found = re.findall(r'src="data:image/png;base64,([^"]+)"', text)
    return [Image.open(io.BytesIO(base64.b64decode(data))) for data in found]


def test_a_system_is_drawn_at_its_start(pendulum):
    text = pendulum._repr_html_()
    (picture,) = images(text)
    assert picture.size == (720, 480)
    assert len(picture.convert("RGB").getcolors(1 << 20)) > 50  # not an empty stage
    assert "a &lt;b&gt; &amp; &#x27;c&#x27;: 1 body, 1 joint" in text
    assert "<b>" not in text


def test_what_cannot_be_assembled_says_why():
    far = pl.Distance("far", "ground", "rod.tip", length="5 m")
    text = pl.System(bodies=[ROD], joints=[PIN, far])._repr_html_()
    assert images(text) == []
    assert "far" in text
    assert "<pre" in text


def test_a_network_is_its_bond_graph():
    assert "<svg" in pl.load(EXAMPLES / "transformer.yaml")._repr_html_()


def test_a_result_is_its_page_in_a_frame_that_reaches_nothing(swing):
    text = swing._repr_html_()
    (page,) = re.findall(r'srcdoc="([^"]*)"', text)
    assert html.unescape(page) == page_of(swing)
    (sandbox,) = re.findall(r'sandbox="([^"]*)"', text)
    assert "allow-same-origin" not in sandbox
    assert "allow-top-navigation" not in sandbox
    assert "0..0.1 s, 6 samples" in text


def test_a_result_without_its_model_is_a_plot(swing, tmp_path):
    swing.save(tmp_path / "swing.csv")
    text = Result.load(tmp_path / "swing.csv")._repr_html_()
    assert "<iframe" not in text
    assert len(images(text)) == 1


def test_a_result_says_how_it_ended():
    stop = pl.Event("down", when="pin.angle - 0.1", stop=True, message="at last")
    driven = pl.System(bodies=[ROD], joints=[PIN], gravity=[0, 0, -9.81], events=[stop])
    result = driven.simulate(t_end=1)
    assert re.search(r"event down at [\d.]+ s at last", result._repr_html_())


def test_reports_show_their_text_and_plots(pendulum, swing):
    for report, pictures in (
        (pendulum.check(), 0), (pendulum.modes(at="equilibrium"), 1), (swing.compare(swing), 0),
        (swing.power_audit(), 1), (pendulum.sweep(TWO, t_end=0.1, outputs=["pin.angle"]), 1),
    ):  # fmt: skip
        text = report._repr_html_()
        assert len(images(text)) == pictures, report
        assert html.escape(str(report).splitlines()[0]) in text


def test_graphs_are_pictures_and_equations_latex(pendulum):
    graph, equations = pendulum.graph(), pendulum.equations()
    assert graph._repr_svg_().startswith("<svg")
    assert graph._repr_html_() is equations._repr_html_() is None
    assert r"\ddot{\mathrm{pin}}" in equations._repr_latex_()
    assert pendulum.equations(max_terms=1)._repr_latex_() is None


def test_everything_is_a_line_of_a_screen(pendulum, swing):
    every = (
        pendulum, swing, pendulum.check(), pendulum.modes(), pendulum.graph(),
        pendulum.graph("bond"), pendulum.equations(), swing.power_audit(), swing.compare(swing),
        pendulum.described,
    )  # fmt: skip
    for thing in every:
        assert repr(thing).startswith("<pliant.")
        assert len(repr(thing)) <= WIDTH
        assert "\n" not in repr(thing)


def test_long_lines_are_cut_where_they_end():
    assert brief("x" * 79) == "x" * 79
    assert brief(f"<{'x' * 90}>") == f"<{'x' * 74}...>"
    assert brief("x" * 90) == "x" * 76 + "..."
    assert repr(Odd()) == "<pliant.Odd: two>"


class Odd(Displayed):
    def __str__(self) -> str:
        return "two\nlines"


def test_names_of_a_result_are_those_of_a_mapping(swing):
    assert list(swing) == [*swing.series]
    assert "pin.angle" in swing
    assert "pin" not in swing
    assert len(swing) == 6  # samples, as rows of a table
    keys = swing._ipython_key_completions_()
    assert {"pin.angle", "rod.tip.position", "rod.tip.position.x"} <= {*keys}
    assert all(key in swing for key in keys)


def test_a_result_is_a_table_of_pandas(swing):
    table = swing.to_dataframe("pin.angle", "rod.tip.position")
    assert list(table) == ["pin.angle", *(f"rod.tip.position.{x}" for x in "xyz")]
    assert table.index.name == "time"
    assert (table.index == swing.time).all()
    assert (table["rod.tip.position.z"] == swing.values("rod.tip.position.z")).all()
    assert table.attrs["units"]["rod.tip.position.z"] == "m"
    assert list(swing.to_dataframe()) == [*swing.columns()]
    with pytest.raises(UnknownName, match=r"pin\.angel"):
        swing.to_dataframe("pin.angel")


def test_without_pandas_it_says_what_to_do(swing, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(CapabilityError, match=r"pip install pandas; .*to_dataset"):
        swing.to_dataframe()


def test_displays_are_not_imported_before_they_are_asked_for():
    text = (
        "import pliant as pl, sys; pl.Revolute; pl.System._repr_html_;"
        "assert not {'matplotlib', 'PIL', 'IPython', 'pandas'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", text], check=True)
