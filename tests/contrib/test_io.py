"""Tests of batches of Gluon for modules."""

from __future__ import annotations

import mxnet as mx


def test_a_small_batch_is_filled_with_zeros():
    dataset = mx.gluon.data.ArrayDataset(mx.nd.ones((3, 2)), mx.nd.ones((3,)))
    batches = list(mx.contrib.io.DataLoaderIter(mx.gluon.data.DataLoader(dataset, 2)))
    assert [batch.pad for batch in batches] == [0, 1]
    assert batches[1].data[0].asnumpy().tolist() == [[1, 1], [0, 0]]
    assert batches[1].label[0].asnumpy().tolist() == [1, 0]
