"""Samplers beyond the usual ones, and datasets of texts."""

from mxnet._start import make_getattr, make_module, tracebacks
from mxnet.gluon.contrib.data import sampler as sampler
from mxnet.gluon.contrib.data import text as text
from mxnet.gluon.contrib.data.sampler import IntervalSampler as IntervalSampler
from mxnet.gluon.contrib.data.sampler import SplitSampler as SplitSampler

_constants = make_module(
    f"{__name__}._constants", "The end of a line.", {"EOS_TOKEN": text.EOS_TOKEN}
)

tracebacks.public_functions(globals())

__getattr__ = make_getattr(__name__, globals(), {"vision": f"{__name__}.vision"})
