"""Layers with a window over spatial axes: convolutions, pooling, padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torch import nn as torch_nn

from mxnet._start import docstrings, publish_classes
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.blocks.options import (
    InitLike,
    Sizes,
    choose_layout,
    name_axes,
    per_axis,
    require_count,
)
from mxnet.gluon.nn._pooling import AvgPool1D as AvgPool1D
from mxnet.gluon.nn._pooling import AvgPool2D as AvgPool2D
from mxnet.gluon.nn._pooling import AvgPool3D as AvgPool3D
from mxnet.gluon.nn._pooling import GlobalAvgPool1D as GlobalAvgPool1D
from mxnet.gluon.nn._pooling import GlobalAvgPool2D as GlobalAvgPool2D
from mxnet.gluon.nn._pooling import GlobalAvgPool3D as GlobalAvgPool3D
from mxnet.gluon.nn._pooling import GlobalMaxPool1D as GlobalMaxPool1D
from mxnet.gluon.nn._pooling import GlobalMaxPool2D as GlobalMaxPool2D
from mxnet.gluon.nn._pooling import GlobalMaxPool3D as GlobalMaxPool3D
from mxnet.gluon.nn._pooling import MaxPool1D as MaxPool1D
from mxnet.gluon.nn._pooling import MaxPool2D as MaxPool2D
from mxnet.gluon.nn._pooling import MaxPool3D as MaxPool3D
from mxnet.gluon.nn._pooling import ReflectionPad2D as ReflectionPad2D
from mxnet.gluon.nn._pooling import _Pooling as _Pooling
from mxnet.gluon.nn.activations import apply_activation, make_activation
from mxnet.gluon.parameter import Parameter, ParameterDict
from mxnet.ops.core.registry import get_op, shapes_from_data


def weight_shape(
    layer: str, op_name: str, in_channels: int, options: dict[str, Any]
) -> tuple[int, ...]:
    """Returns what the operator says of the shape of its weight; 0 where it needs the data.

    Args:
        layer: Name of the layer, for messages.
        op_name: The operator.
        in_channels: Channels of the data, 0 if they are not known yet.
        options: Attributes of the operator.
    """
    groups = require_count(layer, "groups", options["num_group"])
    counts = {
        "channels": require_count(layer, "channels", options["num_filter"]),
        "in_channels": require_count(layer, "in_channels", in_channels, at_least=0),
    }
    for option, count in counts.items():
        if count % groups:
            raise InvalidArgumentError(
                f"{layer}: {option} must be a multiple of groups={groups}, got {count}"
            )
    op = get_op(op_name)
    if op.fill_shapes is None:
        raise InvalidArgumentError(
            f"{layer}: operator {op_name} does not tell the shape of its weight"
        )
    data = [0] * (len(options["kernel"]) + 2)
    data[options["layout"].index("C")] = in_channels
    settings = op.with_defaults(op.parse_attrs(options))
    return shapes_from_data(op, tuple(data), settings)["weight"]


class _Conv(HybridBlock):
    """What convolutions share.

    Args:
        channels: Channels of the output.
        kernel_size: Size of the window{numbers}.
        strides: Steps of the window{numbers}.
        padding: Zeros added on both sides {of_axes}{numbers}.
        dilation: Distances between the points of the window{numbers}.
        groups: Number of groups into which the channels are split; each filter sees one group.
        layout: {layouts}.
        activation: Name of the activation function, such as `"relu"`; none if None.
        use_bias: Whether there is a bias.
        weight_initializer: Initializer of the weight, that of the network if None.
        bias_initializer: Initializer of the bias.
        in_channels: Channels of the input; 0 leaves it to the first call.

    Shapes:
        Input `(N, in_channels, {axes})`, output `(N, channels, {lengths})`, where each
        length is `(length + 2 * padding - dilation * (kernel_size - 1) - 1) // strides + 1`.
    """

    _layouts: ClassVar[Sequence[str]]
    _op_name: ClassVar[str] = "Convolution"

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
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
        super().__init__(prefix=prefix, params=params)
        window = {"kernel": kernel_size, "stride": strides, "dilate": dilation, "pad": padding}
        options = {"num_filter": channels, "num_group": groups, "no_bias": not use_bias}
        layout = choose_layout(type(self).__name__, layout, self._layouts)
        self._build(window, {**options, "layout": layout}, in_channels, activation)
        self._add_parameters(in_channels, weight_initializer, bias_initializer)

    def _build(
        self,
        window: dict[str, Sizes],
        options: dict[str, Any],
        in_channels: int,
        activation: str | None,
    ) -> None:
        """Notes the options of the operator and makes the activation."""
        names = {"kernel": "kernel_size", "stride": "strides", "dilate": "dilation"}
        names |= {"pad": "padding", "adj": "output_padding"}
        layer, num_axes = type(self).__name__, len(self._layouts[0]) - 2
        self._channels, self._in_channels = options["num_filter"], in_channels
        spread = {
            key: per_axis(layer, names[key], value, num_axes) for key, value in window.items()
        }
        adjustment = {"adj": spread.pop("adj")} if "adj" in spread else {}
        self._kwargs: dict[str, Any] = {**spread, **options, **adjustment}
        with self.name_scope():
            self.act = None if activation is None else make_activation(activation)

    def _add_parameters(
        self, in_channels: int, weight_initializer: InitLike, bias_initializer: InitLike
    ) -> None:
        self.weight = self.params.get(
            "weight",
            shape=weight_shape(type(self).__name__, self._op_name, in_channels, self._kwargs),
            init=weight_initializer,
            allow_deferred_init=True,
        )
        is_arranged = get_op(self._op_name).traits.fusion.arrange is not None
        self.weight._holds_filters = is_arranged and self._kwargs["layout"] == "NCHW"
        self.bias = None
        if not self._kwargs["no_bias"]:
            self.bias = self.params.get(
                "bias", shape=(self._channels,), init=bias_initializer, allow_deferred_init=True
            )

    def _alias(self) -> str:
        return "conv"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({describe(self.weight, self._kwargs, self.act)})"

    def _mx_torch_layer(self) -> tuple[type[torch_nn.Module], dict[str, Any]] | None:
        options = self._kwargs
        classes = {"NCW": torch_nn.Conv1d, "NCHW": torch_nn.Conv2d}
        cls = classes.get(options["layout"]) if self._op_name == "Convolution" else None
        is_plain = self.act is None and type(self).hybrid_forward is _Conv.hybrid_forward
        if cls is None or not is_plain or self.weight.shape is None:
            return None
        return cls, {
            "in_channels": self.weight.shape[1] * options["num_group"],
            "out_channels": self._channels,
            "kernel_size": options["kernel"],
            "stride": options["stride"],
            "padding": options["pad"],
            "dilation": options["dilate"],
            "groups": options["num_group"],
            "transposed": False,
            "output_padding": (0,) * len(options["kernel"]),
            "padding_mode": "zeros",
        }

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Convolves the input."""
        x = F.Convolution(x, weight, bias, name="fwd", **self._kwargs)
        return apply_activation(self.act, F, x)


