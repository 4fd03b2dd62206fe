"""Cases that time the derivation of equations to read: what they derive, and the page."""

from pliant.bench.derivation import CASES, Derivation, Derived, arm, derive
from pliant.bench.page import page
from pliant.cli import main


def test_arm_of_two_links_is_the_double_pendulum():
    system = arm(2, "z")
    assert system.check().freedom == 2
    e = system.equations()
    assert e.text().partition("q2:  0 = ")[2] == (
        "(I2 + m2*(l2**2/4 + l1*l2*cos(q2)/2))*q1'' + (I2 + m2*l2**2/4)*q2''\n"
        "      + m2*l1*l2*sin(q2)*q1'**2/2 + m2*g*l2*cos(q1 + q2)/2"
    )


def test_a_case_is_derived_and_told():
    found = derive(Derivation("two", "two links", 100.0, lambda: arm(2, "z")), rounds=2)
    assert found.reached
    assert (found.coordinates, found.terms) == (2, sum(map(len, arm(2, "z").equations().residual)))
    assert f"| `two`: two links | 2 | {found.terms} | 0.0" in page([], [found])


def test_too_slow_is_not_reached():
    assert not Derived(CASES[0], CASES[0].wanted + 0.01, 6, 100).reached


def test_derivation_needs_no_other_program(capsys, tmp_path):
    file = tmp_path / "page.md"
    assert main(["bench", CASES[0].name, "--rounds", "1", "-o", str(file)]) in (0, 1)
    assert "coordinates" in capsys.readouterr().out
    assert "## Derivation" in file.read_text()
