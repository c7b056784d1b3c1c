"""Parts of networks beyond the usual ones, each imported when it is first asked for."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet.gluon.contrib import cnn as cnn
    from mxnet.gluon.contrib import data as data
    from mxnet.gluon.contrib import estimator as estimator
    from mxnet.gluon.contrib import nn as nn
    from mxnet.gluon.contrib import plot as plot
    from mxnet.gluon.contrib import rnn as rnn
    from mxnet.gluon.contrib import torch as torch

_LATE = {
    name: f"mxnet.gluon.contrib.{name}"
    for name in ("cnn", "data", "estimator", "nn", "plot", "rnn", "torch")
}

__getattr__ = make_getattr(__name__, globals(), _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
