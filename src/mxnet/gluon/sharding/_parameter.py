"""`gluon.shard`: parameters of which each rank of a job holds some rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from math import prod
from typing import Any, TypeVar

import torch

from mxnet import optimizer as opt
from mxnet._frontend.array_trace import traced_like
from mxnet._frontend.dialect import in_scope
from mxnet._start import public_call
from mxnet._state import modes, processes
from mxnet.context import CPU0, Context, cpu, intern
from mxnet.errors import ArgumentTypeError, MXNetError
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.hybrid.block import HybridBlock
from mxnet.gluon.parameters import Parameter, ParameterError
from mxnet.gluon.parts import note_shard, whole_norms
from mxnet.gluon.sharding import _gathering
from mxnet.ndarray import NDArray
from mxnet.ops.optimizer.rules import norms_completed


class ShardedParameter(Parameter):
    """A parameter of which this rank holds some rows, and the same rows of the gradient.

    `shape` is that of the whole, and `data()` returns the whole, which all ranks must ask for
    together; `grad()` has the rows of this rank. A parameter becomes one by `gluon.shard`, which
    changes its class.
    """

    _is_sharded = True

    _members: list[Parameter]
    """The parameters that are gathered together, of which this is one; set by `shard`."""
    _unit: str
    """What errors call them."""
    _member: _gathering.Member | None

    @property
    def piece(self) -> _gathering.Piece:
        """Which rows this rank holds."""
        return _gathering.Piece.of(self._shape or (), processes.rank(), processes.size())

    def _begin(self, members: list[Parameter], unit: str) -> None:
        """Replaces the value by the rows of this rank."""
        self._members, self._unit, self._member = members, unit, None
        if self._data is not None:
            self._init_impl(self._data[0], self.list_ctx())

    def _init_impl(self, data: NDArray, contexts: Sequence[Context]) -> None:
        if len(contexts) != 1:
            raise ParameterError(
                f"Parameter {self.name!r} is sharded and takes one context in each process, "
                f"got {list(contexts)}"
            )
        placed = self._place(in_scope(data), contexts[0])
        with processes.guard(f"initializing Parameter {self.name!r}"):
            _gathering.broadcast(placed._plain)
        self._set_values([self._shard_of(placed)])

    def _shard_of(self, whole: NDArray) -> NDArray:
        """Returns this rank's rows of a whole value."""
        return type(whole)._wrap(self.piece.take(whole._plain), whole._ctx)

    def _set_values(self, arrays: list[NDArray]) -> None:
        super()._set_values(arrays)
        for gradient in self._grad or ():
            note_shard(gradient)
        self._ungroup()

    def _wait_for_shape(self, shape: tuple[int, ...] | None, deferred: tuple[Any, ...]) -> None:
        super()._wait_for_shape(shape, deferred)
        self._ungroup()

    def _ungroup(self) -> None:
        """Has parameters grouped again, as one of them has got another value, maybe dtype."""
        for parameter in self._members:
            if isinstance(parameter, ShardedParameter):
                parameter._member = None

    def _choose_member(self) -> _gathering.Member:
        """Returns how to gather the parameter: outside of all calls, without the others."""
        if _gathering.in_call():
            return self._find_member()
        return _gathering.Member(
            _gathering.Bundle(_gathering.Group(f"Parameter {self.name!r}", [self.piece]), [self]), 0
        )

    def _find_member(self) -> _gathering.Member:
        """Returns the place of the parameter among those that are gathered with it."""
        if self._member is None:
            _form_bundles(self._members, self._unit)
        if self._member is None:
            raise self._uninitialized()
        return self._member

    def data(self, ctx: Context | None = None) -> NDArray:
        """Returns the whole value, gathered from all ranks, which must ask for it together.

        While the block that it belongs to runs, all calls return the same memory.
        """
        held = self._check_and_get(self._data, ctx)
        whole = in_scope(_gathering.read(self._choose_member(), type(held), held._ctx))
        if modes.tracer is None:
            return whole
        traced = modes.tracer.stand_in(held, self)
        if traced is held:
            return whole
        stood: NDArray = traced_like(whole, traced._entry)
        return stood

    def list_data(self) -> list[NDArray]:
        """Returns the whole value as a list of one."""
        return [self.data()]

    def _reduce(self) -> NDArray:
        if self._data is None:
            raise self._uninitialized()
        return self.data().as_in_context(intern(cpu()))

    def set_data(self, data: NDArray) -> None:
        """Sets the value, of which this rank takes its rows."""
        if self._data is None:
            super().set_data(data)
            return
        self.shape = data.shape
        rows = self._shard_of(data)
        held = self._data[0]
        held[:] = rows.astype(held.dtype).as_in_context(held.context)

    def __reduce__(self) -> tuple[object, ...]:
        raise ParameterError(
            f"Parameter {self.name!r} is sharded and cannot be pickled or copied; save the network "
            "by save_parameters or by gluon.Checkpoint"
        )


