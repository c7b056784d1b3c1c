"""A metric gets labels and predictions of different lengths."""

import mxnet as mx

metric = mx.metric.Accuracy()
metric.update(mx.nd.zeros((4,)), mx.nd.zeros((5, 10)))
