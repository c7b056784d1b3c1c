"""What all symbolic cells share, and the plain, LSTM and GRU cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet._start import PublicInit, public_methods
from mxnet.errors import CheckFailedError, UndefinedMethodError
from mxnet.gluon.rnn.rnn_cell import gru_update, lstm_update
from mxnet.initializer import LSTMBias
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

Arrays: TypeAlias = dict[str, NDArray]
Steps: TypeAlias = "Symbol | list[Symbol]"
"""A sequence: one symbol with an axis of time, or a symbol for each step."""


class RNNParams:
    """Variables that cells share, created on first use.

    Args:
        prefix: Prefix of the names of the variables.

    Example:
        >>> import mxnet as mx
        >>> mx.rnn.RNNParams("lstm_").get("i2h_weight")
        <Symbol lstm_i2h_weight>
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Symbol] = {}

    def get(self, name: str, **kwargs: Any) -> Symbol:
        """Returns a variable; a new one is made by `mx.sym.var` with the other arguments."""
        full = self._prefix + name
        if full not in self._params:
            self._params[full] = symbol.var(full, **kwargs)
        return self._params[full]


@public_methods("unroll")
class BaseRNNCell(PublicInit):
    """Base of symbolic recurrent cells: `output, states = cell(input, states)`.

    Args:
        prefix: Prefix of the names of variables and outputs.
        params: Variables to share with other cells.
    """

    _gates: Sequence[str] = ()

    def __init__(self, prefix: str = "", params: RNNParams | None = None) -> None:
        self._own_params = params is None
        self._prefix = prefix
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Resets the counters of steps and states, before another graph is built."""
        self._init_counter = -1
        self._counter = -1
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    def __call__(
        self,
        inputs: Symbol,  # noqa: ARG002 - subclasses have use for it
        states: Sequence[Symbol],  # noqa: ARG002
    ) -> tuple[Symbol, list[Symbol]]:
        """Builds one step.

        Args:
            inputs: Input of the step.
            states: States before it.

        Returns:
            The output, and the states after the step.
        """
        raise UndefinedMethodError(f"{type(self).__name__}: takes no single step; use unroll")

    @property
    def params(self) -> RNNParams:
        """Variables of the cell."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch."""
        raise UndefinedMethodError(f"{type(self).__name__} does not describe its states")

    @property
    def state_shape(self) -> list[tuple[int, ...]]:
        """Shape of each state."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        return self._gates

    def begin_state(self, func: Callable[..., Symbol] = symbol.zeros, **kwargs: Any) -> Any:
        """Makes the states before the first step.

        Args:
            func: Makes a symbol from `name`, `shape` and `__layout__`: `mx.sym.zeros`,
                `mx.sym.Variable` and others.
            **kwargs: More arguments of `func`.
        """
        self._check_not_modified()
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(func(name=name, **(kwargs | info)))
        return states

    def _check_not_modified(self) -> None:
        if self._modified:
            raise CheckFailedError(
                f"{type(self).__name__} {self._prefix!r}: another cell modifies this one; "
                "call that instead"
            )

    def _step_name(self) -> str:
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Splits weights that are stored together into those of each gate.

        Args:
            args: Arrays by name; those that are not the cell's are returned unchanged.
        """
        weights = dict(args)
        gates = self._gate_names
        if not gates:
            return weights
        size: int = self._num_hidden  # type: ignore[attr-defined]  # cells with gates have it
        for name, role in self._weight_names():
            array = weights.pop(f"{self._prefix}{name}_{role}")
            for number, gate in enumerate(gates):
                part = array[number * size : (number + 1) * size]
                weights[f"{self._prefix}{name}{gate}_{role}"] = part.copy()
        return weights

    def pack_weights(self, args: Mapping[str, NDArray]) -> Arrays:
        """Concatenates the weights of all gates; the inverse of `unpack_weights`."""
        weights = dict(args)
        gates = self._gate_names
        if not gates:
            return weights
        for name, role in self._weight_names():
            parts = [weights.pop(f"{self._prefix}{name}{gate}_{role}") for gate in gates]
            weights[f"{self._prefix}{name}_{role}"] = nd.concat(*parts, dim=0)
        return weights

    @staticmethod
    def _weight_names() -> list[tuple[str, str]]:
        return [(name, role) for name in ("i2h", "h2h") for role in ("weight", "bias")]

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Builds all steps of a sequence.

        Args:
            length: Number of steps.
            inputs: The sequence, one symbol or one for each step.
            begin_state: First states, by default those of `begin_state()`.
            layout: Axes of a sequence in one symbol: `"NTC"` or `"TNC"`.
            merge_outputs: Whether outputs come as one symbol instead of a list; None lets the
                cell choose.

        Returns:
            The outputs, and the states after the last step.
        """
        self.reset()
        steps = split_steps(length, inputs, layout)
        states = self.begin_state() if begin_state is None else begin_state
        outputs = []
        for step in steps:
            output, states = self(step, states)
            outputs.append(output)
        return arrange_steps(length, outputs, layout, merge_outputs), states

    def _get_activation(self, inputs: Symbol, activation: Any, **kwargs: Any) -> Any:
        return activate(inputs, activation, **kwargs)


def activate(inputs: Symbol, activation: Any, **kwargs: Any) -> Any:
    """Applies an activation, given by its name or as a function of symbols."""
    if isinstance(activation, str):
        return symbol.Activation(inputs, act_type=activation, **kwargs)
    return activation(inputs, **kwargs)


def arrange_steps(length: int | None, steps: Any, layout: str, merge: bool | None) -> Steps:
    """Returns a sequence as one symbol or as a list; unchanged if `merge` is None.

    Raises:
        CheckFailedError: if the number of steps is not `length`.
    """
    axis = layout.find("T")
    if isinstance(steps, Symbol):
        if merge is not False:
            return steps
        if len(steps) != 1:
            raise CheckFailedError(
                "unroll: a group of symbols is no sequence; give the list of its symbols"
            )
        return list(symbol.split(steps, axis=axis, num_outputs=length, squeeze_axis=1))
    listed = list(steps)
    if length is not None and len(listed) != length:
        raise CheckFailedError(f"unroll: expected {length} steps, got {len(listed)}")
    if not merge:
        return listed
    expanded = [symbol.expand_dims(step, axis=axis) for step in listed]
    joined: Symbol = symbol.concat(*expanded, dim=axis)
    return joined


def split_steps(length: int | None, steps: Any, layout: str) -> list[Symbol]:
    """Returns a sequence as a list of symbols."""
    return list(arrange_steps(length, steps, layout, merge=False))


def merge_steps(length: int | None, steps: Any, layout: str) -> Symbol:
    """Returns a sequence as one symbol."""
    merged = arrange_steps(length, steps, layout, merge=True)
    return merged if isinstance(merged, Symbol) else symbol.Group(merged)


def info_of(shape: tuple[int, ...], layout: str) -> dict[str, Any]:
    """Returns the description of a state."""
    return {"shape": shape, "__layout__": layout}


class _Step:
    """One step of a symbolic cell: `cell` and `F` of the equations of Gluon's cells.

    Args:
        names: Names of results by their names in Gluon. The name manager names the others, after
            Python's operators if they are sums and products.
        activation: Name of the activation, or a function of symbols.
    """

    _recurrent_activation = "sigmoid"
    Activation: Any = staticmethod(symbol.Activation)
    SliceChannel: Any = staticmethod(symbol.SliceChannel)

    def __init__(self, names: Mapping[str, str], activation: Any) -> None:
        self._mx_step = names.get
        self._activation = activation

    def _get_activation(self, F: Any, inputs: Any, activation: Any, name: str | None) -> Any:
        del F
        return activate(inputs, activation, name=name)

    def sigmoid(self, data: Any, name: str | None) -> Any:
        return activate(data, "sigmoid", name=name)

    def elemwise_add(self, left: Any, right: Any, name: str | None) -> Any:
        return left + right if name is None else symbol.elemwise_add(left, right, name=name)

    def elemwise_mul(self, left: Any, right: Any, name: str | None) -> Any:
        return left * right if name is None else symbol.elemwise_mul(left, right, name=name)


class GatedCell(BaseRNNCell):
    """A cell that adds what the input and the state contribute to its gates.

    Subclasses define `_sums`, these contributions.
    """

    _activation: Any = "tanh"
    _num_hidden: int

    def _sums(self, inputs: Symbol, state: Symbol, name: str) -> tuple[Any, Any]:
        raise NotImplementedError

    def _advance(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        name = self._step_name()
        from_input, from_state = self._sums(inputs, states[0], name)
        output = activate(from_input + from_state, self._activation, name=f"{name}out")
        return output, [output]

    def _advance_lstm(
        self, inputs: Symbol, states: Sequence[Symbol], **where: Any
    ) -> tuple[Symbol, list[Symbol]]:
        name = self._step_name()
        from_input, from_state = self._sums(inputs, states[0], name)
        names = {key: f"{name}{key}" for key in ("slice", "i", "f", "c", "o", "state", "out")}
        step = _Step(names, self._activation)
        new_states = lstm_update(step, step, from_input + from_state, states[1], **where)
        return new_states[0], [*new_states]

    def _advance_gru(
        self, inputs: Symbol, states: Sequence[Symbol], infix: str = ""
    ) -> tuple[Symbol, list[Symbol]]:
        name = self._step_name()
        from_input, from_state = self._sums(inputs, states[0], f"{name}{infix}")
        keys = ("i2h_slice", "h2h_slice", "r_act", "z_act", "h_act")
        names = {key: f"{name}_{key}" for key in keys} | {"out": f"{name}out"}
        step = _Step(names, self._activation)
        output = gru_update(step, step, from_input, from_state, states[0], one=1.0)
        return output, [output]


class _DenseCell(GatedCell):
    """A cell that applies fully connected layers to the input and to the state.

    Args:
        num_hidden: Size of the state.
        prefix: Prefix of names.
        params: Variables to share.
        bias: Options of the bias of the input.
    """

    def __init__(self, num_hidden: int, prefix: str, params: RNNParams | None, **bias: Any) -> None:
        super().__init__(prefix=prefix, params=params)
        self._num_hidden = num_hidden
        # In the order of the original, which only affects listings.
        self._iW = self.params.get("i2h_weight")
        self._iB = self.params.get("i2h_bias", **bias)
        self._hW = self.params.get("h2h_weight")
        self._hB = self.params.get("h2h_bias")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of the state."""
        return [info_of((0, self._num_hidden), "NC")]

    def _sums(self, inputs: Symbol, state: Symbol, name: str) -> tuple[Any, Any]:
        size = self._num_hidden * len(self._gate_names)
        from_input = symbol.FullyConnected(
            data=inputs, weight=self._iW, bias=self._iB, num_hidden=size, name=f"{name}i2h"
        )
        from_state = symbol.FullyConnected(
            data=state, weight=self._hW, bias=self._hB, num_hidden=size, name=f"{name}h2h"
        )
        return from_input, from_state


