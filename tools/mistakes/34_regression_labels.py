"""Predictions and labels of a regression do not fit."""

import mxnet as mx
from mxnet import gluon

gluon.loss.L2Loss()(mx.nd.ones((32, 1)), mx.nd.ones((16,)))
