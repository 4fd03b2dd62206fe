"""Random mechanisms with extreme numbers: energy, momentum and a second formulation are judges.

One to three bodies in a chain of random joints, with springs, joint springs and bushings between
them. Masses spread over twelve decades, lengths over eight, the stiffest spring swings within the
run: nothing in them loses energy. Whatever happens, a run ends in finite numbers whose energy is
kept, or says why it stopped.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from tests.fuzz.files import Fault, TooSlowError, limited
from tests.models.random_systems import options_of, random_axis

import pliant as pl
from pliant.errors import PliantError
from pliant.model.joints import JOINTS
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

KINDS = tuple(kind for kind, cls in JOINTS.items() if cls.in_tree and kind != "fixed")
FORMULATIONS = ("recursive", "linear-graph", "natural", "kane", "multibond")
SECONDS = 60
RTOL = 1e-8
KEPT = 1e-5
"""Of the energy exchanged that may be lost at that tolerance."""
SAME = 1e-4
"""Of the way of a body by which two formulations may differ; where motions part quickly, by ten
times their own errors, the difference to a run at a hundredth of the tolerance."""
LOOKED_AT = ("position", "orientation", "velocity", "angular_velocity")


@dataclass(frozen=True)
class Scales:
    """Sizes of one mechanism: length, mass, and the time that it takes to move."""

    length: float
    mass: float
    time: float


def _scales(rng):
    length, mass = 10.0 ** rng.uniform(-5, 3), 10.0 ** rng.uniform(-8, 4)
    return Scales(length, mass, 10.0 ** rng.uniform(-4, 2))


def _body(rng, name, s):
    m = s.mass * 10.0 ** rng.uniform(-2, 2)
    d = m * s.length**2 * rng.uniform(0.05, 0.2, 3)
    along = tuple(s.length * rng.uniform(-0.3, 0.3, 3))
    tip = pl.Frame("tip", tuple(s.length * rng.uniform(0.2, 0.8, 3)))
    return pl.RigidBody(name, m, com=along, inertia=tuple(d.sum() - d), frames=[tip])


def _joint(rng, kind, name, ends, s):
    cls = JOINTS[kind]
    extra = {"pitch": 0.2 * s.length} if kind == "screw" else {}
    if "axis" in options_of(cls) and kind not in ("universal", "pin_slot"):
        extra["axis"] = tuple(rng.standard_normal(3))
    if kind == "locks":
        extra = random_axis(rng, kind)
    start = {}
    for c in cls(name, *ends, **extra).scalars:
        size = s.length if c.unit == "m" else 1.0
        start[c.name] = size * rng.uniform(-0.5, 0.5)
        start[c.rate] = size / s.time * rng.uniform(-1, 1)
    return cls(name, *ends, **extra, initial=start)


def _forces(rng, names, joints, s):
    """Springs whose own frequency is one to thirty over the time of the run."""
    forces = []
    k = s.mass / s.time**2 * 10.0 ** rng.uniform(-1, 3)
    if rng.random() < 0.6:
        anchor = f"{names[0]}.tip" if len(names) > 1 else "ground"
        free = 0.0 if rng.random() < 0.3 else s.length * rng.uniform(0.3, 1.5)
        forces.append(pl.Spring("spring", anchor, f"{names[-1]}.tip", stiffness=k,
                                free_length=free))  # fmt: skip
    turning = [j for j in joints if j.kind in ("revolute", "cylindrical", "prismatic")]
    if turning and rng.random() < 0.6:
        coordinate = turning[0].scalars[0]
        size = k if coordinate.unit == "m" else k * s.length**2
        forces.append(pl.JointSpring("twist", turning[0].name, coordinate=coordinate.name,
                                     stiffness=size))  # fmt: skip
    if rng.random() < 0.3:
        stiff = {"rotational": (k * s.length**2,) * 3, "translational": (k, k, k)}
        forces.append(pl.Bushing("bush", "ground", names[-1], stiffness=stiff))
    return forces


def mechanism(rng):
    """A system, how long to look at it, and whether nothing outside acts on it."""
    s, names, bodies, joints = _scales(rng), [], [], []
    alone = rng.random() < 0.2
    for i in range(int(rng.choice((1, 1, 2, 2, 3)))):
        names.append(f"b{i}")
        bodies.append(_body(rng, names[-1], s))
        kind = "free" if alone and i == 0 else str(rng.choice(KINDS))
        ends = (f"b{i - 1}.tip" if i else "ground", f"b{i}")
        joints.append(_joint(rng, kind, f"j{i}", ends, s))
    forces = [] if alone else _forces(rng, names, joints, s)
    g = np.zeros(3) if alone else s.length / s.time**2 * rng.standard_normal(3)
    system = pl.System(bodies=bodies, joints=joints, forces=forces, gravity=tuple(g))
    return system, s, alone


def judged(seed):
    """The fault of one mechanism, or None."""
    rng = np.random.default_rng([7, seed])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with limited(SECONDS):
                what = _judgement(rng)
        except PliantError as error:
            what = "" if str(error) else "a message that says nothing"
        except TooSlowError as error:
            what = str(error)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
    return Fault("mechanisms", seed, what) if what else None


def _judgement(rng):
    system, s, alone = mechanism(rng)
    pair = ("recursive", str(rng.choice(FORMULATIONS[1:])))
    runs = [_run(system, s, formulation, RTOL) for formulation in pair]
    for formulation, r in zip(pair, runs, strict=True):
        if r.failure:
            return "" if _says_why(r.failure) else f"{formulation}: {r.failure}"
        what = _not_finite(r) or _energy(r) or (_momentum(system, r) if alone else "")
        if what:
            return f"{formulation}: {what}"
    worst = _difference(*runs, s.length)
    if worst <= SAME:
        return ""
    finer = [_run(system, s, f, RTOL / 100) for f in pair]
    own = max(_difference(a, b, s.length) for a, b in zip(runs, finer, strict=True))
    return "" if worst < 10 * own else f"two formulations differ by {worst:.1e}"


def _run(system, s, formulation, rtol):
    names = [f"{name}.{what}" for name in system.model.bodies for what in LOOKED_AT]
    names += ["energy", "kinetic_energy", "potential_energy"]
    return system.simulate(2 * s.time, formulation=formulation, rtol=rtol, every=s.time / 4,
                           outputs=names)  # fmt: skip


def _says_why(failure):
    """A stop names a time and a reason."""
    return failure.startswith("t = ") and "no finite value of" not in failure


def _not_finite(r):
    bad = [n for n in r.columns() if not np.isfinite(r.values(n)).all()]
    return f"not finite: {bad[:3]}" if bad else ""


def _energy(r):
    total, kinetic = r.values("energy"), r.values("kinetic_energy")
    exchanged = np.ptp(kinetic) + np.abs(kinetic).max() + np.ptp(r.values("potential_energy"))
    lost = np.abs(total - total[0]).max()
    rounding = 1e-12 * np.abs(r.values("potential_energy")).max()
    return f"{lost / exchanged:.1e} of the energy" if lost > KEPT * exchanged + rounding else ""


def _momentum(system, r):
    """m v of the mass centres, v = v_B + w x R c, which nothing changes."""
    total, size = 0.0, 0.0
    for name, body in system.model.bodies.items():
        c = np.array([f.value for f in body.com])
        arm = np.array(
            [from_quaternion(NUMERIC, quat) @ c for quat in r.values(f"{name}.orientation")]
        )
        v = r.values(f"{name}.velocity") + np.cross(r.values(f"{name}.angular_velocity"), arm)
        p = body.mass.value * v
        total, size = total + p, size + np.abs(p).max()
    return "momentum" if np.abs(total - total[0]).max() > KEPT * size else ""


def _difference(one, two, length):
    """Of positions, over the size of the mechanism and its way."""
    return max(
        np.abs(one.values(n) - two.values(n)).max() / (length + np.ptp(one.values(n)))
        for n in one.columns() if ".position." in n
    )  # fmt: skip
