"""Samplers beyond the usual ones, and datasets of texts."""

from mxnet._start import tracebacks
from mxnet.gluon.contrib.data import sampler as sampler
from mxnet.gluon.contrib.data import text as text
from mxnet.gluon.contrib.data.sampler import IntervalSampler as IntervalSampler
from mxnet.gluon.contrib.data.sampler import SplitSampler as SplitSampler

tracebacks.public_functions(globals())
