"""Checkpoints of symbols, helpers of training loops, and the old interface `FeedForward`."""

from __future__ import annotations

import logging
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mxnet import optimizer as opt
from mxnet._start import level_of_program, tracebacks
from mxnet.callback import LogValidationMetricsCallback
from mxnet.context import Context, cpu
from mxnet.errors import ArgumentValueError, CheckFailedError, MXNetError, UnsupportedTypeError
from mxnet.initializer import Uniform
from mxnet.io import DataBatch, DataIter, NDArrayIter
from mxnet.module import BucketingModule, Module
from mxnet.module._checkpoints import BatchEndParam as BatchEndParam
from mxnet.module._checkpoints import load_checkpoint as load_checkpoint
from mxnet.module._checkpoints import load_params as load_params
from mxnet.module._checkpoints import save_checkpoint as save_checkpoint
from mxnet.module._loops import as_metric, iterate_outputs, notify
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

__all__ = ["BatchEndParam", "FeedForward", "load_checkpoint", "load_params", "save_checkpoint"]


def as_iterator(data: Any, label: Any, batch_size: int, *, is_train: bool) -> Any:
    """Returns an iterator as it is, and makes one of arrays.

    Args:
        data: The iterator, or an array of examples.
        label: One number for each example; zeros if they are not needed.
        batch_size: Size of the batches of an array.
        is_train: Whether labels are needed, and examples come in random order.
    """
    if isinstance(data, DataIter) or hasattr(data, "provide_data"):
        return data
    if not isinstance(data, (NDArray, np.ndarray)):
        raise UnsupportedTypeError(
            f"FeedForward: X takes a DataIter or an array, got {type(data).__name__}"
        )
    if label is None:
        if is_train:
            raise ArgumentValueError("FeedForward: X is an array, so that y must be given")
        label = np.zeros(data.shape[0])
    label = label.asnumpy() if isinstance(label, NDArray) else np.asarray(label)
    if len(label) != data.shape[0] or label.size != len(label):
        raise ArgumentValueError(
            f"FeedForward: y takes a number for each of {data.shape[0]} examples, "
            f"got shape {label.shape}"
        )
    return NDArrayIter(
        data,
        label.ravel(),
        min(data.shape[0], batch_size),
        shuffle=is_train,
        last_batch_handle="roll_over" if is_train else "pad",
    )


def as_eval_iterator(eval_data: Any, batch_size: int) -> Any:
    """Returns an iterator as it is, and makes one of a pair of data and labels."""
    if eval_data is None or isinstance(eval_data, DataIter):
        return eval_data
    if isinstance(eval_data, (tuple, list)) and len(eval_data) == 2:
        data, label = eval_data
        data = np.asarray(data) if isinstance(data, list) else data
        return as_iterator(data, label, batch_size, is_train=label is not None)
    raise UnsupportedTypeError(
        "FeedForward: eval_data takes a DataIter or a pair of arrays, "
        f"got {type(eval_data).__name__}"
    )


DEFAULT_INITIALIZER = Uniform(0.01)
LOG_VALIDATION = LogValidationMetricsCallback()

Params = dict[str, NDArray]


