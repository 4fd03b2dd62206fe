"""Plots over time: what a first look shows, units, curves that lie on each other, rounding."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import pliant as pl
from pliant.errors import InputError
from pliant.results import Result
from pliant.results.series import Series
from pliant.show.colours import CURVES
from pliant.show.curves.choice import default_names, first_look
from pliant.show.curves.rounding import PART, Scales
from pliant.show.curves.spectrum import spectrum

mpl.use("Agg")
WEIGHT = """
pliant: 1
name: hanging weight
gravity: [0, 0, -9.81]
parameters: {k: 2 kN/m}
bodies:
  bob: {point: 3 kg, frames: {top: [0, 0, 0.1]}, initial: {position: [0, 0, -0.2]}}
joints: {slide: {prismatic: {axis: z}, between: [ground, bob]}}
forces: {spring: {spring: {stiffness: k, free_length: 0.2}, between: [ground, bob]}}
outputs:
  load: {formula: k*(-slide.displacement - 0.2), unit: N}
  height: slide.displacement
  free: 3*slide.displacement
simulate: {t_end: 0.2 s, every: 5 ms}
"""


@pytest.fixture(scope="module")
def weight() -> Result:
    return pl.System.loads(WEIGHT).simulate()


def result(**series: Series) -> Result:
    return Result(np.linspace(0, 1, 50), series)


def labels(panel) -> list[str]:
    return [line.get_label() for line in panel.get_lines()]


def test_outputs_come_first_with_their_units_then_coordinates_then_energies(weight):
    panels = weight.plot()
    said = [axis.get_ylabel() for axis in panels]
    assert said == ["force in N", "length in m", "free", "energy in J", "velocity in m/s"]
    assert [labels(axis)[0] for axis in panels][:3] == ["load", "height", "free"]
    assert default_names(weight)[0] == "load"
    assert panels[-1].get_xlabel() == "time in s"
    assert panels.figure.get_suptitle() == "hanging weight"


def test_the_output_with_a_unit_is_the_force_of_the_spring(weight):
    assert weight.unit("load") == "N"
    assert weight.values("load") == pytest.approx(weight.values("spring.force"), abs=1e-9)
    assert weight.unit("height") == "m"
    assert weight.unit("free") == ""  # 3 may be in any unit


def test_a_csv_file_keeps_units(weight, tmp_path):
    weight.save(tmp_path / "w.csv")
    again = Result.load(tmp_path / "w.csv")
    assert (again.values("load") == weight.values("load")).all()
    assert {n: again.unit(n) for n in again.columns()} == {
        n: weight.unit(n).replace("1", "") if weight.unit(n) == "1" else weight.unit(n)
        for n in weight.columns()
    }
    assert "force in N" in [axis.get_ylabel() for axis in again.plot("load", "height")]


def test_columns_in_other_units_are_read_in_si(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("time,x [mm],angle [deg],odd [things],plain\n0,1,180,3,4\n1,2,90,3,4\n")
    read = Result.load(path)
    assert read.values("x") == pytest.approx([1e-3, 2e-3], rel=1e-15)
    assert read.values("angle") == pytest.approx([np.pi, np.pi / 2], rel=1e-15)
    assert (read.unit("x"), read.unit("angle"), read.unit("plain")) == ("m", "rad", "")
    assert "odd [things]" in read


def test_a_signal_reads_a_column_of_a_result(weight, tmp_path):
    weight.save(tmp_path / "w.csv")
    head = (
        "pliant: 1\nbodies: {a: {point: 1}}\njoints: {j: {prismatic: {}, between: [ground, a]}}\n"
    )
    model = head + "signals: {s: {file: w.csv, value: height}}\n"
    (tmp_path / "m.yaml").write_text(model)
    read = pl.load(tmp_path / "m.yaml").model.signals["s"]
    assert list(read.values) == list(weight.values("height"))
    (tmp_path / "w.csv").write_text("time,height [mm]\n0,1\n1,2\n2,3\n")
    with pytest.raises(pl.PliantError, match="no column 'height'"):
        pl.load(tmp_path / "m.yaml")


def test_elastic_coordinates_are_plotted_only_by_name():
    own = result(
        phi=Series(np.ones(50), "rad", kind="coordinate"),
        v1=Series(np.ones(50), "", kind="coordinate"),
    )
    assert default_names(own) == ("phi",)
    assert labels(own.plot("v1")[0]) == ["v1"]


def test_no_panel_mixes_units_and_unknown_units_stand_alone():
    own = result(
        a=Series(np.ones(50), "m"), b=Series(np.ones(50), "N"), c=Series(np.ones(50), "m"),
        d=Series(np.ones(50), ""), e=Series(np.ones(50), ""),
    )  # fmt: skip
    assert [labels(axis) for axis in own.plot(*"abcde")] == [["a", "c"], ["b"], ["d"], ["e"]]


def test_many_panels_make_columns_and_say_so():
    own = result(**{f"x{k}": Series(np.full(50, k), "") for k in range(60)})
    panels = own.plot(*(f"x{k}" for k in range(8)))
    assert "8 panels in 2 columns" in panels.figure.get_supxlabel()
    assert len({round(axis.get_position().x0, 2) for axis in panels}) == 2
    wide, high = own.plot(*own).figure.get_size_inches()
    assert len(own.plot(*own)) == 60
    assert 0.5 < wide / high < 2


def test_what_has_no_panel_is_said():
    units = ("m", "rad", "N", "N*m", "V", "A", "Pa", "K")
    own = result(**{f"x{k}": Series(np.ones(50), u, kind="effort") for k, u in enumerate(units)})
    look = first_look(own)
    assert look.left == ("pressure in Pa", "temperature in K")
    assert "not shown: pressure in Pa" in own.plot().figure.get_supxlabel()


def test_equal_curves_are_both_seen():
    t = np.linspace(0, 1, 50)
    own = result(
        a=Series(np.sin(9 * t), "m"), b=Series(np.sin(9 * t) + 1e-9, "m"), c=Series(t, "m")
    )
    a, b, c = own.plot("a", "b", "c")[0].get_lines()
    assert a.get_linestyle() == c.get_linestyle() == "-"
    assert b.get_linestyle() == "--"
    assert a.get_linewidth() > 1.5 * b.get_linewidth()
    assert b.get_zorder() > a.get_zorder()
    assert [to_rgb(x.get_color()) for x in (a, b, c)] == [to_rgb(x) for x in CURVES[:3]]


def test_rounding_is_drawn_as_nothing_by_the_scale_of_its_kind():
    noise = 1e-17 * np.sin(np.arange(50.0))
    own = result(
        x=Series(np.ones(50), "m", kind="coordinate"), y=Series(noise, "m", kind="coordinate")
    )
    assert not own.plot("y")[0].get_lines()[0].get_ydata().any()
    small = result(y=Series(noise, "m", kind="coordinate"))  # all there is: it is drawn
    assert (small.plot("y")[0].get_lines()[0].get_ydata() == noise).all()
    tiny = result(  # small beside others, but far above rounding
        x=Series(np.ones(50), "m", kind="coordinate"),
        y=Series(1e7 * PART * noise / 1e-17, "m", kind="coordinate"),
    )
    assert tiny.plot("y")[0].get_lines()[0].get_ydata().any()


def test_positions_far_away_do_not_hide_deflections():
    far = np.tile([7e6, 0.0, 0.0], (50, 1))
    tip = far + np.array([10.0, 0.0, 0.0])
    own = result(**{
        "panel.root.position": Series(far, "m", ("x", "y", "z"), "position"),
        "panel.tip.position": Series(tip, "m", ("x", "y", "z"), "position"),
        "bend": Series(np.full(50, 1e-7), "m", kind="deflection"),
    })  # fmt: skip
    assert Scales.of(own).size == pytest.approx(10)
    assert own.plot("bend")[0].get_lines()[0].get_ydata()[0] == 1e-7


@pytest.mark.parametrize("count", [200, 201])
def test_a_swing_has_its_amplitude_in_the_spectrum(count):
    """a cos(2π f t + φ) at a line of the spectrum has the amplitude a there, nothing elsewhere but
    beside it, where Hann's window leaves a/2; the mean is not in it."""
    t = np.arange(count) * 0.01
    line = 17
    f = line / (count * 0.01)
    frequencies, amplitudes = spectrum(t, 5 + 0.3 * np.cos(2 * np.pi * f * t + 0.4))
    assert frequencies[line] == pytest.approx(f, rel=1e-12)
    assert amplitudes[line] == pytest.approx(0.3, rel=1e-12)
    assert amplitudes[line + 1] == pytest.approx(0.15, rel=1e-12)
    rest = np.delete(amplitudes, range(line - 1, line + 2))
    assert rest.max() < 1e-12


