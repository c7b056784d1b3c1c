"""What all modules have: the high-level loops, written with the steps that each kind defines."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet._start import PublicInit, level_of_program, public_call
from mxnet.base import _as_list
from mxnet.errors import (
    ArgumentValueError,
    CheckFailedError,
    InvalidArgumentError,
    UndefinedMethodError,
)
from mxnet.initializer import Uniform
from mxnet.io import DataDesc
from mxnet.metric import EvalMetric
from mxnet.module import _loops
from mxnet.module._checkpoints import save_parameters, split_kinds
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

__all__ = ["BaseModule", "_as_list", "_check_input_names", "_check_names_match", "_parse_data_desc"]

DEFAULT_INITIALIZER = Uniform(0.01)
DEFAULT_OPTIMIZER_PARAMS = (("learning_rate", 0.01),)

Params = dict[str, NDArray]


class BaseModule(PublicInit):
    """Base of the modules: something that has parameters and computes with batches.

    A subclass defines the methods that raise here, and names and shapes of inputs and outputs.

    Args:
        logger: Where `fit` writes its messages.

    Attributes:
        binded: Whether memory is allocated for inputs of some shape.
        for_training: Whether the module was bound to be trained.
        inputs_need_grad: Whether it was bound to give gradients of its inputs.
        params_initialized: Whether the parameters have values.
        optimizer_initialized: Whether there is an optimizer.

    Example:
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
        >>> module = mx.mod.Module(net, label_names=None)
        >>> isinstance(module, mx.mod.BaseModule), module.binded
        (True, False)
        >>> module.bind(data_shapes=[("data", (1, 3))])
        >>> module.binded, module.params_initialized
        (True, False)
    """

    def __init__(self, logger: Any = logging) -> None:
        self.logger = logger
        self.binded = False
        self.for_training = False
        self.inputs_need_grad = False
        self.params_initialized = False
        self.optimizer_initialized = False
        self._symbol: Any = None

    def _require(self, where: str, *steps: str) -> None:
        """Checks that the module is as far as a method needs it to be."""
        for step in steps:
            if not getattr(self, step):
                raise CheckFailedError(f"{type(self).__name__}.{where}: call {_CALLS[step]} before")

    def _stays_bound(self, force_rebind: bool) -> bool:
        """Returns whether `bind` has nothing to do, and logs it."""
        if not self.binded or force_rebind:
            return False
        self.logger.warning("Already bound, ignoring bind()")
        return True

    def _keeps_params(self, where: str, force_init: bool) -> bool:
        """Returns whether a method leaves the parameters as they are, and warns of it."""
        if not self.params_initialized or force_init:
            return False
        warnings.warn(
            f"{type(self).__name__}.{where}: the parameters have values, which are kept; "
            "force_init=True replaces them",
            stacklevel=level_of_program(),
        )
        return True

    def _undefined(self, name: str) -> UndefinedMethodError:
        return UndefinedMethodError(f"{type(self).__name__}: {name} is not defined")

    @property
    def data_names(self) -> Sequence[str]:
        """Names of the data."""
        raise self._undefined("data_names")

    @property
    def output_names(self) -> Sequence[str]:
        """Names of the outputs."""
        raise self._undefined("output_names")

    @property
    def data_shapes(self) -> Sequence[Any]:
        """Descriptions of the data."""
        raise self._undefined("data_shapes")

    @property
    def label_shapes(self) -> Sequence[Any] | None:
        """Descriptions of the labels, None if there are none."""
        raise self._undefined("label_shapes")

    @property
    def output_shapes(self) -> Sequence[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        raise self._undefined("output_shapes")

    @property
    def symbol(self) -> Any:
        """The symbol that the module computes, None for one without."""
        return self._symbol

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Allocates memory for batches of given shapes; see `Module.bind`."""
        del data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind
        del shared_module, grad_req
        raise self._undefined("bind")

    def init_params(
        self,
        initializer: Any = DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initializes the parameters; see `Module.init_params`."""
        del initializer, arg_params, aux_params, allow_missing, force_init, allow_extra
        raise self._undefined("init_params")

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_OPTIMIZER_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Makes the optimizer; see `Module.init_optimizer`."""
        del kvstore, optimizer, optimizer_params, force_init
        raise self._undefined("init_optimizer")

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Computes the outputs of a batch."""
        del data_batch, is_train
        raise self._undefined("forward")

    def backward(self, out_grads: Any = None) -> None:
        """Computes the gradients of the last batch."""
        del out_grads
        raise self._undefined("backward")

    def update(self) -> None:
        """Updates the parameters by the gradients."""
        raise self._undefined("update")

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the outputs of the last batch."""
        del merge_multi_context
        raise self._undefined("get_outputs")

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the gradients of the inputs of the last batch."""
        del merge_multi_context
        raise self._undefined("get_input_grads")

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs of the last batch and its labels."""
        del eval_metric, labels, pre_sliced
        raise self._undefined("update_metric")

    def get_params(self) -> tuple[Params, Params]:
        """Returns parameters and auxiliary states by name."""
        raise self._undefined("get_params")

    @property
    def _total_exec_bytes(self) -> int:
        """Memory of executors, under the original's name; 0 for a module that has none."""
        return 0

    def install_monitor(self, mon: Any) -> None:
        """Lets a monitor see what is computed."""
        del mon
        raise self._undefined("install_monitor")

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Gets ready for a batch that will come next.

        Args:
            data_batch: The batch.
            sparse_row_id_fn: Gives the rows of row_sparse parameters that the batch needs.
        """
        del data_batch
        if sparse_row_id_fn is not None:
            self.logger.warning("%s: sparse_row_id_fn has no effect here", type(self).__name__)

    @public_call
    def forward_backward(self, data_batch: Any) -> None:
        """Computes outputs and gradients of a batch.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(mx.sym.MakeLoss(net), label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> module.forward_backward(mx.io.DataBatch([mx.nd.ones((4, 3))]))
            >>> module.get_outputs()[0].shape
            (4, 2)
        """
        self.forward(data_batch, is_train=True)
        self.backward()

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the states that are kept between batches; most modules have none."""
        self._require("get_states", "binded", "params_initialized")
        del merge_multi_context
        return []

    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Sets the states that are kept between batches."""
        self._require("set_states", "binded", "params_initialized")
        if states or value:
            raise InvalidArgumentError(
                f"{type(self).__name__}.set_states: the module has no states"
            )

    @public_call
    def set_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Sets parameters and auxiliary states; see `Module.set_params`."""
        self.init_params(None, arg_params, aux_params, allow_missing, force_init, allow_extra)

    @public_call
    def save_params(self, fname: str | os.PathLike[str]) -> None:
        """Writes parameters and auxiliary states to a file.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "net.params")
            ...     module.save_params(path)
            ...     module.load_params(path)
            ...     sorted(mx.nd.load(path))
            ['arg:fc_bias', 'arg:fc_weight']
        """
        save_parameters(fname, *self.get_params())

    @public_call
    def load_params(self, fname: str | os.PathLike[str]) -> None:
        """Sets parameters and auxiliary states from a file that `save_params` wrote.

        Raises:
            FileFormatError: if the file holds something else.
        """
        path = os.fspath(fname)
        self.set_params(*split_kinds(nd.load(path), path, others_raise=True))

    @public_call
    def score(
        self,
        eval_data: Any,
        eval_metric: Any,
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        score_end_callback: Any = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: Any = None,
    ) -> list[tuple[str, float]]:
        """Evaluates a metric on data.

        Args:
            eval_data: Iterator over batches.
            eval_metric: A metric, its name, or a list.
            num_batch: Number of batches to use, all by default.
            batch_end_callback: Called after each batch with a `BatchEndParam`.
            score_end_callback: Called at the end with a `BatchEndParam`.
            reset: Whether to start with the first batch.
            epoch: Number of the epoch, for the callbacks.
            sparse_row_id_fn: See `prepare`.

        Returns:
            Names and values.

        Example:
            >>> import mxnet as mx
            >>> data, labels = mx.nd.array([[0, 1], [1, 0]] * 8), mx.nd.array([0, 1] * 8)
            >>> batches = mx.io.NDArrayIter(data, labels, batch_size=4)
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
            >>> module.fit(batches, num_epoch=10, optimizer_params={"learning_rate": 0.5})
            >>> module.score(batches, ["acc", "ce"])[0]
            ('accuracy', 1.0)
        """
        scope = dict(locals())
        self._require("score", "binded", "params_initialized")
        return _loops.score(self, scope)

    def iter_predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        reset: bool = True,
        sparse_row_id_fn: Any = None,
    ) -> Iterator[tuple[list[NDArray], int, Any]]:
        """Computes the outputs batch by batch.

        Yields:
            Outputs without those of padding, number of the batch, and the batch.

        Example:
            >>> import mxnet as mx
            >>> data, labels = mx.nd.array([[0, 1], [1, 0]] * 8), mx.nd.array([0, 1] * 8)
            >>> batches = mx.io.NDArrayIter(data, labels, batch_size=4)
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
            >>> module.fit(batches, num_epoch=10, optimizer_params={"learning_rate": 0.5})
            >>> batches.reset()
            >>> [outputs[0].shape for outputs, number, batch in module.iter_predict(batches)][:2]
            [(4, 2), (4, 2)]
        """
        self._require("iter_predict", "binded", "params_initialized")
        yield from _loops.iterate_outputs(self, eval_data, num_batch, reset, sparse_row_id_fn)

    @public_call
    def predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: Any = None,
    ) -> Any:
        """Computes the outputs of data.

        Args:
            eval_data: Iterator over batches, or an array, which is one batch.
            num_batch: Number of batches to use, all by default.
            merge_batches: Whether the outputs of all batches are put together.
            reset: Whether to start with the first batch.
            always_output_list: Whether a single output comes in a list, too.
            sparse_row_id_fn: See `prepare`.

        Returns:
            An array, a list of one for each output, or a list of such lists for each batch.

        Example:
            >>> import mxnet as mx
            >>> data, labels = mx.nd.array([[0, 1], [1, 0]] * 8), mx.nd.array([0, 1] * 8)
            >>> batches = mx.io.NDArrayIter(data, labels, batch_size=4)
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
            >>> module.fit(batches, num_epoch=10, optimizer_params={"learning_rate": 0.5})
            >>> batches.reset()
            >>> module.predict(batches).shape
            (16, 2)
        """
        scope = dict(locals())
        self._require("predict", "binded", "params_initialized")
        return _loops.predict(self, scope)

    @public_call
    def fit(
        self,
        train_data: Any,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_OPTIMIZER_PARAMS,
        eval_end_callback: Any = None,
        eval_batch_end_callback: Any = None,
        initializer: Any = DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: int | None = None,
        validation_metric: Any = None,
        monitor: Any = None,
        sparse_row_id_fn: Any = None,
    ) -> None:
        """Trains the module.

        Args:
            train_data: Iterator over batches.
            eval_data: Iterator over batches to evaluate on after each epoch.
            eval_metric: Metric, its name, or a list.
            epoch_end_callback: Called with epoch, symbol, parameters and auxiliary states.
            batch_end_callback: Called after each batch with a `BatchEndParam`.
            kvstore: How gradients of several contexts are added up.
            optimizer: An optimizer or its name.
            optimizer_params: Arguments of the optimizer.
            eval_end_callback: Called after each evaluation with a `BatchEndParam`.
            eval_batch_end_callback: Called after each batch of an evaluation.
            initializer: Gives parameters their first values.
            arg_params: First values of parameters, before the initializer.
            aux_params: First values of auxiliary states.
            allow_missing: Whether parameters that are not given are initialized.
            force_rebind: Whether to bind a module that is bound.
            force_init: Whether to initialize parameters that have values.
            begin_epoch: Number of the first epoch.
            num_epoch: Number of the epoch before which to stop.
            validation_metric: Metric of `eval_data`, by default `eval_metric`.
            monitor: A `Monitor`.
            sparse_row_id_fn: See `prepare`.

        Example:
            >>> import mxnet as mx
            >>> data, labels = mx.nd.array([[0, 1], [1, 0]] * 8), mx.nd.array([0, 1] * 8)
            >>> batches = mx.io.NDArrayIter(data, labels, batch_size=4)
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
            >>> module.fit(batches, num_epoch=10, optimizer_params={"learning_rate": 0.5})
            >>> module.score(batches, "acc")
            [('accuracy', 1.0)]
        """
        scope = dict(locals())
        if num_epoch is None:
            raise InvalidArgumentError("fit: num_epoch must say when to stop")
        self.bind(
            data_shapes=train_data.provide_data,
            label_shapes=train_data.provide_label,
            for_training=True,
            force_rebind=force_rebind,
        )
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(
            initializer=initializer,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
        )
        self.init_optimizer(kvstore=kvstore, optimizer=optimizer, optimizer_params=optimizer_params)
        scope["validation_metric"] = eval_metric if validation_metric is None else validation_metric
        scope["eval_metric"] = _loops.as_metric(eval_metric)
        for epoch in range(begin_epoch, num_epoch):
            scope["epoch"] = epoch
            self._begin_epoch(epoch, train_data)
            _loops.train_epoch(self, scope)

    def _read_metric(self, eval_metric: EvalMetric) -> list[tuple[str, float]]:
        """Returns names and values of a metric at the end of an epoch of `fit`."""
        return eval_metric.get_global_name_value()

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        """Does what a kind of module needs before an epoch of `fit`; most need nothing."""


