"""Pictures of the 3-D view: what is seen where, of shapes and motions that are known."""

import re
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.show import colours
from pliant.show.picture.camera import VIEWS, camera
from pliant.show.picture.film import film, usual_speed
from pliant.show.picture.moving import Mechanism
from pliant.show.picture.raster import encoded, fragments, linear
from pliant.show.picture.skin import rotations, vectors
from pliant.show.picture.surfaces import box, capsule, cone, cylinder, ellipsoid, filled, sweep

ROOT = Path(__file__).parents[3]
SIZE = (200, 150)
LINK = """
pliant: 1
bodies:
  arm: {rigid: {mass: 1}, shape: {box: {size: [1 m, 0.1 m, 0.1 m]}}, frames: {}}
joints:
  O: {revolute: {axis: z}, between: [ground, arm]}
drivers: {motor: {joint: O, angle: "pi/2*t"}}
simulate: {t_end: 1 s, every: 0.25 s}
"""


def hue(image, colour):
    """Pixels that are of a colour, however much light falls on them."""
    wanted = linear(colour) / np.linalg.norm(linear(colour))
    value = np.asarray(image, dtype=float) / 255
    light = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    size = np.linalg.norm(light, axis=-1)
    return (light @ wanted > 0.985 * size) & (size > 0)


def drawn(result, **options):
    return result.picture(size=SIZE, title="", **options)


def scale_of(mechanism, view, time=None):
    """Metres in a pixel, and the point in the middle, of a picture in parallel rays."""
    seen = camera(mechanism.bounds(mechanism.samples()), np.array([0, 0, 1.0]), SIZE, view)
    return 2 * seen.metres / SIZE[1], seen.target


def shape(text):
    return pl.loads(f"""
pliant: 1
bodies: {{b: {{rigid: {{mass: 1, inertia: [1, 1, 1]}}, shape: {text}}}}}
joints: {{J: {{fixed: {{}}, between: [ground, b]}}}}
simulate: {{t_end: 1, every: 1}}
""")


def test_colours_are_those_of_the_page():
    theme = (ROOT / "web/src/style/theme.css").read_text(encoding="utf-8").split("@media")[0]
    found = dict(re.findall(r"--([\w-]+): (#\w{6});", theme))
    assert tuple(found[f"color-{k}"] for k in range(8)) == colours.CURVES
    named = {"view": "BACKGROUND", "grid": "GRID", "grid-strong": "GRID_STRONG", "steel": "STEEL",
             "ground": "GROUND", "force": "FORCE", "torque": "TORQUE", "reaction": "REACTION",
             "moment": "MOMENT", "ink": "INK", "muted": "MUTED"}  # fmt: skip
    for name, constant in named.items():
        assert found[name] == getattr(colours, constant)


def test_light_is_told_back_as_the_colour_it_was():
    for colour in (*colours.CURVES, "#000000", "#ffffff", "#0a0a0a"):
        told = "#" + "".join(f"{int(v):02x}" for v in encoded(linear(colour)))
        assert told == colour


@pytest.mark.parametrize(("view", "sides"), [("x", (2, 3)), ("y", (1, 3)), ("z", (1, 2))])
def test_a_box_covers_its_sides(view, sides):
    """Of a box 1 x 2 x 3 m: the area of its pixels, and how far they reach each way."""
    result = shape("{box: {size: [1 m, 2 m, 3 m]}}").simulate()
    metres, _ = scale_of(Mechanism(result), view)
    seen = hue(drawn(result, view=view), colours.CURVES[0])
    rows, columns = np.nonzero(seen)
    for span, side in zip((np.ptp(columns) + 1, np.ptp(rows) + 1), sides, strict=True):
        assert abs(span * metres - side) < 2 * metres
    assert abs(seen.sum() * metres**2 / np.prod(sides) - 1) < 0.08  # a joint stands before it


def test_a_sphere_covers_a_disc():
    result = shape("{sphere: {radius: 0.7 m}}").simulate()
    metres, _ = scale_of(Mechanism(result), "y")
    seen = hue(drawn(result, view="y"), colours.CURVES[0])
    assert abs(seen.sum() * metres**2 / (np.pi * 0.49) - 1) < 0.06


