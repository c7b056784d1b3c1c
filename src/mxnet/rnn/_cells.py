"""Plain, LSTM and GRU cells, and dropout as a cell."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from mxnet import symbol
from mxnet.errors import CheckFailedError
from mxnet.initializer import LSTMBias
from mxnet.rnn._base import BaseRNNCell, RNNParams, activate, arrange_steps, info_of
from mxnet.symbol import Symbol


def update_lstm(gates: Any, memory: Any, name: str, activation: Any) -> list[Symbol]:
    """Builds the output and the memory of an LSTM from the preactivations of its four gates."""
    in_gate = activate(gates[0], "sigmoid", name=f"{name}i")
    forget_gate = activate(gates[1], "sigmoid", name=f"{name}f")
    candidate = activate(gates[2], activation, name=f"{name}c")
    out_gate = activate(gates[3], "sigmoid", name=f"{name}o")
    state = symbol.elemwise_add(forget_gate * memory, in_gate * candidate, name=f"{name}state")
    shown = activate(state, activation)
    return [symbol.elemwise_mul(out_gate, shown, name=f"{name}out"), state]


def update_gru(from_input: Any, from_state: Any, state: Any, name: str, activation: Any) -> Symbol:
    """Builds the next state of a GRU from what input and state contribute to its three gates."""
    reset = activate(from_input[0] + from_state[0], "sigmoid", name=f"{name}_r_act")
    update = activate(from_input[1] + from_state[1], "sigmoid", name=f"{name}_z_act")
    candidate = activate(from_input[2] + reset * from_state[2], activation, name=f"{name}_h_act")
    result: Symbol = symbol.elemwise_add(
        (1.0 - update) * candidate, update * state, name=f"{name}out"
    )
    return result


class _DenseCell(BaseRNNCell):
    """A cell that applies fully connected layers to the input and to the state.

    Args:
        num_hidden: Size of the state.
        prefix: Prefix of names.
        params: Variables to share.
        bias: Options of the bias of the input.
    """

    def __init__(self, num_hidden: int, prefix: str, params: RNNParams | None, **bias: Any) -> None:
        super().__init__(prefix=prefix, params=params)
        self._num_hidden = num_hidden
        # In the order of the original, which only affects listings.
        self._iW = self.params.get("i2h_weight")
        self._iB = self.params.get("i2h_bias", **bias)
        self._hW = self.params.get("h2h_weight")
        self._hB = self.params.get("h2h_bias")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of the state."""
        return [info_of((0, self._num_hidden), "NC")]

    def _sums(self, inputs: Symbol, state: Symbol, name: str) -> tuple[Any, Any]:
        size = self._num_hidden * len(self._gate_names)
        from_input = symbol.FullyConnected(
            data=inputs, weight=self._iW, bias=self._iB, num_hidden=size, name=f"{name}i2h"
        )
        from_state = symbol.FullyConnected(
            data=state, weight=self._hW, bias=self._hB, num_hidden=size, name=f"{name}h2h"
        )
        return from_input, from_state


class RNNCell(_DenseCell):
    """A plain recurrent cell: `activation(W x + U h + b)`.

    Args:
        num_hidden: Size of the state.
        activation: Name of the activation, or a function of symbols.
        prefix: Prefix of names.
        params: Variables to share.

    Example:
        >>> import mxnet as mx
        >>> outputs, states = mx.rnn.RNNCell(10).unroll(3, mx.sym.var("data"), merge_outputs=True)
        >>> outputs.infer_shape(data=(2, 3, 5))[1]
        [(2, 3, 10)]
    """

    _gates = ("",)

    def __init__(
        self,
        num_hidden: int,
        activation: Any = "tanh",
        prefix: str = "rnn_",
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        name = self._step_name()
        from_input, from_state = self._sums(inputs, states[0], name)
        output = activate(from_input + from_state, self._activation, name=f"{name}out")
        return output, [output]


class LSTMCell(_DenseCell):
    """A cell with long short-term memory; its states are output and memory.

    Args:
        num_hidden: Size of the state.
        prefix: Prefix of names.
        params: Variables to share.
        forget_bias: First value of the bias of the forget gate.
    """

    _gates = ("_i", "_f", "_c", "_o")

    def __init__(
        self,
        num_hidden: int,
        prefix: str = "lstm_",
        params: RNNParams | None = None,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__(num_hidden, prefix, params, init=LSTMBias(forget_bias=forget_bias))

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of output and memory."""
        return super().state_info * 2

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        name = self._step_name()
        from_input, from_state = self._sums(inputs, states[0], name)
        gates = symbol.SliceChannel(from_input + from_state, num_outputs=4, name=f"{name}slice")
        new_states = update_lstm(gates, states[1], name, "tanh")
        return new_states[0], new_states


class GRUCell(_DenseCell):
    """A gated recurrent unit, as cuDNN defines it.

    Args:
        num_hidden: Size of the state.
        prefix: Prefix of names.
        params: Variables to share.
    """

    _gates = ("_r", "_z", "_o")

    def __init__(
        self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None
    ) -> None:
        super().__init__(num_hidden, prefix, params)

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        name = self._step_name()
        from_input, from_state = (
            symbol.SliceChannel(item, num_outputs=3, name=f"{item.name}_slice")
            for item in self._sums(inputs, states[0], f"{name}_")
        )
        output = update_gru(from_input, from_state, states[0], name, "tanh")
        return output, [output]


class DropoutCell(BaseRNNCell):
    """Drops elements of its input at random while training; it has no state.

    Args:
        dropout: Part of the elements to drop.
        prefix: Prefix of names.
        params: Variables to share.
    """

    def __init__(
        self, dropout: Any, prefix: str = "dropout_", params: RNNParams | None = None
    ) -> None:
        super().__init__(prefix, params)
        if not isinstance(dropout, (int, float, Real)):
            raise CheckFailedError(f"DropoutCell: dropout takes a number, got {dropout!r}")
        self.dropout: Any = dropout

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """An empty list."""
        return []

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step, or a whole sequence at once."""
        if self.dropout > 0:
            inputs = symbol.Dropout(data=inputs, p=self.dropout)
        return inputs, list(states)

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Applies dropout to a sequence, at once if it is one symbol."""
        self.reset()
        steps = arrange_steps(length, inputs, layout, merge_outputs)
        if isinstance(steps, Symbol):
            return self(steps, [])
        return super().unroll(length, steps, begin_state, layout, merge_outputs)
