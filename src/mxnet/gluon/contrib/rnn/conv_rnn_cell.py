"""Cells that convolve over one, two or three axes; `BaseConvRNNCell` lists their arguments."""

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
    """A plain recurrent cell that convolves over one axis."""

    _dims = 1


class Conv1DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over one axis."""

    _dims = 1


class Conv1DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over one axis."""

    _dims = 1


class Conv2DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over two axes."""

    _dims = 2


class Conv2DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over two axes."""

    _dims = 2


class Conv2DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over two axes."""

    _dims = 2


class Conv3DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over three axes."""

    _dims = 3


class Conv3DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over three axes."""

    _dims = 3


class Conv3DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over three axes."""

    _dims = 3
