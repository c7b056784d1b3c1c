"""Examples that extend the documentation of operators on arrays: `mx.ndarray_doc`.

A subclass of `NDArrayDoc` that is named after an operator has examples of it in its docstring.
"""

# ruff: noqa: N801 - a class has the name of its operator

from __future__ import annotations

from collections.abc import Sequence

from mxnet._legacy.operator_docs import build_doc, find_examples


class NDArrayDoc:
    """Base of the classes that have examples of an operator on arrays."""


class ReshapeDoc(NDArrayDoc):
    """Shows how the special lengths of a shape are filled.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.zeros((2, 3, 4))
        >>> mx.nd.reshape(x, shape=(-1, 6)).shape
        (4, 6)
        >>> mx.nd.reshape(x, shape=(0, -3)).shape
        (2, 12)
    """


class elemwise_addDoc(NDArrayDoc):
    """Shows a sum of two arrays of one shape.

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.nd.array([1, 2]), mx.nd.array([10, 20])
        >>> print(mx.nd.elemwise_add(x, y).asnumpy())
        [11. 22.]
    """


class BroadcastToDoc(NDArrayDoc):
    """Shows a row that is repeated.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.broadcast_to(mx.nd.array([[1, 2, 3]]), shape=(2, 3)).shape
        (2, 3)
    """


class StackDoc(NDArrayDoc):
    """Shows arrays that are joined along a new axis.

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.nd.array([1, 2]), mx.nd.array([3, 4])
        >>> print(mx.nd.stack(x, y, axis=1).asnumpy())
        [[1. 3.]
         [2. 4.]]
    """


class CustomDoc(NDArrayDoc):
    """Shows how an operator that is written in Python is called.

    It is defined by a `mx.operator.CustomOp` and registered, with its `mx.operator.CustomOpProp`,
    by `mx.operator.register("name")`; then it is called as `mx.nd.Custom(x, op_type="name")`.
    """


def _build_doc(
    func_name: str,
    desc: str,
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_desc: Sequence[str],
    key_var_num_args: str | None = None,
    ret_type: str | None = None,
) -> str:
    """Returns the documentation of an operator on arrays.

    Args:
        func_name: Name of the operator, which selects the class with its examples.
        desc: What the operator does.
        arg_names: Names of its arguments.
        arg_types: Types of the arguments.
        arg_desc: Descriptions of the arguments.
        key_var_num_args: Attribute with the number of arrays; not shown, as in the original.
        ret_type: Type of the result; not shown, as in the original.
    """
    del key_var_num_args, ret_type
    return build_doc(
        desc,
        (arg_names, arg_types, arg_desc),
        "out : NDArray, optional\n    Array that the result is written to.",
        "out : NDArray or list of NDArrays\n    What the operator computes.",
        find_examples(NDArrayDoc, func_name),
    )
