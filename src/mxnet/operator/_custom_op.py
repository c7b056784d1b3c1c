"""Custom operators: their computation, what is known of them, and how they run on tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import torch
from torch import Tensor

from mxnet._arrays.autograd.tape import differentiable_once, explained
from mxnet._arrays.errors.failed import raise_failed
from mxnet._formats import element_types
from mxnet._frontend.dialect import dialect_of_program
from mxnet._start import overridable, public_call
from mxnet._state import BackwardModes, Scope, remember
from mxnet.context import Context, context_of
from mxnet.errors import CheckFailedError, MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.core.attrs import CLASSIC_SHAPES, Shape
from mxnet.ops.core.custom import Three, install

P = TypeVar("P", bound="type[CustomOpProp]")

_MOST_INSTANCES = 256
"""Computations that a bound graph keeps for a node, one for each set of shapes, dtypes and devices;
nothing invalidates them, for they may have a state."""


class CustomOp:
    """The computation of a custom operator; subclasses define `forward` and `backward`."""

    @overridable
    def forward(
        self,
        is_train: bool,
        req: list[str],
        in_data: list[NDArray],
        out_data: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        """Computes `out_data` from `in_data`; each output is stored by `assign`."""

    @overridable
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

    @overridable
    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Returns the shapes of inputs, outputs and states; by default all like the first input."""
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    @overridable
    def infer_type(self, in_type: list[Any]) -> Any:
        """Returns dtypes of inputs, outputs and states; by default all that of the first input."""
        first = in_type[0]
        return (
            in_type,
            [first] * len(self.list_outputs()),
            [first] * len(self.list_auxiliary_states()),
        )

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """Returns what `backward` needs, of the numbers given."""
        return [*(out_grad if self.need_top_grad_ else []), *in_data, *out_data]

    def infer_storage_type(self, in_stype: list[str]) -> Any:
        """Returns storage types of inputs, outputs and states; all are dense.

        An operator that does not define this one gets the dense form of sparse inputs.
        """
        dense = "default"
        if any(stype != dense for stype in in_stype):
            raise CheckFailedError(
                f"{type(self).__name__}.infer_storage_type: takes dense inputs, got {in_stype}; "
                "an operator on sparse arrays defines this method"
            )
        outputs = [dense] * len(self.list_outputs())
        return in_stype, outputs, [dense] * len(self.list_auxiliary_states())

    def infer_storage_type_backward(
        self,
        ograd_stype: list[str],
        in_stype: list[str],
        out_stype: list[str],
        igrad_stype: list[str],
        aux_stype: list[str],
    ) -> Any:
        """Returns the storage types in the backward pass; all are dense."""
        groups = (ograd_stype, in_stype, out_stype, igrad_stype, aux_stype)
        return tuple(["default"] * len(group) for group in groups)

    @overridable
    def create_operator(self, ctx: Context, in_shapes: list[Any], in_dtypes: list[int]) -> CustomOp:
        """Makes the operator for inputs of these shapes and dtypes, given by their numbers."""
        del ctx, in_shapes, in_dtypes
        return CustomOp()


def register(reg_name: str) -> Callable[[P], P]:
    """Makes a `CustomOpProp` known as `mx.nd.Custom(..., op_type=reg_name)`.

    Its operators get arrays of the dialect in which it is registered: of `mx.np` after
    `npx.set_np()`, whatever the caller uses.
    """
    array_class = dialect_of_program().array

    @public_call
    def enter(prop_class: P) -> P:
        if not (isinstance(prop_class, type) and issubclass(prop_class, CustomOpProp)):
            raise MXNetError(f"register: {prop_class!r} is not a subclass of CustomOpProp")
        install(reg_name, partial(Use, reg_name, prop_class, array_class))
        return prop_class

    return enter


