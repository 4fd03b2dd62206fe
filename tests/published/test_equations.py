"""Equations printed in S1 (Shi, McPhee 2000, section 5), derived from the model files in examples/.

Each is proved: the difference to the printed equation is zero, by == of normal forms and once more
through SymPy. Generalised forces Q of the source are minus the rows here: M u' - h = 0. The
Jacobian (37) is misprinted in the source; the corrected one follows from (36).
"""

from pathlib import Path

import pytest
import sympy

import pliant as pl
from pliant.reading.algebra import text

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = {"precession.angle": "psi", "nutation.angle": "theta", "spin.angle": "phi"}


class Symbols:
    """Symbols of readable equations by the names they are printed with."""

    def __init__(self, equations):
        self.space = equations.space
        self.by_text = {s.text: s.name for s in self.space.symbols}

    def __call__(self, names):
        return [self.space.symbol(self.by_text[n]) for n in names.split()]


def sympy_symbols(sympy):
    """Symbols of SymPy by name."""
    return lambda names: [sympy.Symbol(n) for n in names.split()]


# Planar slider-crank, (36) to (45)


def slider_crank(form="augmented", **choice):
    system = pl.load(EXAMPLES / "slider_crank_equations.yaml")
    return system.equations("linear-graph", form=form, **choice)


def embedded():
    return slider_crank("embedding", independent=["alpha1.angle"])


def printed_forces(symbol, cos, sin):
    """Q1 of (42) and Q2 of (43)."""
    T, I11, I12, m11, m12, l11, l12 = symbol("T I11 I12 m11 m12 l11 l12")
    alpha2, v1, v2, a1, a2 = symbol("alpha2 alpha1' alpha2' alpha1'' alpha2''")
    both = I12 + m12 * l12**2 / 4 - m12 * l11 * l12 / 2 * cos(alpha2)
    Q1 = T - both * a2 - m12 * l11 * l12 / 2 * (v2**2 + 2 * v1 * v2) * sin(alpha2)
    Q1 -= a1 * (
        I11 + I12 + m11 * l11**2 / 4 + m12 * (l11**2 + l12**2 / 4) - m12 * l11 * l12 * cos(alpha2)
    )
    Q2 = -both * a1 - (I12 + m12 * l12**2 / 4) * a2 + m12 * l11 * l12 / 2 * v1**2 * sin(alpha2)
    return Q1, Q2


def test_slider_crank_has_the_constraints_36():
    e = slider_crank()
    symbol, cos, sin = Symbols(e), e.space.cos, e.space.sin
    l11, l12, alpha1, alpha2, s = symbol("l11 l12 alpha1 alpha2 s")
    assert list(e.constraints) == [
        l11 * cos(alpha1) - l12 * cos(alpha1 + alpha2) - s,
        l11 * sin(alpha1) - l12 * sin(alpha1 + alpha2),
    ]


def test_slider_crank_has_the_constraint_jacobian_of_37():
    """The two matrices between which (37) inverts."""
    e = slider_crank()
    symbol, cos, sin = Symbols(e), e.space.cos, e.space.sin
    l11, l12, alpha1, alpha2 = symbol("l11 l12 alpha1 alpha2")
    turned = alpha1 + alpha2
    assert [text(u) for u in e.speeds] == ["alpha1'", "s'", "alpha2'"]
    assert list(e.jacobian[:, 2]) == [l12 * sin(turned), -l12 * cos(turned)]
    assert list(e.jacobian[:, 1]) == [-1, 0]
    assert list(e.jacobian[:, 0]) == [
        -l11 * sin(alpha1) + l12 * sin(turned),
        l11 * cos(alpha1) - l12 * cos(turned),
    ]


def test_slider_crank_has_the_transformation_37_without_its_misprint():
    e = embedded()
    symbol, cos, sin = Symbols(e), e.space.cos, e.space.sin
    l11, l12, alpha1, alpha2 = symbol("l11 l12 alpha1 alpha2")
    turned = alpha1 + alpha2
    printed = {  # numerator and denominator
        "s": (-l11 * sin(alpha1) * cos(turned) + l11 * cos(alpha1) * sin(turned), cos(turned)),
        "alpha2": (l11 * cos(alpha1) - l12 * cos(turned), l12 * cos(turned)),
    }
    dependent = [text(e.coordinates[k]) for k in e.dependent]
    assert sorted(dependent) == sorted(printed)
    for name, ratio in zip(dependent, e.ratios, strict=True):
        numerator, denominator = printed[name]
        assert ratio.numerator * denominator == numerator * ratio.denominator


def test_slider_crank_has_the_generalised_forces_42_and_43():
    e = slider_crank()
    Q1, Q2 = printed_forces(Symbols(e), e.space.cos, e.space.sin)
    rows = dict(
        zip(e.rows, e.subs(dict.fromkeys(map(text, e.multipliers), 0)).residual, strict=True)
    )
    assert rows == {"alpha1": -Q1, "alpha2": -Q2, "s": 0}


