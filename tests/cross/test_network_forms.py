"""Networks without bodies print every form of their bond graph, and the forms say the same."""

from __future__ import annotations

from itertools import pairwise

import pytest
import sympy as sp

import pliant as pl
from pliant.cli.main import main
from pliant.errors import InputError

COILS = """
pliant: 1
name: two coils
parameters: {E: 10 V, R: 1 ohm, L1: 0.1 H, L2: 0.2 H, C1: 10 mF, C2: 20 mF}
networks:
  circuit:
    domain: electrical
    elements:
      mesh: {junction: 1}
      battery: {Se: E, on: mesh}
      r: {R: R, on: mesh}
      coil: {I: L1, on: mesh}
      second: {I: L2, on: mesh}
      node: {junction: 0}
      c1: {C: C1, on: node}
      c2: {C: C2, on: node}
    bonds: {b: {from: mesh, to: node}}
"""
"""One dependent inertia and one dependent compliance: derivative causality of both kinds."""

LOOP = """
pliant: 1
name: diode
parameters: {L1: 0.1 H, L2: 0.2 H}
networks:
  line:
    domain: electrical
    elements:
      a: {junction: 1}
      source: {Se: 10*sin(t), on: a}
      d: {R: {flow: e**3 + e}, on: a}
      n: {junction: 0}
      load: {R: {effort: f**3 + f}, on: n}
      b: {junction: 1}
      coil: {I: L1, on: b}
      second: {I: L2, on: b}
    bonds: {an: {from: a, to: n}, nb: {from: n, to: b}}
"""


def rates(form: str) -> dict[str, sp.Expr]:
    """u' of all speeds, from M, h and the derivative of the constraints, then in terms of u."""
    m = pl.System.loads(COILS).equations("multibond", form=form).sympy()
    a, u, held = m["accelerations"], m["speeds"], m["velocity_constraints"]
    second = held.jacobian(u) * a
    found = sp.solve([*m["residual"], *second], [*a, *m["multipliers"]], dict=True)[0]
    dependent = sp.solve(list(held), [s for s in u if s.name.split(".")[1] in ("second", "c2")])
    return {str(k): sp.simplify(found[k].subs(dependent)) for k in a}


def test_mixed_and_augmented_forms_are_the_explicit_one() -> None:
    """Solved for the rates they are x' = f, term by term; M has fewer rows in the mixed form."""
    m = pl.System.loads(COILS).equations("multibond", form="explicit").sympy()
    explicit = dict(zip(map(str, m["states"]), m["state_rates"], strict=True))
    for form in ("mixed", "augmented"):
        found = rates(form)
        for state, rate in explicit.items():
            if state.endswith((".flow", ".effort")):
                assert sp.simplify(found[f"{state}'"] - rate) == 0, (form, state)
    shapes = {
        form: pl.System.loads(COILS).equations("multibond", form=form).sympy()["mass_matrix"].shape
        for form in ("mixed", "augmented")
    }
    assert shapes == {"mixed": (2, 4), "augmented": (4, 4)}


def test_what_the_forms_print() -> None:
    system = pl.System.loads(COILS)
    mixed, held = (system.equations("multibond", form=f) for f in ("mixed", "augmented"))
    assert "multibond, mixed form" in mixed.text()
    assert "0 = -circuit.coil.flow + circuit.second.flow" in mixed.text()
    assert "lam" not in mixed.text()
    assert not mixed.multipliers.numel()
    assert "L2*circuit.second.flow' - lam.circuit.second.flow" in held.text()
    assert r"\begin{align*}" in mixed.latex()
    assert mixed.as_dict()["velocity_constraints"]


def test_without_a_form_and_as_embedding_it_is_the_explicit_one() -> None:
    system = pl.System.loads(COILS)
    texts = [system.equations(form=f).text() for f in (None, "explicit", "embedding")]
    assert "multibond, explicit form" in texts[0]
    assert all(a == b for a, b in pairwise(texts))


@pytest.mark.parametrize("form", ["explicit", "mixed", "augmented"])
def test_loops_stand_beside_every_form(form: str) -> None:
    text = pl.System.loads(LOOP).equations("multibond", form=form).text()
    assert "Algebraic loops" in text
    assert "coil.flow" in text


def test_bad_forms_are_refused_alike(capsys: pytest.CaptureFixture[str]) -> None:
    bodies, network = pl.load("examples/pendulum.yaml"), pl.System.loads(COILS)
    said = []
    for system in (bodies, network):
        with pytest.raises(InputError, match="unknown form 'mixd'") as caught:
            system.equations("multibond", form="mixd")
        said.append(str(caught.value))
    assert said[0] == said[1]
    with pytest.raises(InputError, match="form 'explicit': the model has bodies"):
        bodies.equations("multibond", form="explicit")
    with pytest.raises(InputError, match="form 'mixed': recursive does not have it"):
        bodies.equations("recursive", form="mixed")
    with pytest.raises(InputError, match="form 'mixed': the graph has constraintors"):
        pl.load("examples/planar_slider_crank.yaml").equations("multibond", form="mixed")
    with pytest.raises(InputError, match="unknown form 'mixed'"):
        network.simulate(1.0, form="mixed")
    assert main(["equations", "examples/pendulum.yaml", "--form", "mixed"]) == 2
    assert "use multibond" in capsys.readouterr().err
