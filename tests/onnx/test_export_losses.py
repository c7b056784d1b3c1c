"""Losses and comparisons that have no operator in ONNX and are written by others."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs the extra `onnx`")
pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")

import onnxruntime as runtime

import mxnet as mx

LABELS = np.array([[1, 2, 2], [3, 0, 0], [1, 1, 1], [2, 3, 1]], "float32")
"""The third needs five steps, and its sequence may have fewer."""


@pytest.mark.parametrize("blank", ["first", "last"])
@pytest.mark.parametrize("steps", [4, 9])
def test_alignments(blank, steps, tmp_path):
    labels = LABELS if blank == "first" else np.where(LABELS == 0, -1, LABELS - 1)
    scores = np.random.RandomState(0).normal(size=(steps, 4, 4)).astype("float32") * 3
    loss = mx.sym.CTCLoss(mx.sym.var("data"), mx.sym.var("label"), blank_label=blank)
    path = mx.onnx.export_model(
        loss, {}, [scores.shape, labels.shape], onnx_file_path=str(tmp_path / "loss.onnx")
    )
    given = {"data": scores, "label": labels.astype("float32")}
    (found,) = runtime.InferenceSession(path).run(None, given)
    wanted = mx.nd.CTCLoss(*map(mx.nd.array, (scores, labels)), blank_label=blank).asnumpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)
    assert (wanted[2] == 0) == (steps == 4)  # no alignment
