"""Writes past torch's version counters reach those alone who use the memory."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet import _unseen_writes
from mxnet._unseen_writes import UnseenWrites
from mxnet.gluon import nn
from mxnet.graph.run import plan


def test_a_write_changes_the_versions_of_its_storage_alone():
    writes, written, other = UnseenWrites(), torch.zeros(4), torch.zeros(4)
    count, versions = writes.count, (writes.versions([written]), writes.versions([other]))
    writes.note(written[1:])
    assert writes.count != count
    assert writes.versions([written[:1]]) != versions[0]
    assert writes.versions([other]) == versions[1]


def test_forgetting_changes_the_versions_of_all(monkeypatch):
    monkeypatch.setattr(_unseen_writes, "_MOST_STORAGES", 2)
    writes, tensors = UnseenWrites(), [torch.zeros(1) for _ in range(3)]
    other = torch.zeros(1)
    seen = []
    for tensor in tensors:
        seen.append(writes.versions([other]))
        writes.note(tensor)
    assert seen[0] == seen[1] == seen[2]
    assert writes.versions([other]) != seen[2]
    assert len(writes._numbers) == 1


@pytest.fixture
def computed(monkeypatch):
    """Counts how often weights are prepared."""
    calls, compute = [], plan._Prepared._compute
    monkeypatch.setattr(
        plan._Prepared, "_compute", lambda *args: calls.append(None) or compute(*args)
    )
    return calls


def _predictor():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, use_bias=False), nn.BatchNorm())
    net.initialize()
    net.hybridize()
    return net


def test_weights_are_prepared_again_for_the_network_that_was_written_to(computed):
    net, data = _predictor(), mx.nd.ones((1, 2, 5, 5))
    net(data)  # one node at a time, to find the shapes of parameters
    before = net(data)
    assert len(computed) == 1
    other = mx.nd.ones(3)
    other.attach_grad()
    with mx.autograd.record():
        loss = (other * 2).sum()
    mx.nd.zeros(3)[:] = 1  # unseen: while the graph of `loss` may still be differentiated
    assert (net(data) == before).asnumpy().all()
    assert len(computed) == 1
    weight = net[0].weight.data()
    weight[:] = weight * 2
    assert not (net(data) == before).asnumpy().all()
    assert len(computed) == 2
    loss.backward()
