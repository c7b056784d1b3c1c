"""The base of the array classes: storage, and an array's place in a graph.

An array holds one tensor twice. `_data` is the plain tensor, which operators read outside
of `record()`. `_node` is the same storage with a history: the leaf that `attach_grad` makes, or a
recorded result. Operators read it inside of `record()`. So nothing is recorded outside, without
touching torch's own grad mode.

A role says what an array is to the graphs that autograd records: a constant, a variable or a
result. A plain array has none. It gets one when a recorded operator reads it, when a gradient is
attached to it, or when a recorded operator computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import repeat
from operator import is_
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import torch
from torch import Tensor

from mxnet._arrays.autograd import tape as _tape
from mxnet._arrays.unseen_writes import unseen_writes
from mxnet._formats import element_types
from mxnet._start import expand, inline, type_name
from mxnet._state import Tape, modes, open_tapes
from mxnet.context import Context, torch_device
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.ops.core import carriers
from mxnet.ops.core.carriers import carrier_of, differentiable, join_view, with_carrier

if TYPE_CHECKING:
    from typing_extensions import Self


new = object.__new__


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


class UsedUp(Role):
    """A result whose graph `backward` has gone through: a constant from then on."""

    __slots__ = ("gradient", "place")

    place: tuple[str, int] | None
    """File and line of the program that has called `backward`."""

    @classmethod
    def after(cls, role: Role | None, place: tuple[str, int] | None) -> UsedUp:
        """Returns the role that follows another one; a gradient that was retained stays."""
        spent = new(cls)
        spent.origin, spent.place = None, place
        spent.gradient = None if role is None else role.gradient
        return spent


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
        related = new(Related)  # as in `make_recorded`
        related.origin, related.tape = role.origin, role.tape
        related.borrowed, related.stand_in, related.siblings = False, None, ()
        return related


class Retained(Related):
    """A recorded result with a gradient of its own, as `attach_grad` of MXNet 2 gives it."""

    __slots__ = ("gradient", "watch")

    def __init__(self, role: Recorded, gradient: Array, watch: Any) -> None:
        self.origin, self.tape = role.origin, role.tape
        self.borrowed, self.stand_in, self.siblings = False, None, role.siblings
        self.gradient = gradient
        self.watch = watch
        """What torch calls with the gradient, to be removed."""


A = TypeVar("A", bound="Array")


_HALVES = (torch.float16, torch.bfloat16)
_MANY = 16
"""Tensors that are compared without a loop in Python, such as the parameters of a network."""


def note_conversion(array: Array, source: Array) -> None:
    """Notes that a recorded array has the elements of another one, in another dtype.

    Args:
        array: The array.
        source: What it was converted from.
    """
    role, node, origin = array._role, array._node, source._node
    if type(role) is not Recorded or node is None or origin is None:
        return
    if origin.dtype in _HALVES and node.dtype is torch.float32:
        array._role = Widened(role, source)


def half_source(array: Array) -> Array | None:
    """Returns the array in half precision that a recorded array has the elements of.

    None if there is none, or if one of both may have got other elements since. An array that has no
    tensor without a history, and shares its memory with none, cannot have been written to.
    """
    role = array._role
    if type(role) is not Widened or array._data is not None or array._aliased:
        return None
    source = role.source
    if source._data is not None or source._aliased or source._node is None:
        return None
    return source


def origin_of(array: Array | None) -> Origin | None:
    """Returns how an array came to be."""
    if array is None:
        return None
    role = array._role
    if role is None:
        role = array._role = Constant(Source(array._plain, array._ctx, False))
    elif role.origin is None:
        role.origin = Source(array._plain, array._ctx, False)
    return role.origin


@inline
def make_array(cls: type[A], tensor: Tensor | None, ctx: Context) -> A:
    """Makes an array of a plain tensor."""
    array = new(cls)
    array._node = array._role = None
    array._aliased = array._fresh = False
    array._data, array._ctx = tensor, ctx
    return array


@inline
@expand
def make_recorded(cls: type[A], node: Tensor, ctx: Context, origin: Origin | None, tape: Tape) -> A:
    """Makes an array of a tensor that was recorded on a tape; see `Array._wrap_recorded`."""
    array = make_array(cls, None, ctx)
    array._node = node
    role = array._role = new(Recorded)  # its constructor takes three times as long
    role.origin, role.tape = origin, tape
    return array


@inline
def read_on(array: Array, tape: Tape | None) -> Any:
    """Returns the tensor to read, as `Array._read` does.

    Args:
        array: The array.
        tape: The thread's tape, None outside of `record()`; to look it up takes as long as all the
            rest, and an operator reads several arrays.
    """
    tensor = None if tape is None else array._node
    if tensor is None:
        tensor = array._data  # mostly there; the property would take a call
        if tensor is None:
            tensor = array._plain
    elif array._role.tape is not tape and array._role.tape is not None:  # type: ignore[union-attr]
        tensor = array._recorded()
    return tensor


NOTHING = torch.empty(0)
"""Data of an array that a program made without elements, to be written to as `out`."""


class Array:
    """What every array class shares: storage, context, and its place in the graph."""

    __slots__ = (
        *("__weakref__", "_aliased", "_ctx", "_data", "_entry", "_fresh", "_node", "_role"),
        "_whole",
    )

    _data: Tensor | None
    """The plain tensor; None until it is asked for when the array was recorded."""
    _node: Tensor | None
    """The tensor with its history, None for an array outside of every graph."""
    _role: Role | None
    """What the array is to recorded graphs; None if it is nothing to them. Set if `_node` is."""
    _ctx: Context
    _aliased: bool
    """Whether another array or tensor may share the storage."""
    _fresh: bool
    """Of a gradient array: whether `backward` has filled it since it was last used."""
    _entry: Any
    """Its output of a node in a graph that is made of a running program; unset for most."""
    _whole: object
    """What the array is a part of (`mxnet.gluon.parts`); unset for most."""

    @property
    def _plain(self) -> Tensor:
        """The tensor without history; a change to it is not seen by torch's version checks."""
        data = self._data
        if data is None:
            data = self._data = self._node.data  # type: ignore[union-attr]  # one of both is set
        return data

    @property
    def _memory(self) -> Tensor:
        """The tensor with the elements, of a sparse array those that it stores."""
        return self._plain

    def _recorded(self) -> Tensor:
        """The tensor to read while recording."""
        node = self._node
        if node is None:
            return self._plain
        tape = self._role.tape  # type: ignore[union-attr]  # a node comes with a role
        if tape is None or tape is modes.tape:
            return node
        if self._forget_if_consumed():
            return self._plain
        own = modes.tape
        own.crossings[node_of(self).grad_fn] = tape  # type: ignore[union-attr]
        own.joins_parts |= tape.joins_parts
        return node

    def _forget_if_consumed(self) -> bool:
        """Drops the history if `backward` has gone through it, and returns whether it has."""
        role, node = self._role, node_of(self)
        if role is None or node is None or role.tape is None or not role.tape.consumed:
            return False
        if not _tape.reaches(role.tape.consumed, role.siblings or (node.grad_fn,)):
            return False
        forget(self)
        return True

    def _writable(self) -> Tensor:
        """The tensor to write into.

        Raises:
            MXNetError: while recording, if the array is part of a graph.
        """
        if self._node is not None and modes.recording and not self._forget_if_consumed():
            raise MXNetError(_tape.ALREADY_IN_GRAPH)
        if type(self._role) is Related:  # others have nothing borrowed; each weight comes here
            self._own()
        kept = self._node is None or self._aliased  # as `detach` gives it
        if kept and open_tapes and not modes.recording:
            # A graph may have kept the tensor, and its backward sees the new elements, as in the
            # original; torch would refuse if it knew. So it does after a write while recording,
            # which the original refuses.
            tensor = self._plain.data
            unseen_writes.note(tensor)
            return tensor
        return self._plain

    def _own(self) -> None:
        """Copies the elements to memory of the array's own, unless they are there already.

        They lie in the order of the shape then, so that parts can be views. The array keeps its
        place in the graph.
        """
        role, node = self._role, self._node
        is_borrowed = node is not None and type(role) is Related and role.borrowed
        if not is_borrowed and self._plain.is_contiguous():
            return
        self._data = self._plain.clone(memory_format=torch.contiguous_format)
        if type(role) is Variable:
            self._node = role.make_leaf(self._data)
        elif node is not None:
            self._node = _tape.tied_to_storage(node, self._data)
        if is_borrowed:
            role.borrowed = False  # type: ignore[union-attr]  # it is a `Related`

    def _lend(self) -> Tensor:
        """The tensor to make a view of in the current mode, for `_share`."""
        if modes.recording:
            return self._recorded()
        self._own()
        return self._plain

    def _begin(self, ctx: Context) -> None:
        """Sets what a new array has beside its elements."""
        self._node = self._role = None
        self._aliased = self._fresh = False
        self._ctx = ctx

    if TYPE_CHECKING:

        @classmethod
        def _wrap(cls, tensor: Tensor, ctx: Context) -> Self:
            """Makes an array of a plain tensor."""
    else:
        _wrap = classmethod(make_array)

    @classmethod
    def _wrap_recorded(cls, tensor: Tensor, ctx: Context, origin: Origin | None) -> Self:
        """Makes an array of a tensor that may have a history.

        Args:
            tensor: The tensor.
            ctx: Where it lives.
            origin: How it was computed; None if `autograd.get_symbol` cannot express that.
        """
        if tensor.requires_grad:
            return make_recorded(cls, tensor, ctx, origin, modes.tape)
        return make_array(cls, tensor, ctx)

    def _share(self, tensor: Tensor, origin: Origin | None = None) -> Self:
        """Makes an array on a view of this one's storage; what is borrowed stays so.

        Args:
            tensor: The view.
            origin: How it was computed, by `reshape` if not given.
        """
        self._aliased = True
        array = type(self)._wrap_recorded(tensor, self._ctx, origin)
        array._aliased = True
        if self._node is not None and array._role is None and is_recorded_integer(array):
            join_view(tensor, self._node)
            if carrier_of(tensor) is not None:
                array._data, array._node, array._role = tensor.detach(), tensor, Recorded(origin)
        if type(array._role) is Recorded:
            if origin is None:
                array._role.origin = ("reshape", (origin_of(self),), (tuple(tensor.shape),), 0)
            if self._role is not None and self._role.borrowed:
                role = array._role = Related.of(array._role)
                role.borrowed = True
        return array

    def _read(self) -> Tensor:
        """The tensor to read in the current mode."""
        node = self._node
        if node is None or not modes.recording:
            data = self._data  # mostly there; the property would take a call
            return self._plain if data is None else data
        tape = self._role.tape  # type: ignore[union-attr]  # a node comes with a role
        return node if tape is None or tape is modes.tape else self._recorded()

    def _overwrite(self, where: str, result: Tensor) -> Tensor:
        """Writes a plain tensor into the storage, and returns the storage."""
        if self._data is NOTHING:
            self._data = result.clone()
            return self._data
        target = self._writable()
        check_fit(where, target.shape, target.dtype, result)
        return target.copy_(result)

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        """Of a gradient array: what takes the gradient from the leaf after backward."""
        raise NotImplementedError

    _override: ClassVar[Callable[..., Any] | None] = None
    """Runs operators for a class of arrays that has ways of its own."""
    _dialect_class: ClassVar[Any]
    """Class of the dense arrays of its dialect."""
    _is_np: ClassVar[bool] = False
    """Whether lists of truth values in an index are masks, and elements have no axes."""
    _to_dialect: ClassVar[str]
    """What to call on an array of another dialect to get one of this."""


