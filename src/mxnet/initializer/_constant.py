"""Initializers that fill with known values."""

from __future__ import annotations

from typing import Any

from mxnet.initializer._base import Initializer, alias, fill_bilinear, register
from mxnet.ndarray import NDArray


@alias("zeros")
@register
class Zero(Initializer):
    """Fills with 0.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((2, 3))
        >>> mx.init.Zero()(mx.init.InitDesc("weight"), array)
        >>> print(array.asnumpy())
        [[0. 0. 0.]
         [0. 0. 0.]]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0


@alias("ones")
@register
class One(Initializer):
    """Fills with 1.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((2, 3))
        >>> mx.init.One()(mx.init.InitDesc("weight"), array)
        >>> print(array.asnumpy())
        [[1. 1. 1.]
         [1. 1. 1.]]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 1


@register
class Constant(Initializer):
    """Fills with a number, or with the elements of an array.

    Args:
        value: A number, or an array that broadcasts to the shape of those to fill.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((2, 3))
        >>> mx.init.Constant(0.5)(mx.init.InitDesc("weight"), array)
        >>> print(array.asnumpy())
        [[0.5 0.5 0.5]
         [0.5 0.5 0.5]]
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=_to_json(value))
        self.value = value

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = self.value


def _to_json(value: Any) -> Any:
    if isinstance(value, NDArray):
        value = value.asnumpy()
    return value.tolist() if hasattr(value, "tolist") else value


@register
class Bilinear(Initializer):
    """Fills the kernels of an upsampling by transposed convolution with bilinear weights.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((1, 1, 4, 4))
        >>> mx.init.Bilinear()(mx.init.InitDesc("weight"), array)
        >>> print(array[0, 0].asnumpy())
        [[0.0625 0.1875 0.1875 0.0625]
         [0.1875 0.5625 0.5625 0.1875]
         [0.1875 0.5625 0.5625 0.1875]
         [0.0625 0.1875 0.1875 0.0625]]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        fill_bilinear(name, arr)


@register
class LSTMBias(Initializer):
    """Fills the bias of an LSTM with 0, and that of its forget gate with a number.

    Args:
        forget_bias: Bias of the forget gate; a positive one lets a new cell remember.

    Example:
        >>> import mxnet as mx
        >>> first = mx.init.LSTMBias(forget_bias=1)
        >>> cell = mx.gluon.rnn.LSTMCell(2, input_size=3, i2h_bias_initializer=first)
        >>> cell.initialize()
        >>> print(cell.i2h_bias.data().asnumpy())
        [0. 0. 1. 1. 0. 0. 0. 0.]
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0
        # The gates come one after the other: input, forget, cell, output.
        units = arr.shape[0] // 4
        arr[units : 2 * units] = self.forget_bias
