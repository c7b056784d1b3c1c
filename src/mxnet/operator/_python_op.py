"""Operators in the style before `CustomOp`: an object that is called with symbols."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mxnet import symbol
from mxnet._start import level_of_program
from mxnet.ndarray import NDArray
from mxnet.operator._custom_op import CustomOp, CustomOpProp, Use
from mxnet.ops.core.custom import install
from mxnet.symbol import Symbol

_NUMBERS = itertools.count()


class PythonOp:
    """What both kinds share; subclasses define `forward`, `backward` and what they take.

    Args:
        need_top_grad: Whether `backward` uses the gradients of the outputs (a loss does not).
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        warnings.warn(
            f"{type(self).__name__} is of an old style: use CustomOp", stacklevel=level_of_program()
        )
        self.need_top_grad_ = need_top_grad
        self._op_type = f"_python_op{next(_NUMBERS)}"
        install(
            self._op_type, partial(Use, type(self).__name__, lambda: _PythonProp(self), NDArray)
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Symbol:
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Symbol:
        """Makes a node of a graph; see `mx.sym.Custom`."""
        return symbol.Custom(*args, op_type=self._op_type, **kwargs)  # type: ignore[no-any-return]

    def forward(self, in_data: list[Any], out_data: list[Any]) -> None:
        """Computes `out_data` from `in_data`, in place."""
        out_data[0][:] = in_data[0]

    def backward(
        self, out_grad: list[Any], in_data: list[Any], out_data: list[Any], in_grad: list[Any]
    ) -> None:
        """Computes `in_grad`, in place."""
        del out_grad, in_data, out_data
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Returns the shapes of inputs and outputs."""
        return in_shape, [in_shape[0]]

    def list_outputs(self) -> list[str]:
        """Names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """Names of the inputs."""
        return ["data"]

    def need_top_grad(self) -> bool:
        """Returns whether `backward` uses the gradients of the outputs."""
        return self.need_top_grad_

    def _on(self, compute: Callable[..., None], written: str, **arrays: list[NDArray]) -> None:
        """Runs `forward` or `backward` on the kind of arrays that it works on."""
        del written
        compute(**arrays)


class NDArrayOp(PythonOp):
    """An operator on arrays."""

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """Returns what `backward` needs, of the numbers given."""
        return [*(out_grad if self.need_top_grad_ else []), *in_data, *out_data]


class NumpyOp(PythonOp):
    """An operator on NumPy arrays."""

    def _on(self, compute: Callable[..., None], written: str, **arrays: list[NDArray]) -> None:
        results = [np.zeros(array.shape, array.dtype) for array in arrays[written]]
        given: dict[str, Any] = {
            name: [array.asnumpy() for array in group] for name, group in arrays.items()
        }
        compute(**{**given, written: results})
        for array, result in zip(arrays[written], results, strict=True):
            array[:] = result


class _PythonProp(CustomOpProp):
    """Shows an operator of the old style as one of the new."""

    def __init__(self, op: PythonOp) -> None:
        super().__init__(op.need_top_grad())
        self._op = op

    def list_arguments(self) -> list[str]:
        return self._op.list_arguments()

    def list_outputs(self) -> list[str]:
        return self._op.list_outputs()

    def infer_shape(self, in_shape: list[Any]) -> Any:
        return self._op.infer_shape(in_shape)

    def create_operator(self, ctx: Any, in_shapes: list[Any], in_dtypes: list[int]) -> CustomOp:
        del ctx, in_shapes, in_dtypes
        return _PythonCustomOp(self._op)


class _PythonCustomOp(CustomOp):
    def __init__(self, op: PythonOp) -> None:
        self._op = op

    def forward(
        self,
        is_train: bool,
        req: list[str],
        in_data: list[NDArray],
        out_data: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        del is_train, req, aux
        self._op._on(self._op.forward, "out_data", in_data=in_data, out_data=out_data)

    def backward(
        self,
        req: list[str],
        out_grad: list[NDArray],
        in_data: list[NDArray],
        out_data: list[NDArray],
        in_grad: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        del req, aux
        self._op._on(
            self._op.backward,
            "in_grad",
            out_grad=out_grad,
            in_data=in_data,
            out_data=out_data,
            in_grad=in_grad,
        )
