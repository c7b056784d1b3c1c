"""Layers and cells give what the original gives (tests/golden/make_gluon_rnn.py)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon.contrib import rnn as _contrib  # noqa: F401 - the cases use gluon.contrib.rnn
from tests.golden.gluon_rnn_cases import kinds

FOLDER = Path(__file__).parent.parent.parent / "golden"
FACTS = json.loads((FOLDER / "gluon_rnn.json").read_text(encoding="utf-8"))
VALUES = np.load(FOLDER / "gluon_rnn.npz")
CASES = [(name, run) for names, run in kinds().values() for name in names]


@pytest.mark.parametrize(("name", "run"), CASES, ids=[name for name, _ in CASES])
def test_names_outputs_and_gradients_are_those_of_the_original(name, run):
    facts, results = run(mx, gluon, name)
    expected = FACTS[name]
    for moment in ("before", "after"):
        assert facts.get(moment) == expected.get(moment)
    assert not facts.get("fails")
    # In the original the activations of float64 layers are of less precision.
    tolerance = 1e-5 if VALUES[name].dtype == np.float32 else 1e-7
    position = 0
    for key, shape in expected["shapes"].items():
        found = results[key]
        wanted = VALUES[name][position : position + found.size]
        position += found.size
        assert list(found.shape) == shape, key
        assert found.dtype == VALUES[name].dtype, key
        np.testing.assert_allclose(
            found.ravel(), wanted, rtol=tolerance, atol=tolerance, err_msg=key
        )


def test_parameters_saved_by_the_original_are_loaded():
    path = FOLDER / "gluon_rnn.params"
    layer = gluon.rnn.LSTM(3, 2, bidirectional=True, input_size=5)
    layer.load_parameters(path)
    for number, parameter in enumerate(layer.collect_params().values()):
        expected = np.random.RandomState(number).uniform(-0.5, 0.5, parameter.shape)
        np.testing.assert_allclose(parameter.data().asnumpy(), expected, rtol=1e-6)


def test_saved_parameters_have_the_names_of_the_original(tmp_path):
    layer = gluon.rnn.LSTM(3, 2, bidirectional=True, input_size=5)
    layer.initialize()
    layer.save_parameters(tmp_path / "own.params")
    saved = mx.nd.load(str(tmp_path / "own.params"))
    original = mx.nd.load(str(FOLDER / "gluon_rnn.params"))
    assert list(saved) == list(original)
