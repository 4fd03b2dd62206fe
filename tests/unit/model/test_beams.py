"""Beams and given modes as the user describes them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from sample_models import PLATE, flexible

from pliant.errors import ModelError
from pliant.model import (
    Beam,
    BeamShapes,
    BodyState,
    Circle,
    Damping,
    Fixed,
    FlexibleState,
    Force,
    Functions,
    JointDriver,
    Material,
    Model,
    Modes,
    Revolute,
    RigidBody,
    Spherical,
)
from pliant.model.files import dump, load, loads, save

STEEL = Material("steel", "200 GPa", 0.3, 7870)


def rod(**more: Any) -> Beam:
    return Beam("rod", **{"length": "l", "section": Circle("3 mm"), "material": "steel", **more})


def model(*bodies: Any, **more: Any) -> Model:
    return Model(parameters={"l": "300 mm"}, materials=[STEEL], bodies=bodies, **more)


def whats(found: Model) -> list[str]:
    return [fault.what for fault in found.faults()]


def test_every_beam_has_root_mid_and_tip() -> None:
    beam = rod(frames={"P": ["l/3", 0, 0.01], "tip": {"at": ["l", 0, 0.02]}})
    places = {name: [c.number({"l": 2.0}) for c in f.position] for name, f in beam.frames.items()}
    assert places == {"root": [0, 0, 0], "mid": [1, 0, 0], "tip": [2, 0, 0.02],
                      "P": [pytest.approx(2 / 3), 0, 0.01]}  # fmt: skip
    assert "root" not in dump(model(beam))
    assert loads(dump(model(beam))).bodies["rod"] == beam


def test_a_changed_copy_moves_the_frames_it_has_of_itself() -> None:
    longer = dataclasses.replace(rod(), length=2)
    assert longer.frames["tip"].position[0].value == 2
    assert longer == rod(length=2)


def test_references_to_frames_of_beams_are_known() -> None:
    joints = [Revolute("O", "ground", "rod.root"), Fixed("W", "rod.mid", "ball")]
    forces = [Force("push", "rod.tip", ["rod.tip.velocity.x", 0, 0])]
    assert not whats(model(rod(), RigidBody("ball", 1), joints=joints, forces=forces))
    (what,) = whats(model(rod(), joints=[Revolute("O", "ground", "rod.end")]))
    assert what == "child: body 'rod' has no frame 'end'"


def test_common_face_of_bodies() -> None:
    bodies = [RigidBody("a", 1), rod(), rod(theory="rigid"), Modes("p", PLATE)]
    assert [b.flexible for b in bodies] == [False, True, False, True]
    assert [b.kind for b in bodies] == ["rigid", "beam", "beam", "modes"]
    for body in bodies:
        assert body.initial is None
        assert body.shape is None


def test_bending_means_both_planes() -> None:
    shapes = rod(shapes={"bending": 3, "axial": {"free-free": 1}}).shapes
    assert shapes == BeamShapes(Functions(3), Functions(3), axial=Functions(1, "free-free"))
    assert rod().shapes == rod(shapes={"bending": 3}).shapes


@pytest.mark.parametrize(
    ("frame", "bending", "axial"),
    [("root", "clamped-free", "clamped-free"), ("chord", "pinned-pinned", "clamped-free"),
     ("tip", "polynomial", "polynomial"), ({"at": 0.3}, "polynomial", "polynomial"),
     ("mid", "free-free", "free-free"), ("tisserand", "free-free", "free-free")],
)  # fmt: skip
def test_family_suits_the_floating_frame(frame: Any, bending: str, axial: str) -> None:
    beam = rod(floating_frame=frame, shapes={"bending": 1, "axial": 1})
    assert (beam.family("bending_y"), beam.family("axial")) == (bending, axial)
    named = rod(floating_frame=frame, shapes={"bending_z": {"taylor": 1}})
    assert named.family("bending_z") == "taylor"


def test_elastic_coordinates_are_named_by_their_field() -> None:
    shapes = {"bending_y": 2, "bending_z": {"pinned-pinned": 1}, "torsion": 1}
    assert rod(shapes=shapes).elastic_names == ("v1", "v2", "w1", "phi1")
    names = ("v1", "v2", "vs1", "vs2", "w1", "ws1", "wr1", "phi1")
    assert rod(shapes=shapes, type="timoshenko").elastic_names == names
    assert rod(theory="rigid").elastic_names == ()


def test_initial_state_has_elastic_coordinates() -> None:
    beam = rod(initial={"velocity": [1, 0, 0], "elastic": {"v1": "1 mm"}})
    assert isinstance(beam.initial, FlexibleState)
    assert beam.initial.elastic["v1"].value == 0.001
    plain = rod(initial=BodyState(velocity=[1, 0, 0])).initial
    assert plain == FlexibleState(velocity=[1, 0, 0])
    with pytest.raises(ModelError, match="unknown key 'elastic'"):
        RigidBody("a", 1, initial={"elastic": {"v1": 1}})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [("length", "30 cm", 0.3), ("mass_per_length", "2 g/mm", 2.0)],
)
def test_units_of_beams(key: str, text: str, value: float) -> None:
    beam = Beam("b", **{"length": 1, "stiffness": {}, key: text})
    assert getattr(beam, key).value == pytest.approx(value)
    with pytest.raises(ModelError, match=f"body 'b': {key}: '1 N' has the wrong unit"):
        Beam("b", **{"length": 1, key: "1 N"})


def test_units_of_stiffness_sections_and_materials() -> None:
    beam = Beam("b", 1, stiffness={"EA": "1 kN", "EIy": "2 N*m^2", "GJ": "3 N*mm^2"})
    assert beam.stiffness is not None
    assert [f.value for f in (beam.stiffness.EA, beam.stiffness.EIy, beam.stiffness.GJ) if f] == [
        1000, 2, pytest.approx(3e-6)]  # fmt: skip
    section = {"properties": {"A": "1 cm^2", "Iy": "1 mm^4", "Iz": 1, "J": 1}}
    assert Beam("b", 1, section).section.A.value == pytest.approx(1e-4)  # type: ignore[union-attr]
    material = Material("m", "200000 N/mm^2", density="7.87 g/cm^3", G="80e9 N/m^2")
    assert material.E is not None
    assert material.E.value == pytest.approx(2e11)
    with pytest.raises(ModelError, match="G: '3 mm' has the wrong unit; expected Pa"):
        Material("m", G="3 mm")


def test_damping_in_all_forms() -> None:
    assert rod(damping={"modal": 0.01}).damping == Damping.modal(0.01)
    assert rod(damping={"rayleigh": {"alpha": 1, "beta": 2}}).damping == Damping.rayleigh(1, 2)
    for bad in ({"modal": []}, {"rayleigh": [1, 2]}, {"viscous": 1}, 0.1, {"stiffness": [1, 2]}):
        with pytest.raises(ModelError, match="body 'rod': damping"):
            rod(damping=bad)


def test_all_faults_of_a_beam_at_once() -> None:
    beam = rod(length=-1, section=Circle(-1), material="wood", shapes={"bending": 0},
               floating_frame={"at": 2}, damping={"modal": -1})  # fmt: skip
    assert len(whats(model(beam))) == 6


def test_one_word_makes_a_beam_rigid() -> None:
    given: dict[str, Any] = {"shapes": {"bending": 1}, "initial": {"elastic": {"v1": "1 mm"}},
                             "damping": {"modal": [0.1, 0.2]}}  # fmt: skip
    assert not whats(model(rod(theory="rigid", **given)))


def test_rolling_needs_inertia_or_a_hold() -> None:
    free, held = rod(rotary_inertia="none"), []
    assert any("free to roll" in what for what in whats(model(free)))
    spin = Revolute("O", "ground", "rod.root", axis="x")
    assert any("free to roll" in what for what in whats(model(free, joints=[spin])))
    held.append(model(free, joints=[spin], drivers=[JointDriver("d", "O", motion="t")]))
    held.append(model(free, joints=[Revolute("O", "ground", "rod.root", axis="z")]))
    held.append(model(rod(), joints=[Spherical("O", "ground", "rod.root")]))
    off = rod(rotary_inertia="none", frames={"P": [0, 0, 0.1]})
    held.append(model(off, joints=[Spherical("O", "ground", "rod.P")]))
    assert not any(whats(m) for m in held)


def test_body_frame_is_a_place_only_at_the_root() -> None:
    def fault(**more: Any) -> list[str]:
        return whats(model(rod(**more), joints=[Revolute("O", "ground", "rod")]))

    assert not fault()
    assert not fault(floating_frame={"at": 0})
    assert not fault(floating_frame="chord", theory="rigid")
    for frame in ("chord", "mid", "tip", "tisserand", {"at": 0.5}):
        (what,) = fault(floating_frame=frame)
        assert "which no point of the body follows" in what


def test_modes_lie_beside_the_model_and_are_saved_short(tmp_path: Path) -> None:
    (tmp_path / "plate.json").write_text(PLATE.read_text())
    text = "pliant: 1\nbodies: {plate: {modes: plate.json, frames: {A: {node: 3}}}}\n"
    (tmp_path / "m.yaml").write_text(text)
    found = load(tmp_path / "m.yaml")
    assert found.bodies["plate"].file == str(tmp_path / "plate.json")  # type: ignore[union-attr]
    assert "file: plate.json" in save(found, tmp_path / "n.yaml").read_text()
    assert load(tmp_path / "n.yaml") == found == loads(dump(found))
    with pytest.raises(ModelError, match="load the model by path") as caught:
        loads(text)
    assert len(caught.value.faults) == 1


def test_changed_mode_files_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "plate.json"
    path.write_text(PLATE.read_text())
    plate = Modes("plate", path, frames={"A": {"node": 3}})
    assert not whats(Model(bodies=[plate]))
    path.write_text(json.dumps({**json.loads(PLATE.read_text()), "mass": [-1, 1, 1, 1, 1]}))
    assert len(whats(Model(bodies=[plate]))) == 2


def test_every_flexible_sample_is_sound() -> None:
    materials = [STEEL, Material("alloy", "70 GPa", density=2700, G="26 GPa")]
    sound = Model(parameters={"r": 0.15, "s": 0.2}, materials=materials, bodies=flexible())
    assert not whats(sound)
