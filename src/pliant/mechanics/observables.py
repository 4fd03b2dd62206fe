"""Named observables of a model: the common language of results, comparisons and plots.

World axes throughout; reactions act on the child, at the origin of its joint frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.equations.contract import Observable
from pliant.equations.energy import DISSIPATED, SUPPLIED, role_of_force
from pliant.errors import UnknownName
from pliant.graphs import SystemGraph
from pliant.mechanics.efforts import efforts_on_speeds
from pliant.mechanics.elastic_observables import add_elastic
from pliant.mechanics.inertia import BodyInertia, FlexibleInertia, momentum_of, system_momenta
from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import Reaction, Rows, relative_motion
from pliant.model.drivers import JointDriver
from pliant.model.forces.action import MOMENTA, Action, Momentum
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.named import did_you_mean

XYZ = ("x", "y", "z")
MATRIX = tuple(f"{i}{j}" for j in XYZ for i in XYZ)
"""Labels of a rotation matrix, column by column."""
_RATE_UNIT = {"rad": "rad/s", "m": "m/s"}
_KIND_OF_UNIT = {"m": "position", "m/s": "velocity"}


class Observer:
    """Collects the observables of a system from its motion, actions and reactions."""

    def __init__(
        self,
        motion: SystemMotion,
        graph: SystemGraph,
        rows: list[Rows],
        reactions: list[Reaction],
        actions: Mapping[str, Action],
        inertias: Mapping[str, BodyInertia],
    ) -> None:
        self.motion, self.graph, self.model = motion, graph, graph.model
        self.observables: dict[str, Observable] = {}
        self.events: dict[str, Any] = {}
        self.momentum: Momentum | None = None
        """Of all that has inertia."""
        driven = [
            reaction
            for row, reaction in zip(rows, reactions, strict=True)
            if row.owner in self.model.drivers
        ]
        self._applied = efforts_on_speeds(motion, actions.values(), driven)
        self._frames()
        self._coordinates()
        add_elastic(motion, self._add)
        self._forces(actions)
        self._drivers(rows, reactions)
        self._constraints(rows, reactions)
        self._energies(actions, inertias)
        self._cut_reactions(rows, reactions)

    def finish(self, transmitted: Mapping[str, tuple[Any, Any]]) -> None:
        """Reactions of tree joints from (torque, force) transmitted; then the user's formulas."""
        for name, (torque, force) in transmitted.items():
            self._reaction(self.model.joints[name], torque, force)
        for name, formula in (*self.model.speeds.items(), *self.model.outputs.items()):
            self._add(name, self._value(formula), "", name)
        for name, event in self.model.events.items():
            self.events[name] = self.motion.ops.full(self._value(event.when))

    def _add(self, name: str, value: Any, unit: str, owner: str, kind: str = "other",
             labels: tuple[str, ...] = (), wraps: str = "", role: str = "") -> None:  # fmt: skip
        value = self.motion.ops.full(value)
        self.observables[name] = Observable(value, unit, owner, kind, labels, wraps, role)

    def _role(self, name: str, action: Action) -> str:
        """What the power of an element is in the energy book. Networks only pass it on."""
        if name in self.model.networks:
            return ""
        force = self.model.forces.get(name)
        return role_of_force("" if force is None else force.kind, action)

    def _frames(self) -> None:
        for body, places in self.motion.places.items():
            if body == "ground":
                continue
            for frame in places:
                ref = f"{body}.{frame}" if frame else body
                s = self.motion.frame(ref)
                self._add(f"{ref}.position", s.p_WP, "m", body, "position", XYZ)
                R = self.motion.ops.flat(s.R_WP)
                self._add(f"{ref}.orientation", R, "1", body, "rotation", MATRIX)
                self._add(f"{ref}.velocity", s.v_WP, "m/s", body, "velocity", XYZ)
                self._add(f"{ref}.angular_velocity", s.w_WP, "rad/s", body, "velocity", XYZ)
                self._add(f"{ref}.acceleration", s.a_WP, "m/s^2", body, "acceleration", XYZ)
                self._add(
                    f"{ref}.angular_acceleration", s.alpha_WP, "rad/s^2", body, "acceleration", XYZ
                )

    def _coordinates(self) -> None:
        for name, joint in self.model.joints.items():
            q, u = self._joint_coordinates(joint)
            for k, scalar in enumerate(joint.scalars):
                rate, wraps = (
                    f"{name}.{scalar.rate}",
                    scalar.wraps and name not in self.motion.joints,
                )
                self._add(f"{name}.{scalar.name}", q[k], scalar.unit, name, "coordinate",
                          wraps=rate if wraps else "")  # fmt: skip
                self._add(rate, u[k], _RATE_UNIT[scalar.unit], name, "rate")
            if joint.nu > len(joint.scalars):
                rel = relative_motion(self.motion, joint)
                R = self.motion.ops.flat(rel.X_FM.R)
                self._add(f"{name}.orientation", R, "1", name, "rotation", MATRIX)
                w = rel.X_FM.R.T @ rel.V_FM[:3]
                self._add(f"{name}.angular_velocity", w, "rad/s", name, "rate", XYZ)
            if joint.kind == "free":
                self._add(f"{name}.displacement", rel.X_FM.p, "m", name, "coordinate", XYZ)
                self._add(f"{name}.displacement_rate", rel.V_FM[3:], "m/s", name, "rate", XYZ)

    def _joint_coordinates(self, joint: Joint) -> tuple[Any, Any]:
        """Scalar coordinates and rates; those of a plain cut joint follow from its pose."""
        if joint.name in self.motion.joints:
            state = self.motion.joints[joint.name]
            return state.q, state.u
        if not joint.scalars:
            return (), ()
        ops = self.motion.ops
        joint = joint.evaluated(self.motion.values.number)
        rel = relative_motion(self.motion, joint)
        q = joint.coordinates_of(ops, rel.X_FM)
        if joint.springs:
            return q, joint.rates_of(ops, rel.X_FM).T @ rel.V_FM
        return q, joint.effort(ops, q).T @ rel.V_FM

    def _forces(self, actions: Mapping[str, Action]) -> None:
        for name, action in actions.items():
            for quantity, (value, unit) in action.outputs.items():
                label, unit = self._effort_name(name, quantity, unit)
                kind = _KIND_OF_UNIT.get(unit, "effort")
                self._add(f"{name}.{label}", value, unit, name, kind, self._labels(value))
            if action.kinetic is not None:
                self._add(f"{name}.kinetic_energy", action.kinetic, "J", name, "energy")
                continue
            role = self._role(name, action)
            self._add(f"{name}.power", self._power(action), "W", name, "power", role=role)
            if action.potential is not None:
                self._add(f"{name}.energy", action.potential, "J", name, "energy")
            if action.dissipated is not None:
                self._damping(name, -action.dissipated)

    def _labels(self, value: Any) -> tuple[str, ...]:
        return XYZ if self.motion.ops.full(value).numel() == 3 else ()

    def _effort_name(self, name: str, quantity: str, unit: str) -> tuple[str, str]:
        """An effort along a joint coordinate is a torque or a force."""
        if quantity != "effort":
            return quantity, unit
        element: Any = self.model.forces[name]
        k = self.motion.coordinate_index(element.joint, element.coordinate)
        return _effort_of(self.model.joints[element.joint].scalars[k].unit)

    def _power(self, source: Action | Reaction) -> Any:
        ops = self.motion.ops
        total: Any = 0
        for load in source.loads:
            s = self.motion.frame(load.frame)
            total = total + ops.dot(load.force, s.v_WP) + ops.dot(load.torque, s.w_WP)
        for effort in source.efforts:
            if isinstance(effort, tuple):
                k, value = effort
                total = total + value * self._speed(k)
            else:
                total = total + effort.value * self.motion.coordinate(
                    effort.joint, effort.coordinate)[1]  # fmt: skip
        return total

    def _speed(self, k: int) -> Any:
        state = next(s for s in self.motion.joints.values() if s.start <= k < s.start + s.joint.nu)
        return state.u[k - state.start]

    def _drivers(self, rows: list[Rows], reactions: list[Reaction]) -> None:
        power: dict[str, Any] = {}
        for row, reaction in zip(rows, reactions, strict=True):
            driver = self.model.drivers.get(row.owner)
            if driver is None:
                continue
            name = row.owner
            power[name] = power.get(name, 0) + self._power(reaction)
            if isinstance(driver, JointDriver):
                k = self.motion.coordinate_index(driver.joint, driver.coordinate)
                label, unit = _effort_of(self.model.joints[driver.joint].scalars[k].unit)
                self._add(f"{name}.{label}", reaction.efforts[0][1], unit, name, "reaction")
            else:
                load = reaction.loads[0]
                force = not load.torque.nnz() or row.names[0] in XYZ
                label, value, unit = ("force", load.force, "N") if force else (
                    "torque", load.torque, "N*m")  # fmt: skip
                self._add(f"{name}.{label}", value, unit, name, "reaction", XYZ)
        for name, value in power.items():
            self._add(f"{name}.power", value, "W", name, "power", role=SUPPLIED)

    def _constraints(self, rows: list[Rows], reactions: list[Reaction]) -> None:
        """Forces of constraints on velocities: on what is held, or along a formula."""
        forces: dict[str, Any] = {}
        power: dict[str, Any] = {}
        for row, reaction in zip(rows, reactions, strict=True):
            name = row.owner
            if name not in self.model.constraints:
                continue
            power[name] = power.get(name, 0) + self._power(reaction)
            for quantity, (value, unit) in row.outputs.items():
                kind = _KIND_OF_UNIT.get(unit, "other")
                self._add(f"{name}.{quantity}", value, unit, name, kind, self._labels(value))
            if reaction.effort is not None:
                self._add(f"{name}.effort", reaction.effort, "", name, "reaction")
            else:
                forces[name] = forces.get(name, 0) + reaction.loads[0].force
        for name, force in forces.items():
            self._add(f"{name}.force", force, "N", name, "reaction", XYZ)
        for name, value in power.items():
            self._add(f"{name}.power", value, "W", name, "power", role=SUPPLIED)

    def _cut_reactions(self, rows: list[Rows], reactions: list[Reaction]) -> None:
        for row, reaction in zip(rows, reactions, strict=True):
            if row.owner in self.model.joints and not self.model.joints[row.owner].springs:
                on_child = reaction.loads[0]
                self._reaction(self.model.joints[row.owner], on_child.torque, on_child.force)

    def _reaction(self, joint: Joint, torque: Any, force: Any) -> None:
        """The constraint part: what is transmitted less the efforts applied along the joint."""
        if joint.m == 0:
            return
        state = self.motion.joints.get(joint.name)
        if state is not None and joint.nu:
            rel = relative_motion(self.motion, joint)
            own = self.motion.ops.vec(*self._applied[state.start : state.start + joint.nu])
            wrench = state.E @ own
            torque = torque - rel.R_WF @ wrench[:3]
            force = force - rel.R_WF @ wrench[3:]
        self._add(f"{joint.name}.force", force, "N", joint.name, "reaction", XYZ)
        self._add(f"{joint.name}.torque", torque, "N*m", joint.name, "reaction", XYZ)

    def _energies(self, actions: Mapping[str, Action], inertias: Mapping[str, BodyInertia]) -> None:
        ops, motion = self.motion.ops, self.motion
        gravity = motion.values.vector(self.model.gravity)
        kinetic, potential, rate = 0, 0, 0
        for name, I in inertias.items():
            b = motion.bodies[name]
            momenta, needed = I.momenta(ops, b), I.wrench(ops, b)
            T, own = I.kinetic_energy(ops, b, momenta), momentum_of(ops, I, b, momenta)
            self._add(f"{name}.kinetic_energy", T, "J", name, "energy")
            kinetic += T
            potential -= ops.dot(gravity, own.first)
            self._add_momentum(own)
            rate += ops.dot(needed.f, b.v) + ops.dot(needed.n, b.w)
            if isinstance(I, FlexibleInertia) and I.elastic.count:
                rate += ops.dot(needed.e - I.elastic_force(ops), I.elastic.u)
                potential += self._strain(name, I)
        for action in actions.values():
            if action.potential is not None:
                potential += action.potential
            if action.kinetic is not None:
                kinetic += action.kinetic
                rate -= self._power(action)
                self._add_momentum(action.momentum)
        self._add("kinetic_energy", kinetic, "J", "", "energy")
        self._add("potential_energy", potential, "J", "", "energy")
        self._add("energy", kinetic + potential, "J", "", "energy")
        self._add("kinetic_energy_rate", rate, "W", "", "power")
        self._momenta()

    def _add_momentum(self, own: Momentum | None) -> None:
        assert own is not None
        self.momentum = own if self.momentum is None else self.momentum + own

    def _momenta(self) -> None:
        """Centre of mass and momenta of a system that has mass."""
        if self.momentum is not None and self.model.has_mass:
            for name, value in system_momenta(self.motion.ops, self.momentum).items():
                unit, kind = MOMENTA[name]
                self._add(name, value, unit, "", kind, XYZ)

    def _strain(self, name: str, inertia: FlexibleInertia) -> Any:
        """Strain energy of a flexible body; its damping counts as an element of its own."""
        energy = inertia.strain_energy
        self._add(f"{name}.strain_energy", energy, "J", name, "energy")
        if inertia.elastic.tables["D"]:
            self._damping(name, inertia.damping_power)
        return energy

    def _damping(self, name: str, power: Any) -> None:
        """Power of the damping of an element that also stores energy, negative."""
        self._add(f"{name}.damping.power", power, "W", f"{name}.damping", "power", role=DISSIPATED)

    def _value(self, formula: Formula) -> Any:
        return self.motion.values.evaluate(formula, self._look_up)

    def _look_up(self, name: str) -> Any:
        """An observable, its component, or anything the motion knows."""
        if name in self.observables:
            return self.observables[name].expression
        owner, _, label = name.rpartition(".")
        found = self.observables.get(owner)
        if found is not None and label in found.labels:
            return found.expression[found.labels.index(label)]
        try:
            return self.motion.look_up(name)
        except KeyError:
            raise self._unknown(name) from None
        except UnknownName:
            raise self._unknown(name) from None

    def _unknown(self, name: str) -> UnknownName:
        if name.endswith(".work"):
            cure = "work is known after the run only; use the power"
        elif ".orientation." in name:
            cure = "an orientation is known after the run only; use positions of frames"
        else:
            known = [f"{k}.{label}" for k, o in self.observables.items() for label in o.labels]
            cure = did_you_mean(name, [*self.observables, *known])
        return UnknownName(f"formula: nothing is named '{name}'", cure)


def _effort_of(unit: str) -> tuple[str, str]:
    return ("torque", "N*m") if unit == "rad" else ("force", "N")
