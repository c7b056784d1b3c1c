"""Sentences as numbers, and batches of sentences of similar length."""

from __future__ import annotations

import bisect
import logging
import random
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from mxnet import ndarray as nd
from mxnet.errors import ArgumentValueError, CheckFailedError
from mxnet.io import DataBatch, DataDesc, DataIter


def encode_sentences(
    sentences: Sequence[Sequence[Any]],
    vocab: dict[Any, int] | None = None,
    invalid_label: int = -1,
    invalid_key: Hashable = "\n",
    start_label: int = 0,
    unknown_token: Hashable | None = None,
) -> tuple[list[list[int]], dict[Any, int]]:
    r"""Replaces words by numbers.

    Args:
        sentences: Lists of words.
        vocab: Number of each word; by default all words get one.
        invalid_label: Number that pads short sentences; no word gets it.
        invalid_key: The word for it in a new vocabulary.
        start_label: Number of the first new word.
        unknown_token: Word that stands for all words outside of the vocabulary.

    Returns:
        The sentences as lists of numbers, and the vocabulary.

    Example:
        >>> import mxnet as mx
        >>> mx.rnn.encode_sentences([["to", "be"], ["or", "not", "to", "be"]])
        ([[0, 1], [2, 3, 0, 1]], {'\n': -1, 'to': 0, 'be': 1, 'or': 2, 'not': 3})
    """
    is_new = vocab is None
    known: dict[Any, int] = {invalid_key: invalid_label} if vocab is None else vocab
    number = start_label
    encoded = []
    for sentence in sentences:
        codes = []
        for word in sentence:
            key = word
            if word not in known:
                if not is_new and not unknown_token:
                    raise CheckFailedError(f"encode_sentences: {word!r} is not in the vocabulary")
                if number == invalid_label:
                    number += 1
                key = unknown_token or word
                known[key] = number
                number += 1
            codes.append(known[key])
        encoded.append(codes)
    return encoded, known


class BucketSentenceIter(DataIter):
    """Iterates over sentences for a language model, in batches of one length each.

    The label of a word is the next word.

    Args:
        sentences: Lists of numbers.
        batch_size: Sentences in a batch.
        buckets: Lengths of batches; by default all lengths with enough sentences for a batch.
        invalid_label: Number that pads short sentences.
        data_name: Name of the data.
        label_name: Name of the label.
        dtype: Element type.
        layout: `"NT"` for batch first or `"TN"` for time first.
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: Sequence[int] | None = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
        layout: str = "NT",
    ) -> None:
        super().__init__()
        self.batch_size = batch_size
        self.data_name, self.label_name = data_name, label_name
        self.dtype = dtype
        self.invalid_label = invalid_label
        self.layout = layout
        self.major_axis = layout.find("N")
        counts = np.bincount([len(sentence) for sentence in sentences])
        self.buckets = sorted(buckets or np.flatnonzero(counts >= batch_size).tolist())
        self.data = self._fill(sentences)
        self.default_bucket_key = max(self.buckets)
        self.provide_data = [self._describe(data_name, self.default_bucket_key)]
        self.provide_label = [self._describe(label_name, self.default_bucket_key)]
        self.idx = [
            (number, start)
            for number, rows in enumerate(self.data)
            for start in range(0, len(rows) - batch_size + 1, batch_size)
        ]
        self.nddata: list[nd.NDArray] = []
        self.ndlabel: list[nd.NDArray] = []
        self.curr_idx = 0
        self.reset()

    def _fill(self, sentences: Sequence[Sequence[int]]) -> list[np.ndarray[Any, Any]]:
        """Sorts the sentences into buckets and pads them; empty buckets are dropped."""
        rows: list[list[Any]] = [[] for _ in self.buckets]
        too_long = 0
        for sentence in sentences:
            number = bisect.bisect_left(self.buckets, len(sentence))
            if number == len(self.buckets):
                too_long += 1
                continue
            row = np.full((self.buckets[number],), self.invalid_label, dtype=self.dtype)
            row[: len(sentence)] = sentence
            rows[number].append(row)
        if too_long:
            logging.warning("BucketSentenceIter: %d sentences fit no bucket", too_long)
        filled = [number for number, items in enumerate(rows) if items]
        self.buckets = [self.buckets[number] for number in filled]
        return [np.asarray(rows[number], dtype=self.dtype) for number in filled]

    def _describe(self, name: str, length: int) -> DataDesc:
        if self.major_axis not in (0, 1):
            raise ArgumentValueError(
                f"BucketSentenceIter: layout takes NT or TN, got {self.layout!r}"
            )
        shape = (self.batch_size, length) if self.major_axis == 0 else (length, self.batch_size)
        return DataDesc(name=name, shape=shape, layout=self.layout)

    def reset(self) -> None:
        """Shuffles the batches and the sentences of each bucket, and starts again."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        for rows in self.data:
            np.random.shuffle(rows)
        self.nddata, self.ndlabel = [], []
        for rows in self.data:
            label = np.full_like(rows, self.invalid_label)
            label[:, :-1] = rows[:, 1:]
            self.nddata.append(nd.array(rows, dtype=self.dtype))
            self.ndlabel.append(nd.array(label, dtype=self.dtype))

    def next(self) -> DataBatch:
        """Returns the next batch; its `bucket_key` is the length of the sentences."""
        if self.curr_idx == len(self.idx):
            raise StopIteration
        number, start = self.idx[self.curr_idx]
        self.curr_idx += 1
        data = self.nddata[number][start : start + self.batch_size]
        label = self.ndlabel[number][start : start + self.batch_size]
        if self.major_axis == 1:
            data, label = data.T, label.T
        length = self.buckets[number]
        return DataBatch(
            [data],
            [label],
            pad=0,
            bucket_key=length,
            provide_data=[self._describe(self.data_name, length)],
            provide_label=[self._describe(self.label_name, length)],
        )
