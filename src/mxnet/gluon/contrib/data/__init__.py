"""Samplers beyond the usual ones, and datasets of texts."""

from mxnet import _tracebacks
from mxnet.gluon.contrib.data import sampler as sampler
from mxnet.gluon.contrib.data import text as text
from mxnet.gluon.contrib.data.sampler import IntervalSampler as IntervalSampler
from mxnet.gluon.contrib.data.sampler import SplitSampler as SplitSampler

_tracebacks.public_functions(globals())
