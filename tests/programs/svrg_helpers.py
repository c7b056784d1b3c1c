"""A small regression, trained with gradients of reduced variance."""

from __future__ import annotations

import logging
import warnings

import mxnet as mx
import numpy as np
from mxnet.contrib.svrg_optimization import svrg_optimizer
from mxnet.contrib.svrg_optimization.svrg_module import SVRGModule

rng = np.random.RandomState(0)
X = rng.uniform(-1, 1, (7, 3)).astype("float32")
Y = (X.sum(1) + 0.1 * rng.randn(7)).astype("float32")
TWO = [mx.cpu(0), mx.cpu(1)]
Optimizer = svrg_optimizer._SVRGOptimizer


class Lines(logging.Handler):
    """Keeps what is logged, but for times."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        text = record.getMessage()
        if "Time cost" not in text and "Speed" not in text:
            self.lines.append(text)


warnings.filterwarnings("ignore", message=".*(rescale_grad|init_params)")  # both packages warn
logger = logging.getLogger("svrg of programs")
logger.setLevel(logging.INFO)
logger.handlers = [Lines()]


def data(size=3):
    return mx.io.NDArrayIter(X, Y, size, label_name="lin_label")


def make(update_freq=2, hidden="fc1", **options):
    dense = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name=hidden)
    net = mx.sym.LinearRegressionOutput(dense, mx.sym.var("lin_label"), name="lro")
    options.setdefault("logger", logger)
    return SVRGModule(net, label_names=["lin_label"], update_freq=update_freq, **options)


def values():
    return {"fc1_weight": mx.nd.array([[0.1, 0.2, 0.3]]), "fc1_bias": mx.nd.array([0.5])}


def start(size=3, kvstore=None, **options):
    m, batches = make(**options), data(size)
    m.bind(batches.provide_data, batches.provide_label)
    m.init_params(arg_params=values(), aux_params={})
    m.init_optimizer(kvstore=kvstore, optimizer_params={"learning_rate": 0.1})
    return m, batches


def fit(size=3, num_epoch=3, kvstore="local", optimizer="sgd", params=None, **options):
    m = make(**options)
    m.fit(
        data(size),
        eval_metric="mse",
        num_epoch=num_epoch,
        arg_params=values(),
        aux_params={},
        kvstore=mx.kv.create("local") if kvstore == "a store" else kvstore,
        optimizer=optimizer,
        optimizer_params=params or {"learning_rate": 0.1},
    )
    return parameters(m), full_gradients(m)


def parameters(m):
    return {name: array.asnumpy() for name, array in sorted(m.get_params()[0].items())}


def full_gradients(m):
    return [{name: array.asnumpy() for name, array in sorted(d.items())} for d in m._param_dict]


def gradients(m):
    return [[array.asnumpy() for array in arrays] for arrays in m._exec_group.grad_arrays]


def optimizer(**options):
    return Optimizer(
        "sgd", learning_rate=0.3, rescale_grad=0.5, param_idx2name={0: "a", 1: "a_full"}, **options
    )