@pytest.mark.parametrize("time", [0.0, 0.5, 0.6, 1.0])
def test_an_arm_is_where_its_driver_takes_it(time):
    """Seen along z it lies along its angle, also between samples; nothing is where it is not."""
    result = pl.loads(LINK).kinematics()
    mechanism = Mechanism(result)
    metres, middle = scale_of(mechanism, "z")
    image = np.asarray(drawn(result, view="z", time=time))
    blue = hue(image, colours.CURVES[0])
    for angle, there in ((np.pi / 2 * time, True), (np.pi / 2 * time + 0.5, False)):
        for r in (-0.4, 0.3, 0.45):
            x, y = r * np.cos(angle) - middle[0], r * np.sin(angle) - middle[1]
            column, row = int(SIZE[0] / 2 + x / metres), int(SIZE[1] / 2 - y / metres)
            assert blue[row, column] == there


def test_the_nearer_body_hides_the_other():
    system = pl.loads("""
pliant: 1
ground: {frames: {front: [1, 0, 0], back: [-1, 0, 0]}}
bodies:
  near: {rigid: {mass: 1, inertia: [1, 1, 1]}, shape: {sphere: {radius: 0.3}}}
  far: {rigid: {mass: 1, inertia: [1, 1, 1]}, shape: {sphere: {radius: 0.2}}}
joints:
  A: {fixed: {}, between: [ground.front, near]}
  B: {fixed: {}, between: [ground.back, far]}
simulate: {t_end: 1, every: 1}
""")
    result = system.simulate()
    front, back = (np.asarray(drawn(result, view=view)) for view in ("x", "-x"))
    assert hue(front, colours.CURVES[0]).sum() > 500
    assert hue(front, colours.CURVES[1]).sum() == 0  # the smaller one is behind the larger
    assert hue(back, colours.CURVES[1]).sum() > 200
    assert hue(back, colours.CURVES[0]).sum() > 200  # the rim of the larger one


def test_what_is_far_is_small_in_perspective():
    corners = np.array([[0.0, 0, 0], [2.0, 2, 2]])
    up = np.array([0, 0, 1.0])
    for view in VIEWS:
        for projection in ("perspective", "orthographic"):
            seen = camera(corners, up, SIZE, view, projection)
            ends = np.array([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)], float)
            at = seen.pixels(ends)
            assert (at[:, 0] > 0).all()
            assert (at[:, 0] < SIZE[0]).all()
            assert (at[:, 1] > 0).all()
            assert (at[:, 1] < SIZE[1]).all()
            span = np.ptp(at, axis=0)
            assert max(span[0] / SIZE[0], span[1] / SIZE[1]) > 0.8  # it fills the picture
    seen = camera(corners, up, SIZE, "x", "perspective")
    near, far = (np.linalg.norm(np.diff(seen.pixels(np.array([[x, 0, 0], [x, 2.0, 0]]))[:, :2],
                                        axis=0)) for x in (2.0, 0.0))  # fmt: skip
    assert abs(near / far - (seen.distance + 1) / (seen.distance - 1)) < 1e-9


