"""Recurrent layers: several layers over whole sequences in one operator."""

from __future__ import annotations

from typing import Any

from mxnet._start import inherit_docstrings
from mxnet.errors import UnknownNameError
from mxnet.gluon.parameters import ParameterDict
from mxnet.gluon.rnn._layer_base import RNNLayer as _RNNLayer
from mxnet.gluon.rnn._recurrent_cell import StateInfo

__all__ = ["GRU", "LSTM", "RNN"]


class RNN(_RNNLayer):
    """Plain recurrent layers: ``state = activation(i2h(input) + h2h(state))``.

    Args:
        activation: `"relu"` or `"tanh"`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> layer = rnn.RNN(4, num_layers=2)
        >>> layer.initialize()
        >>> x = mx.nd.ones((5, 2, 3))
        >>> layer(x).shape
        (5, 2, 4)
        >>> output, states = layer(x, layer.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((5, 2, 4), [(2, 2, 4)])
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        activation: str = "relu",
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        dtype: Any = "float32",
        use_sequence_length: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        if activation not in ("relu", "tanh"):
            raise UnknownNameError(f"RNN: activation takes 'relu' or 'tanh', got {activation!r}")
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            f"rnn_{activation}",
            dtype=dtype,
            use_sequence_length=use_sequence_length,
            prefix=prefix,
            params=params,
        )


class LSTM(_RNNLayer):
    """Layers of long short-term memory.

    Args:
        hidden_size: Size of the hidden state and of the memory.
        state_clip_min: Least value of the memory.
        state_clip_max: Greatest value of the memory.
        state_clip_nan: Whether clipping also replaces NaN.

    Shapes:
        Input `(T, N, input_size)`, or `(N, T, input_size)` in the layout `"NTC"`; output the same
        with `hidden_size`, twice that if `bidirectional`; the two states
        `(num_layers, N, hidden_size)`, with twice as many layers if `bidirectional`.
        With `projection_size`, that is the size of the output and of the first state.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> layer = rnn.LSTM(4, num_layers=2, bidirectional=True)
        >>> layer.initialize()
        >>> x = mx.nd.ones((5, 2, 3))
        >>> layer(x).shape
        (5, 2, 8)
        >>> output, states = layer(x, layer.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((5, 2, 8), [(4, 2, 4), (4, 2, 4)])
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        state_clip_min: float | None = None,
        state_clip_max: float | None = None,
        state_clip_nan: bool = False,
        dtype: Any = "float32",
        use_sequence_length: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "lstm",
            projection_size,
            h2r_weight_initializer,
            state_clip_min,
            state_clip_max,
            state_clip_nan,
            dtype,
            use_sequence_length,
            prefix=prefix,
            params=params,
        )

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state and the memory."""
        hidden = super().state_info(batch_size)[0]
        memory = (*hidden["shape"][:2], self._hidden_size)
        return [hidden, {**hidden, "shape": memory}]


class GRU(_RNNLayer):
    """Layers of gated recurrent units; the reset gate acts after the product, as cuDNN has it.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> layer = rnn.GRU(4, num_layers=2, layout="NTC")
        >>> layer.initialize()
        >>> x = mx.nd.ones((2, 5, 3))
        >>> layer(x).shape
        (2, 5, 4)
        >>> output, states = layer(x, layer.begin_state(batch_size=2))
        >>> output.shape, [state.shape for state in states]
        ((2, 5, 4), [(2, 2, 4)])
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        dtype: Any = "float32",
        use_sequence_length: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "gru",
            dtype=dtype,
            use_sequence_length=use_sequence_length,
            prefix=prefix,
            params=params,
        )


inherit_docstrings(globals(), lambda layer: {"alias": layer.__name__.lower()})
