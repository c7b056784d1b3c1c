"""Iterators made of the arrays that users of `FeedForward` give."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.io import DataIter, NDArrayIter
from mxnet.ndarray import NDArray


def as_iterator(data: Any, label: Any, batch_size: int, *, is_train: bool) -> Any:
    """Returns an iterator as it is, and makes one of arrays.

    Args:
        data: The iterator, or an array of examples.
        label: One number for each example; zeros if they are not needed.
        batch_size: Size of the batches of an array.
        is_train: Whether labels are needed, and examples come in random order.
    """
    if isinstance(data, DataIter) or hasattr(data, "provide_data"):
        return data
    if not isinstance(data, (NDArray, np.ndarray)):
        raise UnsupportedTypeError(
            f"FeedForward: X takes a DataIter or an array, got {type(data).__name__}"
        )
    if label is None:
        if is_train:
            raise ArgumentValueError("FeedForward: X is an array, so that y must be given")
        label = np.zeros(data.shape[0])
    label = label.asnumpy() if isinstance(label, NDArray) else np.asarray(label)
    if len(label) != data.shape[0] or label.size != len(label):
        raise ArgumentValueError(
            f"FeedForward: y takes a number for each of {data.shape[0]} examples, "
            f"got shape {label.shape}"
        )
    return NDArrayIter(
        data,
        label.ravel(),
        min(data.shape[0], batch_size),
        shuffle=is_train,
        last_batch_handle="roll_over" if is_train else "pad",
    )


def as_eval_iterator(eval_data: Any, batch_size: int) -> Any:
    """Returns an iterator as it is, and makes one of a pair of data and labels."""
    if eval_data is None or isinstance(eval_data, DataIter):
        return eval_data
    if isinstance(eval_data, (tuple, list)) and len(eval_data) == 2:
        data, label = eval_data
        data = np.asarray(data) if isinstance(data, list) else data
        return as_iterator(data, label, batch_size, is_train=label is not None)
    raise UnsupportedTypeError(
        "FeedForward: eval_data takes a DataIter or a pair of arrays, "
        f"got {type(eval_data).__name__}"
    )
