"""The trainer: applies an optimizer to the parameters of a network, through a store if need be."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from mxnet import kvstore as stores
from mxnet import optimizer as opt
from mxnet._formats.element_types import to_torch
from mxnet._start import expand, public_call
from mxnet._state import rules
from mxnet.context import Context
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon.block import Block
from mxnet.gluon.parameter import Parameter, ParameterDict, ParameterError
from mxnet.gluon.sharding import ShardedUpdater, is_sharded, refuse_alone
from mxnet.gluon.training.gradients import ProcessGradients, Trained, are_exchanged
from mxnet.gluon.training.gradients import StaleGradientError as StaleGradientError
from mxnet.kvstore import KVStoreBase
from mxnet.kvstore._distributed import may_update_weights
from mxnet.kvstore.kvstore import spans_processes
from mxnet.optimizer._updater import Weight, load_states, save_states


class EmptyBatchError(MXNetError, ValueError, ZeroDivisionError):
    """A step is said to be one of no samples."""


class Trainer:
    """Updates parameters by their gradients.

    Args:
        params: Parameters, as `net.collect_params()` gives them, or a list of them.
        optimizer: An optimizer or its name.
        optimizer_params: Arguments of the optimizer, such as `{"learning_rate": 0.1}`.
        kvstore: How gradients of several contexts are added up: `"device"`, `"local"`, a store,
            or None. `"dist_sync"` and others whose names begin like that add up over processes,
            too; they start from the values that the first process has at the first step.
        compression_params: How the store rounds gradients, `{"type": "2bit", "threshold": 0.5}`.
        update_on_kvstore: Whether, on several contexts or processes, the store updates weights by
            sums of its own, which is the default, or gradients are added up in place and each
            context updates its weights.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import Trainer, nn
        >>> net = nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        >>> with mx.autograd.record():
        ...     loss = net(mx.nd.ones((4, 2))).sum()
        >>> loss.backward()
        >>> trainer.step(batch_size=4)
        >>> print(net.weight.data().asnumpy())
        [[0.9 0.9]]
    """

    @public_call
    def __init__(
        self,
        params: ParameterDict | Mapping[str, Parameter] | Sequence[Parameter],
        optimizer: str | opt.Optimizer,
        optimizer_params: Mapping[str, Any] | None = None,
        kvstore: Any = "device",
        compression_params: Mapping[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ) -> None:
        self._params = _as_parameters(params)
        self._order = _order_of_use(params, self._params)
        self._param2idx = {parameter.name: i for i, parameter in enumerate(self._params)}
        self._contexts = _common_contexts(self._params)
        self._contains_sparse_weight = any(p._stype != "default" for p in self._params)
        self._contains_sparse_grad = any(p._grad_stype != "default" for p in self._params)
        check_store(kvstore)
        self._compression_params = compression_params
        self._kvstore_params = {"kvstore": kvstore, "update_on_kvstore": update_on_kvstore}
        self._kvstore: Any = None
        self._kv_initialized = False
        self._update_on_kvstore: bool | None = None
        self._params_to_init = list(self._params)
        self._trained: Trained | None = None
        self._shared: ProcessGradients | None = None
        self._states_in_store = False
        self._init_optimizer(optimizer, optimizer_params)
        self._scale = self._optimizer.rescale_grad
        self._amp_loss_scaler: Any = None  # set by `amp.init_trainer`, as is
        self._amp_original_scale = self._scale
        self._take_over()

    def _init_optimizer(
        self, optimizer: str | opt.Optimizer, optimizer_params: Mapping[str, Any] | None
    ) -> None:
        """Begins with an optimizer; programs call it to change the optimizer midway."""
        self._optimizer = _make_optimizer(optimizer, optimizer_params, self._params)
        make_updater = ShardedUpdater if is_sharded(self._params) else opt.get_updater
        self._updaters = [make_updater(self._optimizer) for _ in self._contexts]
        if self._update_on_kvstore:
            self._states_in_store = not self._kvstore.share_updater(self._updaters[0])

    def _take_over(self) -> None:
        """Notes the trainer in its parameters, of which those in a store have one alone."""
        for parameter in self._params:
            parameter._check_trainer(self)
        for parameter in self._params:
            parameter._set_trainer(self)

    def _repr_html_(self) -> str:
        """Returns what notebooks show: the optimizer, and the parameters with their factors."""
        from mxnet._formats import html_tables  # noqa: PLC0415 - notebooks only

        optimizer = self._optimizer
        rows = [
            (
                item.name,
                html_tables.shape_to_text(item.shape),
                item.lr_mult,
                item.wd_mult,
                item.grad_req,
            )
            for item in self._params
        ]
        store = self._kvstore_params["kvstore"]
        name = store if store is None or isinstance(store, str) else type(store).__name__
        notes = (
            f"learning rate {self.learning_rate:g}, weight decay {optimizer.wd:g}, "
            f"{html_tables.count_to_text(optimizer.num_update, 'update')}",
            f"store {name}, contexts {', '.join(map(str, self._contexts))}",
        )
        number = html_tables.count_to_text(len(rows), "parameter")
        title = f"Trainer with {type(optimizer).__name__}, {number}"
        heads = ("parameter", "shape", "lr_mult", "wd_mult", "gradient")
        return html_tables.table_to_html(title, heads, rows, notes)

    @property
    def optimizer(self) -> opt.Optimizer:
        """The optimizer."""
        return self._optimizer

    @property
    def amp_loss_scale(self) -> float:
        """The scale of losses in mixed precision; there is none before `amp.init_trainer`."""
        if self._amp_loss_scaler is None:
            raise AttributeError("Trainer has no amp_loss_scale before amp.init_trainer")
        scale: float = self._amp_loss_scaler.loss_scale
        return scale

    @property
    def learning_rate(self) -> float:
        """The learning rate, that of the schedule if there is one."""
        rate: float = self._optimizer.learning_rate
        return rate

    @public_call
    def set_learning_rate(self, lr: float) -> None:
        """Sets the learning rate.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False, weight_initializer="ones")
            >>> net.initialize()
            >>> trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
            >>> trainer.set_learning_rate(0.01)
            >>> trainer.learning_rate
            0.01
        """
        self._optimizer.set_learning_rate(lr)

    @expand
    @public_call
    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Adds gradients up over contexts and updates all parameters.

        Args:
            batch_size: Number of samples that the gradients were summed over.
            ignore_stale_grad: Whether parameters without a new gradient are passed over.

        Raises:
            StaleGradientError: if a gradient was not computed since the last step; nothing has
                changed then.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False, weight_initializer="ones")
            >>> net.initialize()
            >>> trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
            >>> with mx.autograd.record():
            ...     loss = net(mx.nd.array([[1, 2], [3, 4]]))
            >>> loss.backward()
            >>> trainer.step(batch_size=2)
            >>> print(net.weight.data().asnumpy())  # 1 - 0.1 * [4, 6] / 2
            [[0.8 0.7]]
        """
        if batch_size == 0:
            _refuse_no_samples("step")
        self._check_and_rescale_grad(self._scale / batch_size)
        if self._params_to_init or not self._kv_initialized:
            self._prepare()
        if self._shared is not None:
            self._shared.requires_fresh = not ignore_stale_grad
        elif self._kvstore is not None:
            if not ignore_stale_grad:
                self._current().check_fresh()  # before the store changes anything
            scaled = self._update_on_kvstore and self._amp_loss_scaler is not None
            if scaled and self._overflows():
                return
        self._allreduce_grads()
        self._update(ignore_stale_grad)

    @public_call
    def allreduce_grads(self) -> None:
        """Adds gradients up over contexts, for code that changes them before `update`.

        Raises:
            MXNetError: on several contexts, unless the trainer has `update_on_kvstore=False`.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False)
            >>> net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
            >>> trainer = mx.gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
            >>> with mx.autograd.record():
            ...     losses = [net(mx.nd.array([[i, 1]], ctx=mx.cpu(i))) for i in range(2)]
            >>> mx.autograd.backward(losses)
            >>> trainer.allreduce_grads()  # between this and `update` gradients can be clipped
            >>> print(net.weight.grad(mx.cpu(0)).asnumpy(), net.weight.grad(mx.cpu(1)).asnumpy())
            [[1. 2.]] [[1. 2.]]
        """
        self._prepare()
        self._refuse_parts_of_a_step("allreduce_grads")
        if self._shared is not None:
            self._shared.requires_fresh = False
        self._allreduce_grads()

    @public_call
    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Updates all parameters by gradients that are added up already; see `step`.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False, weight_initializer="ones")
            >>> net.initialize()
            >>> trainer = mx.gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
            >>> with mx.autograd.record():
            ...     loss = net(mx.nd.array([[1, 2], [3, 4]]))
            >>> loss.backward()
            >>> trainer.allreduce_grads()
            >>> _ = mx.gluon.utils.clip_global_norm([net.weight.grad()], max_norm=1)
            >>> trainer.update(batch_size=1)
            >>> print((net.weight.data() < 1).asnumpy())
            [[1. 1.]]
        """
        self._prepare()
        self._refuse_parts_of_a_step("update")
        if batch_size == 0:
            _refuse_no_samples("update")
        self._check_and_rescale_grad(self._scale / batch_size)
        self._update(ignore_stale_grad)

    def _check_and_rescale_grad(self, scale: float) -> None:
        """Sets what gradients are multiplied by; programs that update by themselves call it."""
        self._optimizer.rescale_grad = scale

    def _prepare(self) -> None:
        """Chooses the store and makes the values of all contexts equal, once."""
        if not self._kv_initialized:
            self._init_kvstore()
        if self._params_to_init:
            self._init_params()

    def _init_kvstore(self) -> None:
        """Chooses the store; programs that change gradients between steps call it themselves."""
        self._kvstore, self._update_on_kvstore = choose_store(
            self._kvstore_params["kvstore"],
            self._kvstore_params["update_on_kvstore"],
            self._params,
            len(self._contexts),
            self._compression_params,
        )
        if self._update_on_kvstore:
            self._states_in_store = not self._kvstore.share_updater(self._updaters[0])
        if are_exchanged(self._kvstore):
            self._shared = ProcessGradients(self._kvstore, self._params, self._order)
        self._kv_initialized = True

    def _reset_kvstore(self) -> None:
        """Has the next step choose the store anew, and copy all parameters to all contexts.

        Raises:
            ParameterError: if processes share the store.
        """
        if self._shared is not None:
            raise ParameterError("Trainer: cannot reset a store that several processes share")
        self._kvstore, self._kv_initialized, self._update_on_kvstore = None, False, None
        self._params_to_init = list(self._params)

    def _note_new_value(self, parameter: Parameter) -> None:
        """Drops a store that updates weights by itself and has not seen the new one."""
        if not self._update_on_kvstore or self._shared is not None:
            return
        if not any(parameter is item for item in self._params_to_init):
            self._reset_kvstore()

    def _init_params(self) -> None:
        """Copies what the first context holds to the others, once for each parameter."""
        ready = [item for item in self._params_to_init if not item._deferred_init]
        if self._kvstore is not None and ready:
            keys = [self._param2idx[parameter.name] for parameter in ready]
            self._kvstore.broadcast_all(keys, [parameter._values() for parameter in ready])
        self._params_to_init = [item for item in self._params_to_init if item._deferred_init]

    def _refuse_parts_of_a_step(self, method: str) -> None:
        if self._update_on_kvstore:
            raise ParameterError(
                f"Trainer.{method}: with update_on_kvstore a step adds up and updates at once; "
                "make the trainer with update_on_kvstore=False to do one after the other"
            )

    def _current(self) -> Trained:
        """Returns what is trained, listed anew if a parameter has got other arrays."""
        trained = self._trained
        if trained is None or not trained.is_current():
            trained = self._trained = Trained(self._params)
        return trained

    def _allreduce_grads(self) -> None:
        """Adds gradients up over contexts; a store with an optimizer also updates the weights."""
        if self._kvstore is None:
            return
        trained = self._current()
        if self._shared is not None:
            if self._update_on_kvstore:
                self._shared.update_by_sums(trained, self._amp_loss_scaler)
            else:
                self._shared.replace_by_sums(trained)
            return
        if not self._update_on_kvstore:
            self._kvstore.pushpull_all(trained.keys, trained.gradients)
            return
        keys, gradients, weights = trained.take_fresh()
        if keys:
            self._kvstore.pushpull_all(keys, gradients, weights)

    def _exchange_paused(self) -> AbstractContextManager[None]:
        """Sends no gradients to other processes inside of a `with` block."""
        return nullcontext() if self._shared is None else self._shared.paused()

    def _update(self, ignore_stale_grad: bool = False) -> None:
        """Updates the weights of each context by the gradients there, unless the store did."""
        if self._update_on_kvstore or (self._amp_loss_scaler is not None and self._overflows()):
            return
        trained = self._current()
        if not ignore_stale_grad:
            trained.check_fresh()
        for updater, column in zip(self._updaters, trained.columns, strict=False):
            keys, gradients, weights = column.take_fresh()
            if keys:
                updater(keys, gradients, weights)
        if self._shared is not None and self._optimizer._is_random:
            self._shared.copy_weights_from_first(trained)

    def _overflows(self) -> bool:
        """Returns whether mixed precision skips this step, and moves the scale of the loss."""
        return bool(self._amp_loss_scaler.has_overflow(self._params))

    @public_call
    def save_states(self, fname: str | os.PathLike[str]) -> None:
        """Saves the state of the optimizer, in the original's format.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2)
            >>> net.initialize()
            >>> trainer = mx.gluon.Trainer(net.collect_params(), "adam")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "trainer.states")
            ...     trainer.save_states(path)
            ...     trainer.load_states(path)
            ...     print(os.listdir(folder))
            ['trainer.states']
        """
        refuse_alone("Trainer.save_states", self._params)
        if not self._kv_initialized:
            self._init_kvstore()
        if self._states_in_store:
            self._kvstore.save_optimizer_states(fname, dump_optimizer=True)
        else:
            save_states(self._updaters[0], fname, dump_optimizer=True)

    @public_call
    def load_states(self, fname: str | os.PathLike[str]) -> None:
        """Loads what `save_states` of this or of the original has saved.

        Raises:
            MXNetError: if the file is damaged, or its states do not fit the parameters; nothing
                has changed then.
        """
        refuse_alone("Trainer.load_states", self._params)
        if not self._kv_initialized:
            self._init_kvstore()
        if self._states_in_store:
            self._kvstore.load_optimizer_states(fname)
            loaded = getattr(self._kvstore, "_updater", None) or self._updaters[0]
        else:
            load_states(self._updaters, fname, self._known_weights())
            loaded = self._updaters[0]
        self._optimizer = loaded.optimizer
        for updater in self._updaters:
            updater.optimizer = self._optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))

    def _known_weights(self) -> dict[int, Weight]:
        """Returns what the optimizer updates, where the shape is known already."""
        return {
            index: Weight(parameter.name, parameter.shape, to_torch(parameter.dtype))
            for index, parameter in enumerate(self._params)
            if parameter.grad_req != "null" and parameter.shape and min(parameter.shape) > 0
        }


def _common_contexts(parameters: Sequence[Parameter]) -> list[Context]:
    contexts: list[Context] | None = None
    for parameter in parameters:
        own = parameter.list_ctx()
        if contexts is not None and contexts != own:
            raise ParameterError(
                f"Trainer: all Parameters must be on the same contexts, got {parameter.name!r} on "
                f"{own} after others on {contexts}"
            )
        contexts = own
    return contexts or []


def _as_parameters(params: Any) -> list[Parameter]:
    if isinstance(params, (dict, ParameterDict)):
        listed = [params[name] for name in sorted(params.keys())]
    elif isinstance(params, (list, tuple)):
        listed = list(params)
    else:
        remedy = "; give it net.collect_params()" if isinstance(params, Block) else ""
        raise ParameterError(
            f"Trainer: takes a list or dict of Parameters, got {type(params)}{remedy}"
        )
    for parameter in listed:
        if not isinstance(parameter, Parameter):
            raise ParameterError(
                f"Trainer: takes a list or dict of Parameters, got {type(parameter)} in it"
            )
    # By paths, a parameter that layers share has several.
    return listed if rules.version == 1 else [*dict.fromkeys(listed)]


def _refuse_no_samples(method: str) -> None:
    """Raises for a batch size of 0, by which gradients cannot be divided."""
    raise EmptyBatchError(
        f"Trainer.{method}: batch_size takes the number of samples of the batch, got 0; give it "
        "x.shape[0], or 1 if the loss is a mean, and skip empty batches"
    )


def _order_of_use(params: Any, listed: Sequence[Parameter]) -> list[int]:
    """Returns positions of parameters in the order of their creation, often that of their use.

    A list of parameters from a dictionary is sorted by names.
    """
    if not isinstance(params, (dict, ParameterDict)):
        return list(range(len(listed)))
    places = {id(parameter): place for place, parameter in enumerate(listed)}
    return [*dict.fromkeys(places[id(parameter)] for parameter in params.values())]


def _make_optimizer(
    optimizer: str | opt.Optimizer,
    optimizer_params: Mapping[str, Any] | None,
    parameters: Sequence[Parameter],
) -> opt.Optimizer:
    param_dict = dict(enumerate(parameters))
    if isinstance(optimizer, opt.Optimizer):
        if optimizer_params:
            raise ParameterError(
                "Trainer: optimizer_params go with the name of an optimizer, got an Optimizer"
            )
        optimizer.param_dict = param_dict
        return optimizer
    made: opt.Optimizer = opt.create(
        optimizer, param_dict=param_dict, **dict(optimizer_params or {})
    )
    return made


def check_store(kvstore: Any) -> None:
    """Raises for values that cannot be the store of a trainer."""
    if kvstore is None or isinstance(kvstore, KVStoreBase):
        return
    if not isinstance(kvstore, str):
        raise UnsupportedTypeError(
            "Trainer: kvstore takes a KVStore, the name of one or None, "
            f"got {type(kvstore).__name__}"
        )


def choose_store(
    kvstore: Any,
    wanted: bool | None,
    parameters: Sequence[Parameter],
    num_contexts: int,
    compression_params: Mapping[str, Any] | None,
) -> tuple[Any, bool | None]:
    """Returns the store of a trainer, None if it needs none, and whether weights are updated there.

    Args:
        kvstore: A store, the name of one, or None.
        wanted: Whether weights are to be updated in the store; None lets the store decide.
        parameters: Parameters that are trained.
        num_contexts: On how many contexts they are.
        compression_params: Options of gradient compression, if it is used.
    """
    if is_sharded(parameters):  # gradients are added up when they are computed
        return None, None
    sparse = [item.name for item in parameters if item._stype != "default"]
    if sparse:
        if kvstore is None:
            raise UnsupportedTypeError(
                f"Trainer: row_sparse Parameter {sparse[0]!r} needs a kvstore, got None"
            )
        if wanted is False:
            raise ParameterError(
                f"Trainer: row_sparse Parameter {sparse[0]!r} is updated in the store, "
                "got update_on_kvstore=False"
            )
    if isinstance(kvstore, str):
        is_needed = num_contexts > 1 or sparse or spans_processes(kvstore)
        kvstore = stores.create(kvstore) if is_needed else None
    if kvstore is None:
        return None, None
    if compression_params:
        kvstore.set_gradient_compression(compression_params)
    return kvstore, _updates_weights(kvstore, wanted, parameters)


def _updates_weights(store: Any, wanted: bool | None, parameters: Sequence[Parameter]) -> bool:
    """Returns whether weights are updated in a store, if that is possible and not unwanted."""
    capable: bool = store.is_capable(KVStoreBase.OPTIMIZER)
    if wanted and not capable:
        raise ParameterError(
            f"Trainer: a store {store.type!r} has no optimizer; use update_on_kvstore=False"
        )
    if wanted is False and "async" in store.type:
        raise ParameterError(
            f"Trainer: a store {store.type!r} updates weights by the gradients of one process "
            "after the other, got update_on_kvstore=False"
        )
    if wanted is not None:
        return wanted
    is_dense = all(item._stype == "default" for item in parameters)
    if is_dense and not may_update_weights() and "async" not in store.type:
        return False
    has_rows = any(item._grad_stype != "default" for item in parameters)
    return capable and ("dist" in store.type or not (has_rows and is_dense))
