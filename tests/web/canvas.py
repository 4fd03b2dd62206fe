"""The canvas of a network in the studio, as a user has it: drags from rims, lists, fields."""

from __future__ import annotations

from tests.web.studio_page import StudioPage

CANVAS = "[data-kind=bond] .graph-pane.editable"
RIM = 5.0
"""Pixels from the edge of a symbol to where bonds are drawn from."""


class Canvas:
    """The canvas of one network or sub-graph."""

    def __init__(self, page: StudioPage, network: str = "drive") -> None:
        self.page, self.tab, self.network = page, page.tab, network

    def symbol(self, name: str) -> str:
        return f'{CANVAS} .symbol[data-name="{self.network}.{name}"]'

    def there(self, *names: str) -> None:
        """Elements are drawn, at their scale, and nothing is being typed."""
        for name in names:
            self.page.wait(f"!!document.querySelector({self.symbol(name)!r})")
        self.page.wait(f"!document.querySelector('{CANVAS} .graph-canvas.moving')")
        self.page.wait(f"!document.querySelector('{CANVAS} .quick-list:not([hidden])')")

    def box(self, selector: str) -> tuple[float, float, float, float]:
        """Middle and half sizes on the screen."""
        box = self.tab.box(selector)
        w, h = box["width"] / 2, box["height"] / 2
        return box["x"] + w, box["y"] + h, w, h

    def middle(self, selector: str) -> tuple[float, float]:
        x, y, _, _ = self.box(selector)
        return x, y

    def pull(self, name: str, dx: float, dy: float) -> None:
        """Drag from the rim of an element into the free."""
        self.there(name)
        x, y, w, h = self.box(f"{self.symbol(name)} .back")
        across = abs(dx) >= abs(dy)
        start = (x + (w + RIM) * (1 if dx > 0 else -1), y) if across else (
            x, y + (h + RIM) * (1 if dy > 0 else -1))  # fmt: skip
        self.drag(start, (x + dx, y + dy))

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], *, shift: bool = False
    ) -> None:
        (ax, ay), (bx, by) = start, end
        steps = [(ax + k / 8 * (bx - ax), ay + k / 8 * (by - ay)) for k in range(9)]
        self.tab.drag(steps, pause=0.03, shift=shift)

    def take(self, typed: str) -> None:
        """Choose from the list that is open."""
        self.page.wait(f"!!document.querySelector('{CANVAS} .quick-list:not([hidden])')")
        self.tab.type(typed)
        self.tab.key("Enter", "\r")

    def write(self, text: str) -> None:
        """Type into the field on the canvas."""
        self.page.wait("document.activeElement.classList.contains('in-place')")
        self.tab.type(text)
        self.tab.key("Enter", "\r")
        self.page.wait(f"!!document.querySelector('{CANVAS} .in-place[hidden]')")

    def value(self, name: str) -> str:
        found: str = self.tab.value(
            f"document.querySelector({self.symbol(name)!r} + ' .value')?.textContent"
        )
        return found
