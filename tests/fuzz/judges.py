"""Judges of mechanisms that look from outside: sums over bodies and elements, in plain numpy.

At a state, with accelerations of the bodies as the equations give them,

    T' = Σ m a_c·v_c + (I α + w × I w)·w  =  Σ powers + Σ m g·v_c
    Σ m a_c = 0,   Σ r_c × m a_c + I α + w × I w = 0          where nothing acts from outside

and along a motion [T + V]₀ᵗ = ∫ Σ powers dt, the integral by Simpson's rule over the samples.
"""

import numpy as np

import pliant as pl
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion


def all_rigid(system):
    """Whether motion of frames of bodies is all that has inertia, outside of networks."""
    beams = [b for b in system.described.bodies.values() if isinstance(b, pl.Beam)]
    cut = any(b.theory.large or b.theory.kind == "rigid" for b in beams)
    return not cut and all(isinstance(b, pl.RigidBody) for b in system.model.bodies.values())


def _mass(body, R):
    """m, c and I about the mass centre in world axes."""
    m = body.mass.value
    c = np.array([f.value for f in body.com])
    xx, yy, zz, xy, xz, yz = (f.value for f in body.inertia)
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "origin":
        I = I - m * (c @ c * np.eye(3) - np.outer(c, c))
    return m, R @ c, R @ I @ R.T


def _rotation(seen):
    """R of a matrix, column by column, or of a quaternion."""
    return seen.reshape(3, 3).T if len(seen) == 9 else from_quaternion(NUMERIC, seen)


class Sums:
    """Momentum, angular momentum, kinetic energy, their rates, and the power of gravity."""

    def __init__(self, system, look):
        g = np.array([f.value for f in system.model.gravity])
        self.T = self.T_dot = self.V = self.gravity = self.size = 0.0
        self.p_dot, self.H_dot, self.p, self.H = (np.zeros(3) for _ in range(4))
        for name, body in system.model.bodies.items():
            R = _rotation(look(f"{name}.orientation"))
            m, arm, I = _mass(body, R)
            w, alpha = look(f"{name}.angular_velocity"), look(f"{name}.angular_acceleration")
            r = look(f"{name}.position") + arm
            v = look(f"{name}.velocity") + np.cross(w, arm)
            a = look(f"{name}.acceleration") + np.cross(alpha, arm)
            a = a + np.cross(w, np.cross(w, arm))
            turn = I @ alpha + np.cross(w, I @ w)
            self.T += 0.5 * (m * v @ v + w @ I @ w)
            self.T_dot += m * a @ v + turn @ w
            self.V -= m * g @ r
            self.gravity += m * g @ v
            self.p += m * v
            self.p_dot += m * a
            self.H += np.cross(r, m * v) + I @ w
            self.H_dot += np.cross(r, m * a) + turn
            parts = (np.abs(m * a).max(), np.abs(turn).max(), np.abs(np.cross(r, m * a)).max())
            self.size += max(*parts, m * v @ v, w @ I @ w, abs(m * a @ v), abs(m * g @ v))
        for name, force in system.model.forces.items():
            if isinstance(force, pl.Rotor):
                self._rotor(system, name, force, look)

    def _rotor(self, system, name, rotor, look):
        """1/2 J u^2, with J u' as what it takes from its joint."""
        c = next(c for c in system.model.joints[rotor.joint].scalars
                 if rotor.coordinate in (None, c.name))  # fmt: skip
        u = look(f"{rotor.joint}.{c.rate}")
        effort = look(f"{name}.{'torque' if c.unit == 'rad' else 'force'}")
        T = 0.5 * rotor.inertia.value * rotor.ratio.value**2 * u**2
        self.T += T
        self.T_dot -= effort * u
        self.size += T + abs(effort * u)


def elements(system, names):
    """Everything that gives power to the mechanics: not what is inside of networks, nor the
    damping of a spring, which is part of its power."""
    networks = system.model.networks
    found = [n.removesuffix(".power") for n in names if n.endswith(".power")]
    whole = [n for n in found if n == (own := n.removesuffix(".damping")) or own not in found]
    return [n for n in whole if n in networks or n.partition(".")[0] not in networks]


def power_outside(system, name, look, known):
    """What an element gives to the mechanism, from its force and the motion; None if that takes
    more than this."""
    model = system.model
    e = model.forces.get(name) or model.drivers.get(name)
    kind, frame = getattr(e, "kind", ""), getattr(e, "frame", "")
    if frame and f"{frame}.velocity" not in known:
        return None
    if isinstance(e, pl.Force):
        return look(f"{name}.force") @ look(f"{e.frame}.velocity")
    if isinstance(e, pl.Torque):
        return look(f"{name}.torque") @ look(f"{e.frame}.angular_velocity")
    if isinstance(e, pl.LinearActuator | pl.Cylinder):
        return look(f"{name}.force") * look(f"{name}.rate")
    if isinstance(e, pl.Spring):
        return -look(f"{name}.force") * look(f"{name}.rate")
    scalar = isinstance(e, pl.JointDriver) or kind in ("joint_spring", "friction", "actuator")
    if scalar and e.joint in model.joints:
        c = next(c for c in model.joints[e.joint].scalars if e.coordinate in (None, c.name))
        effort = look(f"{name}.{'torque' if c.unit == 'rad' else 'force'}")
        return effort * look(f"{e.joint}.{c.rate}")
    return None


def simpson(time, values):
    """Running integrals at every second sample."""
    h = np.diff(time)[::2]
    parts = (values[:-2:2] + 4 * values[1:-1:2] + values[2::2]) * h / 3
    return np.concatenate([[0.0], np.cumsum(parts)])