_HOW_TO_CONVERT = dict.fromkeys(
    ("list", "tuple", "numpy.ndarray"), "; make an array of it by mx.{}.array"
) | {"torch.Tensor": "; make an array of it by mx.nd.from_torch"}
"""What to do with values that are no arrays of the package, by their types."""


def is_operand(value: Any, cls: type[Array]) -> bool:
    """Returns whether functions for an array class take a value: an array of its dialect."""
    return isinstance(value, cls) and value._dialect_class is cls._dialect_class


def remedy_for(value: Any, cls: type[Array]) -> str:
    """Returns the end of a message about a value which is not an operand: what to call."""
    if not isinstance(value, Array):
        return _HOW_TO_CONVERT.get(type_name(value), "").format("np" if cls._is_np else "nd")
    if value._dialect_class is cls._dialect_class:
        return ""
    return f"; call {cls._to_dialect}() on it, because arrays of mx.nd and mx.np do not mix"


def node_of(array: Array) -> Tensor | None:
    """Returns the tensor that has the array's place in the graph, None if it has none."""
    node = array._node
    if node is None:
        return None if array._role is None else array._role.stand_in
    return node if node.dtype.is_floating_point else differentiable(node)


def forget(array: Array) -> None:
    """Makes a recorded array a constant, which keeps nothing of its graph alive."""
    role = array._role
    if role is not None and role.borrowed:
        array._own()
    if array._data is None:
        array._data = array._node.data  # type: ignore[union-attr]  # one of both is set
    array._node = None
    array._role = UsedUp.after(role, None) if type(role) is Retained else None


