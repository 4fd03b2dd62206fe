"""What windows, the file on disk and the workers do to one open document."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.studio.talking import PENDULUM, Studio, Talk, in_studio

import pliant as pl
from pliant.model.files.templates import TEMPLATES, template_text
from pliant.studio.document.offsets import Offsets
from pliant.studio.serve.start import open_studio
from pliant.studio.views.text.checked import checked


def test_an_edit_reaches_every_window_and_can_be_undone_from_any(model):
    async def go(studio, first):
        async with studio.window(window="second") as second:
            await second.wait("outline")
            at = PENDULUM.index("1 m ")
            answer = await first.ask("edit", revision=1, splices=[[at, at + 1, "2"]], group="a")
            assert answer["type"] == "accepted"
            for window in (first, second):
                change = await window.wait("changed", revision=2)
                assert change["splices"] == [[at, at + 1, "2"]]
                assert change["window"] == "test"
                assert not change["saved"]
            outline = await second.wait("outline")
            assert "2 m" in json.dumps(outline)
            await second.send("undo")
            assert (await first.wait("changed", revision=3))["saved"]
            return studio.document.text

    assert in_studio(model, go) == PENDULUM


def test_what_one_window_selects_is_selected_in_the_others(model):
    async def go(studio, first):
        async with studio.window(window="second") as second:
            await second.wait("outline")
            await first.send("select", names=["bob"])
            return (await second.wait("selected", names=["bob"]))["names"]

    assert in_studio(model, go) == ["bob"]


def test_faults_follow_the_text_with_their_places(model):
    async def go(studio, window):
        at = PENDULUM.index("ground, bob") + len("ground, ")
        await window.ask("edit", revision=1, splices=[[at, at + 3, "bib"]], group="")
        found = await window.wait("faults", revision=2)
        refused = await window.ask("run", analysis="transient", options={}, params={})
        return found, refused, studio.document.text

    found, refused, text = in_studio(model, go)
    (fault,) = found["faults"]
    assert fault["name"] == "O"
    assert "bib" in text[slice(*fault["span"])]
    assert "did you mean" in fault["cure"]
    assert refused["what"] == "the model has 1 fault"


def test_a_text_that_is_no_model_keeps_the_views_and_says_where(model):
    async def go(studio, window):
        await window.ask("edit", revision=1, splices=[[0, 0, "bodies: {a: [\n"]], group="")
        return await window.wait("faults", revision=2)

    found = in_studio(model, go)
    assert found["unreadable"]
    assert "not valid YAML" in found["faults"][0]["what"]


def test_a_text_of_ten_megabytes_is_kept_and_said_to_be_too_large_to_read(model):
    data = "# " + "x" * 10_000_000 + "\n"

    async def go(studio, window):
        answer = await window.ask("edit", revision=1, splices=[[0, 0, data]], group="")
        found = await window.wait("faults", revision=2)
        saved = await window.ask("save")
        return answer["type"], found, saved["type"]

    answer, found, saved = in_studio(model, go)
    assert (answer, saved) == ("accepted", "saved")
    assert "a text of 10.0 million characters is not read here" in found["faults"][0]["what"]
    assert model.read_text() == data + PENDULUM


def test_a_system_shows_its_model_as_a_text_without_a_file(model, monkeypatch, capsys):
    shown = []

    async def at_once(session):
        shown.append((session.document.text, session.document.path))

    monkeypatch.setattr("pliant.studio.serve.server._until_the_end", at_once)
    system = pl.load(model)
    system.studio(browser=False)
    ((text, path),) = shown
    assert pl.loads(text).described == system.described
    assert path is None
    assert capsys.readouterr().out.startswith("Pliant Studio: http://127.0.0.1:")


def test_a_browser_that_does_not_start_is_said(model, monkeypatch, capsys):
    async def at_once(session):
        pass

    monkeypatch.setattr("pliant.studio.serve.server._until_the_end", at_once)
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    open_studio(str(model))
    assert "no browser could be started: open this address in one" in capsys.readouterr().out


@pytest.mark.parametrize("root", [None, ""])
def test_a_folder_of_models_is_where_a_new_one_begins(model, monkeypatch, root):
    begun = []

    async def served(document, folder, **_):
        begun.append((document.text, document.path, document.read_only, folder.resolve()))
        document.journal.close()

    monkeypatch.setattr("pliant.studio.serve.start.run", served)
    outer = model.parent.parent
    open_studio(str(model.parent), root=None if root is None else str(outer), read_only=True)
    assert begun == [("", None, True, outer if root == "" else model.parent)]


def test_a_stale_edit_is_refused_and_nothing_is_lost(model):
    async def go(studio, window):
        await window.ask("edit", revision=1, splices=[[0, 9, "pliant: 1 "]], group="")
        answer = await window.ask("edit", revision=1, splices=[[3, 5, "x"]], group="")
        return answer, studio.document.text

    answer, text = in_studio(model, go)
    assert answer["type"] == "refused"
    assert text.startswith("pliant: 1 \n")


def test_a_value_is_set_in_its_place(model):
    async def go(studio, window):
        await window.ask("set", revision=1, path=["parameters", "l"], value="1.5 m")
        await window.ask("save")
        return studio.document.is_saved

    assert in_studio(model, go)
    assert model.read_text() == PENDULUM.replace("l: 1 m ", "l: 1.5 m ")


def test_the_file_edited_elsewhere_is_followed_within_a_second(model):
    async def go(studio, window):
        model.write_text(PENDULUM.replace("1 kg", "3 kg"))
        started = time.monotonic()
        change = await window.wait("changed")
        return change, time.monotonic() - started

    change, seconds = in_studio(model, go)
    assert change["label"] == "changed on disk"
    assert change["saved"]
    assert seconds < 1.0


@pytest.mark.parametrize("choice", ["mine", "theirs"])
def test_a_file_changed_on_both_sides_is_asked_for(model, choice):
    theirs = PENDULUM.replace("1 kg", "3 kg")

    async def go(studio, window):
        await window.ask("edit", revision=1, splices=[[0, 0, "# mine\n"]], group="")
        model.write_text(theirs)
        assert (await window.wait("disk"))["state"] == "changed"
        assert studio.document.text.startswith("# mine")
        await window.ask("disk", choice=choice)
        saved = await window.ask("save")
        return saved["type"], studio.document.text

    kind, text = in_studio(model, go)
    assert kind == "saved"
    assert text == model.read_text() == ("# mine\n" + PENDULUM if choice == "mine" else theirs)


def test_saving_over_a_change_that_was_not_seen_is_a_question(model, monkeypatch):
    monkeypatch.setattr("pliant.studio.serve.session.WATCH", 3600)

    async def go(studio, window):
        await window.ask("edit", revision=1, splices=[[0, 0, "# mine\n"]], group="")
        model.write_text("# theirs\n")
        asked = await window.ask("save")
        before = model.read_text()
        forced = await window.ask("save", force=True)
        return asked, before, forced

    asked, before, forced = in_studio(model, go)
    assert asked["type"] == "conflict"
    assert asked["text"] == before == "# theirs\n"
    assert forced["type"] == "saved"
    assert model.read_text().startswith("# mine")


def test_a_file_that_went_is_told_of(model):
    async def go(studio, window):
        model.unlink()
        return await window.wait("disk")

    assert in_studio(model, go)["state"] == "gone"


def test_read_only_refuses_changes_and_looks_all_the_same(model):
    async def go(studio, window):
        answers = [
            await window.ask("edit", revision=1, splices=[[0, 0, "#"]], group=""),
            await window.ask("set", revision=1, path=["name"], value="x"),
            await window.ask("save"),
        ]
        return answers, await window.ask("look", what="scene", arguments={})

    answers, view = in_studio(model, go, read_only=True)
    assert [answer["type"] for answer in answers] == ["refused"] * 3
    assert view["data"]["scene"]["bodies"][0]["name"] == "bob"
    assert model.read_text() == PENDULUM


def test_another_model_is_opened_and_a_new_one_begun(model):
    other = model.with_name("other.json")
    other.write_text('{"pliant": 1, "name": "other"}')

    async def go(studio, window):
        await window.ask("open", path="other.json")
        opened = await window.wait("document", name="other.json")
        await window.ask("new", path="new.yaml", template="spatial")
        begun = await window.wait("document", name="new.yaml")
        faults = await window.wait("faults", faults=[])
        refused = await window.ask("open", path="other.json")
        await window.ask("save")
        return opened, begun, faults, refused

    opened, begun, faults, refused = in_studio(model, go)
    assert opened["format"] == "json"
    assert begun["revision"] > opened["revision"]
    assert faults["faults"] == []
    assert "not saved" in refused["what"]
    assert "spherical" in model.with_name("new.yaml").read_text()


def test_a_run_gives_the_numbers_of_the_command_line(model, tmp_path):
    async def go(studio, window):
        asked = {"analysis": "transient", "options": {}, "params": {"l": "0.5 m"}}
        job = (await window.ask("run", **asked))["job"]
        while True:
            told = (await window.wait("job"))["job"]
            if told["id"] == job and told["state"] in ("done", "failed"):
                break
        run = [r for m in window.heard if m["type"] == "runs" for r in m["runs"]][-1]
        await window.ask("series", run=run["id"], names=["O.angle"])
        return run, window.frames[-1]

    run, frame = in_studio(model, go)
    out = tmp_path / "out.csv"
    command = [sys.executable, "-m", "pliant", "run", model, "--set", "l=0.5 m", "-o", out]
    subprocess.run(command, check=True, capture_output=True)
    assert run["command"] == "pliant run pendulum.yaml --set l='0.5 m'"
    rows = [line.split(",") for line in out.read_text().splitlines() if not line.startswith("#")]
    column = rows[0].index("O.angle [rad]")
    wanted = [float(row[column]) for row in rows[1:]]
    header, numbers = read_frame(frame)
    assert numbers[1] == wanted
    assert header["series"][0]["unit"] == "rad"


def read_frame(frame):
    length = int.from_bytes(frame[:4], "little")
    header = json.loads(frame[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    numbers = memoryview(frame[start:]).cast("d").tolist()
    n = header["count"]
    return header, [numbers[k : k + n] for k in range(0, len(numbers), n)]


@pytest.mark.slow
def test_a_killed_server_loses_nothing_that_was_typed(model, tmp_path, monkeypatch):
    """The process is killed in the middle of an edit; the next studio offers what was typed."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what it had no time to remove
    command = [sys.executable, "-m", "pliant", "studio", str(model), "--no-browser"]

    def started():
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        return process, process.stdout.readline().strip().partition(": ")[2]

    async def typed(address):
        async with window_of(address) as window:
            await window.wait("outline")
            for k, letter in enumerate("# typed\n"):
                await window.ask("edit", revision=k + 1, splices=[[k, k, letter]], group="typing")

    async def recovered(address):
        async with window_of(address) as window:
            assert (await window.wait("journal"))["when"] > 0
            document = await window.wait("document")
            assert document["text"] == PENDULUM
            look = await window.ask("journal", choice="look")
            await window.ask("journal", choice="recover")
            change = await window.wait("changed")
            return look["text"], change["splices"]

    process, address = started()
    asyncio.run(typed(address))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert model.read_text() == PENDULUM
    process, address = started()
    text, splices = asyncio.run(recovered(address))
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    process.stdout.close()
    assert text == "# typed\n" + PENDULUM
    assert splices == [[0, 0, "# typed\n"]]


def window_of(address):
    host, _, token = address.removeprefix("http://").partition("/#token=")
    studio = object.__new__(Studio)
    studio.host, studio.origin, studio.token = host, f"http://{host}", token
    return studio.window()


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("format", ["yaml", "json"])
def test_templates_are_models_without_faults(name, format):
    offsets = Offsets(template_text(name, format))
    faults = [fault.what for fault in checked(offsets, format, None, 1).faults]
    has_bodies = name in ("planar", "spatial", "network")
    assert faults == ([] if has_bodies else ["it has no bodies"])


def test_talk_keeps_what_it_heard():
    """The double of the page itself: messages that nobody waited for are not lost."""
    talk = Talk(None)
    talk.heard.append({"type": "a", "n": 1})
    assert asyncio.run(talk.wait("a", n=1)) == {"type": "a", "n": 1}
