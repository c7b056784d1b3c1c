"""How the parameters of a module are updated: by a key-value store, or on each context."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from mxnet import kvstore as kvs
from mxnet import ndarray as nd
from mxnet import optimizer as opt
from mxnet._start import level_of_program, public_call
from mxnet.context import Context
from mxnet.errors import CheckFailedError, InvalidArgumentError, UnsupportedTypeError
from mxnet.kvstore import KVStore, KVStoreBase
from mxnet.kvstore._distributed import may_update_weights
from mxnet.kvstore.kvstore import spans_processes
from mxnet.module.base_module import DEFAULT_OPTIMIZER_PARAMS, BaseModule, Params
from mxnet.ndarray import NDArray
from mxnet.optimizer._updater import Weight, load_states, save_states

Replicas = Sequence[Sequence[NDArray]]
"""Arrays of parameters, one of each context."""
Gradients = Sequence[Sequence[NDArray | None]]

_LARGE = 16 * 1024 * 1024
"""Number of elements from which weights are updated where they are, not in a local store."""


def create_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[Any, bool]:
    """Makes the store that a training asks for.

    Args:
        kvstore: A store, its name, or None.
        num_device: Number of contexts; a single one needs no store in this process.
        arg_params: Parameters by name.

    Returns:
        The store, None if none is needed, and whether it is to update the weights.
    """
    in_store = may_update_weights()
    if kvstore is None:
        return None, False
    if isinstance(kvstore, KVStoreBase):
        return kvstore, in_store and kvstore.is_capable(KVStoreBase.OPTIMIZER)
    if not isinstance(kvstore, str):
        raise UnsupportedTypeError(
            f"kvstore: takes a KVStore, a name or None, got {type(kvstore).__name__}"
        )
    if num_device == 1 and not spans_processes(kvstore):
        return None, False
    made = kvs.create(kvstore)
    if kvstore == "local":
        largest = max((prod(array.shape) for array in arg_params.values()), default=0)
        in_store = in_store and largest <= _LARGE
    return made, in_store and made.is_capable(KVStoreBase.OPTIMIZER)


def create_sparse_kvstore(kvstore: Any) -> tuple[Any, bool]:
    """Makes the store for row_sparse weights, which are always updated in it."""
    if isinstance(kvstore, str):
        kvstore = kvs.create(kvstore)
    if not isinstance(kvstore, KVStoreBase):
        raise UnsupportedTypeError(
            f"kvstore: row_sparse weights need a KVStore or its name, got {kvstore!r}"
        )
    return kvstore, True


def initialize_kvstore(
    kvstore: Any,
    param_arrays: Replicas,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Puts the parameters into a store, and from there on all contexts if it updates them.

    Several processes begin with the parameters of rank 0, wherever these are updated.
    """
    spreads = update_on_kvstore or (isinstance(kvstore, KVStore) and kvstore.num_workers > 1)
    for name, replicas in zip(param_names, param_arrays, strict=True):
        value = arg_params[name]
        if spreads and value.stype == "default":
            kvstore.broadcast(name, value, out=list(replicas))
        else:
            kvstore.init(name, value)


def update_params_on_kvstore(
    param_arrays: Replicas, grad_arrays: Gradients, kvstore: Any, param_names: Sequence[str]
) -> None:
    """Updates weights in a store and copies them to all contexts."""
    trained = _trained(param_arrays, grad_arrays, param_names)
    dense = [item for item in trained if item[1][0].stype == "default"]
    if dense:
        keys, weights, gradients = zip(*dense, strict=True)
        kvstore.pushpull_all(keys, gradients, weights)
    for key, replicas, gradients in trained:
        if replicas[0].stype != "default":  # a program pulls the rows that it is going to use
            kvstore.push(key, gradients)


def update_params(
    param_arrays: Replicas,
    grad_arrays: Gradients,
    updater: Any,
    num_device: int,
    kvstore: Any = None,
    param_names: Sequence[str] | None = None,
    numbers: Sequence[int] | None = None,
) -> None:
    """Updates the weights of each context by gradients that a store has added up.

    Args:
        param_arrays: Weights.
        grad_arrays: Gradients, None for weights that are not trained.
        updater: Function of indices, gradients and weights.
        num_device: Number of contexts.
        kvstore: The store, None for a single context.
        param_names: Names of the weights, the keys of the store; their numbers if not given.
        numbers: Number of each weight in the optimizer, by default its place.
    """
    places = list(range(len(param_arrays)))
    trained = _trained(param_arrays, grad_arrays, places)
    if not trained:
        return
    if kvstore is not None:
        keys = [index if param_names is None else param_names[index] for index, *_ in trained]
        kvstore.pushpull_all(keys, [gradients for *_, gradients in trained])
    for device in range(num_device):
        updater(
            [
                (index if numbers is None else numbers[index]) * num_device + device
                for index, *_ in trained
            ],
            [gradients[device] for *_, gradients in trained],
            [weights[device] for _, weights, _ in trained],
        )


