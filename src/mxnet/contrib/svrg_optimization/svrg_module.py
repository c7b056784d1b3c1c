"""`SVRGModule`: a module that is trained with stochastic gradients of reduced variance."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet.context import Context, cpu
from mxnet.contrib.svrg_optimization.svrg_optimizer import FULL, _SVRGOptimizer
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.metric import EvalMetric
from mxnet.module import Module
from mxnet.module.base_module import DEFAULT_OPTIMIZER_PARAMS
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

_CPU = cpu()


class SVRGModule(Module):
    """A module whose gradients vary less, by the method of Johnson and Zhang (2013).

    Every `update_freq` epochs the parameters are kept, and the gradient of all data with them is
    computed. Each step then goes along ``g - g_kept + g_full``: the gradient of the batch, less
    that of the batch with the kept parameters, plus that of all data.

    Args:
        symbol: The network.
        data_names: Names of the arguments that are data.
        label_names: Names of the arguments that are labels.
        logger: Where messages go.
        context: Context, or several that share each batch.
        work_load_list: Share of each context.
        fixed_param_names: Parameters that are not trained.
        state_names: Arguments that keep their values from batch to batch.
        group2ctxs: Contexts by name of a `ctx_group`.
        compression_params: How a store of several contexts compresses gradients.
        update_freq: Number of epochs between two full gradients.

    Raises:
        UnsupportedTypeError: if `update_freq` is not an integer.
        ArgumentValueError: if it is not positive.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.contrib.svrg_optimization.svrg_module import SVRGModule
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
        >>> net = mx.sym.LinearRegressionOutput(net, mx.sym.var("label"))
        >>> data = mx.io.NDArrayIter(mx.nd.ones((4, 2)), mx.nd.ones(4), 2, label_name="label")
        >>> module = SVRGModule(net, label_names=["label"], update_freq=2)
        >>> module.fit(data, eval_metric="mse", num_epoch=4, initializer=mx.init.One(),
        ...            optimizer_params={"learning_rate": 0.25})
        >>> print(module.predict(data).shape)
        (4, 1)
    """

    def __init__(
        self,
        symbol: Symbol,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Context | Sequence[Context] = _CPU,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Mapping[str, Any] | None = None,
        update_freq: int | None = None,
    ) -> None:
        given: dict[str, Any] = {
            "data_names": data_names,
            "label_names": label_names,
            "logger": logger,
            "context": context,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
            "compression_params": compression_params,
        }
        self._mod_aux: Module = Module(symbol, **given)
        super().__init__(symbol, **given)
        self.update_freq = _check_frequency(update_freq)
        self._param_dict: list[dict[str, NDArray]] | None = None
        self._ctx_len = len(self._context)

    def _reset_bind(self) -> None:
        super()._reset_bind()
        self._mod_aux._reset_bind()

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
        """Allocates memory for batches of given shapes; see `Module.bind`.

        Args:
            data_shapes: Descriptions of the data.
            label_shapes: Descriptions of the labels.
            for_training: Whether gradients will be computed.
            inputs_need_grad: Whether those of the data are needed, too.
            force_rebind: Whether to bind a module that is bound.
            shared_module: Module whose parameters this one uses as its own.
            grad_req: `write`, `add` or `null`.
        """
        options = (for_training, inputs_need_grad, force_rebind, shared_module, grad_req)
        super().bind(data_shapes, label_shapes, *options)
        if for_training:
            self._mod_aux.bind(data_shapes, label_shapes, *options)

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Makes the module take batches of other shapes.

        Args:
            data_shapes: Descriptions of the data.
            label_shapes: Descriptions of the labels.
        """
        super().reshape(data_shapes, label_shapes)
        if self._mod_aux.binded:
            self._mod_aux.reshape(data_shapes, label_shapes)

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_OPTIMIZER_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Makes the optimizer, and sets the full gradients to zero; see `Module.init_optimizer`.

        Args:
            kvstore: How gradients of several contexts are added up: a store, its name or None.
            optimizer: An optimizer or its name.
            optimizer_params: Arguments of the optimizer.
            force_init: Whether to do so if there is one already.
        """
        is_new = force_init or not self.optimizer_initialized
        super().init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        group = self._exec_group
        self._param_dict = [
            {
                name: nd.zeros(replicas[0].shape, ctx=ctx, dtype=replicas[0].dtype)
                for name, replicas in zip(group.param_names, group.param_arrays, strict=True)
            }
            for ctx in self._context
        ]
        if self._kvstore is not None and is_new:
            self._init_full_gradients()

    def _make_optimizer(self, store: Any, in_store: bool, optimizer: Any, params: Any) -> Any:
        names = self._exec_group.param_names
        copies = 1 if in_store else len(self._context)
        by_number = {
            number * copies + copy: name
            for number, name in enumerate([*names, *(name + FULL for name in names)])
            for copy in range(copies)
        }
        given = {
            "rescale_grad": self._gradient_scale(store),
            **dict(params),
            "sym": self._symbol,
            "param_idx2name": by_number,
        }
        made = self._create_optimizer(
            _SVRGOptimizer.__name__, default_opt=optimizer, kvstore=store, optimizer_params=given
        )
        return super()._make_optimizer(store, in_store, made, ())

    def _create_optimizer(
        self, optimizer: str, default_opt: Any, kvstore: Any, optimizer_params: Any
    ) -> _SVRGOptimizer:
        """Returns the optimizer that has the one of the parameters inside."""
        del optimizer, kvstore
        return _SVRGOptimizer(default_opt, **dict(optimizer_params))

    def _init_full_gradients(self) -> None:
        """Puts full gradients of zero into the store."""
        group = self._exec_group
        for name, replicas in zip(group.param_names, group.param_arrays, strict=True):
            self._kvstore.init(name + FULL, nd.zeros(replicas[0].shape, dtype=replicas[0].dtype))
            if self._update_on_kvstore:
                # The original hands these zeros to the contexts, which compute the first batch
                # with them; the weights themselves come back with the first update.
                self._kvstore.pull(name + FULL, list(replicas))

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Computes the outputs of a batch, for training also with the kept parameters.

        Args:
            data_batch: The batch.
            is_train: Whether as in training; by default if the module is bound for that.
        """
        super().forward(data_batch, is_train)
        if is_train:
            self._mod_aux.forward(data_batch, is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Computes the gradients of the last batch, with both sets of parameters.

        Args:
            out_grads: Gradients of the outputs, which can be left out for losses.
        """
        super().backward(out_grads)
        if self._mod_aux.binded:
            self._mod_aux.backward(out_grads)

    def update(self) -> None:
        """Updates the parameters along the corrected gradients of the last batch."""
        self._require("update", "binded", "params_initialized", "optimizer_initialized")
        self._update_svrg_gradients()
        super().update()

    def update_full_grads(self, train_data: Any) -> None:
        """Keeps the parameters as they are, and computes the gradient of all data with them.

        Args:
            train_data: Iterator over all batches; the last one may have padding.
        """
        self._require("update_full_grads", "binded", "params_initialized", "optimizer_initialized")
        arguments, states = self.get_params()
        self._mod_aux.set_params(arguments, states)
        train_data.reset()
        num_batches, padding = 0, 0
        for batch in train_data:
            self._mod_aux.forward(batch, is_train=True)
            self._mod_aux.backward()
            self._add_gradients()
            num_batches, padding = num_batches + 1, getattr(batch, "pad", None) or 0
        true_num_batches = num_batches - padding / train_data.batch_size
        for name in self._exec_group.param_names:
            for full in self._param_dict or ():
                full[name] /= true_num_batches
            if self._kvstore is not None:
                self._accumulate_kvstore(name, [full[name] for full in self._param_dict or ()])

    def _add_gradients(self) -> None:
        """Adds the gradients of a batch to the full ones."""
        # What was there before is not removed: it counts as one more batch, as in the original.
        for name, gradients in self._gradients_by_name(self._mod_aux):
            for full, gradient in zip(self._param_dict or (), gradients, strict=True):
                full[name] += gradient

    def _gradients_by_name(self, module: Module) -> list[tuple[str, list[NDArray]]]:
        group = module._exec_group
        pairs = zip(group.param_names, group.grad_arrays, strict=True)
        return [(name, arrays) for name, arrays in pairs if arrays and arrays[0] is not None]

    def _accumulate_kvstore(self, key: str, value: list[NDArray]) -> None:
        """Adds a full gradient up over contexts and processes.

        Args:
            key: Name of the parameter.
            value: Its full gradient of each context.
        """
        self._kvstore.push(key + FULL, value)
        self._kvstore._barrier()
        self._kvstore.pull(key + FULL, value)
        self._allocate_gradients(key, value)

    def _allocate_gradients(self, key: str, value: list[NDArray]) -> None:
        """Hands each context its part of a full gradient that was added up.

        Args:
            key: Name of the parameter.
            value: The sum, once for each context.
        """
        for full, total in zip(self._param_dict or (), value, strict=True):
            full[key] = total / self._ctx_len

    def _svrg_grads_update_rule(
        self,
        g_curr_batch_curr_weight: NDArray,
        g_curr_batch_special_weight: NDArray,
        g_special_weight_all_batch: NDArray,
    ) -> NDArray:
        """Returns the corrected gradient.

        Args:
            g_curr_batch_curr_weight: Gradient of the batch.
            g_curr_batch_special_weight: Gradient of the batch with the kept parameters.
            g_special_weight_all_batch: Gradient of all data with the kept parameters.
        """
        correction = g_special_weight_all_batch - g_curr_batch_special_weight
        corrected: NDArray = g_curr_batch_curr_weight + correction
        return corrected

    def _update_svrg_gradients(self) -> None:
        """Corrects the gradients of the last batch in their place."""
        kept = dict(self._gradients_by_name(self._mod_aux))
        for name, gradients in self._gradients_by_name(self):
            for place, gradient in enumerate(gradients):
                full = (self._param_dict or [])[place][name]
                gradient[:] = self._svrg_grads_update_rule(gradient, kept[name][place], full)

    def _read_metric(self, eval_metric: EvalMetric) -> list[tuple[str, float]]:
        # Of the batches after the last reset, as by a `Speedometer`; other modules read all.
        return eval_metric.get_name_value()

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        if epoch % self.update_freq == 0:
            self.update_full_grads(train_data)
            train_data.reset()

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Gets the rows of row_sparse parameters that a batch will need.

        Args:
            data_batch: The batch.
            sparse_row_id_fn: Returns, for a batch, the numbers of the rows by name of parameter.
        """
        super().prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self._mod_aux.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)


def _check_frequency(update_freq: int | None) -> int:
    if not isinstance(update_freq, int):
        raise UnsupportedTypeError(
            f"SVRGModule: update_freq takes a number of epochs, an integer, got {update_freq!r}"
        )
    if update_freq <= 0:
        raise ArgumentValueError(f"SVRGModule: update_freq must be positive, got {update_freq}")
    return update_freq
