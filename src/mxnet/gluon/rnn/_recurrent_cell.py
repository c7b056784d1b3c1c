"""Base classes of recurrent cells, and sequences in both forms that cells take.

A sequence is one array with a time axis, or a list of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet._frontend.dialect import current_dialect, functions_for
from mxnet._start import public_call, public_methods
from mxnet._state import modes
from mxnet.errors import InvalidArgumentError, UndefinedMethodError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.hybrid.deferred import strip_data
from mxnet.gluon.parameters import ParameterDict
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

if TYPE_CHECKING:
    from mxnet.numpy import ndarray

StateInfo = list[dict[str, Any]]

_ACTIVATIONS = ("tanh", "relu", "sigmoid", "softsign")
"""Activations that are operators of their own."""


def as_list(obj: Any) -> list[Any]:
    """Returns a list or tuple as a list, and anything else as a list of one."""
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]


def format_sequence(
    length: int | None,
    inputs: NDArray | Sequence[NDArray],
    layout: str,
    merge: bool | None,
    in_layout: str | None = None,
) -> tuple[Any, int, Any, int]:
    """Converts a sequence to the wanted form.

    Args:
        length: Number of steps it must have, None for any.
        inputs: The sequence.
        layout: Axes of the merged form, `"NTC"` or `"TNC"`.
        merge: True for one array, False for a list of steps, None for the form it has.
        in_layout: Axes that a merged sequence has now, those of `layout` if not given.

    Returns:
        The sequence, its time axis, the operators for it, and the batch size.
    """
    axis, batch_axis = layout.find("T"), layout.find("N")
    in_axis = in_layout.find("T") if in_layout is not None else axis
    if axis < 0 or in_axis < 0:
        raise InvalidArgumentError(f"unroll: layout needs a time axis T, got {layout!r}")
    first = next(iter(as_list(inputs)), None)
    functions = functions_for(first)
    if isinstance(first, Symbol):
        return _format_symbols(functions, length, inputs, axis, in_axis, merge), axis, functions, 0
    if isinstance(inputs, NDArray):
        _check_length(length, inputs.shape[in_axis])
        batch_size = inputs.shape[batch_axis]
        if merge is False:
            inputs = split_steps(functions, inputs, inputs.shape[in_axis], in_axis)
        elif in_axis != axis:
            inputs = functions.swapaxes(inputs, dim1=axis, dim2=in_axis)
        return inputs, axis, functions, batch_size
    steps = list(inputs)
    _check_length(length, len(steps))
    if not steps or not isinstance(steps[0], NDArray):
        raise InvalidArgumentError(
            "unroll: inputs must be an NDArray or a list of one or more NDArrays"
        )
    batch_size = steps[0].shape[batch_axis if batch_axis < axis else batch_axis - 1]
    return (functions.stack(*steps, axis=axis) if merge else steps), axis, functions, batch_size


def _format_symbols(
    functions: ModuleType,
    length: int | None,
    inputs: Any,
    axis: int,
    in_axis: int,
    merge: bool | None,
) -> Any:
    """Converts a sequence of symbols, whose shapes are not known, to the wanted form."""
    if isinstance(inputs, Symbol) and len(inputs) == 1:
        if merge is False:
            if length is None:
                raise InvalidArgumentError(
                    "unroll: a symbol is split only into a given number of steps"
                )
            return list(functions.split(inputs, num_outputs=length, axis=in_axis, squeeze_axis=1))
        return functions.swapaxes(inputs, dim1=axis, dim2=in_axis) if in_axis != axis else inputs
    steps = list(inputs)
    _check_length(length, len(steps))
    return functions.stack(*steps, axis=axis) if merge else steps


def _check_length(expected: int | None, length: int) -> None:
    if expected is not None and expected != length:
        raise InvalidArgumentError(f"unroll: expected a sequence of {expected} steps, got {length}")


def split_steps(F: Any, data: Any, length: int, axis: int) -> list[Any]:
    """Splits an array or a symbol into its steps."""
    steps = F.split(data, num_outputs=length, axis=axis, squeeze_axis=True)
    return list(steps) if isinstance(steps, Symbol) else as_list(steps)


def mask_steps(
    F: Any, data: Any, length: int, valid_length: Any, time_axis: int, merge: bool | None
) -> Any:
    """Sets the steps beyond the length of each sequence to zero.

    Args:
        F: The operators.
        data: A sequence in either form.
        length: Number of steps.
        valid_length: Length of each sequence, of shape `(batch,)`.
        time_axis: Axis of the time in the merged form.
        merge: Whether one array is wanted, not a list of steps.
    """
    if valid_length is None:
        raise InvalidArgumentError("mask: valid_length is needed, got None")
    if isinstance(data, (list, tuple)):
        _check_length(length, len(data))
        data = F.stack(*data, axis=time_axis)
    masked = F.SequenceMask(
        data, sequence_length=valid_length, use_sequence_length=True, axis=time_axis
    )
    return masked if merge else split_steps(F, masked, length, time_axis)


def reverse_steps(
    sequences: Sequence[Any], unroll_step: int, valid_length: Any = None
) -> list[Any]:
    """Reverses a list of steps, each sequence of the batch within its own length."""
    if valid_length is None:
        return list(reversed(sequences))
    _check_length(unroll_step, len(sequences))
    functions = functions_for(sequences[0])
    stacked = functions.stack(*sequences, axis=0)
    turned = functions.SequenceReverse(
        stacked, sequence_length=valid_length, use_sequence_length=True
    )
    return split_steps(functions, turned, unroll_step, 0)


def last_steps(F: Any, all_states: Sequence[Sequence[Any]], valid_length: Any) -> list[Any]:
    """Returns each state as it was at the end of each sequence."""
    return [
        F.SequenceLast(
            F.stack(*steps, axis=0), sequence_length=valid_length, use_sequence_length=True, axis=0
        )
        for steps in zip(*all_states, strict=True)
    ]


def make_state(func: Callable[..., Any], name: str, info: dict[str, Any]) -> Any:
    """Makes one state by a function such as `nd.zeros`.

    Args:
        func: The function, called with `name`, `shape` and what else `info` holds.
        name: Name of the state.
        info: Shape and options; the layout, which describes a state, is kept by symbols alone.
    """
    if func is nd.zeros and modes.np_array:
        func = current_dialect().array_functions.zeros
    keeps_layout = getattr(func, "__module__", "").startswith(symbol.__name__)
    options = {key: item for key, item in info.items() if keeps_layout or key != "__layout__"}
    if "device" in options:
        options["ctx"] = options.pop("device")
    # Functions of mx.np, which MXNet 2 takes here, give no names.
    is_numpy = getattr(func, "__module__", "").startswith("mxnet.numpy")
    state = func(**options) if is_numpy else func(name=name, **options)
    # During shape inference everything runs on arrays without data.
    return strip_data(state) if modes.probing else state


def begin_state_of(cell: Any, F: Any, begin_state: Any, inputs: Any, batch_size: int) -> Any:
    """Returns the first states of an unroll: those given, or zeros beside the inputs."""
    if begin_state is not None:
        return begin_state
    first = inputs[0] if isinstance(inputs, (list, tuple)) else inputs
    if isinstance(first, Symbol):
        return cell.begin_state(func=F.zeros)
    options = {} if first.dtype == np.float32 else {"dtype": first.dtype}
    with first.context:
        return cell.begin_state(func=F.zeros, batch_size=batch_size, **options)


_ARGS_OF_MXNET2 = 3
"""Arguments of `infer_shape` in MXNet 2, one more than a call takes."""


@public_methods("unroll", "begin_state")
class RecurrentCell(Block):
    """A cell computes one step of a recurrent network: ``output, states = cell(input, states)``.

    Args:
        prefix: Prefix of the names of parameters.
        params: Parameters to share with another cell.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> class Sum(rnn.RecurrentCell):
        ...     def state_info(self, batch_size=0):
        ...         return [{"shape": (batch_size, 2), "__layout__": "NC"}]
        ...     def forward(self, inputs, states):
        ...         total = inputs + states[0]
        ...         return total, [total]
        >>> cell = Sum()
        >>> outputs, _ = cell.unroll(3, mx.nd.ones((1, 3, 2)), merge_outputs=True)
        >>> print(outputs[0].asnumpy())
        [[1. 1.]
         [2. 2.]
         [3. 3.]]
    """

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Drops state kept from the last sequence; `unroll` calls it first."""
        self._init_counter = -1
        self._counter = -1
        for child in self._children.values():
            if isinstance(child, RecurrentCell):
                child.reset()

    def state_info(self, batch_size: int = 0) -> StateInfo:
        """Describes the states: shape and layout of each."""
        del batch_size
        raise UndefinedMethodError(f"{type(self).__name__} does not define state_info")

    @public_call
    def infer_shape(self, *args: Any) -> None:
        """Finds out the shapes of parameters, from a call or from a sequence.

        Args:
            *args: What a call takes; or, as in MXNet 2, the place of the cell in a stack, a
                sequence, and whether the cells below go in both directions.

        Example:
            >>> import mxnet as mx
            >>> cell = mx.gluon.rnn.LSTMCell(4)
            >>> cell.infer_shape(0, mx.nd.ones((2, 3, 5)), False)
            >>> cell.i2h_weight.shape
            (16, 5)
        """
        if len(args) != _ARGS_OF_MXNET2 or not isinstance(args[0], int):
            HybridBlock.infer_shape(self, *args)  # type: ignore[arg-type]  # hybrid ones are these
        else:
            self._mx_take_features(*args)

    def _mx_take_features(self, place: int, sequence: Any, is_both_ways: bool) -> None:
        """Learns from a sequence what infer_shape of MXNet 2 does; most cells ask those inside."""
        cells: Any = self._children.values()
        for cell in cells:
            cell.infer_shape(place, sequence, is_both_ways)

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __call__(
            self, inputs: ndarray, states: Any, /, *args: Any, **kwargs: Any
        ) -> tuple[ndarray, list[ndarray]]: ...
        @overload
        def __call__(
            self, inputs: NDArray, states: Any, /, *args: Any, **kwargs: Any
        ) -> tuple[NDArray, list[NDArray]]: ...
        @overload
        def __call__(self, inputs: Any, states: Any, /, *args: Any, **kwargs: Any) -> Any: ...
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            """Computes one step: the output and the new states."""

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """Makes the first states.

        Args:
            batch_size: Size of the batch.
            func: Function that makes an array, called with `name` and `shape`.
            **kwargs: Other arguments of the function, such as `ctx` and `dtype`.
        """
        self._check_not_modified()
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(make_state(func, name, {**info, **kwargs}))
        return states

    def _check_not_modified(self) -> None:
        if self._modified:
            raise InvalidArgumentError(
                f"{type(self).__name__} {self.name!r} is inside of a modifier cell such as "
                "ZoneoutCell and cannot be used directly: call the modifier cell"
            )

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """Runs the cell over a sequence.

        Args:
            length: Number of steps.
            inputs: One array with a time axis, or a list of steps of shape `(batch, ...)`.
            begin_state: First states, zeros if not given.
            layout: Axes of merged inputs and outputs, such as `"NTC"`.
            merge_outputs: Whether outputs are one array (True) or a list of steps (False); None
                chooses the faster one.
            valid_length: Length of each sequence, of shape `(batch,)`: outputs beyond it are zero,
                and the states are those at its end.

        Returns:
            Outputs of all steps, and the last states.
        """
        self.reset()
        steps, axis, functions, batch_size = format_sequence(length, inputs, layout, False)
        states = begin_state_of(self, functions, begin_state, steps, batch_size)
        outputs: Any = []
        all_states: list[Sequence[Any]] = []
        for step in steps:
            output, states = self(step, states)
            outputs.append(output)
            if valid_length is not None:
                all_states.append(states)
        if valid_length is not None:
            states = last_steps(functions, all_states, valid_length)
            outputs = mask_steps(functions, outputs, length, valid_length, axis, True)
        return format_sequence(length, outputs, layout, merge_outputs)[0], states

    def _get_activation(self, F: Any, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        """Applies an activation given by name, or a block or function."""
        if not isinstance(activation, str):
            return activation(inputs)
        if activation in _ACTIVATIONS:
            return getattr(F, activation)(inputs, **kwargs)
        return F.Activation(inputs, act_type=activation, **kwargs)

    def forward(self, inputs: Any, states: Any) -> Any:
        """Computes one step: the output and the new states."""
        self._counter += 1
        return super().forward(inputs, states)

    def _mx_step(self, name: str) -> str:
        """Returns the name of a result of the current step, for graphs."""
        return f"t{self._counter}_{name}"


class HybridRecurrentCell(RecurrentCell, HybridBlock):  # type: ignore[misc]  # calls of cells
    """A recurrent cell written as `hybrid_forward(F, inputs, states, ...)`.

    Args:
        prefix: Prefix of the names of parameters.
        params: Parameters to share with another cell.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import rnn
        >>> class Sum(rnn.HybridRecurrentCell):
        ...     def state_info(self, batch_size=0):
        ...         return [{"shape": (batch_size, 2), "__layout__": "NC"}]
        ...     def hybrid_forward(self, F, inputs, states):
        ...         total = F.elemwise_add(inputs, states[0])
        ...         return total, [total]
        >>> cell = Sum()
        >>> outputs, _ = cell.unroll(3, mx.nd.ones((1, 3, 2)), merge_outputs=True)
        >>> print(outputs[0].asnumpy())
        [[1. 1.]
         [2. 2.]
         [3. 3.]]
    """

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def _mx_remembers(self) -> bool:
        children = self._children.values()
        return any(
            isinstance(cell, HybridRecurrentCell) and cell._mx_remembers() for cell in children
        )

    def _mx_graph_to_export(self, structure: Sequence[Any]) -> Symbol:
        self.reset()  # state that calls left behind is arrays
        self._counter = 0
        try:
            return super()._mx_graph_to_export(structure)
        finally:
            self.reset()


class GatedCell(HybridRecurrentCell):
    """Base of cells that compute gates from the input and from the hidden state.

    Subclasses define `_gates`, what input and hidden state contribute to the gates, and
    `_advance`, the output and the next states.
    """

    def _register_parameters(
        self, shapes: Mapping[str, tuple[int | None, ...]], initializers: Mapping[str, Any]
    ) -> None:
        """Registers the parameters in the order of their initializers."""
        for name, init in initializers.items():
            parameter = self.params.get(
                name, shape=shapes[name], init=init, allow_deferred_init=True
            )
            setattr(self, name, parameter)

    def _gates(
        self, F: Any, inputs: Any, state: Any, weights: tuple[Any, Any], biases: tuple[Any, Any]
    ) -> tuple[Any, Any]:
        """Returns what input and hidden state contribute to the gates."""
        raise NotImplementedError

    def _advance(self, F: Any, i2h: Any, h2h: Any, states: Any) -> tuple[Any, list[Any]]:
        """Returns the output and the next states from the contributions to the gates."""
        raise NotImplementedError

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> tuple[Any, list[Any]]:
        """Computes one step."""
        i2h, h2h = self._gates(F, inputs, states[0], (i2h_weight, h2h_weight), (i2h_bias, h2h_bias))
        return self._advance(F, i2h, h2h, states)
