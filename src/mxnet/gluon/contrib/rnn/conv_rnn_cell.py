"""Cells that convolve over one, two or three axes where others multiply by a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from mxnet.errors import InvalidArgumentError
from mxnet.gluon.parameters import Parameter, ParameterDict
from mxnet.gluon.rnn._cells import gru_update, lstm_update
from mxnet.gluon.rnn._recurrent_cell import GatedCell, StateInfo


def _per_axis(value: int | Sequence[int], dims: int, name: str) -> tuple[int, ...]:
    """Returns an option of the convolution for each axis."""
    if isinstance(value, (int, np.integer)):
        return (int(value),) * dims
    if len(value) != dims:
        raise InvalidArgumentError(
            f"convolutional cell: {name} takes an int or {dims} of them for a {dims}D "
            f"convolution, got {value}"
        )
    return tuple(value)


def _convolved(
    lengths: Sequence[int], kernel: Sequence[int], pad: Sequence[int], dilate: Sequence[int]
) -> tuple[int, ...]:
    """Returns the lengths after a convolution of stride 1; unknown ones (0) stay unknown."""
    return tuple(
        length + 2 * p - d * (k - 1) if length else 0
        for length, k, p, d in zip(lengths, kernel, pad, dilate, strict=True)
    )


_LAYOUTS = ("", "NCW", "NCHW", "NCDHW")
"""The usual axes of the input, by the number of axes of the convolution."""


class BaseConvRNNCell(GatedCell):
    """Base of the convolutional cells, whose docstrings describe the arguments.

    Subclasses set the number of axes.
    """

    i2h_weight: Parameter
    _dims = 0
    _num_gates = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: int | Sequence[int],
        h2h_kernel: int | Sequence[int],
        i2h_pad: int | Sequence[int] = 0,
        i2h_dilate: int | Sequence[int] = 1,
        h2h_dilate: int | Sequence[int] = 1,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str | None = None,
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        dims = self._dims
        self._hidden_channels = hidden_channels
        self._input_shape = tuple(input_shape)
        self._conv_layout = _LAYOUTS[dims] if conv_layout is None else conv_layout
        self._activation = activation
        self._i2h_kernel = _per_axis(i2h_kernel, dims, "i2h_kernel")
        self._h2h_kernel = _per_axis(h2h_kernel, dims, "h2h_kernel")
        if not all(size % 2 for size in self._h2h_kernel):
            raise InvalidArgumentError(
                f"{type(self).__name__}: h2h_kernel takes odd sizes, got {h2h_kernel}"
            )
        self._i2h_pad = _per_axis(i2h_pad, dims, "i2h_pad")
        self._i2h_dilate = _per_axis(i2h_dilate, dims, "i2h_dilate")
        self._h2h_dilate = _per_axis(h2h_dilate, dims, "h2h_dilate")
        self._h2h_pad = tuple(
            dilate * (size - 1) // 2
            for dilate, size in zip(self._h2h_dilate, self._h2h_kernel, strict=True)
        )
        self._check_layout()
        initializers = {
            "i2h_weight": i2h_weight_initializer,
            "h2h_weight": h2h_weight_initializer,
            "i2h_bias": i2h_bias_initializer,
            "h2h_bias": h2h_bias_initializer,
        }
        self._add_parameters(initializers)

    def _check_layout(self) -> None:
        layout, expected = self._conv_layout, self._dims + 2
        if len(layout) != expected or not {"N", "C"} <= {*layout}:
            raise InvalidArgumentError(
                f"{type(self).__name__}: conv_layout takes {expected} axes with N and C, "
                f"got {layout!r}"
            )
        if len(self._input_shape) != expected - 1:
            raise InvalidArgumentError(
                f"{type(self).__name__}: input_shape takes {expected - 1} lengths, "
                f"got {self._input_shape}"
            )

    def _mx_take_features(self, place: int, sequence: Any, is_both_ways: bool) -> None:
        del place, is_both_ways
        axis, weight = self._conv_layout.find("C"), self._reg_params["i2h_weight"]
        shape = [*(weight.shape or ())]
        shape[axis] = sequence.shape[-self._dims - 1 :][axis - 1]
        weight.shape = tuple(shape)

    def _add_parameters(self, initializers: dict[str, Any]) -> None:
        channel_axis = self._conv_layout.find("C") - 1
        lengths = list(self._input_shape)
        in_channels = lengths.pop(channel_axis)
        state = list(_convolved(lengths, self._i2h_kernel, self._i2h_pad, self._i2h_dilate))
        state.insert(channel_axis, self._hidden_channels)
        self._in_channels = in_channels
        self._state_shape = tuple(state)
        rows = self._num_gates * self._hidden_channels

        def weight(kernel: tuple[int, ...], channels: int) -> tuple[int, ...]:
            inner = list(kernel)
            inner.insert(channel_axis, channels)
            return (rows, *inner)

        shapes = {
            "i2h_weight": weight(self._i2h_kernel, in_channels),
            "h2h_weight": weight(self._h2h_kernel, self._hidden_channels),
            "i2h_bias": (rows,),
            "h2h_bias": (rows,),
        }
        self._register_parameters(shapes, initializers)

    def __repr__(self) -> str:
        rows = self._num_gates * self._hidden_channels
        sizes = f"{self._in_channels or None} -> {rows}"
        return f"{type(self).__name__}({sizes}, {self._activation}, {self._conv_layout})"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state."""
        return [{"shape": (batch_size, *self._state_shape), "__layout__": self._conv_layout}]

    def _gates(
        self, F: Any, inputs: Any, state: Any, weights: tuple[Any, Any], biases: tuple[Any, Any]
    ) -> tuple[Any, Any]:
        """Returns what input and hidden state contribute to the gates."""
        i2h, h2h = [
            F.Convolution(
                data,
                weights[number],
                biases[number],
                num_filter=self._num_gates * self._hidden_channels,
                kernel=kernel,
                stride=(1,) * len(kernel),
                pad=pad,
                dilate=dilate,
                layout=self._conv_layout,
                name=self._mx_step(("i2h", "h2h")[number]),
            )
            for number, (data, kernel, pad, dilate) in enumerate(
                (
                    (inputs, self._i2h_kernel, self._i2h_pad, self._i2h_dilate),
                    (state, self._h2h_kernel, self._h2h_pad, self._h2h_dilate),
                )
            )
        ]
        return i2h, h2h


