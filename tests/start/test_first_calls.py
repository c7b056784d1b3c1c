"""First calls of a process do not wait for the import of torch's compiler.

These modules take one to two seconds to import. Only programs that ask for a compiler need them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd

ROOT = Path(__file__).resolve().parents[2]

HEAVY = ("sympy", "torch._dynamo", "torch._inductor", "torch.fx.experimental.symbolic_shapes")


def infer_shapes():
    data = mx.sym.var("data")
    net = mx.sym.Pooling(mx.sym.Convolution(data, kernel=(3, 3), num_filter=4), kernel=(2, 2))
    net = mx.sym.LeakyReLU(mx.sym.BatchNorm(net) * 2 + 1, act_type="gelu")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=3), name="softmax")
    assert net.infer_shape(data=(2, 3, 8, 8))[1] == [(2, 3)]


def bind_and_train():
    data = mx.sym.LayerNorm(mx.sym.Dropout(mx.sym.var("data"), p=0.5))
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=10), name="softmax")
    executor = net.simple_bind(mx.cpu(), data=(2, 3))
    executor.forward(is_train=True)
    executor.backward()


def fit_a_module():
    batches = mx.io.NDArrayIter(np.ones((8, 3)), np.ones(8), 4, label_name="lro_label")
    net = mx.sym.LinearRegressionOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1), name="lro"
    )
    module = mx.mod.Module(net, label_names=["lro_label"])
    module.fit(batches, num_epoch=1, eval_metric="mse")


def recorded_graph():
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = nd.softmax(nd.where(x > 0, x * 2 - 1, x / 3).exp()).sum(axis=1)
    assert autograd.get_symbol(y).list_outputs()
    y.backward()


def hybridized_network():
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(4, 3), gluon.nn.BatchNorm(), gluon.nn.Activation("relu"))
    net.add(gluon.nn.GlobalAvgPool2D(), gluon.nn.Flatten(), gluon.nn.Dense(2))
    net.initialize()
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam")
    with autograd.record():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(nd.ones((2, 3, 8, 8))), nd.zeros(2))
    loss.backward()
    trainer.step(2)
    net(nd.ones((2, 3, 8, 8))).wait_to_read()


def recurrent_network():
    net = gluon.rnn.LSTM(4)
    net.initialize()
    net.hybridize()
    with autograd.record():
        net(nd.ones((5, 2, 3))).backward()
    cell = gluon.rnn.GRUCell(4)
    cell.initialize()
    cell.unroll(3, nd.ones((2, 3, 5)), layout="NTC", merge_outputs=True)


def attention():
    queries = nd.ones((4, 2, 24))
    weights = nd.softmax(nd.contrib.interleaved_matmul_selfatt_qk(queries, heads=2))
    nd.contrib.interleaved_matmul_selfatt_valatt(queries, weights, heads=2)
    symbol = mx.sym.contrib.interleaved_matmul_selfatt_qk(mx.sym.var("data"), heads=2)
    symbol.infer_shape(data=(4, 2, 24))


def random_numbers():
    nd.random.normal(shape=(3,))
    nd.random.multinomial(nd.array([0.5, 0.5]))
    mx.sym.random.gamma(shape=(2, 3)).eval()


def every_optimizer():
    weight, gradient = nd.ones((3,)), nd.ones((3,))
    for name in ("sgd", "adam", "rmsprop", "nag", "ftrl", "signum", "lamb", "adagrad"):
        optimizer = mx.optimizer.create(name)
        optimizer.update(0, weight, gradient, optimizer.create_state(0, weight))


def loaders():
    dataset = gluon.data.ArrayDataset(nd.ones((8, 3)), nd.ones((8,)))
    for workers in (0, 1):
        assert len(list(gluon.data.DataLoader(dataset, 4, num_workers=workers))) == 2


CALLS = [
    infer_shapes,
    bind_and_train,
    fit_a_module,
    recorded_graph,
    hybridized_network,
    recurrent_network,
    attention,
    random_numbers,
    every_optimizer,
    loaders,
]


def list_those_that_wait() -> list[str]:
    """Runs the calls and returns which of them brought heavy modules."""
    waiting = []
    for call in CALLS:
        before = set(sys.modules)
        call()
        brought = sorted(set(HEAVY) & (set(sys.modules) - before))
        waiting += [f"{call.__name__} imports {name}" for name in brought]
    return waiting


def test_no_first_call_imports_a_compiler():
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.start.test_first_calls",
        ],  # as a file it would find tests/numpy
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == [f"{len(CALLS)} calls", ""]


if __name__ == "__main__":
    print(f"{len(CALLS)} calls")
    print(*list_those_that_wait(), sep="\n", end="")
