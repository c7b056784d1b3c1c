"""An array to print."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def matrix():
    x = nd.array([[1, 2], [3, 4]])
    return locals()
