"""What all symbolic cells share: parameters, states, unrolling, and weights by gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet._start import PublicInit
from mxnet.errors import CheckFailedError, UndefinedMethodError
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
