"""Functions of `mx.np` that are operators in Python in the original, and in files of it.

Its graphs have nodes `Custom` for `resize`, `unravel_index`, `empty_like` and
`random.multivariate_normal`. Ours have them for the last alone, and are made of other operators
else; these are for reading its files, and for programs that use them by name
(`mx.numpy_op_fallback`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from mxnet import autograd
from mxnet._state import np_array
from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.ndarray import NDArray
from mxnet.numpy._operators import ARRAYS
from mxnet.operator._custom_op import CustomOp, CustomOpProp
from mxnet.operator._custom_op import register as register_operator
from mxnet.ops.core.attrs import Shape, codec_for

Sizes = tuple[int, ...]


def _read_sizes(text: str) -> Sizes | None:
    sizes: Sizes | None = codec_for(Shape | None).parse(text)
    return sizes


class _Computation(CustomOp):
    """Computes a function of `mx.np`, which derived classes define.

    The original's have no gradient. Here the function is recorded for it, so that what is drawn at
    random stays the same.
    """

    name: str

    def __init__(self) -> None:
        super().__init__()
        self._recorded: tuple[list[Any], Any] = [], None

    def forward(
        self,
        is_train: bool,
        req: Sequence[str],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        aux: Sequence[NDArray],  # noqa: ARG002 - the signature is that of the original
    ) -> None:
        """Computes the result."""
        if not is_train:
            self.assign(out_data[0], req[0], self.compute(*in_data))
            return
        inputs = [item.copy() for item in in_data]
        for item in inputs:
            item.attach_grad()
        with autograd.record():
            result = self.compute(*inputs)
        self._recorded = inputs, result
        self.assign(out_data[0], req[0], result.detach())

    def backward(
        self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        """Computes the gradients."""
        del in_data, out_data, aux
        inputs, result = self._recorded
        if result is None:
            raise MXNetError(f"{self.name}: has no gradient outside of training")
        autograd.backward([result], [out_grad[0]], retain_graph=True)
        for place, item in enumerate(inputs):
            self.assign(in_grad[place], req[place], item.grad)

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        raise NotImplementedError


class Resize(_Computation):
    """Takes the elements of an array again and again; see `mx.np.resize`.

    Args:
        new_shape: Shape of the result.
    """

    name = "resize_fallback"

    def __init__(self, new_shape: Any) -> None:
        super().__init__()
        self._new_shape = new_shape

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.resize(arrays[0], self._new_shape)


class ResizeProp(CustomOpProp):
    """What is known of `Resize`.

    Args:
        new_shape: Shape of the result, written out.
    """

    def __init__(self, new_shape: str) -> None:
        super().__init__(need_top_grad=True)
        self._new_shape = _read_sizes(new_shape)

    def list_arguments(self) -> list[str]:
        """Returns the name of the input."""
        return ["a"]

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns the new shape."""
        return (in_shape[0],), (self._new_shape,), ()

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> CustomOp:
        """Returns the computation."""
        del ctx, in_shapes, in_dtypes
        return Resize(self._new_shape)


class Unravel_index(_Computation):  # noqa: N801 - the original's name
    """Takes positions in a flat array apart; see `mx.np.unravel_index`.

    Args:
        shape: Shape of the array that the positions are in.
    """

    name = "unravel_index_fallback"

    def __init__(self, shape: Any) -> None:
        super().__init__()
        self._shape = shape

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.stack(ARRAYS.unravel_index(arrays[0], self._shape))


