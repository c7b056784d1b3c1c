"""Data from NumPy is float64, weights are float32."""

import mxnet as mx
import numpy as np

weights = mx.nd.ones((3, 2))
data = mx.nd.array(np.random.rand(4, 3), dtype="float64")
mx.nd.dot(data, weights)