class FeedForward:
    """A network with `fit` and `predict`, the interface that `mx.mod.Module` has replaced.

    Args:
        symbol: The network, or a function that gives it for a bucket key.
        ctx: Context, or several that share each batch.
        num_epoch: Number of the epoch before which to stop.
        epoch_size: Number of batches in an epoch; by default all that the data has.
        optimizer: An optimizer or its name.
        initializer: Gives parameters their first values.
        numpy_batch_size: Size of the batches of data that is given as arrays.
        arg_params: Parameters by name.
        aux_params: Auxiliary states by name.
        allow_extra_params: Whether parameters may be given that the network does not have.
        begin_epoch: Number of the first epoch.
        **kwargs: Arguments of the optimizer.

    Example:
        >>> import warnings
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
        >>> params = {"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros(2)}
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     model = mx.model.FeedForward(net, arg_params=params, aux_params={})
        >>> print(model.predict(mx.nd.array([[1, 2, 3]])))
        [[6. 6.]]
    """

    def __init__(
        self,
        symbol: Symbol | Callable[[Any], Symbol],
        ctx: Context | Sequence[Context] | None = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = DEFAULT_INITIALIZER,
        numpy_batch_size: int = 128,
        arg_params: Params | None = None,
        aux_params: Params | None = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: Any,
    ) -> None:
        warnings.warn(
            "mx.model.FeedForward is deprecated; mx.mod.Module is its successor",
            DeprecationWarning,
            stacklevel=level_of_program(),
        )
        is_symbol = isinstance(symbol, Symbol)
        self.symbol: Any = symbol if is_symbol else None
        self.sym_gen: Any = None if is_symbol else symbol
        given = cpu() if ctx is None else ctx
        self.ctx = [given] if isinstance(given, Context) else list(given)
        self.num_epoch, self.epoch_size, self.begin_epoch = num_epoch, epoch_size, begin_epoch
        self.optimizer, self.initializer, self.kwargs = optimizer, initializer, kwargs.copy()
        self.numpy_batch_size = numpy_batch_size
        self.arg_params, self.aux_params = arg_params, aux_params
        self.allow_extra_params = allow_extra_params

    def _make_module(
        self, data: Any, logger: Any = logging, work_load_list: Sequence[float] | None = None
    ) -> Any:
        """Makes a module of the network; a network for each bucket if there is a function."""
        data_names = [item[0] for item in data.provide_data]
        label_names = [item[0] for item in data.provide_label or ()]
        options = {"logger": logger, "context": self.ctx, "work_load_list": work_load_list}
        if self.sym_gen is None:
            known = self.symbol.list_arguments()
            labels = [name for name in label_names if name in known]
            return Module(self.symbol, data_names, labels, **options)
        self.symbol = self.sym_gen(data.default_bucket_key)
        return BucketingModule(
            lambda key: (self.sym_gen(key), data_names, label_names),
            default_bucket_key=data.default_bucket_key,
            **options,
        )

    def fit(
        self,
        X: Any,
        y: Any = None,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Sequence[float] | None = None,
        monitor: Any = None,
        eval_end_callback: Any = LOG_VALIDATION,
        eval_batch_end_callback: Any = None,
    ) -> None:
        """Trains the network.

        Args:
            X: Iterator over batches, or an array.
            y: Labels, if `X` is an array.
            eval_data: Iterator, or a pair of data and labels, to evaluate on.
            eval_metric: Metric, its name, or a list.
            epoch_end_callback: Called with epoch, symbol, parameters and auxiliary states.
            batch_end_callback: Called after each batch with a `BatchEndParam`.
            kvstore: How gradients of several contexts are added up.
            logger: Where messages go.
            work_load_list: Share of each context.
            monitor: A `Monitor`.
            eval_end_callback: Called after each evaluation with a `BatchEndParam`.
            eval_batch_end_callback: Called after each batch of an evaluation.
        """
        scope = dict(locals())
        train_data, logger = (
            as_iterator(X, y, self.numpy_batch_size, is_train=True),
            logger or logging,
        )
        scope |= {
            "train_data": train_data,
            "eval_data": as_eval_iterator(eval_data, self.numpy_batch_size),
        }
        scope |= {"eval_metric": as_metric(eval_metric), "logger": logger}
        module = scope["module"] = self._make_module(train_data, logger, work_load_list)
        module.bind(train_data.provide_data, train_data.provide_label)
        if monitor is not None:
            module.install_monitor(monitor)
        module.init_params(
            self.initializer, self.arg_params, self.aux_params, allow_missing=True, force_init=True
        )
        self._init_optimizer(module, kvstore, train_data)
        logger.info("Start training with %s", self.ctx)
        if self.num_epoch is None:
            raise UnsupportedTypeError("FeedForward.fit: num_epoch must say when to stop")
        train_data.reset()
        for epoch in range(self.begin_epoch, self.num_epoch):
            scope["epoch"] = epoch
            self._train_epoch(module, scope)
        self.arg_params, self.aux_params = module.get_params()

    def _init_optimizer(self, module: Any, kvstore: Any, data: Any) -> None:
        if isinstance(self.optimizer, opt.Optimizer):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # its scale is the user's choice
                module.init_optimizer(kvstore, self.optimizer)
            return
        params = {"rescale_grad": 1.0 / data.batch_size, **self.kwargs}
        module.init_optimizer(kvstore, self.optimizer, params)

    def _train_epoch(self, module: Any, scope: dict[str, Any]) -> None:
        epoch, logger = scope["epoch"], scope["logger"]
        begin = scope["tic"] = time.time()
        scope["eval_metric"].reset()
        for nbatch, batch in enumerate(self._batches(scope), start=1):
            if scope["monitor"] is not None:
                scope["monitor"].tic()
            module.forward_backward(batch)
            module.update()
            if scope["monitor"] is not None:
                scope["monitor"].toc_print()
            module.update_metric(scope["eval_metric"], batch.label)
            scope |= {"nbatch": nbatch, "data_batch": batch}
            notify(scope["batch_end_callback"], _batch_end(scope, nbatch))
        logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - begin)
        if scope["epoch_end_callback"] is not None:
            self.arg_params, self.aux_params = module.get_params()
            notify(
                scope["epoch_end_callback"], epoch, self.symbol, self.arg_params, self.aux_params
            )
        if scope["eval_data"] is not None:
            module.score(
                scope["eval_data"],
                scope["eval_metric"],
                batch_end_callback=scope["eval_batch_end_callback"],
                score_end_callback=scope["eval_end_callback"],
                epoch=epoch,
            )
            scope["eval_data"].reset()

    def _batches(self, scope: Mapping[str, Any]) -> Iterator[DataBatch]:
        """Returns the batches of one epoch, which may begin or end amid the data."""
        data, done = scope["train_data"], 0
        may_be_used_up = self.epoch_size is not None  # by the epoch before, which ended there
        while True:
            before = done
            for batch in data:
                done += 1
                yield batch
                if self.epoch_size is not None and done >= self.epoch_size:
                    return
            if done == before and not may_be_used_up:
                raise MXNetError("FeedForward.fit: the data has no batch")
            may_be_used_up = False
            scope["logger"].info("Epoch[%d] Resetting Data Iterator", scope["epoch"])
            data.reset()
            if self.epoch_size is None:
                return

    def _prediction_module(self, data: Any, with_labels: bool) -> Any:
        if self.arg_params is None:
            raise CheckFailedError("FeedForward: train the network or give its parameters before")
        module = self._make_module(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # there need not be labels
            labels = data.provide_label if with_labels else None
            module.bind(data.provide_data, labels, for_training=False)
        known = {*self.symbol.list_arguments(), *self.symbol.list_auxiliary_states()}
        arguments, states = (
            {name: array for name, array in (params or {}).items() if name in known}
            for params in (self.arg_params, self.aux_params)
        )
        # Labels that the data does not have are arguments, too, and stay zero.
        module.init_params(None, arguments, states, allow_missing=True)
        return module

    def predict(
        self, X: Any, num_batch: int | None = None, return_data: bool = False, reset: bool = True
    ) -> Any:
        """Computes the outputs of data.

        Args:
            X: Iterator over batches, or an array.
            num_batch: Number of batches to use, all by default.
            return_data: Whether to give data and labels, too.
            reset: Whether to start with the first batch.

        Returns:
            A NumPy array, or a list of one for each output; with `return_data` also such of the
            data and of the labels.
        """
        data = as_iterator(X, None, self.numpy_batch_size, is_train=False)
        module = self._prediction_module(data, with_labels=False)
        kinds: tuple[list[Any], ...] = ([], [], [])
        for outputs, _, batch in iterate_outputs(module, data, num_batch, reset, None):
            padding = batch.pad or 0
            kinds[0].append([output.asnumpy() for output in outputs])
            if return_data:
                for kind, arrays in zip(kinds[1:], (batch.data, batch.label), strict=True):
                    kind.append([a[: a.shape[0] - padding].asnumpy() for a in arrays or ()])
        joined = [[np.concatenate(column) for column in zip(*k, strict=True)] for k in kinds]
        results = [arrays[0] if len(arrays) == 1 else arrays for arrays in joined]
        return tuple(results) if return_data else results[0]

    def score(
        self,
        X: Any,
        eval_metric: Any = "acc",
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        reset: bool = True,
    ) -> Any:
        """Evaluates a metric on data.

        Args:
            X: Iterator over batches.
            eval_metric: Metric, its name, or a list.
            num_batch: Number of batches to use, all by default.
            batch_end_callback: Called after each batch with a `BatchEndParam`.
            reset: Whether to start with the first batch.

        Returns:
            The value, or a list of values.
        """
        data = as_iterator(X, None, self.numpy_batch_size, is_train=False)
        module = self._prediction_module(data, with_labels=True)
        made = as_metric(eval_metric)
        module.score(data, made, num_batch, batch_end_callback, reset=reset)
        return made.get()[1]

    def save(
        self, prefix: str | os.PathLike[str], epoch: int | None = None, remove_amp_cast: bool = True
    ) -> None:
        """Writes a checkpoint of an epoch, by default the last one; see `save_checkpoint`."""
        number = self.num_epoch if epoch is None else epoch
        if number is None or self.arg_params is None:
            raise CheckFailedError("FeedForward.save: takes an epoch, and parameters to save")
        save_checkpoint(
            prefix, number, self.symbol, self.arg_params, self.aux_params or {}, remove_amp_cast
        )

    @staticmethod
    def load(
        prefix: str | os.PathLike[str],
        epoch: int,
        ctx: Context | Sequence[Context] | None = None,
        **kwargs: Any,
    ) -> FeedForward:
        """Makes a model from a checkpoint, to predict or to go on training; see the class."""
        symbol, arguments, states = load_checkpoint(prefix, epoch)
        options = {"arg_params": arguments, "aux_params": states, "begin_epoch": epoch}
        return FeedForward(symbol, ctx=ctx, **{**options, **kwargs})

    @staticmethod
    def create(
        symbol: Symbol | Callable[[Any], Symbol],
        X: Any,
        y: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = DEFAULT_INITIALIZER,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Sequence[float] | None = None,
        eval_end_callback: Any = LOG_VALIDATION,
        eval_batch_end_callback: Any = None,
        **kwargs: Any,
    ) -> FeedForward:
        """Makes a model and trains it; see the class and `fit` for the arguments."""
        model = FeedForward(
            symbol,
            ctx=ctx,
            num_epoch=num_epoch,
            epoch_size=epoch_size,
            optimizer=optimizer,
            initializer=initializer,
            **kwargs,
        )
        model.fit(
            X,
            y,
            eval_data=eval_data,
            eval_metric=eval_metric,
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            kvstore=kvstore,
            logger=logger,
            work_load_list=work_load_list,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        return model


def _train_multi_device(
    symbol: Symbol,
    ctx: Sequence[Context],
    arg_names: Sequence[str],  # noqa: ARG001 - the network knows its names
    param_names: Sequence[str],  # noqa: ARG001 - the same
    aux_names: Sequence[str],  # noqa: ARG001 - the same
    arg_params: Params,
    aux_params: Params,
    begin_epoch: int,
    end_epoch: int,
    epoch_size: int | None,
    optimizer: Any,
    kvstore: Any,
    update_on_kvstore: bool,  # noqa: ARG001 - the store decides
    train_data: Any,
    eval_data: Any = None,
    eval_metric: Any = None,
    epoch_end_callback: Any = None,
    batch_end_callback: Any = None,
    logger: Any = None,
    work_load_list: Sequence[float] | None = None,
    monitor: Any = None,
    eval_end_callback: Any = None,
    eval_batch_end_callback: Any = None,
    sym_gen: Any = None,
) -> None:
    """Trains a network on several contexts, for programs that do so without `FeedForward`.

    The arrays in `arg_params` and `aux_params` get the new values; the other arguments are those
    of `FeedForward` and of its `fit`.
    """
    model = FeedForward(
        sym_gen or symbol,
        ctx=list(ctx),
        num_epoch=end_epoch,
        epoch_size=epoch_size,
        optimizer=optimizer,
        arg_params={name: array.copy() for name, array in arg_params.items()},
        aux_params={name: array.copy() for name, array in aux_params.items()},
        allow_extra_params=True,
        begin_epoch=begin_epoch,
    )
    model.fit(
        train_data,
        eval_data=eval_data,
        eval_metric=eval_metric,
        epoch_end_callback=epoch_end_callback,
        batch_end_callback=batch_end_callback,
        kvstore=kvstore,
        logger=logger,
        work_load_list=work_load_list,
        monitor=monitor,
        eval_end_callback=eval_end_callback,
        eval_batch_end_callback=eval_batch_end_callback,
    )
    for trained, given in ((model.arg_params, arg_params), (model.aux_params, aux_params)):
        for name, array in (trained or {}).items():
            if name in given:
                array.copyto(given[name])


def _batch_end(scope: Mapping[str, Any], nbatch: int) -> Any:
    return BatchEndParam(scope["epoch"], nbatch, scope["eval_metric"], dict(scope))


tracebacks.public_functions(globals())