_LARGE = 1 << 20
"""Number of bytes from which the rows of a rank are sent by themselves, without a copy."""


def _form_bundles(parameters: Sequence[Parameter], unit: str) -> None:
    """Groups parameters that have values by dtype and device."""
    groups: dict[object, list[ShardedParameter]] = {}
    for parameter in parameters:
        if not isinstance(parameter, ShardedParameter) or parameter._data is None:
            continue
        tensor = parameter._data[0]._plain
        size = parameter.piece.length * tensor.element_size()
        key = id(parameter) if size >= _LARGE else (tensor.dtype, tensor.device)
        groups.setdefault(key, []).append(parameter)
    for members in groups.values():
        bundle = _gathering.Bundle(
            _gathering.Group(unit, [member.piece for member in members]), members
        )
        for position, member in enumerate(members):
            member._member = _gathering.Member(bundle, position)


def may_be_sharded(parameter: Parameter) -> bool:
    """Returns whether a parameter is split: those without a gradient, such as averages, are not."""
    known = parameter._shape is not None and min(parameter._shape, default=1) >= 0
    return parameter.grad_req != "null" and not (known and prod(parameter._shape or ()) == 0)


def refuse(parameter: Parameter) -> None:
    """Raises for a parameter that cannot be sharded."""
    if parameter._stype != "default" or parameter._grad_stype != "default":
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} is row_sparse or has such a gradient, which "
            "cannot be sharded; make the layer with sparse_grad=False"
        )
    if parameter._trainer is not None:
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} has a Trainer already; make it after shard()"
        )
    if type(parameter) is not Parameter:
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} is a {type(parameter).__name__}, which may "
            "compute its value and cannot be sharded"
        )
    if not parameter._differentiable or not _is_floating(parameter):
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} has dtype {parameter.dtype} and a gradient"
        )


def _is_floating(parameter: Parameter) -> bool:
    arrays = parameter._data
    return arrays is None or torch.is_floating_point(arrays[0]._plain)


B = TypeVar("B", bound=Block)


@public_call
def shard(net: B, units: Sequence[type[Block] | Block] = ()) -> B:
    """Splits the parameters of a network over all processes of the job.

    Each rank keeps a part of every parameter's rows, with the gradient and the optimizer's states
    of these rows alone. When a block is called, its parameters are gathered; they are freed when
    the call ends, and gathered again in its backward pass. Gradients are added up over ranks, as
    the store `"dist_sync"` does, so that `trainer.step` takes the number of samples of all ranks
    together. The loop stays as it is; the trainer needs no store.

    Ranks must call the network equally often and in the same order. Call it before `initialize()`
    for a network that does not fit into the memory of a rank; values that are there already become
    those of the first rank.

    Args:
        net: The network, on one context in each process.
        units: Blocks, or classes of blocks, during whose whole call parameters stay gathered. By
            default that is each block that has parameters of its own. A cell that is called many
            times in a row, or a hybridized block, whose graph needs its parameters at once, is
            better off as, or inside of, a unit.

    Returns:
        The network.

    Raises:
        MXNetError: if a parameter cannot be split; nothing has changed then.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn, shard
        >>> net = shard(nn.Dense(2, in_units=3))
        >>> net.initialize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 2)
    """
    if not isinstance(net, Block):
        raise ArgumentTypeError(f"shard: takes a Block, got {type(net).__name__}")
    processes.join("shard")
    found = list(_find_units(net, tuple(units)))
    owned: set[int] = set()
    plans: list[tuple[Block, list[Parameter]]] = []
    for block, parameters in found:
        fresh = [item for item in parameters if id(item) not in owned and may_be_sharded(item)]
        fresh = [item for item in fresh if not isinstance(item, ShardedParameter)]
        for parameter in fresh:
            refuse(parameter)
        owned.update(map(id, fresh))
        plans.append((block, fresh))
    net.apply(_forget_graphs)
    for block, fresh in plans:
        for parameter in fresh:
            parameter.__class__ = ShardedParameter
        for parameter in fresh:
            parameter._begin(fresh, block.name)  # type: ignore[attr-defined]  # it is of that class
        _watch_calls(block)
    return net


