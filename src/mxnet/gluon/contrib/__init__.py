"""Parts of networks beyond the usual ones, each imported when it is first asked for."""

from mxnet._start import make_getattr

_LATE = {
    name: f"mxnet.gluon.contrib.{name}"
    for name in ("cnn", "data", "estimator", "nn", "plot", "rnn", "torch")
}

__getattr__ = make_getattr(__name__, globals(), _LATE)
