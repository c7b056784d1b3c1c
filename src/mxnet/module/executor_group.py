"""Executors of one symbol on several contexts, each of which gets a part of the batch."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.base import _as_list as as_list
from mxnet.context import Context
from mxnet.errors import CheckFailedError, InvalidArgumentError, UnknownNameError
from mxnet.executor import Executor
from mxnet.executor._bind import Binder
from mxnet.io import DataDesc
from mxnet.module._data_parallel import ParallelExecutors, load, merge, part, split_input_slice
from mxnet.module.base_module import as_description
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

_KEPT_SHAPES = 8
"""For how many shapes of batches executors are kept."""


class DataParallelExecutorGroup(ParallelExecutors):
    """One executor of a symbol for each context.

    Args:
        symbol: The network.
        contexts: Contexts that share the work.
        workload: Share of each context.
        data_shapes: Descriptions of the data.
        label_shapes: Descriptions of the labels, None if there are none.
        param_names: Names of the arguments that are parameters.
        for_training: Whether gradients of the parameters are needed.
        inputs_need_grad: Whether gradients of the data are needed.
        shared_group: Group whose parameters and gradients are used.
        logger: Accepted for compatibility.
        fixed_param_names: Parameters that are not trained.
        grad_req: What to do with gradients: one request, or one for each argument.
        state_names: Arguments that keep their values from one batch to the next.
        group2ctxs: Contexts by name of a `ctx_group`, for each context.

    Attributes:
        execs: The executors.
        input_grad_arrays: For each data input its gradient on each context.
        slices: Part of the batch of each context.
        batch_size: Number of examples in a batch.
    """

    def __init__(
        self,
        symbol: Symbol,
        contexts: Sequence[Context],
        workload: Sequence[float],
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc] | None,
        param_names: Sequence[str],
        for_training: bool,
        inputs_need_grad: bool,
        shared_group: DataParallelExecutorGroup | None = None,
        logger: Any = logging,
        fixed_param_names: Sequence[str] | None = None,
        grad_req: Any = "write",
        state_names: Sequence[str] | None = None,
        group2ctxs: Sequence[Mapping[str, Context]] | None = None,
    ) -> None:
        self.symbol, self.logger = symbol, logger
        self.contexts, self.workload = list(contexts), list(workload)
        self.arg_names, self.aux_names = symbol.list_arguments(), symbol.list_auxiliary_states()
        self.output_names = symbol.list_outputs()
        self.param_names = list(param_names)
        self.fixed_param_names = list(fixed_param_names or ())
        self.state_names = list(state_names or ())
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self.group2ctxs = group2ctxs
        self.grad_req = self._requests(grad_req, [item[0] for item in data_shapes])
        self.output_layouts = [
            DataDesc.get_batch_axis(output.attr("__layout__")) for output in symbol
        ]
        self.execs: list[Executor] = []
        self._shared: list[Executor] | None = None
        self._kept: OrderedDict[Any, list[Executor]] = OrderedDict()
        self.shared_data_arrays: list[dict[str, NDArray]] = [{} for _ in self.contexts]
        """For each context the arguments that are no parameters, whose memory buckets share."""
        self.bind_exec(data_shapes, label_shapes, shared_group)

    def _requests(self, grad_req: Any, data_names: Sequence[str]) -> dict[str, str]:
        """Decides for each argument what happens to its gradient."""
        if not self.for_training:
            return dict.fromkeys(self.arg_names, "null")
        if isinstance(grad_req, (list, tuple)) and len(grad_req) == len(self.arg_names):
            return dict(zip(self.arg_names, grad_req, strict=True))
        if not isinstance(grad_req, (str, Mapping)):
            raise InvalidArgumentError(
                "bind: grad_req takes a request, a list with one for each of the "
                f"{len(self.arg_names)} arguments, or a dict by name; got {grad_req!r}"
            )
        usual = grad_req if isinstance(grad_req, str) else "write"
        trained = set(self.param_names) - set(self.fixed_param_names)
        if self.inputs_need_grad:
            trained |= set(data_names)
        requests = {name: usual if name in trained else "null" for name in self.arg_names}
        if isinstance(grad_req, Mapping):
            requests |= {name: req for name, req in grad_req.items() if name in requests}
        return requests

    def bind_exec(
        self,
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc] | None,
        shared_group: DataParallelExecutorGroup | None = None,
        reshape: bool = False,
    ) -> None:
        """Makes the executors for batches of some shapes, or takes those that were made before."""
        del reshape
        if shared_group is not None:
            self._shared = shared_group.execs
            self.shared_data_arrays = shared_group.shared_data_arrays
        self.data_shapes = [as_description(item) for item in data_shapes]
        self.label_shapes = (
            None if label_shapes is None else [as_description(item) for item in label_shapes]
        )
        self.data_names = [item.name for item in self.data_shapes]
        self.label_names = [item.name for item in self.label_shapes or ()]
        self._decide_slices()
        key = tuple((d.name, d.shape, str(d.dtype), d.layout) for d in self._inputs())
        execs = self._kept.pop(key, None)
        if execs is None:
            execs = [self._bind_one(position) for position in range(len(self.contexts))]
        for before, executor in zip(self.execs, execs, strict=False):
            # A monitor is not installed again: the arrays that it lists are those of the first
            # shapes.
            executor._keep_monitor(before)
        self._kept[key] = execs
        while len(self._kept) > _KEPT_SHAPES:
            self._kept.popitem(last=False)
        self.execs = self._shared = execs
        self._collect_arrays()

    def reshape(
        self, data_shapes: Sequence[DataDesc], label_shapes: Sequence[DataDesc] | None
    ) -> None:
        """Makes the group take batches of other shapes."""
        if data_shapes == self.data_shapes and label_shapes == self.label_shapes:
            return
        self.bind_exec(data_shapes, label_shapes)

    @property
    def _total_exec_bytes(self) -> int:
        """Megabytes that the executors' values take at a time, under the original's name."""
        return sum(executor._megabytes for executor in self.execs)

    def _inputs(self) -> list[DataDesc]:
        return [*self.data_shapes, *(self.label_shapes or ())]

    def _decide_slices(self) -> None:
        """Finds the size of the batch and divides it among the contexts."""
        self.batch_size = 0
        inputs = self._inputs()
        axes = self.decide_slices(inputs)
        self._axes = {item.name: axis for item, axis in zip(inputs, axes, strict=True)}
        self.slices = split_input_slice(self.batch_size, self.workload)

    def decide_slices(self, data_shapes: Sequence[DataDesc]) -> list[int]:
        """Returns the axis of the batch of inputs, -1 for those that have none.

        Args:
            data_shapes: Descriptions of the inputs.

        Raises:
            InvalidArgumentError: if their batches differ in size, or from those before.
        """
        axes = []
        for item in data_shapes:
            axis = DataDesc.get_batch_axis(item.layout)
            if axis < 0 or axis >= len(item.shape):
                axes.append(-1)
                continue
            axes.append(axis)
            size = item.shape[axis]
            if self.batch_size not in (0, size):
                raise InvalidArgumentError(
                    f"bind: all inputs must have a batch of the same size, {self.batch_size}, "
                    f"got {item.name} of shape {item.shape}"
                )
            self.batch_size = size
        return axes

    def _bind_one(self, position: int) -> Executor:
        size = self.slices[position].stop - self.slices[position].start
        shapes: dict[str, Any] = {}
        types: dict[str, Any] = {}
        for item in self._inputs():
            axis = self._axes[item.name]
            shape = list(item.shape)
            if axis >= 0:
                shape[axis] = size
            shapes[item.name], types[item.name] = tuple(shape), item.dtype
        unknown = [name for name in shapes if name not in self.arg_names]
        if unknown:
            raise UnknownNameError(f"bind: the symbol has no argument {unknown[0]!r}")
        shared = None if self._shared is None else self._shared[position]
        known = {} if shared is None else shared.arg_dict
        pool = {name: known[name] for name in self.state_names if name in known}
        if not self.execs:  # batches of other shapes have arrays of their own
            pool |= self.shared_data_arrays[position]
        # Not by `simple_bind`, whose own arguments have names that an input may have too.
        executor = Binder.simple_bind(
            self.symbol,
            self.contexts[position],
            self.grad_req,
            (types, None),
            None if self.group2ctxs is None else self.group2ctxs[position],
            ([name for name in self.param_names if name in known], shared, pool),
            shapes,
        )
        if not self.execs:
            own = [n for n in self.arg_names if n in pool and n not in self.param_names]
            self.shared_data_arrays[position].update((name, pool[name]) for name in own)
        return executor

    def _collect_arrays(self) -> None:
        self.param_names = [name for name in self.arg_names if name in set(self.param_names)]
        super()._collect_arrays()
        self.state_arrays = self._gather(self.state_names, "arg_dict")
        self.input_grad_arrays = (
            self._gather(self.data_names, "grad_dict") if self.inputs_need_grad else []
        )

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Computes the outputs of a batch.

        Args:
            data_batch: The batch, or a list with one of each context.
            is_train: Whether as in training; by default if the group is for training.
        """
        batches = data_batch if isinstance(data_batch, list) else [data_batch]
        self._load(self.data_names, self.data_arrays, [batch.data for batch in batches])
        labels = [getattr(batch, "label", None) for batch in batches]
        if self.label_names and all(labels):
            self._load(self.label_names, self.label_arrays, labels)
        self._run(self.for_training if is_train is None else bool(is_train))

    def _load(
        self,
        names: Sequence[str],
        arrays: Sequence[Sequence[tuple[slice, NDArray]]],
        given: Sequence[Any],
    ) -> None:
        """Copies inputs to where the executors read them."""
        for number, (name, row) in enumerate(zip(names, arrays, strict=False)):
            targets = [array for _, array in row]
            sources = [batch[number] for batch in given]
            if len(sources) == 1:
                load(name, sources[0], targets, self.slices, self._axes[name])
                continue
            for source, target in zip(sources, targets, strict=True):
                load(name, source, [target], [slice(None)], -1)

    def backward(self, out_grads: Any = None) -> None:
        """Computes gradients.

        Args:
            out_grads: Gradients of the outputs, which can be left out for losses.
        """
        if not self.for_training:
            raise CheckFailedError("backward: bind with for_training=True to compute gradients")
        given = [] if out_grads is None else as_list(out_grads)
        for executor, piece in zip(self.execs, self.slices, strict=True):
            if len(self.execs) == 1:
                parts = [item.as_in_context(self.contexts[0]) for item in given]
            else:
                parts = [
                    part(item, piece, axis).as_in_context(executor._ctx)
                    for item, axis in zip(given, self.output_layouts, strict=False)
                ]
            executor.backward(parts)

    def get_outputs(
        self, merge_multi_context: bool = True, begin: int = 0, end: int | None = None
    ) -> list[Any]:
        """Returns the outputs, put together or as a list of those of each context."""
        outputs = [
            [executor.outputs[number] for executor in self.execs]
            for number in range(len(self.output_names))
        ][begin:end]
        if not merge_multi_context:
            return outputs
        return [merge(*item) for item in zip(outputs, self.output_layouts[begin:end], strict=True)]

    def get_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Returns names and shapes of the outputs of a whole batch."""
        output_shapes = []
        for name, output, axis in zip(
            self.output_names, self.execs[0].outputs, self.output_layouts, strict=True
        ):
            shape = list(output.shape)
            if 0 <= axis < len(shape) and len(self.execs) > 1:
                shape[axis] = self.batch_size
            output_shapes.append((name, tuple(shape)))
        return output_shapes

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the gradients of the data."""
        if not self.inputs_need_grad:
            raise CheckFailedError("get_input_grads: bind with inputs_need_grad=True to have them")
        if not merge_multi_context:
            return self.input_grad_arrays
        axes = [self._axes[name] for name in self.data_names]
        return [merge(*item) for item in zip(self.input_grad_arrays, axes, strict=True)]

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the states, which stay separate for each context."""
        if merge_multi_context:
            raise InvalidArgumentError("get_states: takes merge_multi_context=False")
        return self.state_arrays

    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Sets the states to arrays, as `get_states` gives them, or to one number."""
        if (states is None) == (value is None):
            raise InvalidArgumentError("set_states: takes either states or value")
        for number, targets in enumerate(self.state_arrays):
            for position, target in enumerate(targets):
                if states is None:
                    target[:] = value
                else:
                    as_list(states[number])[position].copyto(target)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs of the last batch.

        Args:
            eval_metric: The metric.
            labels: Labels of the batch, or lists of those of each context.
            pre_sliced: Whether the labels are lists of those of each context.
        """
        for position, executor in enumerate(self.execs):
            if pre_sliced:
                chosen = labels[position]
            else:
                chosen = [
                    part(label, self.slices[position], self._axes.get(name, 0))
                    for name, label in zip(self._label_order(labels), labels or (), strict=False)
                ]
            names = self._label_order(chosen)
            eval_metric.update_dict(
                OrderedDict(zip(names, chosen or (), strict=False)),
                OrderedDict(zip(self.output_names, executor.outputs, strict=True)),
            )

    def _label_order(self, labels: Any) -> Sequence[str]:
        return self.label_names or [f"label{number}" for number in range(len(labels or ()))]

    def install_monitor(self, mon: Any) -> None:
        """Lets a monitor see what the executors compute, and those that are made later."""
        for execs in self._kept.values():
            for executor in execs:
                mon.install(executor)
