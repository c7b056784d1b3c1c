"""`FusedRNNCell`, which computes all layers by one operator."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet.initializer import FusedRNN
from mxnet.ndarray import NDArray
from mxnet.rnn._base import (
    Arrays,
    BaseRNNCell,
    RNNParams,
    arrange_steps,
    info_of,
    merge_steps,
)
from mxnet.rnn._cells import DropoutCell, GRUCell, LSTMCell, RNNCell
from mxnet.rnn._containers import BidirectionalCell, SequentialRNNCell
from mxnet.symbol import Symbol

_GATES: dict[str, Sequence[str]] = {
    "rnn_relu": ("",),
    "rnn_tanh": ("",),
    "lstm": LSTMCell._gates,
    "gru": GRUCell._gates,
}


class FusedRNNCell(BaseRNNCell):
    """Several recurrent layers whose weights are one vector; computed by the operator `RNN`.

    Args:
        num_hidden: Size of the state of each layer and direction.
        num_layers: Number of layers.
        mode: `"lstm"`, `"gru"`, `"rnn_tanh"` or `"rnn_relu"`.
        bidirectional: Whether each layer reads in both directions.
        dropout: Part of the elements dropped between layers while training.
        get_next_state: Whether `unroll` returns the last states too.
        forget_bias: First value of the bias of forget gates.
        prefix: Prefix of names, by default the mode and an underscore.
        params: Variables to share.

    Example:
        >>> import mxnet as mx
        >>> cell = mx.rnn.FusedRNNCell(8, num_layers=2, prefix="lstm_")
        >>> outputs, _ = cell.unroll(3, mx.sym.var("data"), layout="TNC")
        >>> outputs.infer_shape(data=(3, 2, 5))
        ([(3, 2, 5), (1056,)], [(3, 2, 8)], [])
    """

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: str | None = None,
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(f"{mode}_" if prefix is None else prefix, params)
        self._mode, self._bidirectional, self._dropout = mode, bidirectional, dropout
        self._num_hidden, self._num_layers = num_hidden, num_layers
        self._get_next_state = get_next_state
        self._directions = ["l", "r"] if bidirectional else ["l"]
        initializer = FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self.params.get("parameters", init=initializer)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of the states of all layers."""
        shape = (self._num_layers * len(self._directions), 0, self._num_hidden)
        return [info_of(shape, "LNC") for _ in range(2 if self._mode == "lstm" else 1)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return _GATES[self._mode]

    @property
    def _num_gates(self) -> int:
        return len(self._gate_names)

    def _list_parts(self, input_size: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yields name and shape of every weight, then of every bias, in the order of the vector."""
        hidden, directions = self._num_hidden, self._directions
        places = [(layer, side) for layer in range(self._num_layers) for side in directions]
        for layer, side in places:
            width = input_size if layer == 0 else hidden * len(directions)
            for role, columns in (("i2h", width), ("h2h", hidden)):
                for gate in self._gate_names:
                    yield f"{self._prefix}{side}{layer}_{role}{gate}_weight", (hidden, columns)
        for layer, side in places:
            for role in ("i2h", "h2h"):
                for gate in self._gate_names:
                    yield f"{self._prefix}{side}{layer}_{role}{gate}_bias", (hidden,)

    def _find_input_size(self, count: int) -> int:
        """Computes the size of the input from the length of the vector."""
        hidden, directions = self._num_hidden, len(self._directions)
        rows = hidden * directions * self._num_gates
        per_layer = hidden + hidden * directions + 2
        return count // rows - (self._num_layers - 1) * per_layer - hidden - 2

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Splits the vector into the weights of each layer, direction and gate."""
        weights = dict(args)
        vector = weights.pop(str(self._parameter.name))
        start = 0
        for name, shape in self._list_parts(self._find_input_size(vector.size)):
            size = shape[0] * (shape[1] if len(shape) > 1 else 1)
            weights[name] = vector[start : start + size].copy().reshape(shape)
            start += size
        return weights

    def pack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Concatenates the weights of all layers; the inverse of `unpack_weights`."""
        weights = dict(args)
        first = weights[f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"]
        parts = [weights.pop(name).reshape((-1,)) for name, _ in self._list_parts(first.shape[1])]
        weights[str(self._parameter.name)] = nd.concat(*parts, dim=0)
        return weights

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Builds one operator for all steps of a sequence."""
        self.reset()
        data = merge_steps(length, inputs, layout)
        batch_first = layout.find("T") == 1
        if batch_first:
            warnings.warn(
                "FusedRNNCell: the operator wants time first; layout TNC saves two transpositions",
                stacklevel=2,
            )
            data = symbol.swapaxes(data, dim1=0, dim2=1)
        states = self.begin_state() if begin_state is None else begin_state
        named = dict(zip(("state", "state_cell"), states, strict=False))
        rnn = symbol.RNN(
            data=data,
            parameters=self._parameter,
            state_size=self._num_hidden,
            num_layers=self._num_layers,
            bidirectional=self._bidirectional,
            p=self._dropout,
            state_outputs=self._get_next_state,
            mode=self._mode,
            name=f"{self._prefix}rnn",
            **named,
        )
        last: list[Symbol] = []
        outputs = rnn
        if self._get_next_state:
            outputs, *last = rnn
            for state in last:
                state._set_attr(__layout__="LNC")
        if batch_first:
            outputs = symbol.swapaxes(outputs, dim1=0, dim2=1)
        return arrange_steps(length, outputs, layout, merge_outputs), last

    def unfuse(self) -> SequentialRNNCell:
        """Returns a stack of cells that compute the same step by step."""
        stack = SequentialRNNCell()
        for layer in range(self._num_layers):
            cells = [self._make_cell(f"{self._prefix}{side}{layer}_") for side in self._directions]
            if self._bidirectional:
                prefix = f"{self._prefix}bi_l{layer}_"
                stack.add(BidirectionalCell(cells[0], cells[1], output_prefix=prefix))
            else:
                stack.add(cells[0])
            if self._dropout > 0 and layer != self._num_layers - 1:
                prefix = f"{self._prefix}_dropout{layer}_"
                stack.add(DropoutCell(self._dropout, prefix=prefix))
        return stack

    def _make_cell(self, prefix: str) -> BaseRNNCell:
        if self._mode == "lstm":
            return LSTMCell(self._num_hidden, prefix=prefix)
        if self._mode == "gru":
            return GRUCell(self._num_hidden, prefix=prefix)
        activation = self._mode.removeprefix("rnn_")
        return RNNCell(self._num_hidden, activation=activation, prefix=prefix)
