"""Executors that share a batch, as programs from before `mx.mod.Module` use them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.errors import AttributeValueError, CheckFailedError, InvalidArgumentError
from mxnet.io import DataDesc as DataDesc
from mxnet.module import _data_parallel
from mxnet.module._data_parallel import ParallelExecutors, write_mean
from mxnet.module._data_parallel import split_input_slice as _split_input_slice
from mxnet.ndarray import NDArray

Parts = Sequence[tuple[slice, NDArray]]
"""Arrays of executors, each with the part of the batch that it gets."""


def _check_arguments(symbol: Any) -> None:
    """Raises if two arguments or two auxiliary states have the same name.

    Raises:
        ValueError: if so.
    """
    for what, names in (
        ("argument", symbol.list_arguments()),
        ("auxiliary state", symbol.list_auxiliary_states()),
    ):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise AttributeValueError(
                f"executor_manager: {what} names must differ, got {twice} more than once in {names}"
            )


def _load_general(data: Sequence[Any], targets: Sequence[NDArray | Parts]) -> None:
    """Copies arrays to others: to one of the same shape, or part by part to those of executors."""
    _data_parallel._load_general(data, targets, [0] * len(targets))


def _load_data(batch: Any, targets: Sequence[NDArray | Parts]) -> None:
    """Copies the data of a batch to the arrays of executors."""
    _load_general(batch.data, targets)


def _load_label(batch: Any, targets: Sequence[NDArray | Parts]) -> None:
    """Copies the labels of a batch to the arrays of executors."""
    _load_general(batch.label, targets)


def _bind_exec(
    sym: Any,
    ctx: Any,
    input_shapes: Mapping[str, Any],
    param_names: Sequence[str],
    need_grad: bool | set[str] = False,
    base_exec: Any = None,
    shared_data_arrays: dict[str, Any] | None = None,
    input_types: Mapping[str, Any] | None = None,
    logger: Any = logging,  # noqa: ARG001 - nothing is said of memory, which torch shares
) -> Any:
    """Makes an executor, which may share the arrays of another one.

    Args:
        sym: The network.
        ctx: Context to compute on.
        input_shapes: Shapes of data and labels by name.
        param_names: Arguments that are parameters.
        need_grad: Whether parameters get gradients, or the names of those arguments that do.
        base_exec: Executor whose parameters are shared.
        shared_data_arrays: Arrays by name whose memory the inputs use; new ones are entered.
        input_types: Element types of inputs by name.
        logger: Accepted for compatibility.

    Returns:
        The executor.

    Raises:
        CheckFailedError: if shapes cannot be inferred from those that are given.
        InvalidArgumentError: if `need_grad` is neither a bool nor a set.
    """
    if not isinstance(need_grad, (bool, set)):
        raise InvalidArgumentError(f"need_grad: takes a bool or a set of names, got {need_grad!r}")
    if sym.infer_shape(**input_shapes)[0] is None:
        raise CheckFailedError(
            f"executor_manager: shapes of {sorted(input_shapes)} do not tell those of all arguments"
        )
    wanted = {*param_names} if need_grad is True else need_grad or set()
    arguments = sym.list_arguments()
    return sym.simple_bind(
        ctx,
        {name: "write" if name in wanted else "null" for name in arguments},
        input_types,
        shared_arg_names=None if base_exec is None else list(param_names),
        shared_exec=base_exec,
        shared_buffer=shared_data_arrays,
        **input_shapes,
    )


class DataParallelExecutorGroup(ParallelExecutors):
    """Executors of a network on several contexts, each of which gets a part of every batch.

    Args:
        sym: The network.
        arg_names: Names of its arguments.
        param_names: Those that are parameters.
        ctx: Contexts.
        slices: The part of the batch of each context.
        train_data: Has `provide_data` and `provide_label`: names and shapes of whole batches.
        shared_group: Group of another bucket, whose arrays are shared.
    """

    def __init__(
        self,
        sym: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        ctx: Sequence[Any],
        slices: Sequence[slice],
        train_data: Any,
        shared_group: DataParallelExecutorGroup | None = None,
    ) -> None:
        _check_arguments(sym)
        self.shared_data_arrays: list[dict[str, Any]] = (
            [{} for _ in ctx] if shared_group is None else shared_group.shared_data_arrays
        )
        self.data_names = [description[0] for description in train_data.provide_data]
        self.label_names = [description[0] for description in train_data.provide_label]
        self.aux_names = sym.list_auxiliary_states()
        self.param_idx = [i for i, name in enumerate(arg_names) if name in {*param_names}]
        self.param_names = [arg_names[i] for i in self.param_idx]
        self.slices = slices
        inputs = [*train_data.provide_data, *train_data.provide_label]
        self.execs = [
            _bind_exec(
                sym,
                context,
                {
                    item[0]: (slices[i].stop - slices[i].start, *tuple(item[1])[1:])
                    for item in inputs
                },
                self.param_names,
                need_grad=True,
                base_exec=None if shared_group is None else shared_group.train_execs[i],
                shared_data_arrays=self.shared_data_arrays[i],
                input_types={
                    item.name: item.dtype for item in inputs if isinstance(item, DataDesc)
                },
            )
            for i, context in enumerate(ctx)
        ]
        self.train_execs: list[Any] = self.execs
        self._collect_arrays()

    def load_data_batch(self, data_batch: Any) -> None:
        """Copies a batch to the executors, to each its part."""
        _load_data(data_batch, self.data_arrays)
        _load_label(data_batch, self.label_arrays)

    def forward(self, is_train: bool = False) -> None:
        """Runs all executors."""
        self._run(is_train)

    def backward(self) -> None:
        """Computes the gradients of all executors."""
        for executor in self.train_execs:
            executor.backward()

    def update_metric(self, metric: Any, labels: Sequence[Any], pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs.

        Args:
            metric: The metric.
            labels: Labels of the batch; with `pre_sliced` a list of labels for each context.
            pre_sliced: Whether labels are divided already.
        """
        for i, (executor, piece) in enumerate(zip(self.train_execs, self.slices, strict=True)):
            own = labels[i] if pre_sliced else [label[piece] for label in labels]
            metric.update(own, executor.outputs)


