"""Samples while a run goes on: pieces that together are the result."""

import numpy as np
import pytest
from tests.models.chains import revolute_chain

import pliant as pl

END = 60
"""Seconds: several chunks of a thousand steps."""
CRANK = """
pliant: 1
bodies:
  crank: {rod: {length: 0.2, mass: 1}, frames: {A: [0.2, 0, 0]}}
  rod: {rod: {length: 0.5, mass: 2}, frames: {B: [0.5, 0, 0]}}
  slider: {point: 1}
joints:
  O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 45 deg, angle_rate: 10}}
  A: {revolute: {axis: z}, between: [crank.A, rod], guess: {angle: -60 deg}}
  B: {revolute: {axis: z}, between: [rod.B, slider]}
  S: {prismatic: {axis: x}, between: [ground, slider], guess: {displacement: 0.6}}
forces: {motor: {actuator: 1 - 0.1*O.angle_rate, joint: O}}
events: {turn: {when: crank.A.position.y, direction: rising}}
"""


@pytest.fixture(scope="module")
def watched():
    """Pieces and result of a crank that turns, of which not everything is asked for."""
    pieces = []
    result = pl.loads(CRANK).simulate(
        END, every=0.01, rtol=1e-9, outputs=["slider.position", "B.angle", "motor.power"],
        watch=pieces.append,
    )  # fmt: skip
    return pieces, result


def test_pieces_are_the_result(watched):
    pieces, result = watched
    assert len(pieces) >= 3
    assert np.array_equal(np.concatenate([p.time for p in pieces]), result.time)
    assert {"motor.work", "B.angle"} <= result.series.keys()
    for name in result.series:
        whole = np.concatenate([p.values(name) for p in pieces])
        assert np.array_equal(whole, result.values(name)), name
    assert [e for p in pieces for e in p.events] == list(result.events)
    assert len(result.events) > 10


def test_a_piece_answers_what_was_not_asked_for(watched):
    pieces, result = watched
    for name in ("rod.velocity", "A.force", "S.torque"):
        whole = np.concatenate([p[name].values for p in pieces])
        np.testing.assert_allclose(whole, result[name].values, rtol=1e-12, atol=1e-12)


def test_a_run_goes_on_from_a_piece(watched):
    """The end of a piece is a state like that of any result."""
    pieces, result = watched
    system, end = pl.loads(CRANK), float(pieces[1].time[-1])
    again = system.simulate(END, start=pieces[1], rtol=1e-9, outputs=["slider.position"])
    assert end <= again.time[0] < pieces[2].time[-1]
    assert again.values("slider.position")[-1] == pytest.approx(
        result.values("slider.position")[-1], abs=1e-5
    )


def test_the_kernel_of_trees_is_watched_too():
    pieces = []
    result = revolute_chain(12).simulate(4, rtol=1e-9, watch=pieces.append)
    assert result.info["kernel"] == pieces[0].info["kernel"] == "tree"
    assert len(pieces) > 1
    for name in ("b11.position", "energy"):
        whole = np.concatenate([p.values(name) for p in pieces])
        assert np.array_equal(whole, result.values(name))


@pytest.mark.parametrize("how", [{"rtol": 1e-5}, {"step": 2e-4}])
def test_blocks_are_watched_too(how):
    """What is handed over on the way changes nothing."""
    system, pieces = pl.loads(CRANK), []
    asked = ["slider.position", "O.angle", "motor.power"]
    how = {"method": "sparse-alpha", "every": 0.005, "outputs": asked, **how}
    alone = system.simulate(1, **how)
    result = system.simulate(1, **how, watch=pieces.append)
    assert len(pieces) > 2
    assert np.array_equal(np.concatenate([p.time for p in pieces]), result.time)
    for name in alone.series:
        assert np.array_equal(result.values(name), alone.values(name)), name
        whole = np.concatenate([p.values(name) for p in pieces])
        np.testing.assert_allclose(whole, result.values(name), rtol=1e-12, atol=1e-12)
    assert [e for p in pieces for e in p.events] == list(result.events) == list(alone.events)
    assert len(result.events) > 0
    named = np.concatenate([p["A.force"].values for p in pieces])
    np.testing.assert_allclose(named, alone["A.force"].values, rtol=1e-9, atol=1e-9)


def test_who_watches_may_end_the_run():
    def enough(piece):
        if piece.time[-1] > 1:
            raise KeyboardInterrupt

    with pytest.raises(pl.errors.Interrupted) as stopped:
        pl.loads(CRANK).simulate(END, every=0.01, rtol=1e-9, watch=enough)
    assert 1 < stopped.value.result.time[-1] < END


@pytest.mark.parametrize("name", ["watch", "progress"])
def test_what_is_no_function_is_refused(name):
    with pytest.raises(pl.errors.InputError, match=f"{name}: 3 is no function"):
        pl.loads(CRANK).simulate(0.1, **{name: 3})


def test_the_embedding_form_is_told_at_once():
    pieces = []
    result = pl.loads(CRANK).simulate(0.2, form="embedding", watch=pieces.append)
    assert len(pieces) == 1
    assert np.array_equal(pieces[0].time, result.time)
