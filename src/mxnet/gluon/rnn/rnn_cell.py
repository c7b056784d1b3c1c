"""Recurrent cells: those that change what another cell does, and those made of several others.

The cells with weights of their own are in `_cells`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

from mxnet import ndarray as nd
from mxnet._start import publish_classes
from mxnet.errors import ArgumentValueError, InvalidArgumentError, UndefinedMethodError
from mxnet.gluon.block import Block
from mxnet.gluon.hybrid.deferred import ShapeProbe
from mxnet.gluon.parameters import ParameterDict
from mxnet.gluon.rnn._cells import GRUCell as GRUCell
from mxnet.gluon.rnn._cells import LSTMCell as LSTMCell
from mxnet.gluon.rnn._cells import RNNCell as RNNCell
from mxnet.gluon.rnn._cells import gru_update as gru_update
from mxnet.gluon.rnn._cells import lstm_update as lstm_update
from mxnet.gluon.rnn._recurrent_cell import HybridRecurrentCell as HybridRecurrentCell
from mxnet.gluon.rnn._recurrent_cell import RecurrentCell as RecurrentCell
from mxnet.gluon.rnn._recurrent_cell import StateInfo
from mxnet.gluon.rnn._recurrent_cell import begin_state_of as _get_begin_state
from mxnet.gluon.rnn._recurrent_cell import format_sequence as _format_sequence
from mxnet.gluon.rnn._recurrent_cell import mask_steps as _mask_sequence_variable_length
from mxnet.gluon.rnn._recurrent_cell import reverse_steps as _reverse_sequences
from mxnet.gluon.utils import _indent

publish_classes(globals())


def _cells_state_info(cells: Sequence[RecurrentCell], batch_size: int) -> StateInfo:
    """Describes the states of several cells, one after the other."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _cells_begin_state(cells: Sequence[RecurrentCell], **kwargs: Any) -> list[Any]:
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

    def _mx_take_features(self, place: int, sequence: Any, is_both_ways: bool) -> None:
        del place  # cells have their own
        below_is_wide = is_both_ways and not isinstance(
            self, HybridRecurrentCell
        )  # as the original has it
        for number, cell in enumerate(self._cells):
            cell.infer_shape(number, sequence, below_is_wide)

    def __len__(self) -> int:
        return len(self._children)

    def __getitem__(self, index: int) -> Any:
        return self._cells[index]

    def __repr__(self) -> str:
        lines = [f"({key}): {_indent(repr(cell))}" for key, cell in self._children.items()]
        return f"{type(self).__name__}(\n" + "\n".join(lines) + "\n)"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states of all cells."""
        return _cells_state_info(self._cells, batch_size)

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]  # as the original
        """Makes the initial states of all cells."""
        self._check_not_modified()
        return _cells_begin_state(self._cells, **kwargs)

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
        sequence, _, functions, batch_size = _format_sequence(length, inputs, layout, None)
        states = _get_begin_state(self, functions, begin_state, sequence, batch_size)
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

    def _mx_take_features(self, place: int, sequence: Any, is_both_ways: bool) -> None:
        del is_both_ways  # which these cells are
        super()._mx_take_features(place, sequence, True)

    def __repr__(self) -> str:
        left, right = self._cells
        return f"{type(self).__name__}(forward={left}, backward={right})"

    def __call__(self, *args: Any) -> Any:
        """Raises, because the second direction begins at the end of the sequence."""
        del args
        raise UndefinedMethodError("BidirectionalCell cannot be stepped: use unroll")

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states of both cells."""
        return _cells_state_info(self._cells, batch_size)

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]  # as the original
        """Makes the initial states of both cells."""
        self._check_not_modified()
        return _cells_begin_state(self._cells, **kwargs)

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
        steps, axis, functions, batch_size = _format_sequence(length, inputs, layout, False)
        states = _get_begin_state(self, functions, begin_state, steps, batch_size)
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
        backwards = _reverse_sequences(steps, length, valid_length)
        right_outputs, right_states = right.unroll(
            length, backwards, states[count:], layout, False, valid_length
        )
        merge = not isinstance(left_outputs, list) if merge_outputs is None else merge_outputs
        turned = _reverse_sequences(right_outputs, length, valid_length)
        outputs = self._join(functions, left_outputs, turned, axis, merge)
        if valid_length is not None:
            outputs = _mask_sequence_variable_length(
                functions, outputs, length, valid_length, axis, merge
            )
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


