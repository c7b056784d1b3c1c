"""Regions to be pooled."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .layer_helpers import V, boxes, random, slopes, some, types

image = nd.array(random.randint(0, 3, (2, 3, 9, 12)))
near, far = random.uniform(-4, 12, (6, 2)), random.uniform(10, 40, (6, 2))
regions = np.concatenate([random.randint(0, 2, (6, 1)), near, far], 1)
regions[2, 3:] = regions[2, 1:3] - 1
regions = nd.array(regions)


def pool(size, scale=0.5):
    return slopes(lambda x: nd.ROIPooling(x, regions, pooled_size=size, spatial_scale=scale), image)
