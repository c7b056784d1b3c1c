"""A graph that is called on arrays like an operator: `mx.nd.CachedOp`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from mxnet import _rng
from mxnet._array import finish, tie
from mxnet._modes import modes
from mxnet.context import Context, torch_device
from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.graph.lower import Setting
from mxnet.graph.run import Program
from mxnet.graph.unreached import Reach
from mxnet.ndarray._ndarray import NDArray


def as_arrays(
    results: Sequence[Tensor], tensors: Sequence[Tensor], ctx: Context, reach: Reach | None
) -> list[NDArray]:
    """Makes arrays of what a graph gives, which have memory of their own.

    Args:
        results: The results.
        tensors: What the graph has read.
        ctx: Context of the results.
        reach: Joins recorded results to one node; None if they are that already.
    """
    if len(results) == 1:
        return [finish(results[0], tensors, NDArray, ctx)]
    if modes.recording and reach is not None:
        results = reach.join(results, tensors)
    # A result that is a view of another one is a copy too, so that each can be written to.
    outputs = [
        finish(result, [*tensors, *results[:position]], NDArray, ctx)
        for position, result in enumerate(results)
    ]
    if modes.recording:
        tie(outputs)
    return outputs


class CachedOp:
    """A graph as a function of the arrays that its variables stand for.

    Args:
        sym: The graph, a Symbol.
        flags: Options of the original's memory planner, accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> product = mx.nd.CachedOp(mx.sym.var("a") * mx.sym.var("b"))
        >>> print(product(mx.nd.array([1, 2]), mx.nd.array([3, 4])).asnumpy())
        [3. 8.]
    """

    def __init__(self, sym: Any, flags: Sequence[tuple[str, Any]] = ()) -> None:
        self.flags = tuple(flags)
        self._names = tuple(sym.list_inputs())
        self._states = frozenset(sym.list_auxiliary_states())
        self._program = Program(sym._graph, self._names)
        self._reach = Reach(sym._graph, self._names)

    def __call__(self, *args: NDArray, **kwargs: Any) -> NDArray | list[NDArray]:
        """Computes the outputs.

        Args:
            args: An array for each variable, in the order of `sym.list_inputs()`.
            kwargs: `out`: array or arrays to write the result into.
        """
        out = kwargs.pop("out", None)
        if kwargs:
            raise UnsupportedTypeError(
                f"CachedOp: takes arrays by position, and `out`; got {', '.join(kwargs)}"
            )
        self._check(args)
        ctx = args[0]._ctx
        tensors = [
            array._plain if name in self._states else array._read()
            for name, array in zip(self._names, args, strict=True)
        ]
        generator = _rng.generator_for(ctx.device_type, ctx.device_id)
        setting = Setting(modes.training, modes.recording, torch_device(ctx), generator)
        results = self._program.run(tensors, setting)
        outputs = as_arrays(results, tensors, ctx, self._reach)
        if out is not None:
            targets = [out] if isinstance(out, NDArray) else list(out)
            for output, target in zip(outputs, targets, strict=True):
                output.copyto(target)
            return out  # type: ignore[no-any-return]
        return outputs[0] if len(outputs) == 1 else outputs

    def _check(self, args: Sequence[Any]) -> None:
        if not args or len(args) != len(self._names):
            raise MXNetError(
                f"CachedOp: expects {len(self._names)} arrays ({', '.join(self._names)}), "
                f"got {len(args)}"
            )
        for name, array in zip(self._names, args, strict=True):
            if not isinstance(array, NDArray):
                raise ArgumentTypeError(
                    f"CachedOp: {name} takes an NDArray, got {type(array).__name__}"
                )
