"""Equations printed in S1 (Shi, McPhee 2000), proved by ==, and how they are written here."""

import pytest
from tests.unit.reading.mechanisms import Rotor, SliderCrank

from pliant.reading.algebra import equation_lines, latex, text


@pytest.fixture(scope="module")
def crank():
    return SliderCrank()


@pytest.fixture(scope="module")
def rotor():
    return Rotor()


def test_slider_crank_forces_are_those_of_42_and_43(crank):
    c, s = crank.space.cos(crank.q[1]), crank.space.sin(crank.q[1])
    (u1, u2), (a1, a2) = crank.u, crank.a
    I11, I12, m11, m12, l11, l12 = crank.I11, crank.I12, crank.m11, crank.m12, crank.l11, crank.l12
    coupling = I12 + m12 * l12**2 / 4 - m12 * l11 * l12 / 2 * c
    first = I11 + I12 + m11 * l11**2 / 4 + m12 * (l11**2 + l12**2 / 4) - m12 * l11 * l12 * c
    Q1 = crank.T - first * a1 - coupling * a2 - m12 * l11 * l12 / 2 * (u2**2 + 2 * u1 * u2) * s
    Q2 = -coupling * a1 - (I12 + m12 * l12**2 / 4) * a2 + m12 * l11 * l12 / 2 * u1**2 * s
    assert crank.Q1 == Q1
    assert crank.Q2 == Q2


def test_slider_crank_constraints_and_jacobian_are_those_of_36_and_37(crank):
    """J of (37) with its misprint corrected: -∂Φ/∂α1 = ∂Φ/∂(α2, s) J, by cross-multiplication."""
    space, ops = crank.space, crank.ops
    (q1, q2), l11, l12 = crank.q, crank.l11, crank.l12
    cos, sin = space.cos, space.sin
    Phi = ops.vec(l11 * cos(q1) - l12 * cos(q1 + q2) - crank.s, l11 * sin(q1) - l12 * sin(q1 + q2))
    assert text(Phi[0]) == "-s + l11*cos(alpha1) - l12*cos(alpha1 + alpha2)"
    by_independent = ops.jacobian(Phi, q1)
    by_dependent = ops.jacobian(Phi, ops.vec(q2, crank.s))
    assert by_dependent == ops.mat([[l12 * sin(q1 + q2), -1], [-l12 * cos(q1 + q2), 0]])
    common = l12 * cos(q1 + q2)
    J_times_common = ops.vec(
        l11 * cos(q1) - common,
        l12 * (-l11 * sin(q1) * cos(q1 + q2) + l11 * cos(q1) * sin(q1 + q2)),
    )
    assert by_dependent @ J_times_common == -common * by_independent


def test_lagrange_in_world_axes_gives_the_same_forces(crank):
    """A second derivation: d/dt ∂T/∂u - ∂T/∂q of the kinetic energy."""
    ops, space = crank.ops, crank.space
    (q1, q2), (u1, u2) = crank.q, crank.u
    l11, l12, turning = crank.l11, crank.l12, u1 + u2
    vx = -l11 * u1 * space.sin(q1) + l12 / 2 * turning * space.sin(q1 + q2)
    vy = l11 * u1 * space.cos(q1) - l12 / 2 * turning * space.cos(q1 + q2)
    energy = crank.m11 * (l11 * u1 / 2) ** 2 + crank.I11 * u1**2
    energy = (energy + crank.m12 * (vx**2 + vy**2) + crank.I12 * turning**2) / 2
    q, u, a = ops.vec(q1, q2), ops.vec(u1, u2), ops.vec(*crank.a)
    momentum = ops.gradient(energy, u)
    rate = ops.jtimes(momentum, ops.stack([q, u]), ops.stack([u, a]))
    assert rate - ops.gradient(energy, q) == ops.vec(crank.T - crank.Q1, -crank.Q2)


def test_slider_crank_as_a_person_writes_it(crank):
    parameters = ["I11", "I12", "m11", "m12"]
    Q1, Q2 = (equation_lines(Q, crank.a, crank.u, parameters) for Q in (crank.Q1, crank.Q2))
    assert text(Q1) == (
        "-(I11 + I12 + m11*l11**2/4 + m12*(l11**2 + l12**2/4 - l11*l12*cos(alpha2)))*alpha1''"
        " - (I12 + m12*(l12**2/4 - l11*l12*cos(alpha2)/2))*alpha2''"
        " - m12*l11*l12*sin(alpha2)/2*(alpha2'**2 + 2*alpha1'*alpha2') + T"
    )
    assert text(Q2) == (
        "-(I12 + m12*(l12**2/4 - l11*l12*cos(alpha2)/2))*alpha1''"
        " - (I12 + m12*l12**2/4)*alpha2'' + m12*l11*l12*sin(alpha2)*alpha1'**2/2"
    )
    assert latex(Q2) == (
        r"-\left(I_{12} + m_{12} \left(\frac{l_{12}^{2}}{4} - \frac{l_{11} l_{12}}{2}"
        r" \cos \alpha_{2}\right)\right) \ddot{\alpha}_{1}"
        r" - \left(I_{12} + \frac{m_{12} l_{12}^{2}}{4}\right) \ddot{\alpha}_{2}"
        r" + \frac{m_{12} l_{11} l_{12}}{2} \dot{\alpha}_{1}^{2} \sin \alpha_{2}"
    )


