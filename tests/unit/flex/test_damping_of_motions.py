"""Damping of a beam by kinds of motion and by modes: what `modes` shows are the ratios given."""

import numpy as np
import pytest

import pliant as pl

STIFFNESS = {"EA": 100.0, "EIy": 2.0, "EIz": 1.0, "GJ": 3.0, "GAy": 400.0, "GAz": 400.0}
SPACE = ["bending", "torsion", "axial"]
SHAPES = {"bending": 2, "torsion": 2, "axial": 2}


def clamped(damping, theory="modal", **more):
    """Straight, clamped at its root; its modes move in one kind only."""
    shapes = {} if "modal" not in str(theory) else {"shapes": SHAPES}
    given = {**shapes, "parameters": {}, **more}
    parameters = given.pop("parameters")
    beam = pl.Beam("rod", 1.0, stiffness=STIFFNESS, mass_per_length=1.0, damping=damping,
                   rotary={"rhoIy": 0.01, "rhoIz": 0.01}, theory=theory, **given)  # fmt: skip
    return pl.System(bodies=[beam], parameters=parameters,
                     joints=[pl.Fixed("clamp", "ground", "rod.root")])  # fmt: skip


def kinds_of(modes):
    """|s|, the frequencies without damping, and ratios of every kind of motion, lowest first."""
    found = {k: [] for k in ("axial", "bending_y", "bending_z", "torsion")}
    for mode in modes:
        found[mode.label.split(": ")[-1][:-2].replace(" ", "_")].append(
            (abs(mode.eigenvalue), mode.damping)
        )
    return {k: np.array(v).T for k, v in found.items()}


GIVEN = {
    "bending_y": {"modal": [0.01, 0.03]},
    "bending_z": {"modal": 0.02},
    "torsion": {"stiffness": 1e-3},
    "axial": {"rayleigh": {"alpha": 0.2, "beta": 1e-4}},
}


def test_every_kind_of_motion_has_its_damping():
    """Ratios as given; ζ = β ω/2 and ζ = α/2ω + β ω/2 in closed form. In torsion and stretch the
    frequencies themselves are π/2 and 3π/2 times the speed of waves."""
    found = kinds_of(clamped(GIVEN).modes())
    assert found["bending_y"][1] == pytest.approx([0.01, 0.03], rel=1e-9)
    assert found["bending_z"][1] == pytest.approx([0.02, 0.02], rel=1e-9)
    w, ratio = found["torsion"]
    assert w == pytest.approx(np.array([0.5, 1.5]) * np.pi * np.sqrt(3.0 / 0.02), rel=1e-9)
    assert ratio == pytest.approx(1e-3 * w / 2, rel=1e-9)
    w, ratio = found["axial"]
    assert w == pytest.approx(np.array([0.5, 1.5]) * np.pi * np.sqrt(100.0), rel=1e-9)
    assert ratio == pytest.approx(0.2 / (2 * w) + 1e-4 * w / 2, rel=1e-9)


def test_kinds_that_are_not_named_are_not_damped():
    found = kinds_of(clamped({"bending": {"modal": 0.05}}).modes())
    assert found["bending_y"][1] == pytest.approx(0.05, rel=1e-9)
    assert np.abs(found["axial"][1]).max() < 1e-12
    assert np.abs(found["torsion"][1]).max() < 1e-12


def test_bending_of_timoshenko_beams_is_damped_with_its_shear():
    s = clamped({"bending": {"modal": 0.05}}, type="timoshenko", shapes={"bending": 2})
    assert s.modes().damping == pytest.approx(0.05, rel=1e-8)


def test_the_same_for_all_kinds_is_the_damping_of_the_body():
    by_kind = {k: {"rayleigh": {"alpha": 0.3, "beta": 1e-3}} for k in GIVEN}
    one, other = clamped(by_kind).modes(), clamped(by_kind["axial"]).modes()
    assert one.damping == pytest.approx(other.damping, rel=1e-12)


