"""Modules that are written in Python, without a symbol."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mxnet import ndarray as nd
from mxnet.errors import CheckFailedError, InvalidArgumentError
from mxnet.module import base_module
from mxnet.module.base_module import BaseModule, Params
from mxnet.ndarray import NDArray


class PythonModule(BaseModule):
    """Base of modules written in Python; a subclass defines what it computes.

    It defines `forward`, `backward`, `get_outputs`, `get_input_grads` and
    `_compute_output_shapes`. As it stands it has no parameters.

    Args:
        data_names: Names of the data.
        label_names: Names of the labels, None if there are none.
        output_names: Names of the outputs.
        logger: Where messages go.

    Example:
        >>> import mxnet as mx
        >>> class Doubler(mx.mod.PythonModule):
        ...     def _compute_output_shapes(self):
        ...         return [("output", self.data_shapes[0][1])]
        ...     def forward(self, data_batch, is_train=None):
        ...         self.output = 2 * data_batch.data[0]
        ...     def get_outputs(self, merge_multi_context=True):
        ...         return [self.output]
        >>> module = Doubler(["data"], None, ["output"])
        >>> module.bind([("data", (1, 2))])
        >>> module.forward(mx.io.DataBatch([mx.nd.array([[1, 2]])]))
        >>> print(module.get_outputs()[0].asnumpy(), module.output_shapes)
        [[2. 4.]] [('output', (1, 2))]
    """

    def __init__(
        self,
        data_names: Sequence[str],
        label_names: Sequence[str] | None,
        output_names: Sequence[str],
        logger: Any = logging,
    ) -> None:
        super().__init__(logger)
        self._data_names = list(data_names)
        self._label_names = None if label_names is None else list(label_names)
        self._output_names = list(output_names)
        self._data_shapes: Any = None
        self._label_shapes: Any = None
        self._output_shapes: Any = None

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        return self._data_names

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """Descriptions of the data, None before `bind`."""
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """Descriptions of the labels, None if there are none."""
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs, None before `bind`."""
        return self._output_shapes

    def get_params(self) -> tuple[Params, Params]:
        """Returns no parameters."""
        return {}, {}

    def init_params(
        self,
        initializer: Any = base_module.DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Notes that there is nothing to initialize."""
        del initializer, arg_params, aux_params, allow_missing, force_init, allow_extra
        self.params_initialized = True

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = base_module.DEFAULT_OPTIMIZER_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Notes that there is nothing to optimize."""
        del kvstore, optimizer, optimizer_params, force_init
        self.optimizer_initialized = True

    def update(self) -> None:
        """Does nothing, as there are no parameters."""

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Updates a metric by the outputs of the last batch, if the module has labels."""
        if self._label_shapes is None:
            return
        if pre_sliced:
            raise InvalidArgumentError("PythonModule.update_metric: pre_sliced=True is for Module")
        eval_metric.update(labels, self.get_outputs())

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
        """Notes the shapes of data and labels; see `Module.bind`."""
        if self._stays_bound(force_rebind):
            return
        del shared_module
        if grad_req != "write":
            raise InvalidArgumentError(
                f"PythonModule.bind: grad_req takes 'write', got {grad_req!r}"
            )
        _check_names("data", self._data_names, data_shapes)
        if label_shapes is not None:
            _check_names("label", self._label_names or [], label_shapes)
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._data_shapes, self._label_shapes = data_shapes, label_shapes
        self._output_shapes = self._compute_output_shapes()
        self.binded = True

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Returns names and shapes of the outputs, from those of data and labels."""
        raise self._undefined("_compute_output_shapes")


class PythonLossModule(PythonModule):
    """A loss of one input, whose gradient is a function in Python.

    Args:
        name: Name of the module; the output is called `name_output`.
        data_names: Name of the scores, in a list.
        label_names: Name of the label, in a list.
        logger: Where messages go.
        grad_func: Gives the gradient of the scores from scores and labels.

    Example:
        >>> import mxnet as mx
        >>> def slope(scores, labels):  # of the squared error
        ...     return scores - labels.reshape(scores.shape)
        >>> loss = mx.mod.PythonLossModule(grad_func=slope)
        >>> loss.bind([("data", (2, 1))], [("softmax_label", (2,))], inputs_need_grad=True)
        >>> scores, labels = mx.nd.array([[3], [5]]), mx.nd.array([1, 5])
        >>> loss.forward(mx.io.DataBatch([scores], [labels]))
        >>> loss.backward()
        >>> print(loss.get_input_grads()[0].asnumpy())
        [[2.]
         [0.]]
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Sequence[str] = ("data",),
        label_names: Sequence[str] = ("softmax_label",),
        logger: Any = logging,
        grad_func: Callable[[NDArray, NDArray], Any] | None = None,
    ) -> None:
        super().__init__(data_names, label_names, [f"{name}_output"], logger)
        self._name = name
        if len(self._data_names) != 1 or len(self._label_names or ()) != 1:
            raise InvalidArgumentError(
                "PythonLossModule: takes the names of one input and one label"
            )
        if grad_func is not None and not callable(grad_func):
            raise InvalidArgumentError(
                f"PythonLossModule: grad_func is a function, got {grad_func!r}"
            )
        self._grad_func = grad_func
        self._scores: Any = None
        self._labels: Any = None
        self._scores_grad: Any = None

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(self._output_names[0], self._data_shapes[0][1])]

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Keeps the scores of a batch, which are the output, and its labels for training."""
        self._scores = data_batch.data[0]
        if self.for_training if is_train is None else is_train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the scores."""
        if not merge_multi_context:
            raise InvalidArgumentError(
                "PythonLossModule.get_outputs: takes merge_multi_context=True"
            )
        return [self._scores]

    def backward(self, out_grads: Any = None) -> None:
        """Computes the gradient of the scores."""
        if out_grads is not None:
            raise InvalidArgumentError("PythonLossModule.backward: a loss takes no out_grads")
        if not self.for_training:
            raise CheckFailedError("PythonLossModule.backward: bind with for_training=True")
        self._backward_impl()

    def _backward_impl(self) -> None:
        if self._grad_func is None:
            raise self._undefined("grad_func")
        gradient = self._grad_func(self._scores, self._labels)
        if not isinstance(gradient, NDArray):
            gradient = nd.array(np.asarray(gradient))
        self._scores_grad = gradient

    def get_input_grads(self, merge_multi_context: bool = True) -> list[Any]:
        """Returns the gradient of the scores."""
        if not merge_multi_context:
            raise InvalidArgumentError(
                "PythonLossModule.get_input_grads: takes merge_multi_context=True"
            )
        return [self._scores_grad]


def _check_names(argument: str, names: Sequence[str], shapes: Sequence[Any]) -> None:
    given = [item[0] for item in shapes]
    if given != list(names):
        raise InvalidArgumentError(
            f"PythonModule.bind: {argument} takes {list(names)}, got {given}"
        )
