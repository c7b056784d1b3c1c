"""Functions of `mx.sym.np` that are operators in Python in the original, and in files of it.

Its graphs have nodes `Custom` for `resize`, `unravel_index`, `empty_like` and
`random.multivariate_normal`. Ours are made of other operators; these are for reading its files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from mxnet._dialect import in_dialect_of
from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray
from mxnet.numpy._ndarray import in_dialect, ndarray
from mxnet.numpy._operators import ARRAYS
from mxnet.operator._custom_op import CustomOp, CustomOpProp, register
from mxnet.ops.attrs import Shape, codec_for

Sizes = tuple[int, ...]


def _read_sizes(text: str) -> Sizes | None:
    sizes: Sizes | None = codec_for(Shape | None).parse(text)
    return sizes


class _Computation(CustomOp):
    """Computes a function of `mx.np`.

    Args:
        name: Name of the operator.
        function: The function.
    """

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        super().__init__()
        self._name, self._function = name, function

    def forward(
        self,
        is_train: bool,  # noqa: ARG002 - the signature is that of the original
        req: Sequence[str],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        aux: Sequence[NDArray],  # noqa: ARG002
    ) -> None:
        """Computes the result."""
        arrays = [in_dialect(array, ndarray) for array in in_data]
        self.assign(out_data[0], req[0], in_dialect_of(self._function(*arrays), out_data[0]))

    def backward(self, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Refuses, as in the original."""
        raise MXNetError(f"{self._name}: has no gradient; make the graph with mx.sym.np here")


class _Fallback(CustomOpProp):
    """Says what a function computes and in which shape; derived classes define both."""

    name: str

    def __init__(self) -> None:
        super().__init__(need_top_grad=True)

    def create_operator(self, ctx: Any, shapes: Any, dtypes: Any) -> CustomOp:  # noqa: ARG002
        """Returns what runs the function."""
        return _Computation(self.name, self.compute)

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        raise NotImplementedError


@register("resize_fallback")
class Resize(_Fallback):
    """Takes the elements of an array again and again; see `mx.np.resize`."""

    name = "resize_fallback"

    def __init__(self, new_shape: str) -> None:
        super().__init__()
        self._sizes = _read_sizes(new_shape) or ()

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns the new shape."""
        return in_shape, (self._sizes,), ()

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.resize(arrays[0], self._sizes)


@register("unravel_index_fallback")
class UnravelIndex(_Fallback):
    """Takes positions in a flat array apart; see `mx.np.unravel_index`."""

    name = "unravel_index_fallback"

    def __init__(self, shape: str) -> None:
        super().__init__()
        self._sizes = _read_sizes(shape) or ()

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns a row for each axis."""
        return in_shape, ((len(self._sizes), *in_shape[0]),), ()

    def infer_type(self, in_type: Any) -> Any:
        """Returns int64, whatever integers come in."""
        return in_type, ("int64",), ()

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.stack(ARRAYS.unravel_index(arrays[0], self._sizes)).astype("int64")


@register("empty_like_fallback")
class EmptyLike(_Fallback):
    """Makes an array like another one; here its elements are 0."""

    name = "empty_like_fallback"

    def __init__(self, dtype: str = "None", **options: str) -> None:
        super().__init__()
        del options  # the original takes the defaults of order, subok and shape alone
        self._dtype = None if dtype == "None" else dtype

    def infer_type(self, in_type: Any) -> Any:
        """Returns the type that is asked for."""
        return in_type, (self._dtype or in_type[0],), ()

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.zeros_like(arrays[0], dtype=self._dtype)


@register("mvn_fallback")
class MultivariateNormal(_Fallback):
    """Draws vectors; see `mx.np.random.multivariate_normal`."""

    name = "mvn_fallback"

    def __init__(self, size: str = "None") -> None:
        super().__init__()
        self._sizes = _read_sizes(size)

    def list_arguments(self) -> list[str]:
        """Returns the names of the inputs."""
        return ["mean", "variance"]

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns the shape of the draws, with an axis for the vectors."""
        mean, variance = (tuple(shape) for shape in in_shape)
        batch = numpy.broadcast_shapes(mean[:-1], variance[:-2])
        return in_shape, ((*(self._sizes or ()), *batch, mean[-1]),), ()

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.random.multivariate_normal(*arrays, size=self._sizes)
