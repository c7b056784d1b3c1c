"""Loaders beside a GPU: datasets on it, page-locked batches, workers forked after its use."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import data, nn
from mxnet.gluon.data.vision import transforms

from ..gluon.data.datasets import Computed

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("pin_memory", [False, True])
def test_batches_go_to_the_gpu(workers, pin_memory):
    mx.nd.ones(3, ctx=mx.gpu()).asnumpy()  # workers are forked from a process that uses the GPU
    net = nn.Dense(2, weight_initializer="ones")
    net.initialize(ctx=mx.gpu())
    loader = data.DataLoader(Computed(40), 4, num_workers=workers, pin_memory=pin_memory)
    for number, (batch, _) in enumerate(loader):
        assert batch._plain.is_pinned() is pin_memory
        assert (batch.context.device_type == "cpu_pinned") is pin_memory
        output = net(batch.as_in_context(mx.gpu()))
        assert output.asnumpy()[:, 0].tolist() == [3 * (4 * number + i) for i in range(4)]


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_dataset_on_the_gpu(workers):
    images = mx.nd.array(np.arange(6 * 4).reshape((6, 2, 2, 1)), dtype="uint8", ctx=mx.gpu())
    dataset = data.ArrayDataset(images, list(range(6))).transform_first(transforms.ToTensor())
    batches = list(data.DataLoader(dataset, 4, num_workers=workers))
    expected = images.asnumpy().transpose((0, 3, 1, 2)) / np.float32(255)
    found = np.concatenate([batch.asnumpy() for batch, _ in batches])
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    kind = "cpu_shared" if workers else "gpu"
    assert {batch.context.device_type for batch, _ in batches} == {kind}


def test_samples_on_the_gpu_from_threads():
    dataset = data.SimpleDataset([mx.nd.ones(2, ctx=mx.gpu()) * i for i in range(4)])
    loader = data.DataLoader(dataset, 2, num_workers=2, thread_pool=True)
    assert [batch.asnumpy()[:, 0].tolist() for batch in loader] == [[0, 1], [2, 3]]
