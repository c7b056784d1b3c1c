"""Cells made of several others: stacked, or run in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.errors import ArgumentValueError, InvalidArgumentError, UndefinedMethodError
from mxnet.gluon.block import Block
from mxnet.gluon.parameters import ParameterDict
from mxnet.gluon.rnn._recurrent_cell import HybridRecurrentCell, RecurrentCell, StateInfo
from mxnet.gluon.rnn._sequence import begin_state_of, format_sequence, mask_steps, reverse_steps
from mxnet.gluon.utils import _indent


def states_of(cells: Sequence[RecurrentCell], batch_size: int) -> StateInfo:
    """Describes the states of several cells, one after the other."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def begin_states_of(cells: Sequence[RecurrentCell], **kwargs: Any) -> list[Any]:
    """Makes the first states of several cells, one after the other."""
    return [state for cell in cells for state in cell.begin_state(**kwargs)]


class _Stack(RecurrentCell):
    """Base of stacks of cells, hybrid or not."""

    @property
    def _cells(self) -> list[Any]:
        return list(self._children.values())

    def add(self, cell: RecurrentCell) -> None:
        """Puts a cell on top."""
        self.register_child(cell)

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Makes a cell part of the stack."""
        if not isinstance(block, RecurrentCell):
            raise ArgumentValueError(
                f"{type(self).__name__}: a stack of cells takes recurrent cells, "
                f"got {type(block).__name__}"
            )
        super().register_child(block, name)

    def __len__(self) -> int:
        return len(self._children)

    def __getitem__(self, index: int) -> Any:
        return self._cells[index]

    def __repr__(self) -> str:
        lines = [f"({key}): {_indent(repr(cell))}" for key, cell in self._children.items()]
        return f"{type(self).__name__}(\n" + "\n".join(lines) + "\n)"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states of all cells."""
        return states_of(self._cells, batch_size)

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]  # as the original
        """Makes the initial states of all cells."""
        self._check_not_modified()
        return begin_states_of(self._cells, **kwargs)

    def _run(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Runs one step of all cells."""
        next_states: list[Any] = []
        position = 0
        for cell in self._cells:
            count = len(cell.state_info())
            inputs, new = cell(inputs, states[position : position + count])
            position += count
            next_states.extend(new)
        return inputs, next_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """Runs each cell over the whole sequence before the next cell."""
        self.reset()
        sequence, _, functions, batch_size = format_sequence(length, inputs, layout, None)
        states = begin_state_of(self, functions, begin_state, sequence, batch_size)
        last_states: list[Any] = []
        position = 0
        for number, cell in enumerate(self._cells, 1):
            count = len(cell.state_info())
            sequence, new = cell.unroll(
                length,
                inputs=sequence,
                begin_state=states[position : position + count],
                layout=layout,
                merge_outputs=merge_outputs if number == len(self) else None,
                valid_length=valid_length,
            )
            position += count
            last_states.extend(new)
        return sequence, last_states


class SequentialRNNCell(_Stack):
    """A stack of cells, each of which reads the output of the one below.

    Args:
        prefix: Prefix of the names of parameters.
        params: Parameters to share.

    Shapes:
        Input that of the first cell, output that of the last, states those of all cells in a list.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.SequentialRNNCell()
        >>> cell.add(rnn.LSTMCell(4))
        >>> cell.add(rnn.GRUCell(6))
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 6), [(2, 4), (2, 4), (2, 6)])
    """

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def forward(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Computes one step of all cells."""
        self._counter += 1
        return self._run(inputs, states)

    def hybrid_forward(self, *args: Any, **kwargs: Any) -> Any:
        """Raises, as the cells of this stack need not be hybrid; `forward` is what runs."""
        del args, kwargs
        raise UndefinedMethodError(f"{type(self).__name__}: has no hybrid_forward; call the cell")


class HybridSequentialRNNCell(_Stack, HybridRecurrentCell):
    """A stack of hybrid cells, each of which reads the output of the one below.

    Args:
        prefix: Prefix of the names of parameters.
        params: Parameters to share.

    Shapes:
        Input that of the first cell, output that of the last, states those of all cells in a list.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.HybridSequentialRNNCell()
        >>> cell.add(rnn.LSTMCell(4))
        >>> cell.add(rnn.GRUCell(6))
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 6), [(2, 4), (2, 4), (2, 6)])
    """

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Computes one step of all cells."""
        del F
        return self._run(inputs, states)


class BidirectionalCell(HybridRecurrentCell):
    """Two cells, one of which reads the sequence backwards; their outputs are concatenated.

    It can be unrolled, but not called for single steps.

    Args:
        l_cell: Cell that reads forwards.
        r_cell: Cell that reads backwards.
        output_prefix: Prefix of the names of outputs in graphs.

    Shapes:
        Sequence `(N, T, input_size)`, outputs `(N, T, l_size + r_size)` in the layout `"NTC"`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.BidirectionalCell(rnn.LSTMCell(4), rnn.LSTMCell(4))
        >>> cell.initialize()
        >>> outputs, states = cell.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
        >>> outputs.shape, len(states)
        ((2, 5, 8), 4)
    """

    def __init__(
        self, l_cell: RecurrentCell, r_cell: RecurrentCell, output_prefix: str = "bi_"
    ) -> None:
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    @property
    def _cells(self) -> list[Any]:
        return [self._children["l_cell"], self._children["r_cell"]]

    def __repr__(self) -> str:
        left, right = self._cells
        return f"{type(self).__name__}(forward={left}, backward={right})"

    def __call__(self, *args: Any) -> Any:
        """Raises, because the second direction begins at the end of the sequence."""
        del args
        raise UndefinedMethodError("BidirectionalCell cannot be stepped: use unroll")

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states of both cells."""
        return states_of(self._cells, batch_size)

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]  # as the original
        """Makes the initial states of both cells."""
        self._check_not_modified()
        return begin_states_of(self._cells, **kwargs)

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """Runs both cells over a sequence, one of them backwards."""
        self.reset()
        steps, axis, functions, batch_size = format_sequence(length, inputs, layout, False)
        states = begin_state_of(self, functions, begin_state, steps, batch_size)
        left, right = self._cells
        count = len(left.state_info(batch_size))
        if len(states) != len(self.state_info(batch_size)):
            raise InvalidArgumentError(
                f"BidirectionalCell: expected {len(self.state_info(batch_size))} states, "
                f"got {len(states)}"
            )
        left_outputs, left_states = left.unroll(
            length, steps, states[:count], layout, merge_outputs, valid_length
        )
        backwards = reverse_steps(steps, length, valid_length)
        right_outputs, right_states = right.unroll(
            length, backwards, states[count:], layout, False, valid_length
        )
        merge = not isinstance(left_outputs, list) if merge_outputs is None else merge_outputs
        turned = reverse_steps(right_outputs, length, valid_length)
        outputs = self._join(functions, left_outputs, turned, axis, merge)
        if valid_length is not None:
            outputs = mask_steps(functions, outputs, length, valid_length, axis, merge)
        return outputs, [*left_states, *right_states]

    def _join(self, F: Any, left: Any, right: list[Any], axis: int, merge: bool) -> Any:
        """Concatenates the outputs of both directions."""
        if merge:
            stacked = F.stack(*right, axis=axis)
            return F.concat(left, stacked, dim=2, name=f"{self._output_prefix}out")
        return [
            F.concat(one, other, dim=1, name=f"{self._output_prefix}t{step}")
            for step, (one, other) in enumerate(zip(left, right, strict=True))
        ]
