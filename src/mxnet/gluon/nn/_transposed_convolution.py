"""Transposes of convolutions over one to three spatial axes."""

from __future__ import annotations

from typing import Any

from mxnet.gluon.block import HybridBlock
from mxnet.gluon.nn._convolution import _Conv
from mxnet.gluon.nn._options import InitLike, Sizes, choose_layout
from mxnet.gluon.nn.activations import apply_activation
from mxnet.gluon.parameter import ParameterDict


class _ConvTranspose(_Conv):
    """What transposed convolutions share.

    Args:
        channels: Channels of the output.
        kernel_size: Size of the window.
        strides: Distances in the output between neighbours of the input.
        padding: Points cut off on both sides of each axis of the output.
        output_padding: Points added at the end of each axis; smaller than the stride.
        dilation: Distances between the points of the window.
        groups: Number of groups into which the channels are split.
        layout: Order of the axes, the batch, the channels and the spatial axes by default.
        activation: Name of the activation function, none if None.
        use_bias: Whether there is a bias.
        weight_initializer: Initializer of the weight, that of the network if None.
        bias_initializer: Initializer of the bias.
        in_channels: Channels of the input; 0 leaves it to the first call.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    _op_name = "Deconvolution"

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str | None = None,
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        HybridBlock.__init__(self, prefix=prefix, params=params)
        window = {"kernel": kernel_size, "stride": strides, "dilate": dilation, "pad": padding}
        options = {"num_filter": channels, "num_group": groups, "no_bias": not use_bias}
        layout = choose_layout(type(self).__name__, layout, self._layouts)
        window["adj"] = output_padding
        self._build(window, {**options, "layout": layout}, in_channels, activation)
        self._add_parameters(in_channels, weight_initializer, bias_initializer)
        self.outpad = self._kwargs["adj"]

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Applies the transpose of a convolution to the input."""
        x = F.Deconvolution(x, weight, bias, name="fwd", **self._kwargs)
        return apply_activation(self.act, F, x)


class Conv1DTranspose(_ConvTranspose):
    """Applies the transpose of a convolution over one axis, which makes the axis longer.

    Args:
        channels: Channels of the output.
        kernel_size: Size of the window.
        strides: Distances in the output between neighbours of the input.
        padding: Points cut off on both sides of the output.
        output_padding: Points added at the end; smaller than the stride.
        dilation: Distances between the points of the window.
        groups: Number of groups into which the channels are split; each filter sees one group.
        layout: `"NCW"`: batch, channels, width.
        activation: Name of the activation function, such as `"relu"`; none if None.
        use_bias: Whether there is a bias.
        weight_initializer: Initializer of the weight, that of the network if None.
        bias_initializer: Initializer of the bias.
        in_channels: Channels of the input; 0 leaves it to the first call.
        prefix: Prefix of the name.
        params: Parameters to share.

    Shapes:
        Input `(N, in_channels, W)`, output `(N, channels, width)`,
        where each length is `(length - 1) * strides + span - 2 * padding + output_padding` with
        `span = dilation * (kernel_size - 1) + 1`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Conv1DTranspose(4, kernel_size=3, strides=2, padding=1, output_padding=1)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 3, 5))).shape
        (2, 4, 10)
        >>> layer.weight.shape
        (3, 4, 3)
    """

    _layouts = ("NCW",)


class Conv2DTranspose(_ConvTranspose):
    """Applies the transpose of a convolution over images, which makes them larger.

    Args:
        channels: Channels of the output.
        kernel_size: Size of the window, a number or two.
        strides: Distances in the output between neighbours of the input, a number or two.
        padding: Points cut off on both sides of each axis of the output.
        output_padding: Points added at the end of each axis; smaller than the stride.
        dilation: Distances between the points of the window.
        groups: Number of groups into which the channels are split; each filter sees one group.
        layout: `"NCHW"` (the default) or `"NHWC"`.
        activation: Name of the activation function, such as `"relu"`; none if None.
        use_bias: Whether there is a bias.
        weight_initializer: Initializer of the weight, that of the network if None.
        bias_initializer: Initializer of the bias.
        in_channels: Channels of the input; 0 leaves it to the first call.
        prefix: Prefix of the name.
        params: Parameters to share.

    Shapes:
        Input `(N, in_channels, H, W)`, output `(N, channels, height, width)`,
        where each length is `(length - 1) * strides + span - 2 * padding + output_padding` with
        `span = dilation * (kernel_size - 1) + 1`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Conv2DTranspose(4, kernel_size=4, strides=2, padding=1)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 3, 8, 8))).shape
        (2, 4, 16, 16)
        >>> layer.weight.shape
        (3, 4, 4, 4)
    """

    _layouts = ("NCHW", "NHWC")


class Conv3DTranspose(_ConvTranspose):
    """Applies the transpose of a convolution over volumes, which makes them larger.

    Args:
        channels: Channels of the output.
        kernel_size: Size of the window, a number or three.
        strides: Distances in the output between neighbours of the input, a number or three.
        padding: Points cut off on both sides of each axis of the output.
        output_padding: Points added at the end of each axis; smaller than the stride.
        dilation: Distances between the points of the window.
        groups: Number of groups into which the channels are split; each filter sees one group.
        layout: `"NCDHW"` (the default) or `"NDHWC"`.
        activation: Name of the activation function, such as `"relu"`; none if None.
        use_bias: Whether there is a bias.
        weight_initializer: Initializer of the weight, that of the network if None.
        bias_initializer: Initializer of the bias.
        in_channels: Channels of the input; 0 leaves it to the first call.
        prefix: Prefix of the name.
        params: Parameters to share.

    Shapes:
        Input `(N, in_channels, D, H, W)`, output `(N, channels, depth, height, width)`,
        where each length is `(length - 1) * strides + span - 2 * padding + output_padding` with
        `span = dilation * (kernel_size - 1) + 1`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Conv3DTranspose(4, kernel_size=2, strides=2)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((1, 3, 2, 4, 4))).shape
        (1, 4, 4, 8, 8)
        >>> layer.weight.shape
        (3, 4, 2, 2, 2)
    """

    _layouts = ("NCDHW", "NDHWC")