def test_files_keep_it():
    s = clamped(
        {"bending": {"modal": [0.01, 0.02]}, "axial": {"rayleigh": {"alpha": 0, "beta": 1}}}
    )
    assert pl.loads(s.text).described == s.described
    made = pl.Damping.of_motions(bending=pl.Damping.modal(0.1), axial=pl.Damping.stiffness("1 ms"))
    assert clamped(made).described.bodies["rod"].damping == made


# --- segments: a chain of bars with its root held has modes of its own, with the ratios given


@pytest.mark.parametrize(
    "damping",
    [{"modal": 0.02}, {"modal": [0.01, 0.03]}, {"rayleigh": {"alpha": 0.2, "beta": 1e-3}}],
)
@pytest.mark.parametrize("directions", [SPACE, ["bending", "shear"]])
def test_segments_are_damped_by_modes(damping, directions):
    modes = clamped(damping, pl.Segments(3, directions)).modes()
    w = np.abs(modes.eigenvalues)
    expected = np.zeros(len(w))
    if "rayleigh" in damping:
        expected = 0.2 / (2 * w) + 1e-3 * w / 2
    elif damping["modal"] == 0.02:
        expected[:] = 0.02
    else:
        expected[:2] = 0.01, 0.03
    assert modes.damping == pytest.approx(expected, rel=1e-7, abs=1e-10)


def test_segments_are_damped_by_kinds_of_motion():
    """The ratios of modal beams, ζ = β ω/2 with frequencies of the chain."""
    modes = clamped(GIVEN, pl.Segments(3, SPACE)).modes()
    ratios = sorted(modes.damping)
    for given in (0.01, 0.02, 0.03):
        assert np.abs(np.array(ratios) - given).min() < 1e-9
    twisting = 2 * 3 * np.sqrt(3.0 / 0.02) * np.sin(np.pi / 12)  # of a chain of three, half root
    w = np.abs(modes.eigenvalues)
    at = np.argmin(np.abs(w - twisting))
    assert w[at] == pytest.approx(twisting, rel=1e-9)
    assert modes.damping[at] == pytest.approx(1e-3 * twisting / 2, rel=1e-9)


def test_segments_and_modes_die_away_alike():
    """A pendulum: the root is free, modes are those of the beam with its root held. Differences
    of second order in the segments."""

    def swinging(theory, **more):
        beam = pl.Beam("rod", 1.0, stiffness={"EIz": 5.0}, mass_per_length=1.0,
                       rotary_inertia="none", damping={"modal": 0.02}, theory=theory,
                       shapes={"bending_y": 6}, **more)  # fmt: skip
        pin = pl.Revolute("pin", "ground", "rod.root", axis="z")
        return pl.System(bodies=[beam], joints=[pin]).modes()

    exact, *found = (
        next(m.damping for m in swinging(theory) if m.omega > 1)
        for theory in ("modal", pl.Segments(4), pl.Segments(8))
    )
    assert (found[0] - exact) / (found[1] - exact) == pytest.approx(4, abs=0.2)
    assert found[1] == pytest.approx(exact, rel=0.04)


