"""What programs on symbolic cells share: unrolling, computing, sentences."""

from __future__ import annotations

import random
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import GIVEN

folder = GIVEN["folder"]


warnings.simplefilter("ignore")
R, v = mx.rnn, mx.sym.var


def flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    return [values]


def kind(values):
    return [kind(value) for value in values] if isinstance(values, (list, tuple)) else 1


def unrolled(build, inputs="x", length=2, **options):
    with mx.name.NameManager():
        cell = build()
        data = v("x") if inputs == "x" else [v(name) for name in inputs]
        outputs, states = cell.unroll(length, data, **options)
    group = mx.sym.Group(flat(outputs) + flat(states))
    attrs = sorted((name, sorted(items.items())) for name, items in group.attr_dict().items())
    shown = group.get_internals().list_outputs(), group.list_outputs(), kind(outputs), kind(states)
    return shown, attrs, cell.state_info, cell.state_shape


def computed(build, shape=(2, 3, 4), **options):
    with mx.name.NameManager():
        outputs, _ = build().unroll(3, v("x"), **options)
        group = mx.sym.Group(flat(outputs))
    executor = group.simple_bind(mx.cpu(), x=shape)
    numbers = np.random.RandomState(3)
    for name in sorted(executor.arg_dict):
        executor.arg_dict[name][:] = numbers.uniform(-0.5, 0.5, executor.arg_dict[name].shape)
    outputs = executor.forward(is_train=True)
    executor.backward([nd.arange(out.size).reshape(out.shape) / out.size for out in outputs])
    found = {name: float(array.norm().asscalar()) for name, array in executor.grad_dict.items()}
    return outputs, sorted(found.items())


def convolved(build):
    outputs, _ = build().unroll(2, [v("a"), v("b")])
    executor = mx.sym.Group(outputs).simple_bind(mx.cpu(), a=(1, 2, 4, 5), b=(1, 2, 4, 5))
    numbers = np.random.RandomState(3)
    for name in sorted(executor.arg_dict):
        executor.arg_dict[name][:] = numbers.uniform(-0.5, 0.5, executor.arg_dict[name].shape)
    outputs = executor.forward(is_train=True)
    executor.backward([nd.ones(out.shape) for out in outputs])
    found = {name: float(array.norm().asscalar()) for name, array in executor.grad_dict.items()}
    return outputs, sorted(found.items())


def stack():
    cell = R.SequentialRNNCell()
    cell.add(R.LSTMCell(3, prefix="l0_"))
    cell.add(R.DropoutCell(0.0))
    cell.add(R.ResidualCell(R.GRUCell(3, prefix="l1_")))
    return cell


def numbered(**shapes):
    return {name: nd.arange(int(np.prod(shape))).reshape(shape) for name, shape in shapes.items()}


def shapes(args):
    return sorted((name, item.shape, float(item.sum().asscalar())) for name, item in args.items())


def fused(mode="lstm", layers=2, both=False):
    return R.FusedRNNCell(3, num_layers=layers, mode=mode, bidirectional=both, prefix="f_")


def vector(mode="lstm", layers=2, both=False):
    gates, sides = {"lstm": 4, "gru": 3}.get(mode, 1), 2 if both else 1
    widths = [5] + [3 * sides] * (layers - 1)
    count = sum(sides * gates * 3 * (width + 3 + 2) for width in widths)
    return {"f_parameters": nd.arange(count), "other": nd.ones((2,))}


def counted():
    cell = R.RNNCell(3)
    names = [cell(v("x"), cell.begin_state())[0].name for _ in range(2)]
    cell.reset()
    return names + [cell(v("x"), cell.begin_state())[0].name, cell.begin_state()[0].name]


def twice(cell):
    return [[s.name for s in flat(cell.unroll(2, [v("a"), v("b")])[1])] for _ in range(2)]


WORDS = [["a", "b", "c"], ["a", "d"], ["b"], ["e", "a", "b", "c"]]
numbers = np.random.RandomState(0)
SENTENCES = [numbers.randint(1, 9, size=numbers.randint(1, 9)).tolist() for _ in range(30)]


def batches(**options):
    random.seed(3)
    np.random.seed(4)
    found = R.BucketSentenceIter(SENTENCES, 4, **options)
    shown = []
    for _ in range(2):
        for batch in found:
            key, arrays = batch.bucket_key, (batch.data[0], batch.label[0])
            shown.append((key, batch.pad, str(batch.provide_data), arrays))
        found.reset()
    described = str(found.provide_data), str(found.provide_label)
    return found.buckets, found.default_bucket_key, described, shown


def saved(cell, other):
    states = {"mean": nd.ones((1,))}
    R.save_rnn_checkpoint(cell, folder + "/net", 3, v("data") * 2, vector(), states)
    names = sorted(nd.load(folder + "/net-0003.params"))
    network, args, aux = R.load_rnn_checkpoint([other], folder + "/net", 3)
    return names, network.list_arguments(), shapes(args), shapes(aux)


def called(period):
    import os

    callback = R.do_rnn_checkpoint(fused(), folder + "/net", period)
    for epoch in range(4):
        callback(epoch, v("data") * 2, vector(), {})
    return sorted(os.listdir(folder))
