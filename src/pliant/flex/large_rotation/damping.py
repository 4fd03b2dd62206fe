"""Damping of a beam of large rotation by ratios of its modes, and in proportion to its mass.

The strain ε at all Gauss points has as many components as the nodes have motions x against the
root: about the beam without stress, with its root held, ε' = B x' with a square B. So strains are
coordinates of the beam, as hinges are of a chain, with

    K = diag(w C)        M = B⁻ᵀ M_x B⁻¹      w: share of the length, C: stiffness of the section

Damped modes of (K, M) (``rewriting.damping``) take stresses D ε' from the strain rates wherever the
beam has gone: these are the same in every frame, so what moves as one body is not damped. The power

    Σ d_k η_k'²,      η' = Φᵀ K ε'      d = 2 ζ √μ or α μ

is a sum of squares. In proportion to mass as a whole, each section is held back by α times its
momentum as seen from the root: -α (m v, J ω) with v, ω its motion against that of the root as one
body, which takes the opposite; linear in the number of elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar, Protocol, cast

import numpy as np

from pliant.arrays import Array
from pliant.flex.large_rotation.numbers import BeamNumbers, node_name, strains_of
from pliant.flex.rewriting.damping import Given, factors_of, given_dampings, modes_of
from pliant.flex.rewriting.parts import Numbers
from pliant.model.bodies.theories import DIRECTIONS
from pliant.model.fields import Number, has
from pliant.model.forces.action import Action, FrameMotion, Load, Motion
from pliant.model.forces.beam_element import BeamElement, NodeElement
from pliant.model.formulas import Formula, formula
from pliant.records import dataclass
from pliant.spatial.interpolation import interpolation
from pliant.spatial.ops import NUMERIC, Ops

_PLANES = (("bending_y", "shear_y"), ("bending_z", "shear_z"), ("torsion",), ("axial",))
"""Directions of a straight beam that move together."""
_VELOCITIES, _ACCELERATIONS = ("v_WP", "w_WP"), ("a_WP", "alpha_WP")
Group = tuple[Any, ...]
"""An element and, where it is not lumped in the nodes, its inertia and weight."""


@dataclass(frozen=True, slots=True)
class DampedMode:
    """A mode of the strains of a beam: what multiplies the square of its speed, and its momenta
    K φ, with their places among the strains."""

    factor: Formula
    momenta: tuple[tuple[int, Formula], ...]


@dataclass(frozen=True, slots=True)
class ModalDamping(NodeElement):
    """Stresses Σ d η' K φ of all elements of a beam; ``told``: the one whose share is looked at."""

    kind: ClassVar[str] = "modal_damping"
    is_friction: ClassVar[bool] = True
    couples: ClassVar[bool] = True

    elements: tuple[BeamElement, ...] = ()
    modes: tuple[DampedMode, ...] = ()
    told: int | None = None

    def act(self, motion: Motion) -> Action:
        """On the nodes of the elements."""
        rates = [element.strain_rates(motion) for element in self.elements]
        sizes = [len(own) for own in rates]
        stresses = self._stresses(motion, [rate for own in rates for rate in own])
        loads: list[Load] = []
        at = 0
        for e, (element, size) in enumerate(zip(self.elements, sizes, strict=True)):
            if self.told in (None, e):
                loads += element.pull(motion, stresses[at : at + size])
            at += size
        return Action(tuple(loads))

    def _stresses(self, motion: Motion, rates: Sequence[Any]) -> list[Any]:
        stresses: list[Any] = [0.0] * len(rates)
        for mode in self.modes:
            momenta = [(k, motion.value(f)) for k, f in mode.momenta]
            speed = motion.value(mode.factor) * sum(p * rates[k] for k, p in momenta)
            for k, p in momenta:
                stresses[k] = stresses[k] + speed * p
        return stresses

    def of(self, e: int) -> ModalDamping:
        """The share of one element."""
        return replace(self, name=f"{self.name}:{e}", told=e)


@dataclass(frozen=True, slots=True)
class LumpedInertia(NodeElement):
    """Mass and rotary inertia (m, Jy, Jz) of an exact element in its nodes."""

    kind: ClassVar[str] = "lumped_inertia"
    has_mass: ClassVar[bool] = True

    shares: tuple[tuple[Formula, ...], ...] = ()

    def act(self, motion: Motion) -> Action:
        """-(m a, J α + ω x J ω)."""
        ops, loads = motion.ops, []
        for name, share in zip(self.frames, self.shares, strict=True):
            node: Any = motion.frame(name)
            m, Jy, Jz = (motion.value(f) for f in share)
            J, R = ops.vec(Jy + Jz, Jy, Jz), node.R_WP
            w, alpha = R.T @ node.w_WP, R.T @ node.alpha_WP
            loads.append(Load(name, -m * node.a_WP, -(R @ (J * alpha + ops.cross(w, J * w)))))
        return Action(tuple(loads))


