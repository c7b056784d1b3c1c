"""An argument is misspelt."""

import mxnet as mx

x = mx.nd.ones((1, 3, 8, 8))
w = mx.nd.ones((4, 3, 3, 3))
mx.nd.Convolution(x, w, kernel=(3, 3), num_filters=4, no_bias=True)
