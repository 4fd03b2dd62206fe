"""The whole verdict: every formulation along the motion, and what happens when one is wrong."""

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from tests.models import wrong_formulation

import pliant as pl
from pliant.analysis.verification import runs as verify_runs
from pliant.analysis.verification.refine import refine
from pliant.analysis.verification.runs import Span, along_motion_too
from pliant.analysis.verification.states import no_progress
from pliant.analysis.verification.verify import along_motion
from pliant.backends.choice import Choice
from pliant.cli import main
from pliant.code import background
from pliant.errors import StepError
from pliant.formulations import FORMULATIONS
from pliant.formulations.registry import Objection

MODELS = Path(__file__).parents[1] / "models"
MODEL = """
pliant: 1
name: arm on a spring
gravity: [0, 0, -9.81]
bodies:
  arm: {rigid: {mass: 2, com: [0.3, 0, 0.1], inertia: [0.1, 0.2, 0.3]}, frames: {end: [0.6, 0, 0]}}
joints:
  pin: {revolute: {axis: y}, between: [ground, arm], initial: {angle: 0.4}}
forces:
  spring: {spring: {stiffness: 60, damping: 2, free_length: 0.3}, between: [ground, arm.end]}
  motor: {actuator: "2*sin(3*t)", joint: pin}
simulate: {t_end: 1}
"""
SPAN = Span(0.5, 0.5, 1e-6, "dop853")


@pytest.fixture(scope="module")
def report():
    return pl.System.loads(MODEL).verify(states=2)


def test_every_formulation_runs_and_agrees(report):
    assert report.agree, str(report)
    assert {r.formulation for r in report.motion.runs} == {*FORMULATIONS, "blocks"}
    assert report.motion.t_end == 1.0
    assert str(report).splitlines()[-1] == "all agree"


def test_balances_hold_in_every_formulation(report):
    """A run at 1e-6 keeps energy and work to about that, and constraints to rounding."""
    for run in (r for r in report.motion.runs if r.variant == "joint tree"):
        assert run.balanced
        assert run.energy_drift < 1e-4
        assert run.constraint_drift < 1e-10
        assert run.steps > 5


def test_every_observable_has_its_worst_time(report):
    named = {gap.name for gap, _ in report.motion.worst()}
    assert {"arm.end.position", "pin.angle", "energy", "motor.work", "spring.force"} <= named
    assert all(0 <= gap.time <= 1 for gap, _ in report.motion.worst())


def test_it_can_be_read_by_machines(report):
    data = json.loads(json.dumps(report.as_dict()))
    assert data["agree"] is True
    assert len(data["motion"]["runs"]) == len(report.motion.runs)
    assert data["motion"]["runs"][1]["gaps"][0]["unit"]


def test_it_can_be_looked_at(report, tmp_path):
    page = report.page(tmp_path / "verdict.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 6
    assert all(name in page for name in FORMULATIONS)
    assert "src=" not in page  # one file that needs nothing else


def test_the_first_steps_tell_how_far_it_goes():
    span = verify_runs.span_of(pl.System.loads(MODEL), None, 1e-10, None)
    assert not span.shortened
    long = pl.System.loads(MODEL.replace("t_end: 1}", "t_end: 5000}"))
    assert verify_runs.span_of(long, None, 1e-6, None).t_end < 500


@pytest.fixture
def wrong(monkeypatch, tmp_path):
    """A formulation that is wrong in one term; nothing is taken from the cache on disk."""
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))

    def register(fault):
        own = replace(FORMULATIONS["recursive"], name="wrong", module=wrong_formulation.__name__)
        monkeypatch.setattr(wrong_formulation, "FAULT", fault)
        monkeypatch.setitem(FORMULATIONS, "wrong", own)
        return along_motion(pl.System.loads(MODEL), SPAN, [Choice(), Choice("wrong")])[0]

    return register


def test_a_formulation_without_fault_agrees(wrong):
    assert wrong(0.0).agree


def test_a_wrong_term_is_found_along_the_motion(wrong):
    """Forces that are off by a thousandth move the arm by far more than the error of a run."""
    report = wrong(1e-3)
    assert not report.agree
    assert report.runs[1].excess > 10
    assert not report.runs[1].balanced


def test_a_formulation_that_stops_is_reported(monkeypatch):
    def stops(system, request):
        if request.choice.formulation == "natural":
            raise StepError("the step became too small")
        return whole(system, request)

    whole = verify_runs.simulate
    monkeypatch.setattr(verify_runs, "simulate", stops)
    choices = [Choice(), Choice("natural")]
    report, _ = along_motion(pl.System.loads(MODEL), SPAN, choices)
    assert not report.agree
    assert report.runs[1].failure == "the step became too small"
    assert report.runs[0].agrees