class DropoutCell(HybridRecurrentCell):
    """Drops a share of its inputs in training; it has no states.

    Args:
        rate: Share that is dropped.
        axes: Axes along which one mask is shared.
        prefix: Prefix of the names inside.
        params: Parameters to share.

    Shapes:
        Input and output have the same shape.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.DropoutCell(0.5)
        >>> with mx.autograd.train_mode():
        ...     output, states = cell(mx.nd.ones((2, 50)), [])
        >>> sorted(set(output.reshape(-1).asnumpy().tolist())), states
        ([0.0, 2.0], [])
    """

    def __init__(
        self,
        rate: float,
        axes: Sequence[int] = (),
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        given: object = rate
        if not isinstance(given, Real):
            raise InvalidArgumentError(f"DropoutCell: rate must be a number, got {rate!r}")
        self._rate = rate
        self._axes = axes

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"

    def _alias(self) -> str:
        return "dropout"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Returns an empty list: there are no states."""
        del batch_size
        return []

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Computes one step."""
        if self._rate > 0:
            inputs = F.Dropout(inputs, p=self._rate, axes=self._axes, name=self._mx_step("fwd"))
        return inputs, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """Applies dropout to a sequence, at once if it is one array."""
        del valid_length  # dropout beyond it does no harm
        self.reset()
        sequence, _, functions, _ = _format_sequence(length, inputs, layout, merge_outputs)
        if isinstance(sequence, list):
            return super().unroll(
                length, sequence, begin_state, layout, merge_outputs, valid_length=None
            )
        return self.hybrid_forward(functions, sequence, begin_state or [])


class ModifierCell(HybridRecurrentCell):
    """Base of cells that wrap another one and use its parameters.

    Args:
        base_cell: The other cell, which must no longer be called by itself.

    Shapes:
        Those of the other cell.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> class Doubled(rnn.ModifierCell):
        ...     def hybrid_forward(self, F, inputs, states):
        ...         output, states = self.base_cell(inputs, states)
        ...         return 2 * output, states
        >>> cell = Doubled(rnn.RNNCell(4))
        >>> cell.initialize()
        >>> cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))[0].shape
        (2, 4)
    """

    def __init__(self, base_cell: RecurrentCell) -> None:
        base_cell._modified = True
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell})"

    @property
    def params(self) -> ParameterDict:
        """Parameters of the base cell."""
        return self.base_cell.params

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states of the base cell."""
        return self.base_cell.state_info(batch_size)

    def begin_state(  # type: ignore[override]  # as the original
        self, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """Makes the initial states of the base cell."""
        self._check_not_modified()
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func=func, **kwargs)
        finally:
            self.base_cell._modified = True

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """Computes one step; subclasses define it."""
        del F, inputs, states
        raise UndefinedMethodError(f"{type(self).__name__} does not define hybrid_forward")


def contains_bidirectional(cell: Any) -> bool:
    """Returns whether a cell holds a bidirectional one, and so cannot run single steps."""
    if isinstance(cell, BidirectionalCell):
        return True
    return isinstance(cell, RecurrentCell) and any(
        contains_bidirectional(child) for child in cell._children.values()
    )


class ZoneoutCell(ModifierCell):
    """Keeps a random share of the previous outputs and states, in training.

    Args:
        base_cell: The cell.
        zoneout_outputs: Share of outputs that stay as they were.
        zoneout_states: Share of states that stay as they were.

    Shapes:
        Those of the cell.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.ZoneoutCell(rnn.RNNCell(4), zoneout_states=0.5)
        >>> cell.initialize()
        >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
        >>> output.shape, states[0].shape
        ((2, 4), (2, 4))
    """

    def __init__(
        self, base_cell: RecurrentCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        if contains_bidirectional(base_cell):
            raise InvalidArgumentError(
                "ZoneoutCell: a BidirectionalCell has no steps; put a ZoneoutCell around each of "
                "its cells instead"
            )
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states
        self._prev_output: Any = None

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(p_out={self.zoneout_outputs}, "
            f"p_state={self.zoneout_states}, {self.base_cell})"
        )

    def _alias(self) -> str:
        return "zoneout"

    def reset(self) -> None:
        """Forgets the last output."""
        super().reset()
        self._prev_output = None

    def _mx_remembers(self) -> bool:
        return bool(self.zoneout_outputs) or super()._mx_remembers()

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Computes one step."""
        output, new_states = self.base_cell(inputs, states)

        def zone_out(share: float, new: Any, old: Any) -> Any:
            # Dropout scales the elements it keeps; any nonzero value counts as true.
            return F.where(F.Dropout(F.ones_like(new), p=share), new, old)

        if self.zoneout_outputs:
            before = self._prev_output
            output = zone_out(
                self.zoneout_outputs, output, F.zeros_like(output) if before is None else before
            )
        if self.zoneout_states:
            new_states = [
                zone_out(self.zoneout_states, new, old)
                for new, old in zip(new_states, states, strict=True)
            ]
        if not isinstance(F, ShapeProbe):
            self._prev_output = output
        return output, new_states


