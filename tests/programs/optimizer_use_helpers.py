"""Weights that optimizers update, and what they are asked for."""

from __future__ import annotations

import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

warnings.simplefilter("ignore")


def updated(optimizer, index="w_weight", steps=3):
    update, w = mx.optimizer.get_updater(optimizer), nd.array([1, 2, 3.0])
    for step in range(steps):
        update(index, nd.array([3, 2, 1.0]) * (step + 1), w)
    return w


def some_rows(optimizer):
    update, w = mx.optimizer.get_updater(optimizer), nd.ones((3, 2))
    for step in range(2):
        update(0, nd.sparse.row_sparse_array((nd.ones((1, 2)), [1]), shape=(3, 2)), w)
    return w


seen = []


def stypes(item):
    return [stypes(part) for part in item] if isinstance(item, (list, tuple)) else item.stype


class Seen(mx.optimizer.Optimizer):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def create_state_multi_precision(self, index, weight):
        seen.append((self.name, index, weight.shape, weight.stype))
        return nd.zeros(weight.shape)

    def update_multi_precision(self, index, weight, grad, state):
        seen.append((self.name, index, stypes(weight), stypes(grad), stypes(state)))


def compared(*arguments, **options):
    mx.test_utils.compare_optimizer(Seen("a"), Seen("b"), *arguments, **options)
    return seen
