"""Recurrent cells that apply convolutions to input and state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from mxnet import symbol
from mxnet.errors import CheckFailedError
from mxnet.rnn._cells import GatedCell, GRUCell, LSTMCell, RNNCell, RNNParams, info_of
from mxnet.symbol import Symbol

Pair: TypeAlias = tuple[int, int]

_leaky_relu: Any = symbol.LeakyReLU
_LEAKY = partial(_leaky_relu, act_type="leaky", slope=0.2)


class BaseConvRNNCell(GatedCell):
    """Base of convolutional recurrent cells.

    Args:
        input_shape: Shape of the input of a step, including the batch axis.
        num_hidden: Number of channels of the state.
        h2h_kernel: Kernel of the convolution of the state, of odd sizes.
        h2h_dilate: Its dilation.
        i2h_kernel: Kernel of the convolution of the input.
        i2h_stride: Its stride.
        i2h_pad: Its padding.
        i2h_dilate: Its dilation.
        i2h_weight_initializer: Initializer of its weight.
        h2h_weight_initializer: Initializer of the weight for the state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the state.
        activation: Name of the activation, or a function of symbols.
        prefix: Prefix of names.
        params: Variables to share.
        conv_layout: Axes of input and state.
    """

    def __init__(
        self,
        input_shape: Sequence[int],
        num_hidden: int,
        h2h_kernel: Pair,
        h2h_dilate: Pair,
        i2h_kernel: Pair,
        i2h_stride: Pair,
        i2h_pad: Pair,
        i2h_dilate: Pair,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        activation: Any,
        prefix: str = "",
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if not all(size % 2 == 1 for size in h2h_kernel):
            raise CheckFailedError(
                f"{type(self).__name__}: h2h_kernel must be odd, got {h2h_kernel}"
            )
        self._num_hidden = num_hidden
        self._activation = activation
        self._conv_layout = conv_layout
        self._h2h = {
            "kernel": tuple(h2h_kernel),
            "stride": (1, 1),
            "pad": tuple(
                dilate * (size - 1) // 2
                for dilate, size in zip(h2h_dilate, h2h_kernel, strict=True)
            ),
            "dilate": tuple(h2h_dilate),
        }
        self._i2h = {
            "kernel": tuple(i2h_kernel),
            "stride": tuple(i2h_stride),
            "pad": tuple(i2h_pad),
            "dilate": tuple(i2h_dilate),
        }
        self._input_shape = tuple(input_shape)
        self._state_shape = self._infer_state_shape()
        self._iW = self.params.get("i2h_weight", init=i2h_weight_initializer)
        self._hW = self.params.get("h2h_weight", init=h2h_weight_initializer)
        self._iB = self.params.get("i2h_bias", init=i2h_bias_initializer)
        self._hB = self.params.get("h2h_bias", init=h2h_bias_initializer)

    def _infer_state_shape(self) -> tuple[int, ...]:
        convolved = symbol.Convolution(
            symbol.var("data"), num_filter=self._num_hidden, layout=self._conv_layout, **self._i2h
        )
        shape: tuple[int, ...] = convolved.infer_shape(data=self._input_shape)[1][0]
        return (0, *shape[1:])

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of the state."""
        return [info_of(self._state_shape, self._conv_layout)]

    def _sums(self, inputs: Symbol, state: Symbol, name: str) -> tuple[Any, Any]:
        common = {
            "num_filter": self._num_hidden * len(self._gate_names),
            "layout": self._conv_layout,
        }
        from_input = symbol.Convolution(
            inputs, self._iW, self._iB, name=f"{name}i2h", **common, **self._i2h
        )
        from_state = symbol.Convolution(
            state, self._hW, self._hB, name=f"{name}h2h", **common, **self._h2h
        )
        return from_input, from_state


def _make_constructor(default_prefix: str) -> Callable[..., None]:
    """Makes the constructor of a cell; cells differ by their default prefix alone."""

    def construct(
        self: BaseConvRNNCell,
        input_shape: Sequence[int],
        num_hidden: int,
        h2h_kernel: Pair = (3, 3),
        h2h_dilate: Pair = (1, 1),
        i2h_kernel: Pair = (3, 3),
        i2h_stride: Pair = (1, 1),
        i2h_pad: Pair = (1, 1),
        i2h_dilate: Pair = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        activation: Any = _LEAKY,
        prefix: str = default_prefix,
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        BaseConvRNNCell.__init__(
            self, input_shape, num_hidden, h2h_kernel, h2h_dilate, i2h_kernel, i2h_stride, i2h_pad,
            i2h_dilate, i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer, activation, prefix, params, conv_layout,
        )  # fmt: skip

    construct.__name__ = construct.__qualname__ = "__init__"  # in messages
    return construct


class ConvRNNCell(BaseConvRNNCell):
    """A recurrent cell: the new state is an activation of the sum of two convolutions.

    The arguments are those of `BaseConvRNNCell`.
    """

    _gates = RNNCell._gates
    __init__ = _make_constructor("ConvRNN_")

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        return self._advance(inputs, states)


class ConvLSTMCell(BaseConvRNNCell):
    """An LSTM cell whose gates are computed by convolutions of input and state.

    The arguments are those of `BaseConvRNNCell`.
    """

    _gates = LSTMCell._gates
    __init__ = _make_constructor("ConvLSTM_")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of output and memory."""
        return super().state_info * 2

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        return self._advance_lstm(inputs, states, axis=self._conv_layout.find("C"))


class ConvGRUCell(BaseConvRNNCell):
    """A GRU cell whose gates are computed by convolutions of input and state.

    The arguments are those of `BaseConvRNNCell`.
    """

    _gates = GRUCell._gates
    __init__ = _make_constructor("ConvGRU_")

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        return self._advance_gru(inputs, states)
