"""The plain, LSTM and GRU cells."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from mxnet._arrays.array import NO_ATTRS, Origin
from mxnet._arrays.invoke import invoke_chain, invoke_chains, runs_plainly
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet._state import REQUIRED, as_in_mxnet2
from mxnet.gluon.parameters import Parameter, ParameterDict
from mxnet.gluon.rnn._recurrent_cell import GatedCell, StateInfo
from mxnet.ops.core.registry import get_op
from mxnet.ops.nn.rnn import gru_step, lstm_step


class DenseCell(GatedCell):
    """Base of cells with a weight and a bias from input and from hidden state to their gates.

    Args:
        gates: Number of gates.
        hidden_size: Size of the hidden state.
        input_size: Size of the input; 0 leaves it to the first call.
        initializers: Initializers of the parameters, which are registered in this order.
        projection_size: Size to which the hidden state is projected, None for no projection.
        prefix: Prefix of the names of parameters.
        params: Parameters to share with another cell.
    """

    i2h_weight: Parameter

    def __init__(
        self,
        gates: int,
        hidden_size: int,
        input_size: int,
        initializers: dict[str, Any],
        projection_size: int | None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size = hidden_size
        self._input_size = input_size
        self._rows = rows = gates * hidden_size
        shapes = {
            "i2h_weight": (rows, input_size),
            "h2h_weight": (rows, projection_size or hidden_size),
            "h2r_weight": (projection_size, hidden_size),
            "i2h_bias": (rows,),
            "h2h_bias": (rows,),
        }
        self._register_parameters(shapes, initializers)

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state."""
        return [{"shape": (batch_size, self._hidden_size), "__layout__": "NC"}]

    def _mx_take_features(self, place: int, sequence: Any, is_both_ways: bool) -> None:
        if place > 0:  # what the cell below gives
            output: int = self.state_info()[0]["shape"][1]
            features = output * 2 if is_both_ways else output
        else:
            features = sequence.shape[-1]
        self.i2h_weight.shape = (self._rows, features)

    def _mapping(self) -> str:
        """Returns the sizes of input and gates, for printing."""
        columns = (self.i2h_weight.shape or (0, 0))[1]
        return f"{columns or None} -> {self._rows}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()})"

    def _gates(
        self, F: Any, inputs: Any, state: Any, weights: tuple[Any, Any], biases: tuple[Any, Any]
    ) -> tuple[Any, Any]:
        """Returns what input and hidden state contribute to the gates."""
        i2h = F.FullyConnected(
            inputs, weights[0], biases[0], num_hidden=self._rows, name=self._mx_step("i2h")
        )
        h2h = F.FullyConnected(
            state, weights[1], biases[1], num_hidden=self._rows, name=self._mx_step("h2h")
        )
        return i2h, h2h


class RNNCell(DenseCell):
    """A cell whose next state is ``activation(i2h(input) + h2h(state))``.

    Args:
        hidden_size: Size of the hidden state.
        activation: Name of the activation, or a block or function.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        input_size: Size of the input; 0 leaves it to the first call.
        prefix: Prefix of the names of parameters, `rnn0_` or so by default.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, input_size)`, output `(N, hidden_size)`, one state `(N, hidden_size)`.
        `unroll` takes and returns sequences, `(N, T, size)` in the layout `"NTC"`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.RNNCell(4)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 4), [(2, 4)])
        >>> outputs, states = cell.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
        >>> outputs.shape
        (2, 5, 4)
    """

    def __init__(
        self,
        hidden_size: int,
        activation: Any = "tanh",
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            1,
            hidden_size,
            input_size,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            prefix=prefix,
            params=params,
        )
        self._activation = activation

    def _alias(self) -> str:
        return "rnn"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()}, {self._activation})"

    def _advance(
        self,
        F: Any,
        i2h: Any,
        h2h: Any,
        states: Any,  # noqa: ARG002 - the gates are all that matters
    ) -> tuple[Any, list[Any]]:
        total = F.elemwise_add(i2h, h2h, name=self._mx_step("plus0"))
        output = self._get_activation(F, total, self._activation, name=self._mx_step("out"))
        return output, [output]


_IN_MXNET2 = as_in_mxnet2(
    {},
    ("prefix", "params"),
    hidden_size=REQUIRED,
    i2h_weight_initializer=None,
    h2h_weight_initializer=None,
    i2h_bias_initializer="zeros",
    h2h_bias_initializer="zeros",
    input_size=0,
    activation="tanh",
    recurrent_activation="sigmoid",
)
"""Constructors whose arguments have another order in MXNet 2."""


