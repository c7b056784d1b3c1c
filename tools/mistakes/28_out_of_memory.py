"""An array is too large."""

import mxnet as mx

x = mx.nd.ones((200000, 1))
y = mx.nd.ones((1, 200000000))
x * y
