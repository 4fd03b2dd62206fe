"""Random mechanisms of every kind of element: power, energy, momentum and a second formulation.

Case k has the k-th entry of ``kinds.FEATURES``, which is made from the registries, and others that
are strewn in. It is judged at random states by interpreted equations, every fourth case also along
a short motion by machine code. ``census`` lists what a model holds; ``registered`` what it should
hold over all cases.
"""

import tempfile
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from tests.fuzz import judges
from tests.fuzz.draft import Draft, picked
from tests.fuzz.files import Fault, TooSlowError, limited
from tests.fuzz.kinds import CLOSING, EXTRAS, FEATURES, WAYS
from tests.models.random_systems import options_of, with_loop

import pliant as pl
from pliant.analysis.verification.runs import all_choices
from pliant.analysis.verification.states import FUNCTIONS as STATE_FUNCTIONS
from pliant.analysis.verification.states import _observed, pointwise
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.errors import CapabilityError, PliantError
from pliant.formulations import FORMULATIONS
from pliant.model.bodies.beam import TYPES
from pliant.model.bodies.beam_shapes import FAMILIES
from pliant.model.bodies.elastic import BEAM_FRAMES, GEOMETRIC, MODES_FRAMES
from pliant.model.bodies.shapes import SHAPES
from pliant.model.bodies.theories import BEAM_THEORIES, MODES_THEORIES
from pliant.model.constraints import CONSTRAINTS
from pliant.model.drivers import DRIVERS, LEVELS
from pliant.model.forces import FORCES
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.formulas.tree import Call
from pliant.model.joints import JOINTS
from pliant.model.joints.rotational import ROTATION_SETS
from pliant.model.networks.elements import KINDS as ELEMENTS
from pliant.model.networks.elements import SubgraphUse
from pliant.model.networks.kinds import DOMAINS
from pliant.model.networks.library import COMPONENTS
from pliant.model.sensors import SENSORS

SECONDS = 60
MOVED = 4
"""One of so many cases is also run."""
T_END, SAMPLES, RTOL = 0.2, 81, 1e-8
ROUNDING = 1e-9
"""Of the largest term of a sum: what `verify` allows, too."""
KEPT = 1e-5
"""Of the energy exchanged that a run at this tolerance may miss."""
SAME = 1e-4
FREE = ("spherical", "universal", "cylindrical", "planar")
LED = ("rolling", "skate", "on_frames", "world_spring")
"""What reaches the ground, or is held by axes that do not turn."""


def mechanism(seed, folder):
    """A system, and whether nothing outside acts on it."""
    rng = np.random.default_rng([11, seed])
    section, kind = FEATURES[seed % len(FEATURES)]
    draft = Draft(rng, folder, floating=_may_float(section, kind) and rng.random() < 0.3)
    if draft.floating:
        draft.rigid()
    if section == "closing joint" or kind == "distance":
        for _ in range(2):
            draft.hang(draft.rigid(), picked(rng, FREE))
    WAYS[section][kind](draft)
    if not draft.closing:
        for _ in range(int(rng.integers(0, 3))):
            extra = picked(rng, EXTRAS)
            if not draft.floating or _may_float(*extra):
                WAYS[extra[0]][extra[1]](draft)
    if not draft.joints and len(draft.bodies) < 2:
        draft.hang(draft.rigid())
    if draft.closing:
        return with_loop(rng, _resting(draft.system()), draft.closing), False
    return draft.system(), draft.floating


def _may_float(section, kind):
    away = section in ("closing joint", "beam", "shapes", "modes", "shape", "joint on springs")
    led = kind in (*LED, "distance", "force", "torque") or (
        section == "driver" and kind[0] != "joint"
    )
    return not away and not led


def _resting(system):
    """Without initial rates, which a loop would contradict."""
    joints = []
    for j in system.model.joints.values():
        kept = {n: f for n, f in j.initial.items() if not n.endswith("_rate")}
        joints.append(replace(j, initial=kept))
    return pl.System(system.model.with_(joints=joints))


