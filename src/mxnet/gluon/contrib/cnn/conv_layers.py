"""Convolutions whose window is bent by offsets that are learned."""

from __future__ import annotations

from math import prod
from typing import Any, ClassVar

from mxnet._start import docstrings
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.options import InitLike, Sizes, per_axis
from mxnet.gluon.nn.activations import make_activation
from mxnet.gluon.nn.conv_layers import describe, weight_shape
from mxnet.gluon.parameter import Parameter, ParameterDict


class _Deformable(HybridBlock):
    """What both layers share: a convolution that computes offsets, and one that uses them.

    Args:
        channels: Channels of the output.
        kernel_size: Size of the window.
        strides: Steps of the window.
        padding: Zeros on both sides of each axis.
        dilation: Distances between the points of the window.
        groups: Number of groups into which the channels are split.
        num_deformable_group: Number of groups of channels with offsets of their own.
        layout: Order of the axes, `"NCHW"`.
        use_bias: Whether there is a bias.
        in_channels: Channels of the input; 0 leaves it to the first call.
        activation: Name of the activation function, none if None.
        weight_initializer: Initializer of the weight.
        bias_initializer: Initializer of the bias.
        offset_weight_initializer: Initializer of the weight that computes the offsets.
        offset_bias_initializer: Initializer of the bias of the offsets.
        offset_use_bias: Whether the offsets have a bias.
        op_name: Accepted for compatibility.
        adj: Accepted for compatibility; the operators take none.
    """

    _per_point: ClassVar[int]
    """Numbers that the first convolution gives for each point of a window."""

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes = (1, 1),
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        offset_weight_initializer: InitLike = "zeros",
        offset_bias_initializer: InitLike = "zeros",
        offset_use_bias: bool = True,
        op_name: str | None = None,
        adj: Sizes | None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._channels, self._in_channels, self._op_name = channels, in_channels, op_name
        given = {"kernel": kernel_size, "stride": strides, "dilate": dilation, "pad": padding}
        window = {key: per_axis(type(self).__name__, key, size, 2) for key, size in given.items()}
        points = num_deformable_group * prod(window["kernel"])
        self._kwargs_offset: dict[str, Any] = {
            **window,
            "num_filter": self._per_point * points,
            "num_group": groups,
            "no_bias": not offset_use_bias,
            "layout": layout,
            "cudnn_off": True,
        }
        self._kwargs_deformable_conv: dict[str, Any] = {
            **window,
            "num_filter": channels,
            "num_group": groups,
            "num_deformable_group": num_deformable_group,
            "no_bias": not use_bias,
            "layout": layout,
        }
        if adj is not None:
            self._kwargs_deformable_conv["adj"] = adj
        with self.name_scope():
            self._add_parameters(
                (offset_weight_initializer, offset_bias_initializer),
                (weight_initializer, bias_initializer),
            )
            self.act = None if activation is None else make_activation(activation)

    def _add_parameters(
        self, offset: tuple[InitLike, InitLike], convolution: tuple[InitLike, InitLike]
    ) -> None:
        raise NotImplementedError

    def _add_offset(self, initializers: tuple[InitLike, InitLike]) -> None:
        shape = weight_shape(
            type(self).__name__, "Convolution", self._in_channels, self._kwargs_offset
        )
        self.offset_weight = self._add("offset_weight", shape, initializers[0])
        self.offset_bias: Parameter | None = None
        if not self._kwargs_offset["no_bias"]:
            self.offset_bias = self._add("offset_bias", shape[:1], initializers[1])

    def _add_convolution(self, op_name: str, initializers: tuple[InitLike, InitLike]) -> None:
        shape = weight_shape(type(self).__name__, op_name, 0, self._kwargs_deformable_conv)
        self.deformable_conv_weight = self._add("deformable_conv_weight", shape, initializers[0])
        self.deformable_conv_bias: Parameter | None = None
        if not self._kwargs_deformable_conv["no_bias"]:
            self.deformable_conv_bias = self._add(
                "deformable_conv_bias", shape[:1], initializers[1]
            )

    def _add(self, name: str, shape: tuple[int, ...], init: InitLike) -> Parameter:
        return self.params.get(name, shape=shape, init=init, allow_deferred_init=True)


class DeformableConvolution(_Deformable):
    """Convolves with a window each of whose points is moved by an offset computed from the input.

    Shapes:
        Input `(N, in_channels, H, W)`, output `(N, channels, height, width)`, where each length is
        that of a convolution with the same window.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.cnn import DeformableConvolution
        >>> layer = DeformableConvolution(4, kernel_size=3, padding=1)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((1, 3, 5, 5))).shape
        (1, 4, 5, 5)
    """

    _per_point = 2

    def _add_parameters(
        self, offset: tuple[InitLike, InitLike], convolution: tuple[InitLike, InitLike]
    ) -> None:
        self._add_offset(offset)
        self._add_convolution("_contrib_DeformableConvolution", convolution)

    def _alias(self) -> str:
        return "deformable_conv"

    def __repr__(self) -> str:
        options = describe(self.deformable_conv_weight, self._kwargs_deformable_conv, self.act)
        return f"{type(self).__name__}({options})"

    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        """Computes the offsets and convolves with them."""
        offset = F.Convolution(x, offset_weight, offset_bias, **self._kwargs_offset)
        x = F.contrib.DeformableConvolution(
            x,
            offset,
            deformable_conv_weight,
            deformable_conv_bias,
            name="fwd",
            **self._kwargs_deformable_conv,
        )
        return x if self.act is None else self.act(x)


class ModulatedDeformableConvolution(_Deformable):
    """Convolves with a window whose points are moved by offsets and weighted by a mask.

    Offsets and mask are computed from the input.

    Shapes:
        Input `(N, in_channels, H, W)`, output `(N, channels, height, width)`, where each length is
        that of a convolution with the same window.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.cnn import ModulatedDeformableConvolution
        >>> layer = ModulatedDeformableConvolution(4, kernel_size=3, padding=1)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((1, 3, 5, 5))).shape
        (1, 4, 5, 5)
    """

    _per_point = 3

    def _add_parameters(
        self, offset: tuple[InitLike, InitLike], convolution: tuple[InitLike, InitLike]
    ) -> None:
        self._add_convolution("_contrib_ModulatedDeformableConvolution", convolution)
        self._add_offset(offset)
        self.offset_split_index = self._kwargs_offset["num_filter"] // 3 * 2

    def _alias(self) -> str:
        return "modulated_deformable_conv"

    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        """Computes offsets and mask and convolves with them."""
        split = self.offset_split_index
        both = F.Convolution(x, offset_weight, offset_bias, **self._kwargs_offset)
        offset = F.slice_axis(both, axis=1, begin=0, end=split)
        mask = F.sigmoid(F.slice_axis(both, axis=1, begin=split, end=None)) * 2
        x = F.contrib.ModulatedDeformableConvolution(
            x,
            offset,
            mask,
            deformable_conv_weight,
            deformable_conv_bias,
            name="fwd",
            **self._kwargs_deformable_conv,
        )
        return x if self.act is None else self.act(x)


docstrings.inherit(globals())
