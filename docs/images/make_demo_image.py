"""Take the picture of the demo's machine, and of the eight machines: python -m docs.images.make_demo_image"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont
from tests.web.browser import Browser

import pliant as pl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
PLOTS = ["drive.motor.inductance.flow", "O.angle_rate", "D.angle_rate", "coupler.mid.deflection.y"]
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
        .find((label) => label.textContent === 'coupler.mid').click();
    slide('.magnifier input', 1);
    slide('.scrub', 0.9345);
"""
MACHINES = ("robot_arm", "quick_return", "double_wishbone", "wind_turbine",
            "motor_shaft", "transformer", "satellite", "belt_drive")  # fmt: skip
TILE = (360, 300)


def demo(folder: Path) -> None:
    """The page of the crank-rocker, arranged."""
    result = pl.load(EXAMPLES / "crank_rocker.yaml").simulate()
    page = result.report(folder / "page.html", plots=PLOTS)
    with Browser(folder / "profile") as browser, browser.open(page, height=720) as tab:
        tab.value(f"(() => {{ {ARRANGE} }})()")
        tab.screenshot(HERE / "demo.png")


def machines() -> None:
    """A tile for each of the eight machines: a still of its run, or its bond graph."""
    sheet = Image.new("RGB", (4 * TILE[0], 2 * TILE[1]), "white")
    for k, name in enumerate(MACHINES):
        tile = still(name)
        tile.thumbnail((TILE[0], TILE[1] - 24))
        left, top = TILE[0] * (k % 4), TILE[1] * (k // 4)
        sheet.paste(tile, (left + (TILE[0] - tile.width) // 2, top))
        ImageDraw.Draw(sheet).text((left + 10, top + TILE[1] - 22), name, "#1d2430",
                                   ImageFont.load_default(15))  # fmt: skip
    sheet.save(HERE / "eight_machines.png")


def still(name: str) -> Image.Image:
    """The end of the motion; what has no bodies as its graph."""
    system = pl.load(EXAMPLES / f"{name}.yaml")
    if not system.described.bodies:
        with TemporaryDirectory() as folder:
            system.graph("bond").save(Path(folder) / "graph.png")
            return Image.open(Path(folder) / "graph.png").convert("RGB")
    drawn: Image.Image = system.simulate().picture(size=(720, 552), title="", close=True)
    return drawn


def main() -> None:
    """Both pictures."""
    with TemporaryDirectory() as folder:
        demo(Path(folder))
    machines()


if __name__ == "__main__":
    main()
