"""Boxes to be detected."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .layer_helpers import V, boxes, random, slopes, some, types

anchors = nd.array(boxes(1, 30))
scores = nd.softmax(some(2, 4, 30, low=-3, high=3), axis=1)
offsets = some(2, 120)
detect = nd.contrib.MultiBoxDetection
