"""Parts of loaders that libraries import; results are those of the original."""

import multiprocessing
import pickle

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon.data import dataloader


@pytest.fixture
def dataset():
    return mx.gluon.data.ArrayDataset(mx.nd.arange(6), mx.nd.arange(6) * 2)


def _values(batch):
    return [array.asnumpy().tolist() for array in batch]


def test_worker_function_returns_bytes(dataset):
    merge = dataloader.default_mp_batchify_fn
    dataloader._worker_initializer(dataset, False, False)
    for packed in (
        dataloader._worker_fn([1, 2], merge),
        dataloader._worker_fn([1, 2], merge, dataset),
    ):
        batch = pickle.loads(packed)
        assert _values(batch) == [[1, 2], [2, 4]]
        assert batch[0].context.device_type == "cpu_shared"


def test_thread_function_returns_the_batch(dataset):
    batch = dataloader._thread_worker_fn([1, 2], dataloader.default_batchify_fn, dataset)
    assert _values(batch) == [[1, 2], [2, 4]]


def test_loops_end_when_they_are_told(dataset):
    keys, batches, buffer = dataloader.Queue(), dataloader.Queue(), {}
    for task in ((0, [0, 1]), (1, [5]), (None, None)):
        keys.put(task)
    dataloader.worker_loop_v1(dataset, keys, batches, dataloader.default_mp_batchify_fn)
    batches.put((None, None))
    dataloader.fetcher_loop_v1(batches, buffer)
    assert {key: _values(batch) for key, batch in buffer.items()} == {
        0: [[0, 1], [0, 2]],
        1: [[5], [10]],
    }
    assert buffer[0][0].context == mx.cpu()


def test_connections_and_queues_send_arrays():
    array = mx.nd.arange(20000)
    ends = [dataloader.ConnectionWrapper(end) for end in multiprocessing.Pipe()]
    ends[0].send(mx.nd.arange(3))
    np.testing.assert_array_equal(ends[1].recv().asnumpy(), [0, 1, 2])
    assert ends[0].fileno() > 0
    queue = dataloader.SimpleQueue()
    queue.put(mx.nd.arange(3))
    np.testing.assert_array_equal(queue.get().asnumpy(), [0, 1, 2])
    rebuild, arguments = dataloader.reduce_ndarray(array)
    np.testing.assert_array_equal(rebuild(*arguments).asnumpy(), array.asnumpy())
