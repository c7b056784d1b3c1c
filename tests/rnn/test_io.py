"""Sentences in buckets beyond what `tests/programs/rnn_cells.py` compares with the original."""

from __future__ import annotations

import logging

import pytest

from mxnet import rnn


def test_every_batch_is_of_one_length_and_labels_are_the_next_words():
    sentences = [[number] * length for number in range(1, 5) for length in (2, 3, 3)]
    batches = list(rnn.BucketSentenceIter(sentences, batch_size=2, invalid_label=0))
    assert sorted(batch.bucket_key for batch in batches) == [2, 2, 3, 3, 3, 3]
    for batch in batches:
        data, label = batch.data[0].asnumpy(), batch.label[0].asnumpy()
        assert data.shape == (2, batch.bucket_key)
        assert (label[:, :-1] == data[:, 1:]).all()
        assert (label[:, -1] == 0).all()


def test_sentences_that_are_too_long_are_reported(caplog):
    with caplog.at_level(logging.WARNING):
        rnn.BucketSentenceIter([[1, 2], [3, 4], [5] * 9], batch_size=2, buckets=[2])
    assert "1 sentences" in caplog.text


def test_an_unknown_word_is_named():
    with pytest.raises(AssertionError, match="'dog'"):
        rnn.encode_sentences([["dog"]], vocab={"cat": 1})
