"""Samplers beyond the usual ones."""

from mxnet.gluon.contrib.data import sampler as sampler
from mxnet.gluon.contrib.data.sampler import IntervalSampler as IntervalSampler
