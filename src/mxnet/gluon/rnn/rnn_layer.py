"""Recurrent layers: several layers over whole sequences in one operator."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, overload

import torch

from mxnet import ndarray as nd
from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of
from mxnet._start import public_call
from mxnet._state import modes, rules
from mxnet.errors import InvalidArgumentError, ShapeMismatchError, UnknownNameError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.files import SavedGraph
from mxnet.gluon.hybrid.tracing import Leaf, Trace
from mxnet.gluon.parameters import Parameter, ParameterDict
from mxnet.gluon.rnn._direct import DirectRun
from mxnet.gluon.rnn._recurrent_cell import StateInfo, as_list, make_state
from mxnet.gluon.rnn.rnn_cell import (
    BidirectionalCell,
    DropoutCell,
    GRUCell,
    HybridSequentialRNNCell,
    LSTMCell,
    RNNCell,
)
from mxnet.initializer import RNNFused
from mxnet.ndarray import NDArray
from mxnet.ops.core.interposing import interposers
from mxnet.ops.core.precision import in_force
from mxnet.ops.nn.rnn import parameter_shapes
from mxnet.symbol import Symbol

if TYPE_CHECKING:
    from mxnet.gluon.blocks.results import A

__all__ = ["GRU", "LSTM", "RNN"]

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
_PARAMETER = re.compile(r"([lr])(\d+)_((?:i2h|h2h|h2r)_(?:weight|bias))\Z")


def _is_unseen() -> bool:
    """Returns whether no tracer, probe or hook sees single operators: some may be left out."""
    return not (modes.probing or interposers) and modes.tracer is None


class RNNLayer(HybridBlock):
    """Base of the recurrent layers.

    Args:
        hidden_size: Size of the hidden state.
        num_layers: Number of layers.
        layout: Axes of inputs and outputs, `"TNC"` or `"NTC"`.
        dropout: Share of the outputs of each layer but the last that is dropped in training.
        bidirectional: Whether each layer also runs backwards.
        input_size: Size of the input; 0 leaves it to the first call.
        i2h_weight_initializer: Initializer of the weights of the input.
        h2h_weight_initializer: Initializer of the weights of the hidden state.
        i2h_bias_initializer: Initializer of the biases of the input.
        h2h_bias_initializer: Initializer of the biases of the hidden state.
        mode: Mode of the operator: `rnn_relu`, `rnn_tanh`, `lstm` or `gru`.
        projection_size: Size to which the hidden state is projected.
        h2r_weight_initializer: Initializer of the weights of the projection.
        lstm_state_clip_min: Least value of the memory.
        lstm_state_clip_max: Greatest value of the memory.
        lstm_state_clip_nan: Whether clipping also replaces NaN.
        dtype: Element type of parameters and states.
        use_sequence_length: Whether calls give the length of each sequence.
        prefix: Prefix of the names of parameters.
        params: Parameters to share with another layer.
    """

    l0_i2h_weight: Parameter
    rnn_param: Parameter

    def __init__(
        self,
        hidden_size: int,
        num_layers: int,
        layout: str,
        dropout: float,
        bidirectional: bool,
        input_size: int,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        mode: str,
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        lstm_state_clip_min: float | None = None,
        lstm_state_clip_max: float | None = None,
        lstm_state_clip_nan: bool = False,
        dtype: Any = "float32",
        use_sequence_length: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        if layout not in ("TNC", "NTC"):
            raise InvalidArgumentError(
                f"{type(self).__name__}: layout takes TNC or NTC, got {layout!r}"
            )
        super().__init__(prefix=prefix, params=params)
        self._hidden_size = hidden_size
        self._projection_size = projection_size or None
        self._num_layers = num_layers
        self._mode = mode
        self._layout = layout
        self._dropout = dropout
        self._dir = 2 if bidirectional else 1
        self._input_size = input_size
        self._dtype = dtype
        self._use_sequence_length = use_sequence_length
        self._exports_states = True
        self.skip_states: bool | None = None
        self._options = {
            "mode": mode,
            "state_size": hidden_size,
            "num_layers": num_layers,
            "bidirectional": bool(bidirectional),
            "p": dropout,
            "projection_size": self._projection_size,
            "lstm_state_clip_min": lstm_state_clip_min,
            "lstm_state_clip_max": lstm_state_clip_max,
            "lstm_state_clip_nan": lstm_state_clip_nan,
            "use_sequence_length": use_sequence_length,
            "state_outputs": True,
        }
        initializers = {
            "i2h_weight": i2h_weight_initializer,
            "h2h_weight": h2h_weight_initializer,
            "i2h_bias": i2h_bias_initializer,
            "h2h_bias": h2h_bias_initializer,
            "h2r_weight": h2r_weight_initializer,
        }
        self._is_joined = rules.version > 1
        """Whether all parameters are one vector, `rnn_param`, as in MXNet 2."""
        self._direct = DirectRun(self._options, self._list_parts())
        if self._is_joined:
            self._register_vector(initializers)
        else:
            self._register_params(initializers)

    @property
    def _output_size(self) -> int:
        return self._projection_size or self._hidden_size

    @property
    def _directions(self) -> list[tuple[int, str]]:
        """Number and direction of each cell, in the order of the operator."""
        return [(layer, side) for layer in range(self._num_layers) for side in "lr"[: self._dir]]

    def _register_params(self, initializers: dict[str, Any]) -> None:
        rows = _GATES[self._mode] * self._hidden_size
        for layer, side in self._directions:
            columns = self._input_size if layer == 0 else self._dir * self._output_size
            shapes: dict[str, tuple[int, ...]] = {
                "i2h_weight": (rows, columns),
                "h2h_weight": (rows, self._output_size),
                "i2h_bias": (rows,),
                "h2h_bias": (rows,),
            }
            if self._projection_size:
                shapes["h2r_weight"] = (self._projection_size, self._hidden_size)
            for role, shape in shapes.items():
                name = f"{side}{layer}_{role}"
                parameter = self.params.get(
                    name,
                    shape=shape,
                    init=initializers[role],
                    allow_deferred_init=True,
                    dtype=self._dtype,
                )
                setattr(self, name, parameter)

    def _register_vector(self, initializers: dict[str, Any]) -> None:
        init = RNNFused(
            self._mode,
            self._num_layers,
            self._hidden_size,
            self._dir == 2,
            self._projection_size,
            **{f"{role}_initializer": given for role, given in initializers.items()},
        )
        size = self._count_elements(self._input_size) if self._input_size else -1
        self.rnn_param = self.params.get(
            "rnn_param", shape=(size,), init=init, allow_deferred_init=True, dtype=self._dtype
        )

    def _count_elements(self, input_size: int) -> int:
        """Returns the number of elements of all weights and biases."""
        parts = parameter_shapes(self._direct.plan, input_size)
        return sum(prod(shape) for shapes in parts for shape in shapes)

    def _find_input_size(self) -> int:
        """Returns the size of the input, 0 while it is not known."""
        if not self._is_joined:
            return (self.l0_i2h_weight.shape or (0, 0))[1]
        (size,), fixed = self.rnn_param.shape or (-1,), self._count_elements(0)
        return (size - fixed) // (self._count_elements(1) - fixed) if size > 0 else 0

    def __repr__(self) -> str:
        columns = self._find_input_size()
        parts = [f"{columns or None} -> {self._hidden_size}", self._layout]
        if self._num_layers != 1:
            parts.append(f"num_layers={self._num_layers}")
        if self._dropout != 0:
            parts.append(f"dropout={self._dropout}")
        if self._dir == 2:
            parts.append("bidirectional")
        return f"{type(self).__name__}({', '.join(parts)})"

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Returns all parameters by path; files use the paths of equivalent single cells."""
        start = f"{prefix}." if prefix else ""
        return {
            start + (name if self._is_joined else self._path_of(name)): parameter
            for name, parameter in self._reg_params.items()
        }

    def _path_of(self, name: str) -> str:
        """Returns the path that a weight or bias has in files."""
        side, layer, role = _PARAMETER.match(name).groups()  # type: ignore[union-attr]
        cell = f"{side}_cell." if self._dir == 2 else ""
        return f"_unfused.{layer}.{cell}{role}"

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states: shape, layout and element type of each."""
        cells = self._num_layers * self._dir
        common = {"__layout__": "LNC", "dtype": self._dtype}
        return [{"shape": (cells, batch_size, self._output_size), **common}]

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """Makes the first states.

        Args:
            batch_size: Size of the batch.
            func: Function that makes an array, called with `name`, `shape` and `dtype`.
            **kwargs: Other arguments of the function, such as `ctx`.
        """
        return [
            make_state(func, f"{self.prefix}h0_{number}", {**info, **kwargs})
            for number, info in enumerate(self.state_info(batch_size))
        ]

    def _make_zeros(self, inputs: Any, batch_size: int) -> list[Any]:
        """Makes the first states beside the inputs."""
        if type(self).begin_state is not RNNLayer.begin_state or not _is_unseen():
            return self.begin_state(batch_size, ctx=inputs.context, dtype=inputs.dtype)
        ctx = inputs.context.results
        return [
            inputs._dialect_class._wrap(inputs._plain.new_zeros(info["shape"]), ctx)
            for info in self.state_info(batch_size)
        ]

    def cast(self, dtype: Any) -> None:
        """Converts all parameters to another element type."""
        super().cast(dtype)
        self._dtype = dtype

    def infer_shape(self, inputs: Any, *args: Any) -> None:
        """Infers the size of the input from its shape."""
        del args
        if inputs.ndim != 3:
            raise ShapeMismatchError(
                f"expected inputs of three axes {self._layout}, got shape {inputs.shape}"
            )
        if self._is_joined:
            self.rnn_param.shape = (self._count_elements(inputs.shape[2]),)
            return
        rows = _GATES[self._mode] * self._hidden_size
        for side in "lr"[: self._dir]:
            self._reg_params[f"{side}0_i2h_weight"].shape = (rows, inputs.shape[2])

    @overload
    def __call__(self, inputs: A, states: None = None, sequence_length: Any = None) -> A: ...
    @overload
    def __call__(self, inputs: A, states: Any, *args: Any, **kwargs: Any) -> tuple[A, list[A]]: ...
    @public_call
    def __call__(self, inputs: Any, states: Any = None, sequence_length: Any = None) -> Any:
        """Runs the layers over sequences.

        Args:
            inputs: Sequences of shape `(time, batch, input)`, or as the layout says.
            states: First states; without them they are zero, and the last ones are not returned.
            sequence_length: Length of each sequence, if the layer has `use_sequence_length`.

        Returns:
            Outputs of all steps, with the last states if the first were given.
        """
        self.skip_states = states is None
        if self._mx_call_structure is None:
            self._exports_states = not self.skip_states
        if self._use_sequence_length:
            return super().__call__(inputs, states, sequence_length)
        if states is None:
            return super().__call__(inputs)
        return super().__call__(inputs, states)

    def forward(self, inputs: Any, states: Any = None, sequence_length: Any = None) -> Any:
        """Runs the layers over sequences, with the arguments of `__call__`."""
        if type(inputs) in ARRAY_DIALECTS and self._may_run_directly():
            given = [states] if isinstance(states, NDArray) else states
            results = self._direct.run(inputs, given, self._reg_params)
            if results is not None:
                return results[0] if states is None else (results[0], results[1:])
        lengths = () if sequence_length is None else (sequence_length,)
        if isinstance(inputs, Symbol):
            zeros = dialect_of(inputs).symbol_functions.zeros
            unknown = -1 if modes.np_shape else 0
            given = self.begin_state(unknown, func=zeros) if states is None else as_list(states)
            outputs, last = super().forward(inputs, given, *lengths)
            return outputs if states is None else (outputs, last)
        if modes.probing:
            self.infer_shape(inputs)
        batch_size = inputs.shape[self._layout.find("N")]
        if states is None:
            first = self._make_zeros(inputs, batch_size)
        else:
            first = [states] if isinstance(states, NDArray) else list(states)
            self._check_states(first, batch_size)
        outputs, last = super().forward(inputs, first, *lengths)
        return outputs if states is None else (outputs, last)

    def _may_run_directly(self) -> bool:
        """Returns whether a call on arrays is nothing but one call of the operator."""
        return (
            self._direct.is_plain
            and not self._is_joined
            and self._mx_hybrid is None
            and self._layout == "TNC"
            and type(self).hybrid_forward is RNNLayer.hybrid_forward
            and type(self).begin_state is RNNLayer.begin_state
            and not in_force
            and _is_unseen()
        )

    def _mx_graph_to_export(self, structure: Sequence[Any]) -> Symbol:
        # As in the original, states are inputs even if the first call did not pass them.
        graph = super()._mx_graph_to_export(structure)
        return graph if self._exports_states else graph[0]

    def _mx_current_graph(self) -> tuple[Any, Trace] | None:
        graph = super()._mx_current_graph()
        if graph is None or self._exports_states:
            return graph
        structure, traced = graph
        return structure, Trace(traced.graph[0], traced.input_names, Leaf.ARRAY)

    def _mx_adopt_graph(self, structure: Any, tracer: SavedGraph) -> None:
        # A saved graph may lack the last states; calls with and without states share one graph.
        self.hybridize()
        self._mx_call_structure = structure
        self._exports_states = tracer.out_structure is not Leaf.ARRAY

    def _check_states(self, states: list[Any], batch_size: int) -> None:
        expected = [info["shape"] for info in self.state_info(batch_size)]
        given = [state.shape for state in states]
        if given != expected:
            raise ShapeMismatchError(f"expected states of shapes {expected}, got {given}")

    def hybrid_forward(  # parameters are many, and come by name
        self, F: Any, inputs: Any, states: Any, sequence_length: Any = None, **kwargs: Any
    ) -> tuple[Any, list[Any]]:
        """Computes outputs and last states; the parameters arrive by name."""
        if self._layout == "NTC":
            inputs = F.swapaxes(inputs, dim1=0, dim2=1)
        named = {} if sequence_length is None else {"sequence_length": sequence_length}
        parameters = self._flatten_parameters(F, kwargs)
        outputs, *last = F.RNN(inputs, parameters, *states, **named, **self._options)
        if self._layout == "NTC":
            outputs = F.swapaxes(outputs, dim1=0, dim2=1)
        return outputs, last

    def _mx_flat_names(self) -> list[str]:
        return [] if self._is_joined else self._list_parts()

    def _mx_part_paths(self) -> list[tuple[str, str]]:
        parts = self._list_parts() if self._is_joined else []
        return [(name, self._path_of(name)) for name in parts]

    def _list_parts(self) -> list[str]:
        """Returns the names of weights and biases in the order of the operator."""
        weights = ["i2h_weight", "h2h_weight"]
        if self._projection_size:
            weights.append("h2r_weight")
        return [
            f"{side}{layer}_{role}"
            for roles in (weights, ["i2h_bias", "h2h_bias"])
            for layer, side in self._directions
            for role in roles
        ]

    def _flatten_parameters(self, F: Any, parameters: dict[str, Any]) -> Any:
        """Joins all parameters in the order of the operator."""
        if self._is_joined:
            return parameters["rnn_param"]
        ordered = [parameters[name] for name in self._list_parts()]
        if type(ordered[0]) in ARRAY_DIALECTS and not modes.recording and _is_unseen():
            vector = torch.cat([item._plain.reshape(-1) for item in ordered])
            return type(ordered[0])._wrap(vector, ordered[0].context)
        flat = [F.reshape(item, shape=-1) for item in ordered]
        return F._internal._rnn_param_concat(*flat, dim=0)

    def _unfuse(self) -> HybridSequentialRNNCell:
        """Returns cells that have the parameters of this layer and compute the same."""
        if self._is_joined:
            raise InvalidArgumentError(
                f"{type(self).__name__}: cells cannot have parts of rnn_param; under "
                "set_version(1) each weight is a parameter"
            )
        if self._projection_size:
            raise InvalidArgumentError(
                f"{type(self).__name__}: cells with projection are not available"
            )
        stack = HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
        with stack.name_scope():
            size = self._input_size
            for layer in range(self._num_layers):
                cells = [self._make_cell(f"{side}{layer}_", size) for side in "lr"[: self._dir]]
                stack.add(BidirectionalCell(*cells) if self._dir == 2 else cells[0])
                if self._dropout > 0 and layer < self._num_layers - 1:
                    stack.add(DropoutCell(self._dropout))
                size = self._hidden_size * self._dir
        return stack

    def _make_cell(self, prefix: str, input_size: int) -> Any:
        options: Any = {"input_size": input_size, "prefix": prefix}
        for role in ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias"):
            options[f"{role}_initializer"] = self._reg_params[f"{prefix}{role}"].init
        if self._mode == "lstm":
            return LSTMCell(self._hidden_size, **options)
        if self._mode == "gru":
            return GRUCell(self._hidden_size, **options)
        return RNNCell(self._hidden_size, self._mode.removeprefix("rnn_"), **options)


_RNNLayer = RNNLayer
"""The name of the base in the original."""


class RNN(RNNLayer):
    """Plain recurrent layers: ``state = activation(i2h(input) + h2h(state))``.

    Args:
        hidden_size: Size of the hidden state.
        num_layers: Number of layers.
        activation: `"relu"` or `"tanh"`.
        layout: Axes of inputs and outputs, `"TNC"` (time first) or `"NTC"`.
        dropout: Share of the outputs of each layer but the last that is dropped in training.
        bidirectional: Whether each layer also runs backwards.
        i2h_weight_initializer: Initializer of the weights of the input.
        h2h_weight_initializer: Initializer of the weights of the hidden state.
        i2h_bias_initializer: Initializer of the biases of the input.
        h2h_bias_initializer: Initializer of the biases of the hidden state.
        input_size: Size of the input; 0 leaves it to the first call.
        dtype: Element type of parameters and states.
        use_sequence_length: Whether calls give the length of each sequence.
        prefix: Prefix of the names of parameters, `rnn0_` or so by default.
        params: Parameters to share with another layer.

    Shapes:
        Input `(T, N, input_size)`, or `(N, T, input_size)` in the layout `"NTC"`; output the same
        with `hidden_size`, twice that if `bidirectional`; the state
        `(num_layers, N, hidden_size)`, with twice as many layers if `bidirectional`.

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
            hidden_size, num_layers, layout, dropout, bidirectional, input_size,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer, f"rnn_{activation}", dtype=dtype,
            use_sequence_length=use_sequence_length, prefix=prefix, params=params,
        )  # fmt: skip