@dataclass(frozen=True, slots=True)
class MassDamping(NodeElement):
    """α times the momenta of the nodes of an element as seen from the root, its first frame: the
    loads that its inertia has where these velocities are accelerations."""

    kind: ClassVar[str] = "mass_damping"
    is_friction: ClassVar[bool] = True

    alpha: Formula = has(Number("1/s"), formula(0), "force per momentum")
    inertia: Inertial | None = None

    def act(self, motion: Motion) -> Action:
        """On the nodes, and the opposite on the root."""
        assert self.inertia is not None
        ops, alpha, root = motion.ops, motion.value(self.alpha), motion.frame(self.frames[0])
        force, torque, loads = ops.zeros(3), ops.zeros(3), []
        for load in self.inertia.act(cast(Motion, _FromRoot(motion, root))).loads:
            own = Load(load.frame, alpha * load.force, alpha * load.torque)
            arm = motion.frame(load.frame).p_WP - root.p_WP
            force, torque = force - own.force, torque - own.torque - ops.cross(arm, own.force)
            loads.append(own)
        return Action((*loads, Load(self.frames[0], force, torque)))


class Inertial(Protocol):
    """What has inertia between nodes."""

    def act(self, motion: Motion) -> Action: ...


@dataclass(frozen=True, slots=True)
class _FromRoot:
    """Frames at rest that accelerate by their velocities against the root as one body."""

    motion: Motion
    root: FrameMotion

    @property
    def ops(self) -> Ops:
        return self.motion.ops

    def value(self, formula: Formula, **local: Any) -> Any:
        return self.motion.value(formula, **local)

    def frame(self, reference: str) -> Any:
        own, root, none = self.motion.frame(reference), self.root, self.ops.zeros(3)
        carried = root.v_WP + self.ops.cross(root.w_WP, own.p_WP - root.p_WP)
        return SimpleNamespace(R_WP=own.R_WP, p_WP=own.p_WP, v_WP=none, w_WP=none,
                               a_WP=own.v_WP - carried, alpha_WP=own.w_WP - root.w_WP)  # fmt: skip


# --- what a beam has


def mass_dampings(numbers: BeamNumbers, groups: Sequence[Group]) -> list[MassDamping]:
    """Of every element, where a beam is damped in proportion to its mass as a whole."""
    damping = numbers.beam.damping
    if damping is None or damping.kind != "rayleigh" or damping.values[0].is_zero:
        return []
    found, root = [], node_name(numbers.beam.name, 0)
    for e, member in enumerate(numbers.mesh.members()):
        inertia = inertia_of(numbers, e, member, groups[e])
        frames = tuple(dict.fromkeys((root, *inertia.frames)))
        found.append(MassDamping(f"{numbers.beam.name}:damping{e}", frames, inertia.length,
                                 damping.values[0], inertia))  # fmt: skip
    return found


def inertia_of(numbers: BeamNumbers, e: int, member: range, group: Group) -> Any:
    """The inertia of element e, which stands in its ``group`` or is lumped in its nodes."""
    own = [part for part in group if part.has_mass]
    if own:
        return own[0]
    names = tuple(node_name(numbers.beam.name, k) for k in member)
    shares = tuple(
        numbers.numbers(f"own{e}_{k}_", share) for k, share in enumerate(numbers.lumped(e))
    )
    return LumpedInertia(f"{numbers.beam.name}:m{e}", names, group[0].length, shares)


def modal_damping(
    numbers: BeamNumbers, groups: Sequence[Group], plain: Callable[[BeamNumbers], list[Group]]
) -> list[ModalDamping]:
    """What couples the elements of a beam, if anything does; ``plain`` makes them of numbers."""
    beam = numbers.beam
    given = given_dampings(beam.damping, DIRECTIONS, numbers.value)
    if not given or (beam.damping is not None and beam.damping.kind == "rayleigh"):
        return []
    still = replace(numbers, number=Numbers(beam.name, False))
    modes = tuple(_modes(numbers, given, *strain_matrices(still, plain(still))))
    elements = tuple(elastic for elastic, *_ in groups)
    frames = tuple(dict.fromkeys(f for own in elements for f in own.frames))
    return [ModalDamping(f"{beam.name}:damping", frames, beam.length, elements, modes)]


