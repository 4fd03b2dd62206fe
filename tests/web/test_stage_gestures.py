"""Gestures on the stage with mouse and keys (a dragged loop, frames, forces, springs, a slide, a
driver), and what the file says after them."""

import time

import pytest
import yaml
from tests.web.studio_page import StudioPage, opened
from tests.web.test_journey_pendulum import KNOB, STAGE, asked, drag, said

pytestmark = pytest.mark.slow

CRANK_ROCKER = """\
pliant: 1
gravity: [0, -9.81, 0]
ground: {frames: {D: [0.6, 0, 0]}}
bodies:
  crank: {rod: {length: 0.2 m, mass: 1 kg}, frames: {A: [0.2, 0, 0]}}   # driven later
  coupler: {rod: {length: 0.6 m, mass: 1 kg}, frames: {B: [0.6, 0, 0]}}
  rocker: {rod: {length: 0.4 m, mass: 1 kg}, frames: {C: [0.4, 0, 0]}}
joints:
  O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 60 deg}}
  A: {revolute: {axis: z}, between: [crank.A, coupler], guess: {angle: -40 deg}}
  C: {revolute: {axis: z}, between: [coupler.B, rocker.C], cut: true}
  D: {revolute: {axis: z}, between: [ground.D, rocker], guess: {angle: 80 deg}}
"""


def test_gestures_on_a_crank_rocker(tmp_path):
    path = tmp_path / "models" / "rocker.yaml"
    path.parent.mkdir()
    path.write_text(CRANK_ROCKER)
    with opened(path, tmp_path, width=1200, height=760) as page:
        page.wait(f"!!document.querySelector('{STAGE}.start canvas, {STAGE} .start canvas')")
        drag_the_loop_and_take_it_back(page, path)
        add_a_frame_and_move_it(page, path)
        put_a_force_and_a_spring(page, path)
        join_a_link_by_a_slide(page, path)
        drive_a_joint(page, path)


def places(page: StudioPage) -> dict[str, tuple[float, float]]:
    """Frames on the screen, as the joint tool rings them; Escape leaves it without a change."""
    focus_the_stage(page)
    page.tab.key("j", "j")
    asked(page, "first frame")
    rings = f"[...document.querySelectorAll('{STAGE} .ring')]"
    page.wait(f"{rings}.length > 3")
    found = page.tab.value(
        f"{rings}.map(r => [r.dataset.frame, r.getBoundingClientRect()])"
        ".map(([n, b]) => [n, b.x + b.width / 2, b.y + b.height / 2])"
    )
    page.tab.key("Escape")
    page.wait(f"!document.querySelector('{STAGE} .ring')")
    return {name: (x, y) for name, x, y in found}


def focus_the_stage(page: StudioPage) -> None:
    page.tab.value(f"document.querySelector('{STAGE} canvas').focus()")


def between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def saved(page: StudioPage, path, is_so) -> dict:
    """The file's data once it has been saved and says something."""

    def found() -> bool:
        page.tab.key("s", ctrl=True)
        time.sleep(0.15)
        return bool(is_so(yaml.safe_load(path.read_text())))

    page.eventually(found)
    return yaml.safe_load(path.read_text())


def drag_the_loop_and_take_it_back(page: StudioPage, path) -> None:
    """All joints of the loop say where they start now; one step back, every byte as before."""
    at = places(page)
    grip = between(at["crank"], at["crank.A"], 0.7)
    page.tab.hover(*grip)
    drag(page, [between(grip, at["rocker"], 0.04 * k) for k in range(8)])
    page.picture("loop")
    data = saved(page, path, lambda data: data["joints"]["O"]["initial"]["angle"] != "60 deg")
    joints = data["joints"]
    angles = {n: float(g["angle"].split()[0]) for n in "ACD" if (g := joints[n].get("guess"))}
    crank = float(joints["O"]["initial"]["angle"].split()[0])
    assert 10 < crank < 50
    assert 10 * crank == pytest.approx(round(10 * crank))
    assert crank + angles["A"] + angles["C"] == pytest.approx(angles["D"], abs=1e-6)
    page.tab.key("z", ctrl=True)
    saved(page, path, lambda _: path.read_text() == CRANK_ROCKER)
    page.eventually(lambda: places(page)["crank.A"] == pytest.approx(at["crank.A"], abs=1))


def add_a_frame_and_move_it(page: StudioPage, path) -> None:
    """A click on a body; then its square is dragged, and moved by an arrow."""
    at = places(page)
    page.click("[data-tool=frame]")
    asked(page, "add a frame")
    place = between(at["coupler"], at["coupler.B"], 0.5)
    page.tab.hover(*place)
    said(page, "add frame coupler.")
    page.picture("frame")
    page.tab.press(*place)
    data = saved(page, path, lambda data: len(data["bodies"]["coupler"]["frames"]) == 2)
    before = data["bodies"]["coupler"]["frames"]["A"]
    assert before[0] == pytest.approx(0.3, abs=0.04)
    assert before[1:] == [0, 0]
    knob = f"{STAGE} .frame-knob[data-frame='coupler.A']"
    page.wait(f"!!document.querySelector({knob!r})")
    box = page.tab.box(knob)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, [(x, y), (x, y - 15), (x, y - 30)], let_go=False)
    said(page, "move")
    page.picture("knob")
    page.tab.send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y - 30, button="left",
                  clickCount=1)  # fmt: skip
    data = saved(page, path, lambda d: d["bodies"]["coupler"]["frames"]["A"] != before)
    moved = data["bodies"]["coupler"]["frames"]["A"]
    assert 0.03 < moved[1] < 0.1
    assert moved == [round(v, 2) for v in moved]
    page.eventually(lambda: places(page)["coupler.A"] == pytest.approx((x, y - 30), abs=8))


