"""Iterators around other iterators."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet.io import DataBatch, DataDesc, DataIter, NDArrayIter, PrefetchingIter, ResizeIter


class Counting(DataIter):
    """Returns numbers; raises instead of one of them, or waits before each."""

    def __init__(self, count=4, fails_at=None, wait=None):
        super().__init__(1)
        self.provide_data = [DataDesc("number", (1,), layout="N")]
        self.provide_label = []
        self.count, self.fails_at, self.wait, self.at = count, fails_at, wait, 0

    def reset(self):
        self.at = 0

    def next(self):
        if self.wait is not None:
            assert self.wait.wait(10)
        if self.at == self.count:
            raise StopIteration
        self.at += 1
        if self.at - 1 == self.fails_at:
            raise OSError("the disk is gone")
        return DataBatch([mx.nd.array([self.at - 1])], [], 0, bucket_key=self.at)


def numbers(iterator):
    return [int(batch.data[0].asscalar()) for batch in iterator]


def test_what_a_thread_raises_is_raised_by_the_call():
    iterator = PrefetchingIter(Counting(fails_at=2))
    assert int(next(iterator).data[0].asscalar()) == 0
    assert int(next(iterator).data[0].asscalar()) == 1
    with pytest.raises(OSError, match="the disk is gone"):
        next(iterator)


def test_a_reset_after_an_error_starts_again():
    inner = Counting(fails_at=1)
    iterator = PrefetchingIter(inner)
    next(iterator)
    with pytest.raises(OSError, match="disk"):
        next(iterator)
    inner.fails_at = None
    iterator.reset()
    assert numbers(iterator) == [0, 1, 2, 3]


def test_the_end_stays_the_end_until_a_reset():
    iterator = PrefetchingIter(Counting())
    assert numbers(iterator) == [0, 1, 2, 3]
    assert not iterator.iter_next()
    assert numbers(iterator) == []
    iterator.reset()
    assert numbers(iterator) == [0, 1, 2, 3]


@pytest.mark.parametrize("taken", range(6))
def test_a_reset_at_any_time_starts_again(taken):
    iterator = PrefetchingIter([Counting(), Counting()])
    for _ in range(taken):
        iterator.iter_next()
    for _ in range(3):
        iterator.reset()
    assert numbers(iterator) == [0, 1, 2, 3]


def test_a_batch_is_read_ahead():
    ready = threading.Event()
    inner = Counting(wait=ready)
    iterator = PrefetchingIter(inner)
    ready.set()
    next(iterator)
    iterator._coming[0].result(10)
    assert inner.at == 2


@pytest.mark.parametrize("counts", [(4, 3), (3, 4)])
def test_iterators_of_different_lengths_are_an_error(counts):
    iterator = PrefetchingIter([Counting(count) for count in counts])
    with pytest.raises(AssertionError, match="differ in length"):
        numbers(iterator)


def test_different_pads_are_an_error():
    pair = [NDArrayIter(np.arange(count), None, 4) for count in (6, 5)]
    iterator = PrefetchingIter(pair)
    next(iterator)
    with pytest.raises(AssertionError, match="differ in length"):
        next(iterator)


def test_a_dropped_iterator_leaves_no_thread():
    before = set(threading.enumerate())
    iterator = PrefetchingIter([Counting(), Counting()])
    next(iterator)
    new = [thread for thread in threading.enumerate() if thread not in before]
    assert new
    del iterator
    gc.collect()
    for thread in new:
        thread.join(10)
        assert not thread.is_alive()


def test_nothing_is_at_hand_before_the_first_batch():
    for iterator in (PrefetchingIter(Counting()), ResizeIter(Counting(), 2)):
        with pytest.raises(AssertionError, match=r"call next\(\) first"):
            iterator.getdata()


def test_batches_keep_their_bucket():
    assert [batch.bucket_key for batch in ResizeIter(Counting(), 6)] == [1, 2, 3, 4, 1, 2]
    assert [batch.bucket_key for batch in PrefetchingIter(Counting())] == [1, 2, 3, 4]
    both = PrefetchingIter([Counting(), Counting()])
    assert str(next(both)) == "DataBatch: data shapes: [(1,), (1,)] label shapes: None"