class LSTM(RNNLayer):
    """Layers of long short-term memory.

    Args:
        hidden_size: Size of the hidden state and of the memory.
        num_layers: Number of layers.
        layout: Axes of inputs and outputs, `"TNC"` (time first) or `"NTC"`.
        dropout: Share of the outputs of each layer but the last that is dropped in training.
        bidirectional: Whether each layer also runs backwards.
        input_size: Size of the input; 0 leaves it to the first call.
        i2h_weight_initializer: Initializer of the weights of the input.
        h2h_weight_initializer: Initializer of the weights of the hidden state.
        i2h_bias_initializer: Initializer of the biases of the input.
        h2h_bias_initializer: Initializer of the biases of the hidden state.
        projection_size: Size to which the hidden state is projected, None for no projection.
        h2r_weight_initializer: Initializer of the weights of the projection.
        state_clip_min: Least value of the memory.
        state_clip_max: Greatest value of the memory.
        state_clip_nan: Whether clipping also replaces NaN.
        dtype: Element type of parameters and states.
        use_sequence_length: Whether calls give the length of each sequence.
        prefix: Prefix of the names of parameters, `lstm0_` or so by default.
        params: Parameters to share with another layer.

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
            hidden_size, num_layers, layout, dropout, bidirectional, input_size,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer, "lstm", projection_size, h2r_weight_initializer,
            state_clip_min, state_clip_max, state_clip_nan, dtype, use_sequence_length,
            prefix=prefix, params=params,
        )  # fmt: skip

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the hidden state and the memory."""
        hidden = super().state_info(batch_size)[0]
        memory = (*hidden["shape"][:2], self._hidden_size)
        return [hidden, {**hidden, "shape": memory}]


