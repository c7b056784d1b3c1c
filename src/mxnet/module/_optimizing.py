"""How a module of one symbol trains its parameters."""

from __future__ import annotations

import os
import warnings
from typing import Any

from mxnet import optimizer as opt
from mxnet._start import public_call
from mxnet.errors import CheckFailedError, InvalidArgumentError
from mxnet.module import _updates
from mxnet.module._symbol_module import SymbolModule
from mxnet.module.base_module import DEFAULT_OPTIMIZER_PARAMS
from mxnet.optimizer._state_checks import Weight
from mxnet.optimizer._updater import load_states, save_states


class OptimizingModule(SymbolModule):
    """The part of `Module` that has to do with its optimizer."""

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
        """
        self._require("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        if self._params_dirty:
            self._sync_params_from_devices()
        store, in_store = _updates.create_kvstore(
            kvstore, len(self._context), self._arg_params or {}
        )
        self._optimizer = self._make_optimizer(store, in_store, optimizer, optimizer_params)
        self._kvstore, self._update_on_kvstore, self._updater = store, in_store, None
        self._numbers = {name: i for i, name in enumerate(self._exec_group.param_names)}
        if store is not None:
            if self._compression_params:
                store.set_gradient_compression(self._compression_params)
            if in_store:
                store.set_optimizer(self._optimizer)
            group = self._exec_group
            _updates.initialize_kvstore(
                store, group.param_arrays, self._arg_params or {}, group.param_names, in_store
            )
        if not in_store:
            self._updater = opt.get_updater(self._optimizer)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

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
                stacklevel=3,
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

    def update(self) -> None:
        """Updates the parameters by the gradients of the last batch."""
        self._require("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        group = self._exec_group
        if self._update_on_kvstore:
            _updates.update_params_on_kvstore(
                group.param_arrays, group.grad_arrays, self._kvstore, group.param_names
            )
        else:
            _updates.update_params(
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
                stacklevel=2,
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
                    f"Module.prepare: {name} is not row_sparse; all of it is there", stacklevel=2
                )
                continue
            self._kvstore.row_sparse_pull(name, out=targets, row_ids=row_ids)
