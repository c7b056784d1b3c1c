"""Cells with projection and with variational dropout."""

from __future__ import annotations

from typing import Any

from mxnet.errors import InvalidArgumentError
from mxnet.gluon.hybrid.deferred import ShapeProbe
from mxnet.gluon.parameters import ParameterDict
from mxnet.gluon.rnn._cells import DenseCell, lstm_update
from mxnet.gluon.rnn._recurrent_cell import (
    RecurrentCell,
    StateInfo,
    begin_state_of,
    format_sequence,
    mask_steps,
)
from mxnet.gluon.rnn.rnn_cell import ModifierCell, contains_bidirectional
from mxnet.gluon.rnn.rnn_cell import dynamic_unroll as dynamic_unroll

__all__ = ["LSTMPCell", "VariationalDropoutCell", "dynamic_unroll"]


class VariationalDropoutCell(ModifierCell):
    """Drops inputs, states and outputs of a cell by one mask for all steps of a sequence.

    Masks are drawn in the first step after `reset`, in training.

    Args:
        base_cell: The cell.
        drop_inputs: Share of the inputs that is dropped.
        drop_states: Share of the hidden state that is dropped.
        drop_outputs: Share of the outputs that is dropped.

    Shapes:
        Those of the cell.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> from mxnet.gluon.contrib.rnn import VariationalDropoutCell
        >>> cell = VariationalDropoutCell(rnn.RNNCell(50), drop_outputs=0.5)
        >>> cell.initialize()
        >>> with mx.autograd.train_mode():
        ...     outputs, _ = cell.unroll(2, mx.nd.ones((1, 2, 3)), merge_outputs=True)
        >>> first, second = outputs[0].asnumpy() == 0
        >>> bool((first == second).all())
        True
    """

    def __init__(
        self,
        base_cell: RecurrentCell,
        drop_inputs: float = 0.0,
        drop_states: float = 0.0,
        drop_outputs: float = 0.0,
    ) -> None:
        if drop_states and contains_bidirectional(base_cell):
            raise InvalidArgumentError(
                "VariationalDropoutCell: the states of a BidirectionalCell cannot be dropped; put "
                "a VariationalDropoutCell around each of its cells instead"
            )
        super().__init__(base_cell)
        self.drop_inputs = drop_inputs
        self.drop_states = drop_states
        self.drop_outputs = drop_outputs
        self._masks: dict[str, Any] = {}

    def _alias(self) -> str:
        return "vardrop"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p_out = {self.drop_outputs}, p_state = {self.drop_states})"

    def reset(self) -> None:
        """Forgets the masks."""
        super().reset()
        self._masks = {}

    def _mx_remembers(self) -> bool:
        return True

    def _drop(self, F: Any, role: str, share: float, data: Any) -> Any:
        if not share:
            return data
        mask = self._masks.get(role)
        if mask is None:
            mask = F.Dropout(F.ones_like(data), p=share)
            if not isinstance(F, ShapeProbe):
                self._masks[role] = mask
        return data * mask

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Computes one step."""
        hidden, *others = states
        hidden = self._drop(F, "states", self.drop_states, hidden)
        inputs = self._drop(F, "inputs", self.drop_inputs, inputs)
        output, next_states = self.base_cell(inputs, [hidden, *others])
        return self._drop(F, "outputs", self.drop_outputs, output), next_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """Runs the cell over a sequence; see `RecurrentCell.unroll`."""
        if self.drop_states:
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        # Without masks between the steps, one dropout for the whole sequence does the same.
        self.reset()
        sequence, axis, functions, batch_size = format_sequence(length, inputs, layout, True)
        states = begin_state_of(self, functions, begin_state, sequence, batch_size)
        if self.drop_inputs:
            sequence = functions.Dropout(sequence, p=self.drop_inputs, axes=(axis,))
        outputs, states = self.base_cell.unroll(
            length, sequence, states, layout, merge_outputs=True, valid_length=valid_length
        )
        if self.drop_outputs:
            outputs = functions.Dropout(outputs, p=self.drop_outputs, axes=(axis,))
        merge = True if merge_outputs is None else merge_outputs
        if valid_length is not None:
            return mask_steps(functions, outputs, length, valid_length, axis, merge), states
        return format_sequence(length, outputs, layout, merge)[0], states


class LSTMPCell(DenseCell):
    """An LSTM cell that projects its hidden state to fewer values.

    Args:
        hidden_size: Size of the memory.
        projection_size: Size of the hidden state.
        i2h_weight_initializer: Initializer of the weight of the input.
        h2h_weight_initializer: Initializer of the weight of the hidden state.
        h2r_weight_initializer: Initializer of the weight of the projection.
        i2h_bias_initializer: Initializer of the bias of the input.
        h2h_bias_initializer: Initializer of the bias of the hidden state.
        input_size: Size of the input; 0 leaves it to the first call.
        prefix: What names of parameters begin with, `lstmp0_` or so by default.
        params: Parameters to share with another cell.

    Shapes:
        Input `(N, input_size)`, output `(N, projection_size)`, states `(N, projection_size)` and
        `(N, hidden_size)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.rnn import LSTMPCell
        >>> cell = LSTMPCell(6, projection_size=4)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 4), [(2, 4), (2, 6)])
    """

    _activation = "tanh"
    _recurrent_activation = "sigmoid"

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        h2r_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            4,
            hidden_size,
            input_size,
            {
                "i2h_weight": i2h_weight_initializer,
                "h2h_weight": h2h_weight_initializer,
                "h2r_weight": h2r_weight_initializer,
                "i2h_bias": i2h_bias_initializer,
                "h2h_bias": h2h_bias_initializer,
            },
            projection_size,
            prefix=prefix,
            params=params,
        )
        self._projection_size = projection_size

    def _alias(self) -> str:
        return "lstmp"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()} -> {self._projection_size})"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state and the memory."""
        return [
            {"shape": (batch_size, size), "__layout__": "NC"}
            for size in (self._projection_size, self._hidden_size)
        ]

    def hybrid_forward(  # type: ignore[override]  # it has one weight more
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        h2r_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> tuple[Any, list[Any]]:
        """Computes one step."""
        i2h, h2h = self._gates(F, inputs, states[0], (i2h_weight, h2h_weight), (i2h_bias, h2h_bias))
        hidden, memory = lstm_update(self, F, i2h + h2h, states[1], hidden_name="hidden")
        output = F.FullyConnected(
            hidden,
            h2r_weight,
            num_hidden=self._projection_size,
            no_bias=True,
            name=self._mx_step("out"),
        )
        return output, [output, memory]
