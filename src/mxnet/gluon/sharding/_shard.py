"""`gluon.shard`: splits the parameters of a network over the processes of a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

from mxnet import optimizer as opt
from mxnet._start import public_call
from mxnet._state import processes
from mxnet.context import CPU0
from mxnet.errors import ArgumentTypeError, MXNetError
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.hybrid.block import HybridBlock
from mxnet.gluon.parameters import Parameter, ParameterError
from mxnet.gluon.parts import whole_norms
from mxnet.gluon.sharding._gathering import gathered
from mxnet.gluon.sharding._parameter import ShardedParameter, may_be_sharded, refuse
from mxnet.ops.optimizer.rules import norms_completed

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
        with gathered():
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
