"""Written by `make stubs`; do not edit."""

from mxnet.gluon.contrib import cnn as cnn
from mxnet.gluon.contrib import data as data
from mxnet.gluon.contrib import estimator as estimator
from mxnet.gluon.contrib import nn as nn
from mxnet.gluon.contrib import plot as plot
from mxnet.gluon.contrib import rnn as rnn
from mxnet.gluon.contrib import torch as torch

__all__ = ['cnn', 'data', 'estimator', 'nn', 'plot', 'rnn', 'torch']