class ResidualCell(ModifierCell):
    """Adds the input of a cell to its output.

    Args:
        base_cell: The cell; its output has the size of its input.

    Shapes:
        Those of the cell, whose output and input have one size.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.ResidualCell(rnn.RNNCell(3))
        >>> cell.initialize("zeros")
        >>> output, states = cell(mx.nd.ones((1, 3)), cell.begin_state(batch_size=1))
        >>> print(output.asnumpy())
        [[1. 1. 1.]]
    """

    def __init__(self, base_cell: RecurrentCell) -> None:
        super().__init__(base_cell)

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Computes one step."""
        output, states = self.base_cell(inputs, states)
        return F.elemwise_add(output, inputs, name=self._mx_step("fwd")), states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """Runs the cell over a sequence and adds the inputs to the outputs."""
        self.reset()
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(
                length, inputs, begin_state, layout, merge_outputs, valid_length
            )
        finally:
            self.base_cell._modified = True
        merge = not isinstance(outputs, list) if merge_outputs is None else merge_outputs
        added, axis, functions, _ = _format_sequence(length, inputs, layout, merge)
        if valid_length is not None:
            added = _mask_sequence_variable_length(
                functions, added, length, valid_length, axis, merge
            )
        if merge:
            return functions.elemwise_add(outputs, added), states
        return [
            functions.elemwise_add(one, other) for one, other in zip(outputs, added, strict=True)
        ], states


def dynamic_unroll(
    cell: RecurrentCell,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: Any = None,
) -> tuple[Any, list[Any]]:
    """Runs a cell over sequences of any length.

    Args:
        cell: The cell.
        inputs: One array with a time axis.
        begin_state: First states.
        drop_inputs: Share of the inputs that is dropped in training, the same in all steps.
        drop_outputs: Share of the outputs that is dropped in training, the same in all steps.
        layout: Axes of inputs and outputs, `"TNC"` or `"NTC"`.
        valid_length: Length of each sequence, of shape `(batch,)`.

    Returns:
        Outputs of all steps as one array, and the last states.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> cell = rnn.GRUCell(4)
        >>> cell.initialize()
        >>> x, begin = mx.nd.ones((3, 2, 5)), cell.begin_state(batch_size=2)
        >>> outputs, states = rnn.rnn_cell.dynamic_unroll(cell, x, begin)
        >>> outputs.shape
        (3, 2, 4)
    """
    sequence, axis, functions, _ = _format_sequence(None, inputs, layout, True)
    if drop_inputs:
        sequence = functions.Dropout(sequence, p=drop_inputs, axes=(axis,))
    outputs, states = cell.unroll(
        sequence.shape[axis],
        sequence,
        begin_state,
        layout,
        merge_outputs=True,
        valid_length=valid_length,
    )
    if drop_outputs:
        outputs = functions.Dropout(outputs, p=drop_outputs, axes=(axis,))
    return outputs, states
