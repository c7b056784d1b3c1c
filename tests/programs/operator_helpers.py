"""Arrays for Python's operators."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def pair(dtype):
    x = z = nd.array([5, 3, 2], dtype=dtype)
    y = nd.array([2, 2, 3], dtype=dtype)
    return locals()


def negative_numbers():
    x = nd.array([-7, 7, -2, 0])
    i = nd.array([-7, 7, -2, 1], dtype="int32")
    return locals()


def floats_and_integers():
    x = nd.array([1, 2, 3])
    i = nd.array([1, 2, 3], dtype="int32")
    return locals()


def shapes_that_broadcast():
    a = nd.arange(6).reshape((2, 3))
    b = nd.array([1, 2, 3])
    c = nd.array([[1], [2]])
    return locals()


def matrix():
    x = nd.array([[1, 2], [3, 4]])
    i = x.astype("int32")
    return locals()


def matrix_with_two_names():
    x = nd.array([[1, 2], [3, 4]])
    y = x
    return locals()


def views():
    x = nd.arange(6).reshape((2, 3))
    v = x[0]
    w = x.reshape((3, 2))
    c = x[:, 1]
    return locals()


def arrays_of_one_element():
    x = nd.array([[1, 2], [3, 4]])
    one = nd.array([3])
    zero = nd.array([0])
    return locals()
