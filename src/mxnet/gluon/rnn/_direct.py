"""Recurrent layers on the CPU, without the vector of all parameters that the operator takes.

To join the parameters, to take the vector apart again and to do the same to gradients takes as long
as a small network itself. Graphs and GPUs need the vector; a call on arrays of the CPU does not.
What `autograd.get_symbol` finds is the operator with its vector all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from torch import Tensor

from mxnet._arrays.array import Origin, Recorded, Source, finish, origin_of, tie
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet._state import modes
from mxnet.context import Context
from mxnet.gluon.parameters import Parameter
from mxnet.ndarray import NDArray
from mxnet.ops.core.registry import KERNEL_ERRORS, get_op
from mxnet.ops.nn.rnn import Plan, parameter_shapes, run_cells

_RNN, _JOIN, _RESHAPE = get_op("RNN"), get_op("_rnn_param_concat"), get_op("Reshape")
"""What a graph of the call consists of."""

_SETTINGS = ("lstm_state_clip_min", "lstm_state_clip_max", "use_sequence_length")
"""Options with which the operator does more than its cells say."""


class DirectRun:
    """What a layer computes, if its parameters need not be joined.

    Args:
        options: Attributes of the operator.
        names: Names of the parameters, in the order of the operator's vector.
    """

    def __init__(self, options: Mapping[str, Any], names: Sequence[str]) -> None:
        self.is_plain = not any(options[name] for name in _SETTINGS)
        self._options = options
        self._names = tuple(names)
        projection: int | None = options["projection_size"]
        directions = 1 + options["bidirectional"]
        self.plan = Plan(
            options["mode"], options["state_size"], options["num_layers"], directions, projection
        )
        self._drops = options["p"] != 0 and options["num_layers"] > 1
        num_cells = options["num_layers"] * directions
        width = 3 if projection else 2
        biases = width * num_cells
        self._places = [
            (
                *range(width * cell, width * cell + 2),
                *range(biases + 2 * cell, biases + 2 * cell + 2),
                *range(width * cell + 2, width * (cell + 1)),
            )
            for cell in range(num_cells)
        ]
        """For each cell where its parameters are among the names, in the order of `run_cells`."""
        sizes = [self.plan.output_size, self.plan.state_size][: 1 + (options["mode"] == "lstm")]
        self._zeros: tuple[Tensor, ...] | None = None
        """Zeros that the last call began with; they are never written to nor handed out."""
        self._state_shapes = [(num_cells, size) for size in sizes]

    @cached_property
    def _attrs(self) -> dict[str, Any]:
        return _RNN.parse_attrs(self._options)

    def run(
        self, inputs: NDArray, states: Sequence[NDArray] | None, parameters: Mapping[str, Parameter]
    ) -> list[NDArray] | None:
        """Runs the layer, if that is as simple as it mostly is.

        Args:
            inputs: Sequences of shape `(time, batch, input)`.
            states: First states; zeros if None.
            parameters: All parameters by name.

        Returns:
            Outputs and, if the first states are given, the last states. None if the operator must
            look at the call: its arrays do not fit each other, or something is dropped.
        """
        data, ctx = inputs._read(), inputs._ctx
        if not data.is_cpu or data.ndim != 3 or (self._drops and modes.training):
            return None
        if any([item._is_np is not modes.np_array for item in (inputs, *(states or ()))]):
            return None  # the operator refuses arrays of the other dialect
        weights = self._find(parameters, ctx)
        if weights is None:
            return None
        tensors = [item._read() for item in weights]
        first = self._read_states(data, states)
        if first is None or not self._fits(data, tensors):
            return None
        cells = [[tensors[place] for place in places] for places in self._places]
        try:
            results = run_cells(data, cells, first, self.plan)[: 1 if states is None else None]
        except KERNEL_ERRORS:  # which the operator explains
            return None
        lent = (data, *first)
        arrays = [finish(item, lent, inputs._dialect_class, ctx.results) for item in results]
        if modes.recording:
            origins = [origin_of(item) for item in states or ()]
            origins += [Source(item, ctx, False) for item in first[len(origins) :]]
            self._note_origins(arrays, inputs, weights, origins)
        return arrays

    def _find(self, parameters: Mapping[str, Parameter], ctx: Context) -> list[NDArray] | None:
        """Returns the values of the parameters on a context; None if one is not simply there."""
        values = []
        for name in self._names:
            parameter = parameters[name]
            arrays = parameter._data
            # A class of its own may compute its value.
            if type(parameter) is not Parameter or arrays is None:
                return None
            if type(arrays[0]) not in ARRAY_DIALECTS or arrays[0]._ctx is not ctx:
                return None
            values.append(arrays[0])
        return values

    def _read_states(
        self, data: Tensor, states: Sequence[NDArray] | None
    ) -> tuple[Tensor, ...] | None:
        """Returns the first states; None if they do not fit."""
        batch = data.shape[1]
        shapes = [(cells, batch, size) for cells, size in self._state_shapes]
        if states is None:
            zeros = self._zeros
            if zeros is None or zeros[0].shape[1] != batch or zeros[0].dtype is not data.dtype:
                zeros = self._zeros = tuple([data.new_zeros(shape) for shape in shapes])
            return zeros
        read = tuple([item._read() for item in states])
        is_alike = [item.shape for item in read] == shapes
        return read if is_alike and all(item.dtype is data.dtype for item in read) else None

    def _fits(self, data: Tensor, tensors: Sequence[Tensor]) -> bool:
        """Returns whether data and parameters are what the operator would accept."""
        dtype = data.dtype
        if not dtype.is_floating_point or any([item.dtype is not dtype for item in tensors]):
            return False
        weights, biases = parameter_shapes(self.plan, data.shape[2])
        return [item.shape for item in tensors] == [*weights, *biases]

    def _note_origins(
        self,
        arrays: Sequence[NDArray],
        inputs: NDArray,
        weights: Sequence[NDArray],
        states: Sequence[Origin | None],
    ) -> None:
        flat = tuple([(_RESHAPE, (origin_of(item),), {"shape": (-1,)}, 0) for item in weights])
        vector = (_JOIN, flat, {"dim": 0}, 0)
        origins = (origin_of(inputs), vector, *states)
        for number, array in enumerate(arrays):
            if isinstance(array._role, Recorded):
                array._role.origin = (_RNN, origins, self._attrs, number)
        if len(arrays) > 1:
            tie(arrays)