def test_what_moves_as_one_body_is_not_damped():
    """A beam that was struck and tumbles in space: its momenta stay, the energy of its deformation
    is taken by the damping, that of the motion as one body stays."""
    beam = pl.Beam("rod", 1.0, stiffness={"EIz": 5.0}, mass_per_length=1.0,
                   rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, theory=pl.Segments(2),
                   damping={"rayleigh": {"alpha": 40.0, "beta": 0.0}}, shapes={"bending_y": 1},
                   )  # fmt: skip
    blow = pl.Force("blow", "rod.tip", [0, "piecewise(t < 0.05, 4, 0)", 0])
    names = ["angular_momentum_about_com", "momentum", "energy", "rod:damping.work"]
    r = pl.System(bodies=[beam], forces=[blow]).simulate(2.0, rtol=1e-9, outputs=names)
    after = r.time > 0.06
    spin, push, energy, work = (r.values(name)[after] for name in names)
    assert np.ptp(spin, axis=0) == pytest.approx(0, abs=1e-8)
    assert np.ptp(push, axis=0) == pytest.approx(0, abs=1e-8)
    assert energy - energy[0] == pytest.approx(work - work[0], abs=1e-8)
    assert energy[-1] < energy[0] - 1e-4
    assert np.ptp(energy[-len(energy) // 5 :]) < 1e-6 * energy[0]
    rigid = push[-1] @ push[-1] / 2 + spin[-1] @ spin[-1] * 12 / 2
    assert energy[-1] == pytest.approx(rigid, rel=1e-3)


def test_formulations_agree_on_it_and_kernels_object_by_name():
    s = clamped({"modal": 0.02}, pl.Segments(2, ["bending"]))
    report = s.verify(pointwise=True, states=2)
    assert report.agree, report
    declined = [v for v in report.verdicts if v.declined]
    assert {v.formulation for v in declined} == {"recursive", "blocks"}
    assert all("'rod:damping'" in v.declined for v in declined)


def test_parameters_are_free_at_run_time():
    s = clamped({"modal": "z"}, pl.Segments(2, ["bending"]), parameters={"z": 0.02})
    assert s.modes().damping == pytest.approx(0.02, rel=1e-7)
    assert s.modes(params={"z": 0.05}).damping == pytest.approx(0.05, rel=1e-7)


# --- elements of large rotation


@pytest.mark.parametrize(
    "theory", [{"exact": {"elements": 2, "order": 3}}, {"large-rotation": {"elements": 3}}]
)
def test_elements_are_damped_by_kinds_of_motion(theory):
    """ζ = β ω/2 with the β of each kind."""
    times = {"bending_y": 1e-3, "torsion": 2e-3, "axial": 4e-3}
    modes = clamped({k: {"stiffness": b} for k, b in times.items()}, theory).modes(8)
    betas = 2 * modes.damping / np.abs(modes.eigenvalues)
    known = np.array([0.0, *times.values()])
    nearest = np.abs(betas[:, None] - known).min(axis=1)
    assert np.all(nearest < 1e-5)  # nodes of elements couple a little
    assert len({int(k) for k in np.abs(betas[:, None] - known).argmin(axis=1)}) == 4


# --- beams of large rotation: strains of their elements are coordinates, with modes of their own

EXACT = {"exact": {"elements": 2, "order": 1}}
DIRECTORS = {"large-rotation": {"elements": 2, "nodes": 2}}
RAYLEIGH = {"rayleigh": {"alpha": 0.2, "beta": 1e-3}}


@pytest.mark.parametrize("theory", [EXACT, {"exact": {"elements": 1, "order": 2}}, DIRECTORS])
@pytest.mark.parametrize(
    "damping",
    [{"modal": 0.02}, {"modal": [0.01, 0.03]}, RAYLEIGH,
     dict.fromkeys(("bending", "torsion", "axial"), RAYLEIGH)],
)  # fmt: skip
def test_beams_of_large_rotation_are_damped_by_modes(theory, damping):
    """ζ as given, and α/2ω + β ω/2, for the frequencies of the elements themselves."""
    modes = clamped(damping, theory).modes()
    w = np.abs(modes.eigenvalues)
    expected = np.zeros(len(w))
    if "modal" not in damping:
        expected = 0.2 / (2 * w) + 1e-3 * w / 2
    elif damping["modal"] == 0.02:
        expected[:] = 0.02
    else:
        expected[:2] = 0.01, 0.03
    assert modes.damping == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_modes_of_a_beam_that_is_curved_without_stress():
    modes = clamped({"modal": [0.01, 0, 0.03]}, EXACT, curvature=[0.3, 0.5, 1.0]).modes()
    assert modes.damping[:3] == pytest.approx([0.01, 0, 0.03], abs=1e-12)
    assert np.abs(modes.damping[3:]).max() < 1e-12


def test_exact_and_modal_beams_die_away_alike():
    """A pendulum, whose root is free, so that ratios are not those given: differences of second
    order in elements of order 1."""

    def swinging(theory, **more):
        beam = pl.Beam("rod", 1.0, stiffness={**STIFFNESS, "EA": 1e5}, mass_per_length=1.0,
                       rotary={"rhoIy": 0.01, "rhoIz": 0.01}, theory=theory,
                       damping={"bending": {"modal": 0.02}}, **more)  # fmt: skip
        pin = pl.Revolute("pin", "ground", "rod.root", axis="z")
        return pl.System(bodies=[beam], joints=[pin]).modes()

    exact = next(
        m for m in swinging("modal", type="timoshenko", shapes={"bending_y": 6}) if m.omega > 1
    )
    differences = []
    for n in (4, 8):
        modes = swinging({"exact": {"elements": n, "order": 1}})
        alike = [
            m.damping for m in modes if abs(m.omega / exact.omega - 1) < 0.05 and m.damping > 0
        ]
        differences.append(min(abs(ratio - exact.damping) for ratio in alike))
    assert differences[0] / differences[1] == pytest.approx(4, abs=0.5)


@pytest.mark.parametrize(
    ("theory", "damping"),
    [(EXACT, {"bending": {"modal": 0.1}}), (DIRECTORS, {"rayleigh": {"alpha": 2.0, "beta": 0}})],
)
def test_far_from_the_shape_without_stress_damping_takes_energy_and_gives_no_momentum(
    theory, damping
):
    """A soft pendulum for new parameters: the energy that is lost is the work of the damping, the
    force beyond the root the reaction; let go in space it keeps its momenta."""

    def rod(**more):
        stiffness = {**STIFFNESS, "EA": "2e3 * k", "EIy": "2 * k", "EIz": 3.0}
        return pl.Beam("rod", 1.5, stiffness=stiffness,
                       mass_per_length=1.2, rotary={"rhoIy": 0.01, "rhoIz": 0.02}, theory=theory,
                       damping=damping, **more)  # fmt: skip

    pin = pl.Revolute("pin", "ground", "rod.root", axis=[0, 1, 1], initial={"angle_rate": 3})
    hung = pl.System(parameters={"k": 1.0}, gravity=[0, 0, -9.81], bodies=[rod()], joints=[pin])
    r = hung.simulate(
        0.5, params={"k": 1.4}, rtol=1e-9, outputs=["rod.*", "rod:*", "pin.*", "energy"]
    )
    works = [n for n in r if n.startswith("rod:damping") and n.endswith(".work")]
    lost = sum(r.values(name)[-1] for name in works)
    energy = r.values("energy")
    assert lost < -0.01
    assert energy[-1] - energy[0] == pytest.approx(lost, abs=1e-8)
    assert np.linalg.norm(r.values("rod.root.internal_force"), axis=1) == pytest.approx(
        np.linalg.norm(r.values("pin.force"), axis=1), rel=1e-10
    )
    thrown = pl.System(parameters={"k": 1.0}, bodies=[rod(initial={
        "velocity": [0, 1, 0], "angular_velocity": [0, 1, 8]})])  # fmt: skip
    r = thrown.simulate(0.3, rtol=1e-9, outputs=["momentum", "angular_momentum", "energy"])
    assert np.ptp(r.values("momentum"), axis=0) == pytest.approx(0, abs=1e-9)
    assert np.ptp(r.values("angular_momentum"), axis=0) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("damping", "couples"),
    [({"modal": [0.1]}, True), ({"rayleigh": {"alpha": 2, "beta": 0}}, False)],
)  # fmt: skip
def test_formulations_agree_on_damped_beams_of_large_rotation(damping, couples):
    """Damping by mass goes over blocks as well, that by modes objects by name."""
    s = clamped(damping, EXACT)
    report = s.verify(pointwise=True, states=1)
    assert report.agree, report
    blocks = next(line for line in str(report).splitlines() if line.startswith("blocks"))
    assert ("'rod:damping': it couples all parts of a beam" in blocks) == couples, blocks
