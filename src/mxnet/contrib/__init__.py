"""Contributed parts: `mx.contrib`, each imported when it is first asked for."""

from mxnet._start import importing

__all__ = ["nd", "quant", "sym"]

_MODULES = "amp autograd io ndarray onnx quantization svrg_optimization symbol tensorboard text"
_LATE = {name: f"{__name__}.{name}" for name in _MODULES.split()}
_LATE |= {"nd": _LATE["ndarray"], "quant": _LATE["quantization"], "sym": _LATE["symbol"]}


__getattr__ = importing.make_getattr(__name__, globals(), _LATE)