def printed_rotor(rotor):
    """dyn of section 5.2, with W = m3 g."""
    psi, theta, _ = rotor.q
    (du, dt, df), (ddu, ddt, ddf) = rotor.u, rotor.a
    c, s = rotor.space.cos(theta), rotor.space.sin(theta)
    m3, L, R, W = rotor.m3, rotor.L, rotor.R, rotor.m3 * rotor.g
    first = (m3 * R**2 / 4 + m3 * R**2 * c**2 / 4 - m3 * L**2 * c**2 + m3 * L**2) * ddu
    first = first - m3 * R**2 * c * ddf / 2 + m3 * R**2 * s * df * dt / 2 - rotor.T1
    first = first + (-s * m3 * R**2 * c / 2 + 2 * m3 * c * L**2 * s) * du * dt
    second = (m3 * R**2 / 4 + m3 * L**2) * ddt - m3 * R**2 * s * du * df / 2
    second = second + (-m3 * c * L**2 * s + s * m3 * R**2 * c / 4) * du**2
    along = -(rotor.space.sin(psi) ** 2) * L - rotor.space.cos(psi) ** 2 * L
    second = second - W * s * along
    third = -m3 * R**2 * c * ddu / 2 + m3 * R**2 * ddf / 2 + m3 * R**2 * s * dt * du / 2
    return [first, second, third - rotor.T2]


def test_rotor_equations_are_the_printed_ones(rotor):
    assert rotor.rows == printed_rotor(rotor)


def test_rotor_at_constant_rates_is_dyn1(rotor):
    ops = rotor.ops
    rates = ops.vec(rotor.a[0], rotor.a[2])
    found = ops.substitute(rotor.rows, rates, ops.zeros(2))
    (du, dt, df), ddt, theta = rotor.u, rotor.a[1], rotor.q[1]
    c, s = rotor.space.cos(theta), rotor.space.sin(theta)
    m3, L, R, W = rotor.m3, rotor.L, rotor.R, rotor.m3 * rotor.g
    assert found[0] == (
        m3 * R**2 * s * df * dt / 2 - rotor.T1
        + (-s * m3 * R**2 * c / 2 + 2 * m3 * c * L**2 * s) * du * dt
    )  # fmt: skip
    assert found[1] == (
        (m3 * R**2 / 4 + m3 * L**2) * ddt + (-m3 * c * L**2 * s + s * m3 * R**2 * c / 4) * du**2
        - m3 * R**2 * s * du * df / 2 + W * L * s
    )  # fmt: skip
    assert found[2] == m3 * R**2 * s * dt * du / 2 - rotor.T2


def test_rotor_as_a_person_writes_it(rotor):
    lines = [text(equation_lines(row, rotor.a, rotor.u, ["m3"])) for row in rotor.rows]
    assert lines == [
        "m3*(R**2/4 + L**2*sin(theta)**2 + R**2*cos(theta)**2/4)*psi'' - m3*R**2*cos(theta)*phi''/2"
        " + m3*sin(theta)*cos(theta)*(2*L**2 - R**2/2)*psi'*theta'"
        " + m3*R**2*sin(theta)*theta'*phi'/2 - T1",
        "m3*(L**2 + R**2/4)*theta'' - m3*sin(theta)*cos(theta)*(L**2 - R**2/4)*psi'**2"
        " - m3*R**2*sin(theta)*psi'*phi'/2 + m3*L*g*sin(theta)",
        "-m3*R**2*cos(theta)*psi''/2 + m3*R**2*phi''/2 + m3*R**2*sin(theta)*psi'*theta'/2 - T2",
    ]
    assert latex(equation_lines(rotor.rows[1], rotor.a, rotor.u, ["m3"])) == (
        r"m_{3} \left(L^{2} + \frac{R^{2}}{4}\right) \ddot{\theta}"
        r" - m_{3} \left(L^{2} - \frac{R^{2}}{4}\right) \dot{\psi}^{2} \sin \theta \cos \theta"
        r" - \frac{m_{3} R^{2}}{2} \dot{\psi} \dot{\phi} \sin \theta + m_{3} L g \sin \theta"
    )
