"""What tests of mixed precision share: it is turned off after each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mixed_precision import turn_off

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "amp.json"


@pytest.fixture(scope="session")
def golden():
    """What the original has done, by `tests/golden/make_amp.py`."""
    return json.loads(GOLDEN.read_text())


@pytest.fixture(autouse=True)
def no_mixed_precision():
    """Turns mixed precision off after a test, which programs cannot do."""
    yield
    turn_off()
