"""A graph that is called on arrays like an operator: `mx.nd.CachedOp`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.ndarray._ndarray import NDArray
from mxnet.ndarray._program import BoundProgram


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
        self._program = BoundProgram(sym._graph, self._names)

    @property
    def handle(self) -> int:
        """Identity of the graph; there is no C handle behind it."""
        return id(self._program)

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
        outputs = self._program(args[0]._ctx, args)
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