def is_recorded_integer(array: Array) -> bool:
    """Returns whether integers are computed while recording, which torch joins to no graph."""
    return modes.recording and not array._data.dtype.is_floating_point  # type: ignore[union-attr]


def tie(results: Sequence[Array]) -> None:
    """Makes the results of one call share their fate: once one is used up, so are the others.

    To the original they are outputs of one node, while torch may have a node for each. Programs
    carry the state of a recurrent layer on from step to step and differentiate its output alone.
    """
    nodes = [node_of(result) for result in results]
    siblings = frozenset(node.grad_fn for node in nodes if node is not None)
    for result in results:
        if isinstance(result._role, Recorded):
            role = result._role = Related.of(result._role)
            role.siblings = siblings


@expand
def finish(result: Tensor, tensors: Sequence[Tensor | None], cls: type[A], ctx: Context) -> A:
    """Wraps one result, which does not share memory with an input.

    It is contiguous, so that parts of it can be views; images that a GPU has convolved, and what is
    recorded, are brought into that order when a part is read (`_lend`).

    While recording, a view is handed out all the same, because a copy would cost time in every
    training step and arrays in a graph are not written to; it is copied should that happen later.
    Callers that know the operator record it with `note_origin`.
    """
    shares = shares_base(result, tensors)
    if result.requires_grad:
        if not shares:
            return make_recorded(cls, result, ctx, None, modes.tape)
        view = result if result._is_view() else result.view_as(result)
        array = make_recorded(cls, view, ctx, None, modes.tape)
        array._role = Related(None, borrowed=True)
        return array
    computed = result
    if shares:
        result = result.clone(memory_format=torch.contiguous_format)
    elif not result.is_contiguous() and not _is_image_of_gpu(result):  # as LAPACK's are
        result = result.contiguous()
    if not modes.recording:
        return make_array(cls, result, ctx)
    carrier = None if result.dtype.is_floating_point else carrier_of(computed)
    if carrier is not None:
        array = make_array(cls, result.detach(), ctx)
        array._node, array._role = with_carrier(result.detach(), carrier), Recorded(None)
        return array
    joined = _tape.join_without_gradient(result, tensors)
    if joined.dtype is result.dtype:
        return cls._wrap_recorded(joined, ctx, None)
    array = make_array(cls, result, ctx)
    array._role = Related(None, stand_in=joined)
    return array


