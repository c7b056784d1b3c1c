"""Symbolic recurrent cells: those made of others, the fused one, and those that change another."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Real
from typing import Any

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet._start import level_of_program, publish_classes
from mxnet.errors import CheckFailedError
from mxnet.initializer import FusedRNN
from mxnet.ndarray import NDArray
from mxnet.rnn._cells import Arrays, arrange_steps, info_of, merge_steps, split_steps
from mxnet.rnn._cells import BaseRNNCell as BaseRNNCell
from mxnet.rnn._cells import GRUCell as GRUCell
from mxnet.rnn._cells import LSTMCell as LSTMCell
from mxnet.rnn._cells import RNNCell as RNNCell
from mxnet.rnn._cells import RNNParams as RNNParams
from mxnet.rnn._conv import BaseConvRNNCell as BaseConvRNNCell
from mxnet.rnn._conv import ConvGRUCell as ConvGRUCell
from mxnet.rnn._conv import ConvLSTMCell as ConvLSTMCell
from mxnet.rnn._conv import ConvRNNCell as ConvRNNCell
from mxnet.symbol import Symbol

publish_classes(globals())


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


class _ContainerCell(BaseRNNCell):
    """A cell whose states and weights are those of other cells."""

    def __init__(self, params: RNNParams | None) -> None:
        super().__init__(prefix="", params=params)
        self._override_cell_params = params is not None
        self._cells: list[BaseRNNCell] = []

    def _adopt(self, cell: BaseRNNCell) -> None:
        """Adds a cell to this one and shares variables with it."""
        if self._override_cell_params:
            if not cell._own_params:
                raise CheckFailedError(
                    f"{type(self).__name__}: variables are given either here or to the cells inside"
                )
            cell.params._params.update(self.params._params)
        self._cells.append(cell)
        self.params._params.update(cell.params._params)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of the states of all cells."""
        return [info for cell in self._cells for info in cell.state_info]

    def begin_state(self, **kwargs: Any) -> Any:  # type: ignore[override]  # as the original has it
        """Makes the initial states of all cells; takes what `BaseRNNCell.begin_state` takes."""
        self._check_not_modified()
        return [state for cell in self._cells for state in cell.begin_state(**kwargs)]

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Splits the weights of all cells by gate."""
        weights = dict(args)
        for cell in self._cells:
            weights = cell.unpack_weights(weights)
        return weights

    def pack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Joins the weights of all cells."""
        weights = dict(args)
        for cell in self._cells:
            weights = cell.pack_weights(weights)
        return weights


class SequentialRNNCell(_ContainerCell):
    """A stack of cells, each of which reads the output of the one below.

    Args:
        params: Variables to share.

    Example:
        >>> import mxnet as mx
        >>> stack = mx.rnn.SequentialRNNCell()
        >>> stack.add(mx.rnn.LSTMCell(8, prefix="lower_"))
        >>> stack.add(mx.rnn.GRUCell(4, prefix="upper_"))
        >>> stack.state_shape
        [(0, 8), (0, 8), (0, 4)]
    """

    def __init__(self, params: RNNParams | None = None) -> None:
        super().__init__(params)

    def add(self, cell: BaseRNNCell) -> None:
        """Puts a cell on top."""
        self._adopt(cell)

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step of all cells."""
        new_states: list[Symbol] = []
        position = 0
        for cell in self._cells:
            if isinstance(cell, BidirectionalCell):
                raise CheckFailedError(
                    "SequentialRNNCell: with a BidirectionalCell inside, use unroll"
                )
            count = len(cell.state_info)
            inputs, new = cell(inputs, states[position : position + count])
            position += count
            new_states += new
        return inputs, new_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Builds all steps of a sequence, one cell after the other."""
        self.reset()
        states = self.begin_state() if begin_state is None else begin_state
        new_states: list[Any] = []
        position = 0
        for cell in self._cells:
            count = len(cell.state_info)
            inputs, new = cell.unroll(
                length,
                inputs,
                begin_state=states[position : position + count],
                layout=layout,
                merge_outputs=merge_outputs if cell is self._cells[-1] else None,
            )
            position += count
            new_states += new
        return inputs, new_states