def test_triangles_of_one_polygon_cover_every_pixel_once():
    """Neighbours share no pixel and leave none out, wherever their corners lie."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        inner = rng.uniform(10, 50, 2)
        rim = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], float)
        rim = np.concatenate([rim, [[rng.uniform(0, 60), 60]]])[[0, 1, 2, 4, 3]]
        fan = [[*inner, 0.0], [*inner, 0.0], [*inner, 0.0]]
        triangles = np.array([[[*rim[k], 0.0], [*rim[(k + 1) % 5], 0.0], fan[0]] for k in range(5)])
        found = fragments(triangles, (60, 60))
        assert np.array_equal(np.sort(found.pixel), np.arange(3600))
        weights = found.weights
        assert np.abs(weights.sum(axis=1) - 1).max() < 1e-12
        at = np.einsum("fk,fki->fi", weights, triangles[found.face])[:, :2]
        there = np.stack([found.pixel % 60, found.pixel // 60], axis=1) + 0.5
        assert np.abs(at - there).max() < 1e-6


def volume(surface):
    """By the divergence theorem, from normals that point outwards."""
    a, b, c = (surface.corners[surface.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    n = surface.normals[surface.faces].mean(axis=1)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    return float((area * np.einsum("fi,fi->f", (a + b + c) / 3, n)).sum() / 3)


def test_solids_have_their_volumes():
    """Circles of 24 corners are a little small: sin(2π/24) / (2π/24) = 0.989 of the area."""
    ring = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]) / 2
    hole = 0.5 * ring[::-1]
    angle = np.array([[0, 0], [1, 0], [1, 0.2], [0.2, 0.2], [0.2, 1], [0, 1.0]])
    cases = {
        "box": (box([1, 2, 3]), 6), "cylinder": (cylinder(0.5, 2), np.pi / 2),
        "cone": (cone(0.5, 3), np.pi / 4), "ball": (ellipsoid([1, 1, 1]), 4 / 3 * np.pi),
        "egg": (ellipsoid([1, 2, 0.5]), 4 / 3 * np.pi),
        "capsule": (capsule(0.5, 2), np.pi / 2 + np.pi / 6),
        "tube": (sweep(np.linspace(0, 2, 5), [ring[None], hole[None]], False), 2 * 0.75),
        "angle": (sweep(np.array([0.0, 3]), [angle[None]], False), 3 * 0.36),
    }  # fmt: skip
    for name, (surface, exact) in cases.items():
        assert abs(volume(surface) / exact - 1) < 0.04, name
        assert np.abs(np.linalg.norm(surface.normals, axis=1) - 1).max() < 1e-9, name


def test_polygons_with_holes_are_filled():
    outer = np.array([[0, 0], [4, 0], [4, 3], [2, 1], [0, 3.0]])
    hole = np.array([[1, 0.2], [1, 0.6], [2, 0.6], [2, 0.2]])
    points, faces = filled([outer, hole])
    a, b, c = (points[faces[:, k]] for k in range(3))
    areas = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    assert (areas > -1e-12).all()
    assert abs(areas.sum() - (12 - 4 - 0.4)) < 1e-12


def test_rotation_vectors_and_rotations_are_inverse():
    turns = np.random.default_rng(2).normal(size=(50, 3))
    turns *= (np.linspace(0, 3.1, 50) / np.linalg.norm(turns, axis=1))[:, None]
    assert np.abs(vectors(rotations(turns)) - turns).max() < 1e-12


CANTILEVER = """
pliant: 1
gravity: [0, -9.81, 0]
materials: {soft: {E: 1 GPa, nu: 0.3, density: 1000}}
bodies:
  beam: {beam: {length: 1 m, section: {rectangle: {width: 10 mm, height: 10 mm}}, material: soft},
         shapes: {bending_y: 3}}
