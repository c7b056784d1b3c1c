"""Cells that change the outputs of other cells: zoneout and residual connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mxnet import symbol
from mxnet.errors import CheckFailedError
from mxnet.ndarray import NDArray
from mxnet.rnn._base import Arrays, BaseRNNCell, RNNParams, arrange_steps, split_steps
from mxnet.rnn._containers import BidirectionalCell, SequentialRNNCell
from mxnet.rnn._fused import FusedRNNCell
from mxnet.symbol import Symbol


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