_CALLS = {
    "binded": "bind",
    "inputs_need_grad": "bind with inputs_need_grad=True",
    "params_initialized": "init_params",
    "optimizer_initialized": "init_optimizer",
}


_PARAMETER_ENDINGS = ("_weight", "_bias", "_gamma", "_beta")


def _check_input_names(symbol: Symbol, names: Iterable[str], typename: str, throw: bool) -> None:
    """Checks that a symbol has arguments of the given names.

    Args:
        symbol: The symbol.
        names: Names of inputs of the module.
        typename: Which they are: `"data"`, `"label"`, `"state"` or `"fixed_param"`.
        throw: Whether a missing one raises; else it warns.
    """
    arguments = symbol.list_arguments()
    for name in names:
        if name in arguments:
            continue
        others = [item for item in arguments if not item.endswith(_PARAMETER_ENDINGS)]
        message = (
            f"Module: {typename}_names has {name!r}, which is no argument of the symbol; "
            f"its inputs are {', '.join(others)}"
        )
        if throw:
            raise ArgumentValueError(message)
        warnings.warn(message, stacklevel=level_of_program())


def check_inputs(
    symbol: Symbol,
    data: Sequence[str],
    label: Sequence[str],
    state: Sequence[str],
    fixed: Sequence[str],
) -> None:
    """Checks the names of all inputs of a module; a symbol may do without labels."""
    _check_input_names(symbol, data, "data", True)
    _check_input_names(symbol, label, "label", False)
    _check_input_names(symbol, state, "state", True)
    _check_input_names(symbol, fixed, "fixed_param", True)


