"""Take the pictures of the pages of a run and of a sweep: python -m docs.images.make_page_image"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from tests.web.browser import Browser

import pliant as pl

HERE = Path(__file__).parent
MODEL = HERE.parents[1] / "examples" / "planar_slider_crank.yaml"
PLOTS = ["S.displacement", "A.force.x", "A.force.y", "crank.kinetic_energy",
         "rod.kinetic_energy", "motor.work"]  # fmt: skip
ARRANGE = """
    const press = (name) => [...document.querySelectorAll('.toolbar > button')]
        .find((button) => button.textContent === name).click();
    press('Reactions');
    [...document.querySelectorAll('.menu-list label')]
        .find((label) => label.textContent === 'crank.A').click();
    const slider = document.querySelector('.scrub');
    slider.value = 0.84;
    slider.dispatchEvent(new Event('input'));
"""


def main() -> None:
    """Simulate, open the pages, arrange them, take the pictures."""
    system = pl.load(MODEL)
    vary = {"l1": "100 mm..500 mm:12", "l2": "0.3..0.6:10"}
    sweep = system.sweep(vary, outputs=["O.angle", "slider.velocity"], t_end=0.5)
    with TemporaryDirectory() as folder, Browser(Path(folder) / "profile") as browser:
        page = system.simulate().report(Path(folder) / "page.html", plots=PLOTS)
        with browser.open(page) as tab:
            tab.value(f"(() => {{ {ARRANGE} }})()")
            tab.screenshot(HERE / "page_slider_crank.png")
        scores = ["max slider speed", "last O.angle"]
        page = sweep.report(Path(folder) / "sweep.html", plots=["O.angle"], scores=scores)
        with browser.open(page, height=860) as tab:
            box = tab.box(".axis[data-axis=l1] .spine")
            x, bottom = box["x"], box["y"] + box["height"] - 1
            tab.drag([(x, bottom), (x, bottom - 30), (x, bottom - 75)])
            tab.value("document.querySelector('.run-failures button').click()")
            picture = tab.screenshot(HERE / "page_sweep.png")
        Image.open(picture).quantize(256).save(picture, optimize=True)


if __name__ == "__main__":
    main()
