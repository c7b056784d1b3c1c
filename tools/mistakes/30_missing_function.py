"""A function is misspelt."""

import mxnet as mx

mx.nd.sofmax(mx.nd.ones((3,)))
