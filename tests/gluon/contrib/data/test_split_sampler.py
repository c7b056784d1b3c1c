"""Samplers that split a dataset among processes."""

from __future__ import annotations

import random
from itertools import chain

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import data
from mxnet.gluon.contrib.data import SplitSampler


def parts(length, count, **options):
    return [list(SplitSampler(length, count, part, **options)) for part in range(count)]


@pytest.mark.parametrize("options", [{}, {"shuffle": False}, {"seed": 3}])
@pytest.mark.parametrize(("length", "count"), [(12, 4), (13, 4), (3, 5), (1, 1), (0, 2)])
def test_parts_hold_every_index_once_and_differ_by_one_at_most(length, count, options):
    found = parts(length, count, **options)
    assert sorted(chain.from_iterable(found)) == list(range(length))
    sizes = [len(SplitSampler(length, count, part, **options)) for part in range(count)]
    assert sizes == [len(part) for part in found]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("options", [{"shuffle": False}, {"seed": 3}])
@pytest.mark.parametrize(("length", "count"), [(12, 4), (13, 4), (15, 4), (5, 5), (9, 5)])
def test_even_parts_have_the_size_of_the_largest(length, count, options):
    found = parts(length, count, even_size=True, **options)
    assert {len(part) for part in found} == {-(-length // count)}
    assert set(chain.from_iterable(found)) == set(range(length))
    assert all(len(set(part)) == len(part) for part in found)


def test_without_a_seed_a_part_keeps_its_indices_in_each_round():
    np.random.seed(4)
    sampler = SplitSampler(40, 4, 1)
    rounds = [list(sampler) for _ in range(3)]
    assert [sorted(order) for order in rounds] == [list(range(10, 20))] * 3
    assert len(set(map(tuple, rounds))) == 3


def test_with_a_seed_parts_change_in_each_round_and_stay_disjoint():
    samplers = [SplitSampler(40, 4, part, seed=8) for part in range(4)]
    first, second = [[list(sampler) for sampler in samplers] for _ in range(2)]
    assert sorted(chain.from_iterable(second)) == list(range(40))
    assert set(first[0]) != set(second[0])


@pytest.mark.parametrize("options", [{}, {"shuffle": False}, {"seed": 3}])
def test_a_part_can_be_repeated(options):
    sampler = SplitSampler(10, 3, 1, repeat=3, **options)
    order = list(sampler)
    assert len(sampler) == len(order) == 9
    assert all(order.count(index) == 3 for index in order)


def test_a_round_can_be_set_to_resume():
    whole = SplitSampler(20, 2, 0, seed=8)
    rounds = [list(whole) for _ in range(3)]
    resumed = SplitSampler(20, 2, 0, seed=8)
    resumed.round = 2
    assert list(resumed) == rounds[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((4, 2, 2), "part_index takes 0 to 1, got 2"), ((2, 3, 0, True), "each of 3 parts, got 2")],
)
def test_parts_that_cannot_be(arguments, words):
    with pytest.raises(mx.MXNetError, match=words):
        SplitSampler(*arguments)


def test_ranks_see_equally_many_batches():
    dataset = data.ArrayDataset(np.arange(13, dtype=np.float32))
    lengths = []
    for rank in range(3):
        sampler = SplitSampler(13, 3, rank, even_size=True)
        loader = data.DataLoader(dataset, batch_size=2, sampler=sampler)
        lengths.append([len(batch) for batch in loader])
        assert len(loader) == len(lengths[-1])
    assert lengths == [[2, 2, 1]] * 3


class PartSampler(data.sampler.Sampler):
    """A sampler as client programs for many machines define it."""

    def __init__(self, length, num_parts=1, part_index=0):
        self.part_len = length // num_parts
        self.start = self.part_len * part_index
        self.end = self.start + self.part_len

    def __iter__(self):
        indices = list(range(self.start, self.end))
        random.shuffle(indices)
        return iter(indices)

    def __len__(self):
        return self.part_len


@pytest.mark.parametrize("workers", [0, 2])
def test_a_sampler_of_the_client_splits_by_rank(workers):
    dataset = data.ArrayDataset(np.arange(12, dtype=np.float32))
    seen = []
    for rank in range(2):
        sampler = PartSampler(12, 2, rank)
        loader = data.DataLoader(dataset, 4, sampler=sampler, num_workers=workers)
        seen.append(sorted(value for batch in loader for value in batch.asnumpy().tolist()))
    assert seen == [list(range(6)), list(range(6, 12))]