joints: {root: {fixed: {}, between: [ground, beam.root]}}
simulate: {t_end: 0.2 s, every: 0.2 s, analysis: statics}
"""


@pytest.mark.parametrize("magnification", [1, 10])
def test_a_beam_is_drawn_where_it_bends(magnification):
    """q L⁴ / 8 EI of its own weight, true and ten times larger, at the tip of the silhouette."""
    result = pl.loads(CANTILEVER).statics()
    deflection = 1000 * 1e-4 * 9.81 / (8 * 1e9 * 1e-8 / 12)
    mechanism = Mechanism(result)
    box = mechanism.bounds(mechanism.samples(), magnification)
    seen = camera(box, np.array([0, 1.0, 0]), (600, 450), "z")
    metres = 2 * seen.metres / 450
    image = result.picture(view="z", size=(600, 450), magnification=magnification)
    blue = hue(image, colours.CURVES[0])
    rows, columns = np.nonzero(blue)
    tip = rows[columns > columns.max() - 3].mean()
    lowered = (tip - 225) * metres - seen.target[1]
    assert (
        abs(lowered - magnification * deflection) < 2 * metres + 0.01 * magnification * deflection
    )
    assert deflection > 10 * metres or magnification > 1


def test_shown_surfaces_end_where_frames_are():
    """Corners of a deformed beam and its frames follow the same places."""
    result = pl.loads(CANTILEVER).statics()
    mechanism = Mechanism(result)
    at = mechanism.samples()[0]
    tip = np.asarray(mechanism.frame("beam.tip", at).p)
    assert np.abs(tip - result.values("beam.tip.position")[0]).max() < 1e-12
    corners = mechanism.surface("beam", at).corners
    away = np.linalg.norm(corners - tip, axis=1)
    assert abs(away.min() - np.hypot(0.005, 0.005)) < 1e-9  # corners of the end face


def test_a_system_is_drawn_at_its_start_without_a_run():
    system = pl.load(ROOT / "examples/pendulum.yaml")
    start = np.asarray(system.picture(size=SIZE, close=True, title=""))
    at_zero = drawn(system.simulate(t_end=1e-9), time=0, close=True)
    assert np.array_equal(start, np.asarray(at_zero))
    later = np.asarray(system.picture(size=SIZE, time="500 ms", close=True, title=""))
    assert (later != start).any()


def test_arrows_show_forces_and_reactions():
    result = pl.load(ROOT / "examples/pendulum.yaml").simulate(t_end=0.1)
    plain, reactions = (drawn(result, arrows=a) for a in ((), ("reaction",)))
    assert hue(plain, colours.REACTION).sum() < 10 < hue(reactions, colours.REACTION).sum()


def test_bodies_without_forces_and_huge_ones_are_drawn():
    for size in ("1e-9 m", "1e9 m"):
        result = shape(f"{{sphere: {{radius: {size}}}}}").simulate()
        assert hue(drawn(result, view="iso"), colours.CURVES[0]).sum() > 2000


@pytest.mark.parametrize(
    ("options", "said"),
    [({"view": "top"}, "unknown view 'top'"), ({"view": (0, 0, 0)}, "three numbers"),
     ({"size": (5, 5)}, "5 x 5 pixels"), ({"size": 7}, "width and height"),
     ({"time": 2.0}, "no time 2 s"), ({"magnification": -1}, "positive factor"),
     ({"arrows": ["all"]}, "arrows of 'all'"), ({"projection": "flat"}, "projection is 'flat'"),
     ({"path": "a.bmp"}, "unknown kind of file")],
)  # fmt: skip
def test_bad_wishes_are_refused(options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = pl.loads(LINK).kinematics()
    with pytest.raises(InputError, match=re.escape(said)):
        result.picture(**{"path": "a.png", **options})
    assert not list(tmp_path.iterdir())


def test_what_has_no_bodies_or_no_model_is_refused(tmp_path):
    circuit = pl.loads("""
pliant: 1
networks:
  n: {domain: electrical, elements: {mesh: {junction: 1}, r: {R: 2, on: mesh}, c: {C: 1, on: mesh}}}
simulate: {t_end: 1}
""")
    with pytest.raises(InputError, match="no bodies"):
        circuit.picture()
    result = pl.loads(LINK).kinematics()
    result.save(tmp_path / "a.csv")
    with pytest.raises(InputError, match="does not hold its model"):
        pl.Result.load(tmp_path / "a.csv").picture()


def test_films_last_as_long_as_they_say(tmp_path):
    from PIL import Image

    result = pl.loads(LINK).kinematics()
    told = []
    for kind in ("gif", "webp"):
        made = film(result, tmp_path / f"a.{kind}", fps=10, speed=0.5, size=(80, 60), view="z",
                    progress=lambda k, n: told.append((k, n)))  # fmt: skip
        assert (made.frames, made.fps, made.speed) == (21, 10, 0.5)
        with Image.open(made.path) as frames:
            assert frames.n_frames == 21
            lasting, seen = 0, []
            for k in range(21):
                frames.seek(k)
                frames.load()
                lasting += frames.info["duration"]
                seen.append(hue(frames.convert("RGB"), colours.CURVES[0]))
        assert lasting == 2100
        first, last = (np.nonzero(s) for s in (seen[0], seen[-1]))
        assert np.ptp(first[1]) > 3 * np.ptp(first[0])  # it lies
        assert np.ptp(last[0]) > 3 * np.ptp(last[1])  # it stands
    assert told == 2 * [(k, 21) for k in range(1, 22)]


@pytest.mark.parametrize(
    ("span", "speed"),
    [(5.0, 1), (0.5, 0.1), (1.5, 0.5), (2.9, 0.5), (3.0, 1), (16.0, 2), (100.0, 10), (1e-4, 2e-5)],
)
def test_usual_speeds_make_films_of_some_seconds(span, speed):
    assert usual_speed(span) == pytest.approx(speed)
    assert 3 <= span / usual_speed(span) <= 15


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [("a.avi", {}, "unknown kind"), ("a.gif", {"fps": 0}, "0 frames a second"),
     ("a.gif", {"speed": 1e-6}, "3000 at most"), ("a.gif", {"start": 1, "end": 1}, "nothing moves"),
     ("a.gif", {"end": 9}, "no time 9 s"), ("a.gif", {"speed": -1}, "positive factor"),
     ("a.mp4", {}, "pip install 'pliant[film]'")],
)  # fmt: skip
def test_films_that_cannot_be_made_are_refused(name, options, said, tmp_path, monkeypatch):
    monkeypatch.setattr("pliant.show.picture.film.shutil.which", lambda _: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(InputError, match=re.escape(said)):
        pl.loads(LINK).kinematics().film(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


ROLLED = """
pliant: 1
name: rolled up
bodies:
  rod:
    beam:
      length: 1
      stiffness: {EA: 1e4, GAy: 1e4, GAz: 1e4, GJ: 1, EIy: 1, EIz: 1}
      mass_per_length: 1
      rotary: {rhoIy: 1e-3, rhoIz: 1e-3}
    theory: {exact: {elements: 4, order: 2}}
