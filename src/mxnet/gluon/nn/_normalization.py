"""Layers that normalize by the statistics of a batch, a sample or a group of channels."""

from __future__ import annotations

from typing import Any, ClassVar

from mxnet._formats import element_types
from mxnet._start import docstrings
from mxnet._state import as_in_mxnet2, rules
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.options import InitLike
from mxnet.gluon.parameter import ParameterDict

_HALVES = ("float16", "bfloat16")


def _list_options(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


class _BatchNorm(HybridBlock):
    """What the layers share that normalize by the batch.

    Args:
        axis: Axis of the channels.
        momentum: Share of the running statistics that each training step keeps.
        epsilon: Added to the variance.
        center: Whether the offset `beta` is learned.
        scale: Whether the factor `gamma` is learned; else it is 1.
        use_global_stats: Whether training too normalizes by the running statistics.
        beta_initializer: Initializer of `beta`.
        gamma_initializer: Initializer of `gamma`.
        running_mean_initializer: Initializer of the running mean.
        running_variance_initializer: Initializer of the running variance.
        in_channels: Number of channels; 0 leaves it to the first call.

    Shapes:
        Input and output have the same shape.
    """

    fuse_relu: ClassVar[bool] = False

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        running_mean_initializer: InitLike = "zeros",
        running_variance_initializer: InitLike = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs: dict[str, Any] = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        if in_channels:
            self.in_channels = in_channels
        known = {"shape": (in_channels,), "allow_deferred_init": True}
        for name, init, learned in (
            ("gamma", gamma_initializer, scale),
            ("beta", beta_initializer, center),
            ("running_mean", running_mean_initializer, False),
            ("running_var", running_variance_initializer, False),
        ):
            parameter = self.params.get(
                name,
                grad_req="write" if learned else "null",
                init=init,
                differentiable=learned,
                **known,
            )
            setattr(self, name, parameter)

    def cast(self, dtype: Any) -> None:
        """Converts the parameters, which stay in single precision for data in half precision."""
        half = element_types.element_type(dtype).name in _HALVES
        super().cast("float32" if half else dtype)

    def __repr__(self) -> str:
        channels = self.params.get("gamma").shape or (0,)
        options = _list_options(self._kwargs)
        return f"{type(self).__name__}({options}, in_channels={channels[0] or None})"

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Normalizes, and updates the running statistics in training mode."""
        function = F.contrib.BatchNormWithReLU if self.fuse_relu else F.BatchNorm
        return function(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)


class BatchNorm(_BatchNorm):
    """Normalizes each channel by its mean and variance over the batch.

    Outside of training the running statistics are used instead. Running statistics are parameters
    (`running_mean`, `running_var`) that have no gradient.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.BatchNorm()
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
        >>> with mx.autograd.record():
        ...     y = layer(mx.nd.ones((2, 3, 4, 4)))
        >>> print(layer.running_mean.data().asnumpy())
        [0.1 0.1 0.1]
    """


class BatchNormReLU(_BatchNorm):
    """Normalizes each channel over the batch and sets negative results to zero.

    Training uses the mean and variance of the batch, prediction those of a running average.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.BatchNormReLU()
        >>> layer.initialize()
        >>> x = mx.nd.array([[1, 5], [3, 9]])
        >>> with mx.autograd.record():
        ...     y = layer(x)
        >>> print(y.round().asnumpy())
        [[0. 0.]
         [1. 1.]]
    """

    fuse_relu = True


class _AffineNorm(HybridBlock):
    """What the other normalizations share: `gamma`, `beta` and the options that are printed.

    Args:
        axis: Axis of the channels.
        epsilon: Added to the variance.
        center: Whether the offset `beta` is learned.
        scale: Whether the factor `gamma` is learned.
        beta_initializer: Initializer of `beta`.
        gamma_initializer: Initializer of `gamma`.
        in_channels: Number of channels; 0 leaves it to the first call.

    Shapes:
        Input and output have the same shape.
    """

    def _add_parameters(
        self,
        options: dict[str, Any],
        size: int,
        gamma_initializer: InitLike,
        beta_initializer: InitLike,
    ) -> None:
        self._kwargs = options
        self._epsilon: float = options["eps"]
        self._center, self._scale = options["center"], options["scale"]
        for name, init, learned in (
            ("gamma", gamma_initializer, options["scale"]),
            ("beta", beta_initializer, options["center"]),
        ):
            parameter = self.params.get(
                name,
                grad_req="write" if learned else "null",
                shape=(size,),
                init=init,
                allow_deferred_init=True,
            )
            setattr(self, name, parameter)

    def _list_channels(self) -> dict[str, Any]:
        return {"in_channels": (self.params.get("gamma").shape or (0,))[0]}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_list_options({**self._kwargs, **self._list_channels()})})"


class InstanceNorm(_AffineNorm):
    """Normalizes each channel of each sample by its mean and variance.

    Shapes:
        Input and output `(N, C, ...)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.InstanceNorm()
        >>> layer.initialize()
        >>> print(layer(mx.nd.array([[[1, 3], [5, 9]]])).round().asnumpy())
        [[[-1.  1.]
          [-1.  1.]]]
    """

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = False,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        options = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._add_parameters(options, in_channels, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any) -> Any:
        """Normalizes the input."""
        if self._axis == 1:
            return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        x = F.swapaxes(x, dim1=1, dim2=self._axis)
        x = F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        return F.swapaxes(x, dim1=1, dim2=self._axis)


class LayerNorm(_AffineNorm):
    """Normalizes each sample by its mean and variance along an axis.

    Args:
        axis: The axis.
        in_channels: Length of the axis; 0 leaves it to the first call.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.LayerNorm()
        >>> layer.initialize()
        >>> print(layer(mx.nd.array([[1, 3], [2, 8]])).asnumpy().round(2))
        [[-1.  1.]
         [-1.  1.]]
    """

    def __init__(
        self,
        axis: int = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        options = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._add_parameters(options, in_channels, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """Normalizes the input."""
        return F.LayerNorm(data, gamma, beta, axis=self._axis, eps=self._epsilon)


class GroupNorm(_AffineNorm):
    """Normalizes groups of channels of each sample by their mean and variance.

    Args:
        num_groups: Number of groups into which the channels are split.
        center: Whether the offset `beta` of each group is learned.
        scale: Whether the factor `gamma` of each group is learned.
        in_channels: Number of channels. If it is given, and under `mx.set_version(2)`, each channel
            has an offset and a factor of its own, as in MXNet 2.

    Shapes:
        Input and output `(N, C, ...)`, where `C` is a multiple of `num_groups`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.GroupNorm(num_groups=2)
        >>> layer.initialize()
        >>> y = layer(mx.nd.arange(8).reshape((1, 4, 2)))
        >>> y.shape
        (1, 4, 2)
        >>> print(y.mean(axis=(0, 2)).round().asnumpy())
        [-1.  1. -1.  1.]
    """

    @as_in_mxnet2(
        {},
        ("prefix", "params"),
        num_groups=1,
        epsilon=1e-5,
        center=True,
        scale=True,
        beta_initializer="zeros",
        gamma_initializer="ones",
        in_channels=0,
    )
    def __init__(
        self,
        num_groups: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        prefix: str | None = None,
        params: ParameterDict | None = None,
        in_channels: int = 0,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        options = {"eps": epsilon, "num_groups": num_groups, "center": center, "scale": scale}
        self._num_groups = num_groups
        self._of_channels = bool(in_channels) or rules.version > 1
        own = in_channels if self._of_channels else num_groups
        self._add_parameters(options, own, gamma_initializer, beta_initializer)

    def _list_channels(self) -> dict[str, Any]:
        return super()._list_channels() if self._of_channels else {}

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """Normalizes the input."""
        normalize = F._internal._group_norm_of_channels if self._of_channels else F.GroupNorm
        return normalize(data, gamma, beta, num_groups=self._num_groups, eps=self._epsilon)


docstrings.inherit(globals())
