"""Names in the `view` section that are no longer there: remarks, since it only says how to draw."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pliant.errors import Fault
from pliant.model.model import Model
from pliant.model.validation.context import Context
from pliant.model.validation.references import BONDS, TOTALS

_CURE = "leave it out; it may have been renamed or removed"


def view_doubts(context: Context) -> Iterator[Fault]:
    """What `view` speaks of and the model does not have."""
    model = context.model
    view = model.view
    for name, places in view.places.items():
        graph = model.networks.get(name) or model.subgraphs.get(name)
        if graph is None:
            yield _doubt(f"places: there is no network '{name}'", "places", name)
            continue
        for element in places:
            if element not in graph.elements:
                what = f"places: there is no element '{name}.{element}'"
                yield _doubt(what, "places", name, element)
    owners = {name for _, name, _ in model.elements()} | {"ground"}
    for key, names in (("boxes", view.boxes), ("folded", view.folded)):
        for name in names:
            if name.split(".")[0] not in owners:
                yield _doubt(f"{key}: nothing is named '{name}'", key, name)
    for name in unknown_controls(model):
        yield _doubt(f"controls: there is no number '{name}'", "controls", name)
    for k, name in unknown_plots(model):
        yield _doubt(f"plots: nothing is named '{name}'", "plots", str(k))


def unknown_controls(model: Model) -> list[str]:
    """Sliders of numbers that there are not."""
    unknown = [name for name in model.view.controls if name not in model.all_parameters()]
    if not unknown:
        return []
    from pliant.model.numbers.literals import formulas

    written = formulas(model)
    return [name for name in unknown if name not in written]


def unknown_plots(model: Model) -> list[tuple[int, str]]:
    """Panels, and names in them that begin with nothing there is."""
    known = {name for _, name, _ in model.elements()} | {"ground"}
    known |= {*model.speeds, *TOTALS, BONDS}
    return [(k, name) for k, panel in enumerate(model.view.plots) for name in panel
            if not any(fnmatchcase(one, name.split(".")[0]) for one in known)]  # fmt: skip


def _doubt(what: str, *path: str) -> Fault:
    return Fault("view", what, _CURE, path=("view", *path))
