"""Where rooms meet: what lower rooms are asked for and rooms above do.

A result can be plotted, a model is judged by checks that know all of it, and a registry looks for
names in installed packages: who does it stands above them. They call it by
``pliant.registry.ABOVE``, which is filled here. What is needed for it is imported when it is
called, so that a program starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pliant.arguments import refuse_unknown
from pliant.registry import ABOVE


def load_installed() -> bool:
    """Import what installed packages offer; whether there is something."""
    from pliant.model.registration import load_installed

    return load_installed()


def faults_of(model: Any) -> Any:
    """Everything wrong with a model."""
    from pliant.model.validation import faults_of

    return faults_of(model)


def doubts_of(model: Any) -> Any:
    """What is seldom meant in a model."""
    from pliant.model.validation import doubts_of

    return doubts_of(model)


def write_csv(result: Any, path: Any) -> None:
    """A result as columns of text."""
    from pliant.results.files import write_csv

    write_csv(result, path)


def save(result: Any, path: Any) -> None:
    """A result as a file."""
    from pliant.results.files import save

    save(result, path)


def load(path: Any) -> Any:
    """A result of a file."""
    from pliant.results.files import load

    return load(path)


def to_dataset(result: Any) -> Any:
    """A result as a data set of xarray."""
    from pliant.results.files import to_dataset

    return to_dataset(result)


def compare(result: Any, other: Any, names: Any) -> Any:
    """Largest differences between two results."""
    from pliant.results.compare import compare

    return compare(result, other, names)


def reopened(model: str, record: Any) -> Any:
    """The states that a file recorded, with a model that tells observables of them."""
    from pliant.backends.choose import reopened

    return reopened(model, record)


def asked(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """A function with its arguments, those that it does not have refused by name."""
    refuse_unknown(function, options)
    return function(*arguments, **options)


def shown(drawn: Any) -> Any:
    """What a plot returns; a notebook shows it."""
    from pliant.show.notebook.plots import shown

    return shown(drawn)


def plot(result: Any, *names: str, **options: Any) -> Any:
    """A picture of a result."""
    from pliant.show import plot

    return shown(asked(plot, result, *names, **options))


def plot_shape(result: Any, body: str, **options: Any) -> Any:
    """The deformed axis of a beam."""
    from pliant.show.shape_plot import plot_shape

    return shown(asked(plot_shape, result, body, **options))


def plot_diagram(diagram: Any, **options: Any) -> Any:
    """Internal forces along a beam."""
    from pliant.show.diagram_plot import plot_diagram

    return shown(asked(plot_diagram, diagram, **options))


def plot_modes(result: Any, **options: Any) -> Any:
    """Shapes of modes, or a table of them."""
    from pliant.show.mode_plot import plot_modes

    return shown(asked(plot_modes, result, **options))


def plot_power(audit: Any, **options: Any) -> Any:
    """Bands of energy."""
    from pliant.show.power_plot import plot_power

    return shown(asked(plot_power, audit, **options))


def plot_sweep(sweep: Any, *names: str, **options: Any) -> Any:
    """A picture of a sweep."""
    from pliant.show.sweeps import plot_sweep

    return shown(asked(plot_sweep, sweep, *names, **options))


def report_sweep(sweep: Any, path: Any, **options: Any) -> Any:
    """The page of a sweep."""
    from pliant.show.page.sweep import report_sweep

    return asked(report_sweep, sweep, path, **options)


def plot_fit(fit: Any, **options: Any) -> Any:
    """A picture of a fit."""
    from pliant.show.fit_plot import plot_fit

    return shown(asked(plot_fit, fit, **options))


def plot_sensitivities(found: Any, *names: str, **options: Any) -> Any:
    """A picture of sensitivities."""
    from pliant.show.sensitivity_plot import plot_sensitivities

    return shown(asked(plot_sensitivities, found, *names, **options))


def load_sweep(store: Any) -> Any:
    """A sweep that was kept."""
    from pliant.analysis.sweeps.store import load_sweep

    return load_sweep(store)


def report(result: Any, path: Any, **options: Any) -> Any:
    """The moving page of a result."""
    from pliant.show.page import report

    return asked(report, result, path, **options)


def bond_graph_shown(result: Any) -> Any:
    """The bond graph of a model with networks, and the power on its bonds."""
    from pliant.analysis.power.shown import bond_graph_shown

    return bond_graph_shown(result)


def report_modes(result: Any, path: Any, mode: int | None, **options: Any) -> Any:
    """The moving page of modes."""
    from pliant.show.page.modes import report_modes

    return asked(report_modes, result, path, mode, **options)


def picture(result: Any, path: Any, **options: Any) -> Any:
    """A still of the 3-D view."""
    from pliant.show.picture.still import picture

    return asked(picture, result, path, **options)


def film(result: Any, path: Any, **options: Any) -> Any:
    """A film of the 3-D view."""
    from pliant.show.picture.film import film

    return asked(film, result, path, **options)


def start_of(result: Any) -> Any:
    """Where the bodies of a result are at the start, as a result of one sample."""
    from pliant.studio.work.tasks.scene import start_poses
    from pliant.system import System

    system = System.loads(result.model)
    return start_poses(system, result.info.get("params") or {}).result


def start_picture(system: Any, path: Any, params: Any, **options: Any) -> Any:
    """A still of a system as it is assembled; what cannot be assembled is not drawn."""
    from pliant.show.picture.still import picture
    from pliant.studio.work.tasks.scene import start_poses

    start = start_poses(system, params or {})
    if start.failure is not None:
        raise start.failure
    return asked(picture, start.result, path, geometry=start.geometry, **options)


def to_dataframe(result: Any, names: Any) -> Any:
    """A result as a table of pandas."""
    from pliant.results.frame import to_dataframe

    return to_dataframe(result, names)


def text_html(thing: Any) -> str:
    """In a notebook: its text."""
    from pliant.show.notebook.objects import text_html

    return text_html(thing)


def plotted_html(thing: Any) -> str:
    """In a notebook: its plot and its text."""
    from pliant.show.notebook.objects import plotted_html

    return plotted_html(thing)


def system_html(system: Any) -> str:
    """In a notebook: a system at its start."""
    from pliant.show.notebook.objects import system_html

    return system_html(system)


def result_html(result: Any) -> str:
    """In a notebook: the moving page of a result."""
    from pliant.show.notebook.objects import result_html

    return result_html(result)


def bond_svg(system: Any) -> str:
    """A system as its bond graph."""
    svg: str = system.graph("bond").svg()
    return svg


def power_audit(result: Any, start: float | None, end: float | None) -> Any:
    """Where energy came from and went."""
    from pliant.analysis.power.audit import power_audit_of

    return power_audit_of(result, start, end)


def studio(system: Any, **options: Any) -> None:
    """The studio of a system."""
    from pliant.studio.serve.start import studio_of

    studio_of(system, **options)


_ALL = (
    load_installed, faults_of, doubts_of, reopened, write_csv, save, load,
    to_dataset, compare, plot, plot_shape, plot_diagram, plot_modes, plot_power, plot_sweep,
    report_sweep, plot_fit, plot_sensitivities, load_sweep, report, report_modes, bond_graph_shown,
    picture, film, start_of, start_picture, power_audit, studio,
    to_dataframe, text_html, plotted_html, system_html, result_html, bond_svg,
)  # fmt: skip
ABOVE.update({function.__name__: function for function in _ALL})