def test_a_spectrum_is_plotted_over_frequency(weight):
    panel = weight.plot("slide.displacement", spectrum=True)[0]
    assert panel.get_xlabel() == "frequency in Hz"
    assert panel.get_ylabel() == "amplitude, length in m"
    with pytest.raises(InputError, match="over and spectrum"):
        weight.plot("height", spectrum=True, over="load")
    with pytest.raises(InputError, match="spectrum of 1 samples"):
        weight.at(0).plot("height", spectrum=True)


def test_one_observable_over_another(weight):
    panel = weight.plot("slide.displacement_rate", over="slide.displacement")[0]
    (line,) = panel.get_lines()
    assert panel.get_xlabel() == "slide.displacement in m"
    assert (line.get_xdata() == weight.values("slide.displacement")).all()
    with pytest.raises(InputError, match=r"over 'bob\.position', a vector"):
        weight.plot("load", over="bob.position")
    with pytest.raises(pl.PliantError, match=r"no observable 'hight'.*did you mean 'height'"):
        weight.plot("load", over="hight")


def test_several_results_in_one_picture(weight):
    soft = pl.System.loads(WEIGHT).simulate(params={"k": "1 kN/m"})
    panels = weight.plot("height", "load", others={"soft": soft}, label="stiff")
    assert [labels(axis) for axis in panels] == [["stiff", "soft"]] * 2
    assert [axis.get_ylabel() for axis in panels] == ["height in m", "load in N"]
    assert (panels[0].get_lines()[1].get_ydata() == soft.values("height")).all()
    alike = weight.plot("height", others=[weight])[0].get_lines()
    assert [line.get_linestyle() for line in alike] == ["-", "--"]