class RNNCell(_DenseCell):
    """A plain recurrent cell: `activation(W x + U h + b)`.

    Args:
        num_hidden: Size of the state.
        activation: Name of the activation, or a function of symbols.
        prefix: Prefix of names.
        params: Variables to share.

    Example:
        >>> import mxnet as mx
        >>> outputs, states = mx.rnn.RNNCell(10).unroll(3, mx.sym.var("data"), merge_outputs=True)
        >>> outputs.infer_shape(data=(2, 3, 5))[1]
        [(2, 3, 10)]
    """

    _gates = ("",)

    def __init__(
        self,
        num_hidden: int,
        activation: Any = "tanh",
        prefix: str = "rnn_",
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        return self._advance(inputs, states)


class LSTMCell(_DenseCell):
    """A cell with long short-term memory; its states are output and memory.

    Args:
        num_hidden: Size of the state.
        prefix: Prefix of names.
        params: Variables to share.
        forget_bias: First value of the bias of the forget gate.
    """

    _gates = ("_i", "_f", "_c", "_o")

    def __init__(
        self,
        num_hidden: int,
        prefix: str = "lstm_",
        params: RNNParams | None = None,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__(num_hidden, prefix, params, init=LSTMBias(forget_bias=forget_bias))

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of output and memory."""
        return super().state_info * 2

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        return self._advance_lstm(inputs, states)


class GRUCell(_DenseCell):
    """A gated recurrent unit, as cuDNN defines it.

    Args:
        num_hidden: Size of the state.
        prefix: Prefix of names.
        params: Variables to share.
    """

    _gates = ("_r", "_z", "_o")

    def __init__(
        self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None
    ) -> None:
        super().__init__(num_hidden, prefix, params)

    def __call__(self, inputs: Symbol, states: Sequence[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Builds one step."""
        return self._advance_gru(inputs, states, infix="_")