class Unravel_indexProp(CustomOpProp):  # noqa: N801 - the original's name
    """What is known of `Unravel_index`.

    Args:
        shape: Shape of the array that the positions are in, written out.
    """

    def __init__(self, shape: str) -> None:
        super().__init__(need_top_grad=True)
        self._shape = _read_sizes(shape)

    def list_arguments(self) -> list[str]:
        """Returns the name of the input."""
        return ["indices"]

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns a row for each axis."""
        return (in_shape[0],), ((len(self._shape or ()), *in_shape[0]),), ()

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> CustomOp:
        """Returns the computation."""
        del ctx, in_shapes, in_dtypes
        return Unravel_index(self._shape)


class EmptyLike(_Computation):
    """Makes an array like another one; here its elements are 0.

    Args:
        dtype: dtype of the result; by default that of the other array.
        order: Accepted for compatibility.
        subok: Accepted for compatibility.
        shape: Accepted for compatibility; the original ignores it, too.
    """

    name = "empty_like_fallback"

    def __init__(self, dtype: Any, order: str, subok: bool, shape: Any) -> None:
        super().__init__()
        self._dtype, self._order, self._subok, self._shape = dtype, order, subok, shape

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.zeros_like(arrays[0], dtype=self._dtype)


class EmptyLikeProp(CustomOpProp):
    """What is known of `EmptyLike`.

    Args:
        dtype: dtype of the result; `None` for that of the input.
        order: Accepted for compatibility.
        subok: Accepted for compatibility.
        shape: Accepted for compatibility.
    """

    def __init__(self, dtype: str, order: str, subok: str, shape: str = "None") -> None:
        super().__init__(need_top_grad=True)
        self._dtype = None if dtype == "None" else numpy.dtype(dtype).type
        self._order, self._subok, self._shape = order, subok == "True", _read_sizes(shape)

    def list_arguments(self) -> list[str]:
        """Returns the name of the input."""
        return ["prototype"]

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns the shape of the input."""
        return (in_shape[0],), (in_shape[0],), ()

    def infer_type(self, in_type: Any) -> Any:
        """Returns the type that is asked for."""
        return (in_type[0],), (self._dtype or in_type[0],), ()

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> CustomOp:
        """Returns the computation."""
        del ctx, in_shapes, in_dtypes
        return EmptyLike(self._dtype, self._order, self._subok, self._shape)


class MultivariateNormal(_Computation):
    """Draws vectors; see `mx.np.random.multivariate_normal`.

    Args:
        size: How many to draw.
    """

    name = "mvn_fallback"

    def __init__(self, size: Any = None) -> None:
        super().__init__()
        self._size = size

    def compute(self, *arrays: Any) -> Any:
        """Computes the result."""
        return ARRAYS.random.multivariate_normal(*arrays, size=self._size)


class MultivariateNormalProp(CustomOpProp):
    """What is known of `MultivariateNormal`.

    Args:
        size: How many to draw, written out.
    """

    def __init__(self, size: str | None = None) -> None:
        super().__init__(need_top_grad=True)
        self._size = _read_sizes("None" if size is None else size)

    def list_arguments(self) -> list[str]:
        """Returns the names of the inputs."""
        return ["mean", "cov"]

    def infer_shape(self, in_shape: Any) -> Any:
        """Returns the shape of the draws, with an axis for the vectors."""
        mean, covariance = (tuple(shape) for shape in in_shape)
        if not mean or len(covariance) < 2:
            raise ArgumentValueError(
                "multivariate_normal: expected vectors of means and matrices of covariances, got "
                f"shapes {mean} and {covariance}"
            )
        if mean[-1] != covariance[-1]:
            raise ArgumentValueError(
                f"multivariate_normal: mean and cov differ in length, {mean} and {covariance}"
            )
        batch = numpy.broadcast_shapes(mean[:-1], covariance[:-2])
        return in_shape, ((*(self._size or ()), *batch, mean[-1]),), ()

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> CustomOp:
        """Returns the computation."""
        del ctx, in_shapes, in_dtypes
        return MultivariateNormal(self._size)


PROPS: dict[str, type[CustomOpProp]] = {
    "empty_like_fallback": EmptyLikeProp,
    "mvn_fallback": MultivariateNormalProp,
    "resize_fallback": ResizeProp,
    "unravel_index_fallback": Unravel_indexProp,
}
"""All of them, by the name under which `Custom` finds them."""

with np_array():  # they get arrays of `mx.np`
    for _name, _prop in PROPS.items():
        register_operator(_name)(_prop)
