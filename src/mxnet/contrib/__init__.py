"""Contributed parts: `mx.contrib`."""

from typing import TYPE_CHECKING

from mxnet import _importing
from mxnet.contrib import autograd as autograd
from mxnet.contrib import io as io
from mxnet.contrib import ndarray as nd
from mxnet.contrib import ndarray as ndarray
from mxnet.contrib import symbol as sym
from mxnet.contrib import symbol as symbol
from mxnet.contrib import tensorboard as tensorboard
from mxnet.contrib import text as text

if TYPE_CHECKING:
    from mxnet.contrib import onnx as onnx
    from mxnet.contrib import quantization as quant
    from mxnet.contrib import quantization as quantization
    from mxnet.contrib import svrg_optimization as svrg_optimization

__all__ = ["nd", "quant", "sym"]

_LATE = {
    "onnx": "mxnet.contrib.onnx",
    "quant": "mxnet.contrib.quantization",
    "quantization": "mxnet.contrib.quantization",
    "svrg_optimization": "mxnet.contrib.svrg_optimization",
}
"""Modules that are imported when they are first asked for, because few programs need them."""


__getattr__ = _importing.make_getattr(__name__, globals(), _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
