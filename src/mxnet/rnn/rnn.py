"""Checkpoints of recurrent networks, with the weights of each gate on their own."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mxnet import model, symbol
from mxnet._start import level_of_program
from mxnet.ndarray import NDArray
from mxnet.rnn._cells import Arrays, BaseRNNCell
from mxnet.symbol import Symbol

Cells: TypeAlias = "BaseRNNCell | Sequence[BaseRNNCell]"
Callback: TypeAlias = Callable[..., None]


def _as_list(cells: Cells) -> list[BaseRNNCell]:
    return [cells] if isinstance(cells, BaseRNNCell) else list(cells)


def save_rnn_checkpoint(
    cells: Cells,
    prefix: str | os.PathLike[str],
    epoch: int,
    symbol: Symbol | None,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """Saves a checkpoint as `mx.model.save_checkpoint` does, with unpacked weights.

    So networks of fused cells and of single cells can read each other's checkpoints.

    Args:
        cells: The cells of the network.
        prefix: Prefix of the names of the files.
        epoch: Number of the epoch.
        symbol: The network.
        arg_params: Parameters by name.
        aux_params: Auxiliary states by name.
    """
    values: Arrays = dict(arg_params)
    for cell in _as_list(cells):
        values = cell.unpack_weights(values)
    model.save_checkpoint(prefix, epoch, symbol, values, aux_params)


def load_rnn_checkpoint(
    cells: Cells, prefix: str | os.PathLike[str], epoch: int
) -> tuple[Symbol, Arrays, Arrays]:
    """Loads what `save_rnn_checkpoint` saved.

    Args:
        cells: The cells of the network, which pack the weights as they need them.
        prefix: Prefix of the names of the files.
        epoch: Number of the epoch.

    Returns:
        The network, its parameters and its auxiliary states.
    """
    network, values, states = model.load_checkpoint(prefix, epoch)
    for cell in _as_list(cells):
        values = cell.pack_weights(values)
    return network, values, states


def do_rnn_checkpoint(cells: Cells, prefix: str | os.PathLike[str], period: int = 1) -> Callback:
    """Makes a callback that saves a checkpoint after every few epochs.

    Args:
        cells: The cells of the network.
        prefix: Prefix of the names of the files.
        period: Number of epochs between checkpoints.
    """
    period = max(1, int(period))

    def callback(iter_no: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (iter_no + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, iter_no + 1, sym, arg, aux)

    return callback


def rnn_unroll(
    cell: BaseRNNCell,
    length: int,
    inputs: Any = None,
    begin_state: Any = None,
    input_prefix: str = "",
    layout: str = "NTC",
) -> tuple[Any, Any]:
    """Builds all steps of a sequence; deprecated in favour of `cell.unroll`.

    Args:
        cell: The cell.
        length: Number of steps.
        inputs: The sequence, by default a variable for each step.
        begin_state: First states.
        input_prefix: Prefix of the names of these variables.
        layout: Axes of a sequence in one symbol.
    """
    warnings.warn(
        "rnn_unroll: call unroll of the cell instead", UserWarning, stacklevel=level_of_program()
    )
    if inputs is None:
        inputs = [symbol.var(f"{input_prefix}t{number}_data") for number in range(length)]
    return cell.unroll(length, inputs=inputs, begin_state=begin_state, layout=layout)
