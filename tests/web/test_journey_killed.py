"""J7 in the browser: the studio is killed in the middle of an edit, and what was done is offered
again. And what both themes owe the eye: contrast by script."""

import os
import signal
import subprocess
import sys

import pytest
from tests.web.browser import Browser
from tests.web.studio_page import StudioPage, opened

pytestmark = pytest.mark.slow
MODEL = """\
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  bob: {rod: {mass: 1 kg, length: 1 m}}  # the only one
joints:
  O: {revolute: {axis: z}, between: [ground, bob]}
simulate: {t_end: 1 s}
"""
TEXT = "document.querySelector('.text-view').shadowRoot.querySelector('.cm-content').textContent"
CONTRAST = """
(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((c, k) => c * a + below[k] * (1 - a));
  const ground = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    return layers.reverse().reduce((below, own) => over(own, below),
      dark ? [0, 0, 0] : [255, 255, 255]);
  };
  const low = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const isHidden = !e.getClientRects().length || e.closest('[inert], svg, .unseen, :disabled')
      || e.closest('[aria-disabled=true]');
    if (!own || isHidden) continue;
    let opacity = 1;
    for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
    if (opacity < 1) continue;
    const below = ground(e);
    const [a, b] = [over(parse(getComputedStyle(e).color), below), below].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const words = `${e.className} ${e.textContent.trim().slice(0, 30)}`;
    if (ratio < 4.5) low.push(`${words} ${ratio.toFixed(2)}`);
  }
  return low;
})()
"""


def started(model, state):
    command = [sys.executable, "-m", "pliant", "studio", str(model), "--no-browser"]
    environment = {**os.environ, "PLIANT_STATE_DIR": str(state), "TMPDIR": str(state)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    return process, process.stdout.readline().strip().partition(": ")[2]


def test_a_studio_killed_in_the_middle_of_an_edit_offers_what_was_done(tmp_path):
    model = tmp_path / "models" / "bob.yaml"
    model.parent.mkdir()
    model.write_text(MODEL)
    state, pictures = tmp_path / "state", tmp_path / "pictures"
    state.mkdir()
    pictures.mkdir()
    with Browser(tmp_path / "profile") as browser:
        process, address = started(model, state)
        with browser.open_url(address, width=1400, height=900) as tab:
            page = StudioPage(tab, pictures)
            page.click('[role=treeitem][data-name="bob"]')
            tab.key("F2")
            page.wait("document.activeElement.matches('.tree input.typed')")
            tab.type("arm")
            tab.key("Enter", "\r")
            page.wait(f"{TEXT}.includes('between: [ground, arm]')")
            tab.key("F2")
            tab.type("half a na")
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
            page.wait("document.querySelector('.banner')?.textContent.includes('lost')")
            page.picture("lost")
        assert model.read_text() == MODEL
        process, address = started(model, state)
        with browser.open_url(address, width=1400, height=900) as tab:
            page = StudioPage(tab, pictures)
            page.wait(f"{TEXT}.includes('bob:')")
            page.picture("found")
            page.press("Recover")
            page.wait(f"{TEXT}.includes('between: [ground, arm]')")
            assert "# the only one" in tab.value(TEXT)
            tab.key("s", ctrl=True)
            page.eventually(lambda: model.read_text() == MODEL.replace("bob", "arm"))
            assert tab.complaints() == []
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        process.stdout.close()


@pytest.mark.parametrize("dark", [False, True])
def test_words_are_legible_in_both_themes(tmp_path, dark):
    """Contrast of at least 4.5 of every word of the document itself that can be pressed or read:
    the page to begin with, the tour, a model with its form, a menu, the list of commands. Not of
    pictures, and not of the text's editor, which keeps its words apart."""
    model = tmp_path / "new.yaml"
    with opened(model, tmp_path, dark=dark) as page:
        page.wait("!!document.querySelector('.start-card')")
        low = page.tab.value(CONTRAST)
        page.click("[data-start=crank_rocker]")
        page.wait("document.querySelectorAll('[role=treeitem]').length > 20")
        page.click('[role=treeitem][data-name="coupler"]')
        page.wait("!!document.querySelector('.form')")
        low += page.tab.value(CONTRAST)
        page.tab.key("ContextMenu")
        page.wait("!!document.querySelector('.row-menu [role=menuitem]')")
        low += page.tab.value(CONTRAST)
        page.tab.key("Escape")
        page.tab.key("k", ctrl=True)
        page.wait("!!document.querySelector('dialog[open]')")
        low += page.tab.value(CONTRAST)
        page.picture("dark" if dark else "light")
        page.tab.type("Tour")
        page.wait("document.querySelector('#choice-0 .title')?.textContent === 'Tour'")
        page.tab.key("Enter", "\r")
        page.wait("!!document.querySelector('.tour')?.getClientRects().length")
        low += page.tab.value(CONTRAST)
        page.picture("tour")
    assert low == []
