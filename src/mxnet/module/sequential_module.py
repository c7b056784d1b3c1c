"""A chain of modules, each of which computes with what the one before it gives."""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mxnet.errors import InvalidArgumentError
from mxnet.module import base_module
from mxnet.module.base_module import BaseModule, Params
from mxnet.ndarray import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self


class SequentialModule(BaseModule):
    """Modules one after the other: the outputs of each are the data of the next.

    Args:
        logger: Where messages go.

    Example:
        >>> import mxnet as mx
        >>> first = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="first")
        >>> second = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="second")
        >>> output = mx.sym.SoftmaxOutput(second, name="softmax")
        >>> module = mx.mod.SequentialModule()
        >>> _ = module.add(mx.mod.Module(first, label_names=None))
        >>> _ = module.add(mx.mod.Module(output), take_labels=True, auto_wiring=True)
        >>> module.bind([("data", (1, 3))], [("softmax_label", (1,))])
        >>> module.init_params()
        >>> module.forward(mx.io.DataBatch([mx.nd.ones((1, 3))], [mx.nd.array([0])]))
        >>> module.get_outputs()[0].shape
        (1, 2)
    """

    META_TAKE_LABELS = "take_labels"
    """Says that a module gets the labels of the batch."""
    META_AUTO_WIRING = "auto_wiring"
    """Says that the data of a module is named as it likes, whatever its predecessor calls it."""

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger)
        self._modules: list[BaseModule] = []
        self._metas: list[Mapping[str, Any]] = []
        self._data_shapes: Any = None
        self._label_shapes: Any = None

    def add(self, module: BaseModule, **kwargs: Any) -> Self:
        """Adds a module at the end; the chain has to be bound again.

        Args:
            module: The module.
            **kwargs: `take_labels` and `auto_wiring`, see above.

        Returns:
            The chain itself.
        """
        known = (self.META_TAKE_LABELS, self.META_AUTO_WIRING)
        for key in kwargs:
            if key not in known:
                raise InvalidArgumentError(
                    f"SequentialModule.add: takes {', '.join(known)}, got {key!r}"
                )
        self._modules.append(module)
        self._metas.append(kwargs)
        self.binded = self.params_initialized = self.optimizer_initialized = False
        return self

    @property
    def data_names(self) -> Sequence[str]:
        """Names of the data of the first module."""
        return self._modules[0].data_names if self._modules else []

    @property
    def output_names(self) -> Sequence[str]:
        """Names of the outputs of the last module."""
        return self._modules[-1].output_names if self._modules else []

    @property
    def data_shapes(self) -> Any:
        """Descriptions of the data of the first module."""
        self._require("data_shapes", "binded")
        return self._modules[0].data_shapes

    @property
    def label_shapes(self) -> Any:
        """Descriptions of the labels, None if no module takes them."""
        self._require("label_shapes", "binded")
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs of the last module."""
        self._require("output_shapes", "binded")
        return self._modules[-1].output_shapes

    def get_params(self) -> tuple[Params, Params]:
        """Returns parameters and auxiliary states of all modules by name."""
        self._require("get_params", "binded", "params_initialized")
        arguments: Params = {}
        states: Params = {}
        for module in self._modules:
            own_arguments, own_states = module.get_params()
            arguments.update(own_arguments)
            states.update(own_states)
        return arguments, states

    def init_params(
        self,
        initializer: Any = base_module.DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initializes the parameters of all modules; see `Module.init_params`."""
        if self.params_initialized and not force_init:
            return
        self._require("init_params", "binded")
        del allow_extra  # what one module has is extra for the others
        for module in self._modules:
            module.init_params(
                initializer, arg_params, aux_params, allow_missing, force_init, allow_extra=True
            )
        self._check_names()
        self.params_initialized = True

    def _check_names(self) -> None:
        """Checks that no two modules have parameters of the same name."""
        owners: dict[str, int] = {}
        for number, module in enumerate(self._modules):
            for params in module.get_params():
                for name in params:
                    if owners.setdefault(name, number) != number:
                        raise InvalidArgumentError(
                            f"SequentialModule: modules {owners[name]} and {number} both have a "
                            f"parameter {name!r}"
                        )

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
        """Allocates memory for all modules; see `Module.bind`."""
        if self._stays_bound(force_rebind):
            return
        if inputs_need_grad and not for_training:
            raise InvalidArgumentError(
                "SequentialModule.bind: inputs_need_grad=True needs for_training=True"
            )
        if shared_module is not None or not self._modules:
            raise InvalidArgumentError(
                "SequentialModule.bind: takes at least one module and no shared_module"
            )
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self.binded = True
        shapes, labels_taken = data_shapes, False
        for number, (module, meta) in enumerate(zip(self._modules, self._metas, strict=True)):
            labels = label_shapes if meta.get(self.META_TAKE_LABELS) else None
            labels_taken = labels_taken or labels is not None
            if meta.get(self.META_AUTO_WIRING):
                names = module.data_names
                if len(names) != len(shapes):
                    raise InvalidArgumentError(
                        f"SequentialModule.bind: module {number} takes {len(names)} inputs, "
                        f"got {len(shapes)}"
                    )
                shapes = [(name, shape[1]) for name, shape in zip(names, shapes, strict=True)]
            module.bind(
                shapes,
                labels,
                for_training,
                for_training and (inputs_need_grad or number > 0),
                force_rebind,
                None,
                grad_req,
            )
            shapes = module.output_shapes
        self._label_shapes = label_shapes if labels_taken else None

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = base_module.DEFAULT_OPTIMIZER_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Makes an optimizer for each module; see `Module.init_optimizer`."""
        self._require("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for module in self._modules:
            module.init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        self.optimizer_initialized = True

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Computes the outputs of a batch."""
        self._require("forward", "binded", "params_initialized")
        batch = copy.copy(data_batch)  # each module sees other data
        for number, module in enumerate(self._modules):
            module.forward(batch, is_train=is_train)
            if number + 1 == len(self._modules):
                return
            batch.data = module.get_outputs()
            batch.provide_data = [
                (name, array.shape)
                for name, array in zip(module.output_names, batch.data, strict=True)
            ]
            if self._metas[number + 1].get(self.META_AUTO_WIRING):
                names = self._modules[number + 1].data_names
                batch.provide_data = [
                    (name, array.shape) for name, array in zip(names, batch.data, strict=True)
                ]

    def backward(self, out_grads: Any = None) -> None:
        """Computes the gradients of the last batch."""
        self._require("backward", "binded", "params_initialized")
        for number, module in reversed(list(enumerate(self._modules))):
            module.backward(out_grads=out_grads)
            if number:
                out_grads = module.get_input_grads()

    def update(self) -> None:
        """Updates the parameters of all modules."""
        self._require("update", "binded", "params_initialized", "optimizer_initialized")
        for module in self._modules:
            module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the outputs of the last module."""
        self._require("get_outputs", "binded", "params_initialized")
        return self._modules[-1].get_outputs(merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the gradients of the data of the first module."""
        self._require("get_input_grads", "binded", "params_initialized", "inputs_need_grad")
        return self._modules[0].get_input_grads(merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs of the modules that take labels."""
        self._require("update_metric", "binded", "params_initialized")
        for module, meta in zip(self._modules, self._metas, strict=True):
            if meta.get(self.META_TAKE_LABELS):
                module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Lets a monitor see what all modules compute."""
        self._require("install_monitor", "binded")
        for module in self._modules:
            module.install_monitor(mon)