def test_a_plot_is_drawn_in_given_axes(weight):
    figure = Figure()
    one, two, three = figure.subplots(3, 1)
    drawn = weight.plot("height", "load", axes=[two, three])
    assert drawn.axes == [two, three]
    assert not one.lines
    assert two.get_ylabel() == "length in m"
    assert weight.plot("height", axes=one)[0] is one
    with pytest.raises(InputError, match="2 axes for 5 panels"):
        weight.plot(axes=[one, two])
    with pytest.raises(InputError, match="give axes of matplotlib"):
        weight.plot("height", axes=3)


def test_a_notebook_shows_the_picture(weight):
    assert weight.plot("height")._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("{formula: slide.displacement, unit: N}", "is in m, not in N; write unit: m"),
        ("{formula: k*slide.displacement, unit: m}", "is in N, not in m"),
        ("{formula: slide.displacement, unit: mm}", "unit: values of formulas are in SI units"),
        ("{formula: slide.displacement, unit: parsec2}", "unknown unit"),
        ("{unit: N}", "formula is missing"),
        ("{formula: slide.displacement, untt: m}", "unknown key 'untt'; did you mean 'unit'"),
        ("{formula: slid.displacement, unit: m}", "slid.displacement"),
    ],
)
def test_bad_outputs_are_refused(output, message):
    with pytest.raises(pl.PliantError, match=message) as told:
        pl.System.loads(WEIGHT.replace("height: slide.displacement", f"height: {output}"))
    assert "output 'height'" in str(told.value)


def test_outputs_are_written_as_they_were_read():
    system = pl.System.loads(WEIGHT)
    again = pl.System.loads(system.text)
    assert again.model == system.model
    assert "unit: N" in system.text
    assert "height: slide.displacement\n" in system.text


def test_outputs_in_python():
    made = pl.System(
        bodies=[pl.RigidBody("a", 1)], joints=[pl.Prismatic("s", "ground", "a")],
        outputs=[pl.Output("load", "3*s.displacement", unit="N"), pl.Output("y", "s.displacement")],
    )  # fmt: skip
    short = pl.System(
        bodies=[pl.RigidBody("a", 1)], joints=[pl.Prismatic("s", "ground", "a")],
        outputs={"load": pl.Output("load", "3*s.displacement", "N"), "y": "s.displacement"},
    )  # fmt: skip
    assert made.model.outputs == short.model.outputs
    assert made.names()["load"] == "N"
    assert made.names()["y"] == "m"


def test_angles_that_begin_anew_are_drawn_in_parts():
    """No line leads back from half a turn to the other."""
    time = np.linspace(0, 1, 101)
    turned = (40 * time + np.pi) % (2 * np.pi) - np.pi
    made = {"O.angle1": Series(turned, "rad", kind="angle"),
            "O.angle": Series(40 * time, "rad", kind="coordinate")}  # fmt: skip
    figure = Result(time, made).plot()
    parts, whole = sorted(figure.axes[0].get_lines(), key=lambda line: line.get_label())[::-1]
    assert np.isnan(parts.get_ydata()).sum() == 6  # of 40 rad
    assert np.nanmax(np.abs(np.diff(parts.get_ydata()))) < np.pi
    assert len(whole.get_ydata()) == len(time)
