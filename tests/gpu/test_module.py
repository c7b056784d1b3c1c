"""Modules on an accelerator learn what they learn on the CPU, and what the original learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx

from ..golden import module_cases as cases

pytestmark = pytest.mark.gpu

ALONE = [name for name, case in cases.CASES.items() if case.contexts == 1]


@pytest.fixture(autouse=True)
def exact_products():
    """Convolutions and recurrent layers round to 10 bits on a GPU by default."""
    with torch.backends.cudnn.flags(allow_tf32=False):
        yield


def expected(name):
    start = f"{name}/"
    with np.load(cases.RESULTS) as stored:
        return {key[len(start) :]: stored[key] for key in stored if key.startswith(start)}


@pytest.mark.parametrize("name", ALONE)
def test_ten_steps_lead_to_the_parameters_of_the_original(name):
    assert cases.largest_difference(expected(name), cases.train(mx, name, mx.gpu)) < 1e-3


@pytest.mark.parametrize("name", [name for name in cases.RESUMED if name in ALONE])
def test_training_goes_on_from_a_checkpoint_of_the_original(name):
    found = cases.resume(mx, name, cases.CHECKPOINTS, mx.gpu)
    assert cases.largest_difference(expected(f"resumed {name}"), found) < 1e-3


@pytest.mark.parametrize("kvstore", ["local", "device"])
def test_fit_with_data_on_the_cpu(kvstore):
    rng = np.random.RandomState(0)
    labels = rng.randint(0, 3, 60)
    data = mx.io.NDArrayIter((rng.randn(60, 4) + labels[:, None]).astype("float32"), labels, 20)
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    results = []
    for context in (mx.gpu(0), mx.cpu(0)):
        data.reset()
        module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"), context=context)
        module.fit(
            data,
            eval_data=data,
            eval_metric=["acc", "ce"],
            kvstore=mx.kv.create(kvstore),
            optimizer_params={"learning_rate": 0.5, "momentum": 0.9},
            initializer=mx.init.One(),
            num_epoch=3,
        )
        assert module.get_outputs()[0].context == context
        assert module.get_params()[0]["fc_weight"].context == mx.cpu(0)
        results.append((dict(module.score(data, "ce")), module.predict(data).asnumpy()))
    np.testing.assert_allclose(results[0][1], results[1][1], rtol=1e-4, atol=1e-5)
    assert results[0][0]["cross-entropy"] == pytest.approx(results[1][0]["cross-entropy"], rel=1e-4)
