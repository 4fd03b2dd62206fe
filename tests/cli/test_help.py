"""Help, completion, and what is listed before a run."""

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pliant.cli import main
from pliant.cli.files.completion import completed, words_in
from pliant.cli.help import EXAMPLES, GROUPS
from pliant.cli.main import COMMANDS, parser

MODELS = Path(__file__).parents[2] / "examples"
PENDULUM = str(MODELS / "pendulum.yaml")


def help_of(name, capsys):
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    return capsys.readouterr().out


def test_pliant_alone_lists_all_commands_by_group(capsys):
    assert main([]) == 0
    told = capsys.readouterr().out
    for name, command in COMMANDS.items():
        assert f"\n  {name} " in told
        assert command.group in GROUPS
    places = [told.index(f"\n{title}:") for title in GROUPS.values()]
    assert places == sorted(places)
    assert len(told[told.index(EXAMPLES) :].strip().splitlines()) == 5


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_two_examples_that_can_be_read(name, capsys):
    text = help_of(name, capsys)
    shown = text[text.index(EXAMPLES) + len(EXAMPLES) :].strip().splitlines()
    assert len(shown) == 2
    for line in shown:
        words = shlex.split(line.strip().partition(" >")[0])
        assert words[:2] == ["pliant", name]
        options = parser([name]).parse_args(words[1:])
        assert callable(options.action)


def test_options_tell_what_they_take(capsys):
    text = " ".join(help_of("run", capsys).split())
    assert "{recursive, linear-graph, multibond, natural, kane}" in text
    assert "generalized-alpha, hht, newmark, sparse-alpha, sparse-conserving}" in text
    assert "{projection, baumgarte, elimination," in text


def test_words_are_completed():
    assert completed(["ver"]) == ["verify"]
    assert completed(["run", "--formu"]) == ["--formulation"]
    assert completed(["run", "x.yaml", "--formulation", "k"]) == ["kane"]
    assert completed(["run", "--analysis", "inv"]) == ["inverse"]
    assert completed(["new", "--template", "net"]) == ["network"]
    assert completed(["run", PENDULUM, "--set", ""]) == ["L=", "m="]
    assert completed(["run", "--rtol", "1e-3", PENDULUM, "--observe", "pivot.angle,kin"]) == [
        "pivot.angle,kinetic_energy", "pivot.angle,kinetic_energy_rate"]  # fmt: skip
    assert completed(["run", "no_such.yaml", "--set", ""]) == []
    assert completed(["nothing", "x"]) == completed(["run", "exam"]) == []


def test_bash_completes(tmp_path):
    """As bash does: what it offers after a line, with its own word breaks."""
    bash = shutil.which("bash")
    escaped = str(shutil.copy(PENDULUM, tmp_path / "my model.yaml")).replace(" ", "\\ ")
    script = (
        f'eval "$({shlex.quote(sys.executable)} -m pliant completion bash)"\n'
        f'pliant() {{ {shlex.quote(sys.executable)} -m pliant "$@"; }}\n'
        "compopt() { :; }\n"
        'ask() { COMP_LINE="$1"; COMP_POINT=${#1}; _pliant; printf "%s\\n" "${COMPREPLY[@]}"; }\n'
        "ask 'pliant adv'\n"
        f"ask 'pliant run {PENDULUM} --set L'\n"
        "ask 'pliant equations m.yaml --formulation nat'\n"
        f"ask 'pliant run {escaped} --set L'\n"
        "ask 'pliant completion z'\n"
    )
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["advise", "L=", "natural", "L=", "zsh"], done.stderr


def test_lines_are_read_as_a_shell_reads_them():
    assert words_in("pliant ") == [""]
    assert words_in("pliant run my\\ model.yaml --se") == ["run", "my model.yaml", "--se"]
    assert words_in("pliant run 'my model.yaml' ") == ["run", "my model.yaml", ""]
    assert words_in('pliant run "my mo') == ["run", "my mo"]
    assert completed(words_in("pliant completion ")) == ["bash", "zsh", "fish"]


def test_only_known_shells_are_completed(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "unknown shell 'tcsh'; known: bash, fish, zsh" in capsys.readouterr().err


def test_observables_are_listed_before_a_run(capsys):
    assert main(["run", PENDULUM, "--list", "--observe", "pivot.*"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[:2] == [["pivot.angle", "rad"], ["pivot.angle_rate", "rad/s"]]
    assert main(["run", PENDULUM, "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["energy"] == "J"
    assert main(["run", PENDULUM, "--list", "--observe", "nothing"]) == 2


def test_examples_are_grouped_with_whole_sentences(capsys):
    assert main(["examples"]) == 0
    told = capsys.readouterr().out
    groups = {g.split(":")[0]: g.split("\n") for g in told.split("\n\n")}
    assert "  crank_rocker" in groups["motors, circuits and hydraulics"]
    assert "  planetary_gear" in groups["rigid mechanisms"]
    assert "  skate" in groups["rolling and skating"]
    assert "rest at a right angle (IFToMM A01).\n" in told
    assert all(f"\n  {path.stem}\n" in told for path in MODELS.glob("*.yaml"))


def test_own_commands_are_listed_last(registries):
    from pliant.cli.main import Command

    def add_to(commands):
        commands.add_parser("greet", help="say hello").set_defaults(action=lambda options: 0)

    COMMANDS["greet"] = Command("greet", add_to)
    text = parser().format_help()
    assert "\n  greet" in text[text.index("\nmore:") :]
    assert isinstance(parser(["greet"]), argparse.ArgumentParser)
    assert main(["greet"]) == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["run", "m.yaml", "--evry", "3", "--bogus"],
         "there is no option '--evry', did you mean '--every'?; there is no option '--bogus';"),
        (["run", "m.yaml", "more"], "'more' is a word too many; pliant run --help tells more"),
        (["run"], "the following arguments are required: MODEL; pliant run --help tells more"),
        (["run", "m.yaml", "--rtol", "abc"], "--rtol: invalid float value: 'abc'"),
        (["plot"], "required: RESULT|MODEL; pliant plot --help"),
        (["rnu", "m.yaml"], "there is no command 'rnu', did you mean 'run'?; pliant --help"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_one_line_of_words(line, told, capsys):
    with pytest.raises(SystemExit) as end:
        main(line)
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert said.startswith("pliant: ")
    assert told in said
    assert said.count("\n") == 1


def test_a_result_given_as_a_model_is_told(tmp_path, capsys):
    (tmp_path / "run.nc").write_bytes(b"\x89HDF")
    assert main(["check", str(tmp_path / "run.nc")]) == 2
    assert "run.nc is a result, no model" in capsys.readouterr().err
