"""Every loss gives the same after `hybridize`."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from tests.golden.gluon_loss_cases import Case, cases

from .observe import compare


@pytest.mark.filterwarnings("ignore:SoftmaxCrossEntropyLoss. a label is")
@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_loss(case: Case):
    loss = getattr(gluon.loss, case.loss)(**case.options)
    arrays = [None if item is None else mx.nd.array(item, dtype=case.dtype) for item in case.args]
    inputs = arrays[: max(case.gradients, 1)]
    for array in inputs:
        array.attach_grad()
    compare(loss, lambda: loss(*arrays), inputs)


@pytest.mark.filterwarnings("ignore:SoftmaxCrossEntropyLoss. a label is")
@pytest.mark.parametrize("case", cases()[::2], ids=str)
def test_a_loss_with_a_network(case: Case):
    class Both(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="both_")
            self.scale = self.params.get("scale", shape=(1,), init="ones", dtype=case.dtype)
            self.loss = getattr(gluon.loss, case.loss)(**case.options)

        def hybrid_forward(self, F, pred, *args, scale):
            return self.loss(F.broadcast_mul(pred, scale.reshape((1,) * pred_ndim)), *args)

    pred_ndim = np.ndim(case.args[0])
    net = Both()
    net.initialize()
    arrays = [None if item is None else mx.nd.array(item, dtype=case.dtype) for item in case.args]
    for array in arrays[: case.gradients]:
        array.attach_grad()
    compare(net, lambda: net(*arrays), arrays[: case.gradients])
