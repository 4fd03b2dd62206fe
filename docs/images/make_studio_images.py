"""Take the pictures of the studio: python -m docs.images.make_studio_images"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web import test_journey_motor as motor
from tests.web import test_journeys as journeys
from tests.web.studio_page import opened

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "crank_rocker.yaml"


def main() -> None:
    """The steps of the journeys that the documentation shows."""
    with TemporaryDirectory() as folder:
        look(Path(folder))
    with TemporaryDirectory() as folder:
        draw(Path(folder))


def look(folder: Path) -> None:
    """The crank-rocker: looked at, run, compared."""
    model = folder / EXAMPLE.name
    shutil.copy(EXAMPLE, model)
    with opened(model, folder) as page:
        journeys.look_at_the_coupler(page)
        journeys.drag_the_height(page)
        journeys.compare_two_runs(page)
        for name in ("graphs", "sliders", "compared"):
            shutil.copy(page.pictures / f"{name}.png", HERE / f"studio_{name}.png")


def draw(folder: Path) -> None:
    """The motor: drawn, made a part, hung on the joint of a crank."""
    model = folder / "motor.yaml"
    model.write_text(motor.BEGIN)
    with opened(model, folder) as page:
        canvas = motor.Canvas(page)
        motor.begin_a_network(page)
        motor.draw_the_electrical_side(canvas)
        motor.draw_the_shaft(canvas)
        motor.make_it_a_part(canvas)
        motor.hang_it_on_the_joint(canvas)
        page.wait("!document.querySelector('.studio-stage').innerText.includes('has faults')")
        page.wait("document.querySelector('[data-kind=equations]').innerText.includes('O')")
        page.tab.key("f", "f")
        page.wait(f"!document.querySelector('{motor.CANVAS} .graph-canvas.moving')")
        page.picture("hung")
        for name in ("motor", "hung"):
            shutil.copy(page.pictures / f"{name}.png", HERE / f"studio_{name}.png")


if __name__ == "__main__":
    main()
