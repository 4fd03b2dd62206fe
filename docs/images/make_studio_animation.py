"""Record the animation of the README, in the studio: python -m docs.images.make_studio_animation

A motor is drawn, made a part, hung on the joint of a crank, and run.
"""

from __future__ import annotations

import io
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from tests.web import test_journey_motor as motor
from tests.web.browser import Tab
from tests.web.studio_page import StudioPage, opened

HERE = Path(__file__).parent
WIDTH, HEIGHT = 1240, 760
SHOWN = 920
"""Pixels across in the README."""
COLOURS = 96
PLAYED = 24
"""Pictures of the motion."""


class Film:
    """Pictures with the milliseconds each is shown."""

    def __init__(self, tab: Tab, folder: Path) -> None:
        self.tab, self.file = tab, folder / "frame.png"
        self.pictures: list[tuple[Image.Image, int]] = []

    def take(self, milliseconds: int = 120) -> None:
        """One picture; if nothing has changed the last one is shown longer."""
        data = io.BytesIO(self.tab.screenshot(self.file).read_bytes())
        size = SHOWN, round(SHOWN * HEIGHT / WIDTH)
        picture = Image.open(data).convert("RGB").resize(size, Image.Resampling.LANCZOS)
        if self.pictures and self.pictures[-1][0].tobytes() == picture.tobytes():
            last, shown = self.pictures.pop()
            self.pictures.append((last, shown + milliseconds))
        else:
            self.pictures.append((picture, milliseconds))

    def write(self, path: Path) -> None:
        """As one file, in the colours of all its pictures."""
        some = [picture for picture, _ in self.pictures[:: len(self.pictures) // 6]]
        width, height = some[0].size
        all_of_them = Image.new("RGB", (width, height * len(some)))
        for k, picture in enumerate(some):
            all_of_them.paste(picture, (0, height * k))
        palette = all_of_them.quantize(COLOURS)
        frames = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p, _ in self.pictures]
        frames[0].save(path, save_all=True, append_images=frames[1:], loop=0, optimize=True,
                       duration=[shown for _, shown in self.pictures])  # fmt: skip


class FilmedCanvas(motor.Canvas):
    """The canvas, with a picture of every gesture."""

    def __init__(self, page: StudioPage, film: Film) -> None:
        super().__init__(page)
        self.film = film

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Led in steps that are seen."""
        (ax, ay), (bx, by) = start, end
        mouse: Any = self.tab._mouse
        mouse("mouseMoved", ax, ay)
        mouse("mousePressed", ax, ay, button="left", buttons=1, clickCount=1)
        for k in range(1, 9):
            mouse("mouseMoved", ax + k / 8 * (bx - ax), ay + k / 8 * (by - ay), button="left",
                  buttons=1)  # fmt: skip
            if k % 3 == 2:
                self.film.take(90)
        mouse("mouseReleased", bx, by, button="left", clickCount=1)

    def take(self, typed: str) -> None:
        self.page.wait(f"!!document.querySelector('{motor.CANVAS} .quick-list:not([hidden])')")
        self.tab.type(typed)
        self.film.take(350)
        self.tab.key("Enter", "\r")

    def there(self, *names: str) -> None:
        super().there(*names)
        self.film.take(160)


def main() -> None:
    """Record it."""
    with TemporaryDirectory() as folder:
        model = Path(folder) / "motor.yaml"
        model.write_text(motor.BEGIN)
        with opened(model, Path(folder), width=WIDTH, height=HEIGHT) as page:
            film = Film(page.tab, Path(folder))
            draw(page, film)
            film.write(HERE / "studio.gif")


def draw(page: StudioPage, film: Film) -> None:
    canvas = FilmedCanvas(page, film)
    motor.begin_a_network(page)
    film.take(500)
    motor.draw_the_electrical_side(canvas)
    motor.draw_the_shaft(canvas)
    film.take(700)
    motor.make_it_a_part(canvas)
    film.take(500)
    motor.hang_it_on_the_joint(canvas)
    page.wait("!document.querySelector('.studio-stage').innerText.includes('has faults')")
    fit(page)
    film.take(700)
    page.tab.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('ul.runs > li').length === 1 || "
              "document.querySelector('.foot')?.innerText.includes('0.5000 s')")  # fmt: skip
    play(page, film)


def fit(page: StudioPage) -> None:
    """All of the canvas is seen."""
    page.tab.key("f", "f")
    page.wait(f"!document.querySelector('{motor.CANVAS} .graph-canvas.moving')")


def play(page: StudioPage, film: Film) -> None:
    """Lead the clock through the run."""
    page.wait("!!document.querySelector('.foot input[type=range]:not([disabled])')")
    box = page.tab.box(".foot input[type=range]")
    for k in range(PLAYED + 1):
        x = box["x"] + 8 + (box["width"] - 16) * k / PLAYED
        page.tab.press(x, box["y"] + box["height"] / 2)
        time.sleep(0.05)
        film.take(80)
    film.take(1200)


if __name__ == "__main__":
    main()
