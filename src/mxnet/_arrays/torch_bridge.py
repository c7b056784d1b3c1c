"""Arrays as tensors of torch: on the same memory, and in one graph where a program records."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from mxnet._arrays.array import Array
from mxnet._arrays.roles import Variable
from mxnet._state.modes import modes
from mxnet.errors import ShapeMismatchError


class VariableTensor(Tensor):
    """The tensor of an array that has a gradient; its `grad` is that of the array.

    Optimizers of torch, which change nothing without a gradient, can so train arrays. Operators of
    torch give ordinary tensors for it. `grad` is None until a backward pass has filled it, and from
    `zero_grad` on.
    """

    __torch_function__ = nn.Parameter.__torch_function__

    _gradient: Array

    @property
    def grad(self) -> Tensor | None:
        """Gradient on the memory of the array's, None if there is no new one."""
        gradient = self._gradient
        if not gradient._fresh:
            return None
        gradient._aliased = True
        return gradient._plain

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        gradient = self._gradient
        if value is None:
            gradient._plain.zero_()
        elif value.shape != gradient._plain.shape:
            raise ShapeMismatchError(
                f"grad: expected a tensor of shape {tuple(gradient._plain.shape)}, "
                f"got {tuple(value.shape)}"
            )
        else:
            gradient._plain.copy_(value)
        gradient._fresh = value is not None

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.detach().__reduce_ex__(protocol)  # type: ignore[no-untyped-call]

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        del memo
        return self.detach().clone()


def to_tensor(array: Array) -> Tensor:
    """Returns the tensor behind an array, on the same memory.

    Inside of `record()` it has the array's place in the graph, outside it has no history.
    """
    array._own()
    array._aliased = True
    if modes.recording and array._node is not None:
        tensor = array._recorded()
        if tensor.requires_grad:
            return tensor.view_as(tensor)  # a leaf has a gradient that only the array sees
    role = array._role
    if isinstance(role, Variable) and role.gradient._override is None:  # type: ignore[union-attr]
        return _as_variable(array._plain, role.gradient)  # type: ignore[arg-type]
    return array._plain.detach()


def _as_variable(tensor: Tensor, gradient: Array) -> Tensor:
    result: VariableTensor = tensor.detach().as_subclass(VariableTensor)
    result._gradient = gradient
    return result
