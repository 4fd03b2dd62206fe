"""Take the pictures of the studio: python -m docs.images.make_studio_images"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web import test_journeys as journeys
from tests.web.studio_page import opened

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "crank_rocker.yaml"


def main() -> None:
    """The steps of the journey that the documentation shows."""
    with TemporaryDirectory() as folder:
        model = Path(folder) / EXAMPLE.name
        shutil.copy(EXAMPLE, model)
        with opened(model, Path(folder)) as page:
            journeys.look_at_the_coupler(page)
            journeys.drag_the_height(page)
            journeys.compare_two_runs(page)
            for name in ("graphs", "sliders", "compared"):
                shutil.copy(page.pictures / f"{name}.png", HERE / f"studio_{name}.png")


if __name__ == "__main__":
    main()
