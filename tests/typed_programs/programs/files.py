"""Saving and loading: arrays, parameters, graphs, trainers, records."""

import os
import tempfile

from typing_extensions import assert_type

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn


def make_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    return net


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "arrays")
    nd.save(path, {"x": nd.ones((2, 3)), "y": nd.zeros(3)})
    loaded = nd.load(path)
    print(loaded["x"].shape, sorted(loaded))
    net = make_net()
    net.initialize()
    net.hybridize()
    x = nd.ones((1, 5))
    before = net(x)
    file_name = os.path.join(folder, "net.params")
    net.save_parameters(file_name)
    other = make_net()
    other.load_parameters(file_name, ctx=mx.cpu())
    print((other(x) - before).abs().max().asscalar())
    net.export(os.path.join(folder, "net"), epoch=1)
    imported = gluon.SymbolBlock.imports(
        os.path.join(folder, "net-symbol.json"), ["data"], os.path.join(folder, "net-0001.params")
    )
    assert_type(imported(x), nd.NDArray)
    sym, arg_params, aux_params = mx.model.load_checkpoint(os.path.join(folder, "net"), 1)
    assert_type(sym, mx.sym.Symbol)
    print(sorted(arg_params), len(aux_params))
    trainer = gluon.Trainer(net.collect_params(), "adam")
    trainer.save_states(os.path.join(folder, "trainer"))
    trainer.load_states(os.path.join(folder, "trainer"))
    record = mx.recordio.MXIndexedRecordIO(
        os.path.join(folder, "a.idx"), os.path.join(folder, "a.rec"), "w"
    )
    for i in range(3):
        header = mx.recordio.IRHeader(0, float(i), i, 0)
        record.write_idx(i, mx.recordio.pack(header, b"content"))
    record.close()
    record = mx.recordio.MXIndexedRecordIO(
        os.path.join(folder, "a.idx"), os.path.join(folder, "a.rec"), "r"
    )
    header, content = mx.recordio.unpack(record.read_idx(1))
    print(header.label, content, record.keys)
    record.close()
    params = gluon.ParameterDict("net_")
    weight = params.get("weight", shape=(2, 2))
    assert_type(weight, gluon.Parameter)
    params.initialize(mx.init.One(), ctx=mx.cpu())
    params.save(os.path.join(folder, "dict"), strip_prefix="net_")
    assert_type(weight.data(), nd.NDArray)
    assert_type(weight.shape, tuple[int, ...] | None)
    weight.set_data(nd.ones((2, 2)))