def judged(seed, found=None):
    """The fault of one mechanism, or None; what it holds is added to ``found``."""
    what = ""
    with tempfile.TemporaryDirectory(prefix="pliant-fuzz-") as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with limited(SECONDS):
                system, alone = mechanism(seed, Path(folder))
                what = at_states(system, alone, seed)
                if not what and seed % MOVED == 0:
                    what = along_motion(system, alone, seed)
                if found is not None:
                    found |= census(system)
        except PliantError as error:
            what = f"refused: {error}"
        except TooSlowError as error:
            what = str(error)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
    return Fault("every_kind", seed, what) if what else None


# -- at random states ----------------------------------------------------------------------------
def at_states(system, alone, seed):
    """All observables of two other ways to write the equations; powers and momentum of one."""
    ways = [c for c in all_choices(system) if c != Choice()]
    chosen = [ways[(seed + k) % len(ways)] for k in (0, 5)]
    report = pointwise(system, states=2, seed=seed, choices=chosen)
    if not report.agree:
        bad = [v for v in report.verdicts if not v.declined and not v.agrees]
        return f"at states: {bad}"
    first = prepare(system, functions=STATE_FUNCTIONS, interpret=True)
    start = initial_state(system, first, None, 0.0)
    seen = _observed(first, start.x, start.p)
    return _powers(system, seen) or _forces(system, seen, alone)


def _look(seen):
    return lambda name: seen[name] if len(seen[name]) > 1 else float(seen[name][0])


def _powers(system, seen):
    look = _look(seen)
    for name in judges.elements(system, seen):
        outside = judges.power_outside(system, name, look, seen)
        inside = look(f"{name}.power")
        if outside is not None and abs(outside - inside) > ROUNDING * (1e-3 + abs(inside)):
            return f"power of {name}: {inside} W, from outside {outside} W"
    return ""


def _forces(system, seen, alone):
    if not judges.all_rigid(system):
        return ""
    sums, look = judges.Sums(system, _look(seen)), _look(seen)
    powers = [look(f"{n}.power") for n in judges.elements(system, seen)]
    size = sums.size + sum(map(abs, powers)) + 1e-3
    missing = sums.T_dot - sum(powers) - sums.gravity
    if abs(missing) > ROUNDING * size:
        return f"power balance: {missing:.3e} W of {size:.3e} W"
    if abs(sums.T - look("kinetic_energy")) > ROUNDING * (sums.T + 1e-3):
        return f"kinetic energy {look('kinetic_energy')} J, from outside {sums.T} J"
    if alone and max(np.abs(sums.p_dot).max(), np.abs(sums.H_dot).max()) > ROUNDING * size:
        return f"momentum changes by {sums.p_dot} N, {sums.H_dot} N*m"
    return ""