def _is_image_of_gpu(tensor: Tensor) -> bool:
    """Returns whether a tensor has its channels last in memory, in which GPUs convolve."""
    return tensor.is_cuda and tensor.is_contiguous(memory_format=torch.channels_last)


def note_origin(
    arrays: Sequence[Array], op: object, inputs: Sequence[Array | None], attrs: Mapping[str, Any]
) -> None:
    """Notes how the outputs of one call were computed, as far as they are recorded.

    Args:
        arrays: The outputs.
        op: The operator.
        inputs: The arrays that it read.
        attrs: Its attributes.
    """
    shared: tuple[Origin | None, ...] | None = None
    for number, array in enumerate(arrays):
        if isinstance(array._role, Recorded):
            if shared is None:  # one tuple, by which the outputs are known to be of one call
                origins: list[Origin | None] = []
                for item in inputs:  # mostly parameters, of which a call for each takes time
                    role = None if item is None else item._role
                    origins.append((role and role.origin) or origin_of(item))
                shared = tuple(origins)
            array._role.origin = (op, shared, attrs, number)


def check_fit(where: str, shape: Sequence[int], dtype: torch.dtype, result: Tensor) -> None:
    """Checks that a result can be written to an array of a shape and a dtype."""
    if tuple(shape) != tuple(result.shape):
        raise MXNetError(
            f"{where}: output 0: expected shape {tuple(result.shape)}, got {tuple(shape)}"
        )
    if dtype is not result.dtype:
        expected, got = element_types.name_of(result.dtype), element_types.name_of(dtype)
        raise UnsupportedTypeError(f"{where}: output 0: expected {expected}, got {got}")


