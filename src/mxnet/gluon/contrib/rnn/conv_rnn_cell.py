"""Cells that convolve over one, two or three axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.gluon._parameter_dict import ParameterDict
from mxnet.gluon.contrib.rnn._conv_base import (
    BaseConvRNNCell,
    ConvGRUCell,
    ConvLSTMCell,
    ConvRNNCell,
)

__all__ = [
    "Conv1DGRUCell",
    "Conv1DLSTMCell",
    "Conv1DRNNCell",
    "Conv2DGRUCell",
    "Conv2DLSTMCell",
    "Conv2DRNNCell",
    "Conv3DGRUCell",
    "Conv3DLSTMCell",
    "Conv3DRNNCell",
]


class _Conv1DCell(BaseConvRNNCell):
    """Base of cells that convolve over one axis.

    Args:
        input_shape: Shape of one input without the batch, `(channels, length)`.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.
    """

    _dims = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: int | Sequence[int],
        h2h_kernel: int | Sequence[int],
        i2h_pad: int | Sequence[int] = (0,),
        i2h_dilate: int | Sequence[int] = (1,),
        h2h_dilate: int | Sequence[int] = (1,),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCW",
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            conv_layout,
            activation,
            prefix,
            params,
        )


class Conv1DRNNCell(_Conv1DCell, ConvRNNCell):
    """A plain recurrent cell that convolves over one axis."""


class Conv1DLSTMCell(_Conv1DCell, ConvLSTMCell):
    """A cell of long short-term memory that convolves over one axis."""


class Conv1DGRUCell(_Conv1DCell, ConvGRUCell):
    """A gated recurrent unit that convolves over one axis."""


class _Conv2DCell(BaseConvRNNCell):
    """Base of cells that convolve over two axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, height, width)`.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.
    """

    _dims = 2

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: int | Sequence[int],
        h2h_kernel: int | Sequence[int],
        i2h_pad: int | Sequence[int] = (0, 0),
        i2h_dilate: int | Sequence[int] = (1, 1),
        h2h_dilate: int | Sequence[int] = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCHW",
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            conv_layout,
            activation,
            prefix,
            params,
        )


class Conv2DRNNCell(_Conv2DCell, ConvRNNCell):
    """A plain recurrent cell that convolves over two axes."""


class Conv2DLSTMCell(_Conv2DCell, ConvLSTMCell):
    """A cell of long short-term memory that convolves over two axes."""


class Conv2DGRUCell(_Conv2DCell, ConvGRUCell):
    """A gated recurrent unit that convolves over two axes."""


class _Conv3DCell(BaseConvRNNCell):
    """Base of cells that convolve over three axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, depth, height, width)`.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.
    """

    _dims = 3

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: int | Sequence[int],
        h2h_kernel: int | Sequence[int],
        i2h_pad: int | Sequence[int] = (0, 0, 0),
        i2h_dilate: int | Sequence[int] = (1, 1, 1),
        h2h_dilate: int | Sequence[int] = (1, 1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCDHW",
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            conv_layout,
            activation,
            prefix,
            params,
        )


class Conv3DRNNCell(_Conv3DCell, ConvRNNCell):
    """A plain recurrent cell that convolves over three axes."""


class Conv3DLSTMCell(_Conv3DCell, ConvLSTMCell):
    """A cell of long short-term memory that convolves over three axes."""


class Conv3DGRUCell(_Conv3DCell, ConvGRUCell):
    """A gated recurrent unit that convolves over three axes."""
