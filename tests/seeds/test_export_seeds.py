"""The program of notes 000 and 001 that stores a network by `export` and loads it (9)."""

from __future__ import annotations

import os
from types import SimpleNamespace

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon

PROGRAM = """\
symbol_file = os.path.join(ROOT_DIR, self.config.cp_dir, 'triplet-net')
self.model.export(path=symbol_file, epoch=epoch)  # gluon的export

prefix = os.path.join(ROOT_DIR, self.config.cp_dir, "triplet-net")  # export导出的前缀
sym, arg_params, aux_params = mx.model.load_checkpoint(prefix=prefix, epoch=5)
net = gluon.nn.SymbolBlock(outputs=sym, inputs=mx.sym.var('data'))  # 加载网络结构
# 设置网络参数
net_params = net.collect_params()
for param in arg_params:
    if param in net_params:
        net_params[param]._load_init(arg_params[param], ctx=ctx)
for param in aux_params:
    if param in net_params:
        net_params[param]._load_init(aux_params[param], ctx=ctx)
"""


def make_triplet_net():
    """A branch of a siamese network: convolutions with statistics, and a vector of length 1."""
    net = gluon.nn.HybridSequential(prefix="triplet_")
    with net.name_scope():
        net.add(
            gluon.nn.Conv2D(4, 3, activation="relu"),
            gluon.nn.BatchNorm(),
            gluon.nn.MaxPool2D(2),
            gluon.nn.Dense(8),
            gluon.nn.HybridLambda(lambda F, x: F.L2Normalization(x)),
        )
    return net


@pytest.mark.parametrize("trained", [False, True])
def test_a_network_is_exported_and_loaded_as_in_the_notes(trained, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    model = make_triplet_net()
    model.initialize(ctx=mx.cpu())
    model.hybridize()
    data = mx.nd.random.uniform(shape=(3, 1, 8, 8))
    if trained:
        trainer = gluon.Trainer(model.collect_params(), "sgd", {"learning_rate": 0.5})
        with mx.autograd.record():
            loss = gluon.loss.TripletLoss()(model(data), model(data * 2), model(1 - data))
        loss.backward()
        trainer.step(3)
    expected = model(data)
    scope = {
        "os": os,
        "mx": mx,
        "gluon": gluon,
        "ctx": mx.cpu(),
        "epoch": 5,
        "ROOT_DIR": str(tmp_path),
        "self": SimpleNamespace(model=model, config=SimpleNamespace(cp_dir="checkpoints")),
    }
    exec(PROGRAM, scope)  # noqa: S102 - the program of the notes
    found = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert found == ["triplet-net-0005.params", "triplet-net-symbol.json"]
    assert len(scope["arg_params"]) == 6
    assert len(scope["aux_params"]) == 2
    found = scope["net"](data).asnumpy()
    np.testing.assert_allclose(found, expected.asnumpy(), rtol=1e-4, atol=1e-5)
