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
from typing import Any, TypeVar

import torch
from torch import Tensor

from mxnet import _dtypes
from mxnet._modes import modes
from mxnet.context import context_of
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
        """Gives shapes of inputs, outputs and states; by default all outputs are like the first input."""
        return in_shape, [in_shape[0]] * len(self.list_outputs()), []

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

    def create_operator(self, ctx: Any, in_shapes: list[Any], in_dtypes: list[Any]) -> CustomOp:
        """Makes the operator for inputs of these shapes and dtypes."""
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

    def count_outputs(self, options: dict[str, str]) -> int:
        return len(self._prop_class(**options).list_outputs())

    def run(
        self, data: tuple[Tensor, ...], options: dict[str, str], training: bool
    ) -> tuple[Tensor, ...]:
        prop = self._prop_class(**options)
        num_args, num_aux = len(prop.list_arguments()), len(prop.list_auxiliary_states())
        if len(data) != num_args + num_aux:
            raise MXNetError(
                f"Custom({self._name}): expects {num_args} inputs and {num_aux} states, "
                f"got {len(data)} arrays"
            )
        call = _Call(self._name, prop, data[:num_args], data[num_args:], training)
        outputs: tuple[Tensor, ...] = _CustomFunction.apply(call, *data[:num_args])  # type: ignore[no-untyped-call]
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
        self.name, self.training = name, training
        self.in_data, self.aux = _arrays(inputs), _arrays(states)
        shapes = [list(tensor.shape) for tensor in inputs]
        dtypes = [array.dtype for array in self.in_data]
        self._shapes = self._checked(prop.infer_shape(shapes), "infer_shape")[1]
        self._dtypes = self._checked(prop.infer_type(list(dtypes)), "infer_type")[1]
        self.device = inputs[0].device if inputs else torch.device("cpu")
        self.operator = (
            None
            if self.device.type == "meta"
            else prop.create_operator(str(self.in_data[0].context), shapes, dtypes)
        )
        self.out_data: list[NDArray] = []

    def _checked(self, result: Any, where: str) -> Any:
        if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
            raise MXNetError(f"Custom({self.name}): {where} must return inputs, outputs and states")
        return result

    def forward(self) -> tuple[Tensor, ...]:
        """Runs the operator and gives its outputs."""
        outputs = [
            torch.zeros(tuple(shape) or (1,), dtype=_dtypes.to_torch(dtype), device=self.device)
            for shape, dtype in zip(self._shapes, self._dtypes, strict=True)
        ]
        if self.operator is not None:
            self.out_data = _arrays(outputs)
            with _Quiet(self.training):
                self.operator.forward(
                    self.training, ["write"] * len(outputs), self.in_data, self.out_data, self.aux
                )
            outputs = [array._plain for array in self.out_data]
        return tuple(outputs)

    def backward(self, gradients: Sequence[Tensor]) -> list[Tensor]:
        """Runs the operator's backward and gives the gradient of each input."""
        if self.operator is None:
            raise MXNetError(f"Custom({self.name}): a shape inference has no gradient")
        found = [torch.zeros_like(array._plain) for array in self.in_data]
        in_grad = _arrays(found)
        with _Quiet(modes.training):
            self.operator.backward(
                ["write"] * len(found),
                _arrays(gradients),
                self.in_data,
                self.out_data,
                in_grad,
                self.aux,
            )
        return [array._plain for array in in_grad]


class _Quiet:
    """Runs user code without recording, in the given training mode."""

    def __init__(self, training: bool) -> None:
        self._training = training

    def __enter__(self) -> None:
        self._before = modes.recording, modes.training
        modes.recording, modes.training = False, self._training

    def __exit__(self, *_: object) -> None:
        modes.recording, modes.training = self._before


class _CustomFunction(torch.autograd.Function):
    """Puts one call of a custom operator into torch's graph."""

    @staticmethod
    def forward(ctx: Any, call: _Call, *inputs: Tensor) -> tuple[Tensor, ...]:
        ctx.call, ctx.float_inputs = call, [tensor.is_floating_point() for tensor in inputs]
        return call.forward()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        found = ctx.call.backward(gradients)
        return (
            None,
            *(
                gradient if floating else None
                for gradient, floating in zip(found, ctx.float_inputs, strict=True)
            ),
        )