def place(tensor: Tensor, ctx: Context) -> Tensor:
    """Moves a tensor to the device of a context, copying only if it lives elsewhere."""
    return tensor.to(torch_device(ctx))


class OwnedResults(list[Tensor]):
    """Results of which it is known that each has memory of its own, apart from all inputs."""


@inline
def lies_on(result: Tensor, tensors: Sequence[Tensor | None]) -> bool:
    """Returns what `shares_base` does, for a few tensors."""
    is_view = result._is_view()
    base = result._base if is_view else result
    shares = False
    for item in tensors:
        if item is base or (is_view and item is not None and item._base is base):
            shares = True
            break
    return shares


def shares_base(result: Tensor, tensors: Sequence[Tensor | None]) -> bool:
    """Returns whether a result is one of some tensors, or a view of the same tensor as one.

    It goes by what torch notes of views, which takes no time, and so misses what `detach` made.
    """
    is_view = result._is_view()
    base = result._base if is_view else result
    if not is_view and len(tensors) > _MANY:
        return any(map(is_, tensors, repeat(base)))
    for item in tensors:  # a generator takes longer than all the rest
        if item is base or (is_view and item is not None and item._base is base):
            return True
    return False


def unshare_results(results: Sequence[Tensor], lent: Sequence[Tensor]) -> list[Tensor]:
    """Returns results that lie neither on the memory of lent tensors nor on that of each other.

    Args:
        results: What was computed; it is copied where need be.
        lent: Tensors that others will go on using.
    """
    taken = {item.untyped_storage()._cdata for item in lent}
    owned = []
    for result in results:
        storage = result.untyped_storage()._cdata
        owned.append(result.clone() if storage in taken else result)
        taken.add(storage)
    return owned


def unshare_source(source: Tensor, target: Tensor) -> Tensor:
    """Returns what is to be written to a target, copied if both lie on the same memory.

    Addresses are compared, because a source may come from outside of torch.
    """
    same = source.untyped_storage().data_ptr() == target.untyped_storage().data_ptr()
    return source.clone() if same else source