class BidirectionalCell(_ContainerCell):
    """Two cells that read a sequence in both directions; their outputs are concatenated.

    Args:
        l_cell: Reads from the first step on.
        r_cell: Reads from the last step on.
        params: Variables to share.
        output_prefix: Prefix of the names of outputs.
    """

    def __init__(
        self,
        l_cell: BaseRNNCell,
        r_cell: BaseRNNCell,
        params: RNNParams | None = None,
        output_prefix: str = "bi_",
    ) -> None:
        super().__init__(params)
        self._output_prefix = output_prefix
        self._adopt(l_cell)
        self._adopt(r_cell)

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Builds all steps of a sequence in both directions.

        Returns:
            The outputs, and a list of states for each direction.
        """
        self.reset()
        steps = split_steps(length, inputs, layout)
        states = self.begin_state() if begin_state is None else begin_state
        left, right = self._cells
        count = len(left.state_info)
        left_out, left_states = left.unroll(length, steps, states[:count], layout, merge_outputs)
        right_out, right_states = right.unroll(
            length, steps[::-1], states[count:], layout, merge_outputs
        )
        if merge_outputs is None:
            merge_outputs = isinstance(left_out, Symbol) and isinstance(right_out, Symbol)
        outputs: Any
        if merge_outputs:
            backward = symbol.reverse(right_out, axis=layout.find("T"))
            outputs = symbol.concat(left_out, backward, dim=2, name=f"{self._output_prefix}out")
        else:
            outputs = self._join(length, layout, left_out, right_out)
        return outputs, [left_states, right_states]

    def _join(self, length: int, layout: str, left: Any, right: Any) -> list[Symbol]:
        lists = [
            list(
                symbol.SliceChannel(item, axis=layout.find("T"), num_outputs=length, squeeze_axis=1)
            )
            if isinstance(item, Symbol)
            else item
            for item in (left, right)
        ]
        return [
            symbol.concat(*pair, dim=1, name=f"{self._output_prefix}t{number}")
            for number, pair in enumerate(zip(lists[0], lists[1][::-1], strict=True))
        ]


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
                stacklevel=level_of_program(),
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


class ModifierCell(BaseRNNCell):
    """Base of cells that wrap another cell and use its variables and states.

    Args:
        base_cell: The wrapped cell, which must not be called directly any more.
    """

    def __init__(self, base_cell: BaseRNNCell) -> None:
        super().__init__()
        base_cell._modified = True
        self.base_cell = base_cell

    @contextmanager
    def _unlocked(self) -> Iterator[BaseRNNCell]:
        """Allows calls of the wrapped cell inside of the `with` block."""
        self.base_cell._modified = False
        try:
            yield self.base_cell
        finally:
            self.base_cell._modified = True

    @property
    def params(self) -> RNNParams:
        """Variables of the wrapped cell."""
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state of the wrapped cell."""
        return self.base_cell.state_info

    def begin_state(  # type: ignore[override]  # as the original has it
        self, init_sym: Callable[..., Symbol] = symbol.zeros, **kwargs: Any
    ) -> Any:
        """Makes the initial states of the wrapped cell."""
        self._check_not_modified()
        with self._unlocked() as cell:
            return cell.begin_state(func=init_sym, **kwargs)

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Splits the weights of the wrapped cell by gate."""
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Concatenates the weights of the gates of the wrapped cell."""
        return self.base_cell.pack_weights(args)


def _reads_backward(cell: BaseRNNCell) -> bool:
    if isinstance(cell, SequentialRNNCell):
        return any(map(_reads_backward, cell._cells))
    return isinstance(cell, BidirectionalCell)


class ZoneoutCell(ModifierCell):
    """Keeps random elements of the previous outputs and states, while training.

    Args:
        base_cell: The cell to change.
        zoneout_outputs: Part of the outputs to keep.
        zoneout_states: Part of the states to keep.
    """

    def __init__(
        self, base_cell: BaseRNNCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        if isinstance(base_cell, FusedRNNCell):
            raise CheckFailedError("ZoneoutCell: does not change a FusedRNNCell; unfuse it first")
        if _reads_backward(base_cell):
            raise CheckFailedError(
                "ZoneoutCell: a BidirectionalCell takes no single steps; put it on the cells inside"
            )
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states
        self.prev_output: Symbol | None = None

    def reset(self) -> None:
        """Forgets the output of the last step."""
        super().reset()
        self.prev_output = None

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        output, new_states = self.base_cell(inputs, states)
        if self.zoneout_outputs != 0:
            before = symbol.zeros((0, 0)) if self.prev_output is None else self.prev_output
            output = _keep_some(self.zoneout_outputs, output, before)
        if self.zoneout_states != 0:
            new_states = [
                _keep_some(self.zoneout_states, new, old)
                for new, old in zip(new_states, states, strict=True)
            ]
        self.prev_output = output
        return output, new_states


def _keep_some(part: float, new: Symbol, old: Symbol) -> Symbol:
    mask = symbol.Dropout(symbol.ones_like(new), p=part)
    kept: Symbol = symbol.where(mask, new, old)
    return kept


class ResidualCell(ModifierCell):
    """Adds the input to the output of a cell.

    Args:
        base_cell: The cell, whose output has the size of its input.
    """

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        output, new_states = self.base_cell(inputs, states)
        return _add(output, inputs), new_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Builds all steps of a sequence and adds the inputs to the outputs."""
        self.reset()
        with self._unlocked() as cell:
            outputs, states = cell.unroll(length, inputs, begin_state, layout, merge_outputs)
        if isinstance(outputs, Symbol):
            return _add(outputs, arrange_steps(length, inputs, layout, merge=True)), states
        steps = split_steps(length, inputs, layout)
        return [_add(*pair) for pair in zip(outputs, steps, strict=True)], states


def _add(output: Symbol, inputs: Any) -> Symbol:
    added: Symbol = symbol.elemwise_add(output, inputs, name=f"{output.name}_plus_residual")
    return added
