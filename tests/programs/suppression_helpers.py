"""Boxes to be suppressed."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .layer_helpers import V, boxes, random, slopes, some, types

kinds = random.randint(-1, 3, (2, 40, 1))
scores = random.randint(0, 8, (2, 40, 1)) / 8
rows = nd.array(np.concatenate([kinds, scores, boxes(2, 40)], -1))
nms = nd.contrib.box_nms
