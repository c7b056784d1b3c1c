"""`Module`: the inputs, the executors and the parameters of one symbol."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet._formats.files import written_together
from mxnet._start import public_call, public_methods
from mxnet.context import Context, cpu
from mxnet.errors import InvalidArgumentError, MXNetError
from mxnet.initializer import InitDesc
from mxnet.io import DataDesc
from mxnet.module import base_module
from mxnet.module._checkpoints import checkpoint_path, load_checkpoint
from mxnet.module._optimizing import OptimizingModule
from mxnet.module.base_module import Params
from mxnet.module.executor_group import DataParallelExecutorGroup
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

CPU = cpu()


@public_methods("set_states", "install_monitor", "get_states", "get_outputs", "get_input_grads")
class Module(OptimizingModule):
    """A symbol that is trained and used for predictions.

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

    Example:
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
        >>> module = mx.mod.Module(net, label_names=None)
        >>> module.bind(data_shapes=[("data", (1, 3))])
        >>> module.init_params(mx.init.One())
        >>> module.forward(mx.io.DataBatch([mx.nd.array([[1, 2, 3]])]), is_train=False)
        >>> print(module.get_outputs()[0].asnumpy())
        [[6. 6.]]
    """

    def __init__(
        self,
        symbol: Symbol,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Context | Sequence[Context] = CPU,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            [context] if isinstance(context, Context) else list(context), compression_params, logger
        )
        self._work_load_list = list(work_load_list or [1] * len(self._context))
        if len(self._work_load_list) != len(self._context):
            raise InvalidArgumentError(
                f"Module: work_load_list takes one share for each of {len(self._context)} "
                f"contexts, got {len(self._work_load_list)}"
            )
        self._group2ctxs = spread_groups(group2ctxs, len(self._context))
        self._symbol = symbol
        self._data_names, self._label_names = list(data_names or ()), list(label_names or ())
        self._state_names = list(state_names or ())
        self._fixed_param_names = list(fixed_param_names or ())
        base_module.check_inputs(
            symbol, self._data_names, self._label_names, self._state_names, self._fixed_param_names
        )
        inputs = {*self._data_names, *self._label_names, *self._state_names}
        self._param_names = [n for n in symbol.list_arguments() if n not in inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self._output_names: list[str] = symbol.list_outputs()
        self._reset_bind()

    def _reset_bind(self) -> None:
        self.binded = False
        self._exec_group = None
        self._data_shapes: list[DataDesc] | None = None
        self._label_shapes: list[DataDesc] | None = None

    @property
    def _total_exec_bytes(self) -> int:
        return 0 if self._exec_group is None else self._exec_group._total_exec_bytes

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """Names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """Descriptions of the data."""
        self._require("data_shapes", "binded")
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """Descriptions of the labels, None if there are none."""
        self._require("label_shapes", "binded")
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        self._require("output_shapes", "binded")
        shapes: list[tuple[str, tuple[int, ...]]] = self._exec_group.get_output_shapes()
        return shapes

    @staticmethod
    @public_call
    def load(
        prefix: str | os.PathLike[str],
        epoch: int,
        load_optimizer_states: bool = False,
        **kwargs: Any,
    ) -> Module:
        """Makes a module from a checkpoint.

        Args:
            prefix: What the names of the files start with.
            epoch: Number of the epoch.
            load_optimizer_states: Whether the optimizer, when there is one, continues.
            **kwargs: Other arguments of `Module`.
        """
        symbol, arguments, states = load_checkpoint(prefix, epoch)
        module = Module(symbol, **kwargs)
        module._arg_params, module._aux_params = arguments, states
        module.params_initialized = True
        if load_optimizer_states:
            module._preload_opt_states = checkpoint_path(prefix, epoch, "states")
        return module

    def save_checkpoint(
        self,
        prefix: str | os.PathLike[str],
        epoch: int,
        save_optimizer_states: bool = False,
        remove_amp_cast: bool = True,
    ) -> None:
        """Writes the symbol, the parameters and, if asked for, the states of the optimizer.

        All files are replaced, or none.

        Args:
            prefix: What the names of the files start with.
            epoch: Number of the epoch, four digits in the names.
            save_optimizer_states: Whether to write a file `prefix-EPOCH.states`.
            remove_amp_cast: Whether to leave out casts that automatic mixed precision put in.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     prefix = os.path.join(folder, "net")
            ...     module.save_checkpoint(prefix, epoch=5)
            ...     loaded = mx.mod.Module.load(prefix, epoch=5, label_names=None)
            ...     print(sorted(os.listdir(folder)), loaded.symbol.list_outputs())
            ['net-0005.params', 'net-symbol.json'] ['fc_output']
        """
        path = checkpoint_path(prefix, epoch, "params")
        states_path = checkpoint_path(prefix, epoch, "states")
        with written_together():
            self.save_params(path)
            if save_optimizer_states:
                self.save_optimizer_states(states_path)
            self._symbol.save(f"{os.fspath(prefix)}-symbol.json", remove_amp_cast)
        logging.info('Saved checkpoint to "%s"', path)
        if save_optimizer_states:
            logging.info('Saved optimizer state to "%s"', states_path)

    @public_call
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
        """Allocates memory for batches of given shapes.

        Args:
            data_shapes: Descriptions of the data, `DataDesc` or tuples of name and shape.
            label_shapes: Descriptions of the labels.
            for_training: Whether gradients will be computed.
            inputs_need_grad: Whether those of the data are needed, too.
            force_rebind: Whether to bind a module that is bound.
            shared_module: Module whose parameters this one uses as its own.
            grad_req: `write`, `add` or `null`: for all, as a list, or as a dict by name.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind(data_shapes=[("data", (4, 3))], for_training=False)
            >>> module.output_shapes
            [('fc_output', (4, 2))]
        """
        if force_rebind:
            if self.params_initialized and self._params_dirty:
                self._sync_params_from_devices()
            self._reset_bind()
        if self._stays_bound(force_rebind):
            return
        if inputs_need_grad and not for_training:
            raise InvalidArgumentError("Module.bind: inputs_need_grad=True needs for_training=True")
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._grad_req = grad_req
        data, label = base_module._parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        if shared_module is not None:
            shared_module._require("bind: shared_module", "binded", "params_initialized")
        self._exec_group = DataParallelExecutorGroup(
            self._symbol,
            self._context,
            self._work_load_list,
            data,
            label,
            self._param_names,
            for_training,
            inputs_need_grad,
            shared_group=None if shared_module is None else shared_module._exec_group,
            logger=self.logger,
            fixed_param_names=self._fixed_param_names,
            grad_req=grad_req,
            state_names=self._state_names,
            group2ctxs=self._group2ctxs,
        )
        self._data_shapes, self._label_shapes = data, label
        self.binded = True
        self._prepare_params(shared_module)

    def _prepare_params(self, shared_module: Any) -> None:
        """Makes the arrays that `get_params` gives, or takes those that there are."""
        if shared_module is not None:
            self.params_initialized = True
            self._arg_params, self._aux_params = (
                shared_module._arg_params,
                shared_module._aux_params,
            )
            if shared_module.optimizer_initialized:
                self.borrow_optimizer(shared_module)
        elif self.params_initialized:
            self._exec_group.set_params(self._arg_params, self._aux_params)
        else:
            self._arg_params, self._aux_params = {}, {}
            self._exec_group.get_params(self._arg_params, self._aux_params)

    @public_call
    def get_params(self) -> tuple[Params, Params]:
        """Returns parameters and auxiliary states by name, on the CPU.

        The dictionaries and their arrays stay the same; they are brought up to date here.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params()
            >>> arguments, states = module.get_params()
            >>> sorted(arguments), states
            (['fc_bias', 'fc_weight'], {})
        """
        self._require("get_params", "params_initialized")
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._arg_params, self._aux_params  # type: ignore[return-value]  # initialized

    @public_call
    def init_params(
        self,
        initializer: Any = base_module.DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Sets the values of parameters and auxiliary states.

        Args:
            initializer: Fills what is not given; what a variable says with `init` goes before.
            arg_params: Parameters by name.
            aux_params: Auxiliary states by name.
            allow_missing: Whether the initializer fills what is missing in these.
            force_init: Whether to do so if they have values already.
            allow_extra: Whether names that the module does not have are passed over.

        Raises:
            MXNetError: if one is missing and that is not allowed.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> print(module.get_params()[0]["fc_weight"][0].asnumpy())
            [1. 1. 1.]
        """
        if self._keeps_params("init_params", force_init):
            return
        self._require("init_params", "binded")
        attributes = self._symbol.attr_dict()
        for own, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            for name, array in sorted((own or {}).items()):
                value = None if given is None else given.get(name)
                if value is not None:
                    if value is not array:
                        value.copyto(array)
                    continue
                if given is not None and not allow_missing:
                    raise MXNetError(
                        f"Module.init_params: {name} is missing; with allow_missing=True the "
                        "initializer would fill it"
                    )
                if initializer is not None:
                    initializer(InitDesc(name, attributes.get(name)), array)
        self.params_initialized = True
        self._params_dirty = False
        self._exec_group.set_params(self._arg_params, self._aux_params, allow_extra=allow_extra)

    @public_call
    def set_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Sets parameters and auxiliary states.

        Args:
            arg_params: Parameters by name.
            aux_params: Auxiliary states by name.
            allow_missing: Whether parameters that are not given stay as they are.
            force_init: Whether to set them if they have values already.
            allow_extra: Whether names that the module does not have are passed over.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.set_params({"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros(2)}, {})
            >>> module.forward(mx.io.DataBatch([mx.nd.ones((4, 3))]), is_train=False)
            >>> print(module.get_outputs()[0][0].asnumpy())
            [3. 3.]
        """
        if not allow_missing:
            super().set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self._keeps_params("set_params", force_init):
            return
        self._require("set_params", "binded")
        self._exec_group.set_params(arg_params or {}, aux_params, allow_extra=allow_extra)
        self._params_dirty = True
        self.params_initialized = True

    @public_call
    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Makes the module take batches of other shapes.

        Args:
            data_shapes: Descriptions of the data.
            label_shapes: Descriptions of the labels.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> module.reshape([("data", (1, 3))])  # with the same parameters
            >>> module.output_shapes
            [('fc_output', (1, 2))]
        """
        self._require("reshape", "binded")
        data, label = base_module._parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        self._exec_group.reshape(data, label)
        self._data_shapes, self._label_shapes = data, label

    @public_call
    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Computes the outputs of a batch; one of another shape binds the module anew.

        Args:
            data_batch: The batch, or a list with one of each context.
            is_train: Whether as in training; by default if the module is bound for that.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> module.forward(mx.io.DataBatch([mx.nd.ones((4, 3))]), is_train=False)
            >>> print(module.get_outputs()[0][0].asnumpy())
            [3. 3.]
        """
        self._require("forward", "binded", "params_initialized")
        shapes = _shapes_of(data_batch)
        if shapes != [tuple(item.shape) for item in self._data_shapes or ()]:
            self._reshape_for(data_batch, shapes)
        self._exec_group.forward(data_batch, is_train)

    def _reshape_for(self, data_batch: Any, shapes: Sequence[tuple[int, ...]]) -> None:
        batch = data_batch[0] if isinstance(data_batch, list) else data_batch
        data = getattr(batch, "provide_data", None)
        if not data or isinstance(data_batch, list):
            data = [
                DataDesc(item.name, shape, item.dtype, item.layout)
                for item, shape in zip(self._data_shapes or (), shapes, strict=False)
            ]
        label = getattr(batch, "provide_label", None)
        if (not label or isinstance(data_batch, list)) and getattr(batch, "label", None):
            known = self._label_shapes or [DataDesc(name, ()) for name in self._label_names]
            label = [
                DataDesc(item.name, shape, item.dtype, item.layout)
                for item, shape in zip(known, _shapes_of(data_batch, "label"), strict=False)
            ]
        self.reshape(data, label or None)

    @public_call
    def backward(self, out_grads: Any = None) -> None:
        """Computes the gradients of the last batch.

        Args:
            out_grads: Gradients of the outputs, which can be left out for losses.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))], inputs_need_grad=True)
            >>> module.init_params(mx.init.One())
            >>> module.forward(mx.io.DataBatch([mx.nd.ones((4, 3))]), is_train=True)
            >>> module.backward([mx.nd.ones((4, 2))])
            >>> print(module.get_input_grads()[0][0].asnumpy())
            [2. 2. 2.]
        """
        self._require("backward", "binded", "params_initialized")
        self._exec_group.backward(out_grads=out_grads)

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the outputs of the last batch.

        Args:
            merge_multi_context: Whether those of several contexts are put together; else each
                output is a list.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> module = mx.mod.Module(net, label_names=None)
            >>> module.bind([("data", (4, 3))])
            >>> module.init_params(mx.init.One())
            >>> module.forward(mx.io.DataBatch([mx.nd.ones((4, 3))]))
            >>> module.get_outputs()[0].shape
            (4, 2)
        """
        self._require("get_outputs", "binded", "params_initialized")
        outputs: list[Any] = self._exec_group.get_outputs(merge_multi_context)
        return outputs

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the gradients of the data; see `get_outputs`."""
        self._require("get_input_grads", "binded", "params_initialized", "inputs_need_grad")
        gradients: list[Any] = self._exec_group.get_input_grads(merge_multi_context)
        return gradients

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the states, lists with one array of each context."""
        self._require("get_states", "binded", "params_initialized")
        states: list[Any] = self._exec_group.get_states(merge_multi_context)
        return states

    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Sets the states.

        Args:
            states: Arrays, as `get_states` or `get_outputs(merge_multi_context=False)` gives them.
            value: A number for all of them.
        """
        self._require("set_states", "binded", "params_initialized")
        self._exec_group.set_states(states, value)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs of the last batch.

        Args:
            eval_metric: The metric.
            labels: Labels of the batch.
            pre_sliced: Whether the labels are lists of those of each context.
        """
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Lets a monitor see what is computed."""
        self._require("install_monitor", "binded")
        self._exec_group.install_monitor(mon)


def _shapes_of(data_batch: Any, part: str = "data") -> list[tuple[int, ...]]:
    """Returns the shapes of a batch; batches of several contexts count together."""
    if not isinstance(data_batch, list):
        return [tuple(item.shape) for item in getattr(data_batch, part)]
    if not data_batch:
        raise InvalidArgumentError("Module.forward: got an empty list of batches")
    columns = list(zip(*(getattr(batch, part) for batch in data_batch), strict=True))
    for column in columns:
        if len({tuple(item.shape) for item in column}) > 1:
            raise InvalidArgumentError("Module.forward: the batches of all contexts have one shape")
    return [(len(column) * column[0].shape[0], *column[0].shape[1:]) for column in columns]


Groups = list[dict[str, Context]]


def spread_groups(group2ctxs: Any, count: int) -> Groups | None:
    """Returns the contexts of groups for each context of a module.

    Args:
        group2ctxs: A dict from names of groups to a context or to a list of them; or a list with
            such a dict for each context of the module.
        count: Number of contexts of the module.
    """
    if group2ctxs is None:
        return None
    if isinstance(group2ctxs, (list, tuple)):
        if len(group2ctxs) != count:
            raise InvalidArgumentError(
                f"Module: group2ctxs takes a dict for each of {count} contexts, "
                f"got {len(group2ctxs)}"
            )
        return [dict(item) for item in group2ctxs]
    if not isinstance(group2ctxs, Mapping):
        raise InvalidArgumentError(f"Module: group2ctxs takes dicts by group, got {group2ctxs!r}")
    spread: Groups = [{} for _ in range(count)]
    for group, given in group2ctxs.items():
        listed = [given] if isinstance(given, Context) else list(given)
        if len(listed) == 1:
            listed *= count
        if len(listed) != count:
            raise InvalidArgumentError(
                f"Module: group2ctxs: {group!r} takes {count} contexts, got {len(listed)}"
            )
        for target, context in zip(spread, listed, strict=True):
            target[group] = context
    return spread
