"""`mx.contrib.svrg_optimization`; its numbers are compared in `tests/programs/svrg.py`."""

import numpy as np

import mxnet as mx
from mxnet.contrib.svrg_optimization.svrg_module import SVRGModule


def make_data():
    rng = np.random.default_rng(0)
    inputs = rng.uniform(-1, 1, (40, 3)).astype("float32")
    return mx.io.NDArrayIter(inputs, inputs.sum(1), 8, label_name="label")


def train(name, **options):
    dense = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name=name)
    net = mx.sym.LinearRegressionOutput(dense, mx.sym.var("label"))
    module = SVRGModule(net, label_names=["label"], update_freq=2, **options)
    module.fit(
        make_data(),
        eval_metric="mse",
        num_epoch=12,
        initializer=mx.init.Zero(),
        optimizer_params={"learning_rate": 0.3},
    )
    return module


def test_parameters_with_full_in_their_names_are_trained():
    weight = train("fullyconnected0").get_params()[0]["fullyconnected0_weight"].asnumpy()
    np.testing.assert_allclose(weight, [[1, 1, 1]], atol=0.05)


def test_fixed_parameters_stay():
    arguments, _ = train("fc", fixed_param_names=["fc_bias"]).get_params()
    assert arguments["fc_bias"].asnumpy() == 0
    np.testing.assert_allclose(arguments["fc_weight"].asnumpy(), [[1, 1, 1]], atol=0.05)


def test_more_contexts_learn_the_same():
    module = train("fc", context=[mx.cpu(0), mx.cpu(1)])
    np.testing.assert_allclose(module.get_params()[0]["fc_weight"].asnumpy(), [[1, 1, 1]], atol=0.1)
