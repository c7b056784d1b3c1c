"""Cells made of cells: stacked ones, and one for each direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet import symbol
from mxnet.errors import CheckFailedError
from mxnet.ndarray import NDArray
from mxnet.rnn._base import Arrays, BaseRNNCell, RNNParams, split_steps
from mxnet.symbol import Symbol


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
