"""Iterators that clients derive from the original's, over a pool of their own."""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.pool import ThreadPool

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon.data.dataloader import (
    _MultiWorkerIter,
    _MultiWorkerIterV1,
    default_batchify_fn,
    default_mp_batchify_fn,
)

BATCHES = [[0, 1], [2, 3], [4]]


class Twice(_MultiWorkerIter):
    """Asks for every batch twice, as a client that overrides how tasks are sent."""

    def _push_next(self):
        samples = next(self._iter, None)
        if samples is None:
            return
        for _ in range(2):
            self._data_buffer[self._sent_idx] = self._worker_pool.apply_async(
                self._worker_fn, (samples, self._batchify_fn, self._dataset)
            )
            self._sent_idx += 1


@pytest.fixture
def samples():
    return [np.full((200, 50), index, "float32") for index in range(5)]


@pytest.mark.parametrize("prefetch", [0, 2, 9])
def test_batches_of_processes_come_in_order(samples, prefetch):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        batches = _MultiWorkerIter(
            pool, default_mp_batchify_fn, BATCHES, prefetch=prefetch, dataset=samples
        )
        assert len(batches) == 3
        found = [(batch.shape, batch[:, 0, 0].asnumpy().tolist()) for batch in batches]
    assert found == [((2, 200, 50), [0, 1]), ((2, 200, 50), [2, 3]), ((1, 200, 50), [4])]


def test_a_worker_function_may_give_the_batch_itself(samples):
    def load(indices, batchify_fn, dataset):
        return batchify_fn([dataset[index] for index in indices])

    with ThreadPool(1) as pool:
        batches = _MultiWorkerIter(
            pool, default_batchify_fn, BATCHES, True, 0, load, dataset=samples
        )
        first = batches.next()
        assert first.context == mx.Context("cpu_pinned", 0)
        assert len(list(batches)) == 2


def test_a_derived_iterator_sends_what_it_wants(samples):
    with ThreadPool(2) as pool:
        found = list(Twice(pool, default_batchify_fn, BATCHES, prefetch=1, dataset=samples))
    assert [int(batch[0, 0, 0].asscalar()) for batch in found] == [0, 0, 2, 2, 4, 4]


def test_a_batch_that_does_not_come_is_reported():
    def sleep(*_):
        time.sleep(0.2)

    with ThreadPool(1) as pool:
        batches = _MultiWorkerIter(pool, None, BATCHES, worker_fn=sleep, timeout=0.01)
        with pytest.raises(multiprocessing.TimeoutError, match="no batch came"):
            next(batches)


@pytest.mark.parametrize("num_workers", [1, 3])
def test_batches_of_loops_over_queues(num_workers):
    samples = [[0, 1], [2, 3], [4, 5], [6]]
    batches = _MultiWorkerIterV1(num_workers, range(10), mx.nd.array, samples)
    assert len(batches) == 4
    assert [batch.asnumpy().tolist() for batch in batches] == samples
    batches.shutdown()