def test_what_a_formulation_declines_is_said(monkeypatch):
    picky = replace(FORMULATIONS["natural"], name="picky",
                    objections=lambda graph: [Objection("arm", "is not to its taste")])  # fmt: skip
    monkeypatch.setitem(FORMULATIONS, "picky", picky)
    report, _ = along_motion(pl.System.loads(MODEL), SPAN, [Choice(), Choice("picky")])
    assert report.agree
    assert "arm: is not to its taste" in report.runs[1].declined


def test_a_model_without_end_time_is_compared_at_states_only():
    system = pl.System.loads(MODEL.replace("simulate: {t_end: 1}", ""))
    report = system.verify(states=1)
    assert report.agree
    assert report.motion is None
    assert "no end time" in str(report)


BEAM = """
pliant: 1
name: cantilever that is let go
gravity: [0, -9.81, 0]
bodies:
  rod:
    beam: {length: 1, stiffness: {EIz: 2}, mass_per_length: 0.1}
    shapes: {bending_y: 2}
    theory: modal
    rotary_inertia: none
joints:
  clamp: {fixed: {}, between: [ground, rod.root]}
simulate: {t_end: 0.3, method: dop853}
"""


def test_segments_converge_with_their_order():
    """Second order: halved segments make a quarter of the difference."""
    system = pl.System.loads(BEAM.replace("theory: modal", "theory: segments(16)"))
    found = refine(system, Span(0.3, 0.3, 1e-6, "dop853"), no_progress)
    assert found.failure == ""
    assert found.counts == (4, 8, 16)
    assert found.converges
    assert found.order == pytest.approx(2, abs=0.3)


