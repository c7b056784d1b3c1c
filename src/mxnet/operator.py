"""Operators written in Python: `CustomOp`, `CustomOpProp` and `register`.

Example:
    >>> import mxnet as mx
    >>> class Double(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] * 2)
    ...
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], out_grad[0] * 2)
    >>> @mx.operator.register("double")
    ... class DoubleProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, shapes, dtypes):
    ...         return Double()
    >>> print(mx.nd.Custom(mx.nd.array([1, 2]), op_type="double").asnumpy())
    [2. 4.]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import torch
from torch import Tensor

from mxnet import _dtypes
from mxnet._modes import BackwardModes, Scope
from mxnet._tape import differentiable_once, explained
from mxnet.context import Context, context_of
from mxnet.errors import MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.custom import install

P = TypeVar("P", bound="type[CustomOpProp]")


class CustomOp:
    """The computation of a custom operator; subclasses define `forward` and `backward`."""

    def forward(
        self,
        is_train: bool,
        req: list[str],
        in_data: list[NDArray],
        out_data: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        """Computes `out_data` from `in_data`; each output is stored by `assign`."""

    def backward(
        self,
        req: list[str],
        out_grad: list[NDArray],
        in_data: list[NDArray],
        out_data: list[NDArray],
        in_grad: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        """Computes `in_grad` from `out_grad`; each gradient is stored by `assign`."""

    def assign(self, dst: NDArray, req: str, src: Any) -> None:
        """Stores a result as the request says: `"write"`, `"inplace"`, `"add"` or `"null"`."""
        if req in ("write", "inplace"):
            dst[:] = src
        elif req == "add":
            dst[:] = dst + src
        elif req != "null":
            raise MXNetError(f"assign: request must be write, inplace, add or null, got {req!r}")


class CustomOpProp:
    """What is known of a custom operator before it runs.

    Args:
        need_top_grad: Whether `backward` uses the gradients of the outputs (a loss does not).
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def list_arguments(self) -> list[str]:
        """Names of the inputs."""
        return ["data"]

    def list_outputs(self) -> list[str]:
        """Names of the outputs."""
        return ["output"]

    def list_auxiliary_states(self) -> list[str]:
        """Names of the states that the operator keeps."""
        return []

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Gives the shapes of inputs, outputs and states; by default all like the first input."""
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    def infer_type(self, in_type: list[Any]) -> Any:
        """Gives dtypes of inputs, outputs and states; by default all that of the first input."""
        first = in_type[0]
        return (
            in_type,
            [first] * len(self.list_outputs()),
            [first] * len(self.list_auxiliary_states()),
        )

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """Gives what `backward` needs, of the numbers given."""
        return [*(out_grad if self.need_top_grad_ else []), *in_data, *out_data]

    def create_operator(self, ctx: Context, in_shapes: list[Any], in_dtypes: list[int]) -> CustomOp:
        """Makes the operator for inputs of these shapes and dtypes, given by their numbers."""
        del ctx, in_shapes, in_dtypes
        return CustomOp()


def register(reg_name: str) -> Callable[[P], P]:
    """Makes a `CustomOpProp` known as `mx.nd.Custom(..., op_type=reg_name)`."""

    def enter(prop_class: P) -> P:
        if not (isinstance(prop_class, type) and issubclass(prop_class, CustomOpProp)):
            raise MXNetError(f"register: {prop_class!r} is not a subclass of CustomOpProp")
        install(reg_name, _Runner(reg_name, prop_class))
        return prop_class

    return enter


class _Runner:
    """Runs the operators of one registered class on tensors."""

    def __init__(self, name: str, prop_class: type[CustomOpProp]) -> None:
        self._name, self._prop_class = name, prop_class

    def _make_prop(self, options: dict[str, str]) -> CustomOpProp:
        with explained(f"Custom({self._name})"):
            return self._prop_class(**options)  # type: ignore[arg-type]  # a subclass has its own

    def count_outputs(self, options: dict[str, str]) -> int:
        return len(self._make_prop(options).list_outputs())

    def run(
        self, data: tuple[Tensor, ...], options: dict[str, str], training: bool
    ) -> tuple[Tensor, ...]:
        prop = self._make_prop(options)
        num_args, num_aux = len(prop.list_arguments()), len(prop.list_auxiliary_states())
        if len(data) != num_args + num_aux:
            raise MXNetError(
                f"Custom({self._name}): expects {num_args} inputs and {num_aux} states, "
                f"got {len(data)} arrays"
            )
        call = _Call(self._name, prop, data[:num_args], data[num_args:], training)
        outputs: tuple[Tensor, ...] = _CustomNode.apply(call, *data[:num_args])  # type: ignore[no-untyped-call]
        return outputs


def _arrays(tensors: Sequence[Tensor]) -> list[NDArray]:
    return [NDArray._wrap(tensor.detach(), context_of(tensor)) for tensor in tensors]


class _Call:
    """One call of a custom operator, from its forward to its backward."""

    def __init__(
        self,
        name: str,
        prop: CustomOpProp,
        inputs: Sequence[Tensor],
        states: Sequence[Tensor],
        training: bool,
    ) -> None:
        self._name, self._training, self._modes = name, training, BackwardModes()
        self._in_data, self._aux = _arrays(inputs), _arrays(states)
        self._out_data: list[NDArray] = []
        shapes = [list(tensor.shape) for tensor in inputs]
        num_outputs = len(prop.list_outputs())
        with self._where("infer_shape"):
            found_shapes = prop.infer_shape(shapes)
        self._shapes = self._outputs_of(found_shapes, "infer_shape", num_outputs)
        with self._where("infer_type"):
            found_types = prop.infer_type([array.dtype for array in self._in_data])
        self._dtypes = self._outputs_of(found_types, "infer_type", num_outputs)
        self._device = inputs[0].device if inputs else torch.device("cpu")
        self._operator: CustomOp | None = None
        if self._device.type != "meta":
            # The original hands over the numbers of the dtypes, and programs look them up.
            codes = [_dtypes.BY_TORCH[tensor.dtype].code for tensor in inputs]
            with self._where("create_operator"):
                self._operator = prop.create_operator(context_of(inputs[0]), shapes, codes)

    def _where(self, method: str) -> AbstractContextManager[None]:
        return explained(f"Custom({self._name}).{method}")

    def _outputs_of(self, result: Any, method: str, num_outputs: int) -> Any:
        """Checks what an inference returned and gives the part that is about the outputs."""
        where = f"Custom({self._name}).{method}"
        if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
            raise MXNetError(f"{where}: must return a list for inputs, outputs and states each")
        if len(result[1]) != num_outputs:
            raise MXNetError(f"{where}: expected {num_outputs} outputs, got {len(result[1])}")
        return result[1]

    def forward(self) -> tuple[Tensor, ...]:
        """Runs the operator and gives its outputs."""
        outputs = [
            torch.zeros(tuple(shape) or (1,), dtype=_dtypes.to_torch(dtype), device=self._device)
            for shape, dtype in zip(self._shapes, self._dtypes, strict=True)
        ]
        if self._operator is None:
            return tuple(outputs)
        self._out_data = _arrays(outputs)
        requests = ["write"] * len(outputs)
        with Scope(False, self._training), self._where("forward"):
            self._operator.forward(
                self._training, requests, self._in_data, self._out_data, self._aux
            )
        # Aliases: torch makes what it gets part of the graph, and these stay outside for backward.
        return tuple(array._plain.data for array in self._out_data)

    def backward(self, gradients: Sequence[Tensor], needed: Sequence[bool]) -> list[Tensor | None]:
        """Runs the operator's backward and gives the gradient of each input that needs one."""
        if self._operator is None:
            raise MXNetError(f"Custom({self._name}): a shape inference has no gradient")
        in_grad = _arrays([torch.zeros_like(array._plain) for array in self._in_data])
        requests = ["write" if need else "null" for need in needed]
        with self._modes.scope(), self._where("backward"):
            self._operator.backward(
                requests, _arrays(gradients), self._in_data, self._out_data, in_grad, self._aux
            )
        where = f"Custom({self._name}).backward"
        return [
            differentiable_once(array._plain, where) if need else None
            for array, need in zip(in_grad, needed, strict=True)
        ]


class _CustomNode(torch.autograd.Function):
    """Puts one call of a custom operator into torch's graph."""

    @staticmethod
    def forward(ctx: Any, call: _Call, *_: Tensor) -> tuple[Tensor, ...]:
        ctx.call = call
        return call.forward()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        return (None, *ctx.call.backward(gradients, ctx.needs_input_grad[1:]))
