"""pliant graph as a user meets it."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from pliant.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CRANK = str(EXAMPLES / "planar_slider_crank.yaml")


def test_summary_is_printed(capsys):
    assert main(["graph", CRANK]) == 0
    text = capsys.readouterr().out
    assert "planar slider-crank: linear graph, tree: joint" in text
    assert "5 constraint equations" in text
    assert "r_rod = r_O + r_arm(crank.A) + r_A" in text


def test_networks_are_named_beside_the_linear_graph(capsys):
    assert main(["graph", str(EXAMPLES / "crank_rocker.yaml")]) == 0
    assert "networks, which are bond graphs (--kind bond): drive" in capsys.readouterr().out


def test_a_network_alone_has_no_ground(tmp_path, capsys):
    file = tmp_path / "rc.yaml"
    file.write_text(
        "pliant: 1\nnetworks: {n: {elements: {a: {junction: 1}, s: {Se: 1, on: a}, "
        "c: {C: 1, on: a}, r: {R: 1, on: a}}}}\n"
    )
    assert main(["graph", str(file), "--kind", "bond"]) == 0
    assert "4 elements: 1 Se, 1 C, 1 R, 1 1-junction" in capsys.readouterr().out


def test_tree_of_the_command_line_chooses_coordinates(capsys):
    assert main(["graph", CRANK, "--tree", "O, B, S"]) == 0
    assert "O.angle, S.displacement, B.angle" in capsys.readouterr().out


def test_pictures_are_written(tmp_path, capsys):
    outputs = [tmp_path / f"g.{ending}" for ending in ("svg", "png", "dot")]
    flags = [flag for path in outputs for flag in ("-o", str(path))]
    assert main(["graph", CRANK, "--kind", "linear", "--virtual-work", *flags]) == 0
    assert capsys.readouterr().out.count("wrote ") == 3
    root = ElementTree.parse(outputs[0]).getroot()
    assert any(e.get("data-name") == "W.A.rod" for e in root.iter())
    assert outputs[1].read_bytes().startswith(b"\x89PNG")
    assert "dashed" in outputs[2].read_text()


def test_json_holds_the_matrices(capsys):
    assert main(["graph", CRANK, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    A = data["matrices"]["incidence"]
    assert A["rows"] == data["nodes"]
    assert A["columns"] == [e["name"] for e in data["edges"]]
    for k, edge in enumerate(data["edges"]):
        column = np.array(A["values"])[:, k]
        assert data["nodes"][int(np.argmax(column))] == edge["tail"]
        assert data["nodes"][int(np.argmin(column))] == edge["head"]
    assert data["constraints"] == 5
    assert [e["name"] for e in data["edges"] if e["in_tree"]] == (
        data["matrices"]["cutsets"]["rows"])  # fmt: skip


def test_bond_graph_is_reported_and_drawn(tmp_path, capsys):
    assert main(["graph", CRANK, "--kind", "bond"]) == 0
    text = capsys.readouterr().out
    assert "planar slider-crank: multibond graph, tree: joint" in text
    assert "bodies crank, slider, rod: translation derivative, rotation derivative" in text
    assert "M 21 x 21 with 23 multipliers" in text
    path = tmp_path / "g.svg"
    assert main(["graph", CRANK, "--kind", "bond", "--full", "-o", str(path)]) == 0
    names = {e.get("data-name") for e in ElementTree.parse(path).getroot().iter()}
    assert {"crank.xi.M", "O.u", "B.CN", "motor"} <= names


def test_bond_graph_follows_the_tree(capsys):
    assert main(["graph", CRANK, "--kind", "bond", "--tree", "O, B, S", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["coordinates"] == ["O.angle", "S.displacement", "B.angle"]
    constraintors = [e["name"] for e in data["elements"] if e["kind"] == "CN"]
    assert constraintors == ["A.CN"]
    for bond in data["bonds"]:
        assert len(bond["effort_to"]) == bond["dimension"]
    assert {f["kind"] for f in data["findings"]} == {"dependent"}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--kind", "petri"], "unknown kind of graph 'petri'; known: linear, bond"),
        (["--tree", "O,nix"], "'nix' is no joint, body or driver"),
        (["--tree", "O,A,B,S"], "would close a loop"),
        (["--set", "k=1"], "no parameter 'k'"),
        (["--set", "l1"], "not NAME=VALUE"),
    ],
)
def test_bad_input_is_one_message_and_writes_nothing(tmp_path, capsys, flags, message):
    assert main(["graph", CRANK, "-o", str(tmp_path / "g.svg"), *flags]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("pliant: ")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_bad_names_of_files_are_refused(tmp_path, capsys):
    assert main(["graph", CRANK, "-o", str(tmp_path / "g.xls")]) == 2
    assert "use .svg, .png, .dot" in capsys.readouterr().err
    assert main(["graph", CRANK, "-o", str(tmp_path / "no" / "g.svg")]) == 2
    assert "there is no folder" in capsys.readouterr().err