def _trained(
    param_arrays: Replicas, grad_arrays: Gradients, keys: Sequence[Any]
) -> list[tuple[Any, Any, Any]]:
    """Lists key, weights and gradients of what has a gradient."""
    return [
        (key, list(weights), list(gradients))
        for key, weights, gradients in zip(keys, param_arrays, grad_arrays, strict=True)
        if gradients and gradients[0] is not None
    ]


class OptimizingModule(BaseModule):
    """The part of `Module` that has to do with its optimizer.

    Args:
        contexts: Contexts of the module.
        compression_params: How a store of several contexts compresses gradients.
        logger: Where messages go.
    """

    def __init__(
        self, contexts: list[Context], compression_params: Mapping[str, Any] | None, logger: Any
    ) -> None:
        super().__init__(logger)
        self._context, self._compression_params = contexts, compression_params
        self._exec_group: Any = None
        self._arg_params: Params | None = None
        self._aux_params: Params | None = None
        self._params_dirty = False
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._update_on_kvstore = False
        self._updater: Any = None
        self._numbers: dict[str, int] = {}
        self._preload_opt_states: str | None = None

    @public_call
    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_OPTIMIZER_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Makes the optimizer.

        Args:
            kvstore: How gradients of several contexts are added up: a store, its name or None.
            optimizer: An optimizer or its name.
            optimizer_params: Arguments of the optimizer; `rescale_grad` is one over the batch
                size if not given.
            force_init: Whether to do so if there is one already.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.1})
            >>> module.optimizer_initialized
            True
        """
        self._require("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        if self._params_dirty:
            self._sync_params_from_devices()
        store, in_store = create_kvstore(kvstore, len(self._context), self._arg_params or {})
        self._optimizer = self._make_optimizer(store, in_store, optimizer, optimizer_params)
        self._kvstore, self._update_on_kvstore, self._updater = store, in_store, None
        self._numbers = {name: i for i, name in enumerate(self._exec_group.param_names)}
        if store is not None:
            if self._compression_params:
                store.set_gradient_compression(self._compression_params)
            if in_store:
                store.set_optimizer(self._optimizer)
            group = self._exec_group
            initialize_kvstore(
                store, group.param_arrays, self._arg_params or {}, group.param_names, in_store
            )
        if not in_store:
            self._updater = opt.get_updater(self._optimizer)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

    def _sync_params_from_devices(self) -> None:
        """Brings the arrays that `get_params` gives up to date."""
        self._exec_group.get_params(self._arg_params, self._aux_params)
        if self._update_on_kvstore:
            for name, array in sorted((self._arg_params or {}).items()):
                if array.stype == "row_sparse":  # contexts have the rows that they asked for
                    rows = nd.arange(array.shape[0])
                    self._kvstore.row_sparse_pull(name, out=array, row_ids=rows)
        self._params_dirty = False

    def _make_optimizer(self, store: Any, in_store: bool, optimizer: Any, params: Any) -> Any:
        copies = 1 if in_store else len(self._context)
        names = {
            index * copies + copy: name
            for index, name in enumerate(self._exec_group.param_names)
            for copy in range(copies)
        }
        scale = self._gradient_scale(store)
        if isinstance(optimizer, str):
            given = {"rescale_grad": scale, **dict(params)}
            return opt.create(optimizer, sym=self._symbol, param_idx2name=names, **given)
        if not isinstance(optimizer, opt.Optimizer):
            raise InvalidArgumentError(
                f"Module.init_optimizer: takes an Optimizer or its name, got {optimizer!r}"
            )
        if optimizer.rescale_grad != scale:
            warnings.warn(
                f"Module.init_optimizer: rescale_grad of the optimizer is "
                f"{optimizer.rescale_grad}, and not one over the batch size, {scale}; is this "
                "intended?",
                stacklevel=level_of_program(),
            )
        if not optimizer.idx2name:
            optimizer.idx2name = names
        return optimizer

    def _gradient_scale(self, store: Any) -> float:
        """Returns one over the size of the batch of all processes that are updated together."""
        batch_size: int = self._exec_group.batch_size
        if store is not None and "dist" in store.type and "_sync" in store.type:
            batch_size *= store.num_workers
        return 1.0 / batch_size if batch_size else 1.0

    def borrow_optimizer(self, shared_module: OptimizingModule) -> None:
        """Uses the optimizer of another module, with which this one shares its parameters."""
        if not shared_module.optimizer_initialized:
            raise CheckFailedError("borrow_optimizer: the other module has no optimizer")
        self._optimizer = shared_module._optimizer
        self._kvstore = shared_module._kvstore
        self._update_on_kvstore = shared_module._update_on_kvstore
        self._updater = shared_module._updater
        self._numbers = shared_module._numbers
        self._number_others()
        self.optimizer_initialized = True

    def _number_others(self) -> None:
        """Numbers the parameters that the module does not share with the optimizer's owner."""
        copies = 1 if self._update_on_kvstore else len(self._context)
        for name in self._exec_group.param_names:
            if name in self._numbers:
                continue
            first = self._numbers[name] = len(self._numbers)
            for copy in range(copies):
                self._optimizer.idx2name[first * copies + copy] = name
            if not name.endswith(("_weight", "_gamma")):
                self._optimizer.wd_mult.setdefault(name, 0.0)

    @public_call
    def update(self) -> None:
        """Updates the parameters by the gradients of the last batch.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> module.init_optimizer(optimizer="sgd", optimizer_params={"rescale_grad": 1.0})
            >>> module.forward(mx.io.DataBatch([mx.nd.ones((4, 3))]), is_train=True)
            >>> module.backward([mx.nd.ones((4, 2))])
            >>> module.update()  # 1 - 0.01 * 4
            >>> print(module.get_params()[0]["fc_weight"][0].asnumpy())
            [0.96 0.96 0.96]
        """
        self._require("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        group = self._exec_group
        if self._update_on_kvstore:
            update_params_on_kvstore(
                group.param_arrays, group.grad_arrays, self._kvstore, group.param_names
            )
        else:
            update_params(
                group.param_arrays,
                group.grad_arrays,
                self._updater,
                len(self._context),
                self._kvstore,
                group.param_names,
                [self._numbers[name] for name in group.param_names],
            )

    @public_call
    def save_optimizer_states(self, fname: str | os.PathLike[str]) -> None:
        """Writes the states of the optimizer to a file, in the original's format."""
        self._require("save_optimizer_states", "optimizer_initialized")
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
        else:
            save_states(self._updater, fname)

    @public_call
    def load_optimizer_states(self, fname: str | os.PathLike[str]) -> None:
        """Reads the states of the optimizer from a file of this or the original package.

        Raises:
            MXNetError: if the file is damaged, or its states do not fit the parameters; nothing
                has changed then.
        """
        self._require("load_optimizer_states", "optimizer_initialized")
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
        else:
            load_states([self._updater], fname, self._known_weights())

    def _known_weights(self) -> dict[int, Weight]:
        """Returns the parameters by the numbers that the optimizer has for them."""
        group, copies = self._exec_group, len(self._context)
        return {
            self._numbers[name] * copies + copy: Weight.of(array, name)
            for name, arrays in zip(group.param_names, group.param_arrays, strict=True)
            for copy, array in enumerate(arrays)
        }

    @public_call
    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Gets the rows of row_sparse parameters that a batch will need.

        Args:
            data_batch: The batch.
            sparse_row_id_fn: Returns, for a batch, the numbers of the rows by name of parameter.
        """
        self._require("prepare", "binded")
        if sparse_row_id_fn is None:
            return
        if self._kvstore is None or not self._update_on_kvstore:
            warnings.warn(
                "Module.prepare: without a store that updates the parameters all rows are there, "
                "and sparse_row_id_fn has no effect",
                stacklevel=level_of_program(),
            )
            return
        rows = sparse_row_id_fn(data_batch)
        if not isinstance(rows, dict):
            raise InvalidArgumentError(
                "Module.prepare: sparse_row_id_fn must return a dict of arrays by name, got "
                f"{type(rows).__name__}"
            )
        arrays = dict(zip(self._exec_group.param_names, self._exec_group.param_arrays, strict=True))
        for name, row_ids in rows.items():
            targets = arrays[name]
            if targets[0].stype != "row_sparse":
                warnings.warn(
                    f"Module.prepare: {name} is not row_sparse; all of it is there",
                    stacklevel=level_of_program(),
                )
                continue
            self._kvstore.row_sparse_pull(name, out=targets, row_ids=row_ids)
