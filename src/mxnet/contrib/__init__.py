"""Contributed parts: `mx.contrib`, each imported when it is first asked for."""

from mxnet._start import importing

__all__ = ["nd", "quant", "sym"]

_LATE = {
    "amp": "mxnet.contrib.amp",
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