joints: {clamp: {fixed: {}, between: [ground, rod.root]}}
forces: {moment: {torque: [0, 0, pi], at: rod.tip, axes: body}}
simulate: {analysis: statics, t_end: 1, observe: [rod.tip.position]}
"""


@pytest.fixture(scope="module")
def rolled():
    return pl.loads(ROLLED).statics()


def test_a_beam_in_pieces_is_drawn_whole_and_round(rolled):
    """M = pi EI / L bends it to half a circle of the radius L / pi: between its bodies, too."""
    mechanism = Mechanism(rolled)
    (skin,) = mechanism.skins.values()
    at = mechanism.instant(rolled.time[-1])
    count = len(mechanism.geometry.pieces["rod"].drawn.x)
    _, p = skin.places(mechanism.state("rod", at))
    away = np.linalg.norm(p[:count] - [0, 1 / np.pi, 0], axis=1)
    assert away == pytest.approx(np.full(count, 1 / np.pi), rel=1e-6)
    tip = mechanism.frame("rod.tip", at).p
    assert tip == pytest.approx(rolled.values("rod.tip.position")[-1], abs=1e-12)


def test_a_beam_in_pieces_has_one_colour(rolled):
    image = drawn(rolled, view="z")
    assert hue(image, colours.CURVES[0]).sum() > 200
    assert not any(hue(image, colour).any() for colour in colours.CURVES[1:4])


def test_a_model_of_beams_in_pieces_is_drawn_at_its_start():
    """Though its outputs do not tell where its bodies are."""
    image = drawn(pl.loads(ROLLED), view="z")
    assert hue(image, colours.CURVES[0]).sum() > 200


def test_ends_that_joints_hold_stay_where_they_are_when_deflections_are_magnified():
    """In the middle the deflection is as many times larger."""
    held = ROLLED.replace("{torque: [0, 0, pi], at: rod.tip, axes: body}",
                          "{force: [0, -0.1, 0], at: rod.mid}")  # fmt: skip
    held = held.replace("joints: {", "joints: {guide: {pin_slot: {axis: z, slot: x}, "
                        "between: [ground.end, rod.tip]}, ")  # fmt: skip
    held = held.replace("bodies:", "ground: {frames: {end: [1, 0, 0]}}\nbodies:")
    mechanism = Mechanism(pl.loads(held.replace("{fixed: {}", "{revolute: {axis: z}")).statics())
    at = mechanism.instant(mechanism.result.time[-1])
    once, more = ([mechanism.frame(f"rod.{name}", at, factor).p for name in ("root", "mid", "tip")]
                  for factor in (1.0, 20.0))  # fmt: skip
    assert more[0] == pytest.approx(once[0], abs=1e-12)
    assert more[2] == pytest.approx(once[2], abs=1e-10)
    assert more[1][1] == pytest.approx(20 * once[1][1], rel=1e-9)
    assert once[1][1] < -1e-4