def describe(weight: Parameter, options: dict[str, Any], activation: HybridBlock | None) -> str:
    """Lists the sizes of a convolution and those options that are not the default."""
    outer, inner, *_ = weight.shape or (0, 0)
    parts = [f"{inner or None} -> {outer}"]
    parts += [f"kernel_size={options['kernel']}", f"stride={options['stride']}"]
    if any(options["pad"]):
        parts.append(f"padding={options['pad']}")
    if any(distance != 1 for distance in options["dilate"]):
        parts.append(f"dilation={options['dilate']}")
    if options["num_group"] != 1:
        parts.append(f"groups={options['num_group']}")
    if options["no_bias"]:
        parts.append("bias=False")
    if activation is not None:
        parts.append(str(activation))
    return ", ".join(parts)


class Conv1D(_Conv):
    """Slides filters over one axis, such as time.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Conv1D(4, kernel_size=3, strides=2)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 3, 9))).shape
        (2, 4, 4)
        >>> layer.weight.shape
        (4, 3, 3)
    """

    _layouts = ("NCW",)


class Conv2D(_Conv):
    """Slides filters over images.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Conv2D(8, kernel_size=3, padding=1, activation="relu")
        >>> layer.initialize()
        >>> layer(mx.nd.ones((1, 3, 5, 5))).shape
        (1, 8, 5, 5)
        >>> layer
        Conv2D(3 -> 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), Activation(relu))
    """

    _layouts = ("NCHW", "NHWC")


class Conv3D(_Conv):
    """Slides filters over volumes, such as videos or scans.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Conv3D(4, kernel_size=(1, 3, 3), padding=(0, 1, 1))
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 3, 5, 8, 8))).shape
        (2, 4, 5, 8, 8)
        >>> layer.weight.shape
        (4, 3, 1, 3, 3)
    """

    _layouts = ("NCDHW", "NDHWC")


class _ConvTranspose(_Conv):
    """What transposed convolutions share.

    Args:
        strides: Distances in the output between neighbours of the input{numbers}.
        padding: Points cut off on both sides {of_axes} of the output{numbers}.
        output_padding: Points added at the end {of_axes}; smaller than the stride.

    Shapes:
        Input `(N, in_channels, {axes})`, output `(N, channels, {lengths})`,
        where each length is `(length - 1) * strides + span - 2 * padding + output_padding` with
        `span = dilation * (kernel_size - 1) + 1`.
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


docstrings.inherit(globals(), lambda layer: name_axes(getattr(layer, "_layouts", ())))
publish_classes(globals())
