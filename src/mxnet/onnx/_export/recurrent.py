"""Recurrent networks of several layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._table import Attrs, NotExportableError, Out, converts
from mxnet.ops.nn.rnn import Plan, parameter_shapes


class _Cell(NamedTuple):
    """How ONNX has a kind of cell.

    Attributes:
        op_type: Its operator.
        gates: Where each of ONNX's gates stands among ours.
        options: Attributes of the operator.
    """

    op_type: str
    gates: tuple[int, ...]
    options: dict[str, Any]


_CELLS = {
    "lstm": _Cell("LSTM", (0, 3, 1, 2), {}),
    "gru": _Cell("GRU", (1, 0, 2), {"linear_before_reset": 1}),
    "rnn_tanh": _Cell("RNN", (0,), {"activations": ["Tanh"]}),
    "rnn_relu": _Cell("RNN", (0,), {"activations": ["Relu"]}),
}


@converts("RNN")
def _rnn(
    b: Builder,
    data: Value,
    parameters: Value,
    state: Value,
    state_cell: Value | None,
    sequence_length: Value | None,
    *,
    attrs: Attrs,
    out: Out,
) -> list[Value]:
    _check(attrs.projection_size, attrs.lstm_state_clip_min, attrs.lstm_state_clip_max)
    plan = Plan(attrs.mode, attrs.state_size, attrs.num_layers, 1 + attrs.bidirectional, None)
    cells = _unpack(b, parameters, plan, data.length(2))
    lengths = None
    if attrs.use_sequence_length and sequence_length is not None:
        lengths = b.cast(sequence_length, "int32")
    batch = b.lengths(data, [1])
    states = [
        _split_state(b, item, plan, batch) for item in (state, state_cell) if item is not None
    ]
    finals: list[list[Value]] = []
    for layer in range(attrs.num_layers):
        part = slice(layer * plan.directions, (layer + 1) * plan.directions)
        data, *final = _layer(b, data, cells[part], [item[layer] for item in states], lengths, plan)
        finals.append(final)
    joined = [b.concat(list(items), 0) for items in zip(*finals, strict=True)]
    return [data, *joined][: len(out.shapes)]


def _check(projection: int | None, low: float | None, high: float | None) -> None:
    if projection:
        raise NotExportableError("ONNX has no LSTM with projection; leave projection_size out")
    if low is not None or high is not None:
        raise NotExportableError("ONNX's LSTM does not clip its cell state; leave the limits out")


def _unpack(b: Builder, parameters: Value, plan: Plan, input_size: int) -> list[list[Value]]:
    """Cuts the vector into weights and biases of each layer and direction."""
    weights, biases = parameter_shapes(plan, input_size)
    order, place = _CELLS[plan.mode].gates, 0
    pieces = []
    for shape in (*weights, *biases):
        size = int(np.prod(shape))
        pieces.append(_piece(b, parameters, place, shape, order))
        place += size
    matrices, vectors = pieces[: len(weights)], pieces[len(weights) :]
    return [
        [*matrices[2 * cell : 2 * cell + 2], *vectors[2 * cell : 2 * cell + 2]]
        for cell in range(plan.num_layers * plan.directions)
    ]


def _piece(
    b: Builder, parameters: Value, place: int, shape: Sequence[int], order: Sequence[int]
) -> Value:
    """Returns a weight or bias with its gates in ONNX's order."""
    size, rows = int(np.prod(shape)), shape[0] // len(order)
    indices = np.concatenate([np.arange(gate * rows, (gate + 1) * rows) for gate in order])
    if parameters.array is not None:
        flat = parameters.array.reshape(-1)[place : place + size]
        return b.parameter(b.new_name("weight"), flat.reshape(shape)[indices])
    flat_part = b.slice(parameters, [place], [place + size], [0])
    return b.gather(b.reshape(flat_part, list(shape)), b.ints(indices.tolist()), 0)


def _split_state(b: Builder, state: Value, plan: Plan, batch: Value) -> list[Value]:
    """Cuts a first state into those of the layers; one without a batch is repeated."""
    sizes = b.concat([b.ints([plan.num_layers * plan.directions]), batch, b.ints([1])], 0)
    whole = b.op("Expand", state, sizes)
    return b.split(whole, [plan.directions] * plan.num_layers, 0)


def _layer(
    b: Builder,
    data: Value,
    cells: Sequence[Sequence[Value]],
    states: Sequence[Value],
    lengths: Value | None,
    plan: Plan,
) -> list[Value]:
    """Writes one layer.

    Returns:
        Its output of shape `(time, batch, directions * size)`, and the last states.
    """
    cell = _CELLS[plan.mode]
    weights, recurrences = (
        b.concat([b.unsqueeze(item[index], [0]) for item in cells], 0) for index in (0, 1)
    )
    biases = b.concat([b.unsqueeze(b.concat([item[2], item[3]], 0), [0]) for item in cells], 0)
    options = dict(cell.options)
    if "activations" in options:
        options["activations"] = cell.options["activations"] * plan.directions
    output, *finals = b.ops(
        cell.op_type,
        data,
        weights,
        recurrences,
        biases,
        lengths,
        *states,
        dtypes=[None] * (1 + len(states)),
        hidden_size=plan.state_size,
        direction="bidirectional" if plan.directions == 2 else "forward",
        **options,
    )
    if plan.directions == 1:
        return [b.squeeze(output, [1]), *finals]
    swapped = b.transpose(output, [0, 2, 1, 3])
    return [b.reshape(swapped, (0, 0, 2 * plan.state_size)), *finals]
