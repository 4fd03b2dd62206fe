"""Kane's equations in the form of the books: rolling disc, pendulating rotor, knife edge.

Rolling disc: Kane, Levinson, Dynamics: Theory and Applications (1985), for a thin uniform disc in
the components u1, u2, u3 of its angular velocity along axes that lean but do not spin.
"""

from pathlib import Path

import pytest
from tests.published.test_equations import NAMES, Symbols, printed_rotor

import pliant as pl

EXAMPLES = Path(__file__).parents[2] / "examples"
DISC = {"contact.x": "x", "contact.y": "y", "contact.angle": "q1", "lean.angle": "q2",
        "spin.angle": "q3"}  # fmt: skip


@pytest.fixture(scope="module")
def disc():
    return pl.load(EXAMPLES / "rolling_disc.yaml").equations("kane", form="embedding", names=DISC)


def test_rolling_disc_has_the_equations_of_the_book(disc):
    """u1' = (4 g/R sin q2 + 6 u2 u3 - u3² tan q2)/5
    u2' = -2/3 u1 u3,   u3' = -2 u1 u2 + u1 u3 tan q2."""
    m, R, g, q2, u1, u2, u3, a1, a2, a3 = Symbols(disc)("m R g q2 u1 u2 u3 u1' u2' u3'")
    sin, tan = disc.space.sin(q2), disc.space.sin(q2) / disc.space.cos(q2)
    assert disc.rows == ("u1", "u2", "u3")
    assert list(disc.residual) == [
        5 * m * R**2 / 4 * (a1 - (4 * g / R * sin + 6 * u2 * u3 - u3**2 * tan) / 5),
        3 * m * R**2 / 2 * (a2 + 2 * u1 * u3 / 3),
        m * R**2 / 4 * (a3 + 2 * u1 * u2 - u1 * u3 * tan),
    ]


def test_rolling_disc_has_the_kinematic_equations_of_the_book(disc):
    """q1' = u3 / cos q2, q2' = u1, q3' = u2 - u3 tan q2; the contact runs at R q3'."""
    R, q1, q2, u1, u2, u3 = Symbols(disc)("R q1 q2 u1 u2 u3")
    cos, sin = disc.space.cos, disc.space.sin
    spin = u2 - u3 * sin(q2) / cos(q2)
    expected = [R * spin * cos(q1), R * spin * sin(q1), u3 / cos(q2), u1, spin]
    assert list(disc.equations.qdot) == expected


def test_table_of_partial_velocities(disc):
    written = disc.text()
    table = """\
Partial velocities of disc, axes of yoke
  dw_disc/du1 = [1, 0, 0]
  dw_disc/du2 = [0, 1, 0]
  dw_disc/du3 = [0, 0, 1]
  dv_disc/du1 = [0, -R, 0]
  dv_disc/du2 = [R, 0, 0]
"""
    assert table in written
    assert r"\frac{\partial v_{\mathrm{disc}}}{\partial u_{1}}" in disc.latex()
    assert "dw_disc/du1 = [1, 0, 0]" in disc.as_dict()["sections"][table.split("\n")[0]]


def test_rotor_has_the_printed_equations():
    e = pl.load(EXAMPLES / "pendulating_rotor.yaml").equations("kane", names=NAMES)
    assert e.rows == ("psi", "theta", "phi")
    assert list(e.residual) == printed_rotor(Symbols(e), e.space.cos, e.space.sin)


def test_rotor_with_drivers_in_the_tree():
    system = pl.load(EXAMPLES / "pendulating_rotor.yaml")
    ours, other = (
        system.equations(name, tree=["T1", "nutation", "T2"], names={"nutation.angle": "theta"})
        for name in ("kane", "recursive")
    )
    assert [repr(x) for x in ours.residual] == [repr(x) for x in other.residual]


def test_skate_has_two_equations_in_its_own_speeds():
    e = pl.load(EXAMPLES / "skate.yaml").equations("kane", form="embedding")
    m, I, g, alpha, angle = Symbols(e)("m I g alpha slope.angle")
    along, turning = Symbols(e)("along' slope.angle''")
    pull = m * g * e.space.sin(alpha) * e.space.cos(angle)
    assert list(e.residual) == [m * along - pull, I * turning]
