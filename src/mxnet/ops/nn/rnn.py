"""Recurrent networks of several layers, with all parameters in one vector."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial
from math import prod
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from mxnet import limits
from mxnet._state import drawing
from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.attrs import Count, Shape, Share
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import clamp
from mxnet.ops.core.traits import OPAQUE, Labels, Shapes, Traits, Types
from mxnet.ops.nn._recurrence import is_recorded_on_host, run_layer
from mxnet.ops.nn.activation import drop
from mxnet.ops.nn.layouts import require_floating, require_input, require_shape
from mxnet.ops.rules import flops, quantizing, shape_rules

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}

_FUSED: dict[str, Callable[..., tuple[Tensor, ...]]] = {
    "rnn_relu": torch.rnn_relu,
    "rnn_tanh": torch.rnn_tanh,
    "lstm": torch.lstm,
    "gru": torch.gru,
}


class Plan(NamedTuple):
    """What a call computes, apart from its arrays."""

    mode: str
    state_size: int
    num_layers: int
    directions: int
    projection_size: int | None

    @property
    def output_size(self) -> int:
        """Size of what each direction of a layer gives to the next."""
        return self.projection_size or self.state_size


class _Clip(NamedTuple):
    """Bounds of the cell state of an LSTM."""

    low: float | None
    high: float | None
    stops_nan: bool

    def __call__(self, cell: Tensor) -> Tensor:
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if not self.stops_nan:
            return clamp(cell, low, high)
        # NaN is neither below nor above a limit, and becomes the first that there is
        if self.high is not None:
            cell = torch.where(cell <= high, cell, high)
        return cell if self.low is None else torch.where(cell >= low, cell, low)


def _cell_shapes(plan: Plan, columns: int) -> list[Shape]:
    """Shapes of the weights of one direction of a layer whose input has so many columns."""
    rows = _GATES[plan.mode] * plan.state_size
    shapes: list[Shape] = [(rows, columns), (rows, plan.output_size)]
    return [*shapes, (plan.projection_size, plan.state_size)] if plan.projection_size else shapes


def _count_parameters(plan: Plan, input_size: int) -> int:
    """Counts the elements of the vector, without going through the layers."""
    first = sum(map(prod, _cell_shapes(plan, input_size)))
    later = sum(map(prod, _cell_shapes(plan, plan.directions * plan.output_size)))
    biases = 2 * _GATES[plan.mode] * plan.state_size * plan.num_layers
    return plan.directions * (first + (plan.num_layers - 1) * later + biases)


@lru_cache(maxsize=32)  # a function of its arguments, so that nothing invalidates it
def parameter_shapes(plan: Plan, input_size: int) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """Returns the shapes of the weights and of the biases, in the order of the vector."""
    first = _cell_shapes(plan, input_size) * plan.directions
    later = _cell_shapes(plan, plan.directions * plan.output_size) * plan.directions
    bias = (_GATES[plan.mode] * plan.state_size,)
    weights = first + later * (plan.num_layers - 1)
    return tuple(weights), (bias,) * (2 * plan.num_layers * plan.directions)


def _unpack(parameters: Tensor, plan: Plan, input_size: int) -> list[list[Tensor]]:
    """Views of the vector for each layer and direction, in the order that torch takes.

    One split, and not a slice for each: its gradient is one concatenation.
    """
    weights, biases = parameter_shapes(plan, input_size)
    sizes = [prod(shape) for shape in (*weights, *biases)]
    pieces = torch.split_with_sizes(parameters, sizes)
    matrices = [piece.view(shape) for piece, shape in zip(pieces, weights, strict=False)]
    vectors = pieces[len(weights) :]
    width = 3 if plan.projection_size else 2
    return [
        [
            *matrices[width * cell : width * cell + 2],
            *vectors[2 * cell : 2 * cell + 2],
            *matrices[width * cell + 2 : width * (cell + 1)],
        ]
        for cell in range(plan.num_layers * plan.directions)
    ]


def _project(*arguments: Any) -> tuple[Tensor, ...]:
    """Runs an LSTM with projection, of which torch says once that oneDNN does not have it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "LSTM with projections", UserWarning)
        return torch.lstm(*arguments)


def _fused(
    data: Tensor,
    cells: Sequence[list[Tensor]],
    states: tuple[Tensor, ...],
    plan: Plan,
    lengths: Tensor | None,
    dropout: float,
) -> tuple[Tensor, ...]:
    """Runs torch's fused kernel; with lengths on packed data, which needs them on the host."""
    weights = [tensor for cell in cells for tensor in cell]
    run = partial(_run_kernel, weights=weights, plan=plan, dropout=dropout)
    if lengths is None:
        return run(data, None, states)
    packed = pack_padded_sequence(data, lengths.to("cpu", torch.int64), enforce_sorted=False)
    order, back = packed.sorted_indices, packed.unsorted_indices
    ordered = tuple(state[:, order] for state in states)
    output, *finals = run(packed.data, packed.batch_sizes, ordered)
    padded, _ = pad_packed_sequence(
        PackedSequence(output, packed.batch_sizes, order, back), total_length=data.shape[0]
    )
    return padded, *(final[:, back] for final in finals)


