"""Base classes of recurrent cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet._start import public_methods
from mxnet.errors import InvalidArgumentError, UndefinedMethodError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.parameters import ParameterDict
from mxnet.gluon.rnn._sequence import (
    begin_state_of,
    format_sequence,
    last_steps,
    make_state,
    mask_steps,
)
from mxnet.symbol import Symbol

StateInfo = list[dict[str, Any]]

_ACTIVATIONS = ("tanh", "relu", "sigmoid", "softsign")
"""Activations that are operators of their own."""


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


class HybridRecurrentCell(RecurrentCell, HybridBlock):
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