class DataParallelExecutorManager:
    """Trains a network on several contexts: divides batches, collects parameters.

    Args:
        symbol: The network.
        ctx: Contexts.
        train_data: An iterator; its `batch_size`, `provide_data` and `provide_label` count.
        arg_names: Names of arguments, by default those of the network.
        param_names: Those that are parameters.
        aux_names: Names of auxiliary states, by default those of the network.
        work_load_list: Share of each context, by default equal ones.
        logger: Where to log.
        sym_gen: Function from a bucket key to a network, for batches of different lengths.

    Raises:
        InvalidArgumentError: if `work_load_list` is not a list with a share for each context.
    """

    def __init__(
        self,
        symbol: Any,
        ctx: Sequence[Any],
        train_data: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        aux_names: Sequence[str],
        work_load_list: Sequence[float] | None = None,
        logger: Any = None,
        sym_gen: Any = None,
    ) -> None:
        (logger or logging).info("executor_manager: computes on %s", ctx)
        shares = [1] * len(ctx) if work_load_list is None else work_load_list
        if not isinstance(shares, list) or len(shares) != len(ctx):
            raise InvalidArgumentError(
                f"work_load_list: takes a list of {len(ctx)} numbers, got {work_load_list!r}"
            )
        self.slices = _split_input_slice(train_data.batch_size, shares)
        self.arg_names, self.param_names, self.aux_names = arg_names, param_names, aux_names
        self.ctx = ctx
        self.symbol, self.sym_gen = symbol, sym_gen
        self.execgrp = self._make_group(symbol, train_data)
        self.curr_execgrp: DataParallelExecutorGroup | None = None
        if sym_gen is not None:
            self.execgrp_bucket = {train_data.default_bucket_key: self.execgrp}

    def _make_group(
        self, symbol: Any, data: Any, shared: DataParallelExecutorGroup | None = None
    ) -> DataParallelExecutorGroup:
        names = symbol.list_arguments() if shared is not None else self.arg_names
        return DataParallelExecutorGroup(
            symbol, names, self.param_names, self.ctx, self.slices, data, shared
        )

    def install_monitor(self, monitor: Any) -> None:
        """Lets a monitor see what the executors compute.

        Raises:
            NotImplementedError: with buckets, whose executors are made when they are needed.
        """
        if self.sym_gen is not None:
            raise NotImplementedError("install_monitor: works without buckets (sym_gen) only")
        for executor in self.execgrp.train_execs:
            monitor.install(executor)

    def set_params(self, arg_params: Mapping[str, Any], aux_params: Mapping[str, Any]) -> None:
        """Copies parameters and states to all executors; names that are not theirs are ignored."""
        self.execgrp.set_params(arg_params, aux_params, allow_extra=True)

    def copy_to(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Copies the mean over contexts of each parameter and state to arrays by name.

        Args:
            arg_params: Arrays of all parameters, which keep their element types.
            aux_params: Arrays of all auxiliary states.
        """
        for names, replicas, targets in (
            (self.param_names, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, arrays in zip(names, replicas, strict=False):
                write_mean(arrays, targets[name])

    @property
    def param_arrays(self) -> list[list[Any]]:
        """For each parameter its arrays, one of each context."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> list[list[Any]]:
        """For each parameter its gradients, one of each context."""
        return self.execgrp.grad_arrays

    @property
    def aux_arrays(self) -> list[list[Any]]:
        """For each auxiliary state its arrays, one of each context."""
        return self.execgrp.aux_arrays

    def load_data_batch(self, data_batch: Any) -> None:
        """Copies a batch to the executors of its bucket, which are made if they are new."""
        if self.sym_gen is None:
            self.curr_execgrp = self.execgrp
        else:
            key = data_batch.bucket_key
            if key not in self.execgrp_bucket:
                network = self.sym_gen(key)
                self.execgrp_bucket[key] = self._make_group(network, data_batch, self.execgrp)
            self.curr_execgrp = self.execgrp_bucket[key]
        self.curr_execgrp.load_data_batch(data_batch)

    @property
    def _current(self) -> DataParallelExecutorGroup:
        if self.curr_execgrp is None:
            raise CheckFailedError("executor_manager: call load_data_batch before")
        return self.curr_execgrp

    def forward(self, is_train: bool = False) -> None:
        """Runs the executors on the batch that was loaded."""
        self._current.forward(is_train=is_train)

    def backward(self) -> None:
        """Computes the gradients of the batch that was loaded."""
        self._current.backward()

    def update_metric(self, metric: Any, labels: Sequence[Any], pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs; see `DataParallelExecutorGroup.update_metric`."""
        self._current.update_metric(metric, labels, pre_sliced)