def choose(page: StudioPage, title: str, text: str) -> None:
    """Answer a tool's question by typing."""
    asked(page, title)
    page.tab.type(text)
    page.tab.key("Enter", "\r")


def add(page: StudioPage, what: str) -> None:
    focus_the_stage(page)
    page.tab.key("a", "a")
    choose(page, "add", what)


def put_a_force_and_a_spring(page: StudioPage, path) -> None:
    at = places(page)
    add(page, "force")
    asked(page, "which frame is the force on")
    page.tab.hover(at["coupler.A"][0] + 3, at["coupler.A"][1])
    said(page, "force")
    page.picture("force")
    page.tab.press(*at["coupler.A"])
    data = saved(page, path, lambda d: "forces" in d)
    assert data["forces"]["force"] == {"force": [0, 0, 0], "at": "coupler.A"}
    add(page, "spring")
    asked(page, "from which frame")
    page.tab.press(*at["ground.D"])
    asked(page, "to which frame")
    page.tab.hover(at["coupler.A"][0] + 3, at["coupler.A"][1])
    said(page, "spring")
    page.picture("spring")
    page.tab.press(*at["coupler.A"])
    data = saved(page, path, lambda d: len(d["forces"]) == 2)
    assert data["forces"]["spring"]["between"] == ["ground.D", "coupler.A"]
    add(page, "spring")
    choose(page, "from which frame", "rocker.C")
    choose(page, "to which frame", "ground")
    data = saved(page, path, lambda d: len(d["forces"]) == 3)
    assert data["forces"]["spring_2"]["between"] == ["rocker.C", "ground"]


def join_a_link_by_a_slide(page: StudioPage, path) -> None:
    add(page, "link")
    asked(page, "where does the link begin")
    page.tab.type("0, 0.4")
    said(page, "[0, 0.4, 0]")
    page.picture("link")
    page.tab.key("Enter", "\r")
    data = saved(page, path, lambda d: len(d["bodies"]) == 4)
    assert data["bodies"]["link"]["initial"] == {"position": [0, 0.4, 0]}
    page.eventually(lambda: "link" in places(page))
    at = places(page)
    page.picture("linked")
    focus_the_stage(page)
    page.tab.key("j", "j")
    choose(page, "revolute joint: first frame", "prismatic")
    asked(page, "prismatic joint: first frame")
    page.tab.press(*at["ground"])
    asked(page, "prismatic joint: from ground to")
    page.tab.hover(*at["link"])
    said(page, "prismatic: {axis: x}")
    page.picture("prismatic")
    page.tab.press(*at["link"])
    data = saved(page, path, lambda d: len(d["joints"]) == 5)
    others = {name: joint for name, joint in data["joints"].items() if name != "B"}
    assert data["joints"]["B"] == {"prismatic": {"axis": "x"}, "between": ["ground", "link"]}
    page.wait(f"!!document.querySelector('{KNOB}')")
    page.picture("slide")
    knob = page.tab.box(KNOB)
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    drag(page, [(x + 10 * k, y + k) for k in range(8)], let_go=True)
    page.picture("slid")
    data = saved(page, path, lambda d: "initial" in d["joints"]["B"])
    first = displacement(data)
    assert 0.1 < first < 0.3
    page.wait(f"document.activeElement?.matches('{KNOB}')")
    page.tab.key("ArrowRight")
    page.tab.key("ArrowRight")
    page.tab.key("Enter", "\r")
    data = saved(page, path, lambda d: displacement(d) != first)
    assert displacement(data) == round(first + 0.02, 6)
    assert {name: joint for name, joint in data["joints"].items() if name != "B"} == others


def displacement(data: dict) -> float:
    """Where the slide starts, in metres."""
    return float(data["joints"]["B"]["initial"]["displacement"].removesuffix(" m"))


def drive_a_joint(page: StudioPage, path) -> None:
    """By a click, taken back, then by names only."""
    driven = {"drive": {"joint": "O", "velocity": "1 rad/s"}}
    at = places(page)
    add(page, "joint driver")
    asked(page, "on which joint")
    page.tab.hover(at["crank"][0] + 3, at["crank"][1])
    said(page, "joint: O")
    page.picture("driver")
    page.tab.press(*at["crank"])
    assert saved(page, path, lambda d: "drivers" in d)["drivers"] == driven
    page.wait("document.querySelector('.inspector-view').textContent.includes('velocity')")
    page.picture("driven")
    page.tab.key("z", ctrl=True)
    saved(page, path, lambda d: not d.get("drivers"))
    add(page, "joint driver")
    choose(page, "on which joint", "O")
    assert saved(page, path, lambda d: d.get("drivers"))["drivers"] == driven


def test_a_studio_that_only_looks_offers_no_tools(tmp_path):
    path = tmp_path / "rocker.yaml"
    path.write_text(CRANK_ROCKER)
    with opened(path, tmp_path, "--read-only", width=1200, height=760) as page:
        page.wait(f"!!document.querySelector('{STAGE} .start canvas, {STAGE}.start canvas')")
        page.click("[role=treeitem][data-name=O]")
        page.wait("document.querySelector('.inspector-view').textContent.includes('revolute')")
        for key in "aj":
            focus_the_stage(page)
            page.tab.key(key, key)
        page.tab.settle()
        page.picture("looking")
        shown = f"[...document.querySelectorAll('{STAGE} [data-tool], {STAGE} .stage-prompt')]"
        assert page.tab.value(f"{shown}.filter(e => e.checkVisibility()).length") == 0
        assert page.count(KNOB) == 0
        assert "read-only" in page.texts(".tag")
    assert path.read_text() == CRANK_ROCKER