def _run_kernel(
    data: Tensor,
    batch_sizes: Tensor | None,
    states: tuple[Tensor, ...],
    weights: list[Tensor],
    plan: Plan,
    dropout: float,
) -> tuple[Tensor, ...]:
    """Runs the fused kernel on padded data, or on packed data with the sizes of its batches."""
    if dropout and data.is_cuda:
        from mxnet.ops.nn import cudnn_rnn  # noqa: PLC0415 - on GPUs only

        vector = cudnn_rnn.find_vector(data, weights)
        if vector is not None:
            return cudnn_rnn.run(data, batch_sizes, states, weights, vector, plan, dropout)
    function = _FUSED[plan.mode] if plan.projection_size is None else _project
    per_cell = 5 if plan.projection_size else 4
    layers = len(weights) // (per_cell * plan.directions)  # of a part of the plan, perhaps
    # cuDNN runs backward only what ran forward for training
    train = dropout > 0 or any([t.requires_grad for t in (data, *states, *weights)])
    start = states if plan.mode == "lstm" else states[0]
    options = (True, layers, dropout, train, plan.directions == 2)
    if batch_sizes is None:
        return function(data, start, weights, *options, False)
    return function(data, batch_sizes, start, weights, *options)


def _clipped_direction(
    data: Tensor,
    cell: list[Tensor],
    states: list[Tensor],
    valid: Tensor | None,
    clip: _Clip,
    back: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Runs one direction of one layer of an LSTM step by step, as its cell state is clipped."""
    to_gates, from_hidden, bias, hidden_bias, *projection = cell
    gates = torch.nn.functional.linear(data, to_gates, bias + hidden_bias)
    hidden, memory = states
    outputs: list[Tensor] = []
    steps = range(data.shape[0])
    for step in reversed(steps) if back else steps:
        enter, forget, fresh, leave = (gates[step] + hidden @ from_hidden.T).chunk(4, 1)
        new_memory = clip(forget.sigmoid() * memory + enter.sigmoid() * fresh.tanh())
        new_hidden = leave.sigmoid() * new_memory.tanh()
        if projection:
            new_hidden = new_hidden @ projection[0].T
        if valid is None:
            hidden, memory = new_hidden, new_memory
            outputs.append(hidden)
        else:
            hidden = torch.where(valid[step], new_hidden, hidden)
            memory = torch.where(valid[step], new_memory, memory)
            outputs.append(new_hidden.masked_fill(~valid[step], 0))
    return torch.stack(outputs[::-1] if back else outputs), hidden, memory


def _clipped_layer(
    data: Tensor,
    cells: Sequence[list[Tensor]],
    states: tuple[Tensor, ...],
    lengths: Tensor | None,
    clip: _Clip,
) -> tuple[Tensor, ...]:
    valid = None
    if lengths is not None:
        steps = torch.arange(data.shape[0], device=data.device)
        valid = (steps.unsqueeze(1) < lengths).unsqueeze(2)
    runs = [
        _clipped_direction(data, cell, [state[index] for state in states], valid, clip, index == 1)
        for index, cell in enumerate(cells)
    ]
    outputs, hiddens, memories = zip(*runs, strict=True)
    return torch.cat(outputs, 2), torch.stack(hiddens), torch.stack(memories)


def _layer_by_layer(
    data: Tensor,
    cells: Sequence[list[Tensor]],
    states: tuple[Tensor, ...],
    run: Callable[..., tuple[Tensor, ...]],
    plan: Plan,
    dropout: Callable[[Tensor], Tensor] | None,
) -> tuple[Tensor, ...]:
    """Runs layers one at a time, where something happens that the fused kernel does not know."""
    finals = []
    for layer in range(plan.num_layers):
        part = slice(layer * plan.directions, (layer + 1) * plan.directions)
        if layer and dropout is not None:
            data = dropout(data)
        data, *final = run(data, cells[part], tuple(state[part] for state in states))
        finals.append(final)
    return data, *(torch.cat(final) for final in zip(*finals, strict=True))


def _rnn_inputs(*, mode: str, use_sequence_length: bool, **_: object) -> tuple[str, ...]:
    cell = ("state_cell",) if mode == "lstm" else ()
    length = ("sequence_length",) if use_sequence_length else ()
    return ("data", "parameters", "state", *cell, *length)


def _rnn_outputs(*, mode: str, state_outputs: bool, **_: object) -> int:
    return 1 + state_outputs + (state_outputs and mode == "lstm")


def _rnn_output_names(**attrs: Any) -> tuple[str, ...]:
    return ("output", "state_output", "statecell_output")[: _rnn_outputs(**attrs)]


def fill_rnn(
    data: Shape,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool,
    mode: str,
    projection_size: int | None,
    **_: object,
) -> dict[str, Shape]:
    """Returns the shapes of parameters, states and lengths, from that of the data."""
    plan = Plan(mode, state_size, num_layers, 1 + bidirectional, projection_size)
    cells = num_layers * plan.directions
    return {
        "parameters": (_count_parameters(plan, data[2]),),
        "state": (cells, data[1], plan.output_size),
        "state_cell": (cells, data[1], state_size),
        "sequence_length": (data[1],),
    }


@op(
    "RNN",
    aliases=("_npx_rnn",),
    any_dtype=("sequence_length",),
    fill_shapes=fill_rnn,
    active_inputs=_rnn_inputs,
    num_outputs=_rnn_outputs,
    traits=Traits(
        shapes=Shapes(early=shape_rules.recurrent),
        types=Types(assumed=("sequence_length",)),
        labels=Labels(outputs=_rnn_output_names, names_outputs=True),
        fusion=OPAQUE,  # a compiler unrolls it, and cuDNN's kernels are gone
        draws_seldom=True,
        flops=flops.recurrent,
        quantization=quantizing.RECURRENT,
    ),
)
def rnn(
    data: Tensor,
    parameters: Tensor,
    state: Tensor,
    state_cell: Tensor | None = None,
    sequence_length: Tensor | None = None,
    *,
    state_size: Count,
    num_layers: Count,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"],
    p: Share = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    training: bool,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, ...]:
    """Runs a recurrent network of one or more layers over a batch of sequences.

    Args:
        data: Sequences of shape `(time, batch, input)`.
        parameters: All weights, then all biases, in one vector: layer by layer and, within a layer,
            direction by direction; of each first input to hidden, then hidden to hidden, then the
            projection. The gates of an LSTM are in the order input, forget, cell, output, those of
            a GRU reset, update, new.
        state: First hidden state, of shape `(layers * directions, batch, state_size)`.
        state_cell: First cell state of an LSTM, of the same shape.
        sequence_length: Length of each sequence, of shape `(batch,)`; outputs beyond it are zero
            and the final states are those at its end.
        state_size: Size of the hidden state.
        num_layers: Number of layers.
        bidirectional: Whether each layer also runs backwards; outputs of both are concatenated.
        mode: Kind of cell.
        p: Share of the outputs of each layer but the last that is dropped in training.
        state_outputs: Whether to return the final states too.
        projection_size: Size to which an LSTM projects its hidden state.
        lstm_state_clip_min: Least value of the cell state of an LSTM.
        lstm_state_clip_max: Greatest value of the cell state of an LSTM.
        lstm_state_clip_nan: Whether clipping also replaces NaN.
        use_sequence_length: Whether `sequence_length` is given.
        training: Whether the call is for training; supplied by the frontend.
        generator: Source of randomness, torch's own if None; supplied by the frontend.

    Example:
        >>> import mxnet as mx
        >>> weights = mx.nd.ones(3 * (2 + 3) + 6) * 0.1
        >>> x, state = mx.nd.ones((5, 1, 2)), mx.nd.zeros((1, 1, 3))
        >>> print(mx.nd.RNN(x, weights, state, state_size=3, num_layers=1, mode="rnn_tanh").shape)
        (5, 1, 3)
    """
    plan = Plan(mode, state_size, num_layers, 1 + bidirectional, projection_size)
    if mode != "lstm" and sequence_length is None:
        sequence_length = state_cell  # the fourth array of a call by position
    states = _check_states(data, state, state_cell, plan)
    _check_options(plan)
    lengths = None
    if use_sequence_length:
        lengths = require_input("RNN", "sequence_length", sequence_length, "use_sequence_length")
        require_shape("RNN", "sequence_length", lengths, (data.shape[1],))
    require_shape("RNN", "parameters", parameters, (_count_parameters(plan, data.shape[2]),))
    if data.is_meta:  # a shape does not need all layers
        shape = (*data.shape[:2], plan.directions * plan.output_size)
        results = data.new_empty(shape), *(torch.empty_like(item) for item in states)
        return results if state_outputs else results[:1]
    cells = _unpack(parameters, plan, data.shape[2])
    clip = None
    if mode == "lstm" and (lstm_state_clip_min, lstm_state_clip_max) != (None, None):
        clip = _Clip(lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan)
    dropout = p if training and num_layers > 1 else 0.0
    with drawing() if dropout else nullcontext():
        outputs = _run(data, cells, states, plan, lengths, clip, dropout, generator)
    return outputs if state_outputs else outputs[:1]


def run_cells(
    data: Tensor, cells: Sequence[list[Tensor]], states: tuple[Tensor, ...], plan: Plan
) -> tuple[Tensor, ...]:
    """Computes what the operator does, of parameters that are not in one vector.

    On a GPU the vector is faster, which cuDNN would otherwise make in every call.

    Args:
        data: Sequences of shape `(time, batch, input)`, on the CPU.
        cells: For each layer and direction the weights for data and hidden state, their biases,
            and the weights of the projection, if there is one.
        states: First states.
        plan: What is computed.

    Returns:
        The outputs and the last states.
    """
    return _run(data, cells, states, plan, None, None, 0.0, None)


def _run(
    data: Tensor,
    cells: Sequence[list[Tensor]],
    states: tuple[Tensor, ...],
    plan: Plan,
    lengths: Tensor | None,
    clip: _Clip | None,
    dropout: float,
    generator: torch.Generator | None,
) -> tuple[Tensor, ...]:
    """Chooses the fastest way: one fused call, or layer by layer."""
    is_stepped = (
        plan.mode != "lstm" and lengths is None and is_recorded_on_host(data, cells[0][0], states)
    )
    if clip is None and not is_stepped and (not dropout or generator is None):
        return _fused(data, cells, states, plan, lengths, dropout)

    def run(data: Tensor, cells: Sequence[list[Tensor]], states: tuple[Tensor, ...]) -> Any:
        if clip is not None:
            return _clipped_layer(data, cells, states, lengths, clip)
        if is_stepped:
            return run_layer(data, cells, states[0], plan.mode)
        return _fused(data, cells, states, plan, lengths, 0.0)

    def between(data: Tensor) -> Tensor:
        return drop(data, dropout, tuple(data.shape), generator)

    return _layer_by_layer(data, cells, states, run, plan, between if dropout else None)


def _check_states(
    data: Tensor, state: Tensor, state_cell: Tensor | None, plan: Plan
) -> tuple[Tensor, ...]:
    require_floating("RNN", data)
    if data.ndim != 3:
        raise MXNetError(
            f"RNN: expected data of shape (time, batch, input), got shape {tuple(data.shape)}"
        )
    cells, batch = plan.num_layers * plan.directions, data.shape[1]
    require_shape("RNN", "state", state, (cells, batch, plan.output_size))
    if plan.mode != "lstm":
        return (state,)
    memory = require_input("RNN", "state_cell", state_cell, "mode='lstm'")
    require_shape("RNN", "state_cell", memory, (cells, batch, plan.state_size))
    return state, memory


def _check_options(plan: Plan) -> None:
    if plan.state_size < 1 or plan.num_layers < 1:
        raise AttributeValueError("RNN: attributes `state_size` and `num_layers` take 1 or more")
    limits.check("operator_steps", plan.num_layers, "RNN: attribute `num_layers`")
    if plan.projection_size and plan.mode != "lstm":
        raise AttributeValueError(
            f"RNN: attribute `projection_size` takes None with mode={plan.mode!r}"
        )


def gru_step(i2h: Tensor, h2h: Tensor, hidden: Tensor) -> Tensor:
    """Returns the hidden state after a step of a GRU.

    Args:
        i2h: What the input gives to reset gate, update gate and candidate, joined on axis 1.
        h2h: What the hidden state gives to them.
        hidden: The hidden state before.
    """
    size = hidden.shape[1]
    gates_of_input, fresh = torch.split(i2h, [2 * size, size], 1)
    gates_of_hidden, recalled = torch.split(h2h, [2 * size, size], 1)
    reset, update = torch.sigmoid(gates_of_input + gates_of_hidden).chunk(2, 1)
    candidate = torch.tanh(torch.addcmul(fresh, reset, recalled))
    return torch.lerp(candidate, hidden, update)


def lstm_step(gates: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the hidden state and the memory after a step of an LSTM.

    Args:
        gates: Input gate, forget gate, candidate and output gate before activation, joined on axis
            1.
        memory: The memory before.
    """
    size = memory.shape[1]
    joined, candidate, leave = torch.split(gates, [2 * size, size, size], 1)
    enter, keep = torch.sigmoid(joined).chunk(2, 1)
    memory = torch.addcmul(keep * memory, enter, torch.tanh(candidate))
    return torch.sigmoid(leave) * torch.tanh(memory), memory
