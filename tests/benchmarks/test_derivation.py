"""Cases that time the derivation of equations to read: what they derive."""

from benchmarks.derivation import Derivation, arm, derive


def test_arm_of_two_links_is_the_double_pendulum():
    system = arm(2, "z")
    assert system.check().freedom == 2
    e = system.equations()
    assert e.text().partition("q2:  0 = ")[2] == (
        "(I2 + m2*(l2**2/4 + l1*l2*cos(q2)/2))*q1'' + (I2 + m2*l2**2/4)*q2''\n"
        "      + m2*l1*l2*sin(q2)*q1'**2/2 + m2*g*l2*cos(q1 + q2)/2"
    )


def test_a_case_is_derived():
    found = derive(Derivation("two", "two links", 100.0, lambda: arm(2, "z")), rounds=2)
    assert found.coordinates == 2
    assert found.terms == sum(map(len, arm(2, "z").equations().residual))
