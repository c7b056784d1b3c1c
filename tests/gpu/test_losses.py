"""Losses on a GPU, where the cross entropy of an imperative program has kernels of its own."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd

pytestmark = pytest.mark.gpu

SCORES = np.random.default_rng(3).normal(size=(6, 5))
LABELS = {
    "float32": [0, 4, 2.7, -3, 9, 1],
    "int32": [0, 4, 2, -3, 9, 1],
    "int64": [0, 4, 2, -3, 9, 1],
    "uint8": [0, 4, 2, 3, 9, 1],
}


def find(ctx: mx.Context, dtype: str, labels: str, cast: bool) -> list[np.ndarray]:
    """Returns losses and the gradient of the scores."""
    scores = nd.array(SCORES, ctx=ctx, dtype=dtype)
    label = nd.array(LABELS[labels], ctx=ctx, dtype=labels)
    scores.attach_grad()
    with autograd.record():
        doubled = scores * 2
        pred = doubled.astype("float32") if cast else doubled
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(pred, label)
    loss.backward(nd.arange(1, 7, ctx=ctx, dtype=loss.dtype))
    assert loss.dtype == np.dtype("float32" if cast else dtype)
    return [loss.asnumpy(), scores.grad.asnumpy()]


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize(
    ("dtype", "cast"),
    [("float32", False), ("float64", False), ("float16", False), ("float16", True)],
)
@pytest.mark.filterwarnings("ignore:.*a label is 9:UserWarning")
def test_cross_entropy_is_that_of_a_cpu(dtype: str, cast: bool, labels: str) -> None:
    tolerance = 5e-3 if dtype == "float16" else 1e-5
    results = zip(
        find(mx.gpu(), dtype, labels, cast), find(mx.cpu(), dtype, labels, cast), strict=True
    )
    for found, expected in results:
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("which", ["scores", "converted"])
def test_scores_that_are_overwritten_before_the_loss_count(which: str) -> None:
    scores = nd.array(SCORES, ctx=mx.gpu(), dtype="float16")
    scores.attach_grad()
    with autograd.record():
        doubled = scores * 2
        pred = doubled.astype("float32")
        with autograd.pause():
            (doubled if which == "scores" else pred)[:] = 0
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(pred, nd.zeros(6, ctx=mx.gpu()))
    shown = SCORES.astype("float16") * 2 if which == "scores" else np.zeros((6, 5))
    expected = np.log(np.exp(shown.astype("float64")).sum(1)) - shown[:, 0]
    np.testing.assert_allclose(loss.asnumpy(), expected, rtol=1e-3, atol=1e-3)