class Use:
    """One use of a registered class: what it takes and gives, and how it runs on tensors."""

    def __init__(
        self,
        name: str,
        make_prop: Callable[..., CustomOpProp],
        array_class: type[NDArray],
        options: Mapping[str, str],
    ) -> None:
        self._name, self._array_class = name, array_class
        with explained(f"Custom({name})"):
            self._prop = make_prop(**options)
            self.arguments = tuple(self._prop.list_arguments())
            self.outputs = tuple(self._prop.list_outputs())
            self.states = tuple(self._prop.list_auxiliary_states())
            self.needs_head = self._finds_need_of_heads()
        self._storage = Storage()

    def _finds_need_of_heads(self) -> bool:
        count, end = len(self.outputs), len(self.outputs) + len(self.arguments)
        heads, inputs, outputs = range(count), range(count, end), range(end, end + count)
        read = self._prop.declare_backward_dependency([*heads], [*inputs], [*outputs])
        return not set(heads).isdisjoint(read)

    def infer_shapes(self, shapes: Sequence[Shape | None]) -> Three:
        given = [list(CLASSIC_SHAPES.write(shape) or ()) for shape in shapes]
        arguments, outputs, states = (
            [CLASSIC_SHAPES.read([int(length) for length in shape or ()]) for shape in group]
            for group in _infer_shapes(self._name, self._prop, given)
        )
        return arguments, outputs, states

    def infer_types(self, dtypes: Sequence[torch.dtype | None]) -> Three:
        given = [
            None if dtype is None else element_types.BY_TORCH[dtype].numpy.type for dtype in dtypes
        ]
        arguments, outputs, states = (
            [None if dtype is None else element_types.to_torch(dtype) for dtype in group]
            for group in _infer_types(self._name, self._prop, given)
        )
        return arguments, outputs, states

    def store(self, stypes: Sequence[str]) -> Sequence[str]:
        if type(self._prop).infer_storage_type is not CustomOpProp.infer_storage_type:
            with explained(f"Custom({self._name}).infer_storage_type"):
                self._storage = Storage.found(self._prop, stypes[: len(self.arguments)])
        return self._storage.outputs or [DENSE] * len(self.outputs)

    def run(
        self, data: tuple[Tensor, ...], training: bool, device: torch.device, kept: dict[Any, Any]
    ) -> tuple[Tensor, ...]:
        count = len(self.arguments)
        if len(data) != count + len(self.states):
            raise MXNetError(
                f"Custom({self._name}): expects {count} inputs and {len(self.states)} states, "
                f"got {len(data)} arrays"
            )
        key = tuple((tensor.shape, tensor.dtype, tensor.device) for tensor in data)
        instance: _Instance | None = kept.get(key)
        if instance is None:
            instance = _Instance(self._name, self._prop, data, count, device)
            remember(kept, key, instance, _MOST_INSTANCES)
        call = _Call(
            instance, data[:count], data[count:], training, self._storage, self._array_class
        )
        outputs: tuple[Tensor, ...] = _CustomNode.apply(call, *data[:count])  # type: ignore[no-untyped-call]
        return outputs


def _infer_shapes(name: str, prop: CustomOpProp, shapes: list[Any]) -> Three:
    where = f"Custom({name}).infer_shape"
    with explained(where):
        answer = prop.infer_shape(shapes)
    return _checked(where, prop, answer)


def _infer_types(name: str, prop: CustomOpProp, dtypes: list[Any]) -> Three:
    where = f"Custom({name}).infer_type"
    with explained(where):
        answer = prop.infer_type(dtypes)
    return _checked(where, prop, answer)


def _checked(where: str, prop: CustomOpProp, result: Any) -> Three:
    """Checks what an inference returned; what is about the states may be left out."""
    if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
        raise MXNetError(f"{where}: must return a list for inputs, outputs and states each")
    arguments, outputs = result[0], result[1]
    expected = len(prop.list_outputs())
    if len(outputs) != expected:
        raise MXNetError(f"{where}: expected {expected} outputs, got {len(outputs)}")
    return arguments, outputs, result[2] if len(result) == 3 else ()


def _arrays(cls: type[NDArray], tensors: Sequence[Tensor], stypes: Sequence[str]) -> list[NDArray]:
    """Returns arrays on tensors; those that are to be sparse have copies of the values."""
    arrays = [cls._wrap(tensor.detach(), context_of(tensor)) for tensor in tensors]
    for position, stype in enumerate(stypes[: len(arrays)]):
        if stype != DENSE:
            arrays[position] = arrays[position].tostype(stype)
    return arrays


