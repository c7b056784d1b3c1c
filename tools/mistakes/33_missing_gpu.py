"""A GPU is asked for on a machine without one."""

import mxnet as mx

mx.nd.ones((2, 2), ctx=mx.gpu(0))
