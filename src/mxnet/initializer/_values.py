"""Initializers that fill with random values."""

from __future__ import annotations

import math
from typing import Any

import torch

from mxnet import random
from mxnet._start import plain
from mxnet.errors import AttributeValueError, ShapeMismatchError
from mxnet.initializer._base import Initializer, alias, fill_bilinear, register
from mxnet.ndarray import NDArray

_normal, _uniform = plain(random.normal), plain(random.uniform)


@register
class Uniform(Initializer):
    """Fills uniformly from `[-scale, scale)`.

    Args:
        scale: The bound.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(10, in_units=20)
        >>> layer.initialize(mx.init.Uniform(scale=0.1))
        >>> weight = layer.weight.data()
        >>> bool(weight.min() >= -0.1), bool(weight.max() < 0.1)
        (True, True)
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _uniform(-self.scale, self.scale, out=arr)


@register
class Normal(Initializer):
    """Fills from the normal distribution of mean 0.

    Args:
        sigma: Its standard deviation.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(100, in_units=100)
        >>> layer.initialize(mx.init.Normal(sigma=0.1))
        >>> weight = layer.weight.data()
        >>> print(weight.asnumpy().std().round(2))
        0.1
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _normal(0, self.sigma, out=arr)


@register
class Orthogonal(Initializer):
    """Fills with a random matrix whose rows, or columns if these are fewer, are orthogonal.

    After Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural
    networks".

    Args:
        scale: Length of the rows or columns.
        rand_type: `"uniform"` or `"normal"`, the distribution to start from.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(2, in_units=5)
        >>> layer.initialize(mx.init.Orthogonal(scale=1))
        >>> weight = layer.weight.data()
        >>> print(mx.nd.dot(weight, weight.T).abs().asnumpy().round(3))
        [[1. 0.]
         [0. 1.]]
    """

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale = scale
        self.rand_type = rand_type

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if arr.ndim < 2:
            raise ShapeMismatchError(
                f"Orthogonal: takes an array of 2 or more axes, got {name} of shape {arr.shape}"
            )
        shape = (arr.shape[0], math.prod(arr.shape[1:]))
        if self.rand_type == "uniform":
            start = _uniform(-1.0, 1.0, shape=shape, ctx=arr.context)
        elif self.rand_type == "normal":
            start = _normal(0.0, 1.0, shape=shape, ctx=arr.context)
        else:
            raise AttributeValueError(
                f"Orthogonal: rand_type takes 'uniform' or 'normal', got {self.rand_type!r}"
            )
        left, _, right = torch.linalg.svd(start._plain, full_matrices=False)
        matrix = left if left.shape == shape else right
        arr._writable().copy_((self.scale * matrix).reshape(arr.shape))


@register
class Xavier(Initializer):
    """Fills at random so that the scale of values stays about the same through the layers.

    The bound or standard deviation is `sqrt(magnitude / factor)`, where the factor is a number of
    neurons that feed into an output, or that an input is fed to.

    Args:
        rnd_type: `"uniform"` or `"gaussian"`.
        factor_type: Which number: `"in"`, `"out"`, or their mean, `"avg"`.
        magnitude: Scale.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(10, in_units=20)
        >>> layer.initialize(mx.init.Xavier())
        >>> weight = layer.weight.data()
        >>> bool(weight.abs().max() <= (3 / 15) ** 0.5)
        True
    """

    def __init__(
        self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3
    ) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        self.magnitude = float(magnitude)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        scale = math.sqrt(self.magnitude / self._factor(name, arr.shape))
        if self.rnd_type == "uniform":
            _uniform(-scale, scale, out=arr)
        elif self.rnd_type == "gaussian":
            _normal(0, scale, out=arr)
        else:
            raise AttributeValueError(
                f"{type(self).__name__}: rnd_type takes 'uniform' or 'gaussian', "
                f"got {self.rnd_type!r}"
            )

    def _factor(self, name: str, shape: tuple[int, ...]) -> float:
        if len(shape) < 2:
            raise ShapeMismatchError(
                f"{type(self).__name__}: takes an array of 2 or more axes, "
                f"got {name} of shape {shape}"
            )
        window = math.prod(shape[2:])
        fan_in, fan_out = shape[1] * window, shape[0] * window
        factors = {"avg": (fan_in + fan_out) / 2, "in": fan_in, "out": fan_out}
        if self.factor_type not in factors:
            raise AttributeValueError(
                f"{type(self).__name__}: factor_type takes 'avg', 'in' or 'out', "
                f"got {self.factor_type!r}"
            )
        return factors[self.factor_type]


@register
class MSRAPrelu(Xavier):
    """Fills from a normal distribution that suits layers followed by ReLU or PReLU.

    After He et al., "Delving Deep into Rectifiers".

    Args:
        factor_type: `"avg"`, `"in"` or `"out"`; see `Xavier`.
        slope: Slope of the activation for negative inputs.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(200, in_units=50)
        >>> layer.initialize(mx.init.MSRAPrelu(factor_type="in", slope=0))
        >>> weight = layer.weight.data()
        >>> print(weight.asnumpy().std().round(1))
        0.2
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


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
