"""The recurrent layer on bytes, which is declared but not computed."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Count, Shape, Share
from mxnet.ops.nn._checks import require_shape
from mxnet.ops.nn.rnn import fill_rnn
from mxnet.ops.quantization.ranges import RANGE, require_dtype
from mxnet.ops.quantization.type_rules import FLOATS, expect_types
from mxnet.ops.registry import op
from mxnet.ops.traits import EXACT_SHAPES, Dtypes, Labels, Settings, Traits

_NAME = "_contrib_quantized_rnn"
_INPUTS = ("data", "parameters", "state", "state_cell", "data_scale", "data_shift")


def _fill_shapes(data: Shape, **settings: Any) -> dict[str, Shape]:
    return fill_rnn(data, **settings) | {"data_scale": RANGE, "data_shift": RANGE}


def _count_outputs(*, state_outputs: bool, **_: object) -> int:
    return 3 if state_outputs else 1


def _name_outputs(**attrs: Any) -> tuple[str, ...]:
    # The letter that is missing is missing in files, too.
    return ("output", "state_output", "statecell_ouput")[: _count_outputs(**attrs)]


def _output_dtypes(known: Dtypes, settings: Settings) -> Dtypes:
    return [torch.float32] * _count_outputs(**settings)


def _inputs(**_: object) -> tuple[str, ...]:
    return _INPUTS


@op(
    _NAME,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=_count_outputs,
    active_inputs=_inputs,
    fill_shapes=_fill_shapes,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=Labels(outputs=_name_outputs, names_outputs=True),
        types=expect_types(
            _NAME, {"data": (torch.uint8,), **dict.fromkeys(_INPUTS[1:], FLOATS)}, _output_dtypes
        ),
    ),
)
def quantized_rnn(
    data: Tensor,
    parameters: Tensor,
    state: Tensor,
    state_cell: Tensor,
    data_scale: Tensor,
    data_shift: Tensor,
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
) -> tuple[Tensor, ...]:
    """Stands for an LSTM on bytes in graphs; running it raises.

    The original computes it on few CPUs only, and raises on all others.

    Args:
        data: Sequences of shape `(time, batch, input)`, uint8, as `quantize_asym` returns them.
        parameters: All weights, then all biases, in one vector, float32.
        state: First hidden state, of shape `(layers * directions, batch, state_size)`.
        state_cell: First cell state, of the same shape.
        data_scale: Scale of the data, of shape `(1,)`.
        data_shift: Shift of the data, of shape `(1,)`.
        state_size: Size of the hidden state.
        num_layers: Number of layers.
        bidirectional: Whether each layer also runs backwards.
        mode: `lstm`.
        p: Share of the outputs that is dropped in training.
        state_outputs: Whether to return the final states too.
        projection_size: Size to which the hidden state is projected.
        lstm_state_clip_min: Least value of the cell state.
        lstm_state_clip_max: Greatest value of the cell state.
        lstm_state_clip_nan: Whether clipping also replaces NaN.
        use_sequence_length: Whether lengths of sequences are given.

    Returns:
        The outputs and, if they are asked for, the final states, float32.
    """
    if mode != "lstm":
        raise MXNetError(f"{_NAME}: expected mode lstm, got {mode}")
    filled = fill_rnn(
        tuple(data.shape),
        state_size=state_size,
        num_layers=num_layers,
        bidirectional=bidirectional,
        mode=mode,
        projection_size=projection_size,
    )
    for role, array in (("parameters", parameters), ("state", state), ("state_cell", state_cell)):
        require_shape(_NAME, role, array, filled[role])
    if data.is_meta:
        size = (projection_size or state_size) * (1 + bidirectional)
        shapes = ((*data.shape[:2], size), state.shape, state_cell.shape)
        made = tuple(torch.empty(shape, device="meta") for shape in shapes)
        return made if state_outputs else made[:1]
    require_dtype(_NAME, "data", data, torch.uint8)
    raise MXNetError(
        f"{_NAME}: no kernel for recurrent layers of bytes; leave the layer out of quantization "
        "(`exclude_operators=['RNN']`) or use the operator RNN"
    )