def _check_names_match(
    names: Sequence[str], shapes: Sequence[DataDesc], typename: str, throw: bool
) -> None:
    """Checks that shapes are given for just those names that the module has."""
    given = [description[0] for description in shapes]
    if sorted(names) == sorted(given):
        return
    message = (
        f"Module: {typename}_shapes must be of {typename}_names, which are {list(names)}, "
        f"got those of {given}\n"
        f"  Call them {list(names)} where the iterator is made, or make the Module with "
        f"{typename}_names={given}."
    )
    if throw:
        raise ArgumentValueError(message)
    warnings.warn(message, stacklevel=level_of_program())


def _parse_data_desc(
    data_names: Sequence[str],
    label_names: Sequence[str],
    data_shapes: Iterable[Any],
    label_shapes: Iterable[Any] | None,
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Makes descriptions of what is given as such or as tuples, and checks the names."""
    data = [as_description(item) for item in data_shapes]
    _check_names_match(data_names, data, "data", True)
    label = None if label_shapes is None else [as_description(item) for item in label_shapes]
    _check_names_match(label_names, label or [], "label", False)
    return data, label


def as_description(item: Any) -> DataDesc:
    """Makes a description of a tuple of name, shape and what else `DataDesc` takes."""
    return item if isinstance(item, DataDesc) else DataDesc(*item)