class ConvRNNCell(BaseConvRNNCell):
    """Base of the plain convolutional cells."""

    def _alias(self) -> str:
        return "conv_rnn"

    def _advance(
        self,
        F: Any,
        i2h: Any,
        h2h: Any,
        states: Any,  # noqa: ARG002 - the gates are all that matters
    ) -> tuple[Any, list[Any]]:
        output = self._get_activation(F, i2h + h2h, self._activation, name=self._mx_step("out"))
        return output, [output]


class ConvLSTMCell(BaseConvRNNCell):
    """Base of the convolutional LSTM cells."""

    _num_gates = 4
    _recurrent_activation = "sigmoid"

    def _alias(self) -> str:
        return "conv_lstm"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state and the memory."""
        return super().state_info(batch_size) * 2

    def _advance(self, F: Any, i2h: Any, h2h: Any, states: Any) -> tuple[Any, list[Any]]:
        axis = self._conv_layout.find("C")
        hidden, memory = lstm_update(self, F, i2h + h2h, states[1], axis=axis)
        return hidden, [hidden, memory]


class ConvGRUCell(BaseConvRNNCell):
    """Base of the convolutional GRU cells."""

    _num_gates = 3
    _recurrent_activation = "sigmoid"

    def _alias(self) -> str:
        return "conv_gru"

    def _advance(self, F: Any, i2h: Any, h2h: Any, states: Any) -> tuple[Any, list[Any]]:
        output = gru_update(self, F, i2h, h2h, states[0], axis=self._conv_layout.find("C"))
        return output, [output]


C = TypeVar("C", bound=type[BaseConvRNNCell])

_WORDS = (
    ("", "", ""),
    ("width", "8", ""),
    ("height, width", "8, 8", ", a number or two"),
    ("depth, height, width", "4, 8, 8", ", a number or three"),
)
"""Axes, lengths and forms of options in docstrings, by the number of axes of the convolution."""


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


def _documented(cls: C) -> C:
    """Completes the docstring of a cell from that of `Conv1DRNNCell`."""
    axes, lengths, form = _WORDS[cls._dims]
    words = {
        "Conv1DRNNCell": cls.__name__,
        "(channels, width)": f"(channels, {axes})",
        "Size of the convolution of the input": f"Size of the convolution of the input{form}",
        "Padding of the input": f"Padding of the input{form}",
        "NCW": _LAYOUTS[cls._dims],
        ", 8)": f", {lengths})",
    }
    if issubclass(cls, ConvLSTMCell):
        words |= {"one state": "two states", "), 1)": "), 2)"}
    text = (Conv1DRNNCell.__doc__ or "").partition("\n")[2]
    for word, other in words.items():
        text = text.replace(word, other)
    cls.__doc__ = f"{cls.__doc__}\n{text}"
    return cls


@_documented
class Conv1DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over one axis."""

    _dims = 1


@_documented
class Conv1DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over one axis."""

    _dims = 1


@_documented
class Conv2DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over two axes."""

    _dims = 2


@_documented
class Conv2DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over two axes."""

    _dims = 2


@_documented
class Conv2DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over two axes."""

    _dims = 2


@_documented
class Conv3DRNNCell(ConvRNNCell):
    """A plain recurrent cell that convolves over three axes."""

    _dims = 3


@_documented
class Conv3DLSTMCell(ConvLSTMCell):
    """A cell of long short-term memory that convolves over three axes."""

    _dims = 3


@_documented
class Conv3DGRUCell(ConvGRUCell):
    """A gated recurrent unit that convolves over three axes."""

    _dims = 3
