"""Take the picture of a bending rod: python -m docs.images.make_flexible_image"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.browser import Browser

import pliant as pl
from pliant.model.files import loads

HERE = Path(__file__).parent
PAGE = HERE.parent / "how-to" / "look-at-deformation.md"
PLOTS = ["rod.mid.deflection.y", "rod.mid.internal_moment.z", "motor.torque"]
ARRANGE = """
    const slide = (name, value) => {
        const slider = document.querySelector(name);
        slider.value = value;
        slider.dispatchEvent(new Event('input'));
    };
    const colours = document.querySelector('.toolbar .colours');
    colours.value = 'moment';
    colours.dispatchEvent(new Event('change'));
    [...document.querySelectorAll('.menu-list label')]
        .find((label) => label.textContent === 'rod.mid').click();
    slide('.magnifier input', 1);
    slide('.scrub', 0.0425);
"""


def main() -> None:
    """Simulate the model of the how-to, open its page, arrange it, take the picture."""
    model = re.search(r"```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert model is not None
    result = pl.System(loads(model[1])).simulate()
    with TemporaryDirectory() as folder:
        page = result.report(Path(folder) / "page.html", plots=PLOTS)
        with Browser(Path(folder) / "profile") as browser, browser.open(page) as tab:
            tab.value(f"(() => {{ {ARRANGE} }})()")
            tab.screenshot(HERE / "page_flexible.png")


if __name__ == "__main__":
    main()