# -- along a motion ------------------------------------------------------------------------------
def along_motion(system, alone, seed):
    """Two formulations: their own books, the balance from outside, momentum, each other."""
    names = list(FORMULATIONS)
    runs = {}
    for formulation in ("recursive", names[1 + seed // MOVED % (len(names) - 1)]):
        try:
            r = system.simulate(T_END, formulation=formulation, rtol=RTOL,
                                every=T_END / (SAMPLES - 1))  # fmt: skip
        except CapabilityError:
            continue
        if what := _judged_run(system, r, alone):
            return f"{formulation}: {what}"
        runs[formulation] = r
    worst = _difference(system, *runs.values()) if len(runs) == 2 else 0.0
    return f"{', '.join(runs)} differ by {worst:.1e}" if worst > SAME else ""


def _judged_run(system, r, alone):
    if r.failure:
        return r.failure
    bad = [n for n in r.columns() if not np.isfinite(r.values(n)).all()]
    if bad:
        return f"not finite: {bad[:3]}"
    book = r.info.get("energy")
    if book is not None and not book.holds:
        return f"its own books: {book}"
    return _energy(system, r) or (_momentum(system, r) if alone else "")


def _energy(system, r):
    """Parts of beams swing faster than is sampled: they count by their energy, others by the
    integral of their power."""
    names = [n for n in judges.elements(system, r.series) if ":" not in n]
    power = sum((r.values(f"{n}.power") for n in names), np.zeros(len(r.time)))
    own = [r.values(f"{n}.energy") for n in names
           if f"{n}.energy" in r.series and n not in system.model.networks]  # fmt: skip
    mechanical = r.values("kinetic_energy") + r.values("potential_energy") - sum(own)
    fine, coarse = judges.simpson(r.time, power), judges.simpson(r.time[::2], power[::2])
    missing = mechanical[::2] - mechanical[0] - fine
    exchanged = np.ptp(r.values("kinetic_energy")) + r.values("kinetic_energy").max()
    exchanged += np.ptp(r.values("potential_energy")) + np.abs(fine).max() + 1e-6
    allowed = KEPT * exchanged + np.abs(fine[::2] - coarse).max()
    lost = np.abs(missing).max()
    return f"energy: {lost:.2e} J of {exchanged:.2e} J missing" if lost > allowed else ""


def _momentum(system, r):
    if not judges.all_rigid(system):
        return ""
    ends = [judges.Sums(system, lambda n, k=k: r.values(n)[k]) for k in (0, -1)]
    size = sum(s.size for s in ends)
    gone = max(np.abs(ends[1].p - ends[0].p).max(), np.abs(ends[1].H - ends[0].H).max())
    return f"momentum changes by {gone:.2e}" if gone > KEPT * size else ""


def _difference(system, one, two):
    """Of positions, over the size of the mechanism."""
    return max(
        np.abs(one.values(f"{n}.position") - two.values(f"{n}.position")).max()
        for n in system.model.bodies
    )


# -- what there is -------------------------------------------------------------------------------
def registered():
    """Every kind of every registry, as (registry, kind)."""
    found = {
        "joint": JOINTS, "rotation set": ROTATION_SETS, "shape": SHAPES, "force": FORCES,
        "beam theory": BEAM_THEORIES, "beam type": TYPES, "shape family": FAMILIES,
        "beam frame": BEAM_FRAMES, "geometric stiffness": GEOMETRIC, "modes frame": MODES_FRAMES,
        "modes theory": MODES_THEORIES, "constraint": CONSTRAINTS, "driver": DRIVERS,
        "sensor": SENSORS, "driver level": LEVELS, "network element": ELEMENTS,
        "network part": COMPONENTS,
        "domain": [d for d in DOMAINS if d], "function": FUNCTIONS,
        "signal": ("spline", "linear"), "closing joint": CLOSING,
    }  # fmt: skip
    return {(registry, kind) for registry, kinds in found.items() for kind in kinds}


def census(system):
    """Every kind that a model holds."""
    model, found = system.described, set()
    found |= {("joint", j.kind) for j in model.joints.values()}
    found |= {("rotation set", j.coordinates) for j in model.joints.values()
              if "coordinates" in options_of(j)}  # fmt: skip
    found |= {("closing joint", j.kind) for n, j in model.joints.items() if n == "loop"}
    for body in model.bodies.values():
        found |= _of_body(body)
    registry = {cls: {k for k, c in FORCES.items() if c is cls} for cls in FORCES.values()}
    found |= {("force", k) for f in model.forces.values() for k in registry[type(f)]}
    found |= {("constraint", c.kind) for c in model.constraints.values()}
    found |= {("sensor", s.kind) for s in model.sensors.values()}
    found |= {("driver", d.kind) for d in model.drivers.values()}
    found |= {("driver level", d.level) for d in model.drivers.values()}
    found |= {("signal", s.interpolation) for s in model.signals.values()}
    for network in model.networks.values():
        found |= {("network element", e.kind) for e in network.elements.values()}
        found |= {("network part", e.part) for e in network.elements.values()
                  if isinstance(e, SubgraphUse)}  # fmt: skip
        found.add(("domain", network.domain))
        found |= {("domain", getattr(e, "domain", "")) for e in network.elements.values()}
    for force in model.forces.values():
        if isinstance(force, pl.Actuator):
            found |= {("function", n) for n in _functions(force.effort.tree)}
    return found


def _of_body(body):
    if isinstance(body, pl.RigidBody):
        return {("shape", next(iter(body.shape or {}), "point"))}
    if isinstance(body, pl.Modes):
        return {("modes theory", body.theory.kind), ("modes frame", body.floating_frame.kind)}
    return {
        ("beam theory", body.theory.kind), ("beam type", body.type),
        ("beam frame", body.floating_frame.kind), ("shape family", body.family("bending_y")),
        ("geometric stiffness", body.geometric_stiffness),
    }  # fmt: skip


def _functions(node):
    if not isinstance(node, Call):
        return set()
    return {node.function}.union(*(_functions(a) for a in node.args))
