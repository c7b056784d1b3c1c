"""Functions that merge samples."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import data
from mxnet.gluon.data import batchify


def test_stack():
    assert batchify.Stack()([mx.nd.ones(2), mx.nd.zeros(2)]).asnumpy().tolist() == [[1, 1], [0, 0]]
    shared = batchify.Stack(use_shared_mem=True)([np.ones(2)] * 3)
    assert (shared.shape, shared.context) == ((3, 2), mx.Context("cpu_shared", 0))


@pytest.mark.parametrize(
    ("arguments", "samples", "expected"),
    [
        ({}, [[1, 2, 3], [4]], [[1, 2, 3], [4, 0, 0]]),
        ({"val": -1}, [np.array([1]), mx.nd.array([2, 3])], [[1, -1], [2, 3]]),
        ({"round_to": 2}, [[1, 2, 3], [4]], [[1, 2, 3, 0], [4, 0, 0, 0]]),
        ({}, [[[1, 2]], [[3], [4]]], [[[1, 2], [0, 0]], [[3, 0], [4, 0]]]),
        ({}, [1, 2], [1, 2]),
    ],
)
def test_pad(arguments, samples, expected):
    assert batchify.Pad(**arguments)(samples).asnumpy().tolist() == expected


def test_pad_keeps_or_changes_the_dtype():
    assert batchify.Pad()([np.ones(1, "float16"), np.ones(2, "float16")]).dtype is np.float16
    assert batchify.Pad(dtype="int32")([[1.0], [2.0, 3.0]]).dtype is np.int32


def test_append():
    one, two = batchify.Append()([np.ones(2), np.ones((3, 1))])
    assert (one.shape, two.shape) == ((1, 2), (1, 3, 1))
    assert batchify.Append(expand=False)([np.ones(2)])[0].shape == (2,)
    assert batchify.Append(batch_axis=1)([np.ones(2)])[0].shape == (2, 1)


@pytest.mark.parametrize("functions", [True, False])
def test_group(functions):
    parts = batchify.Pad(), batchify.Stack(), batchify.AsList()
    group = batchify.Group(*parts) if functions else batchify.Group(list(parts))
    padded, stacked, kept = group([([1], 2, "a"), ([3, 4], 5, "b")])
    assert padded.asnumpy().tolist() == [[1, 0], [3, 4]]
    assert stacked.asnumpy().tolist() == [2, 5]
    assert kept == ["a", "b"]


@pytest.mark.parametrize(
    ("misuse", "error"),
    [
        (lambda: batchify.Group([len], len), ValueError),
        (lambda: batchify.Group(len, 3), TypeError),
        (lambda: batchify.Group(len)([(1, 2)]), ValueError),
        (lambda: batchify.Pad(round_to=0), ValueError),
        (lambda: batchify.Pad()([[1], [[2]]]), ValueError),
        (lambda: batchify.Stack()([[1], [2, 3]]), ValueError),
        (lambda: batchify.Stack()([mx.nd.ones(1), mx.nd.ones(2)]), ValueError),
        (lambda: batchify.Stack()([(1, 2), (1,)]), ValueError),
    ],
)
def test_misuse(misuse, error):
    with pytest.raises(error) as info:
        misuse()
    assert isinstance(info.value, mx.MXNetError)


@pytest.mark.parametrize("workers", [0, 2])
def test_in_a_loader(workers):
    dataset = data.SimpleDataset([(list(range(length)), length) for length in (1, 3, 2)])
    merge = batchify.Group(batchify.Pad(val=9), batchify.Stack())
    batches = list(data.DataLoader(dataset, 2, batchify_fn=merge, num_workers=workers))
    assert batches[0][0].asnumpy().tolist() == [[0, 9, 9], [0, 1, 2]]
    assert [label.asnumpy().tolist() for _, label in batches] == [[1, 3], [2]]


@pytest.mark.parametrize(
    "make", [batchify.Stack, batchify.Pad, lambda: batchify.Group(batchify.Stack())]
)
def test_handles_do_the_same(make):
    samples = [(np.array([1, 2]),), (np.array([3, 4]),)]
    function = make()
    found, expected = function.__mx_handle__()(samples), function(samples)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