def _modes(numbers: BeamNumbers, given: Given, M: Array, K: Array) -> Iterator[DampedMode]:
    """Modes of each of the dampings; those of a straight beam move in one plane. If numbers depend
    on parameters all are kept, in an order that does not."""
    beam, number = numbers.beam, numbers.number
    planes = _PLANES if beam.axis is None and beam.curvature is None else (DIRECTIONS,)
    kinds = strains_of(beam) * (len(K) // 6)
    for g, (directions, (kind, ratios)) in enumerate(given.items()):
        found: list[tuple[list[int], float, Array]] = []
        for plane in planes:
            own = [k for k, d in enumerate(kinds) if d in directions and d in plane]
            mu, momenta = modes_of(M[np.ix_(own, own)], K[np.ix_(own, own)])
            found += [(own, *mode) for mode in zip(mu, momenta.T, strict=True)]
        mu = np.array([mode[1] for mode in found])
        order = np.argsort(-mu, kind="stable")
        factors = np.zeros_like(mu)
        factors[order] = factors_of(kind, ratios, mu[order])
        for n, (own, _, momenta) in enumerate(found):
            factor = number(f"d{g}_{n}", float(factors[n]))
            if not factor.is_zero:
                named = {k: f"p{g}_{n}_{k}" for k in own}
                values = zip(named.items(), momenta, strict=True)
                yield DampedMode(factor, tuple((k, number(name, p)) for (k, name), p in values))


# --- matrices of the beam without stress


def strain_matrices(numbers: BeamNumbers, groups: Sequence[Group]) -> tuple[Array, Array]:
    """M and K of the strains, the root held."""
    size = 6 * numbers.mesh.size
    M, rows, stiffness = np.zeros((size, size)), [], []
    for e, (group, member) in enumerate(zip(groups, numbers.mesh.members(), strict=True)):
        still, elastic = _Still(numbers, e, member), group[0]
        inertia = inertia_of(numbers, e, member, group)
        own = slice(6 * member[0], 6 * member[-1] + 6)
        B, M_e = (np.zeros((n, 6 * len(member))) for n in (6 * len(member) - 6, 6 * len(member)))
        for k in range(6 * len(member)):
            B[:, k] = elastic.strain_rates(still.moving(k, _VELOCITIES))
            loads = inertia.act(still.moving(k, _ACCELERATIONS)).loads
            M_e[:, k] = -np.concatenate([part for at in loads for part in (at.force, at.torque)])
        M[own, own] += M_e
        rows.append(np.zeros((len(B), size)))
        rows[-1][:, own] = B
        stiffness.append(still.stiffness(elastic))
    back = np.linalg.inv(np.vstack(rows)[:, 6:])
    return np.asarray(back.T @ M[6:, 6:] @ back), np.diag(np.concatenate(stiffness))


class _Still:
    """An element without stress, seen from the root; its motions, one at a time."""

    ops = NUMERIC

    def __init__(self, numbers: BeamNumbers, e: int, member: range) -> None:
        self.value = numbers.value
        nodes = [node_name(numbers.beam.name, k) for k in member]
        self._number = {name: k for k, name in enumerate(nodes)}
        self._poses = dict(zip(nodes, (numbers.poses[k] for k in member), strict=True))
        self._poses |= zip(numbers.references(e, member), numbers.members(e), strict=True)
        self._moving, self._rates = -1, ("v_WP", "w_WP")

    def moving(self, k: int, rates: tuple[str, str]) -> Any:
        """With one of the velocities or accelerations of the nodes, of each (x, y, z) of both."""
        self._moving, self._rates = k, rates
        return self

    def frame(self, reference: str) -> Any:
        X = self._poses[reference]
        node, axis = divmod(self._moving, 6)
        six = np.zeros(6)
        if self._number[reference.partition(".")[0]] == node:
            six[axis] = 1.0
        still = dict.fromkeys(("v_WP", "w_WP", "a_WP", "alpha_WP"), np.zeros(3))
        moved = dict(zip(self._rates, (six[:3], six[3:]), strict=True))
        return SimpleNamespace(R_WP=X.R, p_WP=X.p, **(still | moved))

    def stiffness(self, element: BeamElement) -> Array:
        """Of the strains, each times its share of the length."""
        weights = interpolation(1, len(element.stiffness)).weights * self.value(element.length)
        return np.concatenate([
            weight * np.array([self.value(f) for f in six])
            for weight, six in zip(weights, element.stiffness, strict=True)
        ])  # fmt: skip
