"""Contributed parts: `mx.contrib`, each imported when it is first asked for."""

from typing import TYPE_CHECKING

from mxnet._start import importing

if TYPE_CHECKING:
    from mxnet.contrib import autograd as autograd
    from mxnet.contrib import io as io
    from mxnet.contrib import ndarray as nd
    from mxnet.contrib import ndarray as ndarray
    from mxnet.contrib import onnx as onnx
    from mxnet.contrib import quantization as quant
    from mxnet.contrib import quantization as quantization
    from mxnet.contrib import svrg_optimization as svrg_optimization
    from mxnet.contrib import symbol as sym
    from mxnet.contrib import symbol as symbol
    from mxnet.contrib import tensorboard as tensorboard
    from mxnet.contrib import text as text

__all__ = ["nd", "quant", "sym"]

_LATE = {
    "autograd": "mxnet.contrib.autograd",
    "io": "mxnet.contrib.io",
    "nd": "mxnet.contrib.ndarray",
    "ndarray": "mxnet.contrib.ndarray",
    "onnx": "mxnet.contrib.onnx",
    "quant": "mxnet.contrib.quantization",
    "quantization": "mxnet.contrib.quantization",
    "svrg_optimization": "mxnet.contrib.svrg_optimization",
    "sym": "mxnet.contrib.symbol",
    "symbol": "mxnet.contrib.symbol",
    "tensorboard": "mxnet.contrib.tensorboard",
    "text": "mxnet.contrib.text",
}


__getattr__ = importing.make_getattr(__name__, globals(), _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
