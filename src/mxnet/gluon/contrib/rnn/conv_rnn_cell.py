"""Cells that convolve over one, two or three axes."""

from __future__ import annotations

from mxnet.gluon.contrib.rnn._conv_base import ConvGRUCell, ConvLSTMCell, ConvRNNCell

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


class Conv1DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over one axis.

    Args:
        input_shape: Shape of one input without the batch, `(channels, width)`, in
            the order of the layout.
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
        conv_layout: Axes of the input; `"NCW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and one state `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv1DRNNCell
        >>> cell = Conv1DRNNCell((3, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 8), 1)
    """

    _dims = 1


class Conv1DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over one axis.

    Args:
        input_shape: Shape of one input without the batch, `(channels, width)`, in
            the order of the layout.
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
        conv_layout: Axes of the input; `"NCW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and two states `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv1DLSTMCell
        >>> cell = Conv1DLSTMCell((3, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 8), 2)
    """

    _dims = 1


class Conv1DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over one axis.

    Args:
        input_shape: Shape of one input without the batch, `(channels, width)`, in
            the order of the layout.
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
        conv_layout: Axes of the input; `"NCW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and one state `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv1DGRUCell
        >>> cell = Conv1DGRUCell((3, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 8), 1)
    """

    _dims = 1


class Conv2DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over two axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, height, width)`, in
            the order of the layout.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input, a number or two.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input, a number or two.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input; `"NCHW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and one state `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv2DRNNCell
        >>> cell = Conv2DRNNCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 8, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 8, 8), 1)
    """

    _dims = 2


class Conv2DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over two axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, height, width)`, in
            the order of the layout.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input, a number or two.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input, a number or two.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input; `"NCHW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and two states `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv2DLSTMCell
        >>> cell = Conv2DLSTMCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 8, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 8, 8), 2)
    """

    _dims = 2


class Conv2DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over two axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, height, width)`, in
            the order of the layout.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input, a number or two.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input, a number or two.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input; `"NCHW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and one state `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv2DGRUCell
        >>> cell = Conv2DGRUCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 8, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 8, 8), 1)
    """

    _dims = 2


class Conv3DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over three axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, depth, height, width)`, in
            the order of the layout.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input, a number or three.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input, a number or three.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input; `"NCDHW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and one state `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv3DRNNCell
        >>> cell = Conv3DRNNCell((3, 4, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 4, 8, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 4, 8, 8), 1)
    """

    _dims = 3


class Conv3DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over three axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, depth, height, width)`, in
            the order of the layout.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input, a number or three.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input, a number or three.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input; `"NCDHW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and two states `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv3DLSTMCell
        >>> cell = Conv3DLSTMCell((3, 4, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 4, 8, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 4, 8, 8), 2)
    """

    _dims = 3


class Conv3DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over three axes.

    Args:
        input_shape: Shape of one input without the batch, `(channels, depth, height, width)`, in
            the order of the layout.
        hidden_channels: Number of channels of the hidden state.
        i2h_kernel: Size of the convolution of the input, a number or three.
        h2h_kernel: Size of the convolution of the hidden state; odd, so that its shape stays.
        i2h_pad: Padding of the input, a number or three.
        i2h_dilate: Dilation of the convolution of the input.
        h2h_dilate: Dilation of the convolution of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        conv_layout: Axes of the input; `"NCDHW"` if not given.
        activation: Name of the activation, or a block or function.
        prefix: What names of parameters begin with.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, *input_shape)`; output and one state `(N, hidden_channels, ...)`, with the
        lengths that the convolution of the input leaves.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import Conv3DGRUCell
        >>> cell = Conv3DGRUCell((3, 4, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3, 4, 8, 8)), cell.begin_state(batch_size=2))
        >>> output.shape, len(states)
        ((2, 4, 4, 8, 8), 1)
    """

    _dims = 3
