"""Writes past torch's version counters reach those alone who use the memory."""

from __future__ import annotations

import copy
import gc

import pytest
import torch

import mxnet as mx
from mxnet._arrays.unseen_writes import UnseenWrites
from mxnet.gluon import nn
from mxnet.graph.run import plan


def test_a_write_changes_the_versions_of_its_storage_alone():
    writes, written, other = UnseenWrites(), torch.zeros(4), torch.zeros(4)
    count, versions = writes.count, (writes.versions([written]), writes.versions([other]))
    writes.note(written[1:])
    assert writes.count != count
    assert writes.versions([written[:1]]) != versions[0]
    assert writes.versions([other]) == versions[1]


def test_the_version_stays_with_the_memory_and_goes_with_it():
    writes, tensor = UnseenWrites(), torch.zeros(4)
    writes.note(tensor.data)
    gc.collect()
    version = writes.versions([tensor.detach()])
    assert version == writes.versions([tensor.view(2, 2)]) != writes.versions([torch.zeros(4)])
    assert writes.versions([copy.deepcopy(tensor)]) == writes.versions([torch.zeros(4)])
    del tensor
    later = [torch.zeros(4) for _ in range(100)]  # one of them has its address, most likely
    assert set(writes.versions(later)) == {0}


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
