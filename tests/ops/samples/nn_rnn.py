"""Recurrent networks with all parameters in one vector."""

from .core import ints, rand, sample, values

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
IGNORED = "the original ignores this option on the CPU"


def size(mode, inputs, units, layers, directions, projection=None):
    """Number of parameters."""
    out = projection or units
    total = 0
    for layer in range(layers):
        columns = directions * out if layer else inputs
        total += directions * (
            GATES[mode] * units * (columns + out + 2) + (projection or 0) * units
        )
    return total


def rnn(
    mode,
    *,
    time=3,
    batch=2,
    inputs=3,
    units=2,
    layers=1,
    bidirectional=False,
    projection=None,
    lengths=None,
    dtype="float32",
    **fields,
):
    """A sample with arrays of fitting shapes."""
    directions = 1 + bool(bidirectional)
    cells = layers * directions
    arrays = [
        rand(time, batch, inputs, dtype=dtype),
        rand(size(mode, inputs, units, layers, directions, projection), dtype=dtype),
        rand(cells, batch, projection or units, dtype=dtype),
        rand(cells, batch, units, dtype=dtype) if mode == "lstm" else None,
    ]
    if lengths is not None:
        arrays.append(lengths)
        fields["use_sequence_length"] = True
    if projection:
        fields["projection_size"] = projection
    if bidirectional:
        fields["bidirectional"] = bidirectional
    return sample("RNN", *arrays, mode=mode, state_size=units, num_layers=layers, **fields)


SAMPLES = [
    *(rnn(mode, state_outputs=states) for mode in GATES for states in (False, True)),
    *(rnn(mode, layers=2, state_outputs=True) for mode in GATES),
    *(rnn(mode, bidirectional=True, state_outputs=True) for mode in GATES),
    *(rnn(mode, layers=2, bidirectional="True", units=3, inputs=2, batch=1) for mode in GATES),
    *(rnn(mode, dtype="float64", state_outputs=True) for mode in GATES),
    *(rnn(mode, layers=2, p=0.5, train=False, state_outputs=True) for mode in GATES),
    *(rnn(mode, layers=2, p=0.5, random=True) for mode in GATES),
    *(rnn(mode, time=1, batch=1, inputs=1, units=1, p=0.3) for mode in GATES),
    *(
        rnn(
            mode,
            lengths=values([1, 3]),
            bidirectional=both,
            state_outputs=True,
            oracle=False,
            why=IGNORED,
        )
        for mode in GATES
        for both in (False, True)
    ),
    rnn("gru", lengths=values([3, 2], "int32"), layers=2, oracle=False, why=IGNORED),
    rnn(
        "lstm",
        projection=1,
        state_outputs=True,
        train=False,
        gradient=False,
        oracle=False,
        why="the original projects on the CPU only outside record()",
    ),
    rnn(
        "lstm",
        projection=1,
        layers=2,
        bidirectional=True,
        oracle=False,
        why="the original does not train projections on the CPU",
    ),
    rnn(
        "lstm",
        lstm_state_clip_min=-0.1,
        lstm_state_clip_max=0.1,
        state_outputs=True,
        numeric=False,
        oracle=False,
        why=IGNORED,
    ),
    rnn(
        "lstm",
        lstm_state_clip_min=-9,
        lstm_state_clip_max=9,
        lstm_state_clip_nan=True,
        layers=2,
        bidirectional=True,
        projection=2,
        lengths=values([2, 3]),
        oracle=False,
        why=IGNORED,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(10),
        rand(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 3, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 1, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(2, 3),
        rand(42),
        rand(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(56),
        rand(1, 2, 2),
        mode="lstm",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        p=1.5,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=0,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        projection_size=1,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        use_sequence_length=True,
        raises=True,
    ),
    sample(
        "RNN",
        rand(3, 2, 3),
        rand(42),
        rand(1, 2, 2),
        mode="rnn",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
    sample("RNN", rand(3, 2, 3), rand(42), rand(1, 2, 2), state_size=2, num_layers=1, raises=True),
    sample("RNN", rand(3, 2, 3), rand(42), rand(1, 2, 2), mode="gru", num_layers=1, raises=True),
    sample(
        "RNN",
        ints(3, 2, 3),
        ints(42),
        ints(1, 2, 2),
        mode="gru",
        state_size=2,
        num_layers=1,
        raises=True,
    ),
]
