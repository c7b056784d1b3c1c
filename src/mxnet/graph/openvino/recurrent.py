"""Recurrent layers as sequences of OpenVINO, instead of one step after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from openvino import opset13
from openvino.frontend.pytorch import ConversionExtension
from torch import Tensor
from torch.overrides import TorchFunctionMode

_MODES: dict[Callable[..., Any], str] = {
    torch.lstm: "lstm",
    torch.gru: "gru",
    torch.rnn_tanh: "rnn_tanh",
    torch.rnn_relu: "rnn_relu",
}
_GATES = {"lstm": (1, 0, 2, 3), "gru": (1, 0, 2), "rnn_tanh": (0,), "rnn_relu": (0,)}
"""OpenVINO's order of the gates, as positions in torch's."""
_NAMESPACE = "glueball_openvino"
_LIBRARY: Any = torch.library.Library(_NAMESPACE, "DEF")  # type: ignore[no-untyped-call]
"""Operators that are in traces only, never computed: each is one output of a sequence."""


def _declare(name: str, shape: Callable[..., tuple[int, ...]]) -> Any:
    """Declares the operator of an output of a sequence.

    It takes data `(batch, time, input)`, the first states `(batch, 1, hidden)`, of which only an
    LSTM reads the second, weights and bias with a first axis of 1, and whether time is reversed.
    """
    _LIBRARY.define(
        f"{name}(Tensor data, Tensor state, Tensor cell, Tensor w, Tensor r, Tensor b,"
        " int batch, int time, int hidden, int reverse) -> Tensor"
    )

    def fake(data: Tensor, *arguments: Any) -> Tensor:
        return data.new_empty(shape(*arguments[5:8]))

    torch.library.register_fake(f"{_NAMESPACE}::{name}", fake, lib=_LIBRARY)
    return getattr(getattr(torch.ops, _NAMESPACE), name).default


_OUTPUTS = {
    mode: _declare(f"{mode}_output", lambda batch, time, hidden: (batch, 1, time, hidden))
    for mode in _GATES
}
_CELL = _declare("lstm_cell", lambda batch, _, hidden: (batch, 1, hidden))


class KeepSequences(TorchFunctionMode):
    """Traces torch's recurrent networks as sequences, where OpenVINO has them."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Runs a function of torch, or replaces it."""
        del types
        mode = _MODES.get(func)
        if mode is None or isinstance(args[3], (list, tuple)):  # data is packed
            return func(*args, **(kwargs or {}))
        data, states, weights, _, num_layers, _, _, bidirectional, batch_first = args
        directions = 1 + bidirectional
        cells = len(weights) // (num_layers * directions)
        if cells != 4 or batch_first:  # there are projections
            return func(*args)
        grouped = [weights[i : i + 4] for i in range(0, len(weights), 4)]
        firsts = [states] if isinstance(states, Tensor) else list(states)
        return _run_layers(mode, data, firsts, grouped, directions)


def _run_layers(
    mode: str,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Sequence[Tensor]],
    directions: int,
) -> tuple[Tensor, ...]:
    data = data.transpose(0, 1)
    finals = []
    for layer in range(0, len(weights), directions):
        runs = [
            _run_direction(mode, data, [s[layer + i] for s in states], weights[layer + i], i)
            for i in range(directions)
        ]
        data = torch.cat([output for output, *_ in runs], 2)
        finals += [final for _, *final in runs]
    return data.transpose(0, 1), *(torch.stack(final) for final in zip(*finals, strict=True))


def _run_direction(
    mode: str, data: Tensor, states: Sequence[Tensor], weights: Sequence[Tensor], reverse: int
) -> tuple[Tensor, ...]:
    """Returns the outputs of a direction of a layer and its last states."""
    w, r, bias, hidden_bias = (_order(mode, item) for item in weights)
    b = bias + hidden_bias
    if mode == "gru":  # whose reset gate comes between the two biases of the last gate
        rest = b.shape[0] // 3 * 2
        b = torch.cat([b[:rest], bias[rest:], hidden_bias[rest:]])
    batch, time, _ = data.shape
    first = [state.unsqueeze(1) for state in states]
    arguments = (data, first[0], first[-1], w.unsqueeze(0), r.unsqueeze(0), b.unsqueeze(0))
    sizes = (batch, time, r.shape[1], reverse)
    output = _OUTPUTS[mode](*arguments, *sizes).squeeze(1)
    last = output[:, 0 if reverse else time - 1]
    if mode != "lstm":
        return output, last
    return output, last, _CELL(*arguments, *sizes).squeeze(1)


def _order(mode: str, weight: Tensor) -> Tensor:
    """Brings the gates of a weight or bias into OpenVINO's order."""
    gates = weight.chunk(len(_GATES[mode]))
    return torch.cat([gates[position] for position in _GATES[mode]])


def list_extensions() -> list[ConversionExtension]:
    """Returns what tells OpenVINO's frontend about sequences, for one conversion."""
    made: dict[Any, Any] = {}  # by inputs, so that both outputs of an LSTM are those of one node
    extensions = [
        ConversionExtension(str(target), partial(_convert, made, mode, 0))
        for mode, target in _OUTPUTS.items()
    ]
    return [*extensions, ConversionExtension(str(_CELL), partial(_convert, made, "lstm", 2))]


def _convert(made: dict[Any, Any], mode: str, output: int, context: Any) -> list[Any]:
    """Returns an output of the node of a sequence."""
    inputs = [context.get_input(position) for position in range(6)]
    batch, time, hidden, reverse = (context.get_values_from_const_input(i) for i in range(6, 10))
    key = (*((item.get_node().get_name(), item.get_index()) for item in inputs), reverse)
    if key not in made:
        lengths = opset13.constant(np.full(batch, time, np.int32))
        made[key] = _make_sequence(mode, inputs, lengths, hidden, bool(reverse))
    return [made[key].output(output)]


def _make_sequence(
    mode: str, inputs: Sequence[Any], lengths: Any, hidden: int, reverse: bool
) -> Any:
    data, state, cell, *weights = inputs
    direction = "REVERSE" if reverse else "FORWARD"
    if mode == "lstm":
        return opset13.lstm_sequence(data, state, cell, lengths, *weights, hidden, direction)
    if mode == "gru":
        return opset13.gru_sequence(
            data, state, lengths, *weights, hidden, direction, linear_before_reset=True
        )
    activation = mode.removeprefix("rnn_")
    return opset13.rnn_sequence(
        data, state, lengths, *weights, hidden, direction, activations=[activation]
    )
