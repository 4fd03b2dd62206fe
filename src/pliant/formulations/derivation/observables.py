"""Named observables of a model over symbols: the common language of results, comparisons, plots.

What they are is written in ``pliant.observe.catalogue``.

Observables of frames on flexible bodies do not know the floating frame. With x_c along the chord
from root to tip, z_c nearest to z of the body, and the point c at the same fraction of the chord as
the frame P of the undeformed axis (flexible-bodies 10):

    P.deflection = R_c^T (p_P - c)               P.rotation: of P against its undeformed place in
                                                 chord axes, as a rotation vector
    P.deflection.tangent(F) = R_F^T (p_P - p_F) less the same of the undeformed body
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pliant.errors import UnknownName
from pliant.flex.large_rotation.shape import chord_axes
from pliant.flex.packing import Entries
from pliant.formulations.derivation.internal import internal_forces
from pliant.graphs import SystemGraph
from pliant.mechanics.inertia import BodyInertia, FlexibleInertia, momentum_of, system_momenta
from pliant.mechanics.motion import SystemMotion, relative_motion
from pliant.mechanics.rows import (
    ConstraintRows,
    Reaction,
    efforts_on_speeds,
    joint_coordinates,
)
from pliant.model.forces.action import Action, Momentum
from pliant.model.formulas import Formula
from pliant.model.frozen import did_you_mean
from pliant.model.joints import Joint
from pliant.observe import catalogue as cat
from pliant.observe.catalogue import SymbolicObservable, role_of_force
from pliant.observe.internal import FORCES, NO_SECTION, STRESS, Reading, labels_of, reading
from pliant.observe.written import formulas_told
from pliant.spatial.pose import Pose
from pliant.spatial.turns import rotation_vector

_EFFORTS = {"rad": "N*m", "m": "N"}
"""Units of efforts by those of the displacements they act along."""


class Observer:
    """Collects the observables of a system from its motion, actions and reactions."""

    def __init__(
        self,
        motion: SystemMotion,
        graph: SystemGraph,
        rows: list[ConstraintRows],
        reactions: list[Reaction],
        actions: Mapping[str, Action],
        inertias: Mapping[str, BodyInertia],
    ) -> None:
        self.motion, self.graph, self.model = motion, graph, graph.model
        self.observables: dict[str, SymbolicObservable] = {}
        self.events: dict[str, Any] = {}
        self.momentum: Momentum | None = None
        """Of all that has inertia."""
        self._loads: Mapping[str, Any] = {}
        self._internal: dict[str, Any] = {}
        """Internal forces that formulas read, by name."""
        pairs = list(zip(rows, reactions, strict=True))
        driven = [reaction for row, reaction in pairs if row.owner in self.model.drivers]
        self._applied = efforts_on_speeds(motion, actions.values(), driven)
        self._frames()
        self._coordinates()
        add_elastic(motion, self._add)
        self._forces(actions)
        self._sensors()
        self._held(pairs)
        self._energies(actions, inertias)
        for row, reaction in pairs:
            if row.owner in self.model.joints and not self.model.joints[row.owner].springs:
                load = reaction.loads[0]
                self._reaction(self.model.joints[row.owner], load.torque, load.force)

    def finish(
        self, transmitted: Mapping[str, tuple[Any, Any]], loads: Mapping[str, Any]
    ) -> None:  # fmt: skip
        """Reactions of tree joints from (torque, force) transmitted; then the user's formulas.
        ``loads``: what internal forces of beams follow from."""
        self._loads = loads
        for name, (torque, force) in transmitted.items():
            self._reaction(self.model.joints[name], torque, force)
        for name, formula, what in formulas_told(self.model):
            self._add(name, self._value(formula), what)
        for name, event in self.model.events.items():
            self.events[name] = self.motion.ops.full(self._value(event.when))

    def _add(self, name: str, value: Any, quantity: cat.Quantity) -> None:
        value = self.motion.ops.full(value)
        self.observables[name] = quantity.made(
            SymbolicObservable, expression=value, size=value.numel()
        )

    def _tell(
        self, ref: str, owner: str, told: Mapping[str, cat.Quantity], values: Iterable[Any]
    ) -> None:
        """Quantities of the catalogue, as far as there are values of them."""
        for (quantity, what), value in zip(told.items(), values, strict=False):
            self._add(f"{ref}.{quantity}" if ref else quantity, value, what.of(owner))

    def _frames(self) -> None:
        for body, places in self.motion.places.items():
            if body == "ground":
                continue
            for frame in places:
                ref = f"{body}.{frame}" if frame else body
                s = self.motion.frame(ref)
                R = self.motion.ops.flat(s.R_WP)
                self._tell(ref, body, cat.FRAME, (s.p_WP, R, s.v_WP, s.w_WP, s.a_WP, s.alpha_WP))

    def _coordinates(self) -> None:
        for name, joint in self.model.joints.items():
            q, u = joint_coordinates(self.motion, joint)
            values = [v for k in range(len(joint.scalars)) for v in (q[k], u[k])]
            if joint.nu > len(joint.scalars):
                rel = relative_motion(self.motion, joint)
                X, V = rel.X_FM, rel.V_FM
                values += [self.motion.ops.flat(X.R), X.R.T @ V[:3]]
                values += [] if joint.m else [X.p, V[3:]]
                values += joint.angles_of(self.motion.ops, X.R)
                values += joint.angle_speeds(self.motion.ops, X.R, V[:3])
            told = cat.joint_quantities(joint, wraps=name not in self.motion.joints)
            self._tell(name, name, told, values)

    def _forces(self, actions: Mapping[str, Action]) -> None:
        for name, action in actions.items():
            for quantity, (value, unit) in action.outputs.items():
                what = cat.output_quantity(unit, vector=self._is_vector(value))
                label = quantity
                if quantity == "effort":
                    label, what = self._along(self.model.forces[name])
                self._add(f"{name}.{label}", value, what.of(name))
            if action.kinetic is not None:
                self._add(f"{name}.kinetic_energy", action.kinetic, cat.ENERGY.of(name))
                continue
            element = self.model.forces.get(name)
            passed = name in self.model.networks  # they only pass power on
            role = "" if passed else role_of_force(element, action)
            power = cat.POWER.of(name, role=role)
            self._add(f"{name}.power", self._power(action), power)
            if action.potential is not None:
                self._add(f"{name}.energy", action.potential, cat.ENERGY.of(name))
            if action.dissipated is not None:
                self._damping(name, -action.dissipated)

    def _sensors(self) -> None:
        for name, sensor in self.model.sensors.items():
            for quantity, (value, unit) in sensor.sense(self.motion).items():
                what = cat.sensed_quantity(unit, vector=self._is_vector(value))
                self._add(f"{name}.{quantity}", value, what.of(name))

    def _is_vector(self, value: Any) -> bool:
        return bool(self.motion.ops.full(value).numel() == 3)

    def _along(self, element: Any) -> tuple[str, cat.Quantity]:
        """The effort of an element along a joint coordinate."""
        own = self.model.joints[element.joint].acting(element.coordinate)
        assert own is not None
        return cat.effort_along(own.unit)

    def _power(self, source: Action | Reaction) -> Any:
        ops = self.motion.ops
        total: Any = 0
        for load in source.loads:
            s = self.motion.frame(load.frame)
            total = total + ops.dot(load.force, s.v_WP) + ops.dot(load.torque, s.w_WP)
        for own in source.bending if isinstance(source, Action) else ():
            total = total + ops.dot(own.value, self.motion.elastic[own.body].u)
        for effort in source.efforts:
            if isinstance(effort, tuple):
                k, value = effort
                state = next(s for s in self.motion.joints.values()
                             if s.start <= k < s.start + s.joint.nu)  # fmt: skip
                total = total + value * state.u[k - state.start]
            else:
                total = total + effort.value * self.motion.coordinate(
                    effort.joint, effort.coordinate)[1]  # fmt: skip
        return total

    def _driving(
        self,
        row: ConstraintRows,
        reaction: Reaction,
        pairs: Sequence[tuple[ConstraintRows, Reaction]],
    ) -> Any:
        """Effort of a driver of a joint. Angles of one rotation share what holds them: along each
        goes the component of all their torques about its axis."""
        drivers = self.model.joint_drivers
        driver = drivers.get(row.owner)
        if driver is None or reaction.along is None:
            return reaction.efforts[0][1] if reaction.efforts else reaction.effort
        driven = [r for other, r in pairs if r.along and drivers[other.owner].joint == driver.joint]
        torques = [r.loads[0].torque for r in driven]
        return self.motion.ops.dot(sum(torques[1:], torques[0]), reaction.along[0])

    def _held(self, pairs: Sequence[tuple[ConstraintRows, Reaction]]) -> None:
        """What drivers and constraints on velocities exert, on what is held or along a formula."""
        forces: dict[str, Any] = {}
        power: dict[str, Any] = {}
        for row, reaction in pairs:
            name, driver = row.owner, self.model.drivers.get(row.owner)
            if driver is None and name not in self.model.constraints:
                continue
            effort = self._driving(row, reaction, pairs)
            along = reaction.along
            own = self._power(reaction) if along is None else effort * along[1]
            power[name] = power.get(name, 0) + own
            for quantity, (value, unit) in row.outputs.items():
                what = cat.output_quantity(unit, other="other", vector=self._is_vector(value))
                self._add(f"{name}.{quantity}", value, what.of(name))
            if driver is not None and driver.joint:
                label, what = self._along(driver)
                self._add(f"{name}.{label}", effort, what.of(name, kind="reaction"))
            elif reaction.effort is not None:
                unit = _EFFORTS.get(row.units[0], "")
                self._add(f"{name}.effort", reaction.effort, cat.Quantity(unit, name, "reaction"))
            elif driver is None:
                forces[name] = forces.get(name, 0) + reaction.loads[0].force
            elif not reaction.loads[0].torque.nnz() or row.units[0].startswith("m"):
                self._add(f"{name}.force", reaction.loads[0].force, cat.REACTION["force"].of(name))
            else:
                self._add(
                    f"{name}.torque", reaction.loads[0].torque, cat.REACTION["torque"].of(name)
                )
        for name, force in forces.items():
            self._add(f"{name}.force", force, cat.REACTION["force"].of(name))
        for name, value in power.items():
            self._add(f"{name}.power", value, cat.POWER.of(name, role=cat.SUPPLIED))

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
        self._tell(joint.name, joint.name, cat.REACTION, (force, torque))

    def _energies(self, actions: Mapping[str, Action], inertias: Mapping[str, BodyInertia]) -> None:
        ops, motion = self.motion.ops, self.motion
        gravity = motion.values.vector(self.model.gravity)
        kinetic, potential, rate = 0, 0, 0
        for name, I in inertias.items():
            b = motion.bodies[name]
            momenta, needed = I.momenta(ops, b), I.wrench(ops, b)
            T, own = I.kinetic_energy(ops, b, momenta), momentum_of(ops, I, b, momenta)
            self._add(f"{name}.kinetic_energy", T, cat.ENERGY.of(name))
            kinetic += T
            potential -= ops.dot(gravity, own.first)
            self._add_momentum(own)
            rate += ops.dot(needed.f, b.v) + ops.dot(needed.n, b.w)
            if isinstance(I, FlexibleInertia) and I.elastic.count:
                rate += ops.dot(needed.e - I.elastic_force(ops), I.elastic.u)
                strain = I.strain_energy
                potential += strain
                self._add(f"{name}.strain_energy", strain, cat.ENERGY.of(name))
                if I.elastic.tables["D"]:
                    self._damping(name, I.damping_power)
        for action in actions.values():
            if action.potential is not None:
                potential += action.potential
            if action.kinetic is not None:
                kinetic += action.kinetic
                rate -= self._power(action)
                self._add_momentum(action.momentum)
        self._tell("", "", cat.TOTALS, (kinetic, potential, kinetic + potential, rate))
        if self.momentum is not None and self.model.has_mass:
            self._tell("", "", cat.MOMENTA, system_momenta(ops, self.momentum).values())

    def _add_momentum(self, own: Momentum | None) -> None:
        assert own is not None
        self.momentum = own if self.momentum is None else self.momentum + own

    def _damping(self, name: str, power: Any) -> None:
        """Power of the damping of an element that also stores energy, negative."""
        self._add(
            f"{name}.damping.power", power, cat.POWER.of(f"{name}.damping", role=cat.DISSIPATED)
        )

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
        internal = reading(self.model, name)
        if internal is not None and self._loads:
            return self._section(internal, name)
        try:
            return self.motion.look_up(name)
        except (KeyError, UnknownName):
            raise self._unknown(name) from None

    def _section(self, read: Reading, name: str) -> Any:
        """A component of an internal force that a formula reads."""
        section = str(read.section)
        if section not in self._internal:
            self._internal[section] = internal_forces(self.motion, section, self._loads)
        told = dict(zip((*FORCES, STRESS), self._internal[section], strict=True))[read.what]
        labels = labels_of(read.what, 0 if told is None else told.numel())
        if read.label not in labels:
            what = f"formula: '{read.name}' has no component '{read.label}'"
            raise UnknownName(what, f"it has {', '.join(labels)}" if labels else NO_SECTION)
        return told[labels.index(read.label)]

    def _unknown(self, name: str) -> UnknownName:
        if name.endswith(".work"):
            cure = "work is known after the run only; use the power"
        elif ".orientation." in name:
            cure = "an orientation is known after the run only; use positions of frames"
        else:
            known = [f"{k}.{label}" for k, o in self.observables.items() for label in o.labels]
            cure = did_you_mean(name, [*self.observables, *known])
        return UnknownName(f"formula: nothing is named '{name}'", cure)


Add = Callable[[str, Any, cat.Quantity], None]
_ENDS = ("root", "tip")


def add_elastic(motion: SystemMotion, add: Add) -> None:
    """Elastic coordinates, deflections, forces of the shapes of every flexible body."""
    for name, elastic in motion.elastic.items():
        for k, coordinate in enumerate(elastic.names):
            add(f"{name}.{coordinate}", elastic.q[k], cat.COORDINATE.of(name))
            add(f"{name}.{coordinate}_rate", elastic.u[k], cat.RATE.of(name))
        if elastic.count:
            _frames(motion, name, add)


def _frames(motion: SystemMotion, body: str, add: Add) -> None:
    elastic, places = motion.elastic[body], motion.places[body]
    none = motion.ops.zeros(elastic.q.numel())
    rest = {frame: Pose(*motion.ops.substitute([X.R, X.p], elastic.q, none))
            for frame, X in places.items()}  # fmt: skip
    beam, z = body in motion.model.beams, motion.ops.vec(0, 0, 1)
    chord = chord_axes(motion, places["tip"].p - places["root"].p, z) if beam else None
    for frame, X in places.items():
        if not frame:
            continue
        ref = f"{body}.{frame}"
        if chord is not None:
            _against_chord(motion, ref, X, rest[frame], rest, chord, add)
        for end in _ENDS if beam else ():
            moved = places[end].R.T @ (X.p - places[end].p)
            still = rest[end].R.T @ (rest[frame].p - rest[end].p)
            what = cat.DEFLECTION["deflection"].of(body)
            add(f"{ref}.deflection.tangent({end})", moved - still, what)
        internal = elastic.tables.get(f"{frame}:internal", {})
        if internal:
            _internal(motion, internal, ref, body, add)
        stress = elastic.tables.get(f"{frame}:stress", {})
        if stress:
            _stress(motion, stress, ref, body, add)


def _against_chord(
    motion: SystemMotion, ref: str, X: Pose, X0: Pose, rest: Mapping[str, Pose], R_Bc: Any, add: Add
) -> None:  # fmt: skip
    body = ref.partition(".")[0]
    places = motion.places[body]
    length = rest["tip"].p[0] - rest["root"].p[0]
    fraction = (X0.p[0] - rest["root"].p[0]) / length
    c = places["root"].p + fraction * (places["tip"].p - places["root"].p)
    add(f"{ref}.deflection", R_Bc.T @ (X.p - c), cat.DEFLECTION["deflection"].of(body))
    turned = rotation_vector(motion.ops, R_Bc.T @ X.R @ X0.R.T)[0]
    add(f"{ref}.rotation", turned, cat.DEFLECTION["rotation"].of(body))


def _stress(motion: SystemMotion, table: Entries, ref: str, body: str, add: Add) -> None:
    """Normal stress at the points of the section, numbered from 1."""
    q, count = motion.elastic[body].q, 1 + max(k for k, _ in table)
    rows = [sum(c * q[a] for (k, a), c in table.items() if k == point) for point in range(count)]
    labels = tuple(f"p{k + 1}" for k in range(count))
    what = cat.Quantity("Pa", body, "internal", labels)
    add(f"{ref}.elastic_stress", motion.ops.vec(*rows), what)


def _internal(motion: SystemMotion, table: Entries, ref: str, body: str, add: Add) -> None:
    """Components in directions that have shapes; of others nothing is known."""
    q, vec = motion.elastic[body].q, motion.ops.vec
    known = sorted({row for row, _ in table})
    rows = {k: sum(c * q[a] for (i, a), c in table.items() if i == k) for k in known}
    for name, unit, first in (("elastic_force", "N", 0), ("elastic_moment", "N*m", 3)):
        own = [k for k in known if first <= k < first + 3]
        if own:
            what = cat.Quantity(unit, body, "internal", tuple(cat.XYZ[k - first] for k in own))
            add(f"{ref}.{name}", vec(*(rows[k] for k in own)), what)