def test_slider_crank_has_the_multipliers_of_24():
    """M u' + Phi_q^T lambda = F; the sign of lambda is a convention, here M u' = h + G^T lambda."""
    e = slider_crank()
    M, a, h, G, lam = e.mass_matrix, e.accelerations, e.forcing, e.jacobian, e.multipliers
    assert M == M.T
    assert M @ a - h - G.T @ lam == e.residual


def test_slider_crank_has_the_embedded_equation_44():
    """Q1 + Q2 J1 = 0, J1 the first row of (37); 45 says it is the only equation."""
    e = embedded()
    Q1, Q2 = printed_forces(Symbols(e), e.space.cos, e.space.sin)
    (J1,) = (r.symbol for r, k in zip(e.ratios, e.dependent, strict=True)
             if text(e.coordinates[k]) == "alpha2")  # fmt: skip
    assert list(e.residual) == [-(Q1 + Q2 * J1)]


def test_slider_crank_through_sympy():
    found = slider_crank().sympy()
    symbol = sympy_symbols(sympy)
    Q1, Q2 = printed_forces(symbol, sympy.cos, sympy.sin)
    free = found["residual"].subs(dict.fromkeys(found["multipliers"], 0))
    difference = free - sympy.Matrix([-Q1, 0, -Q2])
    assert difference.applyfunc(sympy.expand) == sympy.zeros(3, 1)
    l11, l12, alpha1, alpha2, s = symbol("l11 l12 alpha1 alpha2 s")
    printed = sympy.Matrix([
        l11 * sympy.cos(alpha1) - l12 * sympy.cos(alpha1 + alpha2) - s,
        l11 * sympy.sin(alpha1) - l12 * sympy.sin(alpha1 + alpha2),
    ])  # fmt: skip
    assert (found["constraints"] - printed).applyfunc(sympy.expand_trig).expand().is_zero_matrix
    q = sympy.Matrix([alpha1, s, alpha2])
    assert (found["jacobian"] - printed.jacobian(q)).applyfunc(sympy.expand_trig).expand() == (
        sympy.zeros(2, 3)
    )


def test_slider_crank_as_a_person_writes_it():
    assert (
        slider_crank().text()
        == """\
planar slider-crank in symbols: linear-graph, joint tree, augmented form
Coordinates: alpha1, s, alpha2

Equations of motion
  alpha1:  0 = (I11 + I12 + m11*l11**2/4 + m12*(l11**2 + l12**2/4 - l11*l12*cos(alpha2)))*alpha1''
      + (I12 + m12*(l12**2/4 - l11*l12*cos(alpha2)/2))*alpha2''
      + m12*l11*l12*sin(alpha2)/2*(alpha2'**2 + 2*alpha1'*alpha2') - T
      + lambda_pin_x*(l11*sin(alpha1) - l12*sin(alpha1 + alpha2))
      - lambda_pin_y*(l11*cos(alpha1) - l12*cos(alpha1 + alpha2))
  s:  0 = lambda_pin_x
  alpha2:  0 = (I12 + m12*(l12**2/4 - l11*l12*cos(alpha2)/2))*alpha1''
      + (I12 + m12*l12**2/4)*alpha2'' - m12*l11*l12*sin(alpha2)*alpha1'**2/2
      - l12*lambda_pin_x*sin(alpha1 + alpha2) + l12*lambda_pin_y*cos(alpha1 + alpha2)

Constraints
  pin.x:  0 = -s + l11*cos(alpha1) - l12*cos(alpha1 + alpha2)
  pin.y:  0 = l11*sin(alpha1) - l12*sin(alpha1 + alpha2)"""
    )


def test_embedded_slider_crank_as_a_person_writes_it():
    e = embedded()
    assert (
        e.text()
        == """\
planar slider-crank in symbols: linear-graph, joint tree, embedding form
Coordinates: alpha1, s, alpha2

Equations of motion
  alpha1:  0 = (I11 + J2*(I12 + m12*(l12**2/4 - l11*l12*cos(alpha2)/2)) + I12 + m11*l11**2/4
      + m12*(l11**2 + l12**2/4 - l11*l12*cos(alpha2)))*alpha1''
      + (J2*(I12 + m12*l12**2/4) + I12 + m12*(l12**2/4 - l11*l12*cos(alpha2)/2))*alpha2''
      - m12*l11*l12*J2*sin(alpha2)*alpha1'**2/2
      + m12*l11*l12*sin(alpha2)/2*(alpha2'**2 + 2*alpha1'*alpha2') - T

Constraints
  pin.x:  0 = -s + l11*cos(alpha1) - l12*cos(alpha1 + alpha2)
  pin.y:  0 = l11*sin(alpha1) - l12*sin(alpha1 + alpha2)

Dependent coordinates
  J1 = ds/dalpha1 = l11*sin(alpha2)/cos(alpha1 + alpha2)
  J2 = dalpha2/dalpha1 = (l11*cos(alpha1) - l12*cos(alpha1 + alpha2))/(l12*cos(alpha1 + alpha2))"""
    )
    assert (
        r"J_{1} &= \frac{\partial s}{\partial \alpha_{1}}"
        r" = \frac{l_{11} \sin \alpha_{2}}{\cos \left(\alpha_{1} + \alpha_{2}\right)}"
    ) in e.latex()


