"""Layers that apply a function to each element."""

from __future__ import annotations

from typing import Any

from mxnet import initializer
from mxnet._arrays.invoke import runs_plainly
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet._start import did_you_mean, docstrings
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.options import InitLike
from mxnet.gluon.parameter import ParameterDict

_NAMES = ("relu", "sigmoid", "tanh", "softrelu", "softsign")
"""Functions that the operator of activations computes."""

_FIRST_SLOPE = initializer.Constant(0.25)


class ActivationTypeError(InvalidArgumentError, TypeError):
    """The activation of a layer is not given by its name."""


class _Elementwise(HybridBlock):
    """What layers without parameters share that apply a function to each element.

    Args:
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input and output have the same shape.
    """


class Activation(_Elementwise):
    """Applies an activation function by its name.

    Args:
        activation: `"relu"`, `"sigmoid"`, `"tanh"`, `"softrelu"` or `"softsign"`.
        prefix: Prefix of the name, by default the activation and a number.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.Activation("relu")(mx.nd.array([-1, 0, 2])).asnumpy())
        [0. 0. 2.]
        >>> print(nn.Activation("sigmoid")(mx.nd.array([0])).asnumpy())
        [0.5]
    """

    def __init__(
        self, activation: str, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        self._act_type = activation
        super().__init__(prefix=prefix, params=params)

    def _alias(self) -> str:
        return self._act_type

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._act_type})"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return F.Activation(x, act_type=self._act_type, name="fwd")


def apply_activation(act: Any, F: Any, x: Any) -> Any:
    """Applies `act`, skipping `Block.__call__` when no hook or tracer would see it.

    Args:
        act: The activation of a layer, or what a program has put in its place; None for none.
        F: The operators.
        x: Input of the activation.
    """
    if act is None:
        return x
    if type(act) is not Activation or type(x) not in ARRAY_DIALECTS or not runs_plainly():
        return act(x)
    if act._forward_hooks or act._forward_pre_hooks or "forward" in act.__dict__:
        return act(x)
    return F.Activation(x, act_type=act._act_type)


def make_activation(activation: str) -> Activation:
    """Makes the activation of a layer, inside of its name scope."""
    if not isinstance(activation, str):
        raise ActivationTypeError(
            "activation must be the name of a function such as 'relu', got "
            f"{type(activation).__name__}; put other functions behind the layer as a block"
        )
    if activation not in _NAMES:
        raise InvalidArgumentError(
            f"activation: there is none of the name {activation!r}"
            f"{did_you_mean(activation, _NAMES)}; there are {', '.join(_NAMES)}, and others are "
            "blocks to put behind the layer, such as nn.GELU() or nn.LeakyReLU(0.1)"
        )
    return Activation(activation, prefix=activation + "_")


class LeakyReLU(_Elementwise):
    """Leaves positive elements and multiplies negative ones by a small slope.

    Args:
        alpha: The slope, at least 0.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.LeakyReLU(0.1)(mx.nd.array([-10, 0, 2])).asnumpy())
        [-1.  0.  2.]
    """

    def __init__(
        self, alpha: float, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        if alpha < 0:
            raise InvalidArgumentError(f"LeakyReLU: alpha must be at least 0, got {alpha}")
        super().__init__(prefix=prefix, params=params)
        self._alpha = alpha

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._alpha})"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return F.LeakyReLU(x, act_type="leaky", slope=self._alpha, name="fwd")


class PReLU(HybridBlock):
    """Leaves positive elements and multiplies negative ones by a slope that is learned.

    Args:
        alpha_initializer: Initializer of the slopes, 0.25 by default.
        in_channels: Number of slopes: 1 for all channels, or the number of channels.

    Shapes:
        Input and output have the same shape; axis 1 is that of the channels.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.PReLU()
        >>> layer.initialize()
        >>> print(layer(mx.nd.array([[-8, 0, 2]])).asnumpy())
        [[-2.  0.  2.]]
        >>> print(layer.alpha.data().asnumpy())
        [0.25]
    """

    def __init__(
        self,
        alpha_initializer: InitLike = _FIRST_SLOPE,
        in_channels: int = 1,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=alpha_initializer)

    def hybrid_forward(self, F: Any, x: Any, alpha: Any) -> Any:
        """Applies the function."""
        return F.LeakyReLU(x, alpha, act_type="prelu", name="fwd")


class ELU(_Elementwise):
    """Leaves positive elements and bends negative ones to `alpha * (exp(x) - 1)`.

    Args:
        alpha: Where large negative elements end, with the other sign.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.ELU(alpha=2)(mx.nd.array([-100, 0, 3])).asnumpy())
        [-2.  0.  3.]
    """

    def __init__(
        self, alpha: float = 1.0, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return F.LeakyReLU(x, act_type="elu", slope=self._alpha)


class SELU(_Elementwise):
    """Applies the scaled exponential linear unit, which keeps mean and variance of its inputs.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.SELU()(mx.nd.array([-100, 0, 1])).asnumpy().round(3))
        [-1.758  0.     1.051]
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return F.LeakyReLU(x, act_type="selu", name="fwd")


class GELU(_Elementwise):
    """Multiplies each element by the probability that a standard normal variable is smaller.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.GELU()(mx.nd.array([-1, 0, 1])).asnumpy().round(3))
        [-0.159  0.     0.841]
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return F.LeakyReLU(x, act_type="gelu", name="fwd")


class Swish(_Elementwise):
    """Computes `x * sigmoid(beta * x)`.

    Args:
        beta: Steepness of the sigmoid.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.Swish(beta=2)(mx.nd.array([-1, 0, 1])).asnumpy().round(3))
        [-0.119  0.     0.881]
    """

    def __init__(
        self, beta: float = 1.0, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._beta = beta

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return x * F.sigmoid(self._beta * x, name="fwd")


class SiLU(_Elementwise):
    """Computes `x * sigmoid(x)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.SiLU()(mx.nd.array([-1, 0, 1])).asnumpy().round(3))
        [-0.269  0.     0.731]
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Applies the function."""
        return x * F.sigmoid(x, name="fwd")


docstrings.inherit(globals())
