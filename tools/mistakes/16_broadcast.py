"""Two arrays have shapes that do not fit together."""

import mxnet as mx

predictions = mx.nd.ones((32, 10))
bias = mx.nd.ones((32,))
predictions + bias
