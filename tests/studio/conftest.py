"""A model file in a folder of its own, with what studios leave behind beside it."""

import pytest
from tests.studio.talking import PENDULUM


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path / "state"))
    path = tmp_path / "models" / "pendulum.yaml"
    path.parent.mkdir()
    path.write_text(PENDULUM)
    return path