class GRU(RNNLayer):
    """Layers of gated recurrent units; the reset gate acts after the product, as cuDNN has it.

    Args:
        hidden_size: Size of the hidden state.
        num_layers: Number of layers.
        layout: Axes of inputs and outputs, `"TNC"` (time first) or `"NTC"`.
        dropout: Share of the outputs of each layer but the last that is dropped in training.
        bidirectional: Whether each layer also runs backwards.
        input_size: Size of the input; 0 leaves it to the first call.
        i2h_weight_initializer: Initializer of the weights of the input.
        h2h_weight_initializer: Initializer of the weights of the hidden state.
        i2h_bias_initializer: Initializer of the biases of the input.
        h2h_bias_initializer: Initializer of the biases of the hidden state.
        dtype: Element type of parameters and states.
        use_sequence_length: Whether calls give the length of each sequence.
        prefix: Prefix of the names of parameters, `gru0_` or so by default.
        params: Parameters to share with another layer.

    Shapes:
        Input `(T, N, input_size)`, or `(N, T, input_size)` in the layout `"NTC"`; output the same
        with `hidden_size`, twice that if `bidirectional`; the state
        `(num_layers, N, hidden_size)`, with twice as many layers if `bidirectional`.

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
            hidden_size, num_layers, layout, dropout, bidirectional, input_size,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer, "gru", dtype=dtype,
            use_sequence_length=use_sequence_length, prefix=prefix, params=params,
        )  # fmt: skip
