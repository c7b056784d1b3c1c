"""A module with a network for each kind of batch, all of which share their parameters."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet import symbol as sym
from mxnet._formats.files import load_together, written_together
from mxnet.context import Context, cpu
from mxnet.errors import FileFormatError, InvalidArgumentError
from mxnet.module import base_module
from mxnet.module._checkpoints import checkpoint_path, load_params
from mxnet.module.base_module import BaseModule, Params
from mxnet.module.module import Module
from mxnet.name import NameManager
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

CPU = cpu()
Generated = tuple[Symbol, Sequence[str], Sequence[str]]


class BucketingModule(BaseModule):
    """Trains on batches of several lengths, with a network for each.

    A batch says with `bucket_key` which network it is for. Networks are made when they are needed.
    They share their parameters by name with that of the default key, which needs the most memory.

    Args:
        sym_gen: Function that gives, for a key, the symbol, the names of data and those of labels.
        default_bucket_key: Key of the largest bucket.
        logger: Where messages go.
        context: Context, or several that share each batch.
        work_load_list: Share of each context.
        fixed_param_names: Parameters that are not trained.
        state_names: Arguments that keep their values from batch to batch.
        group2ctxs: Contexts by name of a `ctx_group`.
        compression_params: How a store of several contexts compresses gradients.

    Example:
        >>> import mxnet as mx
        >>> def make_network(length):  # its parameters do not depend on the length
        ...     data = mx.sym.var("data")
        ...     words = mx.sym.Embedding(data, input_dim=10, output_dim=4, name="words")
        ...     output = mx.sym.FullyConnected(mx.sym.sum(words, axis=1), num_hidden=2, name="fc")
        ...     return mx.sym.SoftmaxOutput(output, name="softmax"), ["data"], ["softmax_label"]
        >>> module = mx.mod.BucketingModule(make_network, default_bucket_key=8)
        >>> module.bind([("data", (1, 8))], [("softmax_label", (1,))])
        >>> module.init_params()
        >>> short = mx.io.DataBatch(
        ...     [mx.nd.array([[1, 2, 3]])], [mx.nd.array([0])], bucket_key=3,
        ...     provide_data=[("data", (1, 3))], provide_label=[("softmax_label", (1,))],
        ... )
        >>> module.forward(short)
        >>> module.get_outputs()[0].shape
        (1, 2)
    """

    def __init__(
        self,
        sym_gen: Callable[..., Generated],
        default_bucket_key: Any = None,
        logger: Any = logging,
        context: Context | Sequence[Context] = CPU,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(logger)
        if default_bucket_key is None:
            raise InvalidArgumentError("BucketingModule: default_bucket_key must be given")
        self._sym_gen, self._default_bucket_key = sym_gen, default_bucket_key
        symbol, data_names, label_names = self._generate(default_bucket_key)
        base_module.check_inputs(
            symbol, data_names or (), label_names or (), state_names or (), fixed_param_names or ()
        )
        self._options: dict[str, Any] = {
            "logger": logger,
            "context": context,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
            "compression_params": compression_params,
        }
        self._params_dirty = False
        self._monitor: Any = None
        self._grad_req: Any = None
        self._loaded: tuple[Params, Params] | None = None
        self._reset_bind()

    def _reset_bind(self) -> None:
        self.binded = False
        self._buckets: dict[Any, Module] = {}
        self._curr_module: Any = None
        self._curr_bucket_key: Any = None

    def _generate(self, key: Any) -> Generated:
        """Returns the network of a key, whose unnamed nodes have the same names for all keys."""
        with NameManager():
            return self._sym_gen(key)

    def _make(self, key: Any) -> Module:
        symbol, data_names, label_names = self._generate(key)
        return Module(symbol, data_names, label_names, **self._options)

    @property
    def data_names(self) -> Sequence[str]:
        """Names of the data."""
        if self.binded:
            names: Sequence[str] = self._curr_module.data_names
            return names
        return self._generate(self._default_bucket_key)[1]

    @property
    def output_names(self) -> Sequence[str]:
        """Names of the outputs."""
        if self.binded:
            names: Sequence[str] = self._curr_module.output_names
            return names
        return self._generate(self._default_bucket_key)[0].list_outputs()

    @property
    def data_shapes(self) -> Any:
        """Descriptions of the data of the current bucket."""
        self._require("data_shapes", "binded")
        return self._curr_module.data_shapes

    @property
    def label_shapes(self) -> Any:
        """Descriptions of the labels of the current bucket."""
        self._require("label_shapes", "binded")
        return self._curr_module.label_shapes

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs of the current bucket."""
        self._require("output_shapes", "binded")
        return self._curr_module.output_shapes

    @property
    def symbol(self) -> Any:
        """The symbol of the current bucket."""
        self._require("symbol", "binded")
        return self._curr_module.symbol

    def get_params(self) -> tuple[Params, Params]:
        """Returns parameters and auxiliary states by name, on the CPU."""
        self._require("get_params", "binded", "params_initialized")
        if self._params_dirty:  # the default bucket may have parameters that others do not use
            for module in (self._buckets[self._default_bucket_key], self._curr_module):
                module._params_dirty = True
                module.get_params()
            self._params_dirty = False
        params: tuple[Params, Params] = self._curr_module.get_params()
        return params

    def init_params(
        self,
        initializer: Any = base_module.DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initializes the parameters of the current bucket; see `Module.init_params`."""
        if self.params_initialized and not force_init:
            return
        self._require("init_params", "binded")
        self._curr_module.init_params(
            initializer, arg_params, aux_params, allow_missing, force_init, allow_extra
        )
        self._params_dirty = False
        self.params_initialized = True

    def set_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Sets parameters and auxiliary states; see `Module.set_params`."""
        if not allow_missing:
            super().set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self._keeps_params("set_params", force_init):
            return
        self._require("set_params", "binded")
        self._curr_module.set_params(arg_params, aux_params, True, force_init, allow_extra)
        self._params_dirty = True
        self.params_initialized = True

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
        """Allocates memory for the default bucket; see `Module.bind`."""
        if shared_module is not None:
            raise InvalidArgumentError("BucketingModule.bind: shared_module is not for buckets")
        params = self.get_params() if self.binded and self.params_initialized else self._loaded
        if force_rebind:
            self._reset_bind()
        if self._stays_bound(force_rebind):
            return
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._grad_req = grad_req
        module = self._make(self._default_bucket_key)
        module.bind(data_shapes, label_shapes, for_training, inputs_need_grad, grad_req=grad_req)
        self.binded = True
        self._curr_module, self._curr_bucket_key = module, self._default_bucket_key
        self._buckets[self._default_bucket_key] = module
        if params is not None:
            self.set_params(*params)

    def switch_bucket(self, bucket_key: Any, data_shapes: Any, label_shapes: Any = None) -> None:
        """Makes a bucket the current one; a new one is bound for data of the given shapes."""
        self._require("switch_bucket", "binded")
        if bucket_key not in self._buckets:
            module = self._make(bucket_key)
            module.bind(
                data_shapes,
                label_shapes,
                self._curr_module.for_training,
                self._curr_module.inputs_need_grad,
                shared_module=self._buckets[self._default_bucket_key],
                grad_req=self._grad_req,
            )
            if self._monitor is not None:
                module.install_monitor(self._monitor)
            self._buckets[bucket_key] = module
        self._curr_module, self._curr_bucket_key = self._buckets[bucket_key], bucket_key

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = base_module.DEFAULT_OPTIMIZER_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Makes the optimizer that all buckets share; see `Module.init_optimizer`."""
        self._require("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        self._curr_module.init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        for module in self._buckets.values():
            if module is not self._curr_module:
                module.borrow_optimizer(self._curr_module)
        self.optimizer_initialized = True

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Makes the bucket of a batch that will come next; the current one stays."""
        self._require("prepare", "binded", "params_initialized")
        current = self._curr_bucket_key
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self._curr_module, self._curr_bucket_key = self._buckets[current], current

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Computes the outputs of a batch with the network of its bucket."""
        self._require("forward", "binded", "params_initialized")
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.forward(data_batch, is_train=is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Computes the gradients of the last batch."""
        self._require("backward", "binded", "params_initialized")
        self._curr_module.backward(out_grads=out_grads)

    def update(self) -> None:
        """Updates the parameters by the gradients of the last batch."""
        self._require("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        if not self._curr_module.optimizer_initialized:
            self._curr_module.borrow_optimizer(self._optimizing())
        self._curr_module.update()

    def _optimizing(self) -> Module:
        return next(item for item in self._buckets.values() if item.optimizer_initialized)

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the outputs of the last batch."""
        self._require("get_outputs", "binded", "params_initialized")
        outputs: list[Any] = self._curr_module.get_outputs(merge_multi_context)
        return outputs

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the gradients of the data of the last batch."""
        self._require("get_input_grads", "binded", "params_initialized", "inputs_need_grad")
        gradients: list[Any] = self._curr_module.get_input_grads(merge_multi_context)
        return gradients

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the states of the current bucket."""
        self._require("get_states", "binded", "params_initialized")
        states: list[Any] = self._curr_module.get_states(merge_multi_context)
        return states

    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Sets the states of the current bucket."""
        self._require("set_states", "binded", "params_initialized")
        self._curr_module.set_states(states, value)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs of the last batch."""
        self._require("update_metric", "binded", "params_initialized")
        self._curr_module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Lets a monitor see what all buckets compute."""
        self._require("install_monitor", "binded")
        self._monitor = mon
        for module in self._buckets.values():
            module.install_monitor(mon)

    def save_checkpoint(
        self, prefix: str | os.PathLike[str], epoch: int, remove_amp_cast: bool = False
    ) -> None:
        """Writes the symbol of every bucket, the list of their keys, and the parameters."""
        self._require("save_checkpoint", "binded", "params_initialized")
        start = os.fspath(prefix)
        with written_together():
            self.save_params(checkpoint_path(prefix, epoch, "params"))
            for key, module in self._buckets.items():
                module.symbol.save(f"{start}-{key}-symbol.json", remove_amp_cast)
            nd.save(f"{start}.buckets", [nd.array(list(self._buckets), dtype="int32")])

    @staticmethod
    def load(
        prefix: str | os.PathLike[str],
        epoch: int,
        sym_gen: Callable[..., Generated] | None = None,
        default_bucket_key: Any = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Makes a module from the files of `save_checkpoint`; see the class for the rest."""
        if sym_gen is None:
            raise InvalidArgumentError(
                "BucketingModule.load: takes sym_gen, which is not in the files"
            )
        paths = f"{os.fspath(prefix)}.buckets", checkpoint_path(prefix, epoch, "params")
        symbols, (arguments, states) = load_together(
            paths, lambda: (_load_symbols(prefix), load_params(prefix, epoch))
        )
        return BucketingModule.load_dict(
            symbols, sym_gen, default_bucket_key, arguments, states, **kwargs
        )

    @staticmethod
    def load_dict(
        sym_dict: Mapping[Any, Symbol] | None = None,
        sym_gen: Callable[..., Generated] | None = None,
        default_bucket_key: Any = None,
        arg_params: Params | None = None,
        aux_params: Params | None = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Makes a module with given networks and parameters.

        Args:
            sym_dict: Symbols by key, which are used instead of those of `sym_gen`.
            sym_gen: Function that gives the network of a key.
            default_bucket_key: Key of the largest bucket.
            arg_params: Parameters by name.
            aux_params: Auxiliary states by name.
            **kwargs: Other arguments of `BucketingModule`.
        """
        if sym_gen is None:
            raise InvalidArgumentError("BucketingModule.load_dict: takes sym_gen")
        known = dict(sym_dict or {})

        def generate(key: Any) -> Generated:
            symbol, data_names, label_names = sym_gen(key)
            return known.get(key, symbol), data_names, label_names

        module = BucketingModule(generate, default_bucket_key, **kwargs)
        module._loaded = (dict(arg_params or {}), dict(aux_params or {}))
        module.params_initialized = True
        return module


def _load_symbols(prefix: str | os.PathLike[str]) -> dict[Any, Symbol]:
    """Reads the networks of all buckets, by their keys."""
    start = os.fspath(prefix)
    keys = _load_keys(f"{start}.buckets")
    return {key: sym.load(f"{start}-{key}-symbol.json") for key in keys}


def _load_keys(path: str) -> list[Any]:
    """Reads the keys of buckets: numbers, or tuples of numbers."""
    arrays: Any = nd.load(path)
    if not isinstance(arrays, list) or len(arrays) != 1 or arrays[0].ndim > 2:
        raise FileFormatError(f"BucketingModule.load: {path!r} is no list of bucket keys")
    keys = arrays[0].asnumpy().astype(int).tolist()
    return [tuple(key) if isinstance(key, list) else key for key in keys]
