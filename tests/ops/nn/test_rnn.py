"""Options of RNN that the original has only on a GPU, against one sequence at a time."""

from __future__ import annotations

import pytest
import torch

from mxnet.ops.nn.rnn import rnn

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
TIME, BATCH, UNITS = 5, 3, 2


def arrays(mode, layers, directions):
    torch.manual_seed(5)
    rows = GATES[mode] * UNITS
    size = sum(
        directions * rows * ((directions * UNITS if layer else UNITS) + UNITS + 2)
        for layer in range(layers)
    )
    states = [torch.rand(layers * directions, BATCH, UNITS) for _ in range(1 + (mode == "lstm"))]
    return torch.rand(TIME, BATCH, UNITS), torch.rand(size) - 0.5, states


@pytest.mark.parametrize("mode", GATES)
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("clip", [{}, {"lstm_state_clip_min": -50, "lstm_state_clip_max": 50}])
def test_lengths_cut_each_sequence(mode, bidirectional, clip):
    data, parameters, states = arrays(mode, 2, 1 + bidirectional)
    options = {
        "mode": mode, "state_size": UNITS, "num_layers": 2, "bidirectional": bidirectional,
        "state_outputs": True, "training": True, **clip,
    }  # fmt: skip
    lengths = torch.tensor([2.0, 5.0, 3.0])
    given = [*states, None, lengths] if mode != "lstm" else [*states, lengths]
    whole = rnn(data, parameters, *given, use_sequence_length=True, **options)
    for index, length in enumerate(lengths.int().tolist()):
        part = slice(index, index + 1)
        alone = rnn(data[:length, part], parameters, *(s[:, part] for s in states), **options)
        torch.testing.assert_close(whole[0][:length, part], alone[0])
        assert not whole[0][length:, part].any()
        for final, expected in zip(whole[1:], alone[1:], strict=True):
            torch.testing.assert_close(final[:, part], expected)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_wide_bounds_change_nothing(bidirectional):
    data, parameters, states = arrays("lstm", 2, 1 + bidirectional)
    options = {
        "mode": "lstm", "state_size": UNITS, "num_layers": 2, "bidirectional": bidirectional,
        "state_outputs": True, "training": False,
    }  # fmt: skip
    plain = rnn(data, parameters, *states, **options)
    clipped = rnn(data, parameters, *states, lstm_state_clip_max=100, **options)
    for one, other in zip(plain, clipped, strict=True):
        torch.testing.assert_close(one, other)


def test_the_cell_state_stays_within_bounds():
    data, parameters, states = arrays("lstm", 1, 1)
    options = {"mode": "lstm", "state_size": UNITS, "num_layers": 1, "training": False}
    output, _, memory = rnn(
        data, parameters, *states, lstm_state_clip_min=-0.01, lstm_state_clip_max=0.02,
        state_outputs=True, **options,
    )  # fmt: skip
    assert memory.min() >= -0.01
    assert memory.max() <= 0.02
    assert output.abs().max() <= 0.02


@pytest.mark.parametrize("stops", [False, True])
def test_clipping_can_stop_nan(stops):
    data, parameters, states = arrays("lstm", 1, 1)
    states[1] = states[1] * float("nan")
    _, _, memory = rnn(
        data, parameters, *states, mode="lstm", state_size=UNITS, num_layers=1, training=False,
        state_outputs=True, lstm_state_clip_min=-1, lstm_state_clip_max=1,
        lstm_state_clip_nan=stops,
    )  # fmt: skip
    assert memory.isnan().any() == (not stops)
