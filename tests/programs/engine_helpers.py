"""The size of groups, read without a change."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def size_of_groups():
    before = mx.engine.set_bulk_size(4)
    mx.engine.set_bulk_size(before)
    return locals()