def test_the_command_says_so_by_its_exit_code(tmp_path, capsys, monkeypatch):
    model = tmp_path / "arm.yaml"
    model.write_text(MODEL, encoding="utf-8")
    assert main(["verify", str(model), "--pointwise", "--states", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "all agree"
    report = import_module("pliant.analysis.verification.report")
    monkeypatch.setattr(report, "AGREEMENT", -1.0)
    assert main(["verify", str(model), "--pointwise", "--states", "1"]) == 1
    assert "THEY DISAGREE" in capsys.readouterr().out
    assert main(["verify", str(model), "-o", str(tmp_path / "verdict.png")]) == 2


def test_states_where_massless_parts_turn_on_the_spot_are_not_taken():
    """At -90 degrees the cylinder has no length: nothing holds its angle or gives it inertia."""
    report = pl.load(MODELS / "hydraulic_arm.yaml").verify(pointwise=True, states=6)
    assert report.agree, str(report)


def test_a_heavy_body_does_not_drown_the_power_of_light_ones():
    """1e20 and 1e3 kg: axes that turn with the heavy one bring M w x v in and out again."""
    star = pl.RigidBody.sphere("star", 1e4, mass=1e20)
    start = {"position": [2e5, 0, 0], "velocity": [0, 180, 0]}
    moon = pl.RigidBody.sphere("moon", 1e4, mass=1e3, initial=start)
    pull = pl.Spring("g", "star", "moon", force="6.6743e-11*1e20*1e3/x^2")
    report = pl.System(bodies=[star, moon], forces=[pull]).verify(pointwise=True, states=5)
    assert report.agree, str(report)


def test_nothing_is_left_to_compile_after_a_verdict(monkeypatch):
    monkeypatch.delenv("PLIANT_QUICK")
    arm = pl.RigidBody.rod("arm", 1.234, mass=2)
    system = pl.System(bodies=[arm], joints=[pl.Revolute("pin", "ground", "arm")])
    background.finish()
    before = background.version()
    assert system.verify(pointwise=True, states=1).agree
    background.finish()
    assert background.version() == before


PLAIN = """
pliant: 1
name: two rods
gravity: [0, 0, -9.81]
parameters: {m: 1.5}
bodies:
  upper:
    rigid: {mass: m, com: [0.2, 0, 0.1], inertia: [0.1, 0.2, 0.3]}
    frames: {end: [0.5, 0, 0]}
  lower: {rigid: {mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.2]}}
joints:
  shoulder: {revolute: {axis: y}, between: [ground, upper], initial: {angle: 0.4}}
  elbow: {universal: {axis: x, axis2: z}, between: [lower, upper.end]}
forces:
  brake: {joint_spring: {stiffness: 3, damping: 0.4}, joint: shoulder}
simulate: {t_end: 0.5}
"""


def test_back_ends_are_ways_like_others():
    """All at random states; along the motion one besides expressions."""
    report = pl.loads(PLAIN).verify(states=2)
    assert report.agree, str(report)
    at = {(v.formulation, v.variant): v for v in report.verdicts}
    tree, blocks = at["recursive", "tree kernel"], at["blocks", "absolute tree"]
    assert (tree.coordinates, tree.constraints, tree.equations) == (3, 0, 3)
    assert (blocks.coordinates, blocks.constraints) == (7 + 7 + 1, 5 + 4 + 1)
    assert all(0 < v.disagreement < 1e-12 for v in (tree, blocks))
    runs = {(r.formulation, r.variant): r for r in report.motion.runs}
    assert runs["recursive", "tree kernel"].gaps
    assert "--complete" in runs["blocks", "absolute tree"].declined


def test_all_back_ends_run_if_they_are_asked_for():
    system = pl.loads(PLAIN)
    too = along_motion_too(system, complete=True)
    report, _ = along_motion(system, SPAN, [Choice()], back_ends=too)
    assert report.agree
    assert [r.variant for r in report.runs if r.gaps] == ["tree kernel", "absolute tree"]


def test_what_a_back_end_declines_is_listed(report, tmp_path):
    """By its reason, in text, page and JSON."""
    why = "force 'spring' does not act along a joint coordinate"
    assert f"tree kernel                   0     0 declined: {why}" in str(report)
    assert f"tree kernel            declined: {why}" in str(report)
    assert "declined: force" in report.page(tmp_path / "verdict.html").read_text()
    data = report.as_dict()
    for ways in (data["verdicts"], data["motion"]["runs"]):
        assert [w["declined"] for w in ways if w["variant"] == "tree kernel"] == [why]
        assert [w["declined"] for w in ways if w["formulation"] == "blocks"] == [""]


def test_blocks_say_how_far_they_went(report):
    """A run of second order may end earlier than others."""
    short = replace(report.motion.runs[-1], ended=0.25)
    motion = replace(report.motion, runs=(*report.motion.runs[:-1], short))
    assert " to 0.25 s" in str(replace(report, motion=motion))


def test_states_are_taken_where_every_observable_has_a_value():
    """An output that has none at most random states does not hide that all ways agree."""
    text = """
pliant: 1
gravity: [0, -9.81, 0]
bodies: {rod: {rod: {length: 0.8, mass: 2}}}
joints: {pin: {revolute: {axis: z}, between: [ground, rod], initial: {angle: 0.1}}}
outputs: {near: "sqrt(0.04 - pin.angle**2)"}
"""
    report = pl.loads(text).verify(pointwise=True, states=4)
    assert report.agree, str(report)


def test_outputs_that_a_back_end_cannot_tell_are_a_reason_not_to_run_it():
    """Inside of beams, and coordinates of a cut joint that no pose tells."""
    text = """
pliant: 1
gravity: [0, 0, -9.81]
materials: {steel: {E: 200 GPa, nu: 0.3, density: 7850}}
bodies:
  base: {box: {size: [0.1, 0.2, 0.3], mass: 1}}
  boom:
    beam: {length: 1, section: {circle: {radius: 5 mm}}, material: steel}
    shapes: {bending: 1}
joints:
  S: {spherical: , between: [ground, base], initial: {wz: 1}}
  W: {fixed: , between: [base, boom.root]}
outputs: {M: boom.root.internal_moment.y, e: S.e0, w: S.wz}
"""
    report = pl.loads(text).verify(pointwise=True, states=2)
    assert report.agree, str(report)
    declined = {(v.formulation, v.variant): v.declined for v in report.verdicts if v.declined}
    assert "rotation coordinates" in declined["blocks", "absolute tree"]
    fewer = pl.loads(text.replace(", e: S.e0, w: S.wz", "")).verify(pointwise=True, states=2)
    reasons = {v.variant: v.declined for v in fewer.verdicts if v.formulation == "blocks"}
    assert reasons == {
        "absolute tree": "output 'M': it reads 'boom.root.internal_moment.y', "
                         "which blocks do not tell"
    }  # fmt: skip


STILL = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  b: {box: {size: [0.1, 0.2, 0.3], mass: 200}}
  wheel: {box: {size: [0.1, 0.2, 0.3], mass: 1}}
joints:
  P: {prismatic: {axis: z}, between: [ground, b], initial: {displacement: -3}}
  R: {revolute: {axis: x}, between: [b, wheel]}
forces:
  s: {spring: {stiffness: 1e7, damping: 1e5, free_length: 3}, between: [ground, b]}
  f: {force: [0, 0, "3000*smoothstep(t, 0, 1)"], at: b}
simulate: {t_end: 0.5, start: equilibrium}
"""


def test_a_wheel_that_rests_anywhere_is_no_disagreement():
    """Blocks find no equilibrium where nothing holds a wheel; they say so."""
    report = pl.loads(STILL).verify(states=2)
    assert report.agree, str(report)
    (blocks,) = (r for r in report.motion.runs if r.formulation == "blocks")
    assert "start: equilibrium" in blocks.declined


def test_runs_whose_samples_make_all_steps_know_their_error():
    """Both tolerances are far above what steps of 30 µs leave over: blocks are of second order."""
    system = pl.load(Path(__file__).parents[2] / "examples" / "heavy_top.yaml")
    span = Span(0.003, 0.003, 1e-6, "dop853")
    report, _ = along_motion(system, span, [Choice()], back_ends={"blocks": ""})
    assert report.agree, str(report)
    (blocks,) = (r for r in report.runs if r.formulation == "blocks")
    assert blocks.excess > 0.05  # of ten times the error, which is known to a third
