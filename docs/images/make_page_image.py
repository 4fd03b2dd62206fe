"""Take the picture of the moving page: python -m docs.images.make_page_image"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

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
    """Simulate, open the page, arrange it, take the picture."""
    result = pl.load(MODEL).simulate()
    with TemporaryDirectory() as folder:
        page = result.report(Path(folder) / "page.html", plots=PLOTS)
        with Browser(Path(folder) / "profile") as browser, browser.open(page) as tab:
            tab.value(f"(() => {{ {ARRANGE} }})()")
            tab.screenshot(HERE / "page_slider_crank.png")


if __name__ == "__main__":
    main()