def is_sharded(parameters: Iterable[Parameter]) -> bool:
    """Returns whether parameters that are trained are split over ranks.

    Raises:
        ParameterError: if some of them are and others are not.
    """
    trained = [item for item in parameters if item.grad_req != "null"]
    sharded = [item for item in trained if isinstance(item, ShardedParameter)]
    if sharded and len(sharded) < len(trained):
        whole = next(item for item in trained if not isinstance(item, ShardedParameter))
        raise ParameterError(
            f"Trainer: Parameter {sharded[0].name!r} is sharded and {whole.name!r} is not; shard "
            "all networks whose parameters the trainer has"
        )
    return bool(sharded)


def refuse_alone(where: str, parameters: Iterable[Parameter]) -> None:
    """Raises if parameters are split, for what one rank cannot do by itself."""
    if is_sharded(parameters):
        raise ParameterError(
            f"{where}: the parameters are sharded, and each rank has the states of its rows alone; "
            "use gluon.Checkpoint"
        )


def _find_units(
    block: Block, units: tuple[type[Block] | Block, ...]
) -> Iterable[tuple[Block, list[Parameter]]]:
    """Yields the blocks whose calls gather parameters, with these, inner blocks last."""
    classes = tuple(item for item in units if isinstance(item, type))
    if isinstance(block, classes) or any(item is block for item in units):
        yield block, list(block.collect_params().values())
        return
    own = {id(item): item for item in (*block._reg_params.values(), *block.params.values())}
    yield block, list(own.values())
    for child in block._children.values():
        yield from _find_units(child, units)


def _forget_graphs(block: Block) -> None:
    """Has a hybridized block traced again; its graph may hold on to parameters."""
    if isinstance(block, HybridBlock):
        block._clear_cached_op()


def _watch_calls(block: Block) -> None:
    """Frees what calls of a block gather when they end.

    The attributes hide the methods of the class, which `__call__` looks up on the block.
    """
    for name in ("forward", "_mx_call_traced"):
        object.__setattr__(block, name, _freeing(block, getattr(block, name)))


def _freeing(block: Block, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(*args: Any) -> Any:
        if isinstance(block, HybridBlock) and block._mx_hybrid is not None:
            _refuse_captures(block, args)
        with _gathering.gathered():
            return method(*args)

    return call


def _refuse_captures(block: HybridBlock, args: Sequence[Any]) -> None:
    """Raises for a block that would be captured, because a capture needs parameters in one place.

    Only GPUs capture.
    """
    on_gpu = any(getattr(item, "_ctx", CPU0).device_type == "gpu" for item in args)
    if on_gpu and block._mx_hybrid is not None and block._mx_hybrid.options.static:
        raise MXNetError(
            f"{block.name}: is sharded, so that its parameters move, and cannot be captured with "
            "static_alloc and static_shape; hybridize() it without them"
        )


class ShardedUpdater(opt.Updater):
    """Updates rows of weights; norms, which some optimizers use, are those of whole weights.

    Args:
        optimizer: The optimizer.

    Raises:
        ParameterError: if the optimizer looks at whole weights in another way.
    """

    def __init__(self, optimizer: opt.Optimizer) -> None:
        if not optimizer._takes_parts:
            raise ParameterError(
                f"Trainer: {type(optimizer).__name__} needs whole weights and does not work with "
                "sharded parameters; use LARS or LAMB instead"
            )
        super().__init__(optimizer)

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Updates a weight by its gradient, or a list of weights by theirs."""
        with norms_completed(whole_norms):
            super().__call__(index, grad, weight)
