"""Losses give the values and gradients of the original (tests/golden/make_gluon_loss.py)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import gluon, nd
from tests.golden.gluon_loss_cases import cases, run

pytestmark = pytest.mark.filterwarnings("ignore:SoftmaxCrossEntropyLoss. a label is")
GOLDEN = np.load(Path(__file__).parents[1] / "golden" / "gluon_loss.npz")
CASES = cases()
NAMES = [name for name in gluon.loss.__all__ if name.endswith("Loss") and name != "Loss"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_and_gradients_are_those_of_the_original(case):
    for name, found in run(mx, gluon, case).items():
        expected = GOLDEN[f"{case}/{name}"]
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        tolerance = 1e-5 if case.dtype == "float32" else 1e-10
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=name)


def test_every_loss_has_cases():
    assert {case.loss for case in CASES} == set(NAMES)


def test_a_loss_prints_its_weight_and_axis():
    assert repr(gluon.loss.L2Loss()) == "L2Loss(batch_axis=0, w=1.0)"
    assert repr(gluon.loss.SoftmaxCELoss(batch_axis=1)) == (
        "SoftmaxCrossEntropyLoss(batch_axis=1, w=None)"
    )
    assert repr(gluon.loss.CTCLoss(label_layout="TN")) == "CTCLoss(batch_axis=1, w=None)"
    assert repr(gluon.loss.SDMLLoss()) == "SDMLLoss(batch_axis=0, w=1.0)"


def test_names_are_those_of_blocks():
    assert gluon.loss.L1Loss(prefix="near_").name == "near"
    with mx.name.NameManager():
        assert gluon.loss.SigmoidBCELoss().name == "sigmoidbinarycrossentropyloss0"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_of_extreme_scores_are_finite(dtype):
    scores = mx.nd.array([[-1e4, 1e4], [0, 1e4], [1e4, 1e4]], dtype=dtype)
    labels = mx.nd.array([[1, 0], [1, 1], [0, 1]], dtype=dtype)
    for loss in (
        gluon.loss.SigmoidBCELoss(),
        gluon.loss.LogisticLoss(label_format="binary"),
        gluon.loss.SoftmaxCELoss(sparse_label=False),
        gluon.loss.KLDivLoss(from_logits=False),
    ):
        scores.attach_grad()
        with mx.autograd.record():
            value = loss(scores, labels)
        value.backward()
        assert np.isfinite(value.asnumpy()).all(), loss
        assert np.isfinite(scores.grad.asnumpy()).all(), loss


def test_poisson_loss_of_a_count_of_zero_is_finite():
    rate, count = mx.nd.array([[0.5, 1.0]]), mx.nd.array([[0, 3]])
    rate.attach_grad()
    with mx.autograd.record():
        value = gluon.loss.PoissonNLLLoss(compute_full=True)(rate, count)
    value.backward()
    stirling = 3 * np.log(3) - 3 + 0.5 * np.log(6 * np.pi)
    expected = (np.exp(0.5) + np.exp(1) - 3 + stirling) / 2
    np.testing.assert_allclose(value.asnumpy(), [expected], rtol=1e-5)
    assert np.isfinite(rate.grad.asnumpy()).all()


def test_vectors_of_zero_have_no_angle():
    zero = mx.nd.zeros((2, 3))
    zero.attach_grad()
    with mx.autograd.record():
        value = gluon.loss.CosineEmbeddingLoss()(zero, mx.nd.ones((2, 3)), mx.nd.array([1, -1]))
    value.backward()
    np.testing.assert_array_equal(value.asnumpy(), [[1], [0]])
    assert np.isfinite(zero.grad.asnumpy()).all()


def test_one_pair_alone_has_a_loss():
    value = gluon.loss.SDMLLoss()(mx.nd.ones((1, 3)), mx.nd.zeros((1, 3)))
    assert np.isfinite(value.asnumpy()).all()


def test_half_precision_stays():
    value = gluon.loss.SoftmaxCELoss()(mx.nd.ones((2, 3), dtype="float16"), mx.nd.ones(2))
    assert value.dtype == np.float16


def test_programs_write_losses_of_their_own():
    class Cubed(gluon.loss.Loss):
        def __init__(self, weight=None, batch_axis=0, **kwargs):
            super().__init__(weight, batch_axis, **kwargs)

        def hybrid_forward(self, F, pred, label, sample_weight=None):
            label = gluon.loss._reshape_like(F, label, pred)
            value = F.abs(pred - label) ** 3
            value = gluon.loss._apply_weighting(F, value, self._weight, sample_weight)
            return F.mean(value, axis=self._batch_axis, exclude=True)

    loss = Cubed(weight=2.0)
    loss.hybridize()
    value = loss(mx.nd.array([[1, 2]]), mx.nd.array([[0, 0]]), mx.nd.array([[0.5]]))
    assert value.asnumpy().tolist() == [4.5]


PRED, LABEL = mx.nd.ones((3, 4)), mx.nd.ones((3, 4))
MISTAKES = {
    "a weight that is no number": (
        lambda: gluon.loss.L1Loss(weight="big")(PRED, LABEL), AssertionError, "weight"),
    "no weight of half a square": (
        lambda: gluon.loss.L2Loss(weight=None)(PRED, LABEL), mx.MXNetError, "L2Loss"),
    "a weight that is an array": (
        lambda: gluon.loss.L2Loss(weight=mx.nd.ones(1))(PRED, LABEL), AssertionError, "number"),
    "labels of another size": (
        lambda: gluon.loss.L2Loss()(PRED, mx.nd.ones((2, 4))), mx.MXNetError, "reshape"),
    "sample weights that do not broadcast": (
        lambda: gluon.loss.L1Loss()(PRED, LABEL, mx.nd.ones(3)), mx.MXNetError, "broadcast"),
    "an axis that is not there": (
        lambda: gluon.loss.L1Loss(batch_axis=2)(PRED, LABEL), mx.MXNetError, "there is no axis 2"),
    "labels of another type": (
        lambda: gluon.loss.L1Loss()(PRED, LABEL.astype("int32")), mx.MXNetError, "int32"),
    "too few labels": (
        lambda: gluon.loss.SoftmaxCELoss()(PRED, mx.nd.ones(2)), mx.MXNetError, "pick"),
    "no labels": (lambda: gluon.loss.SoftmaxCELoss()(PRED), TypeError, "label"),
    "no array": (
        lambda: gluon.loss.L2Loss()(PRED.asnumpy(), LABEL), mx.MXNetError, "L2Loss"),
    "an unknown layout": (
        lambda: gluon.loss.CTCLoss(layout="NCT"), AssertionError, "NTC"),
    "an unknown layout of labels": (
        lambda: gluon.loss.CTCLoss(label_layout="NTC"), AssertionError, "label_layout"),
    "an unknown format of labels": (
        lambda: gluon.loss.LogisticLoss(label_format="text"), ValueError, "binary"),
    "a threshold of 0": (
        lambda: gluon.loss.HuberLoss(rho=0)(PRED, LABEL), ZeroDivisionError, "zero"),
    "pairs that are none": (
        lambda: gluon.loss.SDMLLoss()(PRED, mx.nd.ones((2, 4))), AssertionError, "SDMLLoss"),
    "a misspelt option": (
        lambda: gluon.loss.L2Loss(wieght=2.0), TypeError, "wieght"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    call, error, text = MISTAKES[mistake]
    with pytest.raises(error, match=text):
        call()


def entropy_of(pred, label, dtype):
    """Returns the loss, the gradient and the recorded chain of a cross entropy."""
    pred = mx.nd.array(pred, dtype=dtype)
    pred.attach_grad()
    with mx.autograd.record():
        loss = gluon.loss.SoftmaxCELoss()(pred, mx.nd.array(label, dtype=np.asarray(label).dtype))
    chain = mx.autograd.get_symbol(loss).tojson()
    loss.backward()
    return loss.asnumpy(), pred.grad.asnumpy(), chain


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    "label", [[0, 2, 1], [0.0, 1.9, -0.5], [-7, 9, 1e9]], ids=["numbers", "fractions", "outside"]
)
def test_one_kernel_computes_what_the_operators_of_a_cross_entropy_do(label, dtype, monkeypatch):
    scores = [[1, 2, 3], [30000, -7, 0.5], [0, 0, 0]]
    merged = entropy_of(scores, label, dtype)
    monkeypatch.setattr("mxnet.gluon._losses.runs_plainly", lambda: False)
    steps = entropy_of(scores, label, dtype)
    tolerance = 2e-3 if dtype == "float16" else 1e-6
    for found, expected in zip(merged[:2], steps[:2], strict=True):
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    assert merged[2] == steps[2]


def test_a_label_with_a_gradient_keeps_it():
    pred, label = mx.nd.array([[1, 2, 3]]), mx.nd.array([1])
    label.attach_grad()
    with mx.autograd.record():
        loss = gluon.loss.SoftmaxCELoss()(pred, label)
    loss.backward()
    assert label.grad.asnumpy().tolist() == [0]


def test_a_shortage_of_memory_names_the_operator(monkeypatch):
    def fail(*_):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr("mxnet.gluon._losses.cross_entropy_at_once", fail)
    with pytest.raises(mx.MXNetError, match=r"log_softmax: cannot allocate 2\.00 GiB"):
        gluon.loss.SoftmaxCELoss()(mx.nd.ones((2, 3)), mx.nd.zeros((2,)))


def test_labels_that_are_too_large_warn_once():
    entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    with pytest.warns(UserWarning, match="a label is 3, but there are 3 classes, 0 to 2"):
        first = entropy(nd.ones((2, 3)), nd.array([1, 3]))
    again = entropy(nd.ones((2, 3)), nd.array([1, 3]))
    assert first.asnumpy().tolist() == again.asnumpy().tolist()
