"""The programs of the notes about datasets and loaders, run as they are written there.

Notes 000 and 001 have a dataset of their own class, note 003 arrays; note 002 names the steps of
linear regression with both. The programs are in `gluon_programs`, as those of other subjects.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import data as gdata
from mxnet.gluon import nn

from .test_gluon_seeds import execute, read


@pytest.mark.parametrize("workers", [0, 2])
def test_a_dataset_of_ones_own_class(workers):
    source = read("000_loader.py").replace("shuffle=True", f"shuffle=True, num_workers={workers}")
    scope = execute(read("000_dataset.py") + source, batch_size=64)
    batches = list(enumerate(scope["train_data"]))
    assert [x.shape for _, (x, _) in batches] == [(64, 2)] * 15 + [(40, 2)]
    assert {y.shape for _, (_, y) in batches} == {(64,), (40,)}
    found = np.sort(np.concatenate([y.asnumpy() for _, (_, y) in batches]))
    assert (found == np.sort(scope["y"].asnumpy())).all()
    for _, (x, y) in batches:
        expected = 2 * x[:, 0] - 3.4 * x[:, 1] + 4.2
        assert np.abs((expected - y.as_in_context(expected.context)).asnumpy()).max() < 0.1


def test_arrays_in_a_loader(capsys):
    features = nd.arange(200).reshape((100, 2))
    execute(read("003_loader.py"), gdata=gdata, features=features, labels=features.sum(axis=1))
    printed = capsys.readouterr().out
    assert "<NDArray 10x2 @cpu(0)>" in printed
    assert printed.rstrip().endswith("<NDArray 10 @cpu(0)>")
    numbers = [float(text) for text in re.findall(r"\d+\.", printed)]
    assert len(numbers) == 30
    assert [a + b for a, b in zip(numbers[:20:2], numbers[1:20:2], strict=True)] == numbers[20:]


def test_the_steps_of_linear_regression():
    mx.random.seed(3)
    np.random.seed(3)
    scope = execute(read("000_dataset.py"))
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize()
    loss = gluon.loss.L2Loss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03})
    for _ in range(3):
        for x, y in gluon.data.DataLoader(scope["XY"], batch_size=10, shuffle=True):
            with autograd.record():
                error = loss(net(x), y)
            error.backward()
            trainer.step(10)
    assert np.allclose(net[0].weight.data().asnumpy(), [[2, -3.4]], atol=0.02)
    assert np.allclose(net[0].bias.data().asnumpy(), [4.2], atol=0.02)
