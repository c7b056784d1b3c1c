"""Numbers that are not finite."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

F = nd.contrib
x = nd.array([1, float("nan"), float("inf"), -float("inf"), 0])
