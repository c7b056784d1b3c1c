"""A point process."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .layer_helpers import V, boxes, random, slopes, some, types

lags, marks = some(2, 4, low=0.1), nd.array([[0, 1, 1, 0], [1, 0, 0, 0]], dtype="int32")
lengths, ends = nd.array([4, 2]), nd.array([5, 6])
state = some(2, 2, low=0)


def likelihood(lda, alpha, beta):
    return nd.contrib.hawkesll(lda, alpha, beta, state, lags, marks, lengths, ends)


arrays = some(2, 2, low=0.2), some(2, low=0.2), some(2, low=0.2)