class _Instance:
    """A custom operator for inputs of certain shapes, types and place."""

    def __init__(
        self,
        name: str,
        prop: CustomOpProp,
        data: Sequence[Tensor],
        count: int,
        device: torch.device,
    ) -> None:
        self.name, self.device = name, device
        rows = [element_types.BY_TORCH[tensor.dtype] for tensor in data]
        shapes = [list(tensor.shape) for tensor in data]
        _, self.shapes, _ = _infer_shapes(name, prop, shapes[:count])
        _, dtypes, _ = _infer_types(name, prop, [row.numpy.type for row in rows[:count]])
        self.dtypes = [element_types.to_torch(dtype) for dtype in dtypes]
        self.operator: CustomOp | None = None
        if self.device.type != "meta":
            # The original hands over the numbers of the dtypes, and programs look them up.
            codes = [row.code for row in rows]
            with explained(f"Custom({name}).create_operator"):
                self.operator = prop.create_operator(
                    context_of(torch.empty(0, device=device)), shapes, codes
                )


class _Call:
    """One call of a custom operator, from its forward to its backward."""

    def __init__(
        self,
        instance: _Instance,
        inputs: Sequence[Tensor],
        states: Sequence[Tensor],
        training: bool,
        storage: Storage,
        array_class: type[NDArray],
    ) -> None:
        self._instance, self._training, self._modes = instance, training, BackwardModes()
        self._storage, self._array_class = storage, array_class
        self._in_data = _arrays(array_class, inputs, storage.inputs)
        self._aux = _arrays(array_class, states, storage.states)
        self._out_data: list[NDArray] = []

    def _where(self, method: str) -> AbstractContextManager[None]:
        return explained(f"Custom({self._instance.name}).{method}", delayed=True)

    def forward(self) -> tuple[Tensor, ...]:
        """Runs the operator and gives its outputs."""
        instance = self._instance
        outputs = [
            torch.zeros(tuple(shape) or (1,), dtype=element_type, device=instance.device)
            for shape, element_type in zip(instance.shapes, instance.dtypes, strict=True)
        ]
        if instance.operator is None:
            return tuple(outputs)
        self._out_data = _arrays(self._array_class, outputs, self._storage.outputs)
        requests = ["write"] * len(outputs)
        with Scope(False, self._training), self._where("forward"):
            instance.operator.forward(
                is_train=self._training,
                req=requests,
                in_data=self._in_data,
                out_data=self._out_data,
                aux=self._aux,
            )
        for array in self._out_data:
            raise_failed(array._plain)
        # Aliases: torch makes what it gets part of the graph, and these stay outside for backward.
        return tuple(array._plain.data for array in self._out_data)

    def backward(self, gradients: Sequence[Tensor], needed: Sequence[bool]) -> list[Tensor | None]:
        """Runs the operator's backward and gives the gradient of each input that needs one."""
        operator = self._instance.operator
        if operator is None:
            raise MXNetError(f"Custom({self._instance.name}): a shape inference has no gradient")
        zeros = [torch.zeros_like(array._plain) for array in self._in_data]
        in_grad = _arrays(self._array_class, zeros, self._storage.in_grads)
        requests = ["write" if need else "null" for need in needed]
        with self._modes.scope(), self._where("backward"):
            operator.backward(
                req=requests,
                out_grad=_arrays(self._array_class, gradients, self._storage.out_grads),
                in_data=self._in_data,
                out_data=self._out_data,
                in_grad=in_grad,
                aux=self._aux,
            )
        where = f"Custom({self._instance.name}).backward"
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


DENSE = "default"


@dataclass(frozen=True)
class Storage:
    """Storage types of the arrays of one use; what is not named is dense."""

    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    states: Sequence[str] = ()
    out_grads: Sequence[str] = ()
    in_grads: Sequence[str] = ()

    @classmethod
    def found(cls, prop: Any, stypes: Sequence[str]) -> Storage:
        """Asks what is known of an operator how it stores arrays, given its inputs."""
        inputs, outputs, *rest = prop.infer_storage_type(list(stypes))
        states = rest[0] if rest else []
        heads = [DENSE] * len(outputs)
        gradients = ["undefined"] * len(inputs)
        groups = prop.infer_storage_type_backward(
            heads, list(inputs), list(outputs), gradients, list(states)
        )
        return cls(inputs, outputs, states, groups[0], groups[3])