# Pendulating rotor, section 5.2


def rotor(**choice):
    return pl.load(EXAMPLES / "pendulating_rotor.yaml").equations(names=NAMES, **choice)


def printed_rotor(symbol, cos, sin):
    """dyn of the source, with m3 = m and W = m g."""
    m, R, L, g, T1, T2, psi, theta = symbol("m R L g T1 T2 psi theta")
    v1, v2, v3, a1, a2, a3 = symbol("psi' theta' phi' psi'' theta'' phi''")
    c, s = cos(theta), sin(theta)
    first = (m * R**2 / 4 + m * R**2 * c**2 / 4 - m * L**2 * c**2 + m * L**2) * a1
    first += -m * R**2 * c * a3 / 2 + m * R**2 * s * v3 * v2 / 2 - T1
    first += (-s * m * R**2 * c / 2 + 2 * m * c * L**2 * s) * v1 * v2
    second = (m * R**2 / 4 + m * L**2) * a2 - m * R**2 * s * v1 * v3 / 2
    second += (-m * c * L**2 * s + s * m * R**2 * c / 4) * v1**2
    second -= m * g * s * (-(sin(psi) ** 2) * L - cos(psi) ** 2 * L)
    third = -m * R**2 * c * a1 / 2 + m * R**2 * a3 / 2 + m * R**2 * s * v2 * v1 / 2 - T2
    return [first, second, third]


@pytest.mark.parametrize("formulation", ["recursive", "linear-graph"])
def test_rotor_has_the_printed_equations(formulation):
    e = rotor(formulation=formulation)
    assert e.rows == ("psi", "theta", "phi")
    assert list(e.residual) == printed_rotor(Symbols(e), e.space.cos, e.space.sin)


def test_rotor_at_constant_rates_is_dyn1():
    e = rotor().subs({"psi''": 0, "phi''": 0})
    symbol, cos, sin = Symbols(e), e.space.cos, e.space.sin
    m, R, L, g, T1, T2, theta = symbol("m R L g T1 T2 theta")
    v1, v2, v3, a2 = symbol("psi' theta' phi' theta''")
    c, s = cos(theta), sin(theta)
    assert list(e.residual) == [
        m * R**2 * s * v3 * v2 / 2 - T1
        + (-s * m * R**2 * c / 2 + 2 * m * c * L**2 * s) * v1 * v2,
        (m * R**2 / 4 + m * L**2) * a2 + (-m * c * L**2 * s + s * m * R**2 * c / 4) * v1**2
        - m * R**2 * s * v1 * v3 / 2 + m * g * L * s,
        m * R**2 * s * v2 * v1 / 2 - T2,
    ]  # fmt: skip


def test_drivers_in_the_tree_leave_the_equation_of_nutation():
    """Its coordinate alone, with the constant rates of the drivers as parameters."""
    e = rotor(formulation="linear-graph", tree=["T1", "nutation", "T2"])
    symbol, cos, sin = Symbols(e), e.space.cos, e.space.sin
    m, R, L, g, w1, w3, theta, a2 = symbol("m R L g psi_rate phi_rate theta theta''")
    c, s = cos(theta), sin(theta)
    assert [text(x) for x in e.coordinates] == ["theta"]
    assert not list(e.multipliers)
    assert list(e.residual) == [
        (m * R**2 / 4 + m * L**2) * a2 + (-m * c * L**2 * s + s * m * R**2 * c / 4) * w1**2
        - m * R**2 * s * w1 * w3 / 2 + m * g * L * s
    ]  # fmt: skip


def test_rotor_as_a_person_writes_it():
    assert (
        rotor().text()
        == """\
pendulating rotor: recursive, joint tree, augmented form
Coordinates: psi, theta, phi

Equations of motion
  psi:  0 = m*(R**2/4 + L**2*sin(theta)**2 + R**2*cos(theta)**2/4)*psi'' - m*R**2*cos(theta)*phi''/2
      + m*sin(theta)*cos(theta)*(2*L**2 - R**2/2)*psi'*theta' + m*R**2*sin(theta)*theta'*phi'/2 - T1
  theta:  0 = m*(L**2 + R**2/4)*theta'' - m*sin(theta)*cos(theta)*(L**2 - R**2/4)*psi'**2
      - m*R**2*sin(theta)*psi'*phi'/2 + m*g*L*sin(theta)
  phi:  0 = -m*R**2*cos(theta)*psi''/2 + m*R**2*phi''/2 + m*R**2*sin(theta)*psi'*theta'/2 - T2

Constraints
  T1.angle:  0 = -psi_rate*t + psi
  T2.angle:  0 = -phi_rate*t + phi"""
    )


def test_rotor_through_sympy():
    found = rotor().sympy()["residual"]
    printed = printed_rotor(sympy_symbols(sympy), sympy.cos, sympy.sin)
    difference = (found - sympy.Matrix(printed)).applyfunc(
        lambda x: sympy.simplify(sympy.expand(x))
    )
    assert difference == sympy.zeros(3, 1)