class LSTMCell(DenseCell):
    """Long short-term memory: a cell with a memory that gates write, keep and read.

    Args:
        hidden_size: Size of the hidden state and of the memory.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        input_size: Size of the input; 0 leaves it to the first call.
        prefix: Prefix of the names of parameters, `lstm0_` or so by default.
        params: Parameters to share with another cell.
        activation: Activation of what is written and read.
        recurrent_activation: Activation of the gates.

    Shapes:
        Input `(N, input_size)`, output `(N, hidden_size)`, two states `(N, hidden_size)`.
        `unroll` takes and returns sequences, `(N, T, size)` in the layout `"NTC"`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.LSTMCell(4)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 4), [(2, 4), (2, 4)])
        >>> outputs, states = cell.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
        >>> outputs.shape
        (2, 5, 4)
    """

    @_IN_MXNET2
    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ) -> None:
        super().__init__(
            4,
            hidden_size,
            input_size,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            prefix=prefix,
            params=params,
        )
        self._activation = activation
        self._recurrent_activation = recurrent_activation

    def _alias(self) -> str:
        return "lstm"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state and the memory."""
        return super().state_info(batch_size) * 2

    def _advance(self, F: Any, i2h: Any, h2h: Any, states: Any) -> tuple[Any, list[Any]]:
        usual = self._activation == "tanh" and self._recurrent_activation == "sigmoid"
        if usual and _can_be_merged(4, i2h, h2h, states[1]):
            hidden, memory = invoke_chains(
                _SPLIT, lstm_step, (i2h + h2h, states[1]), _origins_of_lstm
            )
            return hidden, [hidden, memory]
        hidden, memory = lstm_update(
            self, F, F.elemwise_add(i2h, h2h, name=self._mx_step("plus0")), states[1]
        )
        return hidden, [hidden, memory]


def lstm_update(
    cell: Any, F: Any, gates: Any, memory: Any, hidden_name: str = "out", **where: int
) -> tuple[Any, Any]:
    """Returns the new hidden state and memory of an LSTM.

    Args:
        cell: The cell, which has the activations.
        F: The operators.
        gates: Input, forget, candidate and output gate before activation, joined.
        memory: The memory before.
        hidden_name: Name of the hidden state in graphs.
        **where: The `axis` of the gates, if it is to be written to graphs; 1 by default.
    """
    name, activate = cell._mx_step, cell._get_activation
    parts = F.SliceChannel(gates, num_outputs=4, name=name("slice"), **where)
    enter = activate(F, parts[0], cell._recurrent_activation, name=name("i"))
    keep = activate(F, parts[1], cell._recurrent_activation, name=name("f"))
    candidate = activate(F, parts[2], cell._activation, name=name("c"))
    leave = activate(F, parts[3], cell._recurrent_activation, name=name("o"))
    kept = F.elemwise_mul(keep, memory, name=name("mul0"))
    written = F.elemwise_mul(enter, candidate, name=name("mul1"))
    memory = F.elemwise_add(kept, written, name=name("state"))
    if isinstance(cell._activation, str):
        read = F.Activation(memory, act_type=cell._activation, name=name("activation0"))
    else:
        read = cell._activation(memory)
    return F.elemwise_mul(leave, read, name=name(hidden_name)), memory


class GRUCell(DenseCell):
    """Gated recurrent unit; the reset gate acts after the product with the hidden state.

    Args:
        hidden_size: Size of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        input_size: Size of the input; 0 leaves it to the first call.
        prefix: Prefix of the names of parameters, `gru0_` or so by default.
        params: Parameters to share with another cell.
        activation: Activation of what is written.
        recurrent_activation: Activation of the gates.

    Shapes:
        Input `(N, input_size)`, output `(N, hidden_size)`, one state `(N, hidden_size)`.
        `unroll` takes and returns sequences, `(N, T, size)` in the layout `"NTC"`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.GRUCell(4)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 4), [(2, 4)])
        >>> outputs, states = cell.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
        >>> outputs.shape
        (2, 5, 4)
    """

    _activation, _recurrent_activation = "tanh", "sigmoid"

    @_IN_MXNET2
    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ) -> None:
        super().__init__(
            3,
            hidden_size,
            input_size,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            prefix=prefix,
            params=params,
        )
        self._activation = activation
        self._recurrent_activation = recurrent_activation

    def _alias(self) -> str:
        return "gru"

    def _advance(self, F: Any, i2h: Any, h2h: Any, states: Any) -> tuple[Any, list[Any]]:
        usual = self._activation == "tanh" and self._recurrent_activation == "sigmoid"
        if usual and _can_be_merged(3, i2h, h2h, states[0]):
            output = invoke_chain(_SPLIT, gru_step, (i2h, h2h, states[0]), _origin_of_gru)
        else:
            output = gru_update(self, F, i2h, h2h, states[0])
        return output, [output]


def gru_update(
    cell: Any, F: Any, i2h: Any, h2h: Any, hidden: Any, one: float = 1, **where: int
) -> Any:
    """Returns the new hidden state of a GRU.

    Args:
        cell: The cell, which has the activations.
        F: The operators.
        i2h: Contribution of the input to reset gate, update gate and candidate, joined.
        h2h: Contribution of the hidden state to the same, joined.
        hidden: The hidden state before.
        one: The number 1, as graphs are to write it.
        **where: The `axis` of the gates, if it is to be written to graphs; 1 by default.
    """
    name = cell._mx_step
    i2h_reset, i2h_update, i2h_new = F.SliceChannel(
        i2h, num_outputs=3, name=name("i2h_slice"), **where
    )
    h2h_reset, h2h_update, h2h_new = F.SliceChannel(
        h2h, num_outputs=3, name=name("h2h_slice"), **where
    )
    total = F.elemwise_add(i2h_reset, h2h_reset, name=name("plus0"))
    reset = cell._get_activation(F, total, cell._recurrent_activation, name=name("r_act"))
    total = F.elemwise_add(i2h_update, h2h_update, name=name("plus1"))
    update = cell._get_activation(F, total, cell._recurrent_activation, name=name("z_act"))
    recalled = F.elemwise_mul(reset, h2h_new, name=name("mul0"))
    wanted = F.elemwise_add(i2h_new, recalled, name=name("plus2"))
    candidate = cell._get_activation(F, wanted, cell._activation, name=name("h_act"))
    fresh = F.elemwise_mul(one - update, candidate, name=name("mul1"))
    kept = F.elemwise_mul(update, hidden, name=name("mul2"))
    return F.elemwise_add(fresh, kept, name=name("out"))


_SPLIT, _ADD, _MULTIPLY = map(get_op, ("SliceChannel", "elemwise_add", "elemwise_mul"))
_SIGMOID, _TANH, _FROM_NUMBER = map(get_op, ("sigmoid", "tanh", "_rminus_scalar"))
_ACTIVATION = get_op("Activation")


def _can_be_merged(count: int, i2h: Any, h2h: Any, state: Any) -> bool:
    """Returns whether a step on arrays can be computed by few kernels in place of operators.

    Args:
        count: Number of gates.
        i2h: Contribution of the input to them.
        h2h: Contribution of the hidden state.
        state: What the gates act on.
    """
    cls = type(i2h)
    if cls not in ARRAY_DIALECTS or cls._is_np or not runs_plainly():
        return False
    if type(h2h) is not cls or type(state) is not cls:
        return False
    ours, theirs, kept = [
        item._node if item._data is None else item._data for item in (i2h, h2h, state)
    ]
    if type(ours) is not Tensor or type(theirs) is not Tensor or type(kept) is not Tensor:
        return False  # some that raise when they are read
    rows, columns = ours.shape
    fits = theirs.shape == ours.shape and kept.shape == (rows, columns // count)
    return fits and ours.dtype.is_floating_point and ours.dtype is theirs.dtype is kept.dtype


def _parts_of(origin: Origin | None, count: int) -> list[Origin]:
    """Returns the parts into which the gates are split."""
    inputs, attrs = (origin,), {"num_outputs": count}
    return [(_SPLIT, inputs, attrs, number) for number in range(count)]


def _apply(op: Any, *inputs: Origin | None) -> Origin:
    return op, inputs, NO_ATTRS, 0


def _origin_of_gru(i2h: Origin | None, h2h: Origin | None, hidden: Origin | None) -> Origin:
    """Returns the operators that `gru_update` calls."""
    ours, theirs = _parts_of(i2h, 3), _parts_of(h2h, 3)
    reset, update = [_apply(_SIGMOID, _apply(_ADD, ours[n], theirs[n])) for n in range(2)]
    candidate = _apply(_TANH, _apply(_ADD, ours[2], _apply(_MULTIPLY, reset, theirs[2])))
    rest = (_FROM_NUMBER, (update,), {"scalar": 1.0}, 0)
    return _apply(_ADD, _apply(_MULTIPLY, rest, candidate), _apply(_MULTIPLY, update, hidden))


def _origins_of_lstm(gates: Origin | None, memory: Origin | None) -> tuple[Origin, Origin]:
    """Returns the operators by which `lstm_update` computes the hidden state and the memory."""
    enter, keep, candidate, leave = _parts_of(gates, 4)
    written = _apply(_MULTIPLY, _apply(_SIGMOID, enter), _apply(_TANH, candidate))
    kept = _apply(_ADD, _apply(_MULTIPLY, _apply(_SIGMOID, keep), memory), written)
    read = (_ACTIVATION, (kept,), {"act_type": "tanh"}, 0)
    return _apply(_MULTIPLY, _apply(_SIGMOID, leave), read), kept
