"""A beam as a flexible body: from its description to `FlexibleData`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.beam import Beam
from pliant.flex.data import FlexibleData, FrameData, pairs_of, second_order_tables
from pliant.flex.fields import Fields, FloatingFrame, rigid_part
from pliant.flex.integrals import axis_points, beam_tables, normal_stress, section_forces, stiffness
from pliant.flex.masks import beam_masks
from pliant.flex.numerics import Dampings, Rule, damping_matrix
from pliant.flex.shapes import beam_blocks
from pliant.model.bodies.beam_shapes import BeamShapes
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class ModalBeam:
    """A flexible beam: what it is, which shapes it takes, and which frame it is described in.

    rotary_inertia: none | axial | full; None means axial for Euler-Bernoulli and full for
    Timoshenko (flexible-bodies 4).
    """

    beam: Beam
    shapes: BeamShapes
    theory: str = "euler-bernoulli"
    rotary_inertia: str | None = None
    geometric_stiffness: str = "second-order"
    frame: FloatingFrame = FloatingFrame()
    damping: Dampings = ()

    @property
    def shear(self) -> bool:
        return self.theory == "timoshenko"

    @property
    def rotary(self) -> str:
        default = "full" if self.shear else "axial"
        return default if self.rotary_inertia is None else self.rotary_inertia


@dataclass(frozen=True, slots=True)
class BeamGeometry:
    """Places on a beam. Foreshortening is measured from B's origin."""

    body: ModalBeam
    fields: Fields
    rule: Rule
    H_breaks: Array
    H_origin: Array

    @property
    def x0(self) -> float:
        return 0.0 if self.fields.rigid is None else self.fields.rigid.x0

    def foreshortening(self, x: float) -> Array:
        """H(x) = ∫ from B's origin to x (flexible-bodies 1), (n, n)."""
        if self.body.geometric_stiffness == "none":
            return np.zeros_like(self.H_origin)
        return self.from_start(x) - self.H_origin

    def from_start(self, x: float) -> Array:
        k, places, weights = self.rule.panel(x)
        rate = self.fields.at(places).foreshortening_rate()
        return np.asarray(self.H_breaks[k] + np.tensordot(weights, rate, axes=(0, 0)))

    def frame(self, at: float, offset: Array) -> FrameData:
        self._inside(at)
        f = self.fields.at(np.array([at]))
        H = np.zeros((3, *self.H_origin.shape))
        H[0] = self.foreshortening(at)
        p0 = np.array([at - self.x0, 0.0, 0.0])
        return FrameData(p0, f.L[0], H, f.psi[0], f.phi[0], offset)

    def section_forces(self, at: float) -> Array:
        self._inside(at)
        return section_forces(self.body.beam, self.fields, at, shear=self.body.shear)

    def stress(self, at: float) -> Array:
        stress = normal_stress(self.body.beam, self.section_forces(at), at)
        if stress is None:
            raise InputError(
                "beam: stress needs a section, and only stiffness per length is given",
                "give section and material",
            )
        return stress

    def _inside(self, x: float) -> None:
        length = self.body.beam.length
        if not -1e-9 * length <= x <= (1 + 1e-9) * length:
            raise InputError(
                f"beam: x = {x} is not on the beam", f"give a place between 0 and {length}"
            )


def beam_geometry(body: ModalBeam) -> tuple[BeamGeometry, Array]:
    """The beam in its floating frame, and H (points, n, n) at the points of its rule."""
    blocks = beam_blocks(body.shapes, body.beam, shear=body.shear)
    plain = Fields(blocks)
    rule = plain.rule(body.beam.length, body.beam.stations)
    rates = body.beam.rates(rule.x)
    rigid = rigid_part(body.frame, plain, rule, rates, full=body.rotary == "full")
    fields = Fields(blocks, rigid)
    H_points, H_breaks = rule.cumulative(fields.at(rule.x).foreshortening_rate())
    start = BeamGeometry(body, fields, rule, H_breaks, np.zeros(H_breaks.shape[1:]))
    H_origin = start.from_start(rigid.x0)
    return replace(start, H_origin=H_origin), H_points - H_origin


def beam_data(body: ModalBeam) -> FlexibleData:
    """Everything the formulations need to know about a beam."""
    geometry, H_points = beam_geometry(body)
    rule, fields = geometry.rule, geometry.fields
    f, rates = fields.at(rule.x), body.beam.rates(rule.x)
    mode = body.geometric_stiffness
    masks = beam_masks(fields.kinds, body.rotary, body.shear, mode != "none")
    H = None if mode == "none" else H_points
    x = rule.x - geometry.x0
    tables = beam_tables(rule, x, rates, f, H, body.rotary)
    K = stiffness(rule, rates, f, shear=body.shear)
    D = damping_matrix(body.damping, tables.M, K, fields.kinds)
    D = np.where(masks["D"], D, 0.0)
    higher = None
    if mode == "second-order":
        higher = second_order_tables(axis_points(rule, x, rates, f, H_points), pairs_of(masks["H"]))
    return FlexibleData.of(
        tables,
        higher,
        names=fields.names,
        kinds=fields.kinds,
        geometric_stiffness=mode,
        origin=np.array([geometry.x0, 0.0, 0.0]),
        K=K,
        D=D,
        masks=masks,
        geometry=geometry,
    )
