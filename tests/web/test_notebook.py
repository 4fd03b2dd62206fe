"""A notebook that was never opened before: executed, made a page, and looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from tests.web.browser import Browser, Tab

EXAMPLES = Path(__file__).parents[2] / "examples"
CELLS = {
    "system": f"import pliant as pl\nsystem = pl.load({str(EXAMPLES / 'pendulum.yaml')!r})\nsystem",
    "result": "result = system.simulate(t_end='20 ms')\nresult",
    "figure": "result.plot('pivot.angle')",
    "kept": "first = result.plot('pivot.angle')\nsecond = result.plot('pivot.angle_rate')",
    "axes": "from pliant.show.notebook.plots import shown\n"
            "from matplotlib.figure import Figure\n"
            "axes = shown(Figure().subplots())\naxes.plot([0, 1])\naxes",
    "again": "axes",
    "users": "import matplotlib.pyplot as plt\nown = plt.subplots()[1]\nshown(own)\nNone",
    "modes": "system.modes()",
    "check": "system.check()",
    "verify": "system.verify(pointwise=True, states=2)",
    "audit": "result.power_audit()",
    "graph": "system.graph()",
    "network": f"pl.load({str(EXAMPLES / 'transformer.yaml')!r})",
    "equations": "system.equations()",
    "keys": "result._ipython_key_completions_()[:2]",
}  # fmt: skip
PAGES = ("system", "result", "modes", "check", "verify", "audit", "network")
PICTURES = ("figure", "axes", "again", "users")
"""Cells that show one picture each."""


@pytest.fixture(scope="module")
def notebook():
    """After all its cells ran, in a kernel of its own."""
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    made = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(made, kernel_name="python3", timeout=120).execute()
    return made


@pytest.fixture(scope="module")
def told(notebook):
    """What each cell showed: kinds of data, but for plain text, one entry for each output."""
    outputs = (cell.outputs for cell in notebook.cells)
    kinds = [[set(o.data) - {"text/plain"} for o in cell if "data" in o] for cell in outputs]
    return dict(zip(CELLS, kinds, strict=True))


def test_every_object_shows_more_than_its_text(told):
    html = [{"text/html"}]
    assert [told[name] for name in PAGES] == [html] * len(PAGES)
    assert told["graph"] == [{"image/svg+xml"}]
    assert told["equations"] == [{"text/latex"}]


def test_plots_show_once_and_without_magic_words(told):
    assert [told[name] for name in PICTURES] == [[{"image/png"}]] * len(PICTURES)
    assert told["kept"] == [{"image/png"}, {"image/png"}]


def test_text_beside_is_a_line_of_a_screen(notebook):
    texts = [o.data["text/plain"] for cell in notebook.cells for o in cell.outputs if "data" in o]
    assert len(texts) >= len(CELLS)
    assert max(len(line) for text in texts for line in text.splitlines()) <= 79


def test_equations_are_balanced_latex(notebook):
    (latex,) = [o.data["text/latex"] for cell in notebook.cells for o in cell.outputs
                if "text/latex" in o.get("data", {})]  # fmt: skip
    assert latex.count("$$") == 2
    assert r"\begin{aligned}" in latex
    assert r"\ddot{\mathrm{pivot}}" in latex


def framed_page(tab: Tab) -> str:
    """The session of the page in a frame; it is a process of its own."""
    tab.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
    found = [e["params"]["sessionId"] for e in tab.browser.events
             if e.get("method") == "Target.attachedToTarget"
             and e["params"]["targetInfo"]["type"] == "iframe"]  # fmt: skip
    assert len(found) == 1
    return found[0]


def test_the_page_of_a_notebook_moves_and_does_not_complain(notebook, tmp_path):
    nothing = "data:text/javascript,"  # of the page of nbconvert: it is looked at without a network
    exporter = HTMLExporter(require_js_url=nothing, mathjax_url=nothing, mermaid_js_url=nothing)
    text, _ = exporter.from_notebook_node(notebook)
    text = text.replace("</body>", '<i id="pliant" data-ready="true"></i></body>')
    page = tmp_path / "notebook.html"
    page.write_text(text, encoding="utf-8")
    with Browser(tmp_path / "profile") as browser, browser.open(page) as tab:
        sizes = "[...document.images].map(i => [i.complete, i.naturalWidth])"
        shown = json.loads(tab.value(f"JSON.stringify({sizes})"))
        assert len(shown) == len(re.findall("<img", text)) > 8
        assert all(complete and width > 100 for complete, width in shown)
        assert tab.value("document.querySelectorAll('svg').length") >= 1
        tab.value("document.querySelector('iframe').scrollIntoView()")
        inside = Tab(browser, framed_page(tab), "")
        for domain in ("Runtime", "Log", "Network"):
            inside.send(f"{domain}.enable")
        inside.wait("document.getElementById('pliant')?.dataset.ready === 'true'")
        assert inside.value("document.querySelector('canvas').width") > 100
        assert inside.value("window.origin") == "null"
        inside.settle()
        assert inside.complaints() + tab.complaints() == []
