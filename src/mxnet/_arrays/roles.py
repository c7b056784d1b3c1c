"""What an array is to the graphs that autograd records: a constant, a variable or a result.

A plain array has no role. It gets one when a recorded operator reads it, when a gradient is
attached to it, or when a recorded operator computes it.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import Tensor

from mxnet._state import Tape, modes
from mxnet.context import Context
from mxnet.ops.core import carriers

if TYPE_CHECKING:
    from mxnet._arrays.array import Array


class Source:
    """What a chain of recorded operators begins with: an array that no recorded one computed."""

    __slots__ = ("ctx", "dtype", "has_gradient", "shape")

    def __init__(self, tensor: Tensor, ctx: Context, has_gradient: bool) -> None:
        self.shape: tuple[int, ...] = tuple(tensor.shape)
        self.dtype: torch.dtype = tensor.dtype
        self.ctx, self.has_gradient = ctx, has_gradient


Origin: TypeAlias = Source | tuple[Any, ...]
"""How an array came to be, without the arrays and tensors on the way, which it would keep alive.

A source; or an operator or the name of a method, with origins, attributes and output number."""

NO_ATTRS: dict[str, Any] = {}
"""Attributes in the origin of a call without any."""


class Role:
    """What the roles share; each has all of these attributes, most of them the same for a class."""

    __slots__ = ("origin",)

    origin: Origin | None
    """For `autograd.get_symbol`; None if what computed the array is not known to it."""
    gradient: Array | None = None
    """Where the gradient of a variable goes."""
    tape: Tape | None = None
    """The tape that a result was recorded on."""
    stand_in: Tensor | None = None
    """Place in the graph of a result that torch cannot differentiate."""
    borrowed: bool = False
    """Whether a result is a view of an operator's input: copy before writing."""
    siblings: Container[object] = ()
    """Nodes of all results of the call that gave this one; empty if it is alone."""


class Constant(Role):
    """An array that a recorded operator has read, with no gradient and no history."""

    __slots__ = ()

    def __init__(self, origin: Source) -> None:
        self.origin = origin


class Variable(Role):
    """An array with a gradient; its node is the leaf, or None if torch cannot differentiate it."""

    __slots__ = ("grad_req", "gradient", "hook")

    def __init__(self, origin: Source, gradient: Array, grad_req: str) -> None:
        self.origin, self.gradient, self.grad_req = origin, gradient, grad_req
        self.hook = gradient._hook(grad_req)
        """Takes the gradient from the leaf to its array."""

    def make_leaf(self, data: Tensor) -> Tensor:
        """Returns an alias of the variable's memory that requires a gradient."""
        if not data.dtype.is_floating_point:
            return carriers.make_leaf(data, getattr(self.hook, "take", None))
        leaf = data.data.requires_grad_()
        leaf.register_post_accumulate_grad_hook(self.hook)  # type: ignore[no-untyped-call]
        # Captured graphs pass a gradient directly; see `_gradients._Hook`.
        leaf.take_gradient = getattr(self.hook, "take", None)  # type: ignore[attr-defined]
        return leaf


class Recorded(Role):
    """A result of a recorded operator; its node is the tensor with the history."""

    __slots__ = ("tape",)

    def __init__(self, origin: Origin | None) -> None:
        self.origin, self.tape = origin, modes.tape


class Widened(Recorded):
    """A recorded result with the elements of an array in half precision, in a higher one."""

    __slots__ = ("source",)

    def __init__(self, role: Recorded, source: Array) -> None:
        self.origin, self.tape = role.origin, role.tape
        self.source = source
        """The array; kernels that convert what they read may take it."""


class Related(Recorded):
    """A recorded result that has to do with other tensors than its node."""

    __slots__ = ("borrowed", "siblings", "stand_in")

    def __init__(
        self, origin: Origin | None, *, borrowed: bool = False, stand_in: Tensor | None = None
    ) -> None:
        super().__init__(origin)
        self.borrowed, self.stand_in = borrowed, stand_in
        self.siblings: Container[object] = ()

    @classmethod
    def of(cls, role: Recorded) -> Related:
        """Returns the role of an array that may have been `Recorded` until now."""
        if isinstance(role, Related):
            return role
        related = cls(role.origin)
        related.tape = role.tape
        return related
