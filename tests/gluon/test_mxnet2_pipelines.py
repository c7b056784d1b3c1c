"""Loaders, metrics, estimators and distributions in programs of MXNet 2 give what 2.0.0b1 gives."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import mxnet as mx
from tests.golden.mxnet2_pipelines import PIPELINES

EXPECTED = onp.load(Path(__file__).parents[1] / "golden" / "mxnet2_pipelines.npz")


@pytest.fixture(autouse=True)
def version_2():
    before = mx.set_version(2)
    yield
    mx.set_version(before)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines_give_the_same(name, hybridize):
    found = dict(PIPELINES[name](hybridize))
    assert [f"{name}/{key}" for key in found] == [
        key for key in EXPECTED.files if key.startswith(f"{name}/")
    ]
    for key, value in found.items():
        onp.testing.assert_allclose(value, EXPECTED[f"{name}/{key}"], rtol=1e-5, atol=1e-5)
